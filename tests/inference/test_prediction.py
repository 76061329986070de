from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given as draw
from hypothesis import settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.errors import (
    CapacityError,
    DataError,
    EvidenceError,
    MissingExtraError,
    OptionError,
    UnknownStateError,
    UnknownVariableError,
)
from bayesloom.inference import predict, predict_proba, row_posterior
from bayesloom.model import BayesNet, example_net
from reference_inference import enumerated
from strategies_model import bayes_nets

NO_YES = ["no", "yes"]
RAIN = BayesNet.from_tables(
    {
        "rain": (NO_YES, [], [0.8, 0.2]),
        "sprinkler": (NO_YES, ["rain"], [[0.6, 0.4], [0.99, 0.01]]),
        "wet": (
            NO_YES,
            ["sprinkler", "rain"],
            [[[1.0, 0.0], [0.2, 0.8]], [[0.1, 0.9], [0.01, 0.99]]],
        ),
    }
)


def possible_rows(draw: st.DataObject, net: BayesNet, target: str) -> list[dict[str, str | None]]:
    """Draw rows with holes whose evidence is possible."""
    columns = draw.draw(st.lists(st.sampled_from(net.names), unique=True))
    columns = [name for name in columns if name != target]
    cell = {name: st.sampled_from([None, *net.states_of(name)]) for name in columns}
    rows = draw.draw(st.lists(st.fixed_dictionaries(cell), min_size=1, max_size=8))
    return [row for row in rows if enumerated(net, [], known(row), {})[1] > 0]


def known(row: dict[str, str | None]) -> dict[str, str]:
    return {name: state for name, state in row.items() if state is not None}


def table_of(net: BayesNet, rows: list[dict[str, str | None]]) -> bl.Table:
    """Make a table in which cells without a state have the state missing."""
    names = list(rows[0])
    states = [[*net.states_of(name), "missing"] for name in names]
    codes = [
        [labels.index("missing" if row[name] is None else row[name]) for row in rows]  # type: ignore[arg-type]
        for name, labels in zip(names, states, strict=True)
    ]
    return bl.Table(names, states, codes)


@pytest.mark.parametrize("most", [1 << 11, 0], ids=["summed", "eliminated"])
@draw(net=bayes_nets(5), data=st.data())
def test_predictions_agree_with_enumeration_whatever_is_unknown(
    most: int, net: BayesNet, data: st.DataObject
) -> None:
    target = data.draw(st.sampled_from(net.names))
    rows = possible_rows(data, net, target)
    if not rows or not rows[0]:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_posterior, "_MOST_CONFIGURATIONS", most)
        found = predict_proba(net, table_of(net, rows), target)
    for row, values in zip(rows, found.probabilities, strict=True):
        table, total = enumerated(net, [target], known(row), {})
        np.testing.assert_allclose(values, table / total, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["alarm", "hailfinder", "insurance"])
@pytest.mark.parametrize("holes", [0.0, 0.2, 0.9])
def test_predictions_are_the_posteriors_of_every_row(name: str, holes: float) -> None:
    net, rng = example_net(name), np.random.default_rng(1)
    table, compiled = bl.sample(net, 12, 1), bl.compile_net(net)
    for target in net.names[::7]:
        rows = {
            v: [None if rng.random() < holes else states[k] for k in codes.tolist()]
            for v, states, codes in zip(table.names, table.states, table.codes, strict=True)
            if v != target
        }
        found = predict_proba(net, rows, target)
        for k in range(table.n_rows):
            given = {v: column[k] for v, column in rows.items() if column[k] is not None}
            expected = compiled.posterior(target, given).values
            np.testing.assert_allclose(found.probabilities[k], expected, rtol=0, atol=1e-12)


@draw(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_the_order_of_columns_rows_and_variables_changes_no_bit(seed: int) -> None:
    net, rng = example_net("insurance"), np.random.default_rng(seed)
    table = bl.sample(net, 40, seed)
    target = str(rng.choice(net.names))
    codes = [
        np.where(rng.random(40) < 0.3, len(s), c)
        for s, c in zip(table.states, table.codes, strict=True)
    ]
    rows = bl.Table(table.names, [[*s, "missing"] for s in table.states], codes)
    rows = rows.select([name for name in rows.names if name != target])
    found = predict_proba(net, rows, target).probabilities
    order = rng.permutation(40)
    moved = rows.select(rng.permutation(rows.names).tolist()).take(order)
    other = net.reordered(rng.permutation(net.names).tolist())
    assert np.array_equal(predict_proba(other, moved, target).probabilities, found[order])


def test_rows_of_every_kind_give_the_same(tmp_path: Path) -> None:
    rows = {"wet": ["yes", "no", "", "yes"], "sprinkler": ["no", "", "", "yes"], "id": [7, 8, 9, 9]}
    text = "wet,sprinkler,id\nyes,no,7\nno,,8\n,,9\nyes,yes,9\n"
    (tmp_path / "rows.csv").write_text(text)
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    expected = predict_proba(RAIN, rows, "rain").probabilities
    kinds = [pd.DataFrame(rows), pl.DataFrame(rows), pa.table(rows), tmp_path / "rows.csv"]
    for kind in kinds:
        assert np.array_equal(predict_proba(RAIN, kind, "rain").probabilities, expected)
    np.testing.assert_allclose(expected[2], [0.8, 0.2], atol=1e-15)
    assert expected.sum(axis=1) == pytest.approx(1.0, abs=1e-15)


def test_numbers_in_a_frame_are_the_states_of_that_name() -> None:
    net = BayesNet.from_tables(
        {"n": (["0", "1"], [], [0.5, 0.5]), "x": (NO_YES, ["n"], [[0.9, 0.1], [0.2, 0.8]])}
    )
    for column in ([0, 1, None], [0.0, 1.0, float("nan")], ["0", "1", ""]):
        found = predict_proba(net, {"n": column}, "x")["yes"]
        np.testing.assert_allclose(found, [0.1, 0.8, 0.45], atol=1e-15)
    spelled = BayesNet.from_tables(
        {"n": (["0.0", "1.0"], [], [0.5, 0.5]), "x": (NO_YES, ["n"], [[0.9, 0.1], [0.2, 0.8]])}
    )
    table = bl.Table(["n"], [["0", "1"]], [[0, 1]])
    np.testing.assert_allclose(predict_proba(spelled, table, "x")["yes"], [0.1, 0.8], atol=1e-15)


def test_empty_cells_of_a_variable_that_knows_them_are_its_state() -> None:
    net = BayesNet.from_tables(
        {
            "dose": (["low", "high", "missing"], [], [0.4, 0.4, 0.2]),
            "ill": (NO_YES, ["dose"], [[0.9, 0.1], [0.5, 0.5], [0.0, 1.0]]),
        }
    )
    assert predict(net, {"dose": ["low", None]}, "ill").tolist() == ["no", "yes"]


def test_states_that_a_variable_does_not_have_are_refused_or_not_observed() -> None:
    rows = {"wet": ["yes", "damp"], "sprinkler": ["no", "no"]}
    with pytest.raises(
        DataError,
        match=r"row 1 \(counted from 0\), column 'wet': the value 'damp' .* unseen='ignore'",
    ):
        predict(RAIN, rows, "rain")
    found = predict_proba(RAIN, rows, "rain", unseen="ignore").probabilities
    alone = predict_proba(RAIN, {"sprinkler": ["no"]}, "rain").probabilities
    assert np.array_equal(found[1], alone[0])
    table = bl.Table(["wet"], [["yes", "damp"]], [[0, 1]])
    with pytest.raises(UnknownStateError, match="unknown state 'damp' of variable 'wet'"):
        predict(RAIN, table, "rain")
    found = predict_proba(RAIN, table, "rain", unseen="ignore").probabilities
    np.testing.assert_allclose(found[1], [0.8, 0.2], atol=1e-15)
    wrong: Any = "drop"
    with pytest.raises(OptionError, match="unseen must be 'error' or 'ignore', got 'drop'"):
        predict(RAIN, table, "rain", unseen=wrong)


def test_a_state_that_is_declared_and_never_occurs_may_be_unknown() -> None:
    table = bl.Table(["wet"], [["yes", "damp"]], [[0, 0]])
    assert len(predict(RAIN, table, "rain")) == 2


def test_a_target_that_is_given_is_refused_whatever_it_holds() -> None:
    for rows in ({"rain": ["maybe"], "wet": ["yes"]}, bl.sample(RAIN, 3)):
        with pytest.raises(OptionError, match=r"the target 'rain' is among the columns.*drop="):
            predict(RAIN, rows, "rain")
        assert len(predict(RAIN, rows, "rain", drop=["rain"])) == len(
            predict_proba(RAIN, rows, "rain", drop=("rain",))
        )
    for rows in ({"rain": ["no"], "wet": ["yes"]}, bl.sample(RAIN, 3)):
        with pytest.raises((DataError, UnknownVariableError), match="did you mean 'rain'"):
            predict(RAIN, rows, "rain", drop=["rainy"])


def test_an_impossible_row_is_named() -> None:
    rows = {"wet": ["yes", "yes", "no", "yes"], "sprinkler": ["yes", "no", "no", "no"]}
    assert len(predict(RAIN, rows, "rain")) == 4
    dry = BayesNet.from_tables(
        {"rain": (NO_YES, [], [1.0, 0.0]), "wet": (NO_YES, ["rain"], [[1.0, 0.0], [0.2, 0.8]])}
    )
    with pytest.raises(
        EvidenceError,
        match=r"row 1 \(counted from 0\) is impossible: .* about rain probability 0 \(1 such row\)",
    ):
        predict(dry, {"wet": ["no", "yes", "no"]}, "rain")


def test_bad_rows_and_targets_are_told() -> None:
    with pytest.raises(UnknownVariableError, match="unknown variable 'snow'"):
        predict(RAIN, {"wet": ["yes"]}, "snow")
    with pytest.raises(DataError, match="there is no column of the network among id; its variab"):
        predict(RAIN, {"id": [1]}, "rain")
    with pytest.raises(DataError, match="there is no column of the network among id"):
        predict(RAIN, bl.Table(["id"], [["1"]], [[0]]), "rain")
    with pytest.raises(DataError, match="there are no rows"):
        predict(RAIN, {"wet": []}, "rain")


def test_too_little_memory_is_told() -> None:
    net = example_net("alarm")
    with pytest.raises(CapacityError, match="the posterior of HYPOVOLEMIA needs tables of about"):
        predict(net, {"BP": ["LOW"]}, "HYPOVOLEMIA", memory=16)


def test_a_markov_network_predicts_as_well() -> None:
    graph = bl.ChordalGraph.from_edges([("A", "B")])
    net = bl.DecomposableNet.from_joint(graph, ["ny", "ny"], [[0.5, 0.0], [0.25, 0.25]])
    assert predict(net, {"B": ["y", "n"]}, "A").tolist() == ["y", "n"]


def test_predictions_print_their_first_rows_and_turn_into_frames() -> None:
    found = predict_proba(RAIN, {"wet": ["yes"] * 22}, "rain")
    lines = str(found).split("\n")
    assert lines[0] == "P(rain | row) for 22 rows"
    assert lines[1].split() == ["row", "most", "probable", "no", "yes"]
    assert lines[-1] == "  and 2 more rows"
    assert len(lines) == 23
    for frame in (found.to_pandas(), found.to_polars(), found.to_arrow().to_pandas()):
        assert list(frame.columns) == ["rain=no", "rain=yes"]
        assert np.array_equal(np.asarray(frame), found.probabilities)
    with pytest.raises(ValueError, match="read-only"):
        found.probabilities[0, 0] = 1.0
    with pytest.raises(UnknownStateError):
        found["maybe"]


def test_a_library_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    found = predict_proba(RAIN, {"wet": ["yes"]}, "rain")
    with pytest.raises(MissingExtraError, match="to_polars needs polars"):
        found.to_polars()


def test_predictions_are_asked_for_a_number_as_for_its_label() -> None:
    found = bl.Predictions("sick", ("0", "1"), np.array([[0.25, 0.75], [0.5, 0.5]]))
    assert found[1].tolist() == found["1"].tolist() == [0.75, 0.5]
