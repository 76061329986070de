"""The data sets of the comparison of classifiers, and what others found on them."""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bayesloom.errors import FileFormatError

CARRIED = Path(__file__).parent / "uci"
"""The folder with the small sets, the kinds of columns and the figures of others."""

NAMES = (
    *("iris", "corral", "hepatitis", "lymphography", "glass2", "glass", "heart", "cleve", "vote"),
    *("soybean-large", "crx", "breast", "australian", "pima", "diabetes", "vehicle", "german"),
    *("flare", "mofn-3-7-10", "segment", "chess", "waveform-21", "shuttle-small", "satimage"),
    "letter",
)
"""The 25 sets, small ones first."""

SPLIT = {"letter": 15000, "mofn-3-7-10": 300, "satimage": 4435, "waveform-21": 300}
"""Sets that Weka was trained on the first rows of, and tested on the rest."""

Frame = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Others:
    """Accuracies of other programs in percent; None where there is no figure."""

    weka_nb: float
    weka_tan: float
    published_nb: float | None


def available(folder: Path | None) -> tuple[str, ...]:
    """Return the sets that a folder holds, or those that are carried along.

    Raises
    ------
    FileFormatError
        If the folder holds none of them.
    """
    place = CARRIED if folder is None else folder
    found = tuple(name for name in NAMES if _path(place, name) is not None)
    if not found:
        problem = f"the folder holds none of the sets, such as {NAMES[0]}.csv"
        raise FileFormatError(problem, str(place))
    return found


def read_complete(name: str, folder: Path | None) -> Frame:
    """Return the complete rows of a set as texts; a vote that is not there is a state ``u``."""
    path = _path(CARRIED if folder is None else folder, name)
    if path is None:
        problem = "there is no such set"
        raise FileFormatError(problem, name)
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    head, *rows = csv.reader(io.StringIO(text))
    if name == "vote":
        rows = [[cell or "u" for cell in row] for row in rows]
    kept = [row for row in rows if all(row)]
    return {column: [row[v] for row in kept] for v, column in enumerate(head)}


def kinds_of(name: str) -> tuple[list[str], list[str]]:
    """Return the columns of a set that are numbers, and those that are categories."""
    rows = [row for row in _rows("columns.csv") if row["name"] == name]
    return (
        [row["column"] for row in rows if row["kind"] == "numeric"],
        [row["column"] for row in rows if row["kind"] == "nominal"],
    )


def others_on(name: str) -> Others:
    """Return what other programs found on a set."""
    weka = next(row for row in _rows("weka_nb_tan.csv") if row["name"] == name)
    published = [row for row in _rows("published_nb.csv") if row["name"] == name]
    return Others(
        float(weka["nb_acc"]),
        float(weka["tan_acc"]),
        float(published[0]["nb_acc"]) if published else None,
    )


def _path(folder: Path, name: str) -> Path | None:
    paths = (folder / f"{name}.csv", folder / f"{name}.csv.gz")
    return next((path for path in paths if path.is_file()), None)


@cache
def _rows(file: str) -> list[dict[str, str]]:
    with (CARRIED / file).open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))
