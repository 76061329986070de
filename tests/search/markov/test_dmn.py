"""The search for decomposable Markov networks, against brute force, other programs and its spec."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import math
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference_dmn as slow
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import GraphError, KnowledgeError, OptionError
from bayesloom.graphs import ChordalGraph, bits, is_chordal
from bayesloom.scores import AIC, BIC, BDeu, LogLikelihood, model_entropy, model_parameters
from bayesloom.search import DMN, Budget, Knowledge, Limits, ScoredResult, Stop, Watch
from bayesloom.search.local_scores import tolerance
from every_engine import three_blocks
from strategies_search import rich_table, rich_tables, tables

DATA = Path(__file__).parents[2] / "data"


def run(
    table: Table,
    search: DMN,
    limits: Limits | None = None,
    watch: Watch | None = None,
    threads: int = 1,
) -> ScoredResult:
    engine = NativeEngine(table, threads)
    return search.search(engine, limits or Limits.none(table.names), watch or Watch())


def links_of(result: ScoredResult) -> set[tuple[str, str]]:
    assert isinstance(result.graph, ChordalGraph)
    return {(min(pair), max(pair)) for pair in result.graph.edges}


def bits_table(columns: list[list[int]] | np.ndarray[Any, Any], names: str = "ABCDEFGH") -> Table:
    return Table(list(names[: len(columns)]), [["0", "1"]] * len(columns), list(columns))


def noisy_parity(n_rows: int, noise: float, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, (2, n_rows))
    return bits_table([a, b, a ^ b ^ (rng.random(n_rows) < noise)])


@cache
def read_gzip(name: str) -> Table:
    with gzip.open(DATA / "dmn" / f"{name}.csv.gz", "rt", newline="") as file:
        names, *rows = csv.reader(file)
    return coded(names, rows)


@cache
def pseudo_independent(name: str) -> Table:
    with (DATA / "pi" / f"{name}.csv").open(newline="") as file:
        names, *rows = csv.reader(file)
    return coded(names, rows)


def coded(names: list[str], rows: list[list[str]]) -> Table:
    columns = [
        np.unique(np.array(column), return_inverse=True) for column in zip(*rows, strict=True)
    ]
    states = [labels.tolist() for labels, _ in columns]
    return Table(names, states, [codes for _, codes in columns]).in_name_order()


TRUTH: dict[str, Any] = json.loads((DATA / "pi" / "truth.json").read_text())


# Against brute force


def compare(table: Table, search: DMN, alpha: float, **options: Any) -> None:  # noqa: ANN401
    found = run(table, search)
    score = -table.n_rows * slow.gamma(table, slow.empty_graph(table.n_columns), alpha)
    epsilon = tolerance(score) / table.n_rows
    graph, steps = slow.learn(table, search.lookahead, alpha, epsilon=epsilon, **options)
    changes = [step.change for step in found.steps]
    assert [sorted(change.links) for change in changes if change] == [
        sorted(step.links) for step in steps
    ]
    for step, change, expected in zip(found.steps, changes, steps, strict=True):
        assert change is not None
        assert step.gain == pytest.approx(table.n_rows * expected.gain, abs=1e-8)
        assert change.entropy == pytest.approx(expected.entropy, abs=1e-10)
        assert change.parameters == expected.parameters
    expected_score = -table.n_rows * slow.gamma(table, graph, alpha)
    assert found.score == pytest.approx(expected_score, rel=1e-10, abs=1e-9)


@settings(max_examples=60)
@given(tables(most=6), st.integers(1, 3))
def test_every_step_is_the_best_of_all_sets_of_links(table: Table, lookahead: int) -> None:
    compare(
        table, DMN(score=BIC(), lookahead=lookahead), math.log(table.n_rows) / (2 * table.n_rows)
    )


@settings(max_examples=20)
@given(rich_tables(4, 6), st.integers(1, 3), st.sampled_from([0.0, 0.003, 0.02, 0.1]))
def test_every_step_is_the_best_whatever_the_price_of_a_parameter(
    table: Table, lookahead: int, alpha: float
) -> None:
    compare(table, DMN(lookahead=lookahead, alpha=alpha), alpha)


@settings(max_examples=15)
@given(tables(least=4, most=5, rows=(20, 60, 200, 500)), st.integers(4, 6))
def test_every_step_is_the_best_with_a_long_lookahead(table: Table, lookahead: int) -> None:
    compare(table, DMN(lookahead=lookahead, alpha=0.02), 0.02)


@settings(max_examples=12)
@given(rich_tables(4, 6), st.integers(2, 4))
def test_every_step_is_the_best_among_small_cliques(table: Table, most: int) -> None:
    def small(graph: nx.Graph[int]) -> bool:
        return max(map(len, nx.find_cliques(graph))) <= most

    compare(table, DMN(alpha=0.002, max_clique=most), 0.002, accepts=small)


@settings(max_examples=30)
@given(tables(least=2, most=6), st.data())
def test_forbidden_links_never_appear_and_the_rest_is_searched_as_ever(
    table: Table, data: st.DataObject
) -> None:
    pairs = list(combinations(table.names, 2))
    barred = data.draw(st.lists(st.sampled_from(pairs), max_size=5))
    limits = Knowledge(forbidden=(*barred, *((b, a) for a, b in barred))).limits(table.names)
    found = run(table, DMN(alpha=0.01), limits)
    index = {name: v for v, name in enumerate(table.names)}
    banned = [(index[a], index[b]) for a, b in barred]

    def allowed(graph: nx.Graph[int]) -> bool:
        return not any(graph.has_edge(*pair) for pair in banned)

    score = -table.n_rows * slow.gamma(table, slow.empty_graph(table.n_columns), 0.01)
    epsilon = tolerance(score) / table.n_rows
    graph, _ = slow.learn(table, 3, 0.01, epsilon=epsilon, accepts=allowed)
    assert not links_of(found) & {(min(p), max(p)) for p in barred}
    assert found.score == pytest.approx(-table.n_rows * slow.gamma(table, graph, 0.01), rel=1e-9)


@settings(max_examples=15)
@given(rich_tables(4, 6), st.integers(1, 3))
def test_growing_and_shrinking_end_where_neither_helps(table: Table, lookahead: int) -> None:
    alpha = 0.01
    found = run(table, DMN(lookahead=lookahead, alpha=alpha, backward=True))
    assert isinstance(found.graph, ChordalGraph)
    graph = slow.empty_graph(table.n_columns)
    index = {name: v for v, name in enumerate(table.names)}
    graph.add_edges_from((index[a], index[b]) for a, b in found.graph.edges)
    here = slow.gamma(table, graph, alpha)
    for size in range(1, lookahead + 1):
        for links in slow.admissible(graph, size):
            assert slow.change(table, graph, links, alpha).gain <= 1e-9
    for link in list(graph.edges):
        smaller = graph.copy()
        smaller.remove_edge(*link)
        if slow.is_chordal(smaller):
            assert slow.gamma(table, smaller, alpha) >= here - 1e-9
    assert found.stop is Stop.LOCAL_OPTIMUM


@settings(max_examples=30)
@given(rich_tables(4, 7), st.data())
def test_shrinking_from_a_graph_with_too_many_links_leads_on_to_growth(
    table: Table, data: st.DataObject
) -> None:
    # From the complete graph nothing can be added first; after shrinking it can.
    order = data.draw(st.permutations(table.names))
    start = ChordalGraph.from_cliques([order])
    found = run(table, DMN(score=BIC(), lookahead=2, start=start, backward=True))
    again = run(table, DMN(score=BIC(), lookahead=2, start=found.graph, backward=True))  # type: ignore[arg-type]
    assert found.score >= BIC().total(
        NativeEngine(table), start.to_dag().reordered(table.names).parent_masks
    )
    assert not again.steps
    assert again.score == found.score


@settings(max_examples=8)
@given(rich_tables(7, 8), st.sampled_from([0.0005, 0.002, 0.01]))
def test_what_is_kept_up_to_date_equals_what_is_looked_for_anew(table: Table, alpha: float) -> None:
    whole = run(table, DMN(alpha=alpha, max_clique=5))
    for done in range(1, len(whole.steps)):
        part = run(table, DMN(alpha=alpha, max_clique=5), watch=Watch(Budget(max_steps=done)))
        rest = run(table, DMN(alpha=alpha, max_clique=5, start=part.graph))  # type: ignore[arg-type]
        assert (*part.steps, *rest.steps) == whole.steps
    shrunk = run(table, DMN(alpha=alpha, max_clique=5, backward=True))
    again = DMN(alpha=alpha, max_clique=5, backward=True, start=shrunk.graph)  # type: ignore[arg-type]
    assert run(table, again).steps == ()


@pytest.mark.parametrize("seed", [3, 9, 13, 15, 45])
def test_growth_goes_on_after_shrinking(seed: int) -> None:
    table = rich_table(seed, 5, 7)
    start = None if seed in {15, 45} else ChordalGraph.from_cliques([table.names])
    found = run(table, DMN(score=BIC(), lookahead=2, start=start, backward=True))
    kinds = [step.operator for step in found.steps]
    assert ("unlink", "link") in list(pairwise(kinds))


# Laws


@settings(max_examples=60)
@given(table=tables(least=1, most=7), lookahead=st.integers(1, 4), backward=st.booleans())
def test_the_result_is_chordal_and_its_score_is_bic_of_its_dag(
    table: Table, lookahead: int, *, backward: bool
) -> None:
    found = run(table, DMN(score=BIC(), lookahead=lookahead, backward=backward))
    assert isinstance(found.graph, ChordalGraph)
    assert is_chordal(found.graph.adjacency)
    assert found.dag == found.graph.to_dag()
    engine = NativeEngine(table)
    assert found.score == BIC().total(engine, found.dag.parent_masks)
    empty = BIC().total(engine, (0,) * table.n_columns)
    gained = math.fsum(step.gain for step in found.steps)
    assert found.score == pytest.approx(empty + gained, rel=1e-9, abs=1e-9)
    assert all(step.gain > 0 for step in found.steps)


@pytest.mark.parametrize("score", [LogLikelihood(), AIC(), BIC(penalty=0.3), BIC(kappa=0.7)])
def test_the_score_is_that_of_its_dag_for_every_price(score: LogLikelihood) -> None:
    table = read_gzip("insurance-5000").select(list(read_gzip("insurance-5000").names[:7]))
    found = run(table, DMN(score=score, max_clique=4))
    total = score.total(NativeEngine(table), found.dag.parent_masks)
    assert found.score == pytest.approx(total, rel=1e-12)


def test_one_nth_as_price_is_aic() -> None:
    table = read_gzip("insurance-5000")
    by_alpha = run(table, DMN(lookahead=1, alpha=1 / 5000))
    by_score = run(table, DMN(lookahead=1, score=AIC()))
    assert by_alpha.graph == by_score.graph
    assert DMN(alpha=1 / 5000).goal(5000).price(5000) == pytest.approx(1.0)


@settings(max_examples=30)
@given(tables(least=2, most=6), st.data())
def test_order_of_columns_and_rows_and_threads_change_nothing(
    table: Table, data: st.DataObject
) -> None:
    columns = data.draw(st.permutations(table.names))
    rows = np.random.default_rng(0).permutation(table.n_rows)
    codes = [table.column(name)[rows] for name in columns]
    states = [table.states[table.index(name)] for name in columns]
    shuffled = Table(columns, states, codes).in_name_order()
    one, two = run(table, DMN()), run(shuffled, DMN(), threads=2)
    assert (one.graph, one.score, one.steps) == (two.graph, two.score, two.steps)


def test_a_tie_goes_to_the_first_names() -> None:
    table = bits_table([[0, 1] * 20] * 4)
    found = run(table, DMN())
    assert [(step.x, step.y) for step in found.steps] == [(0, 1), (0, 2), (0, 3)]


def test_one_variable_and_constant_columns_get_no_links() -> None:
    alone = run(Table(["A"], [["x", "y"]], [[0, 1, 1]]), DMN())
    assert alone.steps == ()
    flat = Table(
        ["A", "B", "C"], [["x"], ["y", "z"], ["0", "1"]], [[0] * 9, [1] * 9, [0, 1, 1] * 3]
    )
    assert run(flat, DMN(alpha=0.0)).steps == ()


def test_two_variables_are_linked_if_they_depend() -> None:
    table = bits_table([[0, 1] * 20, [1, 0] * 20])
    assert links_of(run(table, DMN())) == {("A", "B")}


def test_one_row_gives_no_links() -> None:
    found = run(Table(["A", "B"], [["x", "y"]] * 2, [[0], [1]]), DMN())
    assert found.steps == ()
    assert found.score == 0.0


def test_without_a_price_everything_dependent_is_linked() -> None:
    rng = np.random.default_rng(3)
    table = bits_table(rng.integers(0, 2, (5, 300)))
    found = run(table, DMN(alpha=0.0))
    assert len(links_of(found)) == 10
    assert found.score == pytest.approx(-300 * slow.joint_entropy(table, range(5)), rel=1e-12)


# What single links miss


def test_single_links_find_nothing_in_balanced_parity_and_three_links_find_it() -> None:
    rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 50
    table = bits_table(np.array(rows).T)
    assert run(table, DMN(lookahead=1)).steps == ()
    assert run(table, DMN(lookahead=2)).steps == ()
    found = run(table, DMN(lookahead=3))
    assert links_of(found) == {("A", "B"), ("A", "C"), ("B", "C")}
    assert found.steps[0].change is not None
    assert found.steps[0].change.entropy == pytest.approx(math.log(2))
    assert found.steps[0].change.parameters == 4


def test_parity_of_four_bits_takes_six_links_at_once() -> None:
    rows = [(a, b, c, a ^ b ^ c) for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 30
    table = bits_table(np.array(rows).T)
    assert run(table, DMN(lookahead=5)).steps == ()
    assert len(links_of(run(table, DMN(lookahead=6)))) == 6


@pytest.mark.parametrize("n_rows", [1000, 5000])
def test_partial_pseudo_independence_takes_one_link_then_two(n_rows: int) -> None:
    # P(x1 = x2) = 0.6; P(x3 = 1 | equal) = 0.7, otherwise 0.2: in exact proportions.
    rows: list[tuple[int, int, int]] = []
    for a in (0, 1):
        for b in (0, 1):
            weight, chance = (0.3, 0.7) if a == b else (0.2, 0.2)
            for c in (0, 1):
                part = weight * (chance if c else 1 - chance)
                rows += [(a, b, c)] * round(n_rows * part)
    table = bits_table(np.array(rows).T)
    assert links_of(run(table, DMN(lookahead=1))) == {("A", "B")}
    found = run(table, DMN(lookahead=2))
    assert [len(step.change.links) for step in found.steps if step.change] == [1, 2]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_embedded_parity_takes_three_links_at_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 2000
    x0 = rng.integers(0, 2, n)
    x1 = x0 ^ (rng.random(n) < 0.25)
    x2 = rng.integers(0, 2, n)
    x3 = x1 ^ x2
    x4, x5 = x3 ^ (rng.random(n) < 0.15), x0 ^ (rng.random(n) < 0.15)
    table = Table([f"x{k}" for k in range(6)], [["0", "1"]] * 6, [x0, x1, x2, x3, x4, x5])
    chain = {("x0", "x1"), ("x3", "x4"), ("x0", "x5")}
    assert links_of(run(table, DMN(lookahead=2))) == chain
    assert links_of(run(table, DMN(lookahead=3))) == {
        *chain, ("x1", "x2"), ("x1", "x3"), ("x2", "x3"),
    }  # fmt: skip


NEEDED = {
    "full3": 3,
    "full4": 6,
    "partial3": 2,
    "partial4": 4,
    "embedded9": 3,
    "recursive8": 3,
    "control8": 1,
}


@pytest.mark.parametrize("name", NEEDED)
def test_every_pseudo_independent_data_set_is_recovered_at_its_lookahead(name: str) -> None:
    true = {(min(pair), max(pair)) for pair in TRUTH[name]["edges"]}
    found = run(pseudo_independent(name), DMN(lookahead=NEEDED[name]))
    assert links_of(found) == true
    assert isinstance(found.graph, ChordalGraph)
    assert sorted(map(sorted, found.graph.cliques())) == sorted(map(sorted, TRUTH[name]["cliques"]))


@pytest.mark.parametrize("name", [name for name in NEEDED if name != "control8"])
def test_a_shorter_lookahead_stops_at_the_links_that_are_visible_in_pairs(name: str) -> None:
    hidden = {
        (min(pair), max(pair)) for pair in TRUTH[name]["edges_between_marginally_independent_pairs"]
    }
    true = {(min(pair), max(pair)) for pair in TRUTH[name]["edges"]}
    for lookahead in range(1, NEEDED[name]):
        found = links_of(run(pseudo_independent(name), DMN(lookahead=lookahead)))
        assert found == true - hidden


def test_noisy_parity_is_found() -> None:
    found = run(noisy_parity(5000, 0.05, seed=1), DMN(lookahead=3))
    assert len(links_of(found)) == 3


# Other programs, and the sizes that the specification expects

CHORDALYSIS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "chordalysis.json").read_text()
)["rows"]


@pytest.mark.parametrize("golden", CHORDALYSIS, ids=lambda row: Path(row["file"]).stem)
def test_single_links_give_the_model_that_chordalysis_gives(golden: dict[str, Any]) -> None:
    path = Path(__file__).parents[3] / golden["file"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == golden["sha256"]
    table = read_gzip(path.name.removesuffix(".csv.gz"))
    found = run(table, DMN(score=BIC(), lookahead=1))
    assert isinstance(found.graph, ChordalGraph)
    engine = NativeEngine(table)
    assert len(found.graph.edges) == golden["links"]
    assert found.graph.junction_forest().largest == golden["largest_clique"]
    assert model_parameters(found.graph, engine) == golden["parameters"]
    assert model_entropy(found.graph, engine) == pytest.approx(golden["entropy"], abs=5.1e-5)
    assert found.score == pytest.approx(golden["bic"], abs=0.051)


def test_alarm_takes_as_many_questions_as_the_specification_expects() -> None:
    one = run(read_gzip("alarm-5000"), DMN(score=BIC(), lookahead=1))
    three = run(read_gzip("alarm-5000"), DMN(score=BIC(), lookahead=3))
    assert (len(links_of(one)), one.candidates) == (56, 793)
    assert len(links_of(three)) == 59
    assert three.score > one.score


# Options, limits and budgets


def test_a_parent_limit_is_a_limit_on_cliques() -> None:
    table = read_gzip("insurance-5000")
    limits = Limits.none(table.names, max_parents=2)
    found = run(table, DMN(lookahead=1), limits)
    assert isinstance(found.graph, ChordalGraph)
    assert found.graph.junction_forest().largest == 3
    assert max(mask.bit_count() for mask in found.dag.parent_masks) == 2
    assert any("more than 3 variables" in note for note in found.notes)


def test_refused_cliques_are_counted_in_a_note() -> None:
    table = bits_table([[0, 1, 1, 0, 1, 0, 0, 1] * 20, [0, 1] * 80, [0, 0, 1, 1] * 40])
    found = run(table, DMN(alpha=0.0, max_clique=1))
    assert found.steps == ()
    assert all("would have more than 1 variables" in note for note in found.notes)


def test_cliques_whose_table_would_not_fit_are_refused_with_a_note() -> None:
    rng = np.random.default_rng(0)
    copies = rng.integers(0, 200, 400)
    states = [str(k) for k in range(300)]
    columns = [np.where(rng.random(400) < 0.2, rng.permutation(copies), copies) for _ in range(5)]
    table = Table(list("ABCDE"), [states] * 5, columns)
    found = run(table, DMN(alpha=0.0))
    assert isinstance(found.graph, ChordalGraph)
    assert found.graph.junction_forest().largest == 2
    assert any("16,777,216 cells" in note for note in found.notes)


def test_links_that_are_not_significant_are_not_added() -> None:
    rng = np.random.default_rng(5)
    table = bits_table(rng.integers(0, 2, (6, 500)))
    assert len(links_of(run(table, DMN(alpha=0.0)))) == 15
    assert run(table, DMN(alpha=0.0, significance=1e-4)).steps == ()
    parity = noisy_parity(2000, 0.05, seed=2)
    found = run(parity, DMN(alpha=0.0, significance=1e-4))
    assert len(links_of(found)) == 3


@settings(max_examples=15)
@given(rich_tables(3, 6), st.sampled_from([0.2, 0.01, 1e-6]))
def test_every_set_that_is_added_is_significant(table: Table, level: float) -> None:
    from scipy.stats import chi2

    found = run(table, DMN(alpha=0.0, significance=level))
    for step in found.steps:
        assert step.change is not None
        p = chi2.sf(2 * table.n_rows * step.change.entropy, step.change.parameters)
        assert p <= level * (1 + 1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lookahead": 0}, "lookahead must be at least 1, got 0"),
        ({"alpha": -0.1}, "alpha must be 0 or more, got -0.1"),
        ({"alpha": math.nan}, "alpha must be 0 or more, got nan"),
        ({"alpha": math.inf}, "alpha must be 0 or more and finite, got inf"),
        ({"max_clique": 0}, "max_clique must be at least 1, got 0"),
        ({"significance": 0.0}, "significance must be between 0 and 1, got 0.0"),
        ({"significance": 1.0}, "significance must be between 0 and 1, got 1.0"),
        ({"score": BDeu()}, "LogLikelihood, AIC or BIC"),
        ({"score": BIC(per_parent=0.5)}, "without per_parent"),
        ({"score": AIC(), "alpha": 0.1}, "alpha takes the place of a score"),
        ({"start": [("A", "B")]}, "start must be a ChordalGraph"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        DMN(**options)


def test_a_start_that_is_not_chordal_is_refused() -> None:
    square = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")]
    with pytest.raises(GraphError, match="has no chord"):
        DMN(start=ChordalGraph.from_edges(square))


def test_a_start_with_other_variables_is_refused() -> None:
    start = ChordalGraph.from_edges([("A", "X")])
    with pytest.raises(GraphError, match="of the data: it lacks B and has X besides"):
        run(bits_table([[0, 1], [1, 0]]), DMN(start=start))


def test_a_start_that_breaks_the_limits_is_refused() -> None:
    table = bits_table([[0, 1], [1, 0], [0, 0]])
    limits = Knowledge(forbidden=(("A", "B"), ("B", "A"))).limits(table.names)
    start = ChordalGraph.from_cliques([["A", "B", "C"]])
    with pytest.raises(KnowledgeError, match="the start graph has the link A - B"):
        run(table, DMN(start=start), limits)
    with pytest.raises(KnowledgeError, match="clique of 3 variables, and at most 2"):
        run(table, DMN(start=start, max_clique=2))


@pytest.mark.parametrize(
    "knowledge",
    [
        Knowledge(required=(("A", "B"),)),
        Knowledge(forbidden=(("A", "B"),)),
        Knowledge(tiers=(("A",), ("B", "C"))),
        Knowledge(roots=("A",)),
        Knowledge(leaves=("C",)),
    ],
)
def test_knowledge_of_directions_is_refused(knowledge: Knowledge) -> None:
    table = bits_table([[0, 1], [1, 0], [0, 0]])
    with pytest.raises(KnowledgeError, match="has no directions"):
        run(table, DMN(), knowledge.limits(table.names))


def test_a_start_is_kept_and_grown() -> None:
    table = read_gzip("alarm-5000")
    half = run(table, DMN(score=BIC(), lookahead=1), watch=Watch(Budget(max_steps=25)))
    assert half.stop is Stop.STEP_LIMIT
    assert len(half.steps) == 25
    whole = run(table, DMN(score=BIC(), lookahead=1))
    rest = run(table, DMN(score=BIC(), lookahead=1, start=half.graph))  # type: ignore[arg-type]
    assert rest.graph == whole.graph
    assert whole.steps[25:] == rest.steps


def test_the_time_limit_keeps_what_was_found() -> None:
    table = read_gzip("alarm-5000")
    found = run(table, DMN(lookahead=6), watch=Watch(Budget(time_limit=1e-9)))
    assert found.stop is Stop.TIME_LIMIT
    assert found.steps == ()
    assert found.score == BIC().total(NativeEngine(table), found.dag.parent_masks)


def test_interruption_keeps_what_was_found() -> None:
    watch = Watch()

    def interrupt(seen: Watch) -> None:
        seen.interrupted = len(seen.steps) == 3

    watch.report = interrupt
    found = run(read_gzip("alarm-5000"), DMN(), watch=watch)
    assert found.stop is Stop.INTERRUPTED
    assert len(found.steps) == 3


@settings(max_examples=20, deadline=None)
@given(rich_tables(4, 6), st.sampled_from([3, 6]))
def test_the_quick_way_to_all_sets_of_single_nodes_changes_nothing(table: Table, k: int) -> None:
    quick = run(table, DMN(lookahead=k, alpha=0.005))
    limits = Limits.none(table.names)
    other = DMN(lookahead=k, alpha=0.005).search(three_blocks(table), limits, Watch())
    assert quick == other


@pytest.mark.parametrize("n", [50, 200])
def test_one_parity_is_found_among_many_columns_and_next_to_nothing_else(n: int) -> None:
    links = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        columns = rng.integers(0, 2, (n, 5000))
        a, b, c = sorted(rng.permutation(n)[:3].tolist())
        columns[c] = columns[a] ^ columns[b] ^ (rng.random(5000) < 0.05)
        names = [f"v{k:03}" for k in range(n)]
        found = links_of(run(Table(names, [["0", "1"]] * n, list(columns)), DMN()))
        true = {(names[u], names[v]) for u, v in ((a, b), (a, c), (b, c))}
        assert true <= found
        links += len(found - true)
    assert links <= 6


def test_every_link_costs_what_sparsity_says() -> None:
    table = read_gzip("alarm-5000")
    for sparsity in (0.5, 1.5):
        score = BIC(sparsity=sparsity)
        found = run(table, DMN(lookahead=1, score=score))
        links = len(links_of(found))
        plain = BIC().total(NativeEngine(table.in_name_order()), found.dag.parent_masks)
        assert found.score == pytest.approx(plain - sparsity * math.log(37) * links, abs=1e-6)
        assert found.score == pytest.approx(
            BIC().total(NativeEngine(table.in_name_order()), [0] * 37)
            + sum(step.gain for step in found.steps),
            abs=1e-6,
        )


def test_a_long_search_across_components_heeds_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    from bayesloom.search.markov import link_sets

    monkeypatch.setattr(link_sets, "_TABLES", 10)
    monkeypatch.setattr(link_sets, "dependent_sets", lambda _engine, _rule: None)
    rng = np.random.default_rng(1)
    table = bits_table(rng.integers(0, 2, (8, 200)))
    watch = Watch(Budget(time_limit=60))
    calls = 0

    def count(seen: Watch) -> bool:
        nonlocal calls
        calls += 1
        seen.interrupted = calls > 4
        seen.stopped = Stop.INTERRUPTED if seen.interrupted else None
        return not seen.interrupted

    monkeypatch.setattr(Watch, "may_go_on", count)
    found = run(table, DMN(lookahead=3), watch=watch)
    assert found.stop is Stop.INTERRUPTED


@settings(max_examples=20)
@given(rich_tables(4, 6))
def test_small_batches_give_the_same_answer(table: Table) -> None:
    from bayesloom.search.markov import link_sets

    one = run(table, DMN(alpha=0.02))
    before = link_sets._TABLES
    link_sets._TABLES = 3
    try:
        two = run(table, DMN(alpha=0.02))
    finally:
        link_sets._TABLES = before
    assert one == two


@settings(max_examples=25)
@given(rich_tables(4, 7))
def test_the_crux_of_a_step_is_the_union_of_the_new_cliques(table: Table) -> None:
    found = run(table, DMN(alpha=0.01))
    graph = slow.empty_graph(table.n_columns)
    assume(found.steps)
    for step in found.steps:
        assert step.change is not None
        before = {frozenset(clique) for clique in nx.find_cliques(graph)}
        graph.add_edges_from(step.change.links)
        new = {frozenset(clique) for clique in nx.find_cliques(graph)} - before
        assert frozenset(step.change.crux) == frozenset().union(*new)
    adjacency = [0] * table.n_columns
    for a, b in graph.edges:
        adjacency[a] |= 1 << b
        adjacency[b] |= 1 << a
    assert isinstance(found.graph, ChordalGraph)
    assert [bits(mask) for mask in found.graph.adjacency] == [bits(mask) for mask in adjacency]
