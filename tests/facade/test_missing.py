"""Learning from data with holes: the everyday call, its stories, its files, its refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.data import Table
from bayesloom.engine import BlockEngine, NativeEngine
from bayesloom.errors import DataError
from bayesloom.registry import SEARCHES
from bayesloom.search import IL, IXGES, XGES, Search
from every_search import made
from strategies import punched


def with_holes(name: str, n_rows: int, share: float = 0.1, seed: int = 3) -> Table:
    whole = bl.example(name).sample(n_rows, seed=seed)
    return punched(whole, [share] * whole.n_columns, seed + 1000)


@pytest.fixture(scope="module")
def asia() -> Table:
    return with_holes("asia", 1500)


@pytest.fixture(scope="module")
def net(asia: Table) -> bl.Network:
    return bl.learn(asia)


def test_without_a_search_the_default_runs_with_a_score_for_holes(
    net: bl.Network, asia: Table
) -> None:
    assert net.search == IXGES(score=bl.PNAL())
    assert net.score.name == "pnal"
    assert net.record is not None
    assert net.record.missing == asia.missing_cells()


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


def test_the_answer_depends_on_neither_order_nor_threads_nor_engine(asia: Table) -> None:
    net = bl.learn(asia, threads=1)
    rng = np.random.default_rng(5)
    shuffled = asia.take(rng.permutation(asia.n_rows)).select(rng.permutation(asia.names).tolist())
    sorted_ = asia.in_name_order()
    blocks = BlockEngine([sorted_.take(slice(0, 700)), sorted_.take(slice(700, None))])
    for again in (bl.learn(shuffled, threads=2), bl.learn(blocks)):
        assert sorted(again.edges) == sorted(net.edges)
        assert sorted(again.undirected) == sorted(net.undirected)
        assert again.score == net.score
        assert again.steps == net.steps


def with_pnal(name: str, variables: tuple[str, ...]) -> Search:
    from dataclasses import fields, replace

    search = made(name, variables)
    known = {field.name for field in fields(search)}  # type: ignore[arg-type]
    return replace(search, score=bl.PNAL()) if "score" in known and name != "dmn" else search  # type: ignore[type-var]


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_ends_on_holes_or_refuses_them_in_a_sentence(name: str, asia: Table) -> None:
    search = with_pnal(name, asia.names)
    if name == "dmn":
        with pytest.raises(DataError, match="adds up over rows"):
            bl.learn(asia, search)
        return
    found = bl.learn(asia, search, max_steps=2000)
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


@pytest.mark.parametrize("search", [bl.GES(), bl.HillClimbing(), bl.DMN(), bl.IGES(), bl.ChowLiu()])
def test_a_score_that_adds_up_over_rows_is_refused_before_the_search(
    search: Search, asia: Table
) -> None:
    with pytest.raises(DataError, match=r"use the score PNAL .* StructuralEM .* missing='drop'"):
        bl.learn(asia, search)


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
    assert story.evidence is not None
    known = [i for i in range(asia.n_rows) if all(asia[name][i] is not None for name in pair)]
    assert story.evidence.alone.rows == len(known)
    assert all(d.rows is not None and d.rows < asia.n_rows for d in net.dependencies)


def test_rows_of_complete_data_are_not_told() -> None:
    net = bl.learn(bl.example("asia").sample(500, seed=1))
    assert all(row.rows is None for row in net.edge_table())
    assert "rows" not in json.dumps(net.edge_table().to_dict())
    assert all(d.rows is None for d in net.dependencies)


def test_separations_of_a_search_that_only_tests_tell_their_rows(asia: Table) -> None:
    found = bl.learn(asia, bl.PC())
    assert found.separations
    counted = [s for s in found.separations if s.statistic is not None]
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


def test_the_screen_and_the_page_say_what_is_missing(net: bl.Network, tmp_path: Path) -> None:
    told = " ".join(str(net).split())
    assert "rows miss nothing" in told
    assert "every score and test stands on the rows that know its variables" in told
    page = Path(net.report(tmp_path / "net.html")).read_text()
    assert '"patterns"' in page
    assert '"missing"' in page


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
