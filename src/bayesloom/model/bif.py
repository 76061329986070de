r"""BIF, the interchange format that R bnlearn, pgmpy, pyAgrum and JavaBayes write.

Read is what these programs write: values separated by commas or blanks, rows by parent states or a
``table`` (the child varies slowest), ``default`` rows, ``property`` statements, comments ``//`` and
``/* */``, names bare or in quotes. A bare label ends at a comma and may hold blanks; an interval
such as ``(1,2]`` is one label.

Written are rows by parent states. A name or label that holds a blank, a comma, a quote, a bracket,
a backslash or a character that does not print is written in double quotes, with the escapes of
`bayesloom.model.escape`; what is read in quotes is taken in the same way. Other programs do not
read all of this (`foreign`).
"""

from __future__ import annotations

import itertools
import math
import re

from bayesloom._native import plain_bif
from bayesloom.errors import BayesloomError, shown
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import bits
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.escape import quote

_BARE = re.compile(r"(?!.*(?://|/\*))[^\s\",;{}()\[\]|\\']+")

_WORD = re.compile(r"(?:[0-9]*[A-DF-Za-df-z_]|[Ee])[A-Za-z0-9_.-]*")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_KEYWORDS = frozenset(
    "network variable probability property type discrete table default".split()  # noqa: SIM905
)


def read(text: str, path: str) -> BayesNet:
    """Read a network from the text of a BIF file.

    Raises
    ------
    FileFormatError
        If the text is not BIF or not a network; the message names line and column.

    Examples
    --------
    >>> text = (
    ...     "variable rain { type discrete [2] { no, yes }; } probability (rain) { table .8 .2; }"
    ... )
    >>> read(text, "rain.bif").table("rain")
    array([0.8, 0.2])
    """
    net = read_plain(text)
    if net is not None:
        return net
    from bayesloom.model.bif_reading import read_network

    return read_network(text, path)


def read_plain(text: str) -> BayesNet | None:
    """Read a text as programs write it, natively; None if it is not plain, or not a network.

    The full reader then understands the text, or says what is wrong with it and where.
    """
    found = plain_bif(text) if text.isascii() else None
    if found is None:
        return None
    names, states, masks, start, numbers = found
    try:
        dag = DAG(names, masks)
        tables = []
        for v, first in enumerate(start):
            shape = [len(states[u]) for u in (*bits(masks[v]), v)]
            tables.append(numbers[first : first + math.prod(shape)].reshape(shape))
        return BayesNet(dag, states, tuple(tables))
    except BayesloomError:
        return None


def write(net: BayesNet) -> str:
    """Return the text of a BIF file; probabilities are written so that they are read back exactly.

    Examples
    --------
    >>> print(write(BayesNet.from_tables({"rain": (["no", "a lot"], [], [0.8, 0.2])})))
    network unknown {
    }
    variable rain {
      type discrete [ 2 ] { no, "a lot" };
    }
    probability ( rain ) {
      table 0.8, 0.2;
    }
    <BLANKLINE>
    """
    lines = ["network unknown {", "}"]
    words = {name: [_word(label) for label in net.states_of(name)] for name in net.names}
    for name, labels in words.items():
        lines.append(f"variable {_word(name)} {{")
        lines.append(f"  type discrete [ {len(labels)} ] {{ {', '.join(labels)} }};")
        lines.append("}")
    for name, labels in words.items():
        parents = net.parents(name)
        given = f" | {', '.join(map(_word, parents))}" if parents else ""
        lines.append(f"probability ( {_word(name)}{given} ) {{")
        starts = ["table"]
        if parents:
            starts = [
                f"({', '.join(row)})" for row in itertools.product(*(words[p] for p in parents))
            ]
        rows = net.table(name).reshape(-1, len(labels)).tolist()
        lines += [
            f"  {start} {', '.join(map(repr, row))};"
            for start, row in zip(starts, rows, strict=True)
        ]
        lines.append("}")
    return "\n".join([*lines, ""])


def foreign(net: BayesNet) -> str:
    """Return the first name or state that not all programs read from a BIF file; empty if none.

    pyAgrum reads words that it cannot take for a number, and states that are whole numbers; pgmpy
    and R bnlearn read more, but no intervals.

    Examples
    --------
    >>> foreign(BayesNet.from_tables({"age": (["(-inf,20]", "(20,inf)"], [], [0.5, 0.5])}))
    "the state '(-inf,20]' of 'age'"
    """
    for name in net.names:
        if not _is_plain(name):
            return f"the name {shown(repr(name))}"
        for label in net.states_of(name):
            if not _is_plain(label) and not _WHOLE.fullmatch(label):
                return f"the state {shown(repr(label))} of {shown(repr(name))}"
    return ""


def _is_plain(text: str) -> bool:
    return _WORD.fullmatch(text) is not None and text not in _KEYWORDS


def _word(text: str) -> str:
    return text if _BARE.fullmatch(text) and text.isprintable() else quote(text)
