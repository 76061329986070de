"""The registry: every score, test, control, search and estimator by its name.

The names of the package are the tables in this file, each with the module and the class that it
stands for. The command line, the records in network files, the tables of the documentation and the
tests read them here. A class from outside the package gets its place with `register`, or with an
entry point in the group ``bayesloom.score`` (``.test``, ``.control``, ``.search``, ``.estimator``,
``.format``), looked up only when a name is not known otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from bayesloom.errors import OptionError, listed

Class = TypeVar("Class", bound=type)


class Told(NamedTuple):
    """What files tell of a value: its name, and the options that are numbers, texts or enums.

    ``whole`` says whether these are all its options: tables, graphs and lists cannot be told.
    """

    name: str
    settings: Mapping[str, Any]
    whole: bool = True


class Registry(Mapping[str, type]):
    """The classes of one kind by their names; a class is imported when it is asked for.

    Parameters
    ----------
    kind : str
        What they are: ``"score"``, ``"search"``, ...
    part : str
        What a class of this kind has, by which `register` knows one.
    built_in : dict
        The names of the package, each with ``"module:Class"``, as entry points are written.
    composed : tuple of str
        Further classes of the package, which need others inside them and so have no short name.

    Examples
    --------
    >>> SCORES["bic"]()
    BIC(kappa=None, per_parent=None, sparsity=None, penalty=1.0)
    >>> SCORES.help("aic")
    'Log-likelihood minus one per free parameter.'
    """

    def __init__(
        self, kind: str, part: str, built_in: Mapping[str, str], composed: tuple[str, ...] = ()
    ) -> None:
        self.kind, self.part, self.built_in, self.composed = kind, part, built_in, composed
        self._added: dict[str, type] = {}

    def __getitem__(self, name: str) -> type:
        """Return the class of a name; KeyError if nothing is called so."""
        if name in self._added:
            return self._added[name]
        if name in self.built_in:
            module, _, title = self.built_in[name].partition(":")
            found: type = getattr(import_module(module), title)
            return found
        return self._from_entry_points(name)

    def __iter__(self) -> Iterator[str]:
        return iter({**self.built_in, **self._added})

    def names(self) -> list[str]:
        """Return all names, also those of plug-ins that nobody has asked for yet.

        Examples
        --------
        >>> TESTS.names()
        ['chi-square', 'g-square', 'fisher-z', 'student-t']
        """
        points = _entry_points(f"bayesloom.{self.kind}")
        return list(dict.fromkeys([*self, *sorted(point.name for point in points)]))

    def __len__(self) -> int:
        return len({**self.built_in, **self._added})

    def __contains__(self, name: object) -> bool:
        """Say whether a name is known; entry points are looked at for one that is not."""
        if name in self.built_in or name in self._added:
            return True
        try:
            return isinstance(name, str) and bool(self._from_entry_points(name))
        except KeyError:
            return False

    def add(self, name: str, kind: type) -> None:
        """Give a class from outside the package a name.

        Raises
        ------
        OptionError
            If the name is not one word, or that of another class.
        """
        if not isinstance(name, str) or not re.fullmatch(r"\w[\w+-]*", name):
            msg = f"the name of a {self.kind} must be one word of letters and digits, got {name!r}"
            raise OptionError(msg)
        if not isinstance(kind, type) or not callable(getattr(kind, self.part, None)):
            msg = f"a {self.kind} is a class with a method {self.part}, got {kind!r}"
            raise OptionError(msg)
        known = self._added.get(name)
        same = known is not None and _place(known) == _place(kind)  # defined anew, in a notebook
        if (name in self.built_in or known is not None) and not same:
            msg = f"{name!r} is the name of another {self.kind}; choose a name of your own"
            raise OptionError(msg)
        self._added[name] = kind

    def name_of(self, value: object) -> str:
        """Return the name of a value or a class; one that has none goes by module and class.

        A value around another, such as a score with a prior, may be ``named_after`` that.
        """
        kind = value if isinstance(value, type) else type(getattr(value, "named_after", value))
        for name, home in self.built_in.items():
            if home == ":".join(_place(kind)):
                return name
        for name, added in self._added.items():
            if added is kind:
                return name
        return ".".join(_place(kind))

    def titled(self, title: str) -> type | None:
        """Return the class of a name or of a class's own name; None if nothing is called so.

        Examples
        --------
        >>> SCORES.titled("BDeu") is SCORES.titled("bdeu"), SCORES.titled("GES")
        (True, None)
        """
        if title in self:
            return self[title]
        for place in (*self.built_in.values(), *self.composed):
            module, _, own = place.partition(":")
            if own == title:
                kind: type = getattr(import_module(module), own)
                return kind
        for added in self._added.values():
            if title in (added.__name__, ".".join(_place(added))):
                return added
        return None

    def titles(self) -> list[str]:
        """Return the names of the classes themselves, as they are written with options.

        Examples
        --------
        >>> TESTS.titles()
        ['ChiSquare', 'GSquare', 'FisherZ', 'StudentT']
        """
        own = [place.partition(":")[2] for place in (*self.built_in.values(), *self.composed)]
        return [*own, *(kind.__name__ for kind in self._added.values())]

    def help(self, name: str) -> str:
        """Return what a class is, in one line: the first of its documentation."""
        return (self[name].__doc__ or "").strip().partition("\n")[0]

    def options(self, name: str) -> dict[str, Any]:
        """Return the options of a class with their type annotations."""
        return options_of(self[name])

    def defaults(self, name: str) -> dict[str, Any]:
        """Return the options of a class that have a default, with it; of none that is not known."""
        from dataclasses import MISSING, fields, is_dataclass

        kind = self.get(name)
        if kind is None or not is_dataclass(kind):
            return {}
        return {field.name: field.default for field in fields(kind) if field.default is not MISSING}

    def told(self, value: object) -> Told:
        """Return what files tell of a value."""
        settings = settings_of(value)
        return Told(self.name_of(value), settings, len(settings) == len(_options_of(value)))

    def made(self, told: Told) -> Any | None:  # noqa: ANN401 - whatever is registered
        """Make the value that was told; None if its class is not known or needs more than that.

        Raises
        ------
        OptionError, ValueError
            If the class refuses the options.

        Examples
        --------
        >>> SCORES.made(Told("bdeu", {"ess": 5.0}))
        BDeu(kappa=None, per_parent=None, sparsity=None, ess=5.0)
        >>> SCORES.made(Told("my.own.Score", {})) is None
        True
        """
        from enum import Enum

        name, settings = told.name, dict(told.settings)
        if not told.whole or name not in self:
            return None
        options = self.options(name)
        if not set(settings) <= set(options):
            return None
        for key, value in settings.items():
            if isinstance(options[key], type) and issubclass(options[key], Enum):
                settings[key] = options[key](value)
        try:
            return self[name](**settings)
        except TypeError:  # an option without a default is missing: a table, a graph
            return None

    def _from_entry_points(self, name: str) -> type:
        for point in _entry_points(f"bayesloom.{self.kind}"):
            if point.name == name:
                try:
                    found = point.load()
                except Exception as error:
                    what = f"{type(error).__name__}: {error}"
                    msg = f"the plug-in {point.value} cannot be loaded ({what}); mend or remove it"
                    raise OptionError(msg) from error
                self.add(name, found)
                return self._added[name]
        raise KeyError(name)


SCORES = Registry(
    "score",
    "local_scores",
    {
        "bde": "bayesloom.scores.dirichlet:BDe",
        "bdeu": "bayesloom.scores.dirichlet:BDeu",
        "bdm": "bayesloom.scores.dirichlet:BDm",
        "bds": "bayesloom.scores.dirichlet:BDs",
        "k2": "bayesloom.scores.dirichlet:K2Score",
        "bge": "bayesloom.scores.gaussian:BGe",
        "dg": "bayesloom.scores.gaussian:DegenerateGaussian",
        "aic": "bayesloom.scores.information:AIC",
        "bic": "bayesloom.scores.information:BIC",
        "loglik": "bayesloom.scores.information:LogLikelihood",
        "fnml": "bayesloom.scores.nml:FNML",
        "qnml": "bayesloom.scores.nml:QNML",
        "pnal": "bayesloom.scores.node_average:PNAL",
    },
)
TESTS = Registry(
    "test",
    "run",
    {
        "chi-square": "bayesloom.independence.contingency:ChiSquare",
        "g-square": "bayesloom.independence.contingency:GSquare",
        "fisher-z": "bayesloom.independence.partial_correlation:FisherZ",
        "student-t": "bayesloom.independence.partial_correlation:StudentT",
    },
)
CONTROLS = Registry(
    "control",
    "decider",
    {
        "lord": "bayesloom.independence.control:LORD",
        "saffron": "bayesloom.independence.control:SAFFRON",
        "spending": "bayesloom.independence.control:AlphaSpending",
        "bh": "bayesloom.independence.control:BenjaminiHochberg",
        "fixed": "bayesloom.independence.control:FixedAlpha",
    },
)
SEARCHES = Registry(
    "search",
    "search",
    {
        "aracne": "bayesloom.search.constraint.aracne:ARACNE",
        "gs": "bayesloom.search.constraint.grow_shrink:GrowShrink",
        "iamb": "bayesloom.search.constraint.iamb:IAMB",
        "miic": "bayesloom.search.constraint.miic:MIIC",
        "mmhc": "bayesloom.search.constraint.mmhc:MMHC",
        "pc": "bayesloom.search.constraint.pc:PC",
        "chow-liu": "bayesloom.search.dag.chow_liu:ChowLiu",
        "hc": "bayesloom.search.dag.hill_climbing:HillClimbing",
        "k2": "bayesloom.search.dag.k2:K2",
        "nb": "bayesloom.search.dag.naive_bayes:NaiveBayes",
        "order": "bayesloom.search.dag.order_search:OrderSearch",
        "tabu": "bayesloom.search.dag.tabu:Tabu",
        "tan": "bayesloom.search.dag.tan:TAN",
        "boss": "bayesloom.search.equivalence.boss:BOSS",
        "ges": "bayesloom.search.equivalence.ges:GES",
        "xges": "bayesloom.search.equivalence.xges:XGES",
        "exact": "bayesloom.search.exact.exact:Exact",
        "iges": "bayesloom.search.imap.shorthand:IGES",
        "ihc": "bayesloom.search.imap.shorthand:IHC",
        "ixges": "bayesloom.search.imap.shorthand:IXGES",
        "dmn": "bayesloom.search.markov.dmn:DMN",
        "structural-em": "bayesloom.search.structural_em:StructuralEM",
    },
    (
        "bayesloom.search.imap.il:IL",
        "bayesloom.search.markov.through_dmn:ThroughDMN",
        "bayesloom.search.constraint.restricted:Restricted",
        "bayesloom.search.constraint.parents_children:MMPC",
    ),
)
ESTIMATORS = Registry(
    "estimator",
    "probabilities",
    {
        "bdeu": "bayesloom.model.parameters:BDeuMean",
        "laplace": "bayesloom.model.parameters:Laplace",
        "ml": "bayesloom.model.parameters:MaximumLikelihood",
        "tan": "bayesloom.model.parameters:TANSmoothing",
    },
)
REGISTRIES = (SCORES, TESTS, CONTROLS, SEARCHES, ESTIMATORS)
FINDINGS = Registry(
    "finding",
    "sentence",
    {
        "dependency": "bayesloom.search.facts.tested:Dependency",
        "separation": "bayesloom.search.facts.tested:Separation",
        "triangle": "bayesloom.search.constraint.aracne:Triangle",
        "weighing": "bayesloom.search.constraint.miic:Weighing",
    },
)
"""Why searches join two variables or take them apart, by the names in files."""
NETWORK_FILES = Registry("format", "write", {})
"""Formats of network files from outside; those of the package are in `bayesloom.model.formats`."""


def register(kind: Class) -> Class:
    """Give a score, test, control, search, finding or file format of your own a name.

    Use it as a decorator. The name is the class's ``name``, or else its own name in lower case. It
    can then be named on the command line (``bayesloom --plugin MODULE learn ...``), and network
    files that mention it are understood where it is registered. Without it a value of the class
    works in `bayesloom.learn` all the same, and files tell it by module and class. A format of
    network files, a class with ``endings``, ``read`` and ``write``, is known by its endings.

    Raises
    ------
    OptionError
        If the class is none of these, or its name is taken.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from bayesloom.scores import BIC
    >>> @register
    ... @dataclass(frozen=True)
    ... class Stern(BIC):
    ...     '''BIC that asks for three times as much.'''
    ...
    ...     name = "stern"
    ...     penalty: float = 3.0
    >>> SCORES["stern"]().price(100) == 3 * BIC().price(100)
    True
    """
    every = (*REGISTRIES, FINDINGS, NETWORK_FILES)
    for registry in every:
        if isinstance(kind, type) and callable(getattr(kind, registry.part, None)):
            registry.add(getattr(kind, "name", kind.__name__.lower()), kind)
            return kind
    parts = listed(f"{registry.part} ({registry.kind})" for registry in every)
    msg = f"register takes a class with one of the methods {parts}, got {kind!r}"
    raise OptionError(msg)


def registry_of(value: object) -> Registry | None:
    """Return the registry of a score, test, control, search or estimator; None for all else.

    Examples
    --------
    >>> from bayesloom.scores import BIC
    >>> registry_of(BIC()) is SCORES, registry_of(3)
    (True, None)
    """
    for registry in REGISTRIES:
        if not isinstance(value, type) and callable(getattr(value, registry.part, None)):
            return registry
    return None


def options_of(kind: object) -> dict[str, Any]:
    """Return the options of a class, or of a value, with their type annotations."""
    from dataclasses import fields, is_dataclass

    if not is_dataclass(kind):
        return {}
    hints = _hints(kind if isinstance(kind, type) else type(kind))
    return {field.name: hints[field.name] for field in fields(kind) if field.init}


def settings_of(value: object) -> dict[str, Any]:
    """Return the options of a frozen value that are numbers, texts, enums or None, its own first.

    Examples
    --------
    >>> from bayesloom.scores import BDeu
    >>> settings_of(BDeu(ess=5, kappa=0.001))
    {'ess': 5, 'kappa': 0.001, 'per_parent': None, 'sparsity': None}
    """
    from enum import Enum
    from numbers import Integral, Real

    told: dict[str, Any] = {}
    for name, item in _options_of(value).items():
        if item is None or isinstance(item, bool | str):
            told[name] = item
        elif isinstance(item, Enum):
            told[name] = item.value
        elif isinstance(item, Integral):
            told[name] = int(item)
        elif isinstance(item, Real):
            told[name] = float(item)
    return told


def _options_of(value: object) -> dict[str, Any]:
    """Return the options of a value, those of its own class before the common ones."""
    from dataclasses import fields, is_dataclass

    if not is_dataclass(value):
        return {}
    own = sorted(
        (field for field in fields(value) if field.init), key=lambda field: field.kw_only is True
    )
    return {field.name: getattr(value, field.name) for field in own}


def option_text(option: object) -> str:
    """Write the value of an option as the command line reads it.

    Examples
    --------
    >>> option_text(0.50), option_text(True), option_text("soft")
    ('0.5', 'true', 'soft')
    """
    if isinstance(option, bool):
        return str(option).lower()
    return f"{option:g}" if isinstance(option, float) else f"{option}"


def described(value: object, *, whole: bool = False) -> str:
    """Write an option value the short way: the options that differ from their defaults.

    `bayesloom.expression.read_value` reads it back, unless an option is a table, a graph, or so
    long that only its type is written; with ``whole`` no length is too long.

    Examples
    --------
    >>> from bayesloom.scores import BDeu
    >>> from bayesloom.search import HillClimbing
    >>> described(HillClimbing()), described(HillClimbing(score=BDeu(ess=5), restarts=2))
    ('HillClimbing()', 'HillClimbing(score=BDeu(ess=5), restarts=2)')
    """
    from dataclasses import MISSING, fields, is_dataclass
    from enum import Enum

    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    own_place = ":".join(_place(type(value)))
    if not is_dataclass(value) or (
        registry_of(value) is None and own_place not in SEARCHES.composed
    ):
        text = repr(value)
        if re.search(_ADDRESS, text):  # it would differ from run to run
            plain = callable(value) and hasattr(value, "__qualname__")
            return ".".join(_place(value)) if plain else f"{'.'.join(_place(type(value)))}(...)"
        return text if whole or len(text) <= _LONG else f"{type(value).__name__}(...)"
    shown = []
    for field in fields(value):
        default = None if field.default is MISSING else field.default
        given = getattr(value, field.name)
        if field.init and field.repr and given != default:
            shown.append(f"{field.name}={described(given, whole=whole)}")
    module, title = _place(type(value))
    own = "" if module.partition(".")[0] == "bayesloom" else f"{module}."
    return f"{own}{title}({', '.join(shown)})"


def _hints(kind: type) -> dict[str, Any]:
    """Return the annotations of a class; a type that only type checkers see can be any object."""
    from typing import get_type_hints

    unseen: dict[str, Any] = {}
    while True:
        try:
            return get_type_hints(kind, localns=unseen)
        except NameError as error:
            if error.name is None or error.name in unseen:
                raise
            unseen[error.name] = object


_ADDRESS = r" at 0x[0-9A-Fa-f]+"
_LONG = 120  # a graph over many variables must not fill the screen


def _place(kind: Any) -> tuple[str, str]:  # noqa: ANN401 - a class or a function
    return kind.__module__, kind.__qualname__


@cache
def _entry_points(group: str) -> tuple[Any, ...]:
    from importlib.metadata import entry_points

    return tuple(entry_points(group=group))
