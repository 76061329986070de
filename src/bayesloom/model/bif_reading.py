"""The blocks of a BIF file: variables are read here, probabilities by `bif_block`."""

from __future__ import annotations

import re

from bayesloom.errors import shown
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.bif_block import PROPERTY, Block, read_table, split_labels
from bayesloom.model.draft import Draft, FileText
from bayesloom.model.escape import QUOTED, unquote

_MOST_DEFAULT_CELLS = 1 << 24
"""How many cells the ``default`` rows of one file may stand for."""

# What is not closed runs to the end of the text: looking for every closing mark again would make
# the time quadratic.
_COMMENT = re.compile(
    rf"{QUOTED}?+|\bproperty\b(?:[^\";]++|{QUOTED})*+;?+|//[^\n]*+|/\*(?:.*?\*/|(.*+))", re.DOTALL
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


def read_network(text: str, path: str) -> BayesNet:
    """Read a network from the text of a BIF file; see `bayesloom.model.bif.read`."""
    draft = Draft(_without_comments(FileText(text, path)))
    blocks = _split_blocks(draft.source)
    for block in blocks["variable"]:
        _read_variable(draft, block)
    spare = _MOST_DEFAULT_CELLS
    for block in blocks["probability"]:
        spare -= read_table(draft, block, spare)
    return draft.finish()


def _without_comments(source: FileText) -> FileText:
    """Replace comments by blanks, so that every offset stays true."""

    def blank(match: re.Match[str]) -> str:
        if not match[0].startswith("/"):
            return match[0]
        if match[1] is not None:
            problem = "the comment that starts here is not closed by '*/'"
            raise source.error(problem, match.start())
        return re.sub(r"[^\n]", " ", match[0])

    if "//" not in source.text and "/*" not in source.text:
        return source
    return FileText(_COMMENT.sub(blank, source.text), source.path)


def _split_blocks(source: FileText) -> dict[str, list[Block]]:
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


def _read_states(source: FileText, name: str, match: re.Match[str]) -> list[str]:
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
