"""Findings: why a search has joined two variables, or taken them apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from bayesloom.data import member
from bayesloom.data.plain import from_plain
from bayesloom.registry import FINDINGS
from bayesloom.search.facts.fact import Fact, V


class ReportColumn(NamedTuple):
    """A column of the table in which a report lists findings of a kind.

    Parameters
    ----------
    head : str
        What stands above it.
    member : str
        The member of the plain data that it shows; by default the one named as the head.
    form : str
        ``"variable"``, ``"variables"``, ``"number"``, ``"p"`` (of its logarithm), ``"flag"`` or
        ``"text"``.
    place : int, optional
        Which item of the member, if that is a list.
    """

    head: str
    member: str
    form: str = "number"
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Finding(Fact[V]):
    """What a search found of a pair: the base of every reason for an edge, or for the lack of one.

    A subclass is a frozen dataclass with a sentence; its fields are numbers, texts, enums,
    variables (``V``), and tuples of these. `bayesloom.register` gives it a name, by which files
    tell it; where nobody knows the name, they still have the sentence (`Foreign`). A search returns
    it in ``separations`` or ``weighed`` of its result, and stories, reports and JSON tell it.

    Parameters
    ----------
    x, y : int
        The pair, x < y; names, in their order, in a record.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Vote(Finding[V]):
    ...     yes: int
    ...
    ...     def sentence(self, *, joined=False):
    ...         return f"{self.yes} voted for {self.x} and {self.y}."
    >>> Vote(0, 1, 7).renamed("AB".__getitem__).sentence()
    '7 voted for A and B.'
    """

    x: V
    y: V

    title: ClassVar[str] = ""
    """The heading of its table in a report; by default the name of the class."""
    about: ClassVar[str] = ""
    """What the reader of that table should know."""
    columns: ClassVar[tuple[ReportColumn, ...]] = ()
    """The table's columns after that of the pair; by default the sentence."""

    def sentence(self, *, joined: bool = False) -> str:
        """Say what was found of the pair; ``joined`` says whether the network joins the two."""
        raise NotImplementedError

    def payload(self, *, joined: bool = False) -> dict[str, object]:
        """Return the finding as plain data that tell their kind, where they must."""
        name = FINDINGS.name_of(self)
        if name in FINDINGS.built_in:
            return self.to_dict()
        return {"kind": name, **self.to_dict(), "text": self.sentence(joined=joined)}


@dataclass(frozen=True, slots=True)
class Foreign(Finding[V]):
    """A finding of a kind that is not known here, as a file tells it.

    Parameters
    ----------
    x, y : str
        The pair.
    kind, text : str
        The name of the kind, and the sentence.
    members : mapping
        All that the file has.
    """

    kind: str
    text: str
    members: Mapping[str, Any] = field(compare=False)

    def sentence(self, *, joined: bool = False) -> str:  # noqa: ARG002 - the file has only this one
        """Return the sentence that the file has."""
        return self.text

    def to_dict(self) -> dict[str, object]:
        """Return what the file has."""
        return dict(self.members)

    def payload(self, *, joined: bool = False) -> dict[str, object]:  # noqa: ARG002 - as `sentence`
        """Return what the file has."""
        return dict(self.members)


def finding_from_dict(payload: Mapping[str, object]) -> Finding[str]:
    """Build what was found of a pair from the plain data of a file.

    Examples
    --------
    >>> finding_from_dict(
    ...     {"x": "A", "y": "B", "given": [], "information": 0.01, "complexity": 0.02}
    ... )
    Weighing(x='A', y='B', given=(), information=0.01, complexity=0.02)
    >>> from bayesloom.search.facts.finding import finding_from_dict
    >>> finding_from_dict({"kind": "vote", "x": "A", "y": "B", "text": "7 voted."}).sentence()
    '7 voted.'
    """
    if "kind" in payload:
        name = member.text(payload, "kind")
    else:  # the package's own tell themselves by what they have
        name = "triangle" if "middle" in payload else "separation"
        name = "weighing" if "complexity" in payload else name
    if name in FINDINGS:
        kind: type[Finding[str]] = FINDINGS[name]
        return from_plain(kind, payload)
    x, y, text = (member.text(payload, key) for key in ("x", "y", "text"))
    return Foreign(x, y, name, text, dict(payload))
