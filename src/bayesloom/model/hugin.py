r"""Hugin NET, as Hugin, GeNIe, R bnlearn, pgmpy and pyAgrum write it.

Read are nodes with their states and potentials with their data; all other attributes are skipped.
States stand in quotes or bare. In the data the child varies fastest and the first parent slowest.
Decision and utility nodes, functions and classes are refused.

A number is a ``continuous node``. Its data are one ``normal(mean, variance)`` for each
configuration of its discrete parents, the first of them slowest, as in Hugin, whose second argument
is the variance: ``normal(1000 + 412 * age, 90000)``.

Written are states in quotes, with the escapes of `bayesloom.model.escape`. A node name must be an
identifier in this format: any other name is written as one made of its letters, and the node
carries the true name in the attributes ``label`` and ``bayesloom_name``; the latter is read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bayesloom.errors import shown
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.draft import Draft, FileText
from bayesloom.model.escape import QUOTED, quote, unquote
from bayesloom.model.hugin_number import add_normals, normals

_COMMENT = re.compile(rf"{QUOTED}?+|%[^\n]*+", re.DOTALL)
_BLOCK = re.compile(
    rf"\s*+(\w++)((?:[^\"{{}}]++|{QUOTED})*+)\{{((?:[^\"{{}}]++|{QUOTED})*+)\}}", re.DOTALL
)
_ATTRIBUTE = re.compile(rf"\s*+([^\s=\";]++)\s*+=((?:[^\";]++|{QUOTED})*+);", re.DOTALL)
_STATES = re.compile(r"\s*+\((.*)\)\s*", re.DOTALL)
_STATE = re.compile(rf"\s*+(?:({QUOTED})|([^\s\"]++))", re.DOTALL)
_FAMILY = re.compile(r"\s*+\(([^()|]*+)(?:\|([^()|]*+))?\)\s*")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NOT_IDENTIFIER = re.compile(r"[^A-Za-z0-9_]")
_RESERVED = frozenset(
    {
        "class",
        "continuous",
        "decision",
        "discrete",
        "function",
        "net",
        "node",
        "potential",
        "utility",
    }
)
_CONTINUOUS = "continuous node"
_NO_PARENTHESES = str.maketrans("(),", "   ")


@dataclass(frozen=True, slots=True)
class _Block:
    """A keyword, a header and the attributes of a body, each with its offset."""

    keyword: str
    header: str
    offset: int
    attributes: dict[str, tuple[str, int]]


def read(text: str, path: str) -> BayesNet:
    """Read a network from the text of a Hugin NET file.

    Raises
    ------
    FileFormatError
        If the text is not a NET file or not a network; the message names line and column.

    Examples
    --------
    >>> text = 'net {} node rain { states = ("no" "yes"); } potential (rain) { data = (0.8 0.2); }'
    >>> read(text, "rain.net").table("rain")
    array([0.8, 0.2])
    """
    if "%" in text:
        text = _COMMENT.sub(_blank, text)
    draft = Draft(FileText(text, path))
    names: dict[str, str] = {}
    potentials = []
    for block in _split_blocks(draft.source):
        if block.keyword in ("node", _CONTINUOUS):
            _read_node(draft, block, names)
        elif block.keyword == "potential":
            potentials.append(block)
        elif block.keyword != "net":
            problem = (
                f"expected 'net', 'node' or 'potential'; {shown(block.keyword)} is not supported"
            )
            raise draft.source.error(problem, block.offset)
    for block in potentials:
        _read_potential(draft, block, names)
    return draft.finish()


def write(net: BayesNet) -> str:
    """Return the text of a Hugin NET file; probabilities are read back exactly.

    Examples
    --------
    >>> print(write(BayesNet.from_tables({"rain?": (["no", "yes"], [], [0.8, 0.2])})))
    net
    {
    }
    node v0_rain_
    {
      label = "rain?";
      bayesloom_name = "rain?";
      states = ("no" "yes");
    }
    potential (v0_rain_)
    {
      data = (0.8 0.2);
    }
    <BLANKLINE>
    """
    words = _identifiers(net.names)
    lines = ["net", "{", "}"]
    for name, word in words.items():
        numeric = name in net.numbers
        lines += [f"{'continuous ' * numeric}node {word}", "{"]
        if word != name:
            lines += [f"  label = {quote(name)};", f"  bayesloom_name = {quote(name)};"]
        if not numeric:
            lines.append(f"  states = ({' '.join(map(quote, net.states_of(name)))});")
        lines.append("}")
    for name, word in words.items():
        parents = " ".join(words[parent] for parent in net.parents(name))
        lines += [f"potential ({word}{' | ' * bool(parents)}{parents})", "{"]
        if name in net.numbers:
            data = _nested(net.regression(name).shape or (1,), normals(net, name, words))
        else:
            data = _nested(net.table(name).shape, [*map(repr, net.table(name).ravel().tolist())])
        lines += [f"  data = {data};", "}"]
    return "\n".join([*lines, ""])


def _identifiers(names: tuple[str, ...]) -> dict[str, str]:
    """Give each variable an identifier: its own name where that is one."""
    plain = {name for name in names if _IDENTIFIER.fullmatch(name) and name not in _RESERVED}
    words = {}
    for v, name in enumerate(names):
        word = name if name in plain else f"v{v}_{_NOT_IDENTIFIER.sub('_', name)}"
        while word != name and word in plain:
            word += "_"
        words[name] = word
        plain.add(word)
    return words


def _nested(shape: tuple[int, ...], parts: list[str]) -> str:
    """Write numbers or normals with one level of parentheses per axis."""
    for axis, size in enumerate(reversed(shape)):
        glue = " " if axis == 0 else "\n    " if axis == 1 else "\n\n    "
        parts = [f"({glue.join(parts[k : k + size])})" for k in range(0, len(parts), size)]
    return parts[0]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0]) if match[0].startswith("%") else match[0]


def _split_blocks(source: FileText) -> Iterator[_Block]:
    """Find the blocks of a file and the attributes in each."""
    text, position = source.text, 0
    while (match := _BLOCK.match(text, position)) is not None:
        attributes: dict[str, tuple[str, int]] = {}
        inside, end = match.start(3), match.end(3)
        while (attribute := _ATTRIBUTE.match(text, inside, end)) is not None:
            if attribute[1] in attributes:
                problem = f"the attribute {attribute[1]!r} is given twice"
                raise source.error(problem, inside)
            attributes[attribute[1]] = (attribute[2], attribute.start(2))
            inside = attribute.end()
        if text[inside:end].strip():
            problem = "expected 'attribute = value;'"
            raise source.error(problem, inside)
        header, offset = match[2], match.start(2)
        keyword = match[1]
        if keyword in ("discrete", "continuous") and header.split()[:1] == ["node"]:
            kind, header = keyword, header.replace("node", "", 1)
            keyword = "node" if kind == "discrete" else _CONTINUOUS
        yield _Block(keyword, header, offset, attributes)
        position = match.end()
    if text[position:].strip():
        problem = "expected a block 'net { }', 'node name { }' or 'potential (...) { }'"
        raise source.error(problem, position)


def _read_node(draft: Draft, block: _Block, names: dict[str, str]) -> None:
    """Add the variable of a node block."""
    source, word = draft.source, block.header.strip()
    if not word or len(word.split()) > 1 or '"' in word:
        problem = f"expected one node name, got {shown(word)}"
        raise source.error(problem, block.offset)
    if word in names:
        problem = f"node {word!r} is defined twice"
        raise source.error(problem, block.offset)
    name = block.attributes.get("bayesloom_name", (word, 0))[0].strip()
    own = unquote(name) if name.startswith('"') else name
    if block.keyword == _CONTINUOUS:
        names[word] = own
        draft.add_number(own, block.offset)
        return
    states = _STATES.fullmatch(block.attributes.get("states", ("", 0))[0])
    if states is None:
        problem = f'node {word!r} needs an attribute \'states = ("a" "b");\''
        raise source.error(problem, block.offset)
    labels = [
        unquote(quoted) if quoted else bare for quoted, bare in _STATE.findall(states[1].rstrip())
    ]
    names[word] = own
    draft.add_variable(names[word], labels, block.offset)


def _read_potential(draft: Draft, block: _Block, names: dict[str, str]) -> None:
    """Add the table of a potential block."""
    source = draft.source
    family = _FAMILY.fullmatch(block.header)
    words = [*family[1].split(), *(family[2] or "").split()] if family else []
    if family is None or len(family[1].split()) != 1:
        problem = "expected 'potential ( child | parents )' with one child"
        raise source.error(problem, block.offset)
    child, *parents = (names.get(word, word) for word in words)
    if "data" not in block.attributes:
        problem = f"the potential of {child!r} has no 'data'"
        raise source.error(problem, block.offset)
    data, offset = block.attributes["data"]
    if data.count("(") != data.count(")"):
        problem = f"the parentheses in the data of {child!r} do not match"
        raise source.error(problem, offset)
    if child in draft.states and not draft.states[child]:
        add_normals(draft, child, parents, names, (data, offset))
        return
    numbers = source.numbers(data.translate(_NO_PARENTHESES).split(), offset)

    def locate(first: int) -> int:
        return source.token_offset(offset, first)

    draft.add_table(child, parents, numbers, offset, locate)
