"""Background knowledge: what a graph must and must not contain, checked at the door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from bayesloom.errors import (
    KnowledgeError,
    OptionError,
    UnknownVariableError,
    check_number,
    check_whole,
    checked_names,
)
from bayesloom.graphs import find_cycle
from bayesloom.graphs.text import closed_walk
from bayesloom.scores.belief import Arrow, PairBelief
from bayesloom.search.limits import Limits

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of the graph before the data are looked at; it holds in every result.

    Parameters
    ----------
    required : edges
        Pairs ``(parent, child)`` that must be in the graph.
    forbidden : edges
        Pairs ``(parent, child)`` that must not be. Forbid both directions to keep two variables
        apart.
    tiers : list of lists of str
        Groups in time order: no edge leads from a later group to an earlier one. Variables in no
        group are free.
    roots, leaves : variables
        Variables without parents, and without children.
    belief : mapping of edges to probabilities, or triples
        How likely single arrows are, strictly between 0 and 1: ``{("A", "B"): 0.8}``. What one
        arrow of a pair leaves is shared by the other arrow and by none. The pair then adds log(3 p)
        of what the graph has to every score (Castelo and Siebes, 2000), so data can overrule it;
        1/3 is no knowledge. Kept as triples (parent, child, probability).

    Raises
    ------
    OptionError
        If edges are no pairs of names, or names no names.
    KnowledgeError
        If an edge is required and forbidden, required edges form a cycle, a variable stands in two
        tiers, or something is believed of an edge that is required or cannot be.

    Examples
    --------
    >>> Knowledge(required=[("A", "B")], forbidden=[("A", "B")])
    Traceback (most recent call last):
    bayesloom.errors.KnowledgeError: the edge A -> B is both required and forbidden
    """

    required: Sequence[Edge] = ()
    forbidden: Sequence[Edge] = ()
    tiers: Sequence[Sequence[str]] = ()
    roots: Sequence[str] = ()
    leaves: Sequence[str] = ()
    belief: Mapping[Edge, float] | Sequence[Arrow] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "required", _edges(self.required, "required"))
        object.__setattr__(self, "forbidden", _edges(self.forbidden, "forbidden"))
        tiers = (_names(tier, "a tier") for tier in _listed(self.tiers, "tiers", "lists of names"))
        object.__setattr__(self, "tiers", tuple(tiers))
        object.__setattr__(self, "roots", _names(self.roots, "roots"))
        object.__setattr__(self, "leaves", _names(self.leaves, "leaves"))
        object.__setattr__(self, "belief", _arrows(self.belief))
        self._check_tiers()
        self._check_edges()
        self._check_beliefs()

    def __repr__(self) -> str:
        told = ", ".join(f"{key}={value!r}" for key, value in self.to_dict().items())
        return f"Knowledge({told})"

    @property
    def variables(self) -> tuple[str, ...]:
        """Every variable that is named, sorted."""
        named = {name for edge in (*self.required, *self.forbidden) for name in edge}
        named.update(*self.tiers, self.roots, self.leaves)
        named.update(name for parent, child, _ in self.arrows for name in (parent, child))
        return tuple(sorted(named))

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """The arrows that something is believed of, as triples (parent, child, probability)."""
        return self.belief  # type: ignore[return-value]

    @property
    def beliefs(self) -> tuple[PairBelief, ...]:
        """What is believed of every pair, completed, the pairs in order.

        Examples
        --------
        >>> Knowledge(belief={("B", "A"): 0.5, ("A", "B"): 0.1}).beliefs
        (PairBelief(first='A', second='B', forward=0.1, back=0.5, none=0.4),)
        """
        shares = {(parent, child): share for parent, child, share in self.arrows}
        pairs = sorted({(min(edge), max(edge)) for edge in shares})
        return tuple(PairBelief.of(a, b, shares.get((a, b)), shares.get((b, a))) for a, b in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return the knowledge as plain data, without beliefs if there are none."""
        members = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {key: value for key, value in members if key != "belief" or value}

    def limits(self, names: Sequence[str], max_parents: int | None = None) -> Limits:
        """Translate into masks over the variables ``names``.

        Raises
        ------
        UnknownVariableError
            If a variable is named that is not there.
        KnowledgeError
            If a variable has more required parents than ``max_parents``.
        """
        if max_parents is not None:
            check_whole("max_parents", max_parents, 0)
        index = {name: v for v, name in enumerate(names)}
        for name in self.variables:
            if name not in index:
                raise UnknownVariableError(name, names, "in the knowledge")
        required = [0] * len(names)
        for a, b in self.required:
            required[index[b]] |= 1 << index[a]
        for name, mask in zip(names, required, strict=True):
            if max_parents is not None and mask.bit_count() > max_parents:
                msg = (
                    f"{name} has {mask.bit_count()} required parents, "
                    f"more than max_parents = {max_parents}"
                )
                raise KnowledgeError(msg)
        allowed = self._allowed(index)
        return Limits(tuple(names), tuple(allowed), tuple(required), max_parents)

    def _allowed(self, index: dict[str, int]) -> list[int]:
        """Return for every variable the mask of the parents it may have."""
        allowed = [(1 << len(index)) - 1 & ~(1 << v) for v in range(len(index))]
        for a, b in self.required:
            allowed[index[a]] &= ~(1 << index[b])
        for a, b in self.forbidden:
            allowed[index[b]] &= ~(1 << index[a])
        for root in self.roots:
            allowed[index[root]] = 0
        later = 0
        for tier in reversed(self.tiers):
            for name in tier:
                allowed[index[name]] &= ~later
            later |= sum(1 << index[name] for name in tier)
        leaves = sum(1 << index[leaf] for leaf in self.leaves)
        return [mask & ~leaves for mask in allowed]

    def _forbids(self, parent: str, child: str) -> str:
        """Say why an edge is not allowed; empty if it is."""
        if (parent, child) in self.forbidden:
            return "it is forbidden"
        if child in self.roots:
            return f"{child} is a root"
        if parent in self.leaves:
            return f"{parent} is a leaf"
        tier = {name: t for t, names in enumerate(self.tiers) for name in names}
        if parent in tier and child in tier and tier[parent] > tier[child]:
            return f"{parent} is in a later tier than {child}"
        return ""

    def _check_tiers(self) -> None:
        seen: set[str] = set()
        for name in (name for tier in self.tiers for name in tier):
            if name in seen:
                msg = f"variable {name!r} stands in two tiers"
                raise KnowledgeError(msg)
            seen.add(name)

    def _check_beliefs(self) -> None:
        required = set(self.required)
        for a, b, share in self.arrows:
            if why := self._forbids(a, b):
                msg = f"the belief in {a} -> {b} is {share:g}, but {why}; leave one of them out"
                raise KnowledgeError(msg)
            for edge in ((a, b), (b, a)):
                if edge in required:
                    msg = (
                        f"the edge {edge[0]} -> {edge[1]} is required, and the belief in "
                        f"{a} -> {b} is {share:g}; leave one of them out"
                    )
                    raise KnowledgeError(msg)
        for pair in self.beliefs:
            if pair.none <= 0:
                msg = (
                    f"the beliefs in {pair.first} -> {pair.second} and back add up to "
                    f"{pair.forward + pair.back:g}; leave something for no arrow, so that they "
                    "stay below 1, or require one of the two"
                )
                raise KnowledgeError(msg)

    def _check_edges(self) -> None:
        for a, b in self.required:
            if (a, b) in self.forbidden:
                msg = f"the edge {a} -> {b} is both required and forbidden"
                raise KnowledgeError(msg)
            if why := self._forbids(a, b):
                msg = f"the edge {a} -> {b} is required, but {why}"
                raise KnowledgeError(msg)
        names = self.variables
        index = {name: v for v, name in enumerate(names)}
        parents = [0] * len(names)
        for a, b in self.required:
            parents[index[b]] |= 1 << index[a]
        if cycle := find_cycle(parents):
            walk = closed_walk([names[v] for v in cycle], "->")
            msg = f"required edges form a cycle: {walk}; leave one of them out"
            raise KnowledgeError(msg)


def _arrows(belief: object) -> tuple[Arrow, ...]:
    """Return beliefs as triples (parent, child, probability), in order."""
    wanted = "{(parent, child): probability}"
    items: Iterable[object]
    if isinstance(belief, Mapping):
        if any(isinstance(edge, str) or not isinstance(edge, Sequence) for edge in belief):
            msg = f"belief must be a mapping such as {wanted}, got {belief!r}"
            raise OptionError(msg)
        items = [(*edge, share) for edge, share in belief.items()]
    else:
        items = _listed(belief, "belief", f"triples (parent, child, probability), or {wanted}")
    shares: dict[Edge, float] = {}
    for item in items:
        if not isinstance(item, Sequence) or isinstance(item, str) or len(item) != 3:  # noqa: PLR2004 - a triple
            msg = f"belief holds triples (parent, child, probability), got {item!r}"
            raise OptionError(msg)
        ((a, b),) = _edges([item[:2]], "belief")
        check_number(f"the belief in {a} -> {b}", item[2], least=0, most=1)
        if item[2] in (0, 1):
            certain = "required" if item[2] else "forbidden"
            msg = f"the belief in {a} -> {b} is {item[2]}, which is law: give the edge as {certain}"
            raise KnowledgeError(msg)
        if shares.setdefault((a, b), float(item[2])) != float(item[2]):
            msg = f"the belief in {a} -> {b} is given twice, as {shares[a, b]:g} and {item[2]:g}"
            raise KnowledgeError(msg)
    return tuple((a, b, share) for (a, b), share in sorted(shares.items()))


def _edges(edges: object, what: str) -> tuple[Edge, ...]:
    checked: list[Edge] = []
    for edge in _listed(edges, what, "pairs (parent, child)"):
        if not isinstance(edge, Sequence) or isinstance(edge, str) or len(edge) != 2:  # noqa: PLR2004 - a pair
            msg = f"{what} edges are pairs (parent, child), got {edge!r}"
            raise OptionError(msg)
        a, b = checked_names(f"an edge of {what}", edge)
        if a == b:
            msg = f"{what} edges join two variables, got {a} -> {b}"
            raise KnowledgeError(msg)
        checked.append((a, b))
    return tuple(sorted(set(checked)))


def _names(names: object, what: str) -> tuple[str, ...]:
    return tuple(sorted(checked_names(what, names)))


def _listed(items: object, what: str, of: str) -> Iterable[object]:
    """Return the items of what has to be a list."""
    if isinstance(items, str) or not isinstance(items, Iterable):
        msg = f"{what} must be a list of {of}, got {items!r}"
        raise OptionError(msg)
    return items
