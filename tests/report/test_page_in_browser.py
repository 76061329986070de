"""The HTML report in a real browser: numbers, clicks, replay, tables, hostile names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

import bayesloom as bl
from browser import opened_browser, why_no_browser
from contrast import check_contrast
from example_tables import read_example

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Show = Callable[..., "Page"]

pytestmark = pytest.mark.skipif(bool(why_no_browser()), reason=why_no_browser() or "-")

HOSTILE = "<script>alert(1)</script>"
ASK = """([names, states]) => {
  const { model } = bayesloom;
  const given = names.map((name, k) => {
    const v = model.names.indexOf(name);
    return [v, model.states[v].indexOf(states[k])];
  });
  const { possible, logEvidence, marginals } = model.inference.posteriors(new Map(given));
  return { possible, logEvidence, marginals, names: model.names, states: model.states };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as found:
        yield found


@pytest.fixture
def faults() -> list[str]:
    return []


@pytest.fixture
def show(browser: Browser, tmp_path: Path, faults: list[str]) -> Iterator[Show]:
    """Return a function that opens the report of a network; afterwards nothing may have failed."""
    pages: list[Page] = []

    def opened(
        net: bl.Network, width: int = 1280, scheme: Literal["light", "dark"] = "light"
    ) -> Page:
        path = tmp_path / f"net{len(pages)}.html"
        net.report(path)
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.on(
            "request",
            lambda request: faults.append(request.url) if "http" in request.url[:4] else None,
        )
        page.goto(path.as_uri())
        page.wait_for_selector("#reproduce")
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.close()
    assert faults == []


def asked(page: Page, given: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(ASK, [list(given), list(given.values())])
    return found


def check_posteriors(page: Page, net: bl.Network, given: dict[str, str]) -> None:
    told = asked(page, given)
    for name, states, shares in zip(told["names"], told["states"], told["marginals"], strict=True):
        if name in given:
            assert shares[states.index(given[name])] == pytest.approx(1, abs=1e-12)
            continue
        expected = net.query(name, given=given)
        assert shares == pytest.approx([expected[state] for state in states], abs=1e-9)


@pytest.mark.parametrize("search", [None, bl.HillClimbing(), bl.DMN()], ids=["class", "dag", "dmn"])
def test_posteriors_are_those_of_the_library(show: Show, search: bl.Search | None) -> None:
    net = bl.learn(read_example("alarm"), search)
    page = show(net)
    generator = np.random.default_rng(7)
    rows = net.sample(6, seed=3)
    for k in range(6):
        chosen = generator.choice(len(net.names), size=2 * k, replace=False)
        check_posteriors(page, net, {net.names[v]: str(rows[net.names[v]][k]) for v in chosen})


def test_deterministic_tables_and_impossible_evidence(show: Show) -> None:
    asia = bl.example("asia")
    page = show(asia)
    check_posteriors(page, asia, {})
    check_posteriors(page, asia, {"xray": "yes", "asia": "yes"})
    given = {"xray": "yes", "dysp": "no"}
    log_p = asked(page, given)["logEvidence"]
    joint = bl.compile_net(asia.net).joint(("xray", "dysp")).probabilities
    states = [asia.states[name].index(given[name]) for name in ("xray", "dysp")]
    assert np.exp(log_p) == pytest.approx(joint[tuple(states)], abs=1e-12)
    assert not asked(page, {"lung": "yes", "either": "no"})["possible"]
    page.click("#query [data-state='5,1']")
    page.click(f"#query [data-state='{asia.names.index('lung')},0']")
    assert "impossible" in page.inner_text("#query p[role=status]")
    page.click("text=Take all evidence back")
    assert "No evidence" in page.inner_text("#query p[role=status]")


def test_clicking_a_state_changes_what_is_shown(show: Show) -> None:
    asia = bl.example("asia")
    page = show(asia)
    lung, smoke = (asia.names.index(name) for name in ("lung", "smoke"))
    page.click(f"#query [data-state='{lung},{asia.states['lung'].index('yes')}']")
    expected = asia.query("smoke", given={"lung": "yes"})["yes"]
    k = asia.states["smoke"].index("yes")
    shown = page.inner_text(f"#query [data-state='{smoke},{k}'] .number")
    assert shown == f"{100 * expected:.1f} %"
    page.keyboard.press("Enter")  # the state keeps the focus, and gives the evidence back
    assert page.evaluate("bayesloom.model.evidence.size") == 0


def test_nodes_edges_and_pairs_tell_what_they_are(show: Show) -> None:
    table = read_example("asia")
    net = bl.learn(table)
    page = show(net)
    name = next(name for name in net.names if len(net.markov_blanket(name)) > 1)
    page.click(f".node[aria-label='{name}']")
    assert page.inner_text(".details h3") == name
    near = page.eval_on_selector_all(
        ".node.near", "all => all.map(n => n.getAttribute('aria-label'))"
    )
    assert sorted(near) == sorted(net.markov_blanket(name))
    edge = (*net.edges, *net.undirected)[0]
    page.evaluate(
        "pair => bayesloom.model.select(...pair.map(x => bayesloom.model.names.indexOf(x)))",
        edge,
    )
    lines = page.eval_on_selector_all(".story li", "all => all.map(line => line.textContent)")
    assert "\n  ".join(lines) == str(net.explain(*edge))
    cells = page.eval_on_selector_all(
        ".heat-map td.heat", "all => all.map(c => Number(c.textContent.replaceAll(',', '')))"
    )
    assert sum(cells) == table.n_rows
    apart = next(
        (a, b)
        for a in net.names
        for b in net.names
        if a < b and {a, b} not in [set(e) for e in (*net.edges, *net.undirected)]
    )
    page.click(f".node[aria-label='{apart[0]}']")
    page.click(f".node[aria-label='{apart[1]}']", modifiers=["Shift"])
    lines = page.eval_on_selector_all(".story li", "all => all.map(line => line.textContent)")
    assert "\n  ".join(lines) == str(net.explain(*apart))


def test_the_graph_can_be_used_by_keyboard(show: Show) -> None:
    net = bl.example("asia")
    page = show(net)
    page.focus(".graph")
    before = page.get_attribute(".graph > g", "transform")
    page.keyboard.press("+")
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute(".graph > g", "transform") != before
    page.keyboard.press("0")
    assert page.get_attribute(".graph > g", "transform") == before
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.inner_text(".details h3") == page.evaluate("document.activeElement.ariaLabel")
    page.keyboard.press("Escape")
    assert page.inner_text(".details h3") == "Nothing is chosen"
    page.fill(".graph-box input", "dys")
    page.keyboard.press("Enter")
    assert page.inner_text(".details h3") == "dysp"


def test_the_search_is_replayed(show: Show) -> None:
    net = bl.learn(read_example("asia"), bl.HillClimbing())
    page = show(net)
    count = "document.querySelectorAll('.graph .edge:not(.later)').length"
    assert page.evaluate(count) == len(net.edges)
    assert {step.operator for step in net.steps} <= {"insert", "reverse"}
    for number in (0, 3):
        page.fill("#replay", str(number))
        inserted = sum(step.operator == "insert" for step in net.steps[:number])
        assert page.evaluate(count) == inserted
    assert net.steps[2].x in page.inner_text("#graph .step")


def test_tables_sort_filter_and_save(show: Show) -> None:
    net = bl.learn(read_example("asia"), bl.HillClimbing())
    page = show(net)
    page.click("#edges th:nth-child(3) button")
    page.click("#edges th:nth-child(3) button")
    first = page.inner_text("#edges tbody tr:first-child td:first-child")
    weakest = min(net.edge_table(), key=lambda row: row.loss or 0)
    assert first == f"{weakest.source} → {weakest.target}"
    page.fill("#edges input", f"{weakest.source.lower()} →")
    shown = page.locator("#edges tbody tr").count()
    assert shown == sum(parent == weakest.source for parent, _ in net.edges)
    assert 0 < shown < len(net.edges)
    with page.expect_download() as download:
        page.click("#edges >> text=Save as CSV")
    lines = download.value.path().read_text().splitlines()
    assert lines[0].startswith("edge,direction,bic loss")
    assert len(lines) == 1 + shown


def test_hostile_names_are_text(show: Show) -> None:
    labels = ["</script>", "\"'&<b>"]
    net = bl.learn({HOSTILE: labels * 40, "<img src=x onerror=alert(2)>": labels * 40})
    page = show(net)
    assert page.evaluate("document.querySelectorAll('img, b').length") == 0
    assert HOSTILE in page.inner_text("#query")
    page.evaluate("bayesloom.model.select(0, 1)")
    assert HOSTILE in page.inner_text(".details")
    check_posteriors(page, net, {HOSTILE: "</script>"})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_part_is_wider_than_a_phone(show: Show, scheme: str) -> None:
    net = bl.learn(read_example("alarm"))
    page = show(net, 360, scheme)
    page.evaluate(
        "() => { const [e] = bayesloom.model.content.edges; bayesloom.model.select(e.x, e.y); }"
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(16, 20, 26)") == (scheme == "dark")
    page.evaluate("bayesloom.model.select(...bayesloom.model.content.graph.edges[0].ends)")
    page.locator("#query button.state").first.click()
    assert page.locator("#query button.state[aria-pressed=true]").count() == 1
    check_contrast(page)


def test_a_network_without_anything_has_a_page(show: Show) -> None:
    page = show(bl.network("A -> B; C"))
    assert "no parameters" in page.inner_text("#query")
    page.click(".node[aria-label='A']")
    assert "not known" in page.inner_text(".details")
    page.select_option("#partner", label="C")
    assert "not joined" in page.inner_text(".details")


def test_a_graph_without_extension_has_a_page(show: Show) -> None:
    square = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")]
    page = show(bl.network(bl.PDAG.from_edges([], square)))
    page.click(".node[aria-label='A']")
    assert page.inner_text("#graph .graph-box > p.hint[role=status]") == "A"
    page.select_option("#partner", label="B")
    assert "the two are joined" in page.inner_text(".details")


def test_the_page_of_an_average_says_that_it_is_one(show: Show) -> None:
    net = bl.bootstrap(read_example("asia").take(slice(0, 600)), replicates=5, seed=1).averaged
    page = show(net)
    assert "the average of 5 networks" in (page.text_content("#search") or "")
    assert "are not kept" in (page.text_content("#tests") or "")
    assert "this way" in (page.text_content("#edges") or "")
