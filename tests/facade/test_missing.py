"""Learning from data with holes: the everyday call, its stories, its files, its refusals."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.data import Table
from bayesloom.engine import BlockEngine, NativeEngine
from bayesloom.errors import CapacityError, DataError
from bayesloom.learning import DEFAULT_SEARCH
from bayesloom.registry import SEARCHES
from bayesloom.search import IL, IXGES, XGES, Search, Separation, facts_of
from every_search import made
from strategies import punched


def blocks_of(table: Table) -> BlockEngine:
    """Return an engine that does not hand out its rows."""
    rows = table.in_name_order()
    return BlockEngine([rows.take(slice(0, 700)), rows.take(slice(700, None))])


def with_holes(name: str, n_rows: int, share: float = 0.1, seed: int = 3) -> Table:
    whole = bl.example(name).sample(n_rows, seed=seed)
    return punched(whole, [share] * whole.n_columns, seed + 1000)


@pytest.fixture(scope="module")
def asia() -> Table:
    return with_holes("asia", 1500)


@pytest.fixture(scope="module")
def net(asia: Table) -> bl.Network:
    return bl.learn(asia)


def test_without_a_search_the_default_runs_on_completed_rows(net: bl.Network, asia: Table) -> None:
    assert net.search == bl.StructuralEM(DEFAULT_SEARCH)
    assert net.score.name == "bdm"
    assert net.record is not None
    assert net.record.missing == asia.missing_cells()


def test_where_rows_are_not_handed_out_the_default_counts_around_holes(asia: Table) -> None:
    found = bl.learn(blocks_of(asia))
    assert found.search == IXGES(score=bl.PNAL())
    assert found.score.name == "pnal"
    named = bl.learn(asia, IXGES())
    assert (found.edges, found.score) == (named.edges, named.score)


def test_on_complete_data_keeping_holes_changes_nothing() -> None:
    frame = bl.example("asia").sample(500, seed=1).to_pandas()
    plain, kept = bl.learn(frame), bl.learn(frame, missing="keep")
    assert kept.search == plain.search
    assert kept.edges == plain.edges
    assert kept.score == plain.score
    assert kept.record == plain.record


def test_holes_in_a_tenth_of_the_cells_leave_the_strong_edges() -> None:
    true, table = bl.example("child"), with_holes("child", 3000)
    found = bl.learn(table)
    edges = {frozenset(pair) for pair in (*found.edges, *found.undirected)}
    right = {frozenset(pair) for pair in true.edges}
    assert len(edges & right) >= 20
    assert len(edges - right) <= 8


@pytest.mark.parametrize("search", [None, IXGES()])
def test_the_answer_depends_on_neither_order_nor_threads_nor_engine(
    search: Search | None, asia: Table
) -> None:
    net = bl.learn(asia, search, threads=1)
    rng = np.random.default_rng(5)
    shuffled = asia.take(rng.permutation(asia.n_rows)).select(rng.permutation(asia.names).tolist())
    others: list[object] = [shuffled] if search is None else [shuffled, blocks_of(asia)]
    for data in others:
        again = bl.learn(data, search)
        assert sorted(again.edges) == sorted(net.edges)
        assert sorted(again.undirected) == sorted(net.undirected)
        assert again.score == net.score
        assert again.steps == net.steps


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_whose_score_is_not_named_copes_with_holes(name: str, asia: Table) -> None:
    search = made(name, asia.names)
    if name == "dmn":
        with pytest.raises(DataError, match=r"StructuralEM\(DMN\(\)\)") as error:
            bl.learn(asia, search)
        assert "\n" not in str(error.value)
        search = bl.StructuralEM(search)
    found = bl.learn(asia, search, max_steps=2000)
    if name not in ("dmn", "structural-em") and found.search is not None:
        goal = facts_of(found.search).goal(asia.n_rows)
        assert goal is None or goal == bl.PNAL()
    assert found.stop.name not in ("STEP_LIMIT", "TIME_LIMIT")
    assert len(found.edges) + len(found.undirected) >= 4


@pytest.mark.parametrize("chained", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_searches_that_go_back_and_forth_come_to_an_end(seed: int, chained: bool) -> None:  # noqa: FBT001
    table, score = with_holes("child", 300, 0.3, seed), bl.PNAL(chained=chained)
    for search in (bl.GES(score=score, turning=True), XGES(score=score), IL(XGES(score=score))):
        found = bl.learn(table, search, max_steps=2000)
        assert found.stop.name == "LOCAL_OPTIMUM"
        assert len(found.steps) < 1000


@pytest.mark.parametrize(
    "search",
    [
        bl.GES(score=bl.BIC()),
        bl.HillClimbing(score=bl.AIC()),
        bl.IGES(score=bl.BDeu()),
        bl.ChowLiu(score=bl.BIC()),
        IL(XGES(score=bl.BIC())),
        bl.Exact(score=bl.BIC()),
    ],
)
def test_a_score_that_adds_up_over_rows_is_refused_before_the_search(
    search: Search, asia: Table
) -> None:
    with pytest.raises(DataError, match=r"use the score PNAL .* StructuralEM .* missing='drop'"):
        bl.learn(asia, search)


def test_a_network_on_the_way_that_takes_no_holes_is_refused_with_what_to_do(asia: Table) -> None:
    with pytest.raises(DataError, match=r"StructuralEM\(ThroughDMN\(\)\)"):
        bl.learn(asia, bl.ThroughDMN())
    assert len(bl.learn(asia, bl.StructuralEM(bl.ThroughDMN())).edges) >= 4


def test_comparing_and_sampling_take_the_score_for_holes_by_themselves(asia: Table) -> None:
    usual: list[Search] = [bl.GES(), None, bl.GES(score=bl.BIC())]  # type: ignore[list-item]
    found = bl.compare(asia, usual, folds=2)
    rows = {row.search: row for row in found}
    assert rows["GES(score=PNAL())"].log_loss is not None
    assert rows["StructuralEM()"].log_loss is not None
    assert "use the score PNAL" in rows["GES()"].failure
    sampled = bl.posterior(asia, moves=500)
    assert sampled.score == bl.PNAL()
    with pytest.raises(DataError, match="use the score PNAL"):
        bl.posterior(asia, bl.BDeu(), moves=500)
    proven = bl.certify(bl.example("asia").dag, asia, max_parents=2)
    assert proven.name == "pnal"
    with pytest.raises(DataError, match="use the score PNAL"):
        bl.certify(bl.example("asia").dag, asia, bl.BIC(), max_parents=2)
    empty = punched(asia, [1.0 * (name == "tub") for name in asia.names], 1)
    for ask in (bl.posterior, bl.bootstrap):
        with pytest.raises(DataError, match="column 'tub' has no cell that is known"):
            ask(empty)


def test_a_graph_too_dense_for_em_is_fitted_from_what_is_known() -> None:
    causes = [f"x{i}" for i in range(27)]  # all pairs of which have a child in common
    pairs = list(combinations(causes, 2))
    edges = [(cause, f"{a}{b}") for a, b in pairs for cause in (a, b)]
    dag = bl.DAG.from_edges(edges)
    codes = [[0, 1, 2] if name in causes else [0, 1, 1] for name in dag.names]
    table = Table(dag.names, [["n", "y"]] * len(codes), codes, holes=True)
    with pytest.raises(CapacityError, match="cells"):
        bl.fit(dag, table, method="em")
    net = bl.fit(dag, table)
    assert net.em_run is None
    assert net == bl.fit(dag, table, method="available")


def test_a_column_without_a_known_cell_is_named_with_the_choice_to_drop_it(asia: Table) -> None:
    empty = punched(asia, [1.0 * (name == "tub") for name in asia.names], 1)
    with pytest.raises(DataError) as error:
        bl.learn(empty)
    assert str(error.value) == (
        "column 'tub' has no cell that is known, so no structure can be learned with it; drop it "
        "with drop=['tub'] (--drop)"
    )
    assert "tub" not in bl.learn(empty, drop=["tub"]).names


def test_two_columns_that_no_row_knows_together_are_not_joined_and_told_so() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, 400)
    half = np.arange(400) < 200
    table = Table(
        "ABC",
        [["n", "y"]] * 3,
        [np.where(half, a, 2), np.where(half, 2, a), rng.integers(0, 2, 400)],
        holes=True,
    )
    found = bl.learn(table)
    assert not found.edges
    assert "no row knows all of these variables" in str(found.explain("A", "B"))
    verdict = bl.test(table, "A", "B")
    assert not verdict.conclusive
    assert verdict.n_rows == 0


def test_stories_and_edges_tell_their_rows(net: bl.Network, asia: Table) -> None:
    table = net.edge_table()
    row = table.rows[0]
    pair = {row.source, row.target}
    assert row.rows is not None
    assert 0 < row.rows < asia.n_rows
    assert "rows" in str(table)
    story = net.explain(row.source, row.target)
    assert "that know all of them" in str(story)
    counted = bl.learn(asia, bl.IGES())
    assert story.evidence is not None
    known = [i for i in range(asia.n_rows) if all(asia[name][i] is not None for name in pair)]
    assert story.evidence.alone.rows == len(known)
    assert all(d.rows is not None and d.rows < asia.n_rows for d in counted.dependencies)


def test_rows_of_complete_data_are_not_told() -> None:
    net = bl.learn(bl.example("asia").sample(500, seed=1))
    assert all(row.rows is None for row in net.edge_table())
    assert "rows" not in json.dumps(net.edge_table().to_dict())
    assert all(d.rows is None for d in net.dependencies)


def test_separations_of_a_search_that_only_tests_tell_their_rows(asia: Table) -> None:
    found = bl.learn(asia, bl.PC())
    assert found.separations
    tests = [s for s in found.separations if isinstance(s, Separation)]
    assert len(tests) == len(found.separations)
    counted = [s for s in tests if s.statistic is not None]
    assert all(s.rows is not None and s.rows < asia.n_rows for s in counted)


def test_a_file_keeps_what_was_missing_and_how_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "asia.csv"
    bl.write_csv(with_holes("asia", 800), path)
    net = bl.learn(path, missing="keep")
    again = bl.load(net.save(tmp_path / "net.json"))
    assert again == net
    assert again.record is not None
    assert again.record.missing is not None
    assert again.record.missing.n_rows == 800
    assert again.reading is not None
    assert again.reading.missing == "keep"
    assert [row.rows for row in again.edge_table()] == [row.rows for row in net.edge_table()]
    assert str(again.explain(*net.edge_table().rows[0].__str__().split()[::2], data=path))


def test_the_screen_and_the_page_say_what_is_missing(
    net: bl.Network, asia: Table, tmp_path: Path
) -> None:
    told = " ".join(str(net).split())
    assert "rows miss nothing" in told
    assert "completed by the network: the search and its score stand on completed rows" in told
    counted = " ".join(str(bl.learn(asia, bl.GES())).split())
    assert "every score and test stands on the rows that know its variables" in counted
    page = Path(net.report(tmp_path / "net.html")).read_text()
    assert '"patterns"' in page
    assert '"missing"' in page
    assert "by EM over" in page
    assert all(row.rows is None or 0 < row.rows <= asia.n_rows for row in net.edge_table())


def test_parameters_come_from_the_rows_that_know_each_family() -> None:
    table = Table("AB", ["ny", "xz"], [[0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 1, 1]], holes=True)
    net = bl.fit("A -> B", table, bl.MaximumLikelihood(), method="available")
    assert net.query("A")["y"] == pytest.approx(0.5)
    assert net.query("B", given={"A": "y"})["z"] == pytest.approx(1.0)


def test_an_engine_with_holes_is_learned_from_as_its_table_is(asia: Table) -> None:
    engine = NativeEngine(asia.in_name_order())
    found = bl.learn(engine)
    assert found.record is not None
    assert found.record.missing is not None
    assert sorted(found.edges) == sorted(bl.learn(asia).edges)


def test_an_engine_without_rows_says_that_it_counts_around_holes() -> None:
    rows = bl.Table.from_frame(
        {"A": ["n", "y", None] * 9, "B": ["n", "y", "y"] * 9}, missing="keep"
    )
    there, away = bl.learn(rows), bl.learn(bl.BlockEngine([rows]))
    assert not any("counted around" in note for note in there.history.notes)
    assert any("counted around" in note for note in away.history.notes)


def test_score_changes_and_tests_of_completed_rows_are_called_so(
    net: bl.Network, asia: Table, tmp_path: Path
) -> None:
    said = "of completed rows"
    loaded = bl.load(net.save(tmp_path / "net.json"))
    for each in (net, loaded):
        x, y = (*each.edges, *each.undirected)[0]
        story = each.explain(x, y, data=asia)
        assert story.completed
        assert "cells that were filled in count as if they had been observed" in str(story)
        assert "would change the score (bdm, of completed rows) by" in str(story)
        table = each.edge_table()
        assert table.completed
        assert f"how much bdm {said} falls" in str(table)
        assert table.to_dict()["completed"] is True
        assert str(each).count(said) >= 2  # its score and its tests
        page = Path(each.report(tmp_path / "net.html", data=asia)).read_text()
        assert '"measured_completed":true' in page
        assert '"completed":"Score changes and p-values of the search are of completed' in page
    around = bl.learn(asia, IXGES())
    whole = bl.learn(bl.example("asia").sample(500, seed=1))
    for each in (around, whole):
        x, y = (*each.edges, *each.undirected)[0]
        for text in (str(each), str(each.explain(x, y)), str(each.edge_table())):
            assert said not in text


def test_what_edges_are_worth_does_not_depend_on_the_order_of_columns(
    net: bl.Network, asia: Table
) -> None:
    expected = net.edge_table()
    turned = asia.select([*asia.names[3:], *asia.names[:3]])
    for rows in (turned, NativeEngine(turned)):
        found = net.edge_table(data=rows)
        assert [row.loss for row in found] == pytest.approx([row.loss for row in expected])
        x, y = (*net.edges, *net.undirected)[0]
        now, then = (net.explain(x, y, data=data).evidence for data in (rows, None))
        assert now is not None
        assert then is not None
        gains = [[change.gain for change in each.changes] for each in (now, then)]
        assert gains[0] == pytest.approx(gains[1], abs=1e-9)
