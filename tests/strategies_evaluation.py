"""Drawn pairs of networks over the same variables."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from bayesloom.model import BayesNet
from strategies_model import bayes_nets


@st.composite
def net_pairs(draw: st.DrawFn, most: int = 5) -> tuple[BayesNet, BayesNet]:
    """Two networks: other graph, other tables, other order of variables and states, no zeros
    in the second one unless drawn."""
    first = draw(bayes_nets(most))
    names = draw(st.permutations(first.names))
    ranked = draw(st.permutations(names))
    states = {name: draw(st.permutations(first.states_of(name))) for name in names}
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lowest = draw(st.sampled_from([0.0, 0.01]))
    variables = {}
    for name in names:
        earlier = ranked[: ranked.index(name)]
        parents = draw(st.lists(st.sampled_from(earlier), unique=True)) if earlier else []
        shape = tuple(len(states[u]) for u in (*parents, name))
        weights = rng.random(shape) * (rng.random(shape) < 0.9) + lowest
        weights[..., 0] += weights.sum(axis=-1) == 0
        variables[name] = (states[name], parents, weights / weights.sum(axis=-1, keepdims=True))
    return first, BayesNet.from_tables(variables)
