"""The HTML report as a file: structure, policy, escaping, size, and what it holds."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import bayesloom as bl
from bayesloom.errors import FileFormatError
from bayesloom.report.page.document import as_json
from bayesloom.report.page.model import MOST_PAGE_CELLS
from bayesloom.report.page.modules import joined
from example_tables import read_example

HOSTILE = "<script>alert(1)</script>"
LABELS = ["</script>", "\"'&<b>", "</SCRIPT >", "<!-- \u2028"]


class _Parts(HTMLParser):
    """The elements of a page as a browser would cut them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), []))
        self._open = True

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - as the parser calls it
        self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.found[-1][2].append(data)


def parts_of(text: str) -> list[tuple[str, dict[str, str | None], str]]:
    parser = _Parts()
    parser.feed(text)
    return [(tag, attributes, "".join(inside)) for tag, attributes, inside in parser.found]


def content_of(path: Path) -> dict[str, Any]:
    for tag, attributes, inside in parts_of(path.read_text(encoding="utf-8")):
        if tag == "script" and attributes.get("id") == "content":
            found: dict[str, Any] = json.loads(inside)
            return found
    raise AssertionError


def hostile_frame() -> dict[str, list[str]]:
    return {
        HOSTILE: LABELS * 20,
        "naïve ✓ 数 \"'": ["a", "b"] * 40,
        "=1+1,": [label * 2 for label in LABELS] * 20,
        "alone": ["one"] * 80,
    }


@pytest.fixture(scope="module")
def alarm_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "alarm.html"
    bl.learn(read_example("alarm")).report(path)
    return path


def test_the_policy_forbids_everything_but_the_script_and_the_style(alarm_page: Path) -> None:
    parts = parts_of(alarm_page.read_text(encoding="utf-8"))
    policy = next(a["content"] for tag, a, _ in parts if "http-equiv" in a and tag == "meta")
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http:" not in policy
    for wanted, kind in (("script", "script-src"), ("style", "style-src")):
        (inside,) = (
            text for tag, a, text in parts if tag == wanted and a.get("type") != "application/json"
        )
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy


def test_nothing_is_loaded_from_elsewhere(alarm_page: Path) -> None:
    parts = parts_of(alarm_page.read_text(encoding="utf-8"))
    assert not [a for _, a, _ in parts if {"src", "href", "style", "onclick"} & set(a)]
    script = next(text for tag, a, text in parts if tag == "script" and a.get("type") == "module")
    assert set(re.findall(r"https?://[^\"']+", script)) == {"http://www.w3.org/2000/svg"}
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in script


def test_names_and_labels_cannot_end_the_element_that_holds_them(tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    frame = hostile_frame()
    bl.learn(frame).report(path, command=f"bayesloom learn '{HOSTILE}'")
    text = path.read_text(encoding="utf-8")
    assert HOSTILE not in text
    tags = [tag for tag, _, _ in parts_of(text)]
    assert tags.count("script") == 2
    assert "b" not in tags
    told = content_of(path)
    assert sorted(told["names"]) == sorted(frame)
    assert sorted(told["states"][told["names"].index(HOSTILE)]) == sorted(LABELS)
    assert HOSTILE in told["reproduce"]["command"]


def test_json_has_no_sign_of_markup_and_no_number_that_json_lacks() -> None:
    told = {"a": [*LABELS, "\u2029"], "b": [float("inf"), float("nan"), 1.5]}
    text = as_json(told)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {"a": told["a"], "b": [None, None, 1.5]}


def test_alarm_is_small_and_whole(alarm_page: Path) -> None:
    assert alarm_page.stat().st_size < 1_000_000
    told, table = content_of(alarm_page), read_example("alarm")
    assert told["names"] == list(table.names)
    assert told["data"]["rows"] == table.n_rows
    v = told["names"].index("HRBP")
    for state, number in zip(told["states"][v], told["data"]["counts"][v], strict=True):
        assert number == table["HRBP"].count(state)
    net = bl.learn(table)
    assert {(told["names"][e["x"]], told["names"][e["y"]]) for e in told["edges"]} == {
        *net.edges,
        *net.undirected,
    }
    assert len(told["course"]["steps"]) == len(net.steps)
    assert told["course"]["replays"]
    assert len(told["control"]["tables"]["dependency"]["rows"]) == net.tests.rejected


def test_what_took_pairs_apart_is_told_with_its_test(tmp_path: Path) -> None:
    net = bl.learn(read_example("asia"), bl.PC())
    told = content_of(Path(net.report(tmp_path / "pc.html")))
    names, apart = told["names"], told["control"]["tables"]["separation"]["rows"]
    assert [(names[s["x"]], names[s["y"]]) for s in apart] == [(s.x, s.y) for s in net.separations]
    assert [s["log_p"] for s in apart] == [getattr(s, "log_p", None) for s in net.separations]


def test_stories_and_contingency_tables_are_those_of_the_data(alarm_page: Path) -> None:
    told, table = content_of(alarm_page), read_example("alarm")
    names, states = told["names"], told["states"]
    net = bl.learn(table)
    a, b, lines, tests = told["pairs"]["stories"][0]
    story = net.explain(names[a], names[b])
    assert "\n  ".join(lines) == str(story)
    assert story.evidence is not None
    assert tests[0]["statistic"] == story.evidence.alone.statistic
    a, b, cells = told["pairs"]["tables"][0]
    rows = list(zip(table[names[a]], table[names[b]], strict=True))
    assert cells == [rows.count((x, y)) for x in states[a] for y in states[b]]


def test_every_kind_of_network_has_a_page(tmp_path: Path) -> None:
    asia = read_example("asia")
    bif = tmp_path / "asia.bif"
    bl.learn(asia, bl.HillClimbing()).save(bif)
    nets = {
        "dag": bl.learn(asia, bl.HillClimbing()),
        "class": bl.learn(asia),
        "markov": bl.learn(asia, bl.DMN()),
        "loaded": bl.load(bif),
        "drawn": bl.network("A -> B; C"),
    }
    for name, net in nets.items():
        path = tmp_path / f"{name}.html"
        assert net.report(path) == str(path)
        told = content_of(path)
        assert len(told["edges"]) == len(net.edges) + len(net.undirected)
        assert (told["course"] is None) == (net.record is None)
        assert (told["data"] is None) == (name in ("loaded", "drawn"))
        assert (told["model"]["cliques"] is None) == (name == "drawn")
    assert "no parameters" in content_of(tmp_path / "drawn.html")["model"]["absent"]


@pytest.mark.parametrize(
    "search",
    [
        bl.ChowLiu(),
        bl.HillClimbing(restarts=2),
        bl.Tabu(),
        bl.OrderSearch(),
        bl.XGES(),
        bl.IHC(),
        bl.DMN(),
        bl.ThroughDMN(),
    ],
    ids=lambda search: type(search).__name__,
)
def test_steps_replay_and_the_script_repeats_the_search(tmp_path: Path, search: bl.Search) -> None:
    asia = read_example("asia").take(slice(0, 1500))
    net = bl.learn(asia, search, max_parents=None if isinstance(search, bl.DMN) else 3)
    path = tmp_path / "net.html"
    net.report(path)
    told = content_of(path)
    assert told["course"]["replays"]
    script = told["reproduce"]["script"].replace('bl.read("DATA")', "asia")
    found: dict[str, Any] = {"asia": asia}
    exec(script.replace("net.html", str(path)), found)
    assert found["net"].record == net.record
    assert found["net"].data.table.checksum() == told["data"]["checksum"]


@pytest.mark.parametrize("how", ["bootstrap", "posterior"])
def test_the_report_of_an_average_has_the_call_that_repeats_it(tmp_path: Path, how: str) -> None:
    asia = read_example("asia").take(slice(0, 600))
    known = bl.Knowledge(forbidden=[("L", "S")])
    if how == "bootstrap":
        search = bl.GES(score=bl.BDeu(ess=5))
        net = bl.bootstrap(asia, search, replicates=6, seed=3, knowledge=known).averaged
    else:
        net = bl.posterior(asia, bl.BDeu(ess=5), moves=300, samples=40, knowledge=known).network
    path = tmp_path / "net.html"
    bl.load(net.save(tmp_path / "net.json")).report(path, data=asia)  # a file keeps it as well
    told = content_of(path)
    found: dict[str, Any] = {"asia": asia}
    script = told["reproduce"]["script"].replace('bl.read("DATA")', "asia")
    exec(script.replace("net.html", str(path)), found)
    assert found["net"].record == net.record
    assert told["course"]["averaged"] == net.record.confidence.networks  # type: ignore[union-attr]
    shares = {pair.direction for pair in net.record.confidence.pairs}  # type: ignore[union-attr]
    assert {edge["share"] for edge in told["edges"]} <= shares | {1 - share for share in shares}
    assert "In Python" not in dict(told["settings"])


def test_data_can_be_given_later(tmp_path: Path) -> None:
    asia = read_example("asia")
    path, bif = tmp_path / "net.html", tmp_path / "net.bif"
    bl.learn(asia, bl.HillClimbing()).save(bif)
    bl.load(bif).report(path, data=asia)
    told = content_of(path)
    assert told["data"]["rows"] == asia.n_rows
    assert told["measured_by"] == "bic"
    bl.network("asia -> tub").report(path, data={"asia": ["n", "y"] * 9, "tub": ["n", "y"] * 9})
    assert content_of(path)["model"]["cliques"] == [[0, 1]]


def test_a_model_too_large_for_the_page_says_so(tmp_path: Path) -> None:
    states = [f"s{k}" for k in range(50)]
    wide: dict[str, tuple[list[str], list[str], Any]] = {
        f"x{k}": (states, [], [0.02] * 50) for k in range(3)
    }
    table = [[[[0.5, 0.5]] * 50] * 50] * 50
    path = tmp_path / "wide.html"
    bl.network(bl.BayesNet.from_tables({**wide, "y": (["a", "b"], list(wide), table)})).report(path)
    model = content_of(path)["model"]
    assert model["tables"] is None
    assert "250,150 probabilities" in model["absent"]
    # A grid of small tables whose cliques are large.
    n = 21
    names = [[f"g{i}_{j}" for j in range(n)] for i in range(n)]
    edges = [(names[i][j], names[i][j + 1]) for i in range(n) for j in range(n - 1)]
    edges += [(names[i][j], names[i + 1][j]) for i in range(n - 1) for j in range(n)]
    net = bl.random_net(bl.DAG.from_edges(edges), seed=1)
    from bayesloom.report.page.model import modelled
    from bayesloom.report.page.subject import Subject
    from bayesloom.story import EdgeTable

    subject = Subject(net.dag, net.dag, EdgeTable.of(net.dag), bl.network(net.dag).explain, net)
    found = modelled(subject)
    assert found["cliques"] is None
    assert f"at most {MOST_PAGE_CELLS:,}" in str(found["absent"])


def test_checksum_tells_tables_apart() -> None:
    frame = {"a": ["x", "y", "y"], "b": ["1", "2", "1"]}
    table = bl.Table.from_frame(frame)
    assert table.checksum() == table.reordered(["b", "a"]).checksum()
    others = [
        {"a": ["x", "y", "x"], "b": ["1", "2", "1"]},
        {"a": ["x", "z", "z"], "b": ["1", "2", "1"]},
        {"c": ["x", "y", "y"], "b": ["1", "2", "1"]},
        {"a": ["x", "y"], "b": ["1", "2"]},
    ]
    sums = {bl.Table.from_frame(other).checksum() for other in others}
    assert len(sums | {table.checksum()}) == 5


@pytest.mark.parametrize(("name", "said"), [("a.pdf", "written as .html"), ("no/a.html", "folder")])
def test_places_that_cannot_be_written_are_told_first(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=said):
        bl.network("A -> B").report(tmp_path / name)


def test_modules_of_another_form_are_refused() -> None:
    with pytest.raises(ValueError, match="another form"):
        joined("a", {"a": 'import * as b from "./b.js";'}.__getitem__)
    circle = {"a": 'import { b } from "./b.js";', "b": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match="a -> b -> a"):
        joined("a", circle.__getitem__)


@pytest.fixture(scope="module")
def knot() -> bl.Network:
    """What Grow-Shrink finds in 1,000 rows of child: tests contradict each other."""
    rows = bl.sample(bl.example("child"), 1_000, seed=0)
    found = bl.learn(rows, bl.GrowShrink(control=bl.FixedAlpha(0.01)))
    assert found.extension is None
    return found


def test_a_graph_that_no_dag_extends_has_a_report(knot: bl.Network, tmp_path: Path) -> None:
    told = content_of(Path(knot.report(tmp_path / "knot.html")))
    assert told["model"]["parents"] is None
    assert told["model"]["tables"] is None
    assert told["model"]["cliques"] is None
    assert told["model"]["absent"].startswith("No DAG extends this graph")
    assert not [line for line in told["settings"] if line[0] == "Parameters"]
    assert len(told["graph"]["nodes"]) == len(knot.names)
    joined = {frozenset((told["names"][e["x"]], told["names"][e["y"]])) for e in told["edges"]}
    assert joined == {frozenset(pair) for pair in (*knot.edges, *knot.undirected)}
    assert told["data"]["rows"] == 1_000
    assert len(told["control"]["tables"]["separation"]["rows"]) == len(knot.separations) > 0
    story = next(s for s in told["pairs"]["stories"] if "took" in " ".join(s[2]))
    assert story[3][0]["statistic"] >= 0


def test_a_loaded_graph_that_no_dag_extends_has_a_report_with_data(
    knot: bl.Network, tmp_path: Path
) -> None:
    again = bl.load(knot.save(tmp_path / "knot.json"))
    alone = content_of(Path(again.report(tmp_path / "alone.html")))
    assert alone["data"] is None
    rows = bl.sample(bl.example("child"), 1_000, seed=0)
    told = content_of(Path(again.report(tmp_path / "with.html", data=rows, score=bl.BIC())))
    first = content_of(Path(knot.report(tmp_path / "first.html", score=bl.BIC())))
    for part in ("data", "edges", "pairs", "model", "control"):
        assert told[part] == first[part], part


def test_a_directed_cycle_is_drawn_as_lines_and_told(tmp_path: Path) -> None:
    pairs = [("A", "B"), ("B", "C"), ("C", "A"), ("C", "D")]
    graph = bl.PDAG.from_edges(pairs)
    told = content_of(Path(bl.network(graph).report(tmp_path / "cycle.html")))
    assert told["notes"] == ["drawn as lines, because they make a cycle: A -> B, B -> C, C -> A"]
    assert len(told["graph"]["nodes"]) == 4
    marks = {(told["names"][e["x"]], told["names"][e["y"]]): e["mark"] for e in told["edges"]}
    assert marks == dict.fromkeys(pairs, "->")
