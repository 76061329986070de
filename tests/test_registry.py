"""One registry: a name, a class, its options and its help, for everything that can be named."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

import bayesloom as bl
from bayesloom import registry
from bayesloom.errors import OptionError
from bayesloom.lazy import stub_names
from bayesloom.registry import (
    CONTROLS,
    ESTIMATORS,
    REGISTRIES,
    SCORES,
    TESTS,
    Registry,
    Told,
    described,
    register,
    settings_of,
)

ROOT = Path(__file__).parents[1]
EVERY = [(found, name) for found in REGISTRIES for name in found]


def room_of(found: Registry) -> ModuleType:
    """Return the package that exports what a registry names; there is one for each."""
    (room,) = {".".join(home.split(".")[:2]) for home in found.built_in.values()}
    return import_module(room)


@pytest.fixture
def clean() -> Iterator[None]:
    """Take back what a test registers."""
    before = [dict(found._added) for found in REGISTRIES]
    yield
    for found, added in zip(REGISTRIES, before, strict=True):
        found._added.clear()
        found._added.update(added)


@pytest.mark.parametrize(("found", "name"), EVERY, ids=lambda value: getattr(value, "kind", value))
def test_every_name_has_a_class_with_help_and_options_and_the_class_that_name(
    found: Registry, name: str
) -> None:
    kind = found[name]
    assert is_dataclass(kind)
    assert callable(getattr(kind, found.part))
    assert found.help(name).endswith((".", ":"))
    assert set(found.options(name)) >= set(
        settings_of(kind()) if name not in {"bde", "k2", "nb", "tan"} else ()
    )
    assert found.name_of(kind) == name
    assert getattr(bl, kind.__name__) is kind


@pytest.mark.parametrize(("found", "name"), EVERY, ids=lambda value: getattr(value, "kind", value))
def test_the_table_of_names_and_the_stub_of_the_room_agree(found: Registry, name: str) -> None:
    module, title = found.built_in[name].split(":")
    assert stub_names(room_of(found).__name__)[title] == module


def test_every_class_that_can_be_named_has_a_name() -> None:
    made_of_others = {bl.IL, bl.Restricted, bl.ThroughDMN}
    bases = {bl.Score, bl.IndependenceTest, bl.Control}
    bases |= {bl.ContingencyTest, bl.PartialCorrelationTest}
    for found in REGISTRIES:
        package = room_of(found)
        classes = {
            value
            for title in package.__all__
            if isinstance(value := getattr(package, title), type)
            and is_dataclass(value)
            and callable(getattr(value, found.part, None))
        }
        assert classes - made_of_others - bases <= {found[name] for name in found}


def test_scores_and_tests_are_called_what_they_call_themselves() -> None:
    for name in SCORES:
        assert SCORES[name].name == name  # type: ignore[attr-defined]
    for name in TESTS:
        assert TESTS[name].name.lower() == name  # type: ignore[attr-defined]


def test_the_page_of_names_is_what_the_registry_says() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import make_names; print(make_names.page(), end='')"],
        cwd=ROOT / "docs", capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert done.stdout == (ROOT / "docs" / "names.md").read_text(), "run 'make names'"


def test_the_tables_of_names_have_as_many_cells_in_every_line() -> None:
    """A formula such as I(X; Y | S) must not end its cell."""
    text = (ROOT / "docs" / "names.md").read_text()
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.replace(r"\|", "").count("|") for line in lines}) <= 1, block


@pytest.mark.parametrize(
    ("found", "value"),
    [
        (SCORES, bl.BDeu(ess=3, kappa=0.5)),
        (SCORES, bl.BIC(penalty=2)),
        (TESTS, bl.GSquare(min_expected=1, coverage=bl.Coverage.RELAXED)),
        (CONTROLS, bl.AlphaSpending(0.01)),
        (ESTIMATORS, bl.Laplace(2)),
    ],
)
def test_values_survive_as_plain_data(found: Registry, value: object) -> None:
    assert found.made(found.told(value)) == value


def test_what_plain_data_cannot_hold_is_not_made_of_it() -> None:
    earlier = bl.Table.from_frame({"A": ["n", "y"]})
    assert SCORES.made(SCORES.told(bl.BDe(prior=earlier))) is None


def test_importing_the_registry_imports_nothing_that_it_names() -> None:
    program = "import sys, bayesloom.registry as r; list(r.SCORES); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "bayesloom.scores", "dataclasses"} & set(done.stdout.split())


@dataclass(frozen=True)
class Mine(bl.BIC):
    """A score of the user's own."""

    name: ClassVar[str] = "mine"
    extra: float = 1.0


@pytest.mark.usefixtures("clean")
def test_a_class_from_outside_gets_its_place() -> None:
    register(Mine)
    assert SCORES["mine"] is Mine
    assert "mine" in list(SCORES)
    assert SCORES.name_of(Mine()) == "mine"
    assert SCORES.made(Told("mine", {"extra": 2.0})) == Mine(extra=2.0)
    assert register(Mine) is Mine  # a notebook cell that is run again


def test_without_a_place_it_goes_by_module_and_class() -> None:
    assert SCORES.name_of(Mine()) == f"{__name__}.Mine"


@pytest.mark.usefixtures("clean")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bic", "'bic' is the name of another score; choose a name of your own"),
        (
            "two words",
            "the name of a score must be one word of letters and digits, got 'two words'",
        ),
    ],
)
def test_a_name_that_is_taken_or_no_word_is_refused(name: str, message: str) -> None:
    other = type("Other", (bl.BIC,), {"name": name, "__doc__": "Other."})
    kind: type = dataclass(frozen=True)(other)
    with pytest.raises(OptionError, match=message):
        register(kind)


def test_what_is_neither_score_nor_search_is_refused() -> None:
    with pytest.raises(OptionError, match="register takes a class with one of the methods"):
        register(int)


@pytest.mark.usefixtures("clean")
def test_entry_points_are_looked_at_only_for_unknown_names(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Point:
        name = "plugged"

        def load(self) -> type:
            return Mine

    def points(group: str) -> tuple[Any, ...]:
        asked.append(group)
        return (Point(),) if group == "bayesloom.score" else ()

    monkeypatch.setattr(registry, "_entry_points", points)
    assert SCORES["bic"] is bl.BIC
    assert asked == []
    assert SCORES["plugged"] is Mine
    assert "nothing" not in SCORES
    assert asked == ["bayesloom.score"] * 2


def test_graphs_do_not_fill_the_line_that_describes_a_search() -> None:
    start = bl.DAG.from_edges([(f"long{k}", f"name{k}") for k in range(50)])
    assert len(described(bl.GES(start=start))) < 140
    assert described(bl.GES(score=bl.BIC(penalty=2))) == "GES(score=BIC(penalty=2))"


@pytest.mark.usefixtures("clean")
def test_options_may_have_types_that_only_type_checkers_import() -> None:
    @register
    @dataclass(frozen=True)
    class Own:
        """A score of one's own."""

        name: ClassVar[str] = "own-typed"
        weight: float = 1.0
        graph: OnlyForTypeCheckers | None = None  # type: ignore[name-defined]  # noqa: F821

        def local_scores(self) -> None:
            """Score nothing."""

    assert SCORES.options("own-typed")["weight"] is float
    assert set(SCORES.options("own-typed")) == {"weight", "graph"}
