"""Scores, tests, controls, searches and estimators as text: what is printed is what is read back.

``IL(local=XGES(score=QNML(guard=4)), control=AlphaSpending(alpha=0.01))``: names of the registry,
with the options that differ from their defaults. Nothing is evaluated: the text is parsed with
`ast`, and only calls of registered classes, numbers, texts, lists of them and members of enums are
read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from types import UnionType
from typing import Any, NoReturn, Union, get_args, get_origin

from bayesloom.errors import OptionError, listed, meant, shown
from bayesloom.registry import REGISTRIES, Registry, options_of

_CONSTANTS = bool, int, float, str, type(None)
_WORDS = {"true": True, "false": False, "none": None, "inf": float("inf")}


@dataclass(frozen=True, slots=True)
class Written:
    """A value as it is written: a class, and the options that are written out.

    Parameters
    ----------
    text : str
        The whole text.
    registry : Registry
        The registry of the class.
    kind : type
        The class.
    options : mapping
        The options that the text gives.
    """

    text: str
    registry: Registry
    kind: type
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the class on the command line; of one without it the name of the class."""
        name = self.registry.name_of(self.kind)
        return self.kind.__name__ if "." in name else name

    @property
    def title(self) -> str:
        """What it is, such as ``the search ges``."""
        return f"the {self.registry.kind} {self.name}"

    def made(self, usual: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401 - of any registry
        """Make the value; ``usual`` are options that hold where the text says nothing.

        Raises
        ------
        OptionError
            If an option is missing, or has a value that it cannot take.
        """
        given = {**(usual or {}), **self.options}
        if missing := [name for name in needed_options(self.kind) if name not in given]:
            example = ", ".join(f"{name}=..." for name in missing)
            msg = f"{self.title} needs {listed(missing)}: write {self.kind.__name__}({example})"
            raise OptionError(msg)
        return self.kind(**given)


def needed_options(kind: type) -> list[str]:
    """Return the options of a class that have no default."""
    unset = (MISSING, MISSING)
    return [
        each.name
        for each in fields(kind)
        if each.init and (each.default, each.default_factory) == unset
    ]


def read_value(text: str, registry: Registry) -> Any:  # noqa: ANN401 - of any registry
    """Read a value of a registry from the text that `registry.described` writes.

    Raises
    ------
    OptionError
        If the text is no such value; the message says where, and what was meant.

    Examples
    --------
    >>> from bayesloom.registry import CONTROLS, SCORES, SEARCHES, described
    >>> text = "IL(local=XGES(score=QNML(guard=4)), control=AlphaSpending(alpha=0.01))"
    >>> described(read_value(text, SEARCHES)) == text
    True
    >>> read_value("bdeu", SCORES), read_value("AlphaSpending(0.01)", CONTROLS).alpha
    (BDeu(kappa=None, per_parent=None, sparsity=None, ess=10.0), 0.01)
    >>> read_value("GES(scor=BIC())", SEARCHES)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: GES has no option 'scor' (did you mean 'score'?) at character 5 \
of 'GES(scor=BIC())'; its options are score, turning, start, within, lookahead
    """
    return parse_value(text, registry).made()


def parse_value(text: str, registry: Registry) -> Written:
    """Read what text says of a value of a registry, which is not made yet.

    Raises
    ------
    OptionError
        If the text is no such value.
    """
    if text.strip() in registry:
        return Written(text, registry, registry[text.strip()], {})
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = getattr(error, "offset", None)
        where = f" at character {place}" if place else ""
        why = f"it cannot be read{where}; {_form(registry)}"
        msg = f"{shown(repr(text))} is no {registry.kind}: {why}"
        raise OptionError(msg) from None
    return _Reader(text.strip()).parse_value(tree, registry)


def _form(registry: Registry) -> str:
    name, example = next(iter(registry)), _EXAMPLES[registry.kind]
    return f"write a name such as {name}, or one with options such as {example}"


_EXAMPLES = {
    "score": "BDeu(ess=5)",
    "test": "ChiSquare(min_expected=3)",
    "control": "FixedAlpha(0.01)",
    "search": "GES(score=BDeu(ess=5))",
    "estimator": "BDeuMean(ess=5)",
}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns the parsed text into values; every message says where in the text it is."""

    text: str

    def parse_value(self, node: ast.expr, registry: Registry | None) -> Written:
        """Read a class with its options."""
        call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        name = self._name(call.func, registry)
        home, kind = self._class(name, call.func, registry)
        hints = options_of(kind)
        options: dict[str, Any] = {}
        first = [each.name for each in fields(kind) if each.init and not each.kw_only]
        for place, item in enumerate(call.args):
            if place >= len(first) or isinstance(item, ast.Starred):
                msg = f"{kind.__name__} takes {len(first)} options without their names"
                self._refuse(msg, item)
            options[first[place]] = item
        for keyword in call.keywords:
            if keyword.arg is None or keyword.arg in options:
                msg = f"{kind.__name__} is given {keyword.arg or 'options by **'} twice"
                self._refuse(msg, keyword.value)
            if keyword.arg not in hints:
                hint = meant(keyword.arg, hints)
                ending = f"its options are {listed(hints)}" if hints else "it has no options"
                msg = f"{kind.__name__} has no option {keyword.arg!r}{hint}"
                self._refuse(msg, keyword, ending)
            options[keyword.arg] = keyword.value
        values = {key: self._value(item, key, hints[key]) for key, item in options.items()}
        return Written(self.text, home, kind, values)

    def _name(self, node: ast.expr, registry: Registry | None) -> str:
        """Return the dotted name of a class; one with a hyphen is understood, and corrected."""
        name = ast.unparse(node)
        if isinstance(node, ast.BinOp):
            short = name.replace(" ", "").partition("(")[0]
            for home in REGISTRIES if registry is None else (registry,):
                if short in home:
                    msg = f"with options, {short} is written {home[short].__name__}(...)"
                    self._refuse(msg, node)
        if not isinstance(node, ast.Name | ast.Attribute):
            what = "value" if registry is None else registry.kind
            self._refuse(f"expected the name of a {what}, got {shown(repr(name))}", node)
        return name

    def _class(self, name: str, node: ast.expr, registry: Registry | None) -> tuple[Registry, type]:
        """Return a class by its own name or its registered one, with its registry."""
        homes = REGISTRIES if registry is None else (registry,)
        for home in homes:
            if (kind := home.titled(name)) is not None:
                return home, kind
        known = [title for home in homes for title in home.titles()]
        what = "score, test, control, search or estimator" if registry is None else registry.kind
        return self._refuse(f"there is no {what} {name!r}{meant(name, known)}", node)

    def _value(self, node: ast.expr, option: str, hint: Any) -> Any:  # noqa: ANN401 - an annotation
        """Read the value of an option."""
        if isinstance(node, ast.Constant) and isinstance(node.value, _CONSTANTS):
            return self._constant(node, option, hint)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self._value(node.operand, option, hint)
            if isinstance(number, int | float):
                return -number
        if isinstance(node, ast.Tuple | ast.List):
            return tuple(self._value(item, option, hint) for item in node.elts)
        if isinstance(node, ast.Name) and node.id.lower() in _WORDS:
            return _WORDS[node.id.lower()]
        if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.BinOp):
            return self._part(node, option, hint)
        return self._refuse(f"{option} cannot be {shown(ast.unparse(node))!r}", node)

    def _constant(self, node: ast.Constant, option: str, hint: Any) -> object:  # noqa: ANN401
        """Return a number or a text; a text where a choice is wanted is its value."""
        members = {member.value: member for kind in _enums(hint) for member in kind}
        if node.value in members:
            return members[node.value]
        if members and isinstance(node.value, str) and str not in _kinds(hint):
            self._refuse_choice(node, option, members)
        return node.value

    def _refuse_choice(self, node: ast.expr, option: str, members: Mapping[Any, Enum]) -> NoReturn:
        wanted = " or ".join(repr(str(value)) for value in members)
        self._refuse(f"{option} must be {wanted}, got {shown(ast.unparse(node))}", node)

    def _part(self, node: ast.expr, option: str, hint: Any) -> Any:  # noqa: ANN401 - an annotation
        """Read a score, a test, ... that is the value of an option."""
        for choice in _enums(hint):
            for member in choice:
                if ast.unparse(node) == f"{choice.__name__}.{member.name}":
                    return member
        if members := {member.value: member for kind in _enums(hint) for member in kind}:
            self._refuse_choice(node, option, members)
        part = self.parse_value(node, _registry_for(option, hint))
        try:
            return part.made()
        except OptionError as error:
            self._refuse(str(error), node)

    def _refuse(self, problem: str, node: ast.expr | ast.keyword, ending: str = "") -> NoReturn:
        """Raise, with the place in the text."""
        after = f"; {ending}" if ending else ""
        place = getattr(node, "col_offset", 0) + 1
        msg = f"{problem} at character {place} of {shown(repr(self.text))}{after}"
        raise OptionError(msg)


def _kinds(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401 - an annotation
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _enums(hint: Any) -> Iterator[type[Enum]]:  # noqa: ANN401 - an annotation
    for kind in _kinds(hint):
        if isinstance(kind, type) and issubclass(kind, Enum):
            yield kind


_NAMED = {"Score": 0, "IndependenceTest": 1, "Control": 2, "Search": 3, "Estimator": 4}


def _registry_for(option: str, hint: Any) -> Registry | None:  # noqa: ANN401 - an annotation
    """Return the registry of an option's values; None if they may be of several."""
    if "CandidateRule" in str(hint):
        return REGISTRIES[_NAMED["Search"]]
    named = [_NAMED.get(getattr(kind, "__name__", "")) for kind in _kinds(hint)]
    found = [place for place in named if place is not None]
    if found:
        return REGISTRIES[found[0]]
    return next((each for each in REGISTRIES if each.kind == option), None)
