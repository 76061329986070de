"""Inference with numbers: against enumeration, far out in the tails, and where nothing varies."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

from bayesloom.errors import (
    CapacityError,
    EvidenceError,
    ModelError,
    OptionError,
    UnknownVariableError,
)
from bayesloom.evaluation import entropy
from bayesloom.graphs import DAG
from bayesloom.inference import (
    CompiledMixedNet,
    MixedPosterior,
    NumberPosterior,
    compile_net,
    identified_effect,
    most_probable,
    mutilated_net,
    query,
)
from bayesloom.model import BayesNet, LinearGaussian
from reference_gaussian_inference import (
    Component,
    components,
    joint_normal,
    log_evidence,
    moments,
    posterior_of_category,
    random_mixed_net,
)

NO_YES = ["no", "yes"]


def income_net(sd: float = 300.0) -> BayesNet:
    return BayesNet.from_tables(
        {
            "smoker": (NO_YES, [], [0.7, 0.3]),
            "age": ((), [], LinearGaussian(40.0, None, 12.0)),
            "income": (
                (),
                ["smoker", "age"],
                LinearGaussian([1000.0, 900.0], [[412.0], [350.0]], sd),
            ),
        }
    )


class Drawn:
    """A random network with random evidence that it can produce."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.net = random_mixed_net(rng, int(rng.integers(0, 5)), int(rng.integers(1, 7)))
        self.categories = [name for name in self.net.names if name not in self.net.numbers]
        every = components(self.net, {}, {})
        chosen = every[int(rng.integers(len(every)))]
        row = rng.multivariate_normal(chosen.mean, chosen.covariance)
        draws = dict(zip(chosen.names, row.tolist(), strict=True))
        self.states = {c: chosen.states[c] for c in self.categories if rng.random() < 0.3}
        self.values = {name: x for name, x in draws.items() if rng.random() < 0.4}
        self.soft = {
            c: dict(zip(self.net.states_of(c), rng.uniform(0.1, 1, 4).tolist(), strict=False))
            for c in self.categories
            if rng.random() < 0.2
        }
        self.given = {**self.states, **self.values}
        self.hidden = [name for name in self.net.names if name not in self.given]

    def parts(self) -> list[Component]:
        return components(self.net, self.states, self.values, self.soft)


@pytest.mark.parametrize("block", range(10))
def test_answers_are_those_of_enumeration_in_500_random_networks(block: int) -> None:
    worst = 0.0
    for seed in range(50 * block, 50 * (block + 1)):
        case = Drawn(seed)
        parts = case.parts()
        names, mean, covariance = moments(parts)
        for name in case.hidden:
            found = query(case.net, name, case.given, soft=case.soft)
            worst = max(worst, abs(found.log_evidence - log_evidence(parts)))
            if name in names:
                k = names.index(name)
                worst = max(worst, abs(found.mean - mean[k]))
                worst = max(worst, abs(found.variance - covariance[k, k]))
                x = float(mean[k]) + 0.5
                worst = max(worst, abs(found.density(x) - _density(parts, k, x)))
            else:
                states = case.net.states_of(name)
                wanted = posterior_of_category(parts, name, states)
                worst = max(worst, float(np.abs(found.values - wanted).max()))
    assert worst < 1e-9


def _density(parts: list[Component], k: int, x: float) -> float:
    total = log_evidence(parts)
    found = 0.0
    for part in parts:
        spread = float(part.covariance[k, k])
        exponent = -0.5 * (x - part.mean[k]) ** 2 / spread
        weight = math.exp(part.log_weight - total)
        found += weight * math.exp(exponent) / math.sqrt(2 * math.pi * spread)
    return found


def test_joint_answers_have_the_moments_and_probabilities_of_enumeration() -> None:
    worst = 0.0
    for seed in range(1000, 1100):
        case = Drawn(seed)
        names, mean, covariance = moments(parts := case.parts())
        chosen = [name for name in case.hidden if name in names][:3]
        labels = [name for name in case.hidden if name not in names][:2]
        if not chosen:
            continue
        found = query(case.net, [*labels, *chosen], case.given, soft=case.soft)
        assert isinstance(found, MixedPosterior)
        at = [names.index(name) for name in found.numbers]
        worst = max(worst, *(abs(found.mean[n] - mean[names.index(n)]) for n in chosen))
        worst = max(worst, float(np.abs(found.covariance - covariance[np.ix_(at, at)]).max()))
        for label in labels:
            wanted = posterior_of_category(parts, label, case.net.states_of(label))
            own = found.marginal(label)
            worst = max(worst, float(np.abs(own.values - wanted).max()))  # type: ignore[union-attr]
    assert worst < 1e-9


def test_the_most_probable_explanation_is_that_of_enumeration() -> None:
    for seed in range(2000, 2100):
        case = Drawn(seed)
        if not case.hidden:
            continue
        best, log_best = None, -math.inf
        for part in components(case.net, case.states, case.values):
            size = np.linalg.slogdet(2 * math.pi * part.covariance)[1] if part.names else 0.0
            if part.log_weight - 0.5 * size > log_best:
                best, log_best = part, part.log_weight - 0.5 * size
        assert best is not None
        found = most_probable(case.net, None, case.given)
        assert found.log_probability == pytest.approx(log_best, abs=1e-9)
        assert found.states == {c: best.states[c] for c in found.states}
        for name, x in zip(best.names, best.mean, strict=True):
            assert found[name] == pytest.approx(x, abs=1e-9)


def test_the_order_of_the_variables_changes_no_bit() -> None:
    for seed in range(3000, 3030):
        case = Drawn(seed)
        turned = case.net.reordered(case.net.names[::-1])
        for name in case.hidden:
            one, two = query(case.net, name, case.given), query(turned, name, case.given)
            assert one.log_evidence == two.log_evidence
            if isinstance(one, NumberPosterior):
                assert one.components == two.components
            else:
                assert one.values.tolist() == two.values.tolist()


def test_of_categories_alone_nothing_changes_because_numbers_hang_below() -> None:
    plain = BayesNet.from_tables(
        {"a": (NO_YES, [], [0.3, 0.7]), "b": (NO_YES, ["a"], [[0.9, 0.1], [0.2, 0.8]])}
    )
    dag = DAG.from_edges([("a", "b"), ("b", "x")])
    net = BayesNet(dag, (*plain.states, ()), (*plain.tables, LinearGaussian([0.0, 1.0])))
    one, two = query(plain, "a", {"b": "yes"}), query(net, "a", {"b": "yes"})
    assert two.values == pytest.approx(one.values, abs=1e-15)
    assert two.to_dict()["evidence_probability"] == pytest.approx(0.59)


def test_an_observation_30_sd_away_is_answered_with_a_note() -> None:
    found = query(income_net(), "smoker", {"age": 40 + 30 * 12.0, "income": 14_000.0})
    assert found.values.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.isfinite(found.values).all()
    assert "age=400 is 30 standard deviations from what the network expects" in str(found)


def test_an_observation_without_any_density_in_floats_is_answered_exactly() -> None:
    value = 1e9  # exp of the log density is 0 in every configuration
    found = query(income_net(), "smoker", {"age": 40.0, "income": value})
    far = [(value - 17480) / 300, (value - 14900) / 300]
    log_odds = -0.5 * (far[0] - far[1]) * (far[0] + far[1]) + math.log(0.7 / 0.3)
    assert log_odds > 0
    assert found["no"] == 1.0
    assert found.log_evidence < -1e12
    assert math.exp(found.log_evidence) == 0.0


def test_evidence_that_pulls_two_ways_beyond_floats_is_no_nan() -> None:
    # Each number rules out another state by a factor far below the smallest float.
    far = LinearGaussian([0.0, 100.0], None, 1.0)
    net = BayesNet.from_tables(
        {"c": (NO_YES, [], [0.5, 0.5]), "x": ((), ["c"], far), "y": ((), ["c"], far)}
    )
    assert query(net, "c", {"x": 0.0, "y": 100.0})["no"] == pytest.approx(0.5, abs=1e-12)
    assert query(net, "c", {"x": 0.0, "y": 99.0})["no"] == pytest.approx(1.0, abs=1e-12)


def test_a_constant_is_certain_and_a_contradiction_to_it_is_answered() -> None:
    net = BayesNet.from_tables(
        {
            "c": (NO_YES, [], [0.5, 0.5]),
            "fixed": ((), [], LinearGaussian(7.0, None, 0.0)),
            "twice": ((), ["fixed", "c"], LinearGaussian([0.0, 1.0], [[2.0], [2.0]], 0.0)),
        }
    )
    found = query(net, "fixed")
    assert (found.mean, found.sd, found.interval()) == (7.0, 0.0, (7.0, 7.0))
    assert found.density(7.0) == math.inf
    assert query(net, "c", {"twice": 15.0})["yes"] == 1.0
    away = query(net, "c", {"fixed": 8.0})
    assert away["yes"] == pytest.approx(0.5)
    assert "standard deviations from what the network expects" in str(away)


def test_two_copies_of_a_number_know_each_other_exactly() -> None:
    copy = LinearGaussian(0.0, [1.0], 0.0)
    net = BayesNet.from_tables(
        {"x": ((), [], LinearGaussian(0.0)), "y": ((), ["x"], copy), "z": ((), ["x"], copy)}
    )
    found = query(net, "x", {"y": 1.25, "z": 1.25})
    assert (found.mean, found.sd) == (pytest.approx(1.25), pytest.approx(0.0, abs=1e-12))


def test_a_mixture_has_the_quantiles_of_its_distribution() -> None:
    found = query(income_net(), "income", {"age": 40})
    assert len(found.components) == 2
    for p in (0.001, 0.025, 0.5, 0.7, 0.975):
        assert found.probability(found.quantile(p)) == pytest.approx(p, abs=1e-12)
    low, high = found.interval(0.95)
    grid = np.linspace(low, high, 200_001)
    assert np.trapezoid(found.density(grid), grid) == pytest.approx(0.95, abs=1e-9)


def test_the_answer_about_a_number_is_an_object_of_the_documented_form() -> None:
    told = query(income_net(), "income", {"age": 39, "smoker": "yes"}).to_dict()
    assert list(told) == ["target", "mean", "sd", "interval", "components", "evidence_log_density"]
    assert told["mean"] == 900 + 350 * 39
    assert told["components"] == [{"weight": 1.0, "mean": 14550.0, "sd": 300.0}]
    json.dumps(told, allow_nan=False)


def test_setting_a_number_cuts_it_off_from_its_causes() -> None:
    net = income_net()
    cut = mutilated_net(net, {"income": 20_000.0})
    assert query(cut, "age").mean == 40.0
    assert query(cut, "smoker")["yes"] == pytest.approx(0.3)
    assert query(cut, "income").mean == 20_000.0
    assert query(net, "age", {"income": 20_000.0}).mean != 40.0
    both = mutilated_net(net, {"age": 50.0, "smoker": "no"})
    assert query(both, "income").mean == pytest.approx(1000 + 412 * 50)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"age": "old"}, "variable age is a number; it cannot be 'old'"),
        ({"age": float("nan")}, "variable age is a number; it cannot be nan"),
        ({"age": math.inf}, "variable age is a number; it cannot be inf"),
        ([("age", 39), ("age", 40)], "variable age is given as 39 and as 40"),
    ],
)
def test_what_is_no_number_is_one_sentence(given: object, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        query(income_net(), "income", given)  # type: ignore[arg-type]


def test_likelihoods_of_a_number_are_refused() -> None:
    with pytest.raises(EvidenceError, match="variable age is a number, and likelihoods are given"):
        query(income_net(), "income", soft={"age": {"39": 1.0}})


def test_a_number_is_given_as_text_or_with_a_decimal_comma() -> None:
    one = query(income_net(), "income", {"age": "39,5", "smoker": "no"})
    assert one.mean == 1000 + 412 * 39.5


def test_a_mode_that_has_no_closed_form_is_refused() -> None:
    with pytest.raises(OptionError, match="income has no closed form, because it is a"):
        most_probable(income_net(), ["income"])
    assert most_probable(income_net(), ["age"])["age"] == 40.0
    assert most_probable(income_net(), ["smoker"], {"income": 14_000, "age": 39})["smoker"] == "yes"


def test_evidence_that_the_tables_rule_out_is_refused() -> None:
    net = income_net().with_table("smoker", [1.0, 0.0])
    with pytest.raises(EvidenceError, match="the evidence smoker=yes is impossible"):
        query(net, "age", {"smoker": "yes"})
    with pytest.raises(UnknownVariableError):
        query(net, "height")


def test_what_does_not_fit_into_memory_is_refused_before_it_is_computed() -> None:
    # 40 numbers in a chain, each with a category of its own: 2 to the power of 40 components.
    variables: dict[str, object] = {}
    for k in range(40):
        variables[f"c{k:02}"] = (NO_YES, [], [0.5, 0.5])
        before = [f"x{k - 1:02}"] if k else []
        slopes = [[1.0], [0.5]] if k else None
        variables[f"x{k:02}"] = ((), [f"c{k:02}", *before], LinearGaussian([0.0, 1.0], slopes))
    net = BayesNet.from_tables(variables)  # type: ignore[arg-type]
    with pytest.raises(CapacityError, match="the posterior of x39 needs a table of about"):
        query(net, "x39")
    every = {f"x{k:02}": 0.0 for k in range(39)}
    assert len(query(net, "x39", every).components) == 2  # with all others known it is small


def test_compiled_networks_answer_as_single_questions_do() -> None:
    net = income_net()
    compiled = compile_net(net)
    assert isinstance(compiled, CompiledMixedNet)
    given = {"income": 15_000}
    single = compiled.posterior("age", given)
    assert isinstance(single, NumberPosterior)
    assert single.components == query(net, "age", given).components
    assert set(compiled.posteriors(given=given)) == set(net.names)
    assert compiled.log_evidence(given) == query(net, "age", given).log_evidence
    grid = itertools.product(("no", "yes"), (30.0, 50.0))
    joint = compiled.joint(["smoker", "age"])
    assert isinstance(joint, MixedPosterior)
    for smoker, age in grid:
        wanted = {"no": 0.7, "yes": 0.3}[smoker] * query(net, "age").density(age)
        assert joint.density({"smoker": smoker, "age": age}) == pytest.approx(wanted, rel=1e-12)


def test_the_whole_joint_has_the_covariance_of_the_regressions() -> None:
    case = Drawn(7)
    states = {c: case.net.states_of(c)[0] for c in case.categories}
    names, mean, covariance = joint_normal(case.net, states)
    cut = mutilated_net(case.net, states)
    found = query(cut, list(names))
    assert [found.mean[name] for name in names] == pytest.approx(mean, abs=1e-12)
    assert np.abs(found.covariance - covariance).max() < 1e-12


def test_effects_are_told_of_categories_and_asked_of_numbers_through_do() -> None:
    net = income_net()
    with pytest.raises(ModelError, match="'income' is a number, and an effect is told state by st"):
        identified_effect(net, "smoker", "income", graph=net.dag)
    assert query(mutilated_net(net, {"smoker": "yes"}), "income").mean == 900 + 350 * 40


def test_the_entropy_of_a_network_with_numbers_is_refused_in_one_sentence() -> None:
    with pytest.raises(ModelError, match="and the entropy needs one of categories"):
        entropy(income_net())
