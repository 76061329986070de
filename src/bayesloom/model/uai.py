"""UAI, the format of the inference competitions: numbers only.

The file lists the numbers of states, then for each function its scope with the child last, then
the tables with the last variable fastest; ``#`` starts a comment. The format has no names: a plain
file is read with variables x0, x1, ... and states 0, 1, ... Written files keep the names in a last
line, a comment that begins with ``# bayesloom`` and holds a JSON object with ``names`` and
``states``; other programs skip it. A tab after the first word promises that line, so that a file
that was cut before it is not taken for a plain one.

Two programs put the numbers in another order, and their files are read as they mean them. pyAgrum,
known by its blanks, ends every scope with a comment that holds the child's name, and lets the first
parent vary faster than the second. pgmpy lets the first variable of a scope vary fastest; this is
recognised when the rows sum to 1 in that order only.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from bayesloom.arrays import Floats
from bayesloom.errors import FileFormatError
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.draft import Draft, FileText, as_numbers, wrong_number
from bayesloom.model.family import MOST_PARENTS
from bayesloom.model.json_file import parse
from bayesloom.model.probabilities import find_row_fault

_NAMES = re.compile(r"^#[ \t]*bayesloom[ \t]*(?=\{)", re.MULTILINE)
_COMMENT = re.compile(r"#[^\n]*")
_PROMISED = re.compile(r"BAYES\t\r?\n")
_AGRUM = re.compile(
    r"BAYES\r?\n[0-9]++\r?\n(?:[0-9]++ )++\r?\n[0-9]++\r?\n((?:(?:[0-9]++ )++  # [^\r\n]++\r?\n)++)"
)
_AGRUM_NAME = re.compile(r"# ([^\r\n]++)")
_TOKEN = re.compile(r"\S+")
_COUNT = re.compile(r"[0-9]{1,15}")


class _Order(Enum):
    """How the variables of a scope vary in its table."""

    LAST_FASTEST = auto()
    FIRST_FASTEST = auto()
    CHILD_THEN_FIRST_PARENT = auto()


@dataclass(frozen=True, slots=True)
class _Function:
    """One table: its scope with the child last, its shape, its numbers and their first token."""

    scope: tuple[int, ...]
    shape: tuple[int, ...]
    numbers: Floats
    start: int

    def ordered(self, order: _Order) -> Floats:
        """Return the numbers so that the last variable varies fastest."""
        axes = list(range(len(self.scope)))
        if order is _Order.FIRST_FASTEST:
            axes.reverse()
        elif order is _Order.CHILD_THEN_FIRST_PARENT:
            axes[:-1] = axes[-2::-1]
        file_shape = [self.shape[axis] for axis in axes]
        return self.numbers.reshape(file_shape).transpose(axes).ravel()

    def fits(self, order: _Order) -> bool:
        """Say whether the rows are distributions if the numbers stand in this order."""
        return find_row_fault(self.ordered(order).reshape(-1, self.shape[-1])) is None


@dataclass(slots=True)
class _Tokens:
    """The tokens of a file, taken from left to right."""

    source: FileText
    tokens: list[str]
    position: int = 0

    def error(self, problem: str, position: int) -> FileFormatError:
        """Make the error for a problem at a token."""
        matches = _TOKEN.finditer(self.source.text)
        match = next(itertools.islice(matches, position, None), None)
        return self.source.error(problem, match.start() if match else len(self.source.text))

    def count(self, what: str, least: int = 0, most: int | None = None) -> int:
        """Take one token, which must be a whole number in a range."""
        token = self.tokens[self.position] if self.position < len(self.tokens) else "the end"
        number = int(token) if _COUNT.fullmatch(token) else -1
        if number < least or (most is not None and number > most):
            limits = f"{least} to {most}" if most is not None else f"{least} or more"
            problem = f"expected {what}, a number from {limits}; got {token[:40]}"
            raise self.error(problem, self.position)
        self.position += 1
        return number

    def numbers(self, count: int) -> Floats:
        """Take some tokens, which must be numbers."""
        taken = self.tokens[self.position : self.position + count]
        if len(taken) < count:
            problem = f"expected {count} numbers, but only {len(taken)} are left in the file"
            raise self.error(problem, self.position)
        numbers = as_numbers(taken)
        if numbers is None:
            wrong, problem = wrong_number(taken)
            raise self.error(problem, self.position + wrong)
        self.position += count
        return numbers


def read(text: str, path: str) -> BayesNet:
    """Read a network from the text of a UAI file.

    Raises
    ------
    FileFormatError
        If the text is not UAI or not a network; the message names line and column.

    Examples
    --------
    >>> net = read("BAYES 2  2 2  2  1 0  2 0 1   2 .8 .2   4 .9 .1 .2 .8", "wet.uai")
    >>> net.names, net.states_of("x1"), net.table("x1")[1]
    (('x0', 'x1'), ('0', '1'), array([0.2, 0.8]))
    """
    plain = _COMMENT.sub(lambda match: " " * len(match[0]), text) if "#" in text else text
    tokens = _Tokens(FileText(plain, path), plain.split())
    functions = _read_functions(tokens)
    names = [f"x{v}" for v in range(len(functions))]
    comments = _agrum_names(text)
    if len(comments) == len(functions):
        order = _Order.CHILD_THEN_FIRST_PARENT
        children = [function.scope[-1] for function in functions]
        names = [comment for _, comment in sorted(zip(children, comments, strict=True))]
    elif all(f.fits(_Order.LAST_FASTEST) for f in functions):
        order = _Order.LAST_FASTEST
    else:
        little = all(f.fits(_Order.FIRST_FASTEST) for f in functions)
        order = _Order.FIRST_FASTEST if little else _Order.LAST_FASTEST
    sizes = dict(sorted((f.scope[-1], f.shape[-1]) for f in functions))
    states: list[Sequence[str]] = [[str(k) for k in range(r)] for r in sizes.values()]
    if (extension := _NAMES.search(text)) is not None:
        line = text[: extension.end() + len(text[extension.end() :].partition("\n")[0])]
        names, states = _read_names(FileText(line, path), extension.end(), states)
    elif _PROMISED.match(text):
        problem = "the last line, with the names of variables and states, is cut off; save it again"
        raise tokens.error(problem, len(tokens.tokens))
    return _assemble(tokens, functions, order, (names, states))


def write(net: BayesNet) -> str:
    r"""Return the text of a UAI file; probabilities are read back exactly.

    Examples
    --------
    >>> text = write(BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])}))
    >>> print(text.removeprefix("BAYES\t\n"))
    1
    2
    1
    1 0
    <BLANKLINE>
    2
    0.8 0.2
    <BLANKLINE>
    # bayesloom {"names": ["rain"], "states": [["no", "yes"]]}
    <BLANKLINE>
    """
    lines = ["BAYES\t", str(net.n), " ".join(map(str, net.cardinality.tolist())), str(net.n)]
    for v, name in enumerate(net.names):
        scope = [*map(net.index, net.parents(name)), v]
        lines.append(f"{len(scope)} {' '.join(map(str, scope))}")
    for table in net.tables:
        rows = table.reshape(-1, table.shape[-1]).tolist()
        lines += ["", str(table.size), *(" ".join(map(repr, row)) for row in rows)]
    names = json.dumps({"names": net.names, "states": net.states})
    return "\n".join([*lines, "", f"# bayesloom {names}", ""])


def _agrum_names(text: str) -> list[str]:
    """Return the names in the scopes of a file as pyAgrum writes it; none for any other file."""
    agrum = _AGRUM.match(text)
    return _AGRUM_NAME.findall(agrum[1]) if agrum else []


def _read_functions(tokens: _Tokens) -> list[_Function]:
    """Read the preamble and the tables; every size is checked against the numbers that follow."""
    kind = tokens.tokens[0] if tokens.tokens else "an empty file"
    if kind.upper() != "BAYES":
        problem = (
            f"expected BAYES as the first word, got {kind[:40]}; only Bayesian networks are read"
        )
        raise tokens.error(problem, 0)
    tokens.position = 1
    left = len(tokens.tokens)
    n = tokens.count("the number of variables", 1, left)
    cards = [tokens.count("a number of states", 1, left) for _ in range(n)]
    tokens.count("the number of functions, one per variable", n, n)
    scopes: list[tuple[int, ...]] = []
    children: set[int] = set()
    for _ in range(n):
        size = tokens.count("the size of a scope", 1, MOST_PARENTS + 1)
        scope = tuple(tokens.count("a variable of a scope", 0, n - 1) for _ in range(size))
        if scope[-1] in children or len(set(scope)) < size:
            what = "has a second table" if scope[-1] in children else "has a scope with repeats"
            problem = f"variable {scope[-1]} (counted from 0) {what}"
            raise tokens.error(problem, tokens.position - 1)
        children.add(scope[-1])
        scopes.append(scope)
    functions = []
    for scope in scopes:
        shape = tuple(cards[v] for v in scope)
        size = math.prod(shape)
        what = f"the size of the table of variable {scope[-1]}"
        tokens.count(what, size, size)
        start = tokens.position
        functions.append(_Function(scope, shape, tokens.numbers(size), start))
    if tokens.position < len(tokens.tokens):
        problem = "expected the end of the file after the last table"
        raise tokens.error(problem, tokens.position)
    return functions


def _read_names(
    source: FileText, start: int, states: list[Sequence[str]]
) -> tuple[list[str], list[Sequence[str]]]:
    """Read the line that holds the names of variables and states."""
    content = parse(source, start)
    names = content.get("names") if isinstance(content, dict) else None
    labels = content.get("states") if isinstance(content, dict) else None
    if (
        not isinstance(names, list)
        or not isinstance(labels, list)
        or not all(isinstance(name, str) for name in names)
        or not all(isinstance(known, list) for known in labels)
        or [len(known) for known in labels] != [len(known) for known in states]
        or len(names) != len(states)
    ):
        problem = "expected names and states that fit the numbers of states in the file"
        raise source.error(problem, start)
    return names, labels


def _assemble(
    tokens: _Tokens,
    functions: list[_Function],
    order: _Order,
    labels: tuple[list[str], list[Sequence[str]]],
) -> BayesNet:
    """Hand variables and tables to a draft."""
    draft = Draft(tokens.source)
    names, states = labels
    for name, known in zip(names, states, strict=True):
        draft.add_variable(name, known, None)
    for function in functions:
        *parents, child = (names[v] for v in function.scope)
        try:
            draft.add_table(child, parents, function.ordered(order), None)
        except FileFormatError as error:
            raise tokens.error(error.problem, function.start) from None
    return draft.finish()
