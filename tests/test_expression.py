"""Settings as text: whatever is printed is read back, and nothing else is read."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from enum import Enum
from typing import Any

import pytest

import bayesloom as bl
from bayesloom.errors import OptionError
from bayesloom.expression import read_value
from bayesloom.registry import REGISTRIES, SEARCHES, Registry, described
from bayesloom.search import Restricted
from every_search import made


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda found: found.kind)
def test_every_value_is_read_back_with_each_of_its_options(registry: Registry) -> None:
    for name in registry:
        kind = registry[name]
        given: dict[str, Any] = {"target": "a", "order": ("a", "say 'b', \"c\""), "prior": None}
        needed = {f.name: given[f.name] for f in fields(kind) if f.default is MISSING}
        if "prior" in needed:
            continue  # a table
        value = kind(**needed)
        assert read_value(described(value), registry) == value
        for field in fields(kind):
            for other in _others(getattr(value, field.name)) if field.init else ():
                try:
                    changed = replace(value, **{field.name: other})
                except OptionError:  # not with the other options as they are
                    continue
                assert read_value(described(changed, whole=True), registry) == changed


def _others(value: object) -> tuple[object, ...]:
    """Return values that an option of this kind may have as well."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, Enum):
        return tuple(type(value))
    if isinstance(value, int | float):
        return value + 1, value / 2, 0.3, 1e-9
    return ("b", 3, ("x y", "z")) if value is None else ()


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_over_searches_are_read_back(name: str) -> None:
    inner = made(name, "AB")
    outers: list[Any] = [bl.IL, bl.ThroughDMN, bl.StructuralEM, Restricted]
    for outer in outers:
        try:
            search = outer(**{"local" if outer is bl.IL else "then": inner})
        except OptionError:  # not this search
            continue
        text = described(search, whole=True)
        assert read_value(text, SEARCHES) == search
        assert described(read_value(text, SEARCHES), whole=True) == text


def test_a_class_of_somebody_else_is_read_by_its_name_or_its_place() -> None:
    from dataclasses import dataclass

    @bl.register
    @dataclass(frozen=True)
    class Pale(bl.BIC):
        """BIC with a shade."""

        name = "pale"
        shade: float = 1.0

    try:
        search = bl.GES(score=Pale(shade=0.5))
        assert read_value("GES(score=pale(shade=0.5))", SEARCHES) == search
        assert read_value("GES(score=Pale(shade=0.5))", SEARCHES) == search
    finally:
        from bayesloom.registry import SCORES

        del SCORES._added["pale"]


@pytest.mark.parametrize(
    "text",
    ["", "GES(", "1", "GES() + GES()", "lambda: 1", "GES.search", "GES()()", "[GES()]", "GES(*[1])",
     "(" * 5000, "GES(score=open('x'))", "GES(start=[1, open('x')])"],
)  # fmt: skip
def test_nothing_is_evaluated(text: str) -> None:
    with pytest.raises(OptionError):
        read_value(text, SEARCHES)
