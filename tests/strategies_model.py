"""Drawn networks and labels, with everything that file formats stumble over."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from bayesloom.model import BayesNet

ODD_LABELS = (
    "a b",
    "a,b",
    "a, b",
    'say "x"',
    '"',
    "'",
    "<1",
    ">=7.5",
    "&lt;",
    "]]>",
    "(1,2]",
    "[0.5,1]",
    "]1,2[",
    "f(x)",
    "{x}",
    "a|b",
    "a;b",
    "back\\slash",
    "\\",
    "\\n",
    "\\u0041",
    "line\nbreak",
    "\r",
    "\r\n",
    "\t",
    " ",
    "  two blanks ",
    "\u00a0",
    "\u2028",
    "\ufeff",
    "\x00",
    "\x1b[0m",
    "\x85",
    "caf\u00e9",
    "\u65e5\u672c",
    "\U0001f600",
    "\U000e0001",
    "\uffff",
    "0",
    "1",
    "-1",
    "1e5",
    "0.5",
    "nan",
    "None",
    "NA",
    "//",
    "/*",
    "*/",
    "a//b",
    "%",
    "#",
    "# bayesloom {",
    "property",
    "property x;",
    "table",
    "default",
    "variable",
    "probability",
    "network",
    "node",
    "net",
    "potential",
    "v0_",
    "x0",
    "=",
    ",",
    "|",
    "}",
    "{",
    ")",
    "(",
)


def labels() -> st.SearchStrategy[str]:
    """Any text that is not empty, often an odd one."""
    anything = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
    return st.sampled_from(ODD_LABELS) | anything


@st.composite
def bayes_nets(draw: st.DrawFn, most: int = 4) -> BayesNet:
    """A network of up to ``most`` variables with odd names; parents in any order."""
    names = draw(st.lists(labels(), min_size=1, max_size=most, unique=True))
    ranked = draw(st.permutations(names))
    states = {name: draw(st.lists(labels(), min_size=1, max_size=3, unique=True)) for name in names}
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    variables = {}
    for name in names:
        earlier = ranked[: ranked.index(name)]
        parents = draw(st.lists(st.sampled_from(earlier), unique=True)) if earlier else []
        shape = tuple(len(states[u]) for u in (*parents, name))
        weights = rng.random(shape) * (rng.random(shape) < 0.8)
        weights[..., 0] += weights.sum(axis=-1) == 0
        variables[name] = (states[name], parents, weights / weights.sum(axis=-1, keepdims=True))
    return BayesNet.from_tables(variables)
