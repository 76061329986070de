"""TAN and naive Bayes as searches: the star, the tree, knowledge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine
from bayesloom.errors import KnowledgeError, OptionError, UnknownVariableError
from bayesloom.graphs import bits
from bayesloom.scores import LogLikelihood
from bayesloom.search import TAN, Budget, Knowledge, Limits, NaiveBayes, Stop, Watch
from reference_graphs import arcs_of
from reference_search import Law, run
from strategies_search import Known, known, rich_table, tables


@given(tables(2, 6))
@settings(max_examples=30)
def test_the_class_is_above_every_attribute_that_varies(table: Table) -> None:
    target = table.names[0]
    for search in (NaiveBayes(target), TAN(target)):
        found = run(search, table)
        varying = {n for n, seen in zip(table.names, table.observed, strict=True) if seen > 1}
        expected = varying - {target} if target in varying else set()
        assert set(found.dag.children_of(target)) == expected
        assert found.dag.parents_of(target) == ()


@given(tables(3, 6, rows=(60, 200)))
@settings(max_examples=30)
def test_the_likelihood_is_that_of_naive_bayes_plus_the_weight_of_the_tree(table: Table) -> None:
    target = table.names[0]
    star = run(NaiveBayes(target, LogLikelihood()), table)
    tree = run(TAN(target, score=LogLikelihood()), table)
    engine = NativeEngine(table)
    edges = [
        (p, v) for v in range(1, len(table.names)) for p in bits(tree.dag.parents[v]) if p != 0
    ]
    assert all(len({*bits(tree.dag.parents[v])} - {0}) <= 1 for v in range(len(table.names)))
    if edges and table.observed[0] > 1:
        weights = engine.informations(Batch.of((v, (0,), (p,)) for p, v in edges))
        gain = table.n_rows * weights.sum()
        assert tree.score - star.score == pytest.approx(gain, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", [NaiveBayes, TAN])
@given(tables(2, 6), st.data())
@settings(max_examples=30)
def test_knowledge_is_kept_or_refused(
    kind: type[NaiveBayes | TAN], table: Table, data: st.DataObject
) -> None:
    drawn: Known = data.draw(known(table.names))
    law = Law.of(drawn.knowledge, table.names, drawn.max_parents)
    try:
        found = run(kind(table.names[0]), table, drawn.limits(table.names))
    except KnowledgeError:
        return
    assert law.holds(arcs_of(found.dag.parents))


def test_knowledge_that_stands_against_the_structure_gets_a_sentence() -> None:
    table = rich_table(1, 4, 4).in_name_order()
    engine = NativeEngine(table)
    a, b, c, d = table.names

    def searched(search: NaiveBayes | TAN, **knowledge: object) -> None:
        limits = Knowledge(**knowledge).limits(table.names)  # type: ignore[arg-type]
        search.search(engine, limits, Watch())

    for search in (NaiveBayes(a), TAN(a)):
        with pytest.raises(KnowledgeError, match=f"the class {a} has no parents, but {b} is"):
            searched(search, required=[(b, a)])
    with pytest.raises(KnowledgeError, match=f"more are required for {d}"):
        searched(TAN(a), required=[(b, d), (c, d)])
    with pytest.raises(KnowledgeError, match=f"the root {b} has no parents"):
        searched(TAN(a, root=b), required=[(c, b)])


def test_the_root_leads_the_tree() -> None:
    table = rich_table(3, 5, 5).in_name_order()
    for root in table.names[1:]:
        found = run(TAN(table.names[0], root=root), table)
        assert set(found.dag.parents_of(root)) <= {table.names[0]}


def test_a_step_limit_keeps_what_was_inserted() -> None:
    table = rich_table(1, 5, 5).in_name_order()
    watch = Watch(Budget(max_steps=2))
    found = TAN(table.names[0]).search(NativeEngine(table), Limits.none(table.names), watch)
    assert (found.stop, found.dag.n_edges, len(found.steps)) == (Stop.STEP_LIMIT, 2, 2)


def test_the_pseudocount_changes_the_weights_and_nothing_else() -> None:
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, r, 12) for r in (2, 2, 9, 9)]
    table = Table("ABCD", [[f"s{k}" for k in range(r)] for r in (2, 2, 9, 9)], columns)
    plain, smooth = run(TAN("A"), table), run(TAN("A", pseudocount=1.0), table)
    assert plain.dag.n_edges == smooth.dag.n_edges == 5
    assert plain.dag.has_edge("C", "D")
    assert plain.dag != smooth.dag or plain.score == smooth.score


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": 3}, "target must be the name of the class variable"),
        ({"target": "A", "root": "A"}, "the root of the tree must be an attribute, and A is the"),
        ({"target": "A", "pseudocount": -1}, "pseudocount must be"),
    ],
)
def test_bad_options_are_refused_when_the_search_is_made(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        TAN(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("search", [NaiveBayes("Z"), TAN("Z"), TAN("A", root="Z")], ids=repr)
def test_a_class_or_a_root_that_is_not_there_is_refused(search: NaiveBayes | TAN) -> None:
    table = Table("AB", ["xy", "xy"], [[0, 1], [1, 0]])
    with pytest.raises(UnknownVariableError, match="'Z' as the"):
        run(search, table)
