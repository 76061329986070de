"""The studio in a real browser: drop, choose, draw, watch, ask, compare, and come back."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bayesloom as bl
from bayesloom.data import write_csv
from bayesloom.graphs import structural_hamming_distance
from bayesloom.processor import n_processors
from browser import opened_browser, why_no_browser
from contrast import check_contrast
from example_samples import sampled
from studio_server import LONG, Visitor, children, program, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.skipif(bool(why_no_browser()), reason=why_no_browser() or "-")

HOSTILE = "<script>alert(1)</script>"
DROP = """([name, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name));
  const zone = document.querySelector('.drop-zone');
  for (const kind of ['dragover', 'drop'])
    zone.dispatchEvent(new DragEvent(kind, { dataTransfer: files, bubbles: true }));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as found:
        yield found


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with serving(tmp_path_factory.mktemp("studio") / "work.db") as visitor:
        yield visitor


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("rows") / "asia.csv"
    write_csv(sampled("asia", 2000), path)
    return path.read_text()


@pytest.fixture
def faults() -> list[str]:
    return []


def opened(browser: Browser, address: str, faults: list[str], **options: Any) -> Page:  # noqa: ANN401
    page = browser.new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
    page.set_default_timeout(60_000)
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.goto(address)
    page.wait_for_selector(".drop-zone, .head")
    return page


@pytest.fixture
def page(browser: Browser, studio: Visitor, faults: list[str]) -> Iterator[Page]:
    """Return the start page; afterwards nothing may have failed."""
    found = opened(browser, studio.address, faults)
    yield found
    found.close()
    assert faults == []


def drop(page: Page, name: str, text: str) -> None:
    page.goto(page.url.split("#")[0] + "#/")
    page.wait_for_selector(".drop-zone")
    page.evaluate(DROP, [name, text])
    page.wait_for_selector("#columns")


def learn(page: Page) -> None:
    page.click("#learn:not([disabled])")
    page.wait_for_selector("#reproduce")


def run_number(page: Page) -> int:
    return int(page.url.rpartition("/")[2])


def network(studio: Visitor, run: int, folder: Path) -> bl.Network:
    text = studio.client.get(f"/api/runs/{run}/export/json").text
    (folder / "net.json").write_text(text, encoding="utf-8")
    return bl.load(folder / "net.json")


def test_from_a_dropped_file_to_evidence(
    page: Page, studio: Visitor, rows: str, tmp_path: Path
) -> None:
    assert "token" not in page.url
    drop(page, "asia.csv", rows)
    assert page.locator(".column").count() == 8
    assert "2,000 rows" in page.inner_text(".head")
    learn(page)
    net = network(studio, run_number(page), tmp_path)
    (tmp_path / "asia.csv").write_text(rows)
    assert net == bl.learn(tmp_path / "asia.csv")
    smoke, dysp = net.names.index("smoke"), net.names.index("dysp")
    page.click(f"#query [data-state='{dysp},{net.states['dysp'].index('yes')}']")
    expected = net.query("smoke", given={"dysp": "yes"})
    shown = page.evaluate(f"bayesloom.model.result.marginals[{smoke}]")
    assert shown == pytest.approx([expected[s] for s in net.states["smoke"]], abs=1e-9)
    a, b = "asia", "bronc"  # not joined: its story is asked from the server
    page.evaluate(
        "pair => bayesloom.model.select(...pair.map(x => bayesloom.model.names.indexOf(x)))",
        [a, b],
    )
    page.wait_for_selector(".story li")
    lines = page.eval_on_selector_all(".story li", "all => all.map(line => line.textContent)")
    learned = bl.learn(tmp_path / "asia.csv")
    assert "\n  ".join(lines) == str(learned.explain(a, b))
    page.wait_for_selector(".heat-map")
    page.click("#export summary")
    with page.expect_download() as download:
        page.click("[data-export=py]")
    assert download.value.suggested_filename == "learn.py"
    assert "bl.learn(" in download.value.path().read_text()


def test_what_breaks_the_contract_is_mended_by_buttons(page: Page) -> None:
    decks = ["" if i % 4 == 0 else "ab"[i % 2] for i in range(80)]
    lines = [f"P{i},{i * 1.7:.1f},{deck},{'xy'[i % 2]}" for i, deck in enumerate(decks)]
    drop(page, "people.csv", "\n".join(["id,fare,deck,sex", *lines]))
    page.wait_for_selector(".told .problem")
    assert "people.csv, line 2, column 'deck'" in page.inner_text(".told .problem")
    assert page.is_disabled("#learn")
    page.click("text=Leave out id")
    page.wait_for_selector("text=column 'fare' is real-valued")
    assert page.locator(".column.gone").inner_text().startswith("id")
    page.click("text=Cut fare into bins")
    page.click("text=Drop rows with holes")
    page.wait_for_selector("text=Ready: 60 rows, 3 variables.")
    assert page.input_value("#missing-cells") == "drop"
    assert page.input_value("#cut-numbers") == "auto"
    page.locator(".column", has_text="fare").locator("select").select_option("width")
    page.wait_for_selector("#learn:not([disabled])")
    learn(page)
    assert "discretize={'*': 'auto', 'fare': ['width', 5]}" in page.inner_text("#reproduce")


def test_holes_are_kept_and_the_score_follows(page: Page, studio: Visitor, rows: str) -> None:
    lines = rows.splitlines()
    lines[1:] = [
        line if k % 4 else "," + line.partition(",")[2] for k, line in enumerate(lines[1:])
    ]
    drop(page, "holes.csv", "\n".join(lines))
    page.click("text=Keep the holes")
    page.wait_for_selector("#learn:not([disabled])")
    assert page.input_value("#missing-cells") == "keep"
    assert page.input_value("#search-name") == "structural-em"
    page.select_option("#search-name", "ges")
    assert page.input_value("#score-name") == "pnal"  # counts around holes
    assert page.is_enabled("#learn")
    page.select_option("#score-name", "bic")
    page.wait_for_selector("text=needs rows without holes")
    assert page.is_disabled("#learn")
    page.click("text=Score with PNAL")
    assert page.input_value("#score-name") == "pnal"
    learn(page)
    assert studio.get(f"/api/runs/{run_number(page)}")["summary"]["search"] == "GES(score=PNAL())"
    page.click("text=Change and learn again")
    page.select_option("#search-name", "ixges")
    page.select_option("#control-name", "bh")
    learn(page)
    told = studio.get(f"/api/runs/{run_number(page)}")
    assert told["plan"]["control"]["name"] == "bh"
    assert "score=PNAL()" in told["summary"]["search"]


def test_a_file_that_cannot_be_read_is_told_and_not_kept(
    page: Page, studio: Visitor, faults: list[str]
) -> None:
    before = studio.get("/api/project")["data"]
    page.evaluate(DROP, ["broken.parquet", "no parquet"])
    page.wait_for_selector(".problem:not([hidden])")
    assert page.inner_text(".problem").endswith("The file was not kept.")
    assert studio.get("/api/project")["data"] == before
    faults.clear()  # the answer was no
    drop(page, "ragged.csv", "a,b\n1\n")
    page.wait_for_selector("#remove-file")
    assert "line 2" in page.inner_text("#columns .problem")
    page.click("#remove-file")
    page.wait_for_selector(".drop-zone")
    assert studio.get("/api/project")["data"] == before


def test_another_separator_makes_other_columns(page: Page) -> None:
    drop(page, "hats.csv", "a^b\n" + "x^1\ny^2\n" * 30)
    page.wait_for_selector(".column >> text=a^b")
    page.click("text=Markers and file")
    page.fill("#delimiter", "^")
    page.press("#delimiter", "Tab")
    page.wait_for_selector("#columns .column:nth-child(2)")
    assert page.locator(".column-name").all_inner_texts() == ["a", "b"]


def test_the_studio_answers_what_is_too_much_for_the_page(
    page: Page, studio: Visitor, tmp_path: Path
) -> None:
    lines = [f"a{k % 60},b{k * 7 % 61},c{k * 3 % 41}" for k in range(3000)]
    data = studio.upload("large.csv", "\n".join(["A,B,C", *lines]).encode())
    known = {"required": [["A", "C"], ["B", "C"]]}
    run = studio.start(data, {"search": {"name": "hc"}, "knowledge": known})
    studio.finished(run)
    assert studio.get(f"/api/runs/{run}/content")["model"]["beyond"]
    page.goto(f"{studio.base}/#/runs/{run}")
    page.wait_for_selector("text=too large for the page")
    net = network(studio, run, tmp_path)
    page.click(f"#query [data-state='{net.names.index('A')},3']")
    page.wait_for_selector("text=the probability of this evidence")
    expected = net.query("C", given={"A": net.states["A"][3]})
    shown = page.evaluate(f"bayesloom.model.result.marginals[{net.names.index('C')}]")
    assert shown == pytest.approx([expected[s] for s in net.states["C"]], abs=1e-9)


def test_knowledge_is_drawn_and_is_law(
    page: Page, studio: Visitor, rows: str, tmp_path: Path
) -> None:
    drop(page, "knowledge.csv", rows)
    page.click("text=Draw what is known")
    page.drag_and_drop("[data-name=dysp]", "[data-lane='1']")
    page.drag_and_drop("[data-name=smoke]", "[data-lane='2']")
    page.focus("[data-name=bronc]")
    page.keyboard.press("ArrowDown")
    page.click(".node[aria-label='lung']")
    page.click(".node[aria-label='either']")
    page.check("input[value=required]")
    page.focus(".node[aria-label='asia']")
    page.keyboard.press("Enter")
    page.focus(".node[aria-label='xray']")
    page.keyboard.press("Enter")
    assert page.locator(".chip.forbidden").inner_text() == "lung → either forbidden \u00d7"
    assert page.locator(".chip.required").inner_text() == "asia → xray required \u00d7"
    learn(page)
    plan = studio.get(f"/api/runs/{run_number(page)}")["plan"]["knowledge"]
    assert plan == {
        "tiers": [["dysp", "bronc"], ["smoke"]],
        "forbidden": [["lung", "either"]],
        "required": [["asia", "xray"]],
    }
    net = network(studio, run_number(page), tmp_path)
    assert ("asia", "xray") in net.dag.edges
    assert ("lung", "either") not in net.dag.edges
    assert not {("smoke", "dysp"), ("smoke", "bronc")} & set(net.dag.edges)


def test_search_and_score_are_chosen_with_their_explanations(
    page: Page, studio: Visitor, rows: str, faults: list[str]
) -> None:
    drop(page, "chosen.csv", rows)
    page.select_option("#search-name", "ges")
    assert "insert edges while the score rises" in page.inner_text("#search-choice .about")
    page.select_option("#score-name", "bdeu")
    page.fill("#score-ess", "3")
    page.press("#score-ess", "Tab")
    assert "equivalent sample size" in page.inner_text("#search-choice")
    page.fill("#max_parents", "2")
    page.press("#max_parents", "Tab")
    learn(page)
    told = studio.get(f"/api/runs/{run_number(page)}")
    assert told["summary"]["search"] == "GES(score=BDeu(ess=3.0))"
    assert told["plan"]["max_parents"] == 2
    page.click("text=Change and learn again")
    page.wait_for_selector("#score-ess")
    assert page.input_value("#score-ess") == "3"
    page.fill("#max_parents", "-1")
    page.press("#max_parents", "Tab")
    page.click("#learn")
    page.wait_for_selector(".learn-bar [role=alert]:not([hidden])")
    assert "max_parents" in page.inner_text(".learn-bar [role=alert]")
    assert [fault[:24] for fault in faults] == ["Failed to load resource:"]  # the answer was no
    faults.clear()


def test_a_search_is_watched_paused_and_stopped(page: Page, studio: Visitor, rows: str) -> None:
    run = studio.start(studio.upload("long.csv", rows.encode()), LONG)
    page.goto(f"{studio.base}/#/runs/{run}")
    page.wait_for_selector(".live .edge, .live .passing")
    page.wait_for_selector(".moves li")
    page.wait_for_selector("#progress .curve")
    steps = "Number(document.querySelectorAll('#progress dd')[2].textContent.replaceAll(',', ''))"
    page.click("#pause-run")
    page.wait_for_selector("#resume-run")
    page.wait_for_timeout(400)
    held = page.evaluate(steps)
    page.wait_for_timeout(400)
    assert page.evaluate(steps) == held > 0
    page.click("#resume-run")
    wait_until(page, lambda: page.evaluate(steps) > held)
    page.click("#stop-run")
    page.wait_for_selector("#reproduce")
    assert "ended early: interrupted by the user" in page.inner_text(".note")


def test_two_runs_are_compared(page: Page, studio: Visitor, rows: str) -> None:
    data = studio.upload("compare.csv", rows.encode())
    plans = ({"search": {"name": "chow-liu"}}, {"search": {"name": "hc"}})
    first, second = (studio.start(data, plan) for plan in plans)
    told = [studio.finished(run) for run in (first, second)]
    left, right = (studio.get(f"/api/runs/{run}/content") for run in (first, second))
    page.goto(f"{studio.base}/#/")
    for run in (first, second):
        page.check(f"[aria-label='Compare run {run}']")
    page.click("text=Compare the two")
    page.wait_for_selector("#figures")
    marks = [class_marks(content) for content in (left, right)]
    both = marks[0].keys() & marks[1].keys()
    shared = sum(marks[0][pair] == marks[1][pair] for pair in both)
    wanted = {
        "shared": shared,
        "turned": len(both) - shared,
        "missing": len(marks[0].keys() - both),
        "extra": len(marks[1].keys() - both),
    }
    shown = {kind: page.locator(f".graph .edge.{kind}[data-edge]").count() for kind in wanted}
    assert shown == wanted
    distance = structural_hamming_distance(
        *(bl.DAG.from_edges(arcs(content), nodes=left["names"]) for content in (left, right))
    )
    assert wanted["turned"] + wanted["missing"] + wanted["extra"] == distance
    assert f"{told[1]['summary']['edges']}" in page.inner_text("#figures")


def arcs(content: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - JSON
    names = content["names"]
    return [(names[edge["x"]], names[edge["y"]]) for edge in content["edges"]]


def class_marks(content: Any) -> dict[frozenset[str], tuple[str, str] | None]:  # noqa: ANN401
    """Return for every joined pair the arrow of the class, or None where it is free."""
    free = [edge["direction"] == "free" for edge in content["edges"]]
    return {
        frozenset(arc): None if turns else arc
        for arc, turns in zip(arcs(content), free, strict=True)
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_counts_and_badges_keep_their_own_shape(
    browser: Browser, studio: Visitor, rows: str, faults: list[str], scheme: str
) -> None:
    data = studio.upload("shapes.csv", rows.encode())
    run = studio.start(data, {"search": {"name": "hc"}})
    studio.finished(run)
    others = [studio.start(data, LONG) for _ in range(n_processors() + 1)]
    page = opened(browser, studio.address, faults, color_scheme=scheme)
    page.wait_for_selector(".badge.waiting")
    high = "all => all.map(one => one.getBoundingClientRect().height)"
    assert max(page.eval_on_selector_all(".badge", high)) < 30
    for other in others:
        studio.client.delete(f"/api/runs/{other}")
    page.goto(f"{studio.base}/#/runs/{run}")
    page.wait_for_selector("#reproduce")
    page.evaluate("bayesloom.model.select(0, 1)")
    page.wait_for_selector(".heat-map")
    shown = "all => all.map(one => getComputedStyle(one).display)"
    for kind in ("more", "less"):
        cells = page.eval_on_selector_all(f"td.heat.{kind}", shown)
        assert set(cells) == {"table-cell"}
        assert page.eval_on_selector_all(f".heat-key.{kind}", shown) == ["inline"]
    page.close()
    assert faults == []


def test_a_removal_that_fails_is_told(page: Page, studio: Visitor, faults: list[str]) -> None:
    said = "the disk of the project has no room; make room and try again"

    def refuse(route: Route) -> None:
        if route.request.method == "DELETE":
            route.fulfill(status=507, json={"error": said})
        else:
            route.continue_()

    data = studio.upload("stays.csv", b"a,b\n" + b"x,y\ny,x\n" * 30)
    run = studio.start(data, {"search": {"name": "hc"}})
    studio.finished(run)
    page.reload()
    page.route("**/api/**", refuse)
    for _ in range(2):
        page.click("[aria-label='Remove stays.csv and its runs']")
    page.wait_for_selector(f"#said >> text={said}")
    page.goto(f"{studio.base}/#/runs/{run}")
    page.wait_for_selector("#reproduce")
    page.evaluate("document.querySelector('#said').textContent = ''")
    for _ in range(2):
        page.click(".head button.quiet")
    page.wait_for_selector(f"#said >> text={said}")
    drop(page, "ragged.csv", "a,b\n1\n")
    page.click("#remove-file")
    page.wait_for_selector(f"#columns .problem >> text={said}")
    assert {fault[:24] for fault in faults} == {"Failed to load resource:"}  # the answer was no
    faults.clear()


def test_hostile_names_are_text(page: Page, studio: Visitor) -> None:
    image = "<img src=x onerror=alert(2)>"
    lines = [f'"{image}","</script>"', '"b","c"'] * 40
    drop(page, f"{HOSTILE}.csv", "\n".join([f'"{HOSTILE}","{image}"', *lines]))
    assert image in page.inner_text("#columns")
    page.click("text=Draw what is known")
    for k in range(2):
        page.locator(".board .node").nth(k).click()
    assert HOSTILE in page.inner_text(".chip.forbidden")
    learn(page)
    assert HOSTILE in page.inner_text("#query")
    page.goto(f"{studio.base}/#/")
    page.wait_for_selector("#runs table")
    assert page.evaluate("document.querySelectorAll('#page img, #page script').length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_stage_fits_a_phone(
    browser: Browser, studio: Visitor, faults: list[str], rows: str, scheme: str
) -> None:
    options = {"viewport": {"width": 390, "height": 800}, "color_scheme": scheme}
    page = opened(browser, studio.address, faults, **options)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) == 390
    check_contrast(page)
    drop(page, "phone.csv", rows)
    page.click("text=Draw what is known")
    page.wait_for_selector(".board .node")
    page.locator(".board .node").nth(1).click()
    page.locator(".board .node").nth(2).click()
    assert page.evaluate(wide) == 390
    check_contrast(page)
    learn(page)
    assert page.evaluate(wide) == 390
    page.evaluate("bayesloom.model.select(2, 3)")
    page.locator("#query button.state").first.click()
    page.wait_for_selector(".heat-map")
    check_contrast(page)
    page.goto(page.url.split("#")[0] + "#/")
    page.wait_for_selector("#runs table")
    assert page.evaluate(wide) == 390
    check_contrast(page)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(16, 20, 26)") == (scheme == "dark")
    page.close()
    assert faults == []


def test_the_whole_way_goes_by_keyboard(page: Page, studio: Visitor) -> None:
    data = studio.post("/api/examples/cancer")["id"]
    page.goto(f"{studio.base}/#/")
    page.reload()
    page.wait_for_selector("#data-sets a")
    press_on(page, f"a[href='#/data/{data}']", "Enter")
    page.wait_for_selector("#learn:not([disabled])")
    press_on(page, "#knowledge summary", "Enter")
    press_on(page, "[data-name=Smoker]", "ArrowDown")
    press_on(page, ".board .node[aria-label=Cancer]", "Enter")
    press_on(page, ".board .node[aria-label=Smoker]", "Enter")
    assert "Cancer → Smoker forbidden" in page.inner_text(".chip.forbidden")
    press_on(page, "#learn", "Enter")
    page.wait_for_selector("#reproduce")
    press_on(page, "#graph .node[aria-label=Cancer]", "Enter")
    assert page.inner_text(".details h3") == "Cancer"
    press_on(page, "#query button.state", " ")
    assert page.locator("#query button.state[aria-pressed=true]").count() == 1
    press_on(page, "#export summary", "Enter")
    with page.expect_download() as download:
        press_on(page, "[data-export=bif]", "Enter")
    assert download.value.suggested_filename == "net.bif"
    assert unnamed(page) == []


def press_on(page: Page, selector: str, key: str) -> None:
    """Go there with the Tab key alone, see that it shows the focus, and press a key."""
    wanted = page.locator(selector).first
    for _ in range(250):
        if wanted.evaluate("element => element === document.activeElement"):
            break
        page.keyboard.press("Tab")
    else:
        pytest.fail(f"the Tab key does not lead to {selector}")
    seen = "element => [element, ...element.children].some((part) => { const style = "
    seen += "getComputedStyle(part); return style.outlineStyle !== 'none' || "
    seen += "parseFloat(style.strokeWidth) > 3; })"
    assert wanted.evaluate(seen)
    page.keyboard.press(key)


def unnamed(page: Page) -> list[str]:
    """Return what can be used on a page and has no name for those who hear it read."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, a[href], input, select, summary, [role]')]
          .filter((one) => one.checkVisibility())
          .filter((one) => !['status', 'alert', 'group'].includes(one.role))
          .filter((one) => !(one.textContent.trim() || one.ariaLabel || one.labels?.length))
          .map((one) => one.outerHTML.slice(0, 80))"""
    )
    return found


def test_the_page_loads_nothing_from_elsewhere(browser: Browser, studio: Visitor) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(studio.address)
    page.wait_for_selector(".drop-zone")
    page.close()
    assert asked
    assert all(url.startswith(studio.base) for url in asked)


def test_a_killed_studio_comes_back_with_everything_and_says_what_was_cut_off(
    browser: Browser, tmp_path: Path, rows: str, faults: list[str]
) -> None:
    (tmp_path / "asia.csv").write_text(rows)
    with program(tmp_path / "work.db", str(tmp_path / "asia.csv")) as (process, visitor):
        done = visitor.start(1, {"search": {"name": "hc"}})
        kept = visitor.finished(done)
        content = visitor.get(f"/api/runs/{done}/content")
        cut = visitor.start(1, LONG)
        watching = opened(browser, f"{visitor.address}#/runs/{cut}", [])
        watching.wait_for_selector(".moves li")
        next(event for event in visitor.events(cut) if event[0] == "news")
        workers = children(process.pid)
        assert workers or sys.platform != "linux"
        process.kill()
        process.wait()
        watching.wait_for_selector("#gone:not([hidden])")
        watching.close()
    wait_until_gone(workers)
    with program(tmp_path / "work.db") as (_, visitor):
        assert visitor.get(f"/api/runs/{done}") == kept
        assert visitor.get(f"/api/runs/{done}/content") == content
        assert visitor.get(f"/api/runs/{cut}")["state"] == "cut off"
        page = opened(browser, f"{visitor.address}#/runs/{cut}", faults)
        page.wait_for_selector("text=This run was cut off")
        page.click("button:text('Start it again')")
        page.wait_for_selector(".moves li")
        page.click("#stop-run")
        page.wait_for_selector("#reproduce")
        page.close()
        story = visitor.post(f"/api/runs/{done}/pair", {"a": 0, "b": 7})["story"]
        assert len(story[2]) > 1
    assert faults == []


def wait_until(page: Page, happens: Callable[[], bool]) -> None:
    """Wait for something; the page's policy lets nobody wait inside it."""
    for _ in range(300):
        if happens():
            return
        page.wait_for_timeout(100)
    pytest.fail("it did not happen")


def wait_until_gone(processes: list[int]) -> None:
    ends = time.monotonic() + 20
    while any(Path(f"/proc/{number}").exists() for number in processes):
        assert time.monotonic() < ends
        time.sleep(0.05)
