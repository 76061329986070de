"""``dataclasses.dataclass``, with methods that are written when they are first called (lazily).

The standard decorator compiles half a dozen methods of every class it makes, whether anybody calls
them or not: half a millisecond a class, which was more than half of what a first call of bayesloom
cost. Here a class is made with its fields and slots only; ``__init__``, ``__repr__``, ``__eq__``
and ``__hash__`` are written at their first call and are ordinary methods from then on. All else is
as with the standard decorator, which is what type checkers see.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NoReturn

Written = Callable[..., Any]


def late_dataclass(
    *,
    init: bool = True,
    repr: bool = True,  # noqa: A002 - the options of the standard decorator
    eq: bool = True,
    frozen: bool = False,
    kw_only: bool = False,
    slots: bool = False,
    weakref_slot: bool = False,
) -> Callable[[Any], Any]:
    """Make a dataclass, as the standard decorator does with the same options.

    There is no ``InitVar``, no ``KW_ONLY`` mark and no order.

    Examples
    --------
    >>> @dataclass(frozen=True, slots=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), inspect.signature(Point)
    (Point(x=1, y=0), True, <Signature (x: 'int', y: 'int' = 0) -> None>)
    """
    late: dict[str, Callable[[type], Written]] = {"__init__": _write_init} if init else {}
    late |= {"__repr__": _write_repr} if repr else {}
    late |= {"__eq__": _write_eq} if eq else {}

    def make(cls: Any) -> Any:  # noqa: ANN401
        made = _with_fields(cls, kw_only=kw_only, slots=slots, weakref_slot=weakref_slot)
        made.__dataclass_params__ = _FROZEN if frozen else _CHANGEABLE
        for name, write in late.items():
            if name not in cls.__dict__:
                _write_late(made, name, write)
        if eq and cls.__dict__.get("__hash__") is None:
            made.__hash__ = None
            if frozen:
                _write_late(made, "__hash__", _write_hash)
        if frozen:
            made.__setattr__, made.__delattr__ = _refuse_to_set, _refuse_to_delete
            if slots and "__getstate__" not in cls.__dict__:  # else pickle would set attributes
                made.__getstate__, made.__setstate__ = _state, _set_state
        if init:
            made.__signature__ = _Signature()
        made.__replace__ = _replaced
        return made

    return make


def _with_fields(cls: Any, *, kw_only: bool, slots: bool, weakref_slot: bool) -> Any:  # noqa: ANN401
    """Return the class with its fields, their defaults and its slots in place."""
    body = dict(cls.__dict__)
    own = {
        name: _field(name, type_, body.get(name, MISSING), kw_only=kw_only)
        for name, type_ in inspect.get_annotations(cls).items()
        if not str(type_).startswith(("ClassVar", "typing.ClassVar"))
    }
    for name in (*own, "__dict__", "__weakref__"):
        body.pop(name, None)
    if slots:
        taken = {slot for base in cls.__mro__ for slot in getattr(base, "__slots__", ())}
        asked = [*own, "__weakref__"] if weakref_slot else own
        body["__slots__"] = tuple(name for name in asked if name not in taken)
    else:
        body |= {n: f.default for n, f in own.items() if f.default is not MISSING}
    every: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        every |= getattr(base, "__dataclass_fields__", {})
    body["__dataclass_fields__"] = every = every | own
    body["__match_args__"] = tuple(f.name for f in every.values() if f.init and not f.kw_only)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _field(name: str, type_: type, value: object, *, kw_only: bool) -> Any:  # noqa: ANN401
    field: Any = value if isinstance(value, Field) else dataclasses.field(default=value)
    field.name, field.type, field._field_type = name, type_, _ORDINARY  # noqa: SLF001
    if field.kw_only is MISSING:
        field.kw_only = kw_only
    return field


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Changeable:
    """An empty one of the standard's, to take from it what its other functions look for."""

    any: int = 0


@dataclasses.dataclass(init=False, repr=False, eq=False, frozen=True)
class _Frozen:
    """The same, frozen."""


_CHANGEABLE = _Changeable.__dataclass_params__  # type: ignore[attr-defined]
_FROZEN = _Frozen.__dataclass_params__  # type: ignore[attr-defined]
_ORDINARY = dataclasses.fields(_Changeable)[0]._field_type  # type: ignore[attr-defined]  # noqa: SLF001


def _write_late(owner: type, name: str, write: Callable[[type], Written]) -> None:
    """Give a class a method that writes itself when it is called, or asked to be ``written``."""

    def written() -> Written:
        method = write(owner)
        method.__name__, method.__qualname__ = name, f"{owner.__qualname__}.{name}"
        setattr(owner, name, method)
        return method

    def first(*args: object, **named: object) -> object:
        return written()(*args, **named)

    first.written = written  # type: ignore[attr-defined]
    setattr(owner, name, first)


class _Factory:
    """In a signature: the argument is made anew for every instance."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE = _Factory()


def _write_init(cls: type) -> Written:
    fields = dataclasses.fields(cls)
    known: dict[str, object] = {"_set": object.__setattr__, "_made": _MADE}
    frozen, has_slots = cls.__dataclass_params__ is _FROZEN, "__slots__" in cls.__dict__  # type: ignore[attr-defined]
    lines = []
    for field in fields:
        name, value = field.name, field.name
        if field.default is not MISSING:
            known[f"_default_{name}"] = field.default
        if field.default_factory is not MISSING:
            known[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}()" + f" if {name} is _made else {name}" * field.init
        elif not field.init:
            if field.default is MISSING or not has_slots:
                continue
            value = f"_default_{name}"
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    asked = [f for f in fields if f.init]
    head = ["self", *_arguments(f for f in asked if not f.kw_only)]
    if named := [*_arguments(f for f in asked if f.kw_only)]:
        head += ["*", *named]
    made: dict[str, Written] = {}
    text = f"def __init__({', '.join(head)}):\n " + "\n ".join(lines or ["pass"])
    exec(text, known, made)  # noqa: S102 - names of fields are all that comes from outside
    made["__init__"].__annotations__ = {f.name: f.type for f in asked} | {"return": None}
    return made["__init__"]


def _arguments(fields: Iterable[Field[Any]]) -> Iterator[str]:
    for field in fields:
        if field.default is not MISSING:
            yield f"{field.name}=_default_{field.name}"
        else:
            yield field.name + "=_made" * (field.default_factory is not MISSING)


def _write_repr(cls: type) -> Written:
    names = [field.name for field in dataclasses.fields(cls) if field.repr]

    def told(self: object) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    return recursive_repr("...")(told)


def _write_eq(cls: type) -> Written:
    values = _values_of(f.name for f in dataclasses.fields(cls) if f.compare)

    def equal(self: object, other: object) -> bool:
        return (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented
        )

    return equal


def _write_hash(cls: type) -> Written:
    fields = dataclasses.fields(cls)
    values = _values_of(f.name for f in fields if (f.compare if f.hash is None else f.hash))
    return lambda self: hash(values(self))


def _values_of(names: Iterable[str]) -> Callable[[object], object]:
    return attrgetter(*found) if (found := list(names)) else lambda _: ()


class _Signature:
    """What `inspect.signature` tells of a class: the arguments of its ``__init__``."""

    def __get__(self, instance: object, owner: Any) -> inspect.Signature:  # noqa: ANN401
        if instance is not None:
            raise AttributeError
        init = owner.__init__
        told = inspect.signature(init.written() if hasattr(init, "written") else init)
        return told.replace(parameters=list(told.parameters.values())[1:])


def _replaced(self: Any, /, **changes: object) -> Any:  # noqa: ANN401
    """Do for `copy.replace` (Python 3.13) what `dataclasses.replace` does."""
    return dataclasses.replace(self, **changes)


def _refuse_to_set(self: object, name: str, value: object) -> NoReturn:  # noqa: ARG001
    msg = f"cannot assign to field {name!r}"
    raise FrozenInstanceError(msg)


def _refuse_to_delete(self: object, name: str) -> NoReturn:  # noqa: ARG001
    msg = f"cannot delete field {name!r}"
    raise FrozenInstanceError(msg)


def _state(self: Any) -> list[object]:  # noqa: ANN401
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[object]) -> None:  # noqa: ANN401
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - the way to export it
else:
    dataclass = late_dataclass
