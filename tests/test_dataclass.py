"""Our dataclasses against those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

import bayesloom as bl
from bayesloom.dataclass import late_dataclass


def _declare(dataclass: Callable[..., Any], **options: bool) -> tuple[Any, Any]:
    """Return a class with fields of every kind and one that inherits from it."""

    @dataclass(**options)
    class Base:
        """A base."""

        shared: ClassVar[int] = 7
        x: int
        y: float = 0.5
        named: str = field(default="n", kw_only=True)
        uncompared: int = field(default=3, compare=False)
        unhashed: list[int] = field(default_factory=list, hash=False)
        untold: int = field(default=4, repr=False)
        unasked: dict[str, int] = field(init=False, default_factory=dict, hash=False)
        fixed: int = field(init=False, default=9)

        def __post_init__(self) -> None:
            self.unasked["x"] = self.x

    @dataclass(**options)
    class Derived(Base):
        """One more field, and another default."""

        z: int = 1
        y: float = 2.5

    return Base, Derived


FORMS = [
    {},
    {"slots": True},
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "slots": True, "repr": False, "eq": False},
    {"slots": True, "weakref_slot": True},
    {"kw_only": True},
]


@pytest.fixture(params=FORMS, ids=lambda form: "+".join(form) or "plain")
def pairs(request: pytest.FixtureRequest) -> list[tuple[Any, Any]]:
    """Ours and the standard library's: the base, then the derived class."""
    ours = _declare(late_dataclass, **request.param)
    standard = _declare(dataclasses.dataclass, **request.param)
    return list(zip(ours, standard, strict=True))


def test_instances_are_made_told_and_compared_as_the_standard_ones(
    pairs: list[tuple[Any, Any]],
) -> None:
    for ours, standard in pairs:
        for change in ({}, {"y": 1.0}, {"named": "m"}, {"uncompared": 0}, {"unhashed": [1]}):
            one, two = ours(x=1, **change), standard(x=1, **change)
            assert {f.name: getattr(one, f.name) for f in dataclasses.fields(one)} == {
                f.name: getattr(two, f.name) for f in dataclasses.fields(two)
            }
            shown = repr(one).replace(repr(id(one)), ""), repr(two).replace(repr(id(two)), "")
            if "__repr__" in vars(standard):
                assert shown[0] == shown[1]
            assert (one == ours(x=1)) == (two == standard(x=1))
            assert one != two
            assert (standard.__hash__ is None) == (ours.__hash__ is None)
            if "__hash__" in vars(standard) and standard.__hash__ is not None:
                assert hash(one) == hash(copy.copy(one)) == hash(two)
            assert dataclasses.replace(one, x=5).x == one.__replace__(x=5).x == 5


def test_signatures_slots_and_patterns_are_those_of_the_standard_ones(
    pairs: list[tuple[Any, Any]],
) -> None:
    for ours, standard in pairs:
        assert str(inspect.signature(ours)) == str(inspect.signature(standard))
        assert ours.__match_args__ == standard.__match_args__
        assert ours.__dict__.get("__slots__") == standard.__dict__.get("__slots__")
        assert ours.shared == standard.shared == 7
        assert dataclasses.is_dataclass(ours)
        kinds = [
            [(f.name, f.type, f.kw_only, f.init) for f in dataclasses.fields(c)]
            for c in (ours, standard)
        ]
        assert kinds[0] == kinds[1]


def test_a_frozen_one_refuses_changes_and_survives_copies() -> None:
    for options in ({"frozen": True}, {"frozen": True, "slots": True}):
        ours, _ = _declare(late_dataclass, **options)
        one = ours(1)
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
            one.x = 2
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
            del one.x
        assert copy.deepcopy(one) == copy.copy(one) == one
    assert pickle.loads(pickle.dumps(bl.GES())) == bl.GES()


def test_wrong_arguments_are_told_with_the_name_of_the_class() -> None:
    for _ in range(2):  # before the constructor is written, and after
        with pytest.raises(TypeError, match=r"Base.__init__\(\) missing 1 required positional"):
            _declare(late_dataclass)[0]()
    with pytest.raises(TypeError, match=r"GES.__init__\(\) got an unexpected keyword argument 'q'"):
        bl.GES(q=1)  # type: ignore[call-arg]


def test_a_standard_dataclass_may_inherit_from_one_of_ours_and_ours_from_a_standard_one() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class Own(bl.BIC):
        """A user's score."""

        mine: int = 3

    own = Own(penalty=2.0)
    assert repr(own).endswith("penalty=2.0, mine=3)")
    assert own != bl.BIC(penalty=2.0)

    @dataclasses.dataclass(frozen=True)
    class Standard:
        """A standard one."""

        a: int

    @late_dataclass(frozen=True)
    class Ours(Standard):
        """Ours on top of it."""

        b: int = 2

    assert repr(Ours(1)).endswith("Ours(a=1, b=2)")


def test_what_a_class_writes_itself_is_kept() -> None:
    @late_dataclass(frozen=True, slots=True)
    class Own:
        """Its own methods."""

        x: int = 1

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return type(other) is type(self)

        def __hash__(self) -> int:
            return 17

    own: Any = Own()
    assert repr(own) == "own"
    assert dataclasses.replace(own, x=2) == own
    assert hash(own) == 17


def test_methods_are_written_when_they_are_first_called() -> None:
    ours, _ = _declare(late_dataclass, frozen=True, slots=True)
    before = vars(ours)["__init__"], vars(ours)["__repr__"]
    repr(ours(1))
    after = vars(ours)["__init__"], vars(ours)["__repr__"]
    assert before[0] is not after[0]
    assert before[1] is not after[1]
    assert after[0].__qualname__.endswith("Base.__init__")
