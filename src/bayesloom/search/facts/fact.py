"""What every fact of a search has: variables that can be renamed, and plain data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Self, cast, get_args, get_type_hints

from bayesloom.data.member import Members
from bayesloom.data.plain import from_plain, to_plain

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    V = TypeVar("V", default=int)
else:
    from typing import TypeVar

    V = TypeVar("V")  # a variable: its index in a search, its name in a record


class Fact(Generic[V]):
    """A frozen dataclass whose fields of the type ``V`` are variables.

    A search makes facts over the indices of variables; the record gives them names, once. Both
    are values of one class, so whatever can be said of a fact is written in one place.
    """

    __slots__ = ()

    def renamed(self, name: Callable[[V], Any]) -> Any:  # noqa: ANN401 - the same class over others
        """Return the fact with every variable replaced.

        Examples
        --------
        >>> from bayesloom.search import Conflict, Opposition
        >>> Conflict(0, 2, 1, Opposition.CYCLE).renamed("ABC".__getitem__)
        Conflict(x='A', middle='C', y='B', opposition=<Opposition.CYCLE: 'cycle'>)
        """
        kind = type(self)
        values = {
            field: rename(name, getattr(self, field)) if holds else getattr(self, field)
            for field, holds, rename in _fields(cast("Hashable", kind))
        }
        return kind(**values)

    def variables(self) -> Iterator[V]:
        """Yield every variable that the fact is about, some of them more than once."""
        seen: list[V] = []
        self.renamed(seen.append)
        yield from seen

    def to_dict(self) -> dict[str, object]:
        """Return the fact as plain data, in the form of the command line's JSON."""
        payload: dict[str, object] = to_plain(self)
        return payload

    @classmethod
    def from_dict(cls, payload: Members) -> Self:
        """Build a fact from plain data.

        Raises
        ------
        DataError
            If the data are something else.
        """
        return from_plain(cls, payload)


_Rename = Callable[[Callable[[Any], Any], Any], Any]


@cache
def _fields(kind: Any) -> tuple[tuple[str, bool, _Rename], ...]:  # noqa: ANN401 - a class of facts
    """Return the fields of a class, whether they hold variables, and how these are renamed."""
    hints = get_type_hints(kind)
    return tuple(
        (each.name, _holds(hint := hints[each.name]), _called if hint is V else _renamed)
        for each in fields(kind)
    )


def _called(name: Callable[[Any], Any], value: Any) -> Any:  # noqa: ANN401 - a variable
    return name(value)


def _holds(hint: Any) -> bool:  # noqa: ANN401 - an annotation
    return hint is V or any(map(_holds, get_args(hint)))


def _renamed(name: Callable[[Any], Any], value: Any) -> Any:  # noqa: ANN401 - of whatever field
    if value is None:
        return None
    if isinstance(value, Fact):
        return value.renamed(name)
    return (
        tuple(_renamed(name, item) for item in value) if isinstance(value, tuple) else name(value)
    )
