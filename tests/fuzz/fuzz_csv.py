"""Feed mutated CSV files to the reader: each has to end in a table or in one clear sentence.

    python tests/fuzz/fuzz_csv.py --count 60000 --seed 1

A table is compared, cell by cell, with what Python's own csv module reads from the same bytes. Any
other exception, a warning, a message of several lines or a read of more than ten seconds is a find:
the file and the options are printed and the exit code is 1.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
import re
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from bayesloom.data import Table, read
from bayesloom.data.label import number_label
from bayesloom.errors import BayesloomError, shown

SECONDS = 10
SEEDS = [
    b"A,B,C\nx,1,red\ny,2,green\nx,3,blue\n",
    b"A;B;C\r\nx;1,5;red\r\ny;2,5;green\r\n",
    b"A\tB\nx\t1\ny\t2\n",
    b"A\nx\ny\n\nz\n",
    b"\xef\xbb\xbfA,B\nM\xc3\xbcller,\xe2\x82\xac\nx,y\n",
    b'"A","B, too"\n"a,b","say ""x"""\n"two\r\nlines",z\n',
    b"A,B,C\n,NA,?\nNone,,null\nTRUE,false,nan\n",
    b"n,f\n" + b"".join(b"%d,%d.%d\n" % (k, k % 5, k % 7) for k in range(60)),
    b"id,c\n" + b"".join(b"row%d,%c\n" % (k, 97 + k % 3) for k in range(60)),
    b",A,B\n0,x,1\n1,y,2\n2,x,3\n",
    b"A,B,\nx,1,\ny,2,\n",
    b",".join(b"c%d" % k for k in range(40)) + b"\n" + b",".join([b"x"] * 40) + b"\n",
]
PIECES = [
    b",", b";", b"\t", b'"', b'""', b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf",
    b"\xc3", b"\xed\xa0\x80", b"1", b"1.0", b"-0", b"1e999", b"1e308", b"0.1", b"nan", b"inf",
    b"None", b"NA", b"missing", b" ", b"\\", b"'", b"#", b"\x1a", b"\xe2\x80\xa8", b"9" * 70,
    b"x" * 300, b",,,,", b"\n\n\n",
]  # fmt: skip
CELLS = [p for p in PIECES if p.isascii() and not set(p) & set(b',;\t"\r\n')] + [
    b'"a,b"', b'"a""b"', b'"a\nb"', b'""', b"", b"\xc3\xa9", b"\xf0\x9f\x99\x82", b'"q"z', b'p"q',
]  # fmt: skip
CHOICES: dict[str, list[Any]] = {
    "missing": ["error", "drop", "state"],
    "missing_markers": [(), ("?", "NA"), (1, "None")],
    "discretize": ["none", "frequency", "width"],
    "bins": [2, 5],
    "delimiter": [None, None, None, ",", ";", "\t", "x"],
    "states": [None, None, None, {"A": ["x", "y", "z"]}, {"B": [1, 2]}],
    "drop": [(), (), (), ["A"]],
}


def mutated(rng: random.Random) -> bytes:
    """Return a file with up to eight small changes."""
    data = bytearray(rng.choice(SEEDS))
    for _ in range(min(8, int(rng.expovariate(0.5)))):
        place, length = rng.randrange(len(data) + 1), rng.choice([0, 0, 1, 1, 2, 5, 30])
        change = rng.randrange(6)
        if change == 0:
            data[place : place + length] = rng.choice(PIECES)
        elif change == 1:
            data[place : place + length] = bytes([rng.randrange(256)])
        elif change == 2:
            del data[place : place + length]
        elif change == 3:
            data[place:place] = data[rng.randrange(len(data) + 1) :][: rng.randrange(40)]
        else:  # a cell for a cell
            cells = re.split(rb"([,;\t\r\n]+)", bytes(data))
            cells[2 * rng.randrange((len(cells) + 1) // 2)] = rng.choice(CELLS)
            data = bytearray(b"".join(cells))
    return bytes(data)


def drawn_options(rng: random.Random) -> dict[str, Any]:
    """Return options for a read, none of them in every other case."""
    share = rng.choice([0.0, 0.3])
    return {name: rng.choice(values) for name, values in CHOICES.items() if rng.random() < share}


def check_cells(table: Table, data: bytes, delimiter: str | None) -> None:
    """Check a table that was read without options against the csv module."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode()
    for candidate in [delimiter] if delimiter else [",", ";", "\t"]:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=candidate))
        header = next(cells for cells in lines if cells)
        if tuple(filter(None, header)) == table.names:
            break
    else:
        raise AssertionError(table.names)
    rows = lines[lines.index(header) + 1 :]
    rows = [cells or [""] for cells in rows if cells or len(header) == 1]
    assert len(rows) == table.n_rows, "number of rows"
    for v, name in enumerate(header):
        column = [cells[v] for cells in rows]
        if not name:
            check_left_out(v, column)
            continue
        states, codes = table.states[table.index(name)], table.codes[table.index(name)]
        commas = f"column {shown(repr(name))} has decimal commas"
        noted = any(note.startswith(commas) for note in table.notes)
        for cell, code in zip(column, codes.tolist(), strict=True):
            label = states[code]
            legal = {cell, number_label(cell)}
            if noted:
                pointed = cell.replace(".", "").replace(",", ".")
                legal |= {pointed, number_label(pointed)}
            assert label in legal, (cell, label)


def check_left_out(v: int, cells: list[str]) -> None:
    """Check that a column without a name is empty, or the first and numbers the rows."""
    numbers = v == 0 and len(set(cells)) == len(cells) and all(map(str.isdigit, cells))
    assert numbers or not any(cells), ("left out", v, cells)


def outcome_of(path: Path, data: bytes, options: dict[str, Any]) -> str:
    """Read one file and return what came of it; anything but the two legal ends is raised."""
    path.write_bytes(data)
    try:
        table = read(path, **options)
    except BayesloomError as error:
        kind, lines = type(error).__name__, str(error).count("\n")
        return kind if lines == 0 else sys.exit(f"{kind} has {lines} line ends")
    if not set(options) & {"missing", "missing_markers", "discretize", "states", "drop"}:
        check_cells(table, data, options.get("delimiter"))
    return "Table"


def main() -> int:
    """Run the number of inputs asked for and report."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--count", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    warnings.simplefilter("error")
    rng = random.Random(chosen.seed)
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzz.csv")
        for k in range(chosen.count):
            data, options = mutated(rng), drawn_options(rng)
            signal.alarm(SECONDS)
            try:
                outcomes[outcome_of(path, data, options)] += 1
            except BaseException:  # noqa: BLE001
                sys.stdout.write(
                    f"input {k}: {data!r}\noptions: {options!r}\n{traceback.format_exc()}"
                )
                return 1
            signal.alarm(0)
    sys.stdout.write(f"{chosen.count} inputs, seed {chosen.seed}: {dict(outcomes)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
