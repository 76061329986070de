"""Mutate valid network files of every format and read them.

Every read must end in a network that survives a round trip or in a BayesloomError, within two
seconds and a bounded amount of memory. Run: ``python tests/fuzz/fuzz_networks.py --count 50000``.
"""

from __future__ import annotations

import argparse
import faulthandler
import gzip
import random
import re
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesloom.errors import BayesloomError
from bayesloom.model import BayesNet, load_net, save_net
from bayesloom.model.formats import FORMATS
from reference_model import same_network

DATA = Path(__file__).parents[1] / "data" / "model"
SECONDS = 2.0
MEGABYTES = 2000
ENDINGS = [kind.endings[0] for kind in FORMATS]
TOKEN = re.compile(rb"\s+|[\w.+-]+|.", re.DOTALL)
NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
NUMBERS = (
    b"0 1 -1 2 1e999 -0 nan NaN inf 99999999999999999999 1_0 0x1 1. .5 1e-400 64 65 4294967296"
)
EXTREMES = [*NUMBERS.split(), b"", b"\xd9\xa1", b"1" * 5000]
MARKS = (
    b"{ } ( ) [ ] \\ ; , | // /* */ % # < > &amp; &#0; &x; <![CDATA[ ]]> <!-- --> null true".split()
)
PIECES = [
    *MARKS,
    *(b'"', b"\x00", b"\xff", b"\xed\xa0\x80", b"\r\n", b"\xef\xbb\xbf", b"\\ud800"),
    *(b"property ", b"table ", b"default ", b"variable ", b"probability ", b"node ", b"potential "),
    *(b"<!DOCTYPE a [", b"<!ENTITY x 'y'>", b"data = ", b"states = ", b"bayesloom escapes"),
    *(b"# bayesloom {", b'bayesloom_name = "a";'),
]


class TimeoutInReadError(Exception):
    """A read took too long."""


def odd_network() -> BayesNet:
    """A small network whose labels need every kind of escape."""
    labels = ["a b", 'q"', "x,y", "(1,2]", "back\\", "\n", "\u65e5", "<1"]
    rows = np.random.default_rng(1).dirichlet(np.ones(3), (8, 2))
    return BayesNet.from_tables(
        {
            "odd, name": (labels, [], np.full(8, 0.125)),
            "plain": (["no", "yes"], ["odd, name"], np.full((8, 2), 0.5)),
            " child ": (["1", "2", "3"], ["odd, name", "plain"], rows),
        }
    )


def make_corpus(folder: Path) -> list[tuple[str, bytes]]:
    """Return (ending, content) of valid files of every format."""
    corpus = [
        (path.suffix, path.read_bytes())
        for path in sorted((DATA / "peers").iterdir())
        if path.suffix != ".md"
    ]
    nets = [
        load_net(DATA / "networks" / f"{n}.bif.gz") for n in ("asia", "cancer", "survey", "sachs")
    ]
    for net in [*nets, odd_network()]:
        for ending in ENDINGS:
            path = folder / f"valid{ending}"
            save_net(net, path)
            corpus.append((ending, path.read_bytes()))
    return corpus


def mutate(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """Change a file in one random way."""
    return rng.choice([flip_bits, cut_or_insert, repeat, change_number, change_tokens, splice])(
        data or b" ", other, rng
    )


def flip_bits(data: bytes, other: bytes, rng: random.Random) -> bytes:
    del other
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut_or_insert(data: bytes, _: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    kept = rng.choice([b"", data[place:], data[place + rng.randint(1, 60) :]])
    return data[:place] + rng.choice([b"", *PIECES]) * rng.randint(0, 1) + kept


def splice(data: bytes, other: bytes, rng: random.Random) -> bytes:
    place, start = rng.randrange(len(data) + 1), rng.randrange(len(other) + 1)
    return data[:place] + other[start : start + rng.randint(1, 300)] + data[place:]


def repeat(data: bytes, _: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    end = place + rng.randint(1, 60)
    return data[:place] + data[place:end] * rng.choice([2, 3, 50, 1000]) + data[end:]


def change_number(data: bytes, _: bytes, rng: random.Random) -> bytes:
    numbers = list(NUMBER.finditer(data))
    if not numbers:
        return data
    number = rng.choice(numbers)
    return data[: number.start()] + rng.choice(EXTREMES) + data[number.end() :]


def change_tokens(data: bytes, _: bytes, rng: random.Random) -> bytes:
    tokens: list[bytes] = TOKEN.findall(data)
    i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    if rng.random() < 0.3:
        tokens[i], tokens[j] = tokens[j], tokens[i]
    else:
        tokens[i : i + 1] = rng.choice([[], [tokens[i]] * 2, [tokens[j]]])
    return b"".join(tokens)


def check(path: Path, folder: Path) -> str:
    """Read one file and say what came of it; anything else than an error on purpose is raised."""
    start = time.perf_counter()
    try:
        net = load_net(path)
    except BayesloomError as error:
        message = str(error)
        if "\n" in message or len(message) > 2000:
            raise ValueError(message) from error
        outcome = "error"
    else:
        outcome = "network"
        again = folder / f"again{path.suffixes[0]}"
        save_net(net, again)
        if not same_network(load_net(again), net):
            msg = "the network changed in a round trip"
            raise ValueError(msg)
    if (seconds := time.perf_counter() - start) > SECONDS:
        msg = f"{seconds:.1f} s"
        raise TimeoutInReadError(msg)
    return outcome


def main() -> int:
    """Run the mutants and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()))
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
    faulthandler.enable()
    rng = random.Random(options.seed)
    outcomes: Counter[str] = Counter()
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = make_corpus(folder)
        for number in range(options.count):
            ending, data = rng.choice(corpus)
            for _ in range(rng.choice([1, 1, 1, 2, 5])):
                data = mutate(data, rng.choice(corpus)[1], rng)
            packed = rng.random() < 0.03
            path = folder / f"mutant{ending}{'.gz' * packed}"
            path.write_bytes(gzip.compress(data, 1) if packed else data)
            faulthandler.dump_traceback_later(60, exit=True)
            try:
                outcomes[f"{ending[1:]} {check(path, folder)}"] += 1
            except Exception:  # noqa: BLE001 - whatever it is, it is a finding
                failures += 1
                kept = options.keep / f"fuzz-{options.seed}-{number}{ending}"
                kept.write_bytes(data)
                sys.stdout.write(f"mutant {number} ({kept}):\n{traceback.format_exc()}\n")
            faulthandler.cancel_dump_traceback_later()
    lines = [f"{what}: {count}" for what, count in sorted(outcomes.items())]
    sys.stdout.write("\n".join([*lines, f"{options.count} mutants, {failures} failures", ""]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
