"""Numbers that hang together through numbers that were not observed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bayesloom.graphs import bits
from bayesloom.model.bayes_net import BayesNet


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """Families of numbers that have to be looked at together.

    Parameters
    ----------
    members : tuple of int
        The numbers whose families these are, every one after its parents.
    hidden : tuple of int
        Those that are not observed.
    scope : tuple of int
        The categories among their parents that are not observed, ascending.
    """

    members: tuple[int, ...]
    hidden: tuple[int, ...]
    scope: tuple[int, ...]


def number_groups(
    net: BayesNet,
    order: Iterable[int],
    observed: Collection[int],
    together: Iterable[int] = (),
) -> list[NumberGroup]:
    """Part families of numbers into groups that share no number that is not observed.

    Parameters
    ----------
    net : BayesNet
        The network.
    order : iterable of int
        The numbers whose families count, every one after its parents.
    observed : collection of int
        The variables that are observed, of either kind.
    together : iterable of int
        Numbers that are put into one group whether they hang together or not.

    Examples
    --------
    >>> from bayesloom.model import LinearGaussian
    >>> slope = LinearGaussian(0.0, [1.0])
    >>> net = BayesNet.from_tables(
    ...     {"a": ((), [], LinearGaussian(0.0)), "b": ((), ["a"], slope), "c": ((), ["b"], slope)}
    ... )
    >>> [group.members for group in number_groups(net, [0, 1, 2], {1})]
    [(0, 1), (2,)]
    """
    numbers = net.number_mask
    home: dict[int, int] = {}

    def root(v: int) -> int:
        while home.setdefault(v, v) != v:
            home[v] = home[home[v]]
            v = home[v]
        return v

    members = list(order)
    for v in members:
        parents = bits(net.dag.parent_masks[v] & numbers)
        for u in parents:
            if u not in observed:
                home[root(u)] = root(v)
    joined = [v for v in together if v in members]
    for v in joined[1:]:
        home[root(v)] = root(joined[0])
    # An observed number joins nothing but through its own family.
    parts: dict[int, list[int]] = {}
    for v in members:
        parts.setdefault(root(v), []).append(v)
    return [_group(net, part, observed) for part in parts.values()]


def _group(net: BayesNet, members: list[int], observed: Collection[int]) -> NumberGroup:
    mask = 0
    for v in members:
        mask |= net.dag.parent_masks[v]
    scope = tuple(c for c in bits(mask & ~net.number_mask) if c not in observed)
    return NumberGroup(tuple(members), tuple(v for v in members if v not in observed), scope)
