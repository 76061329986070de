from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import FileFormatError, UnknownVariableError
from bayesloom.facade import Network, learn, load, network
from bayesloom.graphs import DAG, PDAG, ChordalGraph, is_chordal
from bayesloom.learning import EdgeStrength, Record
from bayesloom.scores import BIC, BDeu
from bayesloom.search import DMN, GES, IL, XGES, HillClimbing, Knowledge, Start, facts_of
from bayesloom.story import Criterion, EdgeTable, measure_edges
from every_search import NAMES, made


def measured(learned: Network) -> tuple[EdgeStrength, ...]:
    assert learned.search is not None
    assert learned.engine is not None
    facts = facts_of(learned.search)
    testing = facts.testing()
    by = Criterion() if testing is None else Criterion(testing.test, learned.history.level)
    score = facts.goal(learned.engine.n_rows)
    return measure_edges(learned.engine, score, learned.graph, learned.extension, criterion=by)


def table_of(learned: Network) -> EdgeTable:
    return EdgeTable.of(
        learned.graph, learned.extension, learned.record, strengths=measured(learned)
    )


def test_the_loss_is_how_much_the_score_falls_without_the_edge(asia: Table) -> None:
    learned = learn(asia, HillClimbing(score=BDeu(ess=3)))
    engine, score = learned.engine, BDeu(ess=3)
    assert engine is not None
    order = engine.names
    now = score.total(engine, learned.dag.reordered(order).parent_masks)
    strengths = measured(learned)
    assert {(edge.parent, edge.child) for edge in strengths} == set(learned.dag.edges)
    for edge in strengths:
        others = [pair for pair in learned.dag.edges if pair != (edge.parent, edge.child)]
        without = DAG.from_edges(others, nodes=learned.names).reordered(order)
        assert edge.loss == pytest.approx(now - score.total(engine, without.parent_masks))


@pytest.mark.parametrize("name", NAMES)
def test_every_search_gets_a_row_for_each_of_its_edges(asia: Table, name: str) -> None:
    learned = learn(asia, made(name, asia.names))
    table = table_of(learned)
    rows = {(row.source, row.mark, row.target) for row in table}
    assert rows == {(a, "->", b) for a, b in learned.edges} | {
        (a, "-", b) for a, b in learned.undirected
    }
    assert len(table) == len(learned.edges) + len(learned.undirected)


@pytest.mark.parametrize("name", ["hc", "ges", "iges", "dmn"])
def test_numbers_and_directions_are_those_of_the_story(asia: Table, name: str) -> None:
    learned = learn(asia, made(name, asia.names))
    for row in table_of(learned):
        story = learned.explain(row.source, row.target)
        assert story.evidence is not None
        test = story.evidence.given or story.evidence.alone
        assert (row.information, row.p, row.log_p, row.conclusive) == (
            test.mutual_information,
            test.p,
            test.log_p,
            test.conclusive,
        )
        told = "link" if story.direction is None else story.direction.value
        assert row.direction == told
        gain = story.evidence.changes[0].gain
        assert row.loss == (None if gain is None else pytest.approx(-gain))


def test_knowledge_settles_directions_and_is_a_reason() -> None:
    frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    required = table_of(learn(frame, GES(), knowledge=Knowledge(required=[("wet", "rain")])))
    row = required["rain", "wet"]
    assert (str(row), row.direction, row.reason) == ("wet -> rain", "knowledge", "knowledge")
    forbidden = table_of(learn(frame, GES(), knowledge=Knowledge(forbidden=[("wet", "rain")])))
    row = forbidden["rain", "wet"]
    assert (str(row), row.direction, row.reason) == ("rain -> wet", "knowledge", "score")


def test_the_reason_is_that_of_the_step_that_joined_the_two(asia: Table) -> None:
    learned = learn(asia, HillClimbing())
    for row in table_of(learned):
        assert row.step is not None
        step = learned.steps[row.step - 1]
        assert {step.x, step.y} == {row.source, row.target}
        assert (step.operator, step.reason.value) == ("insert", row.reason)


def test_edges_of_the_start_have_that_reason_and_no_step(asia: Table) -> None:
    learned = learn(asia, HillClimbing(start=Start.CHOW_LIU), max_parents=1)
    kept = [row for row in table_of(learned) if row.reason == "start"]
    assert kept
    assert all(row.step is None for row in kept)


def test_a_dependency_can_be_the_reason(asia: Table) -> None:
    # A price per parameter that lets the score alone join next to nothing.
    learned = learn(asia, IL(HillClimbing(score=BIC(penalty=60.0))))
    assert "dependency" in {row.reason for row in table_of(learned)}


def test_links_without_which_a_hole_would_be_left_have_no_loss(asia: Table) -> None:
    learned = learn(asia, DMN())
    assert isinstance(learned.graph, ChordalGraph)
    for row in table_of(learned):
        rest = [pair for pair in learned.graph.edges if set(pair) != {row.source, row.target}]
        adjacency = PDAG.from_edges([], rest, learned.names).neighbour_masks
        assert (row.loss is not None) == is_chordal(adjacency)


def test_the_strongest_edge_comes_first(asia: Table) -> None:
    losses = [row.loss for row in table_of(learn(asia, XGES())) if row.loss is not None]
    assert losses == sorted(losses, reverse=True)
    links = [row.information for row in table_of(learn(asia, DMN())) if row.information is not None]
    assert links == sorted(links, reverse=True)


def test_the_order_of_columns_and_rows_changes_nothing(asia: Table) -> None:
    first = table_of(learn(asia, GES()))
    turned = asia.select(reversed(asia.names)).take(slice(None, None, -1))
    assert table_of(learn(turned, GES())) == first


@pytest.mark.parametrize("name", ["ges", "iges", "dmn", "chow-liu"])
def test_a_file_gives_the_same_table_without_data(asia: Table, tmp_path: Path, name: str) -> None:
    learned = learn(asia, made(name, asia.names))
    learned.save(tmp_path / "net.json")
    loaded = load(tmp_path / "net.json")
    assert loaded.engine is None
    assert loaded.edge_table() == learned.edge_table() == table_of(learned)


def test_a_network_made_by_hand_is_measured_by_the_data_it_is_fitted_to(asia: Table) -> None:
    made_by_hand = network("smoke -> lung -> xray")
    assert made_by_hand.edge_table()["smoke", "lung"].loss is None
    fitted = made_by_hand.fit(asia)
    engine = NativeEngine(asia.in_name_order())
    by_bic = measure_edges(engine, BIC(), made_by_hand.dag)  # of some of the columns
    assert fitted.explain("smoke", "lung").evidence is not None
    assert [row.loss for row in fitted.edge_table()] == sorted(
        (edge.loss for edge in by_bic), key=lambda loss: -(loss or 0.0)
    )
    assert fitted.edge_table().score == "bic"
    assert fitted.edge_table(score=BDeu()).score == "bdeu"
    alone = network(fitted.net).edge_table(data=asia)
    assert alone == fitted.edge_table()


def test_files_of_before_keep_the_loss_alone(asia: Table, tmp_path: Path) -> None:
    learned = learn(asia, GES())
    learned.save(tmp_path / "net.json")
    content = json.loads((tmp_path / "net.json").read_text())["learned"]
    content["strengths"] = [edge[:3] for edge in content["strengths"]]
    del content["control"]
    record = Record.from_dict(content, "net.json")
    table = EdgeTable.of(learned.graph, learned.dag, record)
    assert [row.loss for row in table] == [row.loss for row in table_of(learned)]
    assert {row.p for row in table} == {None}
    assert "info" not in str(table)


@pytest.mark.parametrize(
    ("edge", "said"),
    [
        (["snow", "lung", 1.0, None, None, None], "belongs to another network: it tells of 'snow'"),
        (["smoke", "lung", "much"], "is damaged"),
        (["smoke", "lung", 1.0, 0.1, -3.0, "yes"], "is damaged"),
        (["smoke"], "is damaged"),
    ],
)
def test_damaged_strengths_in_a_file_are_told(
    asia: Table, tmp_path: Path, edge: list[object], said: str
) -> None:
    path = tmp_path / "net.json"
    learn(asia, GES()).save(path)
    content = json.loads(path.read_text())
    content["learned"]["strengths"] = [edge]
    path.write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match=said):
        load(path)


def test_strengths_of_what_is_no_edge_change_no_picture(asia: Table, tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    learned = learn(asia, GES())
    learned.save(path)
    content = json.loads(path.read_text())
    content["learned"]["strengths"].append(["asia", "xray", 1e9, None, None, None])
    path.write_text(json.dumps(content))
    assert str(load(path).plot()) == str(learned.plot())


def test_everything_is_asked_in_one_batch_each(
    asia: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned = learn(asia, GES())
    asked = []
    whole = NativeEngine.families

    def families(engine: NativeEngine, *args: object, **options: object) -> object:
        asked.append(args)
        return whole(engine, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(NativeEngine, "families", families)
    measured(learned)
    assert len(asked) == 1


def test_a_graph_made_by_hand_has_directions_only() -> None:
    table = EdgeTable.of(DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D"), ("E", "F")]))
    assert [(str(row), row.direction) for row in table] == [
        ("A -> C", "compelled"),
        ("B -> C", "compelled"),
        ("C -> D", "compelled"),
        ("E -> F", "free"),
    ]
    assert table["F", "E"].loss is None
    with pytest.raises(
        UnknownVariableError, match=r"\('A', 'B'\)' among the edges|among the edges"
    ):
        table["A", "B"]
    assert str(EdgeTable.of(DAG.empty(["A"]))).splitlines()[0] == "no edges"


def test_frames_and_plain_data_hold_the_same(asia: Table) -> None:
    table = table_of(learn(asia, GES()))
    frame = table.to_pandas()
    assert list(frame.columns) == [
        "from",
        "to",
        "direction",
        "loss",
        "information",
        "p",
        "conclusive",
        "reason",
        "step",
        "strength",
    ]
    plain = json.loads(json.dumps(table.to_dict()))
    assert plain["score"] == "bic"
    assert [edge["loss"] for edge in plain["edges"]] == frame["loss"].tolist()
    assert [edge["from"] for edge in plain["edges"]] == table.to_polars()["from"].to_list()
    assert len(EdgeTable.of(DAG.empty(["A"])).to_arrow()) == 0


def test_a_p_value_below_floats_is_still_told() -> None:
    edge = EdgeStrength("A", "B", 1.0, 0.1, -2302.585, conclusive=False)
    table = EdgeTable.of(DAG.from_edges([("A", "B")]), strengths=[edge], score="bic")
    assert table["A", "B"].p == 0.0
    assert "(1.0e-1000)" in str(table)
    assert math.isfinite(edge.log_p or math.inf)


def test_html_escapes_names() -> None:
    table = EdgeTable.of(DAG.from_edges([("<b>", "a&b")]))
    assert "<b>" not in table._repr_html_().replace("<p><b>", "")
    assert "&lt;b&gt; -&gt; a&amp;b" in table._repr_html_()
