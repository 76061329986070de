"""Drawn networks with evidence that is possible under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from bayesloom.model import BayesNet
from reference_inference import enumerated
from strategies_model import bayes_nets

Variables: TypeAlias = dict[str, tuple[Sequence[str], Sequence[str], npt.ArrayLike]]


@dataclass(frozen=True)
class Case:
    """A network, observed states and likelihoods; together they are possible."""

    net: BayesNet
    given: dict[str, str]
    soft: dict[str, list[float]]


@st.composite
def cases(draw: st.DrawFn, most: int = 4) -> Case:
    net = draw(bayes_nets(most))
    observed = draw(st.lists(st.sampled_from(net.names), unique=True))
    given = {name: draw(st.sampled_from(net.states_of(name))) for name in observed}
    doubted = draw(st.lists(st.sampled_from(net.names), unique=True, max_size=2))
    weights = st.sampled_from([0.0, 1e-3, 0.25, 1.0, 40.0])
    soft = {name: [draw(weights) for _ in net.states_of(name)] for name in doubted}
    soft = {name: values for name, values in soft.items() if any(values)}
    while enumerated(net, [], given, soft)[1] == 0:
        if soft:
            soft.popitem()
        else:
            given.popitem()
    return Case(net, given, soft)


def chain(n: int, rare: float) -> BayesNet:
    """A chain in which every step to the second state has probability ``rare``."""
    step = np.array([[1 - rare, rare], [1 - rare, rare]])
    variables: Variables = {"x0": (["no", "yes"], [], step[0])}
    for i in range(1, n):
        variables[f"x{i}"] = (["no", "yes"], [f"x{i - 1}"], step)
    return BayesNet.from_tables(variables)
