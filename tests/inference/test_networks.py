from __future__ import annotations

import hashlib
import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bayesloom.inference import CompiledNet, Strategy, compile_net, query
from bayesloom.model import draw_rows, load_net, row_log_likelihoods
from reference_inference import eliminated

HERE = Path(__file__).parents[1]
FOLDER = HERE / "data" / "model" / "networks"
NAMES = sorted(path.name.removesuffix(".bif.gz") for path in FOLDER.glob("*.bif.gz"))
GOLDEN = json.loads((HERE / "golden" / "posteriors_pyagrum.json").read_text())


@cache
def compiled(name: str) -> CompiledNet:
    return compile_net(load_net(FOLDER / f"{name}.bif.gz"))


def draw_evidence(name: str, count: int, seed: int) -> dict[str, str]:
    """States of some variables in a row drawn from the network."""
    net = compiled(name).net
    table = draw_rows(net, 1, np.random.default_rng(seed))
    chosen = np.random.default_rng(seed).choice(net.n, count, replace=False)
    return {net.names[v]: net.states[v][int(table.codes[v][0])] for v in map(int, chosen)}


def test_there_are_24_networks() -> None:
    assert len(NAMES) == 24


@pytest.mark.parametrize("name", NAMES)
def test_both_strategies_give_the_same_distributions(name: str) -> None:
    ready = compiled(name)
    given = draw_evidence(name, 3, seed=1)
    together, apart, best = (
        CompiledNet(ready.net, ready.flat, strategy=strategy).posteriors(given=given)
        for strategy in (Strategy.TOGETHER, Strategy.APART, Strategy.BEST)
    )
    for variable in ready.net.names:
        values = best[variable].values
        assert abs(values.sum() - 1) < 1e-12
        np.testing.assert_allclose(values, together[variable].values, rtol=0, atol=1e-12)
        np.testing.assert_allclose(values, apart[variable].values, rtol=0, atol=1e-12)
    assert together.log_evidence == pytest.approx(apart.log_evidence, abs=1e-11)


@pytest.mark.parametrize("name", NAMES)
def test_posteriors_agree_with_plain_elimination(name: str) -> None:
    net = compiled(name).net
    given = draw_evidence(name, 2, seed=2)
    rng = np.random.default_rng(2)
    everything = compiled(name).posteriors(given=given)
    # The twin is slow: it gets the variables with the fewest ancestors among a few.
    few = [net.names[v] for v in map(int, rng.permutation(net.n)) if net.names[v] not in given][:9]
    for target in sorted(few, key=lambda v: len(net.dag.ancestors_of(v)))[:3]:
        values, log_evidence = eliminated(net, [target], given)
        np.testing.assert_allclose(everything[target].values, values, rtol=0, atol=1e-12)
        np.testing.assert_allclose(query(net, target, given).values, values, rtol=0, atol=1e-12)
        assert everything.log_evidence == pytest.approx(log_evidence, abs=1e-12 * net.n)


@pytest.mark.parametrize("name", NAMES)
def test_no_drawn_completion_beats_the_explanation(name: str) -> None:
    ready = compiled(name)
    given = draw_evidence(name, 3, seed=3)
    found = ready.most_probable(given=given)
    assert found.states.items() >= given.items()
    rows = draw_rows(ready.net, 200, np.random.default_rng(3))
    agrees = np.ones(200, bool)
    for variable, state in given.items():
        code = ready.net.state_index(variable, state)
        agrees &= rows.column(variable) == code
    completions = row_log_likelihoods(ready.net, rows)[agrees]
    assert completions.max(initial=-math.inf) <= found.log_probability + 1e-9
    own = compiled(name).log_evidence(found.states)
    assert own == pytest.approx(found.log_probability, rel=1e-12)
    assert found.probability <= 1


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name in {"alarm", "win95pts", "munin1"}]
)
def test_joints_across_the_network_marginalise_to_posteriors(name: str) -> None:
    ready = compiled(name)
    given = draw_evidence(name, 3, seed=4)
    free = [variable for variable in ready.net.names if variable not in given]
    picked = [free[int(k)] for k in np.random.default_rng(4).choice(len(free), 3, replace=False)]
    joint = ready.joint(picked, given)
    values, _ = eliminated(ready.net, picked, given)
    np.testing.assert_allclose(joint.probabilities, values, rtol=0, atol=1e-12)
    for variable in picked:
        expected = ready.posterior(variable, given).values
        np.testing.assert_allclose(joint.marginal(variable).values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", sorted(GOLDEN["networks"]))
def test_posteriors_agree_with_pyagrum(name: str) -> None:
    digest = hashlib.sha256((FOLDER / f"{name}.bif.gz").read_bytes()).hexdigest()
    assert digest == GOLDEN["networks"][name]["sha256"]
    for asked in GOLDEN["networks"][name]["queries"]:
        found = compiled(name).posteriors(asked["posteriors"], asked["given"])
        for variable, expected in asked["posteriors"].items():
            assert found[variable].probabilities == pytest.approx(expected, rel=0, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", NAMES)
def test_many_observed_variables_leave_both_strategies_equal(name: str, seed: int) -> None:
    ready = compiled(name)
    given = draw_evidence(name, ready.net.n // 3, seed=100 + seed)
    together, apart = (
        CompiledNet(ready.net, ready.flat, strategy=strategy).posteriors(given=given)
        for strategy in (Strategy.TOGETHER, Strategy.APART)
    )
    for variable in ready.net.names:
        np.testing.assert_allclose(
            together[variable].values, apart[variable].values, rtol=0, atol=1e-11
        )
