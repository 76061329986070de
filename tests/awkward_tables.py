"""Awkward tables of which the truth is known: people, as exports of many programs hold them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

Rows = list[list[str]]
Truth = dict[str, list[Any]]
Case = Callable[[Rows, Truth], tuple[str | bytes, Truth]]

NAMES = ["id", "age", "city", "smoker", "income", "when"]
N = 240


def people() -> tuple[Rows, Truth]:
    """Return rows of text, and what a reader should make of them: numbers, states, no ids."""
    draws = np.random.default_rng(7)
    truth: Truth = {
        "age": [float(x) for x in draws.integers(17, 90, N)],
        "city": draws.choice(["Bonn", "Kiel", "Ulm"], N).tolist(),
        "smoker": draws.choice(["no", "yes"], N).tolist(),
        "income": [round(float(x), 2) for x in draws.lognormal(8, 0.4, N)],
    }
    days = [f"2023-{m:02d}-{d:02d}" for m in range(1, 13) for d in range(1, 29)]
    rows = [
        [
            str(k + 1),
            str(int(truth["age"][k])),
            truth["city"][k],
            truth["smoker"][k],
            str(truth["income"][k]),
            days[int(draws.integers(len(days)))],
        ]
        for k in range(N)
    ]
    return rows, truth


def joined(rows: Rows, names: list[str] = NAMES, sep: str = ",", end: str = "\n") -> str:
    """Return rows as text."""
    return end.join(sep.join(cells) for cells in [names, *rows]) + end


CASES: dict[str, Case] = {}


def case(make: Case) -> Case:
    """Keep a case under the name of its function."""
    CASES[make.__name__] = make
    return make


def spoil(rows: Rows, truth: Truth, columns: tuple[str, ...], label: str, step: int = 11) -> None:
    """Write a label that means missing into some cells."""
    for v, name in enumerate(columns):
        for k in range(v, N, step):
            rows[k][NAMES.index(name)] = label
            truth[name][k] = None


def spoiling(label: str, *columns: str) -> Case:
    """Return the case in which a label means missing in some columns."""

    def make(rows: Rows, truth: Truth) -> tuple[str, Truth]:
        spoil(rows, truth, columns, label)
        return joined(rows), truth

    return make


for marker in ("", "NA", "N/A", "NaN", "null", "?", "NULL", "n/a", "#N/A"):
    CASES[f"marker {marker!r} everywhere"] = spoiling(marker, "age", "city", "smoker", "income")
    CASES[f"marker {marker!r} among ages"] = spoiling(marker, "age")
for marker in ("-", "none", "unknown", "missing", "."):
    CASES[f"word {marker!r} among numbers"] = spoiling(marker, "age", "income")
for marker in ("-999", "-99", "-9", "-9999", "9999"):
    CASES[f"sentinel {marker} in ages"] = spoiling(marker, "age")
CASES["sentinel -999 everywhere"] = spoiling("-999", "age", "city", "smoker", "income")
CASES["sentinel -1 in ages"] = spoiling("-1", "age")


@case
def plain(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return joined(rows), truth


@case
def all_markers_mixed(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    spoil(rows, truth, ("age", "city", "smoker", "income"), "-999", 13)
    spoil(rows, truth, ("smoker", "income", "age"), "NA", 17)
    spoil(rows, truth, ("income", "age"), "?", 19)
    spoil(rows, truth, ("city",), "", 23)
    return joined(rows), truth


@case
def none_is_a_city(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for k in range(0, N, 9):
        rows[k][2] = truth["city"][k] = "None"
    return joined(rows), truth


@case
def minus_is_a_smoker(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for k, row in enumerate(rows):
        row[3] = truth["smoker"][k] = "-" if row[3] == "no" else "+"
    return joined(rows), truth


@case
def minus_is_a_state_here_and_missing_there(rows: Rows, truth: Truth) -> tuple[str | bytes, Truth]:
    spoil(rows, truth, ("age",), "-")
    return minus_is_a_smoker(rows, truth)


@case
def excel(rows: Rows, truth: Truth) -> tuple[bytes, Truth]:
    for row in rows:
        row[4] = row[4].replace(".", ",")
    return b"\xef\xbb\xbf" + joined(rows, sep=";", end="\r\n").encode(), truth


@case
def excel_with_sep_line(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for row in rows:
        row[4] = row[4].replace(".", ",")
    return "sep=;\n" + joined(rows, sep=";"), truth


@case
def tabs(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return joined(rows, sep="\t"), truth


@case
def utf_16(rows: Rows, truth: Truth) -> tuple[bytes, Truth]:
    return joined(rows).encode("utf-16"), truth


@case
def old_mac_line_ends(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return joined(rows, end="\r"), truth


@case
def packed(rows: Rows, truth: Truth) -> tuple[bytes, Truth]:
    return gzip.compress(joined(rows).encode()), truth


@case
def trailing_comma(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return joined([[*row, ""] for row in rows], [*NAMES, ""]), truth


@case
def title_line(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return "People of the town\n" + joined(rows), truth


@case
def title_line_with_delimiters(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return "People of the town,,,,,\n" + joined(rows), truth


@case
def two_title_lines_and_a_blank_one(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return "People\nas of 2024\n\n" + joined(rows), truth


@case
def no_header(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    text = "".join(",".join([row[1], row[2], row[3]]) + "\n" for row in rows)
    return text, {f"column_{v + 1}": truth[x] for v, x in enumerate(["age", "city", "smoker"])}


@case
def no_header_of_answers(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    answers = [[row[3], "no" if k % 3 else "yes"] for k, row in enumerate(rows)]
    text = "".join(",".join(row) + "\n" for row in answers)
    assert truth["smoker"] == [row[0] for row in answers]
    return text, {f"column_{v + 1}": [row[v] for row in answers] for v in range(2)}


@case
def repeated_header(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return joined([*rows[:100], NAMES, *rows[100:]]), truth


@case
def total_row(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    total = ["Total", str(int(sum(truth["age"]))), "", "", str(sum(truth["income"])), ""]
    return joined([*rows, total]), truth


@case
def units_row(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    units = ["", "years", "", "", "EUR", ""]
    truth = {name: [None, *cells] for name, cells in truth.items()}
    return joined([units, *rows]), truth


@case
def blanks_after_commas(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return joined(rows, sep=", "), truth


@case
def blanks_at_some_ends(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for row in rows[::4]:
        row[2] += " "
        row[3] = " " + row[3]
    return joined(rows), truth


@case
def quoted_cells(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    return joined([[f'"{x}"' for x in row] for row in rows], [f'"{x}"' for x in NAMES]), truth


@case
def one_word_among_ages(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    rows[50][1], truth["age"][50] = "old", None
    return joined(rows), truth


@case
def whole_incomes_that_never_repeat(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    truth["income"] = [float(1000 + 37 * k) for k in range(N)]
    for k, row in enumerate(rows):
        row[4] = str(int(truth["income"][k]))
    return joined(rows), truth


@case
def incomes_with_markers_are_no_ids(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    whole_incomes_that_never_repeat(rows, truth)
    spoil(rows, truth, ("income",), "NA")
    return joined(rows), truth


@case
def ids_of_letters(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for k, row in enumerate(rows):
        row[0] = f"P{k * 17:05d}"
    return joined(rows), truth


@case
def free_text(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for k, row in enumerate(rows):
        row[0] = f"met on day {k} of the study"
    return joined(rows), truth


@case
def german_dates(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for row in rows:
        year, month, day = row[5].split("-")
        row[5] = f"{day}.{month}.{year}"
    return joined(rows), truth


@case
def an_empty_column(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for row in rows:
        row[0] = ""
    return joined(rows), truth


@case
def a_constant_column(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for row in rows:
        row[3] = "no"
    truth["smoker"] = ["no"] * N
    return joined(rows), truth


@case
def numbers_in_scientific_spelling(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    for k, row in enumerate(rows):
        row[4] = f"{truth['income'][k]:.17e}"
    return joined(rows), truth


@case
def few_whole_numbers_are_states(rows: Rows, truth: Truth) -> tuple[str, Truth]:
    truth["city"] = [str(k % 5) for k in range(N)]
    for k, row in enumerate(rows):
        row[2] = truth["city"][k]
    return joined(rows), truth


def made(name: str) -> tuple[str | bytes, Truth]:
    """Return the file of a case, and the truth."""
    rows, truth = people()
    return CASES[name](deepcopy(rows), deepcopy(truth))
