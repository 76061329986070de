"""A Markov network first, then a DAG inside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from bayesloom.engine import Engine
from bayesloom.errors import OptionError, check_kind
from bayesloom.graphs import DAG, ChordalGraph
from bayesloom.scores import Score
from bayesloom.search.equivalence.ges import GES
from bayesloom.search.imap.il import IL
from bayesloom.search.imap.shorthand import Shorthand
from bayesloom.search.limits import Limits
from bayesloom.search.markov.dmn import DMN
from bayesloom.search.restriction import narrowed, without_directions
from bayesloom.search.result import SearchResult
from bayesloom.search.search import OuterSearch, Search, facts_of
from bayesloom.search.start import Start, joined_pairs, start_graph
from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class ThroughDMN(OuterSearch):
    """Learn a decomposable Markov network, then a DAG all of whose edges are links of it.

    The second search starts from the network's own DAG, with all links in it, and can only take
    edges away and turn them. So what the first search finds by looking several links ahead, such
    as the parity of three bits, is not lost on a search that looks one edge ahead.

    Parameters
    ----------
    dmn : DMN
        The first search.
    then : GES, HillClimbing, Tabu, XGES, IGES, IXGES, IHC or IL
        The second search; where it starts and what it stays within are set here.

    References
    ----------
    Y. Xiang, J. Lee: Local score computation in learning belief networks, 2001, section 1.

    Examples
    --------
    >>> ThroughDMN(then=DMN())
    Traceback (most recent call last):
    bayesloom.errors.OptionError: then must be a search over DAGs or their classes that can start \
anywhere, such as GES() or HillClimbing(), got DMN
    """

    dmn: DMN = DMN()
    then: Search = GES()

    def __post_init__(self) -> None:
        check_kind("dmn", self.dmn, DMN, "a DMN")
        if not _is_startable(self.then):
            msg = (
                "then must be a search over DAGs or their classes that can start anywhere, such as "
                f"GES() or HillClimbing(), got {type(self.then).__name__}"
            )
            raise OptionError(msg)

    @property
    def score(self) -> Score:
        """What the second search maximises."""
        score: Score = _startable(self.then).score
        return score

    def parts(self) -> Iterator[Search]:
        """Yield the search and both that it runs."""
        yield self
        yield self.dmn
        yield from facts_of(self.then).parts()

    def link_goal(self, n_rows: int) -> Score:
        """Return what the first search maximises."""
        return self.dmn.goal(n_rows)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run both searches; see `bayesloom.learn` for the everyday call."""
        network = self.dmn.search(engine, without_directions(limits), watch)
        first = len(watch.steps)
        assert isinstance(network.graph, ChordalGraph)
        inside = narrowed(limits, network.graph, keep_required=True)
        links = set(joined_pairs(network.graph.adjacency))
        start = DAG(engine.names, tuple(_start(network.graph, engine, inside)))
        found = _started_at(self.then, start).search(engine, inside, watch)
        steps = found.steps[first:] if found.steps[:first] == network.steps else found.steps
        return replace(
            found,
            steps=(*network.steps, *steps),
            candidates=network.candidates + found.candidates,
            notes=(*network.notes, *found.notes),
            start=tuple(sorted({*network.start, *set(found.start) - links})),
        )


def _start(graph: ChordalGraph, engine: Engine, limits: Limits) -> list[int]:
    """Return a DAG with all links: one with the same independences if the limits allow it."""
    adjacency = list(graph.reordered(engine.names).adjacency)
    if limits.are_symmetric:
        return list(graph.to_dag().reordered(engine.names).parent_masks)
    extended = limits.extend([0] * len(adjacency), adjacency)
    return start_graph(Start.COMPLETE, engine, limits) if extended is None else extended


def _startable(search: Any) -> Any:  # noqa: ANN401 - searches share no base
    """Return the search that has the start: the local one of a constrained search."""
    if isinstance(search, Shorthand):
        search = search.schema
    return search.local if isinstance(search, IL) else search


def _started_at(search: Any, start: DAG) -> Search:  # noqa: ANN401
    """Return the search with another start, staying where the limits say."""
    if isinstance(search, Shorthand):
        search = search.schema
    if isinstance(search, IL):
        local: Any = _started_at(search.local, start)
        return replace(search, local=local)
    started: Search = replace(search, start=start, within=None)
    return started


def _is_startable(search: object) -> bool:
    if isinstance(search, type | DMN) or not is_dataclass(search):
        return False
    return "start" in {field.name for field in fields(_startable(search))}
