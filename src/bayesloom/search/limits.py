"""Knowledge as masks: what searches ask before they look at an edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bayesloom.arrays import Bools
from bayesloom.engine import Engine, numeric_columns
from bayesloom.errors import KnowledgeError
from bayesloom.graphs import (
    bits,
    close_under_meek,
    collider_parents,
    mask_of,
    remove_sinks,
    transposed,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a result must keep to, as masks over the engine's variables.

    Parameters
    ----------
    names : tuple of str
        The variables.
    allowed : tuple of int
        For every variable the mask of the parents it may have.
    required : tuple of int
        For every variable the mask of the parents it must have.
    max_parents : int, optional
        The most parents any variable may have.
    """

    names: tuple[str, ...]
    allowed: tuple[int, ...]
    required: tuple[int, ...]
    max_parents: int | None = None
    pairs: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """For every variable the mask of those it may be adjacent to, in either direction."""

    are_symmetric: bool = field(init=False, repr=False, compare=False)
    """Whether only adjacencies are limited: all graphs of a class keep to that, or none."""

    are_open: bool = field(init=False, repr=False, compare=False)
    """Whether nothing is limited at all."""

    def __post_init__(self) -> None:
        if self.max_parents is not None and self.max_parents >= len(self.names) - 1:
            object.__setattr__(self, "max_parents", None)  # nobody can have more
        # Worked out now: a property that is worked out once holds a lock in Python 3.11, which a
        # process forked meanwhile would wait for.
        everything = (1 << len(self.names)) - 1
        are_all = all(mask == everything & ~(1 << v) for v, mask in enumerate(self.allowed))
        pairs = self.allowed
        if not are_all:  # turning n dense masks round would take n * n steps
            both = zip(self.allowed, transposed(self.allowed), strict=True)
            pairs = tuple(into | out for into, out in both)
        free = self.max_parents is None and not any(self.required)
        object.__setattr__(self, "pairs", pairs)
        object.__setattr__(self, "are_symmetric", free and self.allowed == pairs)
        object.__setattr__(self, "are_open", free and are_all)

    @classmethod
    def none(cls, names: Sequence[str], max_parents: int | None = None) -> Limits:
        """Allow everything, up to ``max_parents``."""
        everything = (1 << len(names)) - 1
        allowed = tuple(everything & ~(1 << v) for v in range(len(names)))
        return cls(tuple(names), allowed, (0,) * len(names), max_parents)

    @property
    def most(self) -> int:
        """The largest number of parents a variable may have."""
        return len(self.names) if self.max_parents is None else self.max_parents

    def setting_apart(self, variables: int) -> Limits:
        """Return the limits in which some variables have no edges but required ones."""
        if not variables:
            return self
        allowed = tuple(
            required if variables >> v & 1 else mask & ~(variables & ~required)
            for v, (mask, required) in enumerate(zip(self.allowed, self.required, strict=True))
        )
        return replace(self, allowed=allowed)

    def over(self, engine: Engine) -> Limits:
        """Return the limits that a table sets besides.

        Variables that never vary have no edges but required ones: they depend on nothing, whatever
        states are declared for them. No edge leads from a number to a category: the model has none.

        Raises
        ------
        KnowledgeError
            If such an edge is required.
        """
        apart = self.setting_apart(mask_of(np.flatnonzero(engine.constant).tolist()))
        numeric = numeric_columns(engine)
        return apart.between_kinds(numeric) if numeric.any() and not numeric.all() else apart

    def between_kinds(self, numeric: Bools) -> Limits:
        """Return the limits in which no edge leads from a number to a category.

        Examples
        --------
        >>> Limits.none(["age", "smoker"]).between_kinds(np.array([True, False])).allowed
        (2, 0)
        """
        numbers = mask_of(np.flatnonzero(numeric).tolist())
        for v in np.flatnonzero(~numeric).tolist():
            for p in bits(self.required[v] & numbers):
                msg = (
                    f"the knowledge requires {self.names[p]} -> {self.names[v]}, an edge from a "
                    "number to a category, which the model does not have; require the edge the "
                    f"other way round, or cut {self.names[p]} into bins (numbers='cut')"
                )
                raise KnowledgeError(msg)
        allowed = tuple(
            mask if number else mask & ~numbers
            for mask, number in zip(self.allowed, numeric.tolist(), strict=True)
        )
        return replace(self, allowed=allowed)

    def keeps(self, parents: Sequence[int]) -> bool:
        """Say whether a DAG keeps to the limits."""
        return all(
            not mask & ~allowed and not required & ~mask and mask.bit_count() <= self.most
            for mask, allowed, required in zip(parents, self.allowed, self.required, strict=True)
        )

    def check(self, parents: Sequence[int], what: str) -> None:
        """Raise a KnowledgeError that names the first edge of ``what`` outside the limits."""
        for v, mask in enumerate(parents):
            for p in bits(mask & ~self.allowed[v]):
                msg = (
                    f"{what} has the edge {self.names[p]} -> {self.names[v]}, which is not allowed"
                )
                raise KnowledgeError(msg)
            for p in bits(self.required[v] & ~mask):
                msg = f"{what} lacks the required edge {self.names[p]} -> {self.names[v]}"
                raise KnowledgeError(msg)
            if mask.bit_count() > self.most:
                msg = (
                    f"{what} gives {self.names[v]} {mask.bit_count()} parents, "
                    f"more than max_parents = {self.max_parents}"
                )
                raise KnowledgeError(msg)

    def check_pairs(self, adjacency: Sequence[int], what: str) -> None:
        """Raise a KnowledgeError that names the first pair of ``what`` that must not be joined."""
        for v, mask in enumerate(adjacency):
            for p in bits(mask & ~self.pairs[v]):
                pair = f"{self.names[min(p, v)]} and {self.names[max(p, v)]}"
                msg = f"{what} joins {pair}, which is not allowed"
                raise KnowledgeError(msg)

    def orient(
        self, parents: Sequence[int], neighbours: Sequence[int]
    ) -> tuple[list[int], list[int]] | None:
        """Direct the edges of a class that only one direction is allowed for, and what follows.

        Returns
        -------
        parents, neighbours : list of int, or None
            The maximally directed graph; None if the class holds no graph that is allowed.
        """
        into, free = list(parents), list(neighbours)
        for v, mask in enumerate(into):
            if mask & ~self.allowed[v]:
                return None
        for v, mask in enumerate(neighbours):
            for u in bits(mask >> (v + 1)):
                w = u + v + 1
                to_v, to_w = self.allowed[v] >> w & 1, self.allowed[w] >> v & 1
                if not to_v and not to_w:
                    return None
                if to_v != to_w:
                    child, parent = (v, w) if to_v else (w, v)
                    into[child] |= 1 << parent
                    free[child] &= ~(1 << parent)
                    free[parent] &= ~(1 << child)
        closed, open_ = close_under_meek(into, free, fourth_rule=True)
        if any(mask & ~self.allowed[v] for v, mask in enumerate(closed)):
            return None
        # Arrows that the limits direct may meet in a new v-structure: that is another class.
        pairs = zip(closed, transposed(closed), open_, strict=True)
        adjacency = [p | c | u for p, c, u in pairs]
        if collider_parents(closed, adjacency) != collider_parents(parents, adjacency):
            return None
        return closed, open_

    def extend(self, parents: Sequence[int], neighbours: Sequence[int]) -> list[int] | None:
        """Return a DAG of the class that keeps to the limits, or None."""
        oriented = self.orient(parents, neighbours)
        if oriented is None:
            return None
        dag, _, left = remove_sinks(*oriented)
        return dag if not left and self.keeps(dag) else None
