"""Training: what is counted, which tree is found, what happens to numbers and to bad data."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.arrays import Floats
from bayesloom.classification import Attribute, Cases, NumberCutting, Training, train
from bayesloom.classification.structure import (
    SearchedStructure,
    StarStructure,
    TreeStructure,
    families_of,
)
from bayesloom.data import Reading
from bayesloom.errors import DataError, OptionError, UnknownVariableError
from bayesloom.graphs import bits


def drawn_cases(seed: int, *, holes: bool, weights: bool, m: int = 4, rows: int = 60) -> Cases:
    rng = np.random.default_rng(seed)
    states = rng.integers(1, 4, m)
    y = rng.integers(0, 2, rows).astype(np.int32)
    columns: list[Any] = []
    for v, r in enumerate(states):
        before = columns[-1] if v else y
        drawn = np.where(rng.random(rows) < 0.6, np.abs(before) % r, rng.integers(0, r, rows))
        columns.append(np.where(rng.random(rows) < 0.2, -1, drawn) if holes else drawn)
    attributes = tuple(
        Attribute(f"x{v}", tuple(f"s{k}" for k in range(r))) for v, r in enumerate(states)
    )
    given_weights = rng.integers(1, 4, rows).astype(np.float64) if weights else None
    codes = np.array(columns, np.int32)
    return Cases(attributes, codes, "class", ("no", "yes"), y, given_weights)


def slow_table(cases: Cases, child: int, parents: tuple[int, ...]) -> Floats:
    """Count row by row the rows in which all cells of a table are known."""
    columns = [*cases.codes, cases.y]
    table = np.zeros([len(cases.states[v]) for v in (*parents, child)])
    for row in range(len(cases.y)):
        cell = tuple(int(columns[v][row]) for v in (*parents, child))
        if min(cell) >= 0:
            table[cell] += 1.0 if cases.weights is None else cases.weights[row]
    return table


@given(seed=st.integers(0, 1000), holes=st.booleans(), weights=st.booleans())
@settings(max_examples=30)
def test_tables_are_counted_over_the_rows_where_all_their_cells_are_known(
    *, seed: int, holes: bool, weights: bool
) -> None:
    cases = drawn_cases(seed, holes=holes, weights=weights)
    families = [(v, (4,)) for v in range(4)] + [(4, ()), (1, (0, 4)), (3, (2, 4))]
    for (child, parents), table in zip(families, cases.counts(families), strict=True):
        assert (table == slow_table(cases, child, parents)).all()


def informations(cases: Cases) -> dict[tuple[int, int], float]:
    """The information of every pair given the class, by the formula."""
    m = len(cases.attributes)
    found = {}
    for x, y in combinations(range(m), 2):
        table = slow_table(cases, y, (m, x))
        total = 0.0
        for c, a, b in product(*map(range, table.shape)):
            n, n_c = table[c, a, b], table[c].sum()
            if n:
                total += n * np.log(n * n_c / (table[c, a].sum() * table[c, :, b].sum()))
        found[x, y] = total / table.sum() if table.sum() else 0.0
    return found


def tree_weight(cases: Cases, structure: TreeStructure) -> tuple[float, int]:
    """The weight of the tree among the attributes, and its number of edges."""
    known, m = informations(cases), len(cases.attributes)
    dag = structure.dag(cases)
    edges = [(p, v) for v in range(m) for p in bits(dag.parent_masks[v]) if p != m]
    assert all(dag.parent_masks[v] >> m & 1 for v in range(m))
    assert dag.parent_masks[m] == 0
    return sum(known[min(edge), max(edge)] for edge in edges), len(edges)


@given(seed=st.integers(0, 1000), holes=st.booleans(), weights=st.booleans())
@settings(max_examples=30)
def test_no_tree_among_the_attributes_is_heavier(*, seed: int, holes: bool, weights: bool) -> None:
    cases = drawn_cases(seed, holes=holes, weights=weights)
    known = informations(cases)
    varying = [v for v in range(4) if len(cases.attributes[v].states) > 1]
    best = 0.0
    for edges in combinations(combinations(varying, 2), max(len(varying) - 1, 0)):
        reached = set(varying[:1])
        for _ in varying:
            reached |= {v for edge in edges if reached & set(edge) for v in edge}
        if reached == set(varying):
            best = max(best, sum(known[edge] for edge in edges))
    found, n_edges = tree_weight(cases, TreeStructure())
    assert n_edges == max(len(varying) - 1, 0)
    assert found == pytest.approx(best, abs=1e-12)


def test_a_forest_leaves_out_edges_that_do_not_pay() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 400)
    a = rng.integers(0, 2, 400)
    frame = {
        "class": y,
        "a": a,
        "copy": a ^ (rng.random(400) < 0.1),
        "noise": rng.integers(0, 2, 400),
    }
    tree = train(frame, "class", Training(TreeStructure()))
    forest = train(frame, "class", Training(TreeStructure(forest=True)))
    assert ("a", "copy") in forest.net.edges
    assert len(tree.net.edges) == 5
    assert len(forest.net.edges) == 4


def test_the_root_is_the_first_attribute_by_name_or_the_chosen_one() -> None:
    frame = {"b": [0, 0, 1, 1] * 9, "a": [0, 0, 1, 1] * 9, "class": [0, 1] * 18}
    assert ("a", "b") in train(frame, "class").net.edges
    assert ("b", "a") in train(frame, "class", Training(TreeStructure(root="b"))).net.edges
    with pytest.raises(UnknownVariableError, match="as the root"):
        train(frame, "class", Training(TreeStructure(root="z")))


@pytest.mark.parametrize("root", [None, "c"])
@given(seed=st.integers(0, 1000), ties=st.booleans())
@settings(max_examples=20)
def test_the_order_of_the_columns_changes_no_tree(
    root: str | None, *, seed: int, ties: bool
) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 3, (1 if ties else 5, 40))
    frame = {name: cells[v % len(cells)] for v, name in enumerate("abcde")}
    frame["class"] = rng.integers(0, 2, 40)
    turned = {name: frame[name] for name in rng.permutation(list(frame))}
    nets = [train(f, "class", Training(TreeStructure(root))).net for f in (frame, turned)]
    assert set(nets[0].edges) == set(nets[1].edges)


def test_a_searched_structure_may_have_the_class_anywhere_or_above_every_attribute() -> None:
    rng = np.random.default_rng(1)
    cause = rng.integers(0, 2, 500)
    y = cause ^ (rng.random(500) < 0.1)
    frame = {"cause": cause, "class": y, "noise": rng.integers(0, 2, 500)}
    free = train(frame, "class", Training(SearchedStructure(bl.HillClimbing(bl.BIC()))))
    assert free.used == ("cause",)
    above = train(frame, "class", Training(SearchedStructure(bl.GES(), augmented=True)))
    assert {("class", "cause"), ("class", "noise")} <= set(above.net.edges)
    rows = {"cause": ["0", "1", None], "noise": ["1", None, "0"]}
    assert free.predict(rows).tolist()[:2] == above.predict(rows).tolist()[:2] == ["0", "1"]


def test_numbers_are_cut_by_the_class_and_few_whole_numbers_are_categories() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    frame = {
        "class": y,
        "age": 20.5 + 30 * y + rng.normal(0, 3, 200),
        "rooms": rng.integers(1, 6, 200),
    }
    classifier = train(frame, "class")
    assert len(classifier.cuts["age"]) == 1
    assert 25 < classifier.cuts["age"][0] < 46
    assert "rooms" not in classifier.cuts
    told = train(frame, "class", Training(numbers=["rooms"], categories=[]))
    assert told.cuts["rooms"] == ()
    assert told.net.states_of("rooms") == ("(-inf,inf)",)


@pytest.mark.parametrize("how", ["mdl", "frequency", "width"])
def test_the_cuts_of_a_number_put_every_training_value_into_the_bin_of_its_label(how: str) -> None:
    rng = np.random.default_rng(2)
    numbers = np.unique(np.round(rng.normal(0, 1, 80), 2))
    by_class = np.stack([rng.integers(0, 3, len(numbers)), (numbers > 0) * 3], axis=1)
    by_class[0] = 1
    cuts = NumberCutting(how, 4).cuts(numbers, by_class)  # type: ignore[arg-type]
    assert cuts == tuple(sorted(set(cuts)))
    assert cuts
    from bayesloom.classification.cutting import bins_of
    from bayesloom.data.interval import interval_labels

    for number, k in zip(numbers, bins_of(numbers, cuts), strict=True):
        low, high = interval_labels(cuts)[k][1:-1].split(",")
        assert float(low) < number <= float(high)


def test_whole_weights_count_like_repeated_rows() -> None:
    cases = drawn_cases(5, holes=True, weights=True)
    again = np.repeat(np.arange(60), cases.weights.astype(int))  # type: ignore[union-attr]
    repeated = Cases(
        cases.attributes, cases.codes[:, again], "class", cases.classes, cases.y[again]
    )
    for structure in (StarStructure(), TreeStructure(), TreeStructure(forest=True)):
        dag = structure.dag(cases)
        assert dag == structure.dag(repeated)
        for one, other in zip(
            cases.counts(families_of(dag)), repeated.counts(families_of(dag)), strict=True
        ):
            assert (one == other).all()


def test_a_state_called_missing_is_a_state_beside_missing_cells() -> None:
    frame = {"x": ["missing", "a", None, "a"] * 5, "class": ["n", "y"] * 10}
    assert train(frame, "class").net.states_of("x") == ("a", "missing")


def test_one_class_is_always_told() -> None:
    classifier = train({"x": ["a", "b"], "class": ["only", "only"]}, "class")
    assert classifier.predict({"x": ["a", "c"]}).tolist() == ["only", "only"]
    np.testing.assert_array_equal(classifier.probabilities({"x": ["a"]}), [[1.0]])


def test_ten_thousand_classes_are_told_apart() -> None:
    n = 10_000
    codes = np.arange(n)
    frame = {"low": codes % 100, "high": codes // 100, "class": [f"c{k}" for k in range(n)]}
    training = Training(StarStructure(), categories=["low", "high"])
    classifier = train(frame, "class", training)
    rows = {"low": [7, 99], "high": [3, 99]}
    assert classifier.predict(rows).tolist() == ["c307", "c9999"]


def test_a_class_never_seen_with_a_state_keeps_some_probability() -> None:
    classifier = train({"x": ["a", "a", "b"], "class": ["n", "y", "y"]}, "class")
    assert 0 < classifier.probabilities({"x": ["b"]})[0, 0] < 0.5


@pytest.mark.parametrize(
    ("frame", "options", "error", "message"),
    [
        (
            {"x": ["a", "b"], "class": ["y", None]},
            {},
            DataError,
            "the class is missing here, and in 1",
        ),
        ({"x": ["a", "b"]}, {}, UnknownVariableError, "'class' as the target"),
        (
            {"x": [f"id{k}" for k in range(40)], "class": ["n", "y"] * 20},
            {},
            DataError,
            "nearly all distinct, like an id",
        ),
        (
            {"x": [0.5 + k for k in range(40)], "class": ["n", "y"] * 20},
            {"cutting": NumberCutting("none")},
            DataError,
            "is real-valued",
        ),
        (
            {"x": ["1.5", "2.5", "oops"], "class": ["n", "y", "n"]},
            {"numbers": ["x"]},
            DataError,
            "'oops' is no finite number, but the column is one of numbers",
        ),
        ({"x": [None, None], "class": ["n", "y"]}, {}, DataError, "has no value in any row"),
        ({"x": ["a", "b"], "class": ["n", "y"]}, {"numbers": ["z"]}, UnknownVariableError, "'z'"),
        (
            {"x": [1.5, float("inf")], "class": ["n", "y"]},
            {},
            DataError,
            "inf is not a finite number",
        ),
    ],
)
def test_bad_data_get_a_sentence(
    frame: dict[str, list[object]], options: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        train(frame, "class", Training(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Training(structure="tan"),  # type: ignore[arg-type]
        lambda: Training(estimator="laplace"),  # type: ignore[arg-type]
        lambda: Training(cutting="mdl"),  # type: ignore[arg-type]
        lambda: NumberCutting("best"),  # type: ignore[arg-type]
        lambda: NumberCutting("width", bins=1),
        lambda: TreeStructure(pseudocount=-1),
        lambda: TreeStructure(forest="no"),  # type: ignore[arg-type]
        lambda: SearchedStructure(bl.GES),  # type: ignore[arg-type]
        lambda: SearchedStructure(bl.GES(), max_parents=-1),
        lambda: SearchedStructure(bl.GES(), augmented=True, max_parents=0),
    ],
)
def test_bad_options_are_refused_when_the_value_is_made(make: object) -> None:
    with pytest.raises(OptionError):
        make()  # type: ignore[operator]


def test_a_searched_structure_needs_complete_rows_and_whole_weights() -> None:
    cases = drawn_cases(1, holes=True, weights=False)
    none = Cases(cases.attributes, np.full_like(cases.codes, -1), "class", cases.classes, cases.y)
    with pytest.raises(DataError, match="every row misses a cell"):
        SearchedStructure(bl.GES()).dag(none)
    half = Cases(cases.attributes, cases.codes, "class", cases.classes, cases.y, np.full(60, 0.5))
    with pytest.raises(DataError, match="whole numbers as sample weights"):
        SearchedStructure(bl.GES()).dag(half)


@pytest.mark.parametrize("text", ["inf", "?", "unknown"])
def test_a_text_among_numbers_is_an_error_and_makes_no_category_of_them(text: str) -> None:
    cells = [text, *(f"{k % 30}.5" for k in range(99))]
    frame = {"a": cells, "class": ["x", "y"] * 50}
    with pytest.raises(DataError, match=r"column 'a': the value '.+' is no finite number, but 30"):
        train(frame, "class")
    told = train(frame, "class", reading=Reading(missing_markers=[text]))
    assert set(told.cuts) == {"a"}
    assert len(train(frame, "class", Training(categories=["a"])).net.states_of("a")) == 31


def test_a_column_is_a_category_or_a_number() -> None:
    with pytest.raises(OptionError, match="a cannot be a category and a number at once"):
        Training(categories=["a", "b"], numbers=["a"])


def test_a_real_valued_class_is_refused() -> None:
    rows = {"dose": [k / 7 for k in range(40)], "wind": ["low", "high"] * 20}
    with pytest.raises(DataError, match=r"the class 'dose' is real-valued \(40 different values\)"):
        train(rows, "dose")
    assert train({**rows, "dose": [0.5, 1.5] * 20}, "dose").classes == ("0.5", "1.5")
