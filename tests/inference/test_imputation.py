"""Missing cells filled in, against the plain most probable explanation and exact posteriors."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import bayesloom as bl
from bayesloom import inference
from bayesloom.errors import DataError, EvidenceError, OptionError
from strategies_incomplete import Incomplete, incomplete


def net_of(case: Incomplete) -> bl.BayesNet:
    table = case.table
    return bl.BayesNet(bl.DAG(table.names, tuple(case.parents)), table.states, tuple(case.tables))


@given(incomplete(most_rows=4))
def test_what_is_filled_in_is_the_most_probable_explanation_of_each_row(case: Incomplete) -> None:
    net = net_of(case)
    found = bl.impute(net, case.table)
    for k, row in enumerate(case.rows):
        known = {n: str(x) for n, x in zip(net.names, row, strict=True) if x is not None}
        best = inference.most_probable(net, given=known)
        filled = {name: found.table[name][k] for name in net.names}
        together = math.log(inference.query(net, list(net.names)).probability(filled))
        known_log = bl.compile_net(net).log_evidence(known)
        assert together - known_log == pytest.approx(found.log_probabilities[k], abs=1e-9)
        assert math.exp(found.log_probabilities[k]) == pytest.approx(best.probability, rel=1e-9)


@given(incomplete(most_rows=4))
def test_the_probability_of_a_cell_is_its_posterior(case: Incomplete) -> None:
    net = net_of(case)
    found = bl.impute(net, case.table, "sample", seed=3)
    assert len(found) == sum(x is None for row in case.rows for x in row)
    cells = zip(found.row.tolist(), found.column.tolist(), found.probability, strict=True)
    for k, v, p in cells:
        known = {n: str(x) for n, x in zip(net.names, case.rows[k], strict=True) if x is not None}
        name = net.names[v]
        assert inference.query(net, name, known)[found.table[name][k]] == pytest.approx(p, rel=1e-9)


def test_complete_rows_pass_through_unchanged() -> None:
    asia = bl.example("asia")
    rows = asia.sample(50, 1)
    for method in ("most_probable", "sample"):
        found = bl.impute(asia, rows, method)
        assert found.filled == {}
        assert (found.log_probabilities == 0).all()
        for name in rows.names:
            assert found.table[name] == rows[name]


def test_the_order_of_columns_and_rows_does_not_matter() -> None:
    asia = bl.example("asia").net
    rows = bl.sample(asia, 200, 1)
    rng = np.random.default_rng(0)
    codes = [
        np.where(rng.random(200) < 0.3, len(s), c)
        for c, s in zip(rows.codes, rows.states, strict=True)
    ]
    holes = bl.Table(rows.names, rows.states, codes, holes=True)
    order = rng.permutation(200)
    here = bl.impute(asia, holes)
    there = bl.impute(asia.reordered(sorted(asia.names)), holes.take(order).in_name_order())
    for name in rows.names:
        assert [here.table[name][k] for k in order] == there.table[name]
    assert here.table.names == holes.names


def test_draws_depend_on_the_seed_alone() -> None:
    asia = bl.example("asia")
    empty = {name: [None] * 40 for name in asia.names}
    one, again, other = (bl.impute(asia, empty, "sample", seed=s).table for s in (1, 1, 2))
    assert one.checksum() == again.checksum() != other.checksum()


def test_columns_that_are_not_there_are_missing_in_every_row(tmp_path: Path) -> None:
    asia = bl.example("asia")
    known = asia.sample(30, 1).select(["xray", "smoke"])
    path = tmp_path / "known.csv"
    bl.write_csv(known, path)
    cells = {name: known[name] for name in known.names}
    empty = {name: [None] * 30 for name in asia.names}
    whole = bl.impute(asia, {**empty, **cells})
    for data in (known, cells, path, bl.NativeEngine(known)):
        part = bl.impute(asia, data)
        assert part.table.checksum() == whole.table.checksum()
        assert part.filled == dict.fromkeys(set(asia.names) - {"xray", "smoke"}, 30)
        assert (part.log_probabilities == whole.log_probabilities).all()


def test_a_network_with_a_state_for_missing_cells_leaves_none_to_fill_in() -> None:
    frame = {"A": ["n", "y", None, "y"], "B": ["n", "y", "y", None]}
    net = bl.fit("A -> B", frame, missing="state")
    assert len(bl.impute(net, frame)) == 0


def test_bad_input_is_one_sentence() -> None:
    asia = bl.example("asia")
    with pytest.raises(OptionError, match="method must be 'most_probable' or 'sample', got 'mean'"):
        bl.impute(asia, {"smoke": ["yes"]}, "mean")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="seed"):
        bl.impute(asia, {"smoke": ["yes"]}, seed=-1)
    for rows in ({"smok": ["yes"]}, bl.Table(["smok"], [["yes"]], [[0]])):
        with pytest.raises(DataError, match="there is no column of the network among smok; its"):
            bl.impute(asia, rows)
    sure = bl.network({"A": (["n", "y"], [], [1.0, 0.0]), "B": (["n", "y"], ["A"], [[1, 0]] * 2)})
    with pytest.raises(EvidenceError, match=r"row 1 \(counted from 0\) is impossible"):
        bl.impute(sure, {"A": ["n", "y"], "B": ["n", None]})


def test_it_prints_and_becomes_a_frame() -> None:
    net = bl.network({"A": (["n", "y"], [], [0.25, 0.75])})
    found = net.impute({"A": [None, "n", None]})
    assert (
        str(found).splitlines()[0] == "2 missing cells of 3 rows filled in: most probable together"
    )
    frame = found.to_arrow().to_pydict()
    assert frame == {
        "row": [0, 2],
        "column": ["A", "A"],
        "state": ["y", "y"],
        "probability": [0.75, 0.75],
    }


def test_engines_that_hand_out_rows_are_read_and_another_is_refused_with_what_to_give(
    tmp_path: Path,
) -> None:
    asia = bl.example("asia")
    rows = asia.sample(50, seed=1)
    path = tmp_path / "asia.csv"
    bl.write_csv(rows, path)
    far, there = bl.open(path, cache=tmp_path / "cache"), bl.impute(asia, path)
    for engine in (bl.NativeEngine(rows), far):
        here = bl.impute(asia, engine)
        assert [list(column) for column in here.table.codes] == [list(c) for c in there.table.codes]
    wanted = asia.predict(path, "lung", drop=["lung"])
    assert asia.predict(far, "lung", drop=["lung"]).tolist() == wanted.tolist()
    blocks = bl.BlockEngine([rows])
    for ask in (
        lambda: bl.impute(asia, blocks),
        lambda: asia.predict(blocks, "lung"),
        lambda: asia.predict_proba(blocks, "lung"),
    ):
        with pytest.raises(DataError, match=r"BlockEngine does not hand them out; give the path"):
            ask()
