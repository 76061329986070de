"""How data are read: the choices of a user about columns, states, missing cells and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypedDict, get_args

from bayesloom.data.dates_option import Dates, checked_dates, dated_names
from bayesloom.data.declared import DeclaredStates, Markers, checked_markers, declared_states
from bayesloom.data.discretization import (
    LEAST_BINS,
    OTHERS,
    Discretization,
    Rule,
    checked_discretization,
    plain,
    rule_of,
    uses,
)
from bayesloom.data.label import MOST_STATES, number_label, told
from bayesloom.data.numbers_option import (
    Numbers,
    checked_numbers_rule,
    names_of,
    numbers_rule_of,
)
from bayesloom.data.source import Source
from bayesloom.errors import (
    DataError,
    OptionError,
    check_flag,
    check_kind,
    check_number,
    check_whole,
    checked_names,
    listed,
    meant,
    shown,
)

if TYPE_CHECKING:
    from bayesloom.data.table import Table

MissingPolicy = Literal["error", "drop", "state", "keep"]
"""What to do with missing cells: refuse them, drop their rows, give them a state, or keep them."""

_OF_FILES = {"delimiter": None, "encoding": None, "header": True, "skip_lines": 0}
"""The options that only CSV files have, and their usual values."""

_ODD = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Codecs of Python that no file of data is written in."""

MISSING_STATE = "missing"
"""The label of the state that missing cells get under ``missing="state"``."""


class RowOptions(TypedDict, total=False):
    """Those options of a `Reading` as keywords that say which cells there are."""

    missing: MissingPolicy | None
    missing_markers: Markers | None
    columns: Iterable[str] | None
    drop: Iterable[str]
    delimiter: str | None
    encoding: str | None
    header: bool
    skip_lines: int
    strip: bool


class UntargetedOptions(RowOptions, total=False):
    """The options of a `Reading` as keywords of a call that has a ``target`` of its own."""

    states: DeclaredStates | None
    numbers: Numbers | None
    discretize: Discretization
    bins: int
    states_from: DeclaredStates | None
    dates: Dates | None
    auto: bool
    strict: bool


class ReadingOptions(UntargetedOptions, total=False):
    """The options of a `Reading` as keywords, which whatever takes data takes; see there.

    What is written out goes before what a network remembers of its own data, also where it is the
    usual value: so these are kept apart from a `Reading`, which has a value for every option.
    """

    target: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """How to make a table of data, as one value that checks itself.

    Parameters
    ----------
    states : mapping or network, optional
        For some columns, the states in the order they shall have; the data must not hold others.
        Where states are intervals, such as ``(20,28]``, numbers go where they belong. A network,
        or anything else with ``names`` and ``states``, stands for ``states_from``.
    missing : {"error", "drop", "state", "keep"}, optional
        Refuse missing cells, drop the rows that have one, make them a last state ``missing``, or
        keep them, which are counted around. Default: refuse them; `bayesloom.learn` of one file or
        frame, and ``auto``, keep them and say so.
    missing_markers : collection or mapping, optional
        Labels that mean missing, such as ``["?", "NA", -999]``; a mapping such as
        ``{"age": [-999], "*": ["NA"]}`` has those of single columns, and an empty one has none.
        Default: none; for `bayesloom.learn` of one file or frame, and with ``auto``, in text files
        ``NA``, ``N/A``, ``NaN``, ``null``, ``?`` and their like, and words such as ``-`` or
        ``unknown`` among numbers.
    numbers : {"keep", "cut"} or mapping, optional
        What becomes of columns of numbers: they stay numbers, or are cut into bins as by
        ``discretize="auto"``. A mapping has a word for some columns, such as
        ``{"age": "keep", "*": "cut"}``. Columns with declared states, or that ``discretize`` names,
        are left to these.
    discretize : {"none", "frequency", "width", "mdl", "auto", "network"} or mapping
        Whether to cut quantities into bins: of equal frequency, of equal width, or where they tell
        most about ``target``; ``auto`` finds the quantities and leaves ids to be refused; so does
        ``network``, which cuts them where they tell most about their neighbours while a network is
        learned. A mapping
        gives columns rules of their own, such as ``{"age": 4, "fare": "width", "dose": [0, 1, 5],
        "*": "auto"}``; see `bayesloom.data.discretization`.
    bins : int
        The largest number of bins of a column whose rule has no number of its own.
    columns : iterable of str, optional
        The columns to read, in the order the table shall have. Default: all.
    drop : iterable of str
        Columns to leave out.
    delimiter : str, optional
        What separates the cells of a CSV file. Default: comma, semicolon or tab, whichever fits.
    encoding : str, optional
        How a CSV file writes its characters, such as ``"cp1252"``. Default: UTF-8, or UTF-16 in
        files that begin with its byte order mark.
    target : str, optional
        The column that ``mdl`` cuts the others for.
    states_from : mapping or network, optional
        States as in ``states``, but of columns that need not be there.
    header : bool
        Whether the first line of a CSV file holds the names of the columns; if not they are called
        ``column_1``, ``column_2``, ...
    skip_lines : int
        How many lines of a CSV file come before its table, such as a title.
    strip : bool
        Whether blanks at the ends of names and cells are left out.
    dates : mapping, optional
        For columns of dates, which parts of them stand in their place, such as
        ``{"when": ["month", "weekday"]}``: columns ``when_month`` and ``when_weekday``. Parts are
        year, quarter, month, day, weekday and hour.
    auto : bool
        Take every proposal that `bayesloom.inspect` makes; options that are written out go before.
        Without it `bayesloom.learn` takes those that are safe, and asks for all others in one
        error.
    strict : bool
        Take none, and refuse what is not certain.

    Raises
    ------
    OptionError
        If an option has a value it cannot take.

    Examples
    --------
    >>> reading = Reading(missing_markers=["?", -1], drop=["id"])
    >>> reading.missing_markers, reading.missing
    (('?', '-1'), None)
    >>> reading.apply({"id": ["a", "b"], "wet": ["no", "yes"]}).names
    ('wet',)
    >>> Reading.from_dict(reading.to_dict()) == reading
    True
    """

    ignores_unseen: ClassVar[bool] = False
    """Whether values that are not among the declared states are missing; else they are refused."""

    asks: ClassVar[bool] = True
    """Whether ids and quantities are refused; else it is settled what becomes of them."""

    unseen_advice: ClassVar[str] = ""
    """What else to do about such a value than to declare it or to name it as missing."""

    states: DeclaredStates | None = None
    missing: MissingPolicy | None = None
    missing_markers: Markers | None = None
    numbers: Numbers | None = None
    discretize: Discretization = "none"
    bins: int = 5
    columns: Iterable[str] | None = None
    drop: Iterable[str] = ()
    delimiter: str | None = None
    encoding: str | None = None
    target: str | None = None
    states_from: DeclaredStates | None = None
    header: bool = True
    skip_lines: int = 0
    strip: bool = False
    dates: Dates | None = None
    auto: bool = False
    strict: bool = False

    def __post_init__(self) -> None:
        if self.missing is not None:
            _check_choice("missing", self.missing, get_args(MissingPolicy))
        check_whole("bins", self.bins, LEAST_BINS)
        check_number("bins", self.bins, most=MOST_STATES)
        check_whole("skip_lines", self.skip_lines, 0)
        for option in ("header", "strip", "auto", "strict"):
            check_flag(option, getattr(self, option))
        if self.auto and self.strict:
            msg = "auto takes every proposal and strict takes none; give one of them"
            raise OptionError(msg)
        _check_delimiter(self.delimiter)
        _check_encoding(self.encoding)
        states, states_from = _split_states(self.states, self.states_from)
        kept: dict[str, object] = {
            "states": states,
            "states_from": states_from,
            "numbers": checked_numbers_rule(self.numbers),
            "dates": checked_dates(self.dates),
            "discretize": checked_discretization(self.discretize),
            "missing_markers": checked_markers(self.missing_markers),
            "columns": None if self.columns is None else checked_names("columns", self.columns),
            "drop": checked_names("drop", self.drop),
        }
        for option, value in kept.items():
            object.__setattr__(self, option, value)
        chosen = tuple(self.columns or ())
        if len(set(chosen)) < len(chosen):
            twice = next(name for k, name in enumerate(chosen) if name in chosen[:k])
            msg = f"columns names {shown(repr(twice))} twice; name it once"
            raise OptionError(msg)
        self._check_rules()

    def _check_rules(self) -> None:
        """Check that the rules of columns contradict neither their states nor the target."""
        self._check_numbers()
        named = () if isinstance(self.discretize, str) else self.discretize
        for name in named:
            if self.states is not None and name in self.states:
                what = f"column {shown(repr(name))}"
                msg = f"states and discretize both say what becomes of {what}; give one of them"
                raise OptionError(msg)
        if self.auto and uses(self.discretize, "network"):
            msg = (
                "auto plans a table once, and discretize='network' cuts it again and again; "
                "leave one of them out"
            )
            raise OptionError(msg)
        wants_target = uses(self.discretize, "mdl")
        if wants_target != (self.target is not None):
            msg = (
                "discretize='mdl' needs a target, the column to cut for: target='class' "
                "(--target class)"
                if wants_target
                else "target is the column that discretize='mdl' (--discretize mdl) cuts for; "
                "without it leave target out"
            )
            raise OptionError(msg)
        if self.target is not None:
            check_kind("target", self.target, str, "the name of a column")

    def _check_numbers(self) -> None:
        """Check that what becomes of numbers is said once."""
        cut = {} if isinstance(self.discretize, str) else dict(self.discretize)
        others = self.discretize if isinstance(self.discretize, str) else cut.pop(OTHERS, "none")
        for name in names_of(self.numbers):
            keeps = numbers_rule_of(self.numbers, name) == "keep"
            if name in (self.states or ()) or (name in cut and keeps):
                twice = "states" if name in (self.states or ()) else "discretize"
                what = f"column {shown(repr(name))}"
                msg = f"{twice} and numbers both say what becomes of {what}; give one of them"
                raise OptionError(msg)
        if others != "none" and numbers_rule_of(self.numbers, OTHERS) == "keep":
            msg = (
                f"numbers='keep' keeps what discretize={others!r} cuts; give one of them, or name "
                "columns, as in numbers={'age': 'keep'}"
            )
            raise OptionError(msg)

    @property
    def plans(self) -> bool:
        """Whether a plan is made of data before they are read."""
        return self.auto

    def rule(self, name: str) -> Rule:
        """Return how a column is cut."""
        rule = rule_of(self.discretize, name, self.bins)
        word = numbers_rule_of(self.numbers, name)
        if word is None or rule.named:
            return rule
        named = name in names_of(self.numbers)
        if word == "keep":
            return Rule("none", self.bins, named=named) if named else rule
        if rule.how != "none":
            return rule
        return Rule("frequency" if named else "auto", self.bins, named=named)

    def keeps(self, name: str) -> bool:
        """Tell whether a column stays one of numbers, if it is one."""
        decided = self.declared(name) is not None or rule_of(self.discretize, name, 2).named
        return not decided and numbers_rule_of(self.numbers, name) == "keep"

    def refuse_file_options(self, what: str) -> None:
        """Refuse the options of CSV files for data that have no use for them."""
        for option, usual in _OF_FILES.items():
            if getattr(self, option) != usual:
                msg = f"{option} is an option of CSV files, and {what} has none; leave it out"
                raise OptionError(msg)

    def apply(self, data: Any) -> Table:  # noqa: ANN401 - frames of whatever library
        """Return the table that a file, a frame or a table holds, read in this way.

        Of a table, which is already read, only columns can be chosen and dropped.

        Raises
        ------
        FileFormatError
            If a file is not there or cannot be read; the message names the line.
        DataError
            If the data break the contract: missing cells, an id or a quantity, undeclared states.
        OptionError
            If an option has no meaning for such data.
        """
        from bayesloom.data.reader import table_of

        return table_of(data, self)

    def declared(self, name: str) -> tuple[str, ...] | None:
        """Return the states declared for a column, or None."""
        found = (self.states or {}).get(name) or (self.states_from or {}).get(name)
        return None if found is None else tuple(map(str, found))

    @property
    def all_markers(self) -> tuple[str, ...]:
        """The labels that mean missing in some column."""
        markers: Any = self.missing_markers or ()
        some = markers.values() if isinstance(markers, Mapping) else [markers]
        return tuple(dict.fromkeys(str(label) for labels in some for label in labels))

    def markers(self, name: str) -> frozenset[str]:
        """Return the labels that mean missing in a column; a number also in its one spelling."""
        markers: Any = self.missing_markers or ()
        if isinstance(markers, Mapping):
            markers = markers.get(name, markers.get(OTHERS, ()))
        labels = [str(marker) for marker in markers]
        return frozenset(labels) | {n for x in labels if (n := number_label(x)) is not None}

    def _read_for(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of a source that the chosen ones are, or are parts of dates of."""
        source = {part: name for name, parts in dated_names(self.dates).items() for part in parts}
        there = set(names)
        return tuple(
            dict.fromkeys(x if x in there else source.get(x, x) for x in self.columns or ())
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain data, which are also the keywords of `bayesloom.read`."""
        told_of = plain_options(self)
        for option in ("states", "states_from"):
            if told_of[option] is not None:
                told_of[option] = {name: list(labels) for name, labels in told_of[option].items()}
        told_of["discretize"] = plain(self.discretize)
        if isinstance(self.missing_markers, Mapping):
            told_of["missing_markers"] = {k: [*x] for k, x in self.missing_markers.items()}
        told_of["dates"] = None if self.dates is None else {k: [*x] for k, x in self.dates.items()}
        told_of["numbers"] = dict(x) if isinstance(x := self.numbers, Mapping) else x
        return {name: list(x) if isinstance(x, tuple) else x for name, x in told_of.items()}

    def memory(self) -> dict[str, Any]:
        """Return, as plain data, what data of the same kind need to be read again for a network.

        These are the options about missing cells and files that are not the usual ones; states and
        cuts are in the network. `from_dict` makes a reading of it.

        Examples
        --------
        >>> Reading(missing="drop", discretize="auto", drop=["id"]).memory()
        {'missing': 'drop'}
        """
        kept = ("missing", "missing_markers", *_OF_FILES, "strip", "dates")
        usual, own = Reading().to_dict(), self.to_dict()
        return {option: own[option] for option in kept if own[option] != usual[option]}

    @classmethod
    def from_dict(
        cls, options: Mapping[str, Any], call: Callable[..., Any] | None = None
    ) -> Reading:
        """Return what `to_dict` was made of; options that are left out are the usual ones.

        Parameters
        ----------
        options : mapping
            The options, such as a call takes them as keywords (`ReadingOptions`).
        call : callable, optional
            What was called with them: its own options are guessed, too, where one is not known.

        Raises
        ------
        OptionError
            If there is an option that no reading has, or one has a value it cannot take.

        Examples
        --------
        >>> Reading.from_dict({"bins": 4, "drop": ["id"]}).bins
        4
        >>> Reading.from_dict({"cuts": 4})
        Traceback (most recent call last):
        bayesloom.errors.OptionError: reading has no option 'cuts'; its options are states, \
missing, missing_markers, numbers, discretize, bins, columns, drop, delimiter, encoding, target, \
states_from, header, skip_lines, strip, dates, auto, strict
        >>> Reading.from_dict({"mising": "drop"})
        Traceback (most recent call last):
        bayesloom.errors.OptionError: reading has no option 'mising' (did you mean 'missing'?); \
its options are states, missing, missing_markers, numbers, discretize, bins, columns, drop, \
delimiter, encoding, target, states_from, header, skip_lines, strip, dates, auto, strict
        """
        check_kind("reading", options, Mapping, "a mapping of options to values")
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise _unknown_option(name, known, call)
        return cls(**options)

    def chosen(self, names: Sequence[str], source: Source) -> list[int]:
        """Return the positions of the columns to read, in the order the table will have.

        Raises
        ------
        DataError
            If an option names a column that is not there, or no column is left.
        """
        position = {name: v for v, name in enumerate(names)}
        columns = None if self.columns is None else self._read_for(names)
        gone = frozenset(self.drop)
        named = () if isinstance(self.discretize, str) else self.discretize
        given = {
            "states": self.states or (),
            "columns": columns or (),
            "drop": self.drop,
            "discretize": [name for name in named if name != OTHERS],
            "numbers": names_of(self.numbers),
            "dates": self.dates or (),
            "missing_markers": [
                name
                for name in (self.missing_markers if isinstance(self.missing_markers, dict) else ())
                if name != OTHERS
            ],
            "target": () if self.target is None else (self.target,),
        }
        for option, asked in given.items():
            for name in asked:
                if name not in position:
                    msg = (
                        f"{source.title}: {option} names the column {shown(repr(name))}, which is "
                        f"not there{meant(name, names)}; the columns are {listed(names)}"
                    )
                    raise DataError(msg)
        kept = [name for name in (names if columns is None else columns) if name not in gone]
        if not kept:
            msg = f"{source.title}: columns and drop leave no column; keep at least one"
            raise DataError(msg)
        if self.target is not None and self.target not in kept:
            what = f"target names the column {shown(repr(self.target))}, which is left out"
            msg = f"{source.title}: {what}; keep it, as mdl cuts the others for it"
            raise DataError(msg)
        return [position[name] for name in kept]


def plain_options(reading: Reading) -> dict[str, Any]:
    """Return the options that every reading has, with their values."""
    return {option.name: getattr(reading, option.name) for option in fields(Reading)}


def _split_states(
    states: Any,  # noqa: ANN401 - a mapping, or whatever has names and states
    states_from: Any,  # noqa: ANN401
) -> tuple[dict[str, tuple[str, ...]] | None, dict[str, tuple[str, ...]] | None]:
    """Return the states that must and those that may find their columns."""
    if states is not None and states_from is None and _is_network(states):
        states, states_from = None, states
    if states_from is not None and _is_network(states_from):
        own = states_from.states
        by_name = isinstance(own, Mapping)
        states_from = own if by_name else dict(zip(states_from.names, own, strict=True))
    return (
        None if states is None else declared_states(states),
        None if states_from is None else declared_states(states_from, "states_from"),
    )


def _is_network(value: object) -> bool:
    return hasattr(value, "names") and hasattr(value, "states")


def _check_encoding(encoding: object) -> None:
    if encoding is None:
        return
    import codecs

    try:
        known = codecs.lookup(encoding).name not in _ODD  # type: ignore[arg-type]
        is_text = known and isinstance("a".encode(encoding), bytes)  # type: ignore[arg-type]
    except (LookupError, TypeError, ValueError):
        is_text = False
    if not is_text:
        msg = (
            "encoding must be the name of a text encoding, such as 'cp1252', 'latin-1' or "
            f"'utf-16', got {told(encoding)}"
        )
        raise OptionError(msg)


def _check_delimiter(delimiter: object) -> None:
    is_one = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter.isascii()
    if delimiter is not None and (not is_one or str(delimiter) in '"\r\n\0'):
        msg = f"delimiter must be one character such as ',' or ';', got {told(delimiter)}"
        raise OptionError(msg)


def _unknown_option(name: str, known: list[str], call: Callable[..., Any] | None) -> OptionError:
    """Say that there is no such option, neither of reading nor of what was called with it."""
    what, its, every = "reading", "its options", known
    if call is not None:
        from inspect import signature

        parameters = signature(call).parameters.values()
        own = [each.name for each in parameters if each.kind is not each.VAR_KEYWORD]
        what, its, every = call.__qualname__, "its options of reading", [*own, *known]
    missed = f"{shown(repr(name))}{meant(name, every)}"
    return OptionError(f"{what} has no option {missed}; {its} are {listed(known, len(known))}")


def _check_choice(option: str, value: object, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        msg = f"{option} must be one of {listed(choices)}, got {told(value)}"
        raise OptionError(msg)


USUAL = Reading()
"""How data are read if nobody says otherwise: where the defaults of all options stand."""
