"""The comparison of classifiers: small, with the figures of others beside it, and drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bayesloom.errors import FileFormatError
from bayesloom_reproduction import FIGURES
from bayesloom_reproduction.classifier_sets import (
    NAMES,
    available,
    kinds_of,
    others_on,
    read_complete,
)
from bayesloom_reproduction.classifiers import CLASSIFIERS, MODELS, PEERS, with_folder
from uci import FOLDER


def test_twenty_sets_are_carried_along_and_a_folder_may_hold_others(tmp_path: Path) -> None:
    assert len(available(None)) == 20
    assert len(NAMES) == 25
    (tmp_path / "iris.csv.gz").write_bytes((FOLDER / "iris.csv.gz").read_bytes())
    assert with_folder(CLASSIFIERS, tmp_path).grid == {"set": ("iris",)}
    with pytest.raises(FileFormatError, match=r"holds none of the sets, such as iris\.csv"):
        available(tmp_path / "nowhere")


def test_only_complete_rows_are_used() -> None:
    rows = {"breast": 683, "cleve": 296, "crx": 653, "hepatitis": 80, "soybean-large": 562}
    for name, n in rows.items():
        assert len(read_complete(name, None)["class"]) == n
    assert len(read_complete("vote", None)["class"]) == 435
    numeric, nominal = kinds_of("heart")
    assert (len(numeric), len(nominal)) == (7, 6)


def test_the_figures_of_others_are_known_for_every_set() -> None:
    assert sum(others_on(name).weka_nb for name in NAMES) / 25 == pytest.approx(83.31, abs=0.005)
    assert sum(others_on(name).weka_tan for name in NAMES) / 25 == pytest.approx(85.51, abs=0.005)
    assert others_on("iris").published_nb == 94.67
    assert others_on("letter").published_nb is None


@pytest.fixture(scope="module")
def rows() -> dict[str, list[dict[str, float | int | str]]]:
    small = replace(CLASSIFIERS, grid={"set": ("iris", "corral")}, reps=2)
    tables: dict[str, list[dict[str, float | int | str]]] = {}
    for trial in small.trials():
        for table, found in small.run(trial).items():
            tables.setdefault(table, []).extend(found)
    return tables


def test_every_classifier_is_measured_and_those_of_scikit_learn_once(
    rows: dict[str, list[dict[str, float | int | str]]],
) -> None:
    ten = [row for row in rows["errors"] if row["protocol"] == "ten-fold"]
    assert len(ten) == 2 * 2 * len(MODELS) + 2 * len(PEERS)
    assert all(0 <= float(row["error"]) <= 50 for row in rows["errors"])
    corral = {str(row["model"]): float(row["error"]) for row in ten if row["set"] == "corral"}
    assert corral["tan"] < corral["nb"]


def test_the_figure_tells_errors_and_weka_and_draws_them(
    rows: dict[str, list[dict[str, float | int | str]]],
) -> None:
    found = FIGURES["tan"][1].make(rows)
    assert "Weka's own" in found.text
    assert set(found.charts) >= {"tan-nb-tan", "tan-nb-free", "tan-tan-net", "tan-tan-boosting"}
    for svg in found.charts.values():
        dots = [t for t in ET.fromstring(svg).iter() if t.tag.endswith("circle")]
        assert len(dots) == 2
