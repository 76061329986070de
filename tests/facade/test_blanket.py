"""The Markov blanket of one variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.errors import FileFormatError, OptionError, UnknownVariableError

METHODS = [
    bl.IAMB(),
    bl.GrowShrink(),
    bl.IAMB(variant=bl.Variant.INTER),
    bl.IAMB(variant=bl.Variant.FAST),
    bl.IAMB(control=bl.BenjaminiHochberg(0.05)),
]
NETWORK = Path(__file__).parents[1] / "data" / "model" / "networks" / "asia.bif.gz"


@pytest.fixture(scope="module")
def wide() -> bl.Table:
    """300 columns: a parent, a child, the child's other parent, and noise."""
    rng = np.random.default_rng(7)
    noise = list(rng.integers(0, 3, (296, 4000)))
    cause, spouse = rng.integers(0, 2, (2, 4000))
    target = np.where(rng.random(4000) < 0.85, cause, 1 - cause)
    child = np.where(rng.random(4000) < 0.9, target | spouse, rng.integers(0, 2, 4000))
    names = ["spouse", "target", "child", "cause", *(f"noise{k}" for k in range(296))]
    columns = [spouse, target, child, cause, *noise]
    states = [["a", "b"]] * 4 + [["a", "b", "c"]] * 296
    return bl.Table(names, states, columns)


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_the_blanket_in_a_wide_table_is_parent_child_and_spouse(
    wide: bl.Table, method: bl.IAMB | bl.GrowShrink
) -> None:
    strict = bl.FixedAlpha(1e-5)
    if isinstance(method.control, bl.FixedAlpha):
        method = type(method)(**{**_options(method), "control": strict})
    found = bl.markov_blanket(wide, "target", method)
    assert found.members == ("cause", "child", "spouse")
    assert [{d.x, d.y} - {"target"} for d in found.evidence] == [{n} for n in found.members]
    assert found.tests.made < 300 * 10


def _options(search: Any) -> dict[str, Any]:  # noqa: ANN401
    from dataclasses import fields

    return {f.name: getattr(search, f.name) for f in fields(search)}


def test_only_the_blanket_of_the_target_is_paid_for(wide: bl.Table) -> None:
    one = bl.markov_blanket(wide, "noise0", bl.IAMB(control=bl.FixedAlpha(1e-6)))
    assert one.tests.made == 299


def test_the_order_of_columns_rows_and_threads_change_nothing(wide: bl.Table) -> None:
    rng = np.random.default_rng(1)
    other = wide.select([wide.names[v] for v in rng.permutation(wide.n_columns)])
    other = other.take(rng.permutation(other.n_rows))
    first = bl.markov_blanket(wide, "target", threads=1).to_dict()
    second = bl.markov_blanket(other, "target", threads=2).to_dict()
    del first["seconds"], second["seconds"]
    assert first == second


def test_the_blankets_of_a_large_sample_are_those_of_the_network() -> None:
    net = bl.load(NETWORK)
    table = bl.sample(net, 100_000, 3)
    found = bl.markov_blanket(table, "smoke", bl.IAMB(control=bl.FixedAlpha(0.001)))
    assert set(found.members) == set(net.dag.markov_blanket("smoke"))


def test_frames_files_and_engines_are_data(tmp_path: Path) -> None:
    codes = np.random.default_rng(1).integers(0, 2, 100)
    frame = {"rain": codes.astype(str).tolist(), "wet": codes.astype(str).tolist()}
    bl.write_csv(bl.Table.from_frame(frame), tmp_path / "rain.csv")
    engine = bl.NativeEngine(bl.Table.from_frame(frame))
    for data in (frame, tmp_path / "rain.csv", engine):
        assert bl.markov_blanket(data, "wet").members == ("rain",)


def test_it_prints_as_one_screen(wide: bl.Table) -> None:
    said = str(bl.markov_blanket(wide, "target", bl.IAMB(control=bl.FixedAlpha(1e-5))))
    assert said.startswith(
        "Markov blanket of target, from 4,000 rows: 3 variables\n  search   IAMB("
    )
    assert "  cause: cause ~ target given child, spouse (p = " in said


@pytest.mark.parametrize(
    ("data", "target", "options", "error", "message"),
    [
        ({"A": ["x", "y"]}, "B", {}, UnknownVariableError, "unknown variable 'B'; known are A"),
        (
            {"A": ["x", "y"]},
            "A",
            {"method": bl.PC()},
            OptionError,
            r"method must be GrowShrink\(\)",
        ),
        ({"A": ["x", "y"]}, "A", {"method": bl.IAMB}, OptionError, "method must be"),
        ("nowhere.csv", "A", {}, FileFormatError, "there is no such file"),
        ({"A": ["x", "y"]}, "A", {"time_limit": -1}, OptionError, "time_limit must be"),
    ],
)
def test_wrong_usage_is_refused(
    data: Any,  # noqa: ANN401
    target: str,
    options: dict[str, Any],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        bl.markov_blanket(data, target, **options)


@pytest.mark.parametrize(
    "frame",
    [{"A": ["x"], "B": ["y"]}, {"A": ["x", "x"], "B": ["x", "y"]}, {"A": ["x", "y"]}],
    ids=["one row", "constant", "alone"],
)
def test_what_cannot_depend_has_an_empty_blanket(frame: dict[str, list[str]]) -> None:
    assert bl.markov_blanket(frame, "A").members == ()
