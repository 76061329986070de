"""Where the tests of a search contradict each other on the directions of edges."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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
class Conflict:
    """A collider ``x -> middle <- y`` on which tests and graph disagree.

    Parameters
    ----------
    x, middle, y : int
        The triple, x < y; x and y are not joined.
    opposition : Opposition
        What stands against the collider. If it is IMPLIED the graph has the collider and the tests
        deny it, else the tests ask for it and the graph does not have it.
    """

    x: int
    middle: int
    y: int
    opposition: Opposition
