"""Rows with numbers: predictions, densities and draws against single questions and enumeration."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.errors import DataError, EvidenceError, OptionError
from bayesloom.inference import (
    NumberPosterior,
    NumberPredictions,
    Predictions,
    compile_net,
    predict,
    predict_proba,
    query,
)
from bayesloom.model import (
    BayesNet,
    LinearGaussian,
    draw_rows,
    log_likelihood,
    row_log_likelihoods,
)
from reference_gaussian_inference import components, log_evidence, moments, random_mixed_net

NO_YES = ["no", "yes"]


def net_of(seed: int) -> BayesNet:
    rng = np.random.default_rng(seed)
    return random_mixed_net(rng, int(rng.integers(1, 5)), int(rng.integers(1, 6)))


def rows_with_holes(net: BayesNet, n: int, seed: int) -> dict[str, list[Any]]:
    full, rng = draw_rows(net, n, seed), np.random.default_rng(seed)
    return {
        name: [None if rng.random() < 0.3 else value for value in full[name]] for name in net.names
    }


def as_table(net: BayesNet, rows: dict[str, list[Any]]) -> Table:
    columns = [
        [np.nan if x is None else x for x in cells]
        if name in net.numbers
        else [
            len(net.states_of(name)) if x is None else net.states_of(name).index(x) for x in cells
        ]
        for name, cells in rows.items()
    ]
    return Table([*rows], [net.states_of(name) for name in rows], columns, holes=True)


def test_predictions_of_rows_are_the_answers_to_single_questions() -> None:
    worst = 0.0
    for seed in range(40):
        net = net_of(seed)
        rows = rows_with_holes(net, 6, seed)
        for target in net.names:
            others = {name: cells for name, cells in rows.items() if name != target}
            found = predict_proba(net, as_table(net, others), target)
            for k in range(6):
                known = {name: cells[k] for name, cells in others.items() if cells[k] is not None}
                answer = query(net, target, known)
                if isinstance(answer, NumberPosterior):
                    assert isinstance(found, NumberPredictions)
                    low, high = answer.interval()
                    ours = [found.means[k], found.sds[k], found.low[k], found.high[k]]
                    away = np.subtract(ours, [answer.mean, answer.sd, low, high])
                else:
                    assert isinstance(found, Predictions)
                    away = found.probabilities[k] - answer.values
                worst = max(worst, float(np.abs(away).max()))
    assert worst < 1e-9


def test_the_log_density_of_rows_with_holes_is_that_of_enumeration() -> None:
    for seed in range(40):
        net = net_of(seed)
        rows = rows_with_holes(net, 5, seed)
        found = row_log_likelihoods(net, as_table(net, rows))
        for k in range(5):
            known = {name: cells[k] for name, cells in rows.items() if cells[k] is not None}
            values = {name: x for name, x in known.items() if name in net.numbers}
            states = {name: x for name, x in known.items() if name not in values}
            wanted = log_evidence(components(net, states, values))
            assert found[k] == pytest.approx(wanted, abs=1e-9)
        assert log_likelihood(net, as_table(net, rows)) == pytest.approx(math.fsum(found))


def income_net() -> BayesNet:
    family = LinearGaussian([1000.0, 900.0], [[412.0], [350.0]], 300.0)
    return BayesNet.from_tables(
        {
            "smoker": (NO_YES, [], [0.7, 0.3]),
            "age": ((), [], LinearGaussian(40.0, None, 12.0)),
            "income": ((), ["smoker", "age"], family),
        }
    )


def test_a_number_is_predicted_by_its_mean_and_with_bounds() -> None:
    rows = {"age": [39, 50.5], "smoker": ["yes", "no"], "id": [1, 2]}
    assert predict(income_net(), rows, "income").tolist() == [14550.0, 1000 + 412 * 50.5]
    found = predict(income_net(), rows, "income", interval=0.9)
    assert found.to_pandas().columns.tolist() == ["income", "income_low", "income_high"]
    assert found.high - found.means == pytest.approx([300 * 1.6448536269514722] * 2)


def test_a_category_is_predicted_from_numbers() -> None:
    rows = {"age": [39.0, 39.0, None], "income": [17_068.0, 14_550.0, None]}
    assert predict(income_net(), rows, "smoker").tolist() == ["no", "yes", "no"]


def test_bounds_of_a_category_are_refused() -> None:
    with pytest.raises(Exception, match="'smoker' is a category"):
        predict(income_net(), {"age": [39.0]}, "smoker", interval=0.9)
    with pytest.raises(OptionError, match="interval must be between 0 and 1"):
        predict(income_net(), {"age": [39.0]}, "income", interval=1.5)


def test_text_in_a_column_of_numbers_is_one_sentence() -> None:
    with pytest.raises(DataError, match="age"):
        predict(income_net(), {"age": ["old", "39"], "smoker": ["no", "no"]}, "income")


def test_an_impossible_row_is_named() -> None:
    parts: dict[str, Any] = {
        "a": (NO_YES, [], [0.5, 0.5]),
        "b": (NO_YES, ["a"], [[1.0, 0.0], [1.0, 0.0]]),
        "weight": ((), ["a"], LinearGaussian([0.0, 1.0])),
    }
    with pytest.raises(EvidenceError, match="row 1"):
        predict(BayesNet.from_tables(parts), {"b": ["no", "yes"], "weight": [0.5, 0.5]}, "a")


def test_100_000_rows_of_37_variables_are_predicted_within_2_s() -> None:
    rng = np.random.default_rng(5)
    order = [f"v{k:02}" for k in range(37)]
    parts: dict[str, Any] = {}
    for k, name in enumerate(order):
        parents = [order[j] for j in rng.permutation(k)[:3]]
        shape = tuple(3 for p in parents if p in order[:15])
        if k < 15:
            table = rng.dirichlet(np.ones(3), size=shape)
            parts[name] = (["a", "b", "c"], parents, table)
            continue
        slopes = rng.normal(size=(*shape, len(parents) - len(shape))) * 0.5
        parts[name] = ((), parents, LinearGaussian(rng.normal(size=shape), slopes, 1.0))
    net = BayesNet.from_tables(parts)
    rows = draw_rows(net, 100_000, 1)
    for target in ("v05", "v30"):
        others = rows.select([name for name in net.names if name != target])
        start = time.process_time()
        predict(net, others, target)
        assert time.process_time() - start < 2.0


def test_draws_have_the_moments_of_the_network() -> None:
    net = net_of(12)
    rows = draw_rows(net, 200_000, 3)
    names, mean, covariance = moments(components(net, {}, {}))
    columns = np.stack([rows.column(name) for name in names])
    assert columns.mean(axis=1) == pytest.approx(mean, abs=0.05)
    assert np.abs(np.cov(columns) - covariance).max() < 0.02 * np.abs(covariance).max() + 0.05


def test_the_same_seed_draws_the_same_rows_in_any_order_of_variables() -> None:
    net = net_of(3)
    one, two = draw_rows(net, 50, 7), draw_rows(net.reordered(net.names[::-1]), 50, 7)
    for name in net.names:
        assert one[name] == two[name]


def test_drawn_categories_are_those_of_the_network_without_numbers() -> None:
    net = net_of(5)
    part = net.categories()
    with_numbers, alone = draw_rows(net, 100, 1), draw_rows(part, 100, 1)
    for name in part.names:
        assert with_numbers[name] == alone[name]


def test_draws_given_evidence_agree_with_it_and_have_its_moments() -> None:
    from bayesloom.inference import sample

    given = {"income": 16_000.0}
    rows = sample(income_net(), 100_000, 2, given)
    assert set(rows.column("income").tolist()) == {16_000.0}
    answer = query(income_net(), "age", given)
    assert rows.column("age").mean() == pytest.approx(answer.mean, abs=4 * answer.sd / 300)
    assert rows.column("age").std() == pytest.approx(answer.sd, rel=0.02)
    share = rows["smoker"].count("yes") / 100_000
    assert share == pytest.approx(query(income_net(), "smoker", given)["yes"], abs=0.01)


def test_missing_numbers_are_filled_in_with_their_mode_or_drawn() -> None:
    from bayesloom.inference import impute

    rows = {
        "age": [39.0, None, 39.0],
        "smoker": ["no", "yes", None],
        "income": [None, 14_550.0, 14_550.0],
    }
    found = impute(income_net(), rows)
    assert found.table.is_complete
    assert found.table["income"][0] == 1000 + 412 * 39
    assert found.table["age"][1] == pytest.approx(
        query(income_net(), "age", {"smoker": "yes", "income": 14_550.0}).mean
    )
    assert found.table["smoker"][2] == "yes"
    assert found.filled == {"age": 1, "smoker": 1, "income": 1}
    drawn = [impute(income_net(), rows, "sample", seed=k).table["income"][0] for k in range(300)]
    assert np.mean(drawn) == pytest.approx(1000 + 412 * 39, abs=60)
    assert np.std(drawn) == pytest.approx(300, rel=0.2)


def test_a_compiled_network_and_rows_agree() -> None:
    compiled = compile_net(income_net())
    found = predict_proba(income_net(), {"income": [15_000.0]}, "age")
    answer = compiled.posterior("age", {"income": 15_000})
    assert isinstance(found, NumberPredictions)
    assert isinstance(answer, NumberPosterior)
    assert found.means[0] == pytest.approx(answer.mean)
