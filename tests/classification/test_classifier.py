"""The probabilities of a classifier are those of its network, whatever cells are missing."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom import _native
from bayesloom.arrays import Ints
from bayesloom.classification import Classifier
from bayesloom.errors import DataError, ModelError, OptionError, UnknownVariableError
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet, random_dag, random_net
from reference_inference import enumerated
from strategies_model import bayes_nets

NO_YES = ["no", "yes"]


def slow(classifier: Classifier, row: list[int]) -> list[float] | None:
    """The posterior by enumeration of the joint distribution; None for an impossible row."""
    net = classifier.net
    told = {
        name: net.states_of(name)[code]
        for name, code in zip(classifier.names, row, strict=True)
        if code >= 0
    }
    table, weight = enumerated(net, [classifier.target], told, {})
    return (np.asarray(table).ravel() / weight).tolist() if weight else None


def drawn_codes(net: BayesNet, names: tuple[str, ...], rows: int, seed: int) -> Ints:
    rng = np.random.default_rng(seed)
    return np.array(
        [rng.integers(-1, len(net.states_of(name)), rows) for name in names], np.int32
    ).reshape(len(names), rows)


def check(classifier: Classifier, codes: Ints) -> None:
    logs = classifier.log_probabilities(codes)
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0, rtol=1e-12)
    for k, row in enumerate(codes.T.tolist()):
        expected = slow(classifier, row)
        if expected is not None:
            np.testing.assert_allclose(np.exp(logs[k]), expected, rtol=1e-9, atol=1e-12)


@given(bayes_nets(5), st.data())
@settings(max_examples=60)
def test_any_network_gives_its_exact_posteriors_for_any_missing_cells(
    net: BayesNet, data: st.DataObject
) -> None:
    target = data.draw(st.sampled_from(net.names))
    classifier = Classifier(net, target)
    check(classifier, drawn_codes(net, classifier.names, 6, data.draw(st.integers(0, 99))))


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 4))
@settings(max_examples=60)
def test_trees_give_their_exact_posteriors_for_any_missing_cells(
    seed: int, attributes: int, classes: int
) -> None:
    """Every attribute below the class or not, and below an earlier attribute or not."""
    rng = np.random.default_rng(seed)
    parents = [0]
    for v in range(1, attributes + 1):
        below = int(rng.integers(0, v))
        parents.append((1 << below if below else 0) | int(rng.random() < 0.8))
    dag = DAG(tuple("CABDEFG"[: attributes + 1]), tuple(parents))
    states = (classes, *rng.integers(1, 4, attributes).tolist())
    labels = [[f"s{k}" for k in range(r)] for r in states]
    tables = []
    for v, mask in enumerate(dag.parents):
        shape = [states[u] for u in range(v) if mask >> u & 1]
        tables.append(rng.dirichlet(np.ones(states[v]), size=shape or None))
    net = BayesNet(dag, tuple(map(tuple, labels)), tuple(tables))
    classifier = Classifier(net, "C")
    check(classifier, drawn_codes(net, classifier.names, 20, seed))


def star(m: int, chance: float) -> BayesNet:
    given_class = [[chance, 1 - chance], [1 - chance, chance]]
    attributes = {f"x{v}": (NO_YES, ["class"], given_class) for v in range(m)}
    return BayesNet.from_tables({"class": (NO_YES, [], [0.5, 0.5]), **attributes})


def test_thousands_of_attributes_do_not_underflow() -> None:
    classifier = Classifier(star(5000, 1e-3), "class")
    logs = classifier.log_probabilities(np.zeros((5000, 1), np.int32))
    expected = 5000 * (math.log(1e-3) - math.log(1 - 1e-3))
    assert logs[0, 0] == pytest.approx(expected, rel=1e-12)
    assert logs[0, 1] == 0.0


def test_a_missing_hub_of_thousands_of_attributes_does_not_underflow() -> None:
    hub: Any = {
        "class": (NO_YES, [], [0.5, 0.5]),
        "hub": (NO_YES, ["class"], [[0.7, 0.3], [0.2, 0.8]]),
    }
    table = np.full((2, 2, 2), 0.5)
    table[..., 0] = [[1e-3, 2e-3], [2e-3, 1e-3]]
    table[..., 1] = 1 - table[..., 0]
    leaves = {f"x{v}": (NO_YES, ["class", "hub"], table) for v in range(3000)}
    classifier = Classifier(BayesNet.from_tables({**hub, **leaves}), "class")
    codes = np.zeros((3001, 1), np.int32)
    codes[0] = -1
    found = classifier.log_probabilities(codes)[0]
    n = 3000
    joint = [
        np.logaddexp(math.log(0.7) + n * math.log(1e-3), math.log(0.3) + n * math.log(2e-3)),
        np.logaddexp(math.log(0.2) + n * math.log(2e-3), math.log(0.8) + n * math.log(1e-3)),
    ]
    assert found[0] - found[1] == pytest.approx(joint[0] - joint[1], abs=1e-6)


def test_threads_and_the_order_of_rows_change_no_bit() -> None:
    net = random_net(random_dag(8, 3, edges=14), 3, states=(2, 4))
    classifier = Classifier(net, net.names[0])
    codes = drawn_codes(net, classifier.names, 5000, 1)
    first = classifier.log_probabilities(codes, threads=1)
    assert (classifier.log_probabilities(codes, threads=3) == first).all()
    order = np.random.default_rng(1).permutation(5000)
    assert (classifier.log_probabilities(codes[:, order], threads=2) == first[order]).all()


def test_a_row_that_is_impossible_under_every_class_gets_the_probabilities_without_attributes() -> (
    None
):
    table = [[1.0, 0.0], [1.0, 0.0]]
    net = BayesNet.from_tables(
        {"class": (NO_YES, [], [0.25, 0.75]), "x": (NO_YES, ["class"], table)}
    )
    np.testing.assert_allclose(
        Classifier(net, "class").probabilities({"x": ["yes"]}), [[0.25, 0.75]]
    )


def test_without_attributes_every_row_gets_the_prior() -> None:
    classifier = Classifier(BayesNet.from_tables({"class": (NO_YES, [], [0.25, 0.75])}), "class")
    np.testing.assert_allclose(
        np.exp(classifier.log_probabilities(np.zeros((0, 3), np.int32))), [[0.25, 0.75]] * 3
    )


def test_equally_probable_classes_go_to_the_first() -> None:
    classifier = Classifier(star(2, 0.5), "class")
    assert classifier.best(np.zeros((2, 3), np.int32)).tolist() == [0, 0, 0]


def test_columns_are_matched_by_name_and_further_ones_ignored() -> None:
    classifier = Classifier(star(2, 0.9), "class")
    told = classifier.predict({"other": ["a", "b"], "x1": ["yes", "no"], "x0": ["yes", "no"]})
    assert told.tolist() == ["yes", "no"]
    with pytest.raises(DataError, match=r"must have every attribute of the classifier; .*'x1'"):
        classifier.predict({"x0": ["yes"]})


def test_unseen_states_are_not_known_or_refused_with_their_place() -> None:
    classifier = Classifier(star(1, 0.9), "class")
    np.testing.assert_allclose(classifier.probabilities({"x0": ["maybe"]}), [[0.5, 0.5]])
    with pytest.raises(DataError, match=r"row 1 .*'x0': the state 'maybe' was not there"):
        classifier.predict({"x0": ["no", "maybe"]}, unseen="error")
    with pytest.raises(OptionError, match='unseen must be "missing" or "error"'):
        classifier.predict({"x0": ["no"]}, unseen="ignore")  # type: ignore[arg-type]


def test_a_copy_from_another_process_says_the_same() -> None:
    classifier = Classifier(star(3, 0.8), "class")
    copy = pickle.loads(pickle.dumps(classifier))
    codes = drawn_codes(classifier.net, classifier.names, 9, 2)
    assert (copy.log_probabilities(codes) == classifier.log_probabilities(codes)).all()


def test_parts_that_do_not_fit_are_refused() -> None:
    net = star(1, 0.9)
    with pytest.raises(UnknownVariableError, match="'flu'"):
        Classifier(net, "flu")
    with pytest.raises(UnknownVariableError, match="among the cuts"):
        Classifier(net, "class", {"y": (1.0,)})
    with pytest.raises(ModelError, match="do not make its bins, which are no, yes"):
        Classifier(net, "class", {"x0": (1.0,)})
    with pytest.raises(DataError, match="no codes of the classifier's attributes"):
        Classifier(net, "class").log_probabilities(np.full((1, 2), 2, np.int32))
    with pytest.raises(DataError, match="no codes of the classifier's attributes"):
        Classifier(net, "class").log_probabilities(np.zeros((2, 2), np.int32))


ONE = {
    "states": np.array([2], np.int32),
    "prior": np.zeros(2),
    "column_start": np.array([0, 1], np.int64),
    "column": np.array([0], np.int32),
    "table_start": np.array([0, 4], np.int64),
    "logs": np.zeros(4),
    "tree": True,
}


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"prior": np.zeros(0)}, "at least one class"),
        ({"states": np.array([0], np.int32)}, "at least one state"),
        ({"column": np.array([1], np.int32)}, "must exist"),
        ({"column_start": np.array([0, 2], np.int64)}, "do not fit"),
        ({"column_start": np.zeros(0, np.int64)}, "do not fit"),
        ({"table_start": np.array([0, 3], np.int64)}, "do not fit"),
        ({"logs": np.zeros(6), "table_start": np.array([0, 6], np.int64)}, "number of cells"),
        ({"table_start": np.array([0, 2, 4], np.int64)}, "columns and a table"),
        (
            {
                "column_start": np.array([0, 1, 2], np.int64),
                "column": np.array([0, 0], np.int32),
                "table_start": np.array([0, 4, 8], np.int64),
                "logs": np.zeros(8),
            },
            "once for every column",
        ),
    ],
)
def test_the_native_module_refuses_factors_that_do_not_fit(
    part: dict[str, object], message: str
) -> None:
    given_parts = {**ONE, **part}
    with pytest.raises(ValueError, match=message):
        _native.ClassOdds(**given_parts)  # type: ignore[arg-type]


def test_the_native_module_refuses_codes_outside_of_the_tables() -> None:
    odds = _native.ClassOdds(**ONE)  # type: ignore[arg-type]
    for code in (2, -2):
        with pytest.raises(ValueError, match="a code does not exist"):
            odds.logs(np.full((1, 1), code, np.int32), 1)
    with pytest.raises(ValueError, match="at least one thread"):
        odds.logs(np.zeros((1, 1), np.int32), 0)
