"""Whatever learn, load, fit, network and example give has one face, and every function takes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bayesloom as bl
from bayesloom import evaluation, facade, inference, model
from bayesloom.errors import AbsentError, BayesloomError, FileFormatError
from every_search import NAMES, made

ROWS = {
    "rain": ["no", "no", "yes", "yes"] * 25,
    "wet": ["no", "no", "yes", "no"] * 25,
    "slip": ["no", "no", "yes", "no"] * 24 + ["no", "yes", "no", "no"],
}


def networks(folder: Path) -> dict[str, bl.Network]:
    learned = bl.learn(ROWS, bl.HillClimbing())
    return {
        "learned": learned,
        "class": bl.learn(ROWS, bl.GES()),
        "markov": bl.learn(ROWS, bl.DMN()),
        "json": bl.load(learned.save(folder / "net.json")),
        "bif": bl.load(learned.save(folder / "net.bif.gz")),
        "fitted": bl.fit("rain -> wet -> slip", ROWS),
        "tables": bl.network(learned.net),
        "markov file": bl.load(bl.learn(ROWS, bl.DMN()).save(folder / "markov.json")),
    }


KINDS = [
    "learned", "class", "markov", "json", "bif", "fitted", "tables", "markov file",
]  # fmt: skip

FACE: dict[str, Callable[[bl.Network], object]] = {
    "plot": lambda net: net.plot(),
    "query": lambda net: net.query("wet", given={"rain": "yes"}),
    "joint": lambda net: net.query(["wet", "rain"]),
    "explain": lambda net: net.explain("rain", "wet"),
    "explain with data": lambda net: net.explain("rain", "slip", data=ROWS),
    "sample": lambda net: net.sample(5),
    "fit": lambda net: net.fit(ROWS, bl.Laplace()),
    "evaluate": lambda net: net.evaluate(net),
    "log_likelihood": lambda net: net.log_likelihood(ROWS),
    "log_loss": lambda net: net.log_loss(ROWS),
    "markov_blanket": lambda net: net.markov_blanket("wet"),
    "d_separated": lambda net: net.d_separated("rain", "slip", given="wet"),
    "parents": lambda net: net.parents("wet"),
    "to_dict": lambda net: net.to_dict(),
    "repr": repr,
    "html": lambda net: net._repr_html_(),
    "edges": lambda net: (net.edges, net.undirected, net.cpdag, net.skeleton),
    "states": lambda net: net.states,
}


@pytest.mark.parametrize("call", FACE)
@pytest.mark.parametrize("kind", KINDS)
def test_every_network_has_the_whole_face(kind: str, call: str, tmp_path: Path) -> None:
    assert FACE[call](networks(tmp_path)[kind]) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_every_function_takes_every_network_and_its_file(kind: str, tmp_path: Path) -> None:
    net = networks(tmp_path)[kind]
    file = net.save(tmp_path / "again.bif")
    for given in (net, net.net, file, Path(file)):
        assert inference.query(given, "wet")["yes"] == pytest.approx(
            net.query("wet")["yes"], abs=1e-12
        )
        assert bl.sample(given, 5, 1).codes[0].tolist() == net.sample(5, 1).codes[0].tolist()
        assert bl.evaluate(given, net).shd == 0
        assert bl.kl_divergence(net, given) == pytest.approx(0, abs=1e-12)
        assert model.log_likelihood(given, ROWS) == pytest.approx(net.log_likelihood(ROWS))
        assert facade.plot(given).title
        assert bl.compile_net(given).posterior("wet")["yes"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_network_is_what_its_json_file_gives_back(name: str, tmp_path: Path) -> None:
    table = bl.Table.from_frame(ROWS)
    net = bl.learn(table, made(name, table.names))
    again = bl.load(net.save(tmp_path / "net.json"))
    assert again == net
    assert hash(again) == hash(net)
    assert repr(again).splitlines()[0] == repr(net).splitlines()[0]
    told, anew = net.to_dict(), again.to_dict()
    assert {**told, "seconds": None} == anew
    assert again.explain("rain", "wet", data=ROWS).to_dict() == net.explain("rain", "wet").to_dict()


def test_networks_that_differ_are_not_equal() -> None:
    net = bl.fit("rain -> wet; slip", ROWS)
    assert net != bl.fit("wet -> rain; slip", ROWS)
    assert net != bl.fit("rain -> wet; slip", ROWS, bl.Laplace())
    assert net != bl.network("rain -> wet; slip")
    assert net != "rain -> wet; slip"
    assert net == bl.fit("slip; rain -> wet", ROWS)  # the order of variables does not count


def test_how_data_were_read_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("rain,wet\n" + "no,no\nyes,yes\n?,no\n" * 20)
    net = bl.learn(path, missing="drop", missing_markers=["?"])
    again = bl.load(net.save(tmp_path / "net.json"))
    assert again.log_likelihood(path) == pytest.approx(net.log_likelihood(path))
    assert again.explain("rain", "wet", data=path).evidence is not None
    kept = bl.load(net.save(tmp_path / "net.bif"))  # in a comment
    assert kept.log_likelihood(path) == pytest.approx(net.log_likelihood(path))


def test_what_a_network_lacks_it_says() -> None:
    bare = bl.network("rain -> wet")
    for ask in (lambda: bare.net, lambda: bare.query("wet")):
        with pytest.raises(AbsentError, match=r"no parameters yet; net.fit\(data\)"):
            ask()
    with pytest.raises(AbsentError, match="knows nothing of a search"):
        _ = bare.steps
    assert not hasattr(bare, "junction_forest")
    assert not hasattr(bare, "score")
    assert bare.plot().title == "Network with 2 nodes and 1 edge"
    assert repr(bare).startswith("Network: DAG with 2 nodes and 1 edge, no parameters yet")


def test_networks_are_made_of_whatever_tells_one() -> None:
    import networkx as nx

    wanted = bl.DAG.from_edges([("A", "B"), ("C", "B")])
    ways: list[Any] = [
        "A -> B <- C",
        [("A", "B"), ("C", "B")],
        wanted,
        nx.DiGraph([("A", "B"), ("C", "B")]),
        bl.CPDAG.of(wanted),
        bl.network(wanted),
    ]
    for way in ways:
        assert bl.network(way).dag == wanted
    assert bl.network(bl.ChordalGraph.from_edges([("A", "B")])).undirected == (("A", "B"),)


def test_a_class_without_a_member_is_a_network_without_a_dag() -> None:
    circle = bl.PDAG.from_edges([], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])
    net = bl.network(circle)
    assert net.undirected == (("A", "B"), ("A", "D"), ("B", "C"), ("C", "D"))
    with pytest.raises(AbsentError, match="no DAG extends"):
        _ = net.dag


def test_the_record_of_another_network_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    bl.learn(ROWS).save(path)
    path.write_text(path.read_text().replace('"x": "rain"', '"x": "snow"'))
    with pytest.raises(FileFormatError, match="belongs to another network: it tells of 'snow'"):
        bl.load(path)


def test_a_story_says_when_the_data_are_others_than_the_search_had(tmp_path: Path) -> None:
    net = bl.load(bl.learn(ROWS).save(tmp_path / "net.json"))
    fewer = {name: column[:80] for name, column in ROWS.items()}
    assert "80 rows now, 100 then" in str(net.explain("rain", "wet", data=fewer))
    assert "rows now" not in str(net.explain("rain", "wet", data=ROWS))


@pytest.mark.parametrize("kind", [bl.DAG, bl.CPDAG, bl.PDAG, bl.ChordalGraph])
def test_graphs_with_their_nodes_in_another_order_are_equal(kind: Any) -> None:  # noqa: ANN401
    graph: Any
    if kind is bl.ChordalGraph:
        graph = kind.from_edges([("A", "B"), ("B", "C")], ["A", "B", "C"])
    else:
        dag = bl.DAG.from_edges([("A", "B"), ("C", "B")])
        graph = dag if kind is bl.DAG else kind.pattern_of(dag) if kind is bl.PDAG else kind.of(dag)
    turned = graph.reordered(["C", "B", "A"])
    assert graph == turned
    assert hash(graph) == hash(turned)
    assert graph != graph.empty(["A", "B", "C"])
    assert graph != graph.empty(["A", "B", "D"])


def test_dags_of_the_same_edges_are_equal_whatever_the_order() -> None:
    dag = bl.DAG.from_edges([("rain", "wet"), ("sprinkler", "wet")])
    assert dag == bl.DAG.from_edges(sorted(dag.edges, reverse=True))


NUMBERS = {
    "id": [f"row {k}" for k in range(200)],
    "age": [18 + k * 7 % 60 + 0.5 * (k % 3) for k in range(200)],
    "old": ["?" if k % 50 == 0 else "yes" if k * 7 % 60 > 30 else "no" for k in range(200)],
}


def learned_from_numbers() -> bl.Network:
    return bl.learn(NUMBERS, discretize="auto", drop=["id"], missing="state", missing_markers=["?"])


def test_a_learned_network_is_fitted_again_to_raw_rows_before_its_parameters_were_asked_for() -> (
    None
):
    net = learned_from_numbers()
    assert net.parameters is None
    assert net.fit(NUMBERS) == net


def test_a_network_with_an_edited_edge_still_reads_raw_rows() -> None:
    net = learned_from_numbers()
    (parent, child), *_ = net.dag.edges
    fitted = net.without_edge(parent, child).with_edge(child, parent).fit(NUMBERS)
    assert fitted == net.reversed(parent, child).fit(NUMBERS)
    assert fitted.log_likelihood(NUMBERS) == pytest.approx(net.log_likelihood(NUMBERS))


def test_a_network_after_an_intervention_still_reads_raw_rows() -> None:
    rows = {name: NUMBERS[name] for name in ("id", "old")}
    after = learned_from_numbers().do({"age": 39})
    assert after.predict(rows, "age").tolist() == 200 * after.predict(rows, "age").tolist()[:1]
    assert after.reading == learned_from_numbers().reading


def test_the_default_of_fit_is_what_its_page_says() -> None:
    assert f"``BDeuMean(ess={bl.BDeuMean().ess:g})``" in str(bl.fit.__doc__)
    assert bl.fit("rain -> wet", ROWS).estimator == bl.BDeuMean()


def test_an_intervention_by_the_function_is_that_by_the_method(tmp_path: Path) -> None:
    net = learned_from_numbers()
    after = net.do({"age": 39})
    assert facade.do(net, {"age": 39}) == after
    assert facade.do(net.save(tmp_path / "net.json"), {"age": 39}) == after
    assert facade.do(net.net, {"age": 39}).query("old")["yes"] == after.query("old")["yes"]


def test_the_name_of_a_file_stands_for_the_network_also_in_how_rows_are_read(
    tmp_path: Path,
) -> None:
    net = bl.learn(NUMBERS, discretize="auto", drop=["id"], missing="drop", missing_markers=["?"])
    path = net.save(tmp_path / "net.json.gz")
    assert model.log_likelihood(path, NUMBERS) == net.log_likelihood(NUMBERS)
    assert evaluation.log_loss(path, NUMBERS) == net.log_loss(NUMBERS)
    rows = {"old": NUMBERS["old"]}
    assert inference.predict(path, rows, "age").tolist() == net.predict(rows, "age").tolist()
    plain = tmp_path / "net.bif"
    facade.save(net.net, plain)  # which does not remember
    with pytest.raises(BayesloomError, match=r"the value '\?' is not among"):
        model.log_likelihood(plain, NUMBERS)


def test_an_effect_by_the_function_is_that_by_the_method(tmp_path: Path) -> None:
    rows = bl.example("asia").sample(2000)
    known = bl.Knowledge(required=[("smoke", "bronc")])
    net = bl.learn(rows, knowledge=known)
    effect = str(net.causal_effect("smoke", "bronc"))
    assert str(facade.causal_effect(net, "smoke", "bronc")) == effect
    path = net.save(tmp_path / "net.json")
    assert str(facade.causal_effect(path, "smoke", "bronc")) == effect
    markov = bl.learn(rows, bl.DMN()).save(tmp_path / "markov.json")
    with pytest.raises(BayesloomError, match="links of a Markov network have no direction"):
        facade.causal_effect(markov, "lung", "dysp")


def test_the_directions_that_are_known_may_be_a_network() -> None:
    asia = bl.example("asia")
    effect = asia.causal_effect("smoke", "dysp", graph=asia)
    assert str(effect) == str(asia.causal_effect("smoke", "dysp", graph=asia.dag))
