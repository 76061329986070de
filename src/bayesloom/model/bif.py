r"""BIF, the interchange format that R bnlearn, pgmpy, pyAgrum and JavaBayes write.

Read is what these programs write: values separated by commas or blanks, rows by parent states or a
``table`` (the child varies slowest), ``default`` rows, ``property`` statements, comments ``//`` and
``/* */``, names bare or in quotes. A bare label ends at a comma and may hold blanks; an interval
such as ``(1,2]`` is one label.

Written are rows by parent states. A name or label that holds a blank, a comma, a quote, a bracket,
a backslash or a character that does not print is written in double quotes, with the escapes of
`bayesloom.model.escape`; what is read in quotes is taken in the same way.
"""

from __future__ import annotations

import itertools
import re

from bayesloom.errors import shown
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.bif_block import PROPERTY, Block, read_table, split_labels
from bayesloom.model.draft import Draft, Source
from bayesloom.model.escape import QUOTED, quote, unquote

_MOST_DEFAULT_CELLS = 1 << 24
"""How many cells the ``default`` rows of one file may stand for."""

# What is not closed runs to the end of the text: looking for every closing mark again would make
# the time quadratic.
_COMMENT = re.compile(
    rf"{QUOTED}?+|\bproperty\b(?:[^\";]++|{QUOTED})*+;?+|//[^\n]*+|/\*(?:.*?\*/|.*+)", re.DOTALL
)
_KEYWORD = re.compile(r"\s*+(network|variable|probability)\b")
_HEADER = re.compile(rf"((?:[^\"{{}};]++|{QUOTED})*+)\{{", re.DOTALL)
_BODY = re.compile(rf"(?:[^\"{{}}]++|{QUOTED}|\{{(?:[^\"{{}}]++|{QUOTED})*+\}})*+\}}", re.DOTALL)
_TYPE = re.compile(
    rf"\s*+type\s++discrete\s*+(?:\[\s*+([0-9]++)\s*+\])?\s*+"
    rf"\{{((?:[^\"{{}}]++|{QUOTED})*+)\}}\s*+;?",
    re.DOTALL,
)
_NAME = re.compile(QUOTED, re.DOTALL)
_BARE = re.compile(r"(?!.*(?://|/\*))[^\s\",;{}()\[\]|\\']+")


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
    if "//" in text or "/*" in text:
        text = _COMMENT.sub(_blank, text)
    draft = Draft(Source(text, path))
    blocks = _split_blocks(draft.source)
    for block in blocks["variable"]:
        _read_variable(draft, block)
    spare = _MOST_DEFAULT_CELLS
    for block in blocks["probability"]:
        spare -= read_table(draft, block, spare)
    return draft.finish()


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


def _word(text: str) -> str:
    return text if _BARE.fullmatch(text) and text.isprintable() else quote(text)


def _blank(match: re.Match[str]) -> str:
    """Replace a comment by blanks, so that every offset stays true."""
    if not match[0].startswith("/"):
        return match[0]
    return re.sub(r"[^\n]", " ", match[0])


def _split_blocks(source: Source) -> dict[str, list[Block]]:
    """Find the blocks of each kind: a keyword, a header and a body in braces."""
    blocks: dict[str, list[Block]] = {"network": [], "variable": [], "probability": []}
    position = 0
    while (keyword := _KEYWORD.match(source.text, position)) is not None:
        header = _HEADER.match(source.text, keyword.end())
        body = _BODY.match(source.text, header.end()) if header else None
        if header is None or body is None:
            problem = f"the {keyword[1]} block that starts here is not closed by '}}'"
            raise source.error(problem, keyword.start(1))
        blocks[keyword[1]].append(Block(header[1], header.start(1), body.start(), body.end() - 1))
        position = body.end()
    if source.text[position:].strip():
        problem = "expected 'network', 'variable' or 'probability'"
        raise source.error(problem, position)
    return blocks


def _read_variable(draft: Draft, block: Block) -> None:
    """Add the variable that a block defines."""
    source, name = draft.source, block.header.strip()
    if ('"' in name or "\n" in name) and _NAME.fullmatch(name) is None:
        problem = f"expected one variable name, got {shown(name)}"
        raise source.error(problem, block.offset)
    if name.startswith('"'):
        name = unquote(name)
    labels: list[str] | None = None
    position = block.start
    while position < block.end:
        match = PROPERTY.match(source.text, position, block.end)
        if match is None and labels is None:
            match = _TYPE.match(source.text, position, block.end)
            labels = _read_states(source, name, match) if match else None
        if match is None:
            break
        position = match.end()
    if labels is None or source.text[position : block.end].strip():
        problem = f"expected one 'type discrete [ n ] {{ states }};' for variable {name!r}"
        raise source.error(problem, position)
    draft.add_variable(name, labels, block.offset)


def _read_states(source: Source, name: str, match: re.Match[str]) -> list[str]:
    """Return the labels of a type statement; their number must be the declared one."""
    declared = match[1].lstrip("0") if match[1] else None
    labels = split_labels(match[2], one=declared == "1")
    if declared is not None and declared != str(len(labels)):
        problem = (
            f"variable {name!r} declares {match[1]} states but lists {len(labels)}; a label that "
            "holds a comma needs quotes"
        )
        raise source.error(problem, match.start(2))
    return labels
