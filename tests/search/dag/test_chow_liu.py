from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine
from bayesloom.errors import KnowledgeError, OptionError, UnknownVariableError
from bayesloom.graphs import bits, topological_order
from bayesloom.scores import BIC, LogLikelihood, Score
from bayesloom.search import ChowLiu, Knowledge, SpanningTree, Stop
from example_samples import sampled
from reference_graphs import Links, arcs_of, descendants, skeleton
from reference_search import Scorer, all_forests, all_trees, replayed, run
from strategies_search import rich_table, rich_tables, scores, tables


def informations(table: Table) -> dict[frozenset[int], float]:
    """Return the mutual information of every pair by its definition, from entropies."""
    engine, n = NativeEngine(table, threads=1), table.n_columns
    alone = engine.entropies(Batch.sets([(v,) for v in range(n)]))
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    joint = engine.entropies(Batch.sets(pairs))
    return {
        frozenset((a, b)): float(alone[a] + alone[b] - h)
        for (a, b), h in zip(pairs, joint, strict=True)
    }


def weight(links: Links, table: Table) -> float:
    known = informations(table)
    return sum(known[link] for link in links)


@given(tables(2, 6) | rich_tables(4, 6))
@settings(max_examples=40)
def test_no_tree_of_all_has_more_weight(table: Table) -> None:
    known = informations(table)
    found = sum(known[link] for link in skeleton(arcs_of(run(ChowLiu(), table).dag.parent_masks)))
    best = max(sum(known[link] for link in tree) for tree in all_trees(table.n_columns))
    assert found == pytest.approx(best, abs=1e-9)


@given(tables(2, 5) | rich_tables(3, 5))
@settings(max_examples=60)
def test_the_forest_is_the_best_by_bic_of_all(table: Table) -> None:
    scorer = Scorer.of(table, BIC())
    found = run(ChowLiu(forest=True), table)
    empty = scorer.total(frozenset())
    gain = {
        frozenset((a, b)): scorer.family(b, [a]) - scorer.family(b, [])
        for a in range(table.n_columns)
        for b in range(a + 1, table.n_columns)
    }
    best = max(sum(gain[link] for link in forest) for forest in all_forests(table.n_columns))
    assert found.score == pytest.approx(empty + best, abs=1e-6)


@given(tables(1, 6) | rich_tables(4, 7))
@settings(max_examples=60)
def test_the_likelihood_is_that_of_the_edges_informations(table: Table) -> None:
    """LL = N (sum of I over the edges - sum of H over the variables)."""
    engine = NativeEngine(table, threads=1)
    found = run(ChowLiu(score=LogLikelihood()), table)
    entropies = engine.entropies(Batch.sets([(v,) for v in range(table.n_columns)]))
    edges = weight(skeleton(arcs_of(found.dag.parent_masks)), table)
    assert found.score == pytest.approx(table.n_rows * (edges - entropies.sum()), abs=1e-6)


@given(tables(1, 7), st.booleans())
@settings(max_examples=60)
def test_prim_and_kruskal_give_the_same_tree(table: Table, forest: bool) -> None:  # noqa: FBT001
    prim, kruskal = (
        run(ChowLiu(forest=forest, algorithm=algorithm), table) for algorithm in SpanningTree
    )
    assert prim == kruskal


@pytest.mark.parametrize("network", ["asia", "child", "alarm"])
def test_prim_and_kruskal_give_the_same_tree_of_real_networks(network: str) -> None:
    table = sampled(network, 1000).in_name_order()
    prim, kruskal = (run(ChowLiu(algorithm=algorithm), table) for algorithm in SpanningTree)
    assert prim.dag == kruskal.dag


@given(tables(1, 6), st.data())
@settings(max_examples=40)
def test_the_edges_lead_away_from_the_root(table: Table, data: st.DataObject) -> None:
    root = data.draw(st.sampled_from(table.names))
    found = run(ChowLiu(root=root), table)
    arcs = arcs_of(found.dag.parent_masks)
    varied = {v for v in range(table.n_columns) if table.observed[v] > 1}
    assert all(mask.bit_count() <= 1 for mask in found.dag.parent_masks)
    v = table.index(root)
    assert found.dag.parent_masks[v] == 0
    if v in varied:
        assert descendants(arcs, v) == varied


@given(tables(1, 6), scores(), st.booleans())
@settings(max_examples=60)
def test_the_steps_lead_to_the_tree_and_their_gains_to_its_score(
    table: Table,
    score: Score,
    forest: bool,  # noqa: FBT001
) -> None:
    found = run(ChowLiu(score=score, forest=forest), table)
    scorer = Scorer.of(table, score)
    assert found.stop is Stop.COMPLETE
    assert replayed(found.steps, frozenset()) == arcs_of(found.dag.parent_masks)
    gained = math.fsum(step.gain for step in found.steps)
    assert gained == pytest.approx(found.score - scorer.total(frozenset()), abs=1e-6)
    assert found.score == pytest.approx(scorer.total(arcs_of(found.dag.parent_masks)), abs=1e-6)


def test_an_edge_that_must_be_there_is_and_the_rest_is_the_best_that_fits() -> None:
    table = rich_table(2, 5, 5)
    required = [("B", "D")]
    found = run(ChowLiu(), table, Knowledge(required=required).limits(table.names))
    assert found.dag.has_edge("B", "D")
    rivals = [tree for tree in all_trees(5) if frozenset((1, 3)) in tree]
    links = skeleton(arcs_of(found.dag.parent_masks))
    assert weight(links, table) == pytest.approx(max(weight(tree, table) for tree in rivals))


def test_pairs_kept_apart_are_and_the_rest_is_the_best_that_fits() -> None:
    table = rich_table(4, 5, 5)
    apart = next(iter(skeleton(arcs_of(run(ChowLiu(), table).dag.parent_masks))))
    a, b = (table.names[v] for v in bits(sum(1 << v for v in apart)))
    found = run(ChowLiu(), table, Knowledge(forbidden=[(a, b), (b, a)]).limits(table.names))
    links = skeleton(arcs_of(found.dag.parent_masks))
    rivals = [tree for tree in all_trees(5) if apart not in tree]
    assert apart not in links
    assert weight(links, table) == pytest.approx(max(weight(tree, table) for tree in rivals))


@given(rich_tables(4, 4), st.data())
@settings(max_examples=60)
def test_directions_that_are_known_leave_the_best_tree_that_keeps_to_them(
    table: Table, data: st.DataObject
) -> None:
    pairs = [(a, b) for a in table.names for b in table.names if a != b]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True, max_size=7))
    knowledge = Knowledge(forbidden=chosen)
    limits = knowledge.limits(table.names)
    found = run(ChowLiu(), table, limits)
    assert limits.keeps(found.dag.parent_masks)
    known = informations(table)
    choices = [[None, *bits(limits.allowed[v])] for v in range(table.n_columns)]
    best = 0.0
    for parents in itertools.product(*choices):
        masks = [0 if p is None else 1 << p for p in parents]
        if len(topological_order(masks)) == len(masks):
            links = [frozenset((p, v)) for v, p in enumerate(parents) if p is not None]
            best = max(best, sum(known[link] for link in links))
    assert weight(skeleton(arcs_of(found.dag.parent_masks)), table) == pytest.approx(best, abs=1e-9)


def test_a_known_root_turns_the_tree_round_instead_of_cutting_it() -> None:
    table = rich_table(3, 5, 5)
    links = skeleton(arcs_of(run(ChowLiu(), table).dag.parent_masks))
    for name in table.names:
        found = run(ChowLiu(), table, Knowledge(roots=[name]).limits(table.names))
        assert skeleton(arcs_of(found.dag.parent_masks)) == links
        assert not found.dag.parent_masks[table.names.index(name)]


def test_a_root_that_may_have_no_children_is_refused() -> None:
    table = rich_table(1, 4, 4)
    with pytest.raises(KnowledgeError, match="the root B must be allowed to have children"):
        run(ChowLiu(root="B"), table, Knowledge(leaves=["B"]).limits(table.names))


def test_knowledge_that_no_tree_can_meet_is_refused() -> None:
    table = rich_table(1, 4, 4)
    two = Knowledge(required=[("A", "B"), ("C", "B")]).limits(table.names)
    with pytest.raises(KnowledgeError, match="more are required for B"):
        run(ChowLiu(), table, two)
    with pytest.raises(KnowledgeError, match="the root B has no parents, but A is required"):
        run(ChowLiu(root="B"), table, Knowledge(required=[("A", "B")]).limits(table.names))


def test_bad_options_are_refused() -> None:
    with pytest.raises(UnknownVariableError, match="unknown variable 'Z' as the root"):
        run(ChowLiu(root="Z"), rich_table(1))
    with pytest.raises(OptionError, match="algorithm must be a SpanningTree"):
        ChowLiu(algorithm="prim")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="got 'bic'"):
        ChowLiu(score="bic")  # type: ignore[arg-type]
