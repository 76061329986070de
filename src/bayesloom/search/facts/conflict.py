"""Where the tests of a search contradict each other on the directions of edges."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bayesloom.search.facts.fact import Fact, V


class Opposition(Enum):
    """What stands against a collider (v-structure) that tests ask for, or behind one they deny.

    COLLIDER: a clearer collider, or what follows from it, has directed an edge the other way.
    KNOWLEDGE: knowledge has. CYCLE: the arrows would close a directed cycle. IMPLIED: arrows that
    follow from others, or from knowledge, meet where what separates their ends says that they do
    not.
    """

    COLLIDER = "collider"
    KNOWLEDGE = "knowledge"
    CYCLE = "cycle"
    IMPLIED = "implied"


@dataclass(frozen=True, slots=True)
class Conflict(Fact[V]):
    """A collider ``x -> middle <- y`` on which tests and graph disagree.

    Parameters
    ----------
    x, middle, y : int
        The triple, x < y; x and y are not joined. Names in a record.
    opposition : Opposition
        What stands against the collider. If it is IMPLIED the graph has the collider and the tests
        deny it, else the tests ask for it and the graph does not have it.
    """

    x: V
    middle: V
    y: V
    opposition: Opposition

    def __str__(self) -> str:
        collider = f"{self.x} -> {self.middle} <- {self.y}"
        if self.opposition is Opposition.IMPLIED:
            return f"{collider}, which the search denies, follows from other directions"
        against = {
            Opposition.COLLIDER: "a clearer collider, or what follows from one, has turned an edge",
            Opposition.KNOWLEDGE: "knowledge has turned one of the edges",
            Opposition.CYCLE: "the arrows would close a cycle",
        }[self.opposition]
        return f"the search asks for {collider}, but {against}"
