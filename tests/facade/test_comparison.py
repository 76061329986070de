"""Searches side by side: the same folds, losses as by hand, and failures that stay their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom import evaluation
from bayesloom.averaging.fold import row_folds
from bayesloom.data.reading import MissingPolicy
from bayesloom.errors import CapacityError, DataError, OptionError, UnknownVariableError
from bayesloom.search import Stop
from strategies import punched


@pytest.fixture(scope="module")
def table() -> bl.Table:
    return bl.example("asia").sample(500, seed=3)


def seen(found: bl.Comparison) -> dict[str, Any]:
    told = found.to_dict()
    del told["seconds"]
    for row in told["searches"]:  # type: ignore[attr-defined]
        del row["seconds"]
    return told


def test_losses_are_those_of_networks_learned_without_each_fold(table: bl.Table) -> None:
    found = bl.compare(table, [bl.GES(), bl.ChowLiu()], folds=3, seed=2)
    ordered = table.in_name_order()
    place = row_folds(ordered, 3, 2)
    for row, search in zip(found, [bl.GES(), bl.ChowLiu()], strict=True):
        total = 0.0
        for k in range(3):
            net = bl.learn(ordered.take(place != k), search)
            held_out = ordered.take(place == k)
            loss = evaluation.log_loss(net, held_out)
            assert row.losses[k] == pytest.approx(loss, rel=1e-12)
            total += loss * held_out.n_rows
        assert row.log_loss == pytest.approx(total / 500)
        whole = bl.learn(table, search)
        assert row.score == pytest.approx(whole.score)
        assert row.edges == len(whole.edges) + len(whole.undirected)


def test_the_result_does_not_depend_on_workers_rows_or_columns(table: bl.Table) -> None:
    searches = [bl.GES(), bl.PC()]
    wanted = seen(bl.compare(table, searches, folds=3, threads=1))
    assert seen(bl.compare(table, searches, folds=3, threads=4)) == wanted
    rows = np.random.default_rng(1).permutation(table.n_rows)
    assert seen(bl.compare(table.take(rows), searches, folds=3)) == wanted
    assert seen(bl.compare(table.select(table.names[::-1]), searches, folds=3)) == wanted


def test_a_search_that_fails_loses_nobody_else(table: bl.Table) -> None:
    class Broken:
        def search(self, *_: object) -> None:
            message = "it broke"
            raise ValueError(message)

    searches: Any = {"mine": Broken(), "ges": bl.GES()}
    found = bl.compare(table, searches, folds=2)
    mine, ges = found
    assert (mine.log_loss, mine.graph) == (None, None)
    assert mine.failure == "ValueError: it broke"
    assert "mine failed: ValueError: it broke" in str(found)
    assert ges.log_loss is not None
    assert found.best is ges


def test_several_estimators_have_a_row_each(table: bl.Table) -> None:
    estimators: list[Any] = [bl.BDeuMean(), bl.MaximumLikelihood()]
    found = bl.compare(table, [bl.GES()], estimators=estimators, folds=2)
    assert [row.estimator for row in found] == [str(each) for each in estimators]
    assert len({row.edges for row in found}) == 1


def test_agreement_and_shared_edges_are_those_of_the_networks(table: bl.Table) -> None:
    found = bl.compare(table, {"a": bl.GES(), "b": bl.HillClimbing(), "c": bl.ChowLiu()}, folds=2)
    nets = [bl.learn(table, s) for s in (bl.GES(), bl.HillClimbing(), bl.ChowLiu())]
    pairs = [{frozenset(e) for e in (*net.edges, *net.undirected)} for net in nets]
    assert found.agreement.share("a", "c") == len(pairs[0] & pairs[2]) / len(pairs[0] | pairs[2])
    assert found.agreement.share("b", "b") == 1
    for x, y, marks in found.edges:
        assert [bool(mark) for mark in marks] == [frozenset((x, y)) in each for each in pairs]
    with pytest.raises(UnknownVariableError, match="among the searches"):
        found.agreement.share("a", "z")


def test_the_text_names_the_pairs_that_searches_dispute(table: bl.Table) -> None:
    found = bl.compare(table, {"a": bl.GES(), "c": bl.ChowLiu()}, folds=2)
    disputed = [row for row in found.edges if not all(row[2])]
    assert disputed
    text = str(found)
    assert "Pairs: how many of 2 networks join them" in text
    assert all(f"  {x} {y} " in text for x, y, _ in disputed[:20])
    agreed = len(tuple(found.edges)) - len(disputed)
    assert f"besides, {agreed} pairs joined by all" in text
    same = str(bl.compare(table, {"a": bl.GES(), "b": bl.GES()}, folds=2))
    assert "Pairs" not in same
    assert "behind" in same


def test_the_page_escapes_names_and_loads_nothing(tmp_path: Path) -> None:
    frame = {"<b>": ["n", "y"] * 20, "wet": ["n", "y"] * 20}
    text = bl.compare(frame, [bl.GES()], folds=2).to_html(tmp_path / "c.html")
    assert "&lt;b&gt;" in text
    assert "<b> " not in text
    assert "http" not in text
    assert (tmp_path / "c.html").read_text() == text


def test_a_time_limit_is_told_in_the_rows(table: bl.Table) -> None:
    found = bl.compare(table, [bl.GES(), bl.BOSS(), bl.XGES()], folds=50, time_limit=0.05)
    assert found.stop is Stop.TIME_LIMIT
    assert any("the time limit was reached" in row.failure for row in found)


def test_an_engine_in_memory_is_compared_as_its_table(table: bl.Table) -> None:
    searches = [bl.GES(), bl.ChowLiu()]
    by_engine = bl.compare(bl.NativeEngine(table), searches, folds=2)
    for ours, theirs in zip(by_engine, bl.compare(table, searches, folds=2), strict=True):
        assert (ours.losses, ours.graph, ours.score) == (theirs.losses, theirs.graph, theirs.score)


@pytest.mark.parametrize("missing", ["error", "keep"])
def test_an_engine_on_a_disk_is_compared_as_its_file(
    table: bl.Table, tmp_path: Path, missing: MissingPolicy
) -> None:
    rows = table if missing == "error" else punched(table, [0.1] * len(table.names), 1)
    bl.write_csv(rows, tmp_path / "rows.csv")
    searches = [bl.GES(score=bl.PNAL()), bl.IXGES(score=bl.PNAL())]
    far = bl.open(tmp_path / "rows.csv", cache=tmp_path / "cache", missing=missing)
    near = bl.compare(tmp_path / "rows.csv", searches, folds=3, missing=missing)
    found = bl.compare(far, searches, folds=3)
    for ours, theirs in zip(found, near, strict=True):
        assert ours.losses
        assert (ours.losses, ours.graph, ours.score) == (theirs.losses, theirs.graph, theirs.score)


def test_rows_that_do_not_fit_the_memory_of_a_disk_engine_are_not_compared(
    table: bl.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bl.write_csv(table, tmp_path / "rows.csv")
    far = bl.open(tmp_path / "rows.csv", cache=tmp_path / "cache")
    monkeypatch.setattr(far, "_memory", table.n_rows * len(table.names) - 1)
    with pytest.raises(CapacityError, match=r"all of them take 0\.0 GB; allow as much \(memory="):
        bl.compare(far, [bl.GES()])
    monkeypatch.setattr(far, "_memory", table.n_rows * len(table.names))
    assert len(bl.compare(far, [bl.GES()], folds=2)) == 1


ROWS = bl.Table("A", ["ny"], [[0, 1]])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"searches": []}, OptionError),
        ({"searches": bl.GES()}, OptionError),
        ({"searches": "ges"}, OptionError),
        ({"searches": [bl.GES]}, OptionError),
        ({"searches": [bl.GES(), bl.GES()]}, OptionError),
        ({"folds": 1}, OptionError),
        ({"folds": 11}, DataError),
        ({"seed": -1}, OptionError),
        ({"estimators": []}, OptionError),
        ({"estimators": [bl.Laplace]}, OptionError),
        ({"threads": 0}, OptionError),
        ({"progress": "x"}, OptionError),
        ({"knowledge": 1}, OptionError),
        ({"data": bl.BlockEngine([bl.Table("A", ["ny"], [[0, 1]])])}, DataError),
        (
            {"data": bl.NativeEngine(bl.Table("A", ["ny"], [[0, 1]])), "missing": "drop"},
            OptionError,
        ),
    ],
    ids=lambda what: " ".join(what) if isinstance(what, dict) else what.__name__,
)
def test_wrong_options_are_refused(options: dict[str, Any], error: type[Exception]) -> None:
    frame = {"A": ["n", "y"] * 5, "B": ["n", "y"] * 5}
    with pytest.raises(error):
        bl.compare(**{"data": frame, "searches": [bl.GES()], **options})
