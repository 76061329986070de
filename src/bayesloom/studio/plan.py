"""The plan of a run: what is read, searched and known, as plain data that checks itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from bayesloom.data import Reading
from bayesloom.data.reading import USUAL
from bayesloom.errors import OptionError, check_kind, check_whole, listed, shown
from bayesloom.expression import read_value
from bayesloom.learning.duration import seconds_of
from bayesloom.registry import SEARCHES
from bayesloom.search import Knowledge, Search
from bayesloom.studio.choice import PARTS, made_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from bayesloom.facade import Network
    from bayesloom.search import Watch

READ = (
    "missing",
    "missing_markers",
    "discretize",
    "bins",
    "columns",
    "drop",
    "delimiter",
    "encoding",
    "target",
)
"""Options of reading that a page may set: none of them names a file."""

_KNOWN = ("required", "forbidden", "tiers", "roots", "leaves", "belief")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run does with a data set.

    Parameters
    ----------
    reading : Reading
        How the data are read.
    search : Search, optional
        How to search, with score, test and control; None leaves it to `bayesloom.learn`, whose
        default depends on whether cells are missing.
    knowledge : Knowledge
        What is known before.
    max_parents, max_steps : int, optional
        Limits, as in `bayesloom.learn`.
    time_limit : str, optional
        A time such as ``60s``.

    Examples
    --------
    >>> plan = Plan.from_dict({"search": {"name": "ges"}, "score": {"name": "bdeu"}})
    >>> plan.search.score
    BDeu(kappa=None, per_parent=None, sparsity=None, ess=10.0)
    >>> Plan.from_dict({"search": "GES(score=BDeu())"}) == plan
    True
    >>> Plan.from_dict({"states": "net.bif"})
    Traceback (most recent call last):
    bayesloom.errors.OptionError: a plan has no member 'states'; its members are reading, search, \
score, test, control, knowledge, max_parents, max_steps, time_limit
    """

    reading: Reading
    search: Search | None
    knowledge: Knowledge
    max_parents: int | None = None
    max_steps: int | None = None
    time_limit: str | None = None

    @classmethod
    def from_dict(cls, told: object) -> Plan:
        """Make a plan of what a page sends.

        Raises
        ------
        OptionError, KnowledgeError
            If a member is not known or has a value it cannot take.
        """
        names = ["reading", "search", *PARTS, "knowledge", "max_parents", "max_steps", "time_limit"]
        given = _members("a plan", told, names)
        for key in ("max_parents", "max_steps"):
            if given.get(key) is not None:
                check_whole(key, given[key], 0)
        limit = given.get("time_limit") or None
        if limit is not None:
            check_kind("time_limit", limit, str, "a time such as '60s'")
            seconds_of(limit)
        return cls(
            checked_reading(given.get("reading") or {}),
            _search(given),
            _knowledge(given.get("knowledge") or {}),
            given.get("max_parents"),
            given.get("max_steps"),
            limit,
        )

    def learn(self, path: str, progress: Callable[[Watch], object] | None = None) -> Network:
        """Do what the plan says with the data of a file."""
        from bayesloom.facade import learn

        return learn(
            path,
            self.search,
            knowledge=self.knowledge,
            max_parents=self.max_parents,
            max_steps=self.max_steps,
            time_limit=self.time_limit,
            progress=progress or False,
            **self.reading.to_dict(),
        )

    def changed_reading(self) -> dict[str, Any]:
        """Return the options of reading that are not the usual ones."""
        usual = USUAL.to_dict()
        return {key: told for key, told in self.reading.to_dict().items() if told != usual[key]}

    def told_knowledge(self) -> dict[str, Any]:
        """Return what is known, without what is empty, as a knowledge file has it."""
        found = {field.name: getattr(self.knowledge, field.name) for field in fields(Knowledge)}
        return {
            key: [list(item) if isinstance(item, tuple) else item for item in found[key]]
            for key in _KNOWN
            if found[key]
        }


def checked_reading(told: object) -> Reading:
    """Make of what a page sends how data are read.

    Raises
    ------
    OptionError
        If it has a member that names a file, or one has a value it cannot take.
    """
    given = dict(_members("reading", told, READ))
    rules = given.get("discretize")
    if isinstance(rules, Mapping):
        given["discretize"] = {name: _rule(rule) for name, rule in rules.items()}
    return Reading.from_dict({key: value for key, value in given.items() if value is not None})


def _rule(rule: object) -> object:
    is_pair = isinstance(rule, list) and bool(rule) and isinstance(rule[0], str)
    return tuple(rule) if is_pair else rule  # type: ignore[arg-type]


def _search(given: Mapping[str, Any]) -> Search | None:
    """Make the search with its parts; what is not told is as the search has it by default."""
    if not any(given.get(key) for key in ("search", *PARTS)):
        return None
    if isinstance(given.get("search"), str):
        return _written_search(given)
    told = _members("search", given.get("search") or {}, ("name", "options"))
    from bayesloom.learning import DEFAULT_SEARCH

    name = told.get("name") or SEARCHES.name_of(DEFAULT_SEARCH)
    options = dict(_members("options", told.get("options") or {}, None))
    for part, registry in PARTS.items():
        if given.get(part) is not None:
            own = _members(part, given[part], ("name", "options"))
            options[part] = made_value(registry, own.get("name"), own.get("options") or {})
    made: Search = made_value(SEARCHES, name, options)
    return made


def _written_search(given: Mapping[str, Any]) -> Search:
    """Read a search that is written with its parts, as summaries print it."""
    for part in PARTS:
        if given.get(part) is not None:
            msg = f"a search that is written as text has its {part} in it; leave {part} out"
            raise OptionError(msg)
    search: Search = read_value(given["search"], SEARCHES)
    return search


def _knowledge(told: object) -> Knowledge:
    given = _members("knowledge", told, _KNOWN)
    return Knowledge(**{key: value for key, value in given.items() if value})


def _members(what: str, told: object, known: object) -> Mapping[str, Any]:
    check_kind(what, told, Mapping, "an object")
    found: Mapping[str, Any] = told  # type: ignore[assignment]
    names = None if known is None else list(known)  # type: ignore[call-overload]
    for name in found:
        if names is not None and name not in names:
            msg = f"{what} has no member {shown(repr(name))}; its members are {listed(names)}"
            raise OptionError(msg)
    return found
