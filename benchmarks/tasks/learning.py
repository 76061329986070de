"""Learning structure: every search against the programs that have it."""

from __future__ import annotations

from dataclasses import dataclass

import dataset
from contenders.bayesloom import LEARN_FILE
from task import Contender, Csv, Role, Scratch, Task

NETWORKS = ("child", "insurance", "alarm", "hailfinder", "win95pts", "andes")
ROWS = (1_000, 5_000, 20_000, 100_000)
LARGE = (("pigs", 5_000), ("link", 5_000))  # 441 and 724 nodes: ours alone
SCORES = {"bic": "BIC", "bdeu": "BDeu(10)"}
US = Contender("bayesloom", "bayesloom", Role.US)
PYAGRUM = Contender("pyagrum", "pyagrum")
PGMPY = Contender("pgmpy", "pgmpy")
CAUSAL_LEARN = Contender("causal-learn (ess 1, own prior)", "causallearn")
SEARCHES = {
    "hc": ("hill_climbing", "Hill climbing", (PYAGRUM, PGMPY)),
    "tabu": (
        "tabu",
        "Tabu search",
        (
            PYAGRUM,
            Contender("pyagrum, 100 decreases", "pyagrum", options={"decrease": 100}),
        ),
    ),
    "ges": (
        "ges",
        "Greedy equivalence search",
        (Contender("xges (XGES-0) + a numpy score", "xges"), PGMPY, CAUSAL_LEARN),
    ),
    "xges": (
        "xges",
        "Extremely greedy equivalence search",
        (
            Contender("xges + a numpy score", "xges"),
            Contender("the same, copies share their memory", "xges", options={"shared": True}),
        ),
    ),
    "k2": ("k2", "K2 with the true order", (PYAGRUM,)),
}


@dataclass(frozen=True, slots=True)
class TrueOrder:
    """The columns of a data file, parents first in the network it was drawn from."""

    csv: Csv

    def make(self) -> list[str]:
        """Return plain values, as a job carries them."""
        known = set(dataset.load_codes(dataset.csv_file(self.csv.network, self.csv.rows)).names)
        return [name for name in dataset.network(self.csv.network).order() if name in known]


def tasks() -> list[Task]:
    cells = [(network, rows) for network in NETWORKS for rows in ROWS]
    return [
        *(
            _search(key, score, network, rows)
            for key in SEARCHES
            for score in SCORES
            for network, rows in (*cells, *LARGE)
            if (network, rows) not in LARGE or (key in ("hc", "ges") and score == "bic")
        ),
        *(_chow_liu(network, rows) for network, rows in (*cells, *LARGE)),
        *(_end_to_end(rows) for rows in (5_000, 100_000)),
        *(_decomposable(*cell) for cell in DECOMPOSABLE),
        *(_imap(score) for score in SCORES),
    ]


def _search(key: str, score: str, network: str, rows: int) -> Task:
    call, title, peers = SEARCHES[key]
    if score == "bic":
        peers = tuple(peer for peer in peers if peer is not CAUSAL_LEARN)
    csv = Csv(network, rows)
    return Task(
        name=f"{key}-{score}-{network}-{rows}",
        group=f"{title}, {SCORES[score]}",
        label=f"{network}, {rows:,} rows",
        call=call,
        contenders=(US,) if (network, rows) in LARGE else (US, *peers),
        options={"csv": csv, "score": score} | ({"order": TrueOrder(csv)} if key == "k2" else {}),
        score=score,
        truth=network,
        series=f"{key}-{score}",
        size=_size(network, rows),
        quick=(network, rows) in (("child", 1_000), ("alarm", 1_000)),
    )


def _chow_liu(network: str, rows: int) -> Task:
    return Task(
        name=f"chow-liu-{network}-{rows}",
        group="Chow-Liu tree",
        label=f"{network}, {rows:,} rows",
        call="chow_liu",
        contenders=(US,) if (network, rows) in LARGE else (US, PYAGRUM, PGMPY),
        options={"csv": Csv(network, rows)},
        score="bic",
        truth=network,
        series="chow-liu",
        size=_size(network, rows),
        quick=(network, rows) == ("child", 1_000),
    )


def _end_to_end(rows: int) -> Task:
    peers = [
        Contender(n, arguments=("-m", f"contenders.{n}", "{csv}", "{bif}"))
        for n in ("pyagrum", "pgmpy")
    ]
    return Task(
        name=f"learn-file-alarm-{rows}",
        group="From a CSV file to a BIF file, whole process (hill climbing, BIC)",
        label=f"alarm, {rows:,} rows",
        contenders=(Contender("bayesloom", role=Role.US, arguments=LEARN_FILE), *peers),
        options={"csv": Csv("alarm", rows), "bif": Scratch(f"learned-{rows}.bif")},
        score="bic",
        truth="alarm",
        clock="wall",
        quick=rows <= 5_000,
    )


DECOMPOSABLE = (
    ("alarm", 5_000, 3),
    ("alarm", 20_000, 1),
    ("hailfinder", 20_000, 1),
    ("andes", 5_000, 1),
    ("link", 5_000, 1),
)


def _decomposable(network: str, rows: int, lookahead: int) -> Task:
    return Task(
        name=f"dmn{lookahead}-{network}-{rows}",
        group="Decomposable Markov network (no Python program learns one)",
        label=f"{network}, {rows:,} rows, lookahead {lookahead}",
        call="dmn",
        contenders=(US,),
        options={"csv": Csv(network, rows), "lookahead": lookahead},
        score="bic",
    )


def _imap(score: str) -> Task:
    """GES without tests and with them: what the dependencies cost."""
    controls = {"alpha spending 5 %": "spending", "alpha 1 %": "one", "alpha 5 %": "five"}
    with_tests = [
        Contender(f"bayesloom IGES, {name}", "bayesloom", Role.US, {"control": key})
        for name, key in controls.items()
    ]
    return Task(
        name=f"iges-{score}-alarm-5000",
        group="I-map learning: GES with tests (no other program has it)",
        label=f"alarm, 5,000 rows, {SCORES[score]}",
        call="iges",
        contenders=(Contender("bayesloom GES", "bayesloom", Role.US), *with_tests),
        options={"csv": Csv("alarm", 5_000), "score": score},
        score=score,
        truth="alarm",
    )


def _size(network: str, rows: int) -> tuple[int, int]:
    return len(dataset.network(network).names), rows
