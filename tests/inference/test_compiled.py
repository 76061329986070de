from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given as draw
from hypothesis import settings
from hypothesis import strategies as st

from bayesloom.errors import (
    CapacityError,
    EvidenceError,
    OptionError,
    UnknownStateError,
    UnknownVariableError,
)
from bayesloom.inference import CompiledNet, Strategy, compile_net, most_probable
from bayesloom.model import BayesNet, example_net
from reference_inference import best_row, case_weight, eliminated, enumerated
from reference_model import all_rows
from strategies_inference import Case, Variables, cases, chain

STRATEGIES = pytest.mark.parametrize("strategy", Strategy)
NO_YES = ["no", "yes"]


def assert_close(found: npt.NDArray[np.float64], expected: npt.NDArray[np.float64]) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def rain() -> BayesNet:
    return BayesNet.from_tables(
        {
            "rain": (NO_YES, [], [0.8, 0.2]),
            "sprinkler": (NO_YES, ["rain"], [[0.6, 0.4], [0.99, 0.01]]),
            "wet": (
                NO_YES,
                ["sprinkler", "rain"],
                [[[1.0, 0.0], [0.2, 0.8]], [[0.1, 0.9], [0.01, 0.99]]],
            ),
            "moon": (["full", "new"], [], [0.5, 0.5]),
        }
    )


@STRATEGIES
@draw(case=cases(most=5))
def test_posteriors_agree_with_enumeration(strategy: Strategy, case: Case) -> None:
    compiled = compile_net(case.net, strategy=strategy)
    found = compiled.posteriors(given=case.given, soft=case.soft)
    assert list(found) == list(case.net.names)
    for name in case.net.names:
        table, total = enumerated(case.net, [name], case.given, case.soft)
        assert_close(found[name].values, table / total)
        assert found.log_evidence == pytest.approx(math.log(total), abs=1e-12)


@draw(case=cases(), data=st.data())
def test_joint_posteriors_agree_with_enumeration(case: Case, data: st.DataObject) -> None:
    sets = st.lists(st.sampled_from(case.net.names), min_size=1, max_size=4, unique=True)
    wanted = data.draw(st.lists(sets, min_size=1, max_size=3))
    found = compile_net(case.net).joints(wanted, case.given, soft=case.soft)
    for names, joint in zip(wanted, found, strict=True):
        table, total = enumerated(case.net, names, case.given, case.soft)
        assert_close(joint.probabilities, table / total)
        assert joint.variables == tuple(names)


@draw(case=cases())
def test_the_explanation_is_a_most_probable_row(case: Case) -> None:
    found = compile_net(case.net).most_probable(given=case.given, soft=case.soft)
    weight = case_weight(case.net, found.states, case.given, case.soft)
    assert weight == pytest.approx(best_row(case.net, case.given, case.soft), rel=1e-11)
    assert found.log_probability == pytest.approx(math.log(weight), abs=1e-11)
    total = enumerated(case.net, [], case.given, case.soft)[1]
    assert found.probability == pytest.approx(weight / total, rel=1e-11)


@draw(case=cases(), data=st.data())
def test_the_states_of_some_variables_are_the_largest_entry_of_their_joint(
    case: Case, data: st.DataObject
) -> None:
    sets = st.lists(st.sampled_from(case.net.names), min_size=1, unique=True)
    names = data.draw(sets)
    found = compile_net(case.net).most_probable(names, case.given, soft=case.soft)
    assert list(found.states) == names
    table, total = enumerated(case.net, names, case.given, case.soft)
    cell = tuple(case.net.state_index(name, found[name]) for name in names)
    assert table[cell] == pytest.approx(table.max(), rel=1e-10)
    assert found.probability == pytest.approx(table.max() / total, rel=1e-10)
    assert found.log_evidence == pytest.approx(math.log(total), abs=1e-11)
    again = compile_net(case.net).most_probable(names[::-1], case.given, soft=case.soft)
    assert again.states == found.states


def test_states_of_some_variables_are_not_those_of_all() -> None:
    net = BayesNet.from_tables(
        {"a": (NO_YES, [], [0.4, 0.6]), "b": (NO_YES, ["a"], [[0.0, 1.0], [0.5, 0.5]])}
    )
    assert most_probable(net).states == {"a": "no", "b": "yes"}
    assert most_probable(net, "a").states == {"a": "yes"}
    assert repr(most_probable(net, ["a"], {"b": "yes"})) == (
        "Explanation(a=no) with probability 0.571429 given b=yes"
    )


def test_equals_go_to_the_lower_states_and_what_is_observed_may_be_asked_for() -> None:
    net = BayesNet.from_tables(
        {name: (["x", "y", "z"], [], [1 / 3] * 3) for name in ("a", "b", "c")}
    )
    assert most_probable(net, ["c", "b"]).states == {"c": "x", "b": "x"}
    found = most_probable(net, ["c", "b"], {"b": "z"})
    assert found.states == {"c": "x", "b": "z"}
    assert most_probable(net, "b", {"b": "z"}).probability == 1


def test_wrong_questions_for_the_most_probable_states_are_told() -> None:
    compiled = compile_net(rain())
    with pytest.raises(OptionError, match="targets must be names of variables; give evidence as"):
        compiled.most_probable({"wet": "yes"})
    with pytest.raises(OptionError, match="variable rain is asked for twice"):
        compiled.most_probable(["rain", "rain"])
    with pytest.raises(UnknownVariableError, match="unknown variable 'snow'"):
        compiled.most_probable("snow")
    with pytest.raises(EvidenceError, match=r"the evidence .* is impossible"):
        compiled.most_probable("moon", {"rain": "no", "sprinkler": "no", "wet": "yes"})
    with pytest.raises(UnknownVariableError):
        compiled.most_probable("moon")["rain"]
    wide = compile_net(example_net("hailfinder"), memory=1e6)
    with pytest.raises(CapacityError, match="ask for fewer variables"):
        wide.most_probable(wide.net.names[:30])
    names = [f"x{k}" for k in range(70)]
    many = BayesNet.from_tables({name: (NO_YES, [], [0.5, 0.5]) for name in names})
    with pytest.raises(OptionError, match="at most 64 variables"):
        most_probable(many, names[:65])
    assert most_probable(many).probability == pytest.approx(0.5**70)


@draw(case=cases(), seed=st.integers(0, 1000))
def test_the_order_of_the_variables_changes_no_bit(case: Case, seed: int) -> None:
    names = Random(seed).sample(case.net.names, case.net.n)
    ours = compile_net(case.net).posteriors(given=case.given, soft=case.soft)
    shuffled = compile_net(case.net.reordered(names))
    theirs = shuffled.posteriors(given=case.given, soft=case.soft)
    assert ours.log_evidence == theirs.log_evidence
    assert ours.probabilities == {name: theirs[name].probabilities for name in ours}
    explained = compile_net(case.net).most_probable(given=case.given)
    assert explained == shuffled.most_probable(given=case.given)


@draw(case=cases())
def test_the_order_of_the_evidence_changes_no_bit(case: Case) -> None:
    compiled = compile_net(case.net)
    pairs = list(case.given.items())
    forth, back = (compiled.posteriors(given=order) for order in (pairs, pairs[::-1] + pairs))
    assert forth.probabilities == back.probabilities
    assert forth.log_evidence == back.log_evidence


@draw(case=cases())
def test_the_probability_of_evidence_follows_the_chain_rule(case: Case) -> None:
    compiled, total = compile_net(case.net), 0.0
    known: dict[str, str] = {}
    for name, state in case.given.items():
        total += math.log(compiled.posterior(name, known)[state])
        known[name] = state
    assert compiled.log_evidence(case.given) == pytest.approx(total, abs=1e-11)


@draw(case=cases(most=4))
def test_soft_evidence_equals_a_hidden_child(case: Case) -> None:
    soft = {name: [w / 40 for w in weights] for name, weights in case.soft.items()}
    tables: Variables = {
        name: (case.net.states_of(name), case.net.parents(name), case.net.table(name))
        for name in case.net.names
    }
    for name, weights in soft.items():
        rows = [[w, 1 - w] for w in weights]
        tables[f"seen {name}"] = (["seen", "not"], [name], np.array(rows))
    children = {f"seen {name}": "seen" for name in soft}
    larger = compile_net(BayesNet.from_tables(tables)).posteriors(given=case.given | children)
    smaller = compile_net(case.net).posteriors(given=case.given, soft=soft)
    for name in smaller:
        assert_close(smaller[name].values, larger[name].values)
    assert smaller.log_evidence == pytest.approx(larger.log_evidence, abs=1e-11)


@STRATEGIES
def test_evidence_far_below_the_smallest_float_is_no_problem(strategy: Strategy) -> None:
    # Class c2 makes every one of 500 unlikely findings, and another finding points to it alone.
    findings: Variables = {
        f"f{i}": (NO_YES, ["class"], [[0.5, 0.5], [1.0 - 1e-9, 1e-9]]) for i in range(500)
    }
    others: Variables = {
        "class": (["c1", "c2"], [], [0.5, 0.5]),
        "hint": (NO_YES, ["class"], [[1.0, 0.0], [0.5, 0.5]]),
        "echo": (NO_YES, ["class"], [[0.3, 0.7], [0.6, 0.4]]),
    }
    net = BayesNet.from_tables(others | findings)
    given = dict.fromkeys([*findings, "hint"], "yes")
    compiled = compile_net(net, strategy=strategy)
    found = compiled.posteriors(given=given)
    expected = 500 * math.log(1e-9) + math.log(0.25)
    assert found.log_evidence == pytest.approx(expected, rel=1e-13)
    assert found.evidence_probability == 0.0
    assert found["class"]["c2"] == 1.0
    assert found["echo"]["no"] == pytest.approx(0.6, abs=1e-12)
    explained = compiled.most_probable(given=given)
    assert explained.states["class"] == "c2"
    assert explained.probability == pytest.approx(0.6, rel=1e-9)


@STRATEGIES
def test_a_long_chain_of_rare_events_keeps_its_digits(strategy: Strategy) -> None:
    net = chain(400, 1e-4)
    given = {f"x{i}": "yes" for i in range(0, 400, 2)}
    found = compile_net(net, strategy=strategy).posteriors(given=given)
    assert found.log_evidence == pytest.approx(200 * math.log(1e-4), rel=1e-13)
    assert found["x201"]["yes"] == pytest.approx(1e-4, rel=1e-10)


def test_observed_variables_have_all_probability_on_their_state() -> None:
    compiled = compile_net(rain())
    found = compiled.posteriors(["wet", "rain"], {"wet": "yes"})
    assert found["wet"].probabilities == {"no": 0.0, "yes": 1.0}
    joint = compiled.joint(["rain", "wet"], {"wet": "yes"}).probabilities
    np.testing.assert_array_equal(joint[:, 0], 0)
    assert_close(joint[:, 1], found["rain"].values)
    assert compiled.joint(["wet"], {"wet": "yes"}).probabilities.tolist() == [0.0, 1.0]


def test_hard_and_soft_evidence_on_one_variable_multiply() -> None:
    compiled = compile_net(rain())
    hard = compiled.posteriors(given={"wet": "yes"})
    both = compiled.posteriors(given={"wet": "yes"}, soft={"wet": [0.5, 0.25]})
    assert both.log_evidence == pytest.approx(hard.log_evidence + math.log(0.25))
    assert both["rain"]["yes"] == pytest.approx(hard["rain"]["yes"])


def test_unconnected_variables_do_not_disturb_each_other() -> None:
    compiled = compile_net(rain())
    assert compiled.posterior("moon", {"wet": "yes"}).values.tolist() == [0.5, 0.5]
    joint = compiled.joint(["moon", "rain"]).probabilities
    assert_close(joint, np.array([[0.4, 0.1], [0.4, 0.1]]))


def test_without_evidence_its_probability_is_exactly_one() -> None:
    found = compile_net(rain()).posteriors()
    assert found.log_evidence == 0.0
    assert found.evidence_probability == 1.0


def test_impossible_evidence_is_an_error_that_names_it() -> None:
    compiled = compile_net(rain())
    evidence = {"sprinkler": "no", "rain": "no", "wet": "yes"}
    sentence = "the evidence sprinkler=no, rain=no, wet=yes is impossible: .* probability 0"
    for ask in (
        lambda: compiled.posterior("moon", evidence),
        lambda: compiled.posteriors(given=evidence),
        lambda: compiled.joint(["moon", "rain"], evidence),
        lambda: compiled.most_probable(given=evidence),
        lambda: compiled.posterior("rain", {"wet": "yes"}, soft={"wet": [1, 0]}),
    ):
        with pytest.raises(EvidenceError, match=r"evidence .*wet.* is impossible"):
            ask()
    with pytest.raises(EvidenceError, match=sentence):
        compiled.posterior("moon", evidence)
    assert compiled.log_evidence(evidence) == -math.inf


def test_what_does_not_fit_is_refused_with_its_size() -> None:
    wide: Variables = {f"x{i}": (NO_YES, [], [0.5, 0.5]) for i in range(40)}
    compiled = compile_net(BayesNet.from_tables(wide))
    with pytest.raises(CapacityError, match=r"1\.1e\+12 cells .* GB\), more than the limit of 2"):
        compiled.joint(list(wide))
    assert compiled.posterior("x7")["yes"] == 0.5
    many = chain(65, 0.5)
    with pytest.raises(OptionError, match="at most 64 variables, got 65"):
        compile_net(many).joint(many.names, dict.fromkeys(many.names, "no"))
    small = compile_net(rain(), memory=40)
    with pytest.raises(CapacityError, match=r"the posterior of rain, .* cells"):
        small.posteriors()
    with pytest.raises(CapacityError, match="the most probable explanation needs"):
        small.most_probable()


def test_a_dense_network_is_refused_at_once() -> None:
    # 60 binary hidden causes, and a common effect for every pair of them, all effects seen.
    n = 60
    variables: Variables = {f"c{i}": (NO_YES, [], [0.5, 0.5]) for i in range(n)}
    pair = [[[0.9, 0.1], [0.4, 0.6]], [[0.3, 0.7], [0.2, 0.8]]]
    effects: Variables = {
        f"e{i},{j}": (NO_YES, [f"c{i}", f"c{j}"], pair) for i in range(n) for j in range(i)
    }
    compiled = compile_net(BayesNet.from_tables(variables | effects))
    given = dict.fromkeys(effects, "yes")
    for ask in (
        lambda: compiled.posterior("c0", given),
        lambda: compiled.posteriors(given=given),
        lambda: compiled.most_probable(given=given),
        lambda: compiled.log_evidence(given),
    ):
        with pytest.raises(CapacityError, match="cells"):
            ask()
    assert compiled.posterior("c3", {"e3,1": "yes"})["yes"] == pytest.approx(1.5 / 2.2)


@pytest.mark.parametrize("memory", [0, -1.0, math.nan, math.inf])
def test_memory_must_be_a_number_of_bytes(memory: float) -> None:
    with pytest.raises(OptionError, match="memory must be above 0"):
        compile_net(rain(), memory=memory)


def test_unknown_names_and_states_are_named() -> None:
    compiled = compile_net(rain())
    with pytest.raises(UnknownVariableError, match="unknown variable 'snow'"):
        compiled.posterior("snow")
    with pytest.raises(UnknownVariableError, match="unknown variable 'snow'"):
        compiled.posterior("rain", {"snow": "yes"})
    with pytest.raises(UnknownStateError, match="unknown state 'maybe' of variable 'wet'"):
        compiled.posterior("rain", {"wet": "maybe"})
    with pytest.raises(OptionError, match="variable rain is asked for twice"):
        compiled.joint(["rain", "wet", "rain"])
    with pytest.raises(OptionError, match="at least one variable"):
        compiled.posteriors([])


def test_ties_of_explanations_go_to_the_lower_states() -> None:
    fair: Variables = {name: (NO_YES, [], [0.5, 0.5]) for name in "abc"}
    parity = [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]
    fair["odd"] = (NO_YES, ["a", "b"], parity)
    net = BayesNet.from_tables(fair)
    assert set(compile_net(net).most_probable().states.values()) == {"no"}


def test_one_compiled_network_serves_many_threads() -> None:
    compiled = compile_net(rain())

    def ask(k: int) -> dict[str, float]:
        return compiled.posteriors(given={"wet": NO_YES[k % 2]})["rain"].probabilities

    expected = [ask(0), ask(1)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(200))) == [expected[k % 2] for k in range(200)]


@settings(max_examples=20)
@draw(case=cases(most=4), data=st.data())
def test_no_completion_beats_the_explanation(case: Case, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(list(all_rows(case.net))))
    found = compile_net(case.net).most_probable(given=case.given, soft=case.soft)
    weight = case_weight(case.net, row, case.given, case.soft)
    assert weight <= math.exp(found.log_probability) * (1 + 1e-9)


def test_answers_are_read_only() -> None:
    compiled: CompiledNet = compile_net(rain())
    with pytest.raises(ValueError, match="read-only"):
        compiled.posterior("rain").values[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        compiled.joint(["rain", "wet"]).probabilities[0, 0] = 1


@STRATEGIES
@pytest.mark.parametrize("seed", range(25))
def test_tables_of_all_shapes_are_multiplied_rightly(strategy: Strategy, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = [
        int(r) for r in rng.choice([1, 2, 3, 5, 31, 32, 33, 1100], 7, p=[0.1, *[0.14] * 6, 0.06])
    ]
    variables: Variables = {}
    for v, r in enumerate(sizes):
        parents = [int(u) for u in rng.permutation(v)[:3]]
        while math.prod(sizes[u] for u in parents) * r > 50_000:
            parents.pop()
        weights = rng.random((*(sizes[u] for u in parents), r)) + 1e-3
        table = weights / weights.sum(axis=-1, keepdims=True)
        variables[f"v{v}"] = ([str(k) for k in range(r)], [f"v{u}" for u in parents], table)
    net = BayesNet.from_tables(variables)
    given = {"v6": "0", "v4": str(sizes[4] - 1)} if seed % 2 else {"v5": "0"}
    found = compile_net(net, strategy=strategy).posteriors(given=given)
    for name in net.names:
        if name not in given:
            values, log_evidence = eliminated(net, [name], given)
            assert_close(found[name].values, values)
            assert found.log_evidence == pytest.approx(log_evidence, abs=1e-12)
