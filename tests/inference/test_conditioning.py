from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given as draw
from hypothesis import settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.errors import CapacityError, EvidenceError, OptionError, UnknownStateError
from bayesloom.inference import conditioned_net, sample
from bayesloom.model import BayesNet, draw_rows, example_net
from reference_inference import case_weight, enumerated
from reference_model import all_rows, frequencies, joint
from strategies_inference import Case, cases

NO_YES = ["no", "yes"]
RAIN = BayesNet.from_tables(
    {
        "rain": (NO_YES, [], [0.8, 0.2]),
        "wet": (NO_YES, ["rain"], [[0.9, 0.1], [0.2, 0.8]]),
        "slip": (NO_YES, ["wet"], [[1.0, 0.0], [0.7, 0.3]]),
    }
)


@draw(case=cases(most=5))
def test_the_conditioned_network_is_the_distribution_given_the_evidence(case: Case) -> None:
    found = conditioned_net(case.net, case.given, soft=case.soft)
    assert found.names == case.net.names
    assert found.states == case.net.states
    total = enumerated(case.net, [], case.given, case.soft)[1]
    for row in all_rows(case.net):
        weight = case_weight(case.net, row, case.given, case.soft)
        assert joint(found, row) == pytest.approx(weight / total, abs=1e-12)


@draw(case=cases(most=4), random=st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_rows_agree_with_the_evidence_and_not_with_the_order_of_variables(
    case: Case,
    random: Any,  # noqa: ANN401
) -> None:
    names = random.sample(case.net.names, case.net.n)
    rows = sample(case.net, 30, 1, case.given, soft=case.soft)
    moved = sample(case.net.reordered(names), 30, 1, case.given, soft=case.soft)
    for name in names:
        assert rows.column(name).tolist() == moved.column(name).tolist()
    for row in frequencies(rows, case.net.names):
        told = dict(zip(case.net.names, row, strict=True))
        assert case_weight(case.net, told, case.given, case.soft) > 0


def test_frequencies_follow_the_posterior() -> None:
    net, n = example_net("asia"), 40_000
    given = {"xray": "yes", "dysp": "yes", "asia": "yes"}
    table = sample(net, n, 3, given)
    rows = [row for row in all_rows(net) if all(row[name] == x for name, x in given.items())]
    weights = np.array([joint(net, row) for row in rows])
    expected = weights / weights.sum() * n
    seen = frequencies(table, net.names)
    observed = np.array([seen[tuple(row.values())] for row in rows])
    assert observed.sum() == n
    large = expected > 5
    statistic = ((observed - expected)[large] ** 2 / expected[large]).sum()
    assert scipy.stats.chi2.sf(statistic, int(large.sum()) - 1) > 1e-4


def test_without_evidence_rows_are_those_of_the_network_and_the_seed_is_0() -> None:
    net = example_net("alarm")
    plain = draw_rows(net, 200, 0)
    for table in (sample(net, 200), sample(net, 200, given={}), bl.sample(net, 200, seed=0)):
        assert all((a == b).all() for a, b in zip(plain.codes, table.codes, strict=True))
    assert any((a != b).any() for a, b in zip(plain.codes, sample(net, 200, 1).codes, strict=True))


def test_evidence_that_is_as_good_as_impossible_is_drawn_from_all_the_same() -> None:
    rare = 1e-200
    tables: dict[str, Any] = {"a": (NO_YES, [], [0.5, 0.5])}
    for k in range(4):
        tables[f"b{k}"] = (NO_YES, ["a"], [[1 - rare, rare], [1 - 3 * rare, 3 * rare]])
    net = BayesNet.from_tables(tables)
    table = sample(net, 4000, 1, {f"b{k}": "yes" for k in range(4)})
    assert np.mean(table.column("a")) == pytest.approx(81 / 82, abs=0.01)


def test_a_network_that_is_all_observed_gives_one_row_again_and_again() -> None:
    given = {"rain": "yes", "wet": "yes", "slip": "no"}
    assert set(frequencies(sample(RAIN, 5, given=given), RAIN.names)) == {("yes", "yes", "no")}


def test_bad_evidence_is_told() -> None:
    with pytest.raises(EvidenceError, match=r"wet=no, slip=yes is impossible"):
        sample(RAIN, 5, given={"wet": "no", "slip": "yes"})
    with pytest.raises(EvidenceError, match="impossible"):
        sample(RAIN, 5, given={"rain": "no", "wet": "no", "slip": "yes"})
    with pytest.raises(UnknownStateError, match="unknown state 'maybe' of variable 'wet'"):
        sample(RAIN, 5, given={"wet": "maybe"})
    with pytest.raises(OptionError, match="n_rows must be at least 1, got 0"):
        sample(RAIN, 0, given={"wet": "yes"})
    with pytest.raises(CapacityError, match="more than the limit"):
        sample(example_net("alarm"), 5, given={"BP": "LOW"}, memory=16)


def test_a_markov_network_is_sampled_as_well() -> None:
    graph = bl.ChordalGraph.from_edges([("A", "B")])
    net = bl.DecomposableNet.from_joint(graph, ["ny", "ny"], [[0.5, 0.0], [0.25, 0.25]])
    assert set(frequencies(sample(net, 50, given={"B": "y"}), ("A", "B"))) == {("y", "y")}
