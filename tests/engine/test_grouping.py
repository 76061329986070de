"""An engine that says what a GROUP BY returns, and nothing else; more is in the engine suite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.engine.grouping import Cells
from bayesloom.errors import CapacityError, DataError, OptionError, Stopped
from every_engine import Grouped
from example_tables import read_example

STATES = {"A": ["n", "y"], "B": ["x", "z"]}


class Listed(bl.GroupingEngine):
    """Rows as a list of lists."""

    def __init__(
        self, rows: Sequence[Sequence[int]], states: Mapping[str, Sequence[str]] = STATES,
        n_rows: int | None = None,
    ) -> None:  # fmt: skip
        self.rows = np.array(rows)
        super().__init__(states, n_rows)

    def grouped(self, variables: Sequence[int]) -> Cells:
        found = self.rows[:, variables]
        return np.unique(found[(found >= 0).all(axis=1)], axis=0, return_counts=True)


def test_it_knows_what_the_groups_tell() -> None:
    engine = Listed([[0, 0], [1, 1], [1, 1]], {"A": ["n", "y"], "B": ["x", "z", "never"]})
    assert engine.names == ("A", "B")
    assert engine.states == (("n", "y"), ("x", "z", "never"))
    assert (engine.n_rows, engine.observed.tolist(), engine.missing.tolist()) == (3, [2, 2], [0, 0])


def test_missing_cells_need_the_number_of_rows() -> None:
    rows = [[0, 0], [1, -1], [1, 1]]
    with pytest.raises(DataError, match=r"known in 2 to 3 rows; .* needs n_rows"):
        Listed(rows)
    with pytest.raises(DataError, match=r"known in 2 to 3 rows"):
        Listed(rows, n_rows=2)
    engine = Listed(rows, n_rows=4)
    assert engine.missing.tolist() == [1, 2]
    assert engine.counts(bl.Batch.pairs(2))[0].tolist() == [[1, 0], [0, 1]]


def test_a_code_that_is_no_state_is_refused() -> None:
    with pytest.raises(OptionError, match="has the code 2, and states are numbered from 0"):
        Listed([[0, 2]])


def test_dense_tables_that_are_too_large_are_refused_and_lists_are_not() -> None:
    names = [f"V{k:02}" for k in range(40)]
    engine = Listed([[0] * 40, [1] * 40], {name: ["n", "y"] for name in names})
    batch = bl.Batch.families([(0, tuple(range(1, 40)))])
    with pytest.raises(CapacityError):
        engine.counts(batch)
    assert np.isfinite(bl.BIC().local_scores(engine, bl.Batch.families([(0, (1, 2))]))).all()
    assert engine.entropies(batch) == pytest.approx(np.log(2))


@pytest.mark.parametrize(
    "told",
    [None, [[0, 0]], ([["x"]], [3]), ([[0]], ["x"]), ([[0], [0, 1]], [1, 2])],
    ids=repr,
)
def test_what_is_no_list_of_cells_is_refused_in_one_sentence(told: Any) -> None:  # noqa: ANN401
    class Wrong(bl.GroupingEngine):
        def grouped(self, variables: Sequence[int]) -> Cells:  # noqa: ARG002
            found: Cells = told
            return found

    with pytest.raises(OptionError, match=r"Wrong\.grouped must return the codes|list 0 has codes"):
        Wrong({"A": ["n", "y"]})


def test_a_pair_that_no_row_knows_has_no_cells() -> None:
    class Apart(Listed):
        def grouped(self, variables: Sequence[int]) -> Cells:
            return ([], []) if len(variables) > 1 else super().grouped(variables)

    engine = Apart([[0, -1], [1, -1], [-1, 1]], n_rows=3)
    assert engine.counts(bl.Batch.pairs(2))[0].tolist() == [[0, 0], [0, 0]]
    assert engine.informations(bl.Batch.pairs(2)).tolist() == [0.0]


@pytest.mark.parametrize(
    ("options", "error"),
    [({"states": {}}, DataError), ({"states": ["A"]}, OptionError), ({"n_rows": "3"}, OptionError)],
    ids=repr,
)
def test_wrong_options_are_refused(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        Listed([[0, 0]], **options)


def test_it_stops_between_two_groups() -> None:
    engine = Listed([[0, 0], [1, 1]])
    signal = bl.engine.StopSignal()
    view = engine.until(signal)
    view.counts(bl.Batch.pairs(2))
    signal.set()
    with pytest.raises(Stopped):
        view.counts(bl.Batch.pairs(2))
    engine.counts(bl.Batch.pairs(2))


def test_a_database_learns_what_memory_learns() -> None:
    table = read_example("asia").in_name_order()
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE rows ({', '.join(table.names)})")
    marks = ", ".join("?" * len(table.names))
    base.executemany(f"INSERT INTO rows VALUES ({marks})", np.transpose(table.codes).tolist())

    class SQL(bl.GroupingEngine):
        def grouped(self, variables: Sequence[int]) -> Cells:
            names = ", ".join(self.names[v] for v in variables)
            told = base.execute(f"SELECT {names}, COUNT(*) FROM rows GROUP BY {names}").fetchall()
            return [cell[:-1] for cell in told], [cell[-1] for cell in told]

    engine = SQL(dict(zip(table.names, table.states, strict=True)))
    assert bl.learn(engine).record == bl.learn(table).record
    assert Grouped(table).n_rows == engine.n_rows
