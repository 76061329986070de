"""What the data say of a pair of variables: what a change would cost, and how they depend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bayesloom.data.plain import finite, stored, to_plain
from bayesloom.engine import Batch, Engine, numeric_columns
from bayesloom.graphs import DAG, ChordalGraph, ancestors, bits, is_chordal
from bayesloom.registry import SCORES
from bayesloom.scores import Score
from bayesloom.scores.score import checked_scores, family_batch
from bayesloom.search.facts.wording import some_rows
from bayesloom.story.criterion import Criterion

_USUAL = Criterion()


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """A change of one edge of the network and what it would do to the score.

    Parameters
    ----------
    operator : str
        ``"insert"``, ``"delete"`` or ``"reverse"`` of x -> y, ``"link"`` or ``"unlink"`` of x - y.
    x, y : str
        The edge.
    gain : float, optional
        The change of the score; None if the change would close a cycle, or leave a Markov network
        with a cycle that has no chord.
    """

    operator: str
    x: str
    y: str
    gain: float | None


@dataclass(frozen=True, slots=True)
class PairTest:
    """The dependency of a pair given other variables.

    Parameters
    ----------
    given : tuple of str
        The given variables.
    mutual_information : float
        In nats.
    statistic, df, p, log_p, min_expected : float
        The test: statistic, degrees of freedom, p-value and its logarithm, and the smallest
        expected count; None as what a test does not have.
    conclusive : bool
        Whether the rows suffice by the coverage rule of the test; else it is no more than a hint.
    rows : int, optional
        How many rows know all variables of the test, if cells are missing and they are not all.
    """

    given: tuple[str, ...]
    mutual_information: float
    statistic: float
    df: float | None
    p: float
    log_p: float
    min_expected: float | None
    conclusive: bool
    rows: int | None = stored(brief=True, default=None)

    def to_dict(self) -> dict[str, object]:
        """Return the test as plain data."""
        payload: dict[str, object] = to_plain(self)
        return payload


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the data say of a pair.

    Parameters
    ----------
    score : str, optional
        The name of the score; None if there is none, or none that is known here.
    changes : tuple of EdgeChange
        What could be done to the pair, and what that would do to the score.
    alone : PairTest
        The dependency of the two with nothing given.
    child : str, optional
        The one of the two that comes later in the network; None in a Markov network.
    given : PairTest, optional
        Their dependency given the other parents of ``child``, or given their common neighbours in
        a Markov network; None if there are none.
    criterion : Criterion
        The test of ``alone`` and ``given``, and the level at which it is read.
    completed : bool
        Whether the changes of the score are those of rows whose missing cells were filled in; tests
        are of what is known.
    """

    score: str | None
    changes: tuple[EdgeChange, ...]
    alone: PairTest
    child: str | None
    given: PairTest | None
    criterion: Criterion = _USUAL
    completed: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return the evidence as plain data."""
        return {
            "score": self.score,
            "changes": [asdict(change) for change in self.changes],
            "alone": self.alone.to_dict(),
            "child": self.child,
            "given": None if self.given is None else self.given.to_dict(),
            "criterion": self.criterion.to_dict(),
            **({"completed": True} if self.completed else {}),
        }


def gather_evidence(
    engine: Engine,
    score: Score | None,
    dag: DAG | None,
    x: str,
    y: str,
    *,
    criterion: Criterion = _USUAL,
    completed: Engine | None = None,
) -> Evidence:
    """Ask the data about a pair: one batch of scores, one of tests.

    Parameters
    ----------
    engine : Engine
        The data; the graph's variables are among its variables.
    score : Score, optional
        What changes are measured by.
    dag : DAG, optional
        The network; None if there is only a graph without extension.
    x, y : str
        The pair.
    criterion : Criterion
        By what to test; chi-square unless the search has a test of its own.
    completed : Engine, optional
        The same data completed, for a score that takes no holes; tests are of what is known.
    """
    a, b = sorted((engine.names.index(x), engine.names.index(y)))
    if dag is None:
        alone = pair_tests(engine, criterion, [(a, (), b)])[0]
        return Evidence(None, (), alone, None, None, criterion)
    graph = DAG.from_edges(dag.edges, engine.names)  # which may have further variables
    child, parent = (a, b) if _leads(graph.parent_masks, b, a) else (b, a)
    others = bits(graph.parent_masks[child] & ~(1 << parent))
    sets: list[list[int]] = [[], others] if others else [[]]
    tests = pair_tests(engine, criterion, [(parent, given, child) for given in sets])
    return Evidence(
        score=None if score is None else SCORES.name_of(score),
        changes=() if score is None else _changes(engine, completed, score, graph, (a, b)),
        alone=tests[0],
        child=engine.names[child],
        given=tests[1] if others else None,
        criterion=criterion,
        completed=completed is not None and completed is not engine,
    )


def gather_link_evidence(
    engine: Engine,
    score: Score | None,
    graph: ChordalGraph,
    x: str,
    y: str,
    *,
    criterion: Criterion = _USUAL,
    completed: Engine | None = None,
) -> Evidence:
    """Ask the data about a pair in a Markov network: one batch of scores, one of tests.

    The parameters are those of `gather_evidence`, with the chordal graph in place of a DAG.
    """
    adjacency = list(ChordalGraph.from_edges(graph.edges, engine.names).adjacency)
    a, b = sorted((engine.names.index(x), engine.names.index(y)))
    operator = "unlink" if adjacency[a] >> b & 1 else "link"
    common = bits(adjacency[a] & adjacency[b])
    after = list(adjacency)
    after[a] ^= 1 << b
    after[b] ^= 1 << a
    gain = None
    if score is not None and is_chordal(after):
        # Linked or not, b hangs on the common neighbours: one family changes.
        linked, apart = (b, [*common, a]), (b, common)
        values = family_scores(score, engine, completed, [linked, apart])
        gain = (values[0] - values[1]) * (1 if operator == "link" else -1)
    sets = [[], common] if common else [[]]
    tests = pair_tests(engine, criterion, [(a, given, b) for given in sets])
    names = engine.names
    return Evidence(
        score=None if score is None else SCORES.name_of(score),
        changes=() if score is None else (EdgeChange(operator, names[a], names[b], gain),),
        alone=tests[0],
        child=None,
        given=tests[1] if common else None,
        criterion=criterion,
        completed=completed is not None and completed is not engine,
    )


def family_scores(
    score: Score,
    engine: Engine,
    completed: Engine | None,
    families: Sequence[tuple[int, Sequence[int]]],
) -> list[float]:
    """Score families of an engine's variables in the same data completed, if these are given.

    The completed data have the variables of a network alone, in an order of their own.
    """
    if completed is None or completed is engine:
        return [float(x) for x in checked_scores(score, engine, family_batch(families))]
    place = {name: v for v, name in enumerate(completed.names)}
    there = [place.get(name, -1) for name in engine.names]
    moved = [(there[child], sorted(there[p] for p in parents)) for child, parents in families]
    return [float(x) for x in checked_scores(score, completed, family_batch(moved))]


def _changes(
    engine: Engine, completed: Engine | None, score: Score, dag: DAG, pair: tuple[int, int]
) -> tuple[EdgeChange, ...]:
    """Return the deletion and the reversal of an edge, or the two insertions of an absent one.

    Those that lead from a number to a category are left out: the model has none.
    """
    numeric = numeric_columns(engine)
    (a, b), names, parents = pair, dag.names, dag.parent_masks
    joined = next(((u, v) for u, v in ((a, b), (b, a)) if parents[v] >> u & 1), None)
    here = [(v, bits(parents[v])) for v in (a, b)]
    toggled = [(v, bits(parents[v] ^ 1 << u)) for v, u in ((a, b), (b, a))]
    values = family_scores(score, engine, completed, here + toggled)
    gain = {a: values[2] - values[0], b: values[3] - values[1]}
    if joined is None:
        return tuple(
            EdgeChange("insert", names[u], names[v], None if _leads(parents, v, u) else gain[v])
            for u, v in ((a, b), (b, a))
            if numeric[v] or not numeric[u]
        )
    u, v = joined
    without = [mask & ~(1 << u) if w == v else mask for w, mask in enumerate(parents)]
    turned = None if _leads(without, u, v) else gain[u] + gain[v]
    deleted = EdgeChange("delete", names[u], names[v], gain[v])
    if numeric[v] and not numeric[u]:
        return (deleted,)
    return deleted, EdgeChange("reverse", names[u], names[v], turned)


def _leads(parents: Sequence[int], u: int, v: int) -> bool:
    """Say whether a directed path leads from u to v."""
    return bool(ancestors(parents, 1 << v) >> u & 1)


def pair_tests(
    engine: Engine, criterion: Criterion, asked: Sequence[tuple[int, Sequence[int], int]]
) -> list[PairTest]:
    """Test pairs (x, given, y), all in one batch."""
    batch = Batch.of((x, given, (y,)) for x, given, y in asked)
    # The numbers are the test's own where it is conclusive, and a hint where it would not count.
    conclusive = criterion.test.run(engine, batch).conclusive
    found = criterion.test.without_rule(per_stratum=True).run(engine, batch)
    information = engine.informations(batch)
    return [
        PairTest(
            tuple(engine.names[v] for v in given),
            max(0.0, float(information[k])),
            float(found.statistic[k]),
            finite(float(found.df[k])),
            float(found.p[k]),
            float(found.log_p[k]),
            finite(float(found.min_expected[k])),
            bool(conclusive[k]),
            some_rows(float(found.rows[k]), engine.n_rows),
        )
        for k, (_, given, _) in enumerate(asked)
    ]
