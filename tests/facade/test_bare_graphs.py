"""Graphs without parameters: compared, kept in files, and refused where tables are needed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import bayesloom as bl
from bayesloom import inference, model
from bayesloom.cli.program import program
from bayesloom.errors import AbsentError, FileFormatError
from bayesloom.graphs import PDAG
from click_runner import CliRunner
from strategies_graphs import dags

CYCLE = PDAG.from_edges([("A", "B"), ("B", "C"), ("C", "A")])


@given(dags())
def test_a_bare_dag_comes_back_from_json(dag: bl.DAG) -> None:
    from bayesloom.model import graph_file

    for graph in (dag, bl.CPDAG.of(dag)):
        found, states, further = graph_file.read(graph_file.write(graph, None, {"a": 1}), "g.json")
        assert (found, states, further) == (graph, None, {"a": 1})
        assert type(found) is type(graph)


@pytest.mark.parametrize("what", ["A -> B <- C; D", CYCLE], ids=["dag", "cycle"])
def test_a_network_without_parameters_is_kept_whole(what: object, tmp_path: Path) -> None:
    net = bl.network(what)  # type: ignore[arg-type]
    assert bl.load(net.save(tmp_path / "net.json.gz")) == net


def test_what_a_search_without_extension_found_is_kept_with_its_story(tmp_path: Path) -> None:
    table = bl.sample(bl.example("asia"), 500, seed=2)
    learned = bl.learn(table, bl.PC())
    graph = PDAG.from_edges([("asia", "tub"), ("tub", "lung"), ("lung", "asia")], (), learned.names)
    bare = bl.Network(graph, None, engine=learned.engine, record=learned.record)
    again = bl.load(bare.save(tmp_path / "pc.json"))
    assert again == bare
    assert again.separations == learned.separations
    assert again.reading is not None
    assert dict(again.reading.states or {}) == learned.states


@pytest.mark.parametrize("ending", ["bif", "xml", "net", "uai"])
def test_other_formats_say_that_they_need_parameters(ending: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"only \.json files keep a graph alone"):
        bl.network("A -> B").save(tmp_path / f"net.{ending}")
    assert not list(tmp_path.iterdir())


def test_a_graph_without_extension_is_told_to_go_into_json(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no DAG extends .* save it as \.json") as caught:
        bl.network(CYCLE).save(tmp_path / "net.bif")
    assert "fit" not in str(caught.value)
    with pytest.raises(AbsentError, match="no DAG extends"):
        bl.load(bl.network(CYCLE).save(tmp_path / "net.json")).net  # noqa: B018 - it raises


def test_what_needs_parameters_says_so_of_the_file(tmp_path: Path) -> None:
    path = bl.network("A -> B").save(tmp_path / "net.json")
    with pytest.raises(FileFormatError, match=r"without parameters; bl\.load"):
        inference.query(path, "A")


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "tree"},
        {"kind": "markov_network"},
        {"variables": "AB"},
        {"directed": [["A", "B", "C"]]},
        {"directed": [["A", "Z"]]},
        {"directed": [["A", "B"], ["B", "A"]]},
        {"version": 2},
        {"states": {"A": ["n"]}},
    ],
    ids=str,
)
def test_damaged_graph_files_are_refused(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    bl.network("A -> B").save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(FileFormatError, match=r"net\.json"):
        bl.load(path)


def test_bare_graphs_are_compared_without_a_divergence(tmp_path: Path) -> None:
    asia = bl.example("asia")
    for true, learned in ((asia, asia.dag), (asia.dag, asia), (asia.dag, asia.cpdag)):
        found = bl.evaluate(true, learned)
        assert (found.shd, found.kld) == (0, None)
        assert "has no parameters" in found.bare
        assert "kld  none: the " in str(found)
    path = bl.network(asia.dag).save(tmp_path / "g.json")
    less = asia.without_edge("asia", "tub")
    found = bl.evaluate(path, less)
    assert (found.adjacency.recall, found.shd > 0) == (7 / 8, True)
    assert bl.evaluate(bl.network(CYCLE), CYCLE).shd == 0


def test_the_command_tells_null_and_why(tmp_path: Path) -> None:
    path = bl.network("A -> B").save(tmp_path / "g.json")
    done = CliRunner().invoke(program, ["evaluate", path, path, "--json"])
    told = json.loads(done.output)
    assert told["kld"] is None
    assert told["bare"].startswith("the true network has no parameters")


@pytest.mark.parametrize("ending", ["bif", "xml", "net", "uai", "bif.gz", "json"])
def test_every_format_keeps_how_data_are_read(ending: str, tmp_path: Path) -> None:
    rows = {"x": ["1", "2", "--9", "1"] * 20, "y": ["a", "b", "a", "a"] * 20}
    net = bl.learn(rows, missing="drop", missing_markers=["--9", "ä"])
    path = net.save(tmp_path / f"net.{ending}")
    again = bl.load(path)
    assert again.reading == net.reading
    assert model.log_likelihood(path, rows) == model.log_likelihood(net, rows)
    assert again.net == net.net


def test_a_network_read_as_usual_has_no_such_line(tmp_path: Path) -> None:
    path = bl.example("asia").save(tmp_path / "asia.bif")
    assert "reading" not in Path(path).read_text()


def test_a_damaged_line_about_reading_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.bif"
    bl.example("asia").save(path)
    path.write_text(path.read_text() + '// bayesloom reading {"missing": "perhaps"}\n')
    with pytest.raises(FileFormatError, match='"reading" is damaged'):
        bl.load(path)


def test_a_graph_without_extension_is_not_advised_to_be_fitted(tmp_path: Path) -> None:
    path = tmp_path / "cycle.json"
    bl.network(CYCLE).save(path)
    for net in (path, bl.load(path)):
        with pytest.raises((FileFormatError, AbsentError), match="search with a score") as caught:
            inference.query(net, "A")
        assert "fit(" not in str(caught.value)
    done = CliRunner().invoke(program, ["query", str(path), "A"])
    assert (done.exit_code, "--search ges" in done.stderr) == (1, True)
    done = CliRunner().invoke(program, ["convert", str(path), str(tmp_path / "again.json")])
    assert (done.exit_code, "3 variables, 3 edges, no parameters" in done.stdout) == (0, True)
    assert bl.load(tmp_path / "again.json") == bl.load(path)


def test_a_graph_whose_tables_are_too_large_is_kept_without_them(tmp_path: Path) -> None:
    names = [f"v{k}" for k in range(10)]
    rng = np.random.default_rng(1)
    table = bl.Table(names, [[str(k) for k in range(20)]] * 10, list(rng.integers(0, 20, (10, 99))))
    known = tmp_path / "known.json"
    known.write_text(json.dumps({"required": [[name, "v9"] for name in names[:9]]}))
    bl.write_csv(table, tmp_path / "rows.csv")
    asked = ["learn", str(tmp_path / "rows.csv"), "--search", "hc", "--knowledge", str(known)]
    done = CliRunner().invoke(program, [*asked, "-o", str(tmp_path / "net.json")])
    assert done.exit_code == 0
    assert "net.json, the graph without parameters: " in done.stdout
    found = bl.load(tmp_path / "net.json")
    assert len(found.dag.parents("v9")) == 9
    assert found.history.n_rows == 99
    assert found.edge_table()["v0", "v9"].loss is not None
    done = CliRunner().invoke(program, [*asked, "-o", str(tmp_path / "net.bif")])
    assert done.exit_code == 1
    assert done.stderr.rstrip().endswith("keep a graph without parameters (-o net.json)")
    assert not (tmp_path / "net.bif").exists()
