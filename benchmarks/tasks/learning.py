"""Learning structure: every search against the programs that have it."""

from __future__ import annotations

from dataclasses import dataclass

import dataset
from task import BNLEARN, PGMPY, PYAGRUM, US, Contender, Csv, Role, Scratch, Task

NETWORKS = ("child", "insurance", "alarm", "hailfinder", "win95pts", "andes")
ROWS = (1_000, 5_000, 20_000, 100_000)
LARGE = (Csv("pigs", 5_000), Csv("link", 5_000))  # 441 and 724 nodes
CELLS = tuple(Csv(network, rows) for network in NETWORKS for rows in ROWS)
SCORES = {"bic": "BIC", "bdeu": "BDeu(10)"}
XGES = Contender("xges + a numpy score", "xges")
CAUSAL_LEARN = Contender("causal-learn (ess 1, own prior)", "causallearn")
PYAGRUM_100 = Contender("pyagrum, 100 decreases", "pyagrum", options={"decrease": 100})


@dataclass(frozen=True, slots=True)
class Search:
    """A search, who has it, and the cells of the core subset (scored by BIC)."""

    name: str
    call: str
    title: str
    peers: tuple[Contender, ...]
    core: tuple[Csv, ...]


ALARM = tuple(Csv("alarm", rows) for rows in (1_000, 5_000, 100_000))
SEARCHES = (
    Search("hc", "hill_climbing", "Hill climbing", (PYAGRUM, PGMPY, BNLEARN), ALARM),
    Search("tabu", "tabu", "Tabu search", (PYAGRUM, PYAGRUM_100, BNLEARN), ALARM[:2]),
    Search(
        "ges",
        "ges",
        "Greedy equivalence search",
        (XGES, PGMPY, CAUSAL_LEARN),
        (*ALARM[:2], Csv("win95pts", 5_000)),
    ),
    Search("xges", "xges", "Extremely greedy equivalence search", (XGES,), ALARM[:2]),
    Search("k2", "k2", "K2 with the true order", (PYAGRUM,), ALARM[1:2]),
)


@dataclass(frozen=True, slots=True)
class TrueOrder:
    """The columns of a data file, parents first in the network it was drawn from."""

    csv: Csv

    def make(self) -> list[str]:
        """Return plain values, as a job carries them."""
        known = set(dataset.load_codes(dataset.csv_file(self.csv.network, self.csv.rows)).names)
        return [name for name in dataset.network(self.csv.network).order() if name in known]


def tasks() -> list[Task]:
    large = {"hc", "ges"}
    return [
        *(
            _search(search, score, csv)
            for search in SEARCHES
            for score in SCORES
            for csv in (*CELLS, *(LARGE if search.name in large and score == "bic" else ()))
        ),
        *(_chow_liu(csv) for csv in (*CELLS, *LARGE)),
        *(_exact(*cell) for cell in EXACT),
        *(_end_to_end(rows) for rows in (1_000, 5_000, 100_000)),
        *(_tested(search, csv) for search in TESTED for csv in TESTED_CELLS),
        *(_decomposable(*cell) for cell in DECOMPOSABLE),
        *(_imap(network, score) for score in SCORES for network in IMAP),
    ]


def _search(search: Search, score: str, csv: Csv) -> Task:
    peers = [p for p in search.peers if score == "bdeu" or p is not CAUSAL_LEARN]
    order = {"order": TrueOrder(csv)} if search.name == "k2" else {}
    return Task(
        name=f"{search.name}-{score}-{csv.network}-{csv.rows}",
        page="learning",
        family=search.title.lower(),
        table=f"{search.title}, {SCORES[score]}",
        label=str(csv),
        call=search.call,
        contenders=(US, *peers),
        options={"csv": csv, "score": score} | order,
        score=score,
        truth=csv.network,
        series=f"{search.name}-{score}",
        size=_size(csv),
        core=(score == "bic" and csv in search.core)
        or (score == "bdeu" and csv == Csv("child", 1_000) and search.name in ("hc", "ges")),
    )


def _chow_liu(csv: Csv) -> Task:
    return Task(
        name=f"chow-liu-{csv.network}-{csv.rows}",
        page="learning",
        family="Chow-Liu tree",
        table="Chow-Liu tree",
        label=str(csv),
        call="chow_liu",
        contenders=(US, PYAGRUM, *((PGMPY,) if csv.rows < 100_000 else ()), BNLEARN),
        options={"csv": csv},
        score="bic",
        truth=csv.network,
        series="chow-liu",
        size=_size(csv),
        core=csv in ALARM,
    )


EXACT = (
    (Csv("cancer", 1_000), 4, (PGMPY,)),
    (Csv("asia", 5_000), 3, ()),
    (Csv("sachs", 5_000), 3, ()),
    (Csv("child", 5_000), 3, ()),
    (Csv("insurance", 1_000), 3, ()),
    (Csv("alarm", 500), 2, ()),
    (Csv("hailfinder", 500), 2, ()),
)


def _exact(csv: Csv, max_parents: int, peers: tuple[Contender, ...]) -> Task:
    """Find the optimum and prove it; pgmpy looks at every graph, of five variables at most."""
    return Task(
        name=f"exact-{csv.network}-{csv.rows}",
        page="learning",
        family="exact learning",
        table="Exact learning, BIC: the optimum with its proof",
        label=f"{csv}, at most {max_parents} parents",
        call="exact",
        contenders=(US, *peers),
        options={"csv": csv, "score": "bic", "max_parents": max_parents},
        score="bic",
        truth=csv.network,
        series="exact",
        size=_size(csv),
        core=csv.network != "hailfinder",
    )


def _end_to_end(rows: int) -> Task:
    learn = ("-c", "from bayesloom.cli import main; main()", "learn", "{csv}", "-o", "{bif}")
    hill_climbing = ("--search", "hc", "--score", "bic")
    us = [
        Contender("bayesloom", role=Role.US, arguments=(*learn, *hill_climbing)),
        Contender("bayesloom, default search", role=Role.US, arguments=learn),
    ]
    peers = [
        Contender(n, arguments=("-m", f"contenders.{n}", "{csv}", "{bif}"))
        for n in ("pyagrum", "pgmpy")
    ]
    return Task(
        name=f"learn-file-alarm-{rows}",
        page="learning",
        family="CSV file to BIF file",
        table="From a CSV file to a BIF file, whole process (hill climbing, BIC)",
        label=f"alarm, {rows:,} rows",
        contenders=(*us, *peers),
        options={"csv": Csv("alarm", rows), "bif": Scratch(f"learned-{rows}.bif")},
        score="bic",
        truth="alarm",
        core=rows <= 5_000,
    )


CAUSAL_LEARN_PC = Contender("causal-learn", "causallearn")
TESTED_CELLS = tuple(
    Csv(network, rows) for network in ("child", "insurance", "alarm") for rows in ROWS[:3]
)
TESTED = (
    Search("pc", "pc", "PC (stable), chi-square 1 %", (CAUSAL_LEARN_PC, PGMPY, BNLEARN), ALARM),
    Search("iamb", "iamb", "IAMB, chi-square 1 % (quoted: G-square)", (BNLEARN,), ALARM),
    Search("mmhc", "mmhc", "Max-min hill climbing, G-square 1 %, BIC", (BNLEARN,), ALARM),
)


def _tested(search: Search, csv: Csv) -> Task:
    """Return the task of a search that tests; a graph that no DAG extends gets no score."""
    return Task(
        name=f"{search.name}-{csv.network}-{csv.rows}",
        page="learning",
        family="constraint-based learners",
        table=search.title,
        label=str(csv),
        call=search.call,
        contenders=(US, *search.peers),
        options={"csv": csv},
        score="bic",
        truth=csv.network,
        series=search.name,
        size=_size(csv),
        core=csv in search.core,
    )


DECOMPOSABLE = (
    (Csv("alarm", 20_000), 1),
    (Csv("alarm", 5_000), 3),
    (Csv("hailfinder", 20_000), 1),
    (Csv("andes", 5_000), 1),
    (Csv("link", 5_000), 1),
)


def _decomposable(csv: Csv, lookahead: int) -> Task:
    return Task(
        name=f"dmn{lookahead}-{csv.network}-{csv.rows}",
        page="learning",
        family="",
        table="Decomposable Markov network (no Python program learns one)",
        label=f"{csv}, lookahead {lookahead}",
        call="learn",
        contenders=(US,),
        options={"csv": csv, "search": "DMN", "lookahead": lookahead},
        score="bic",
        core=True,
    )


IMAP = ("alarm", "win95pts", "andes", "pigs", "link")
CONTROLS = {"alpha spending 5 %": "spending", "alpha 1 %": "one", "alpha 5 %": "five"}


def _imap(network: str, score: str) -> Task:
    """GES without tests and with them: what the dependencies cost."""
    csv = Csv(network, 5_000)
    with_tests = [
        Contender(
            f"bayesloom IGES, {name}", "bayesloom", Role.US, {"search": "IGES", "control": key}
        )
        for name, key in CONTROLS.items()
    ]
    without = Contender("bayesloom GES", "bayesloom", Role.US, {"search": "GES"})
    return Task(
        name=f"iges-{score}-{network}-5000",
        page="learning",
        family="",
        table=f"I-map learning: GES with tests, {SCORES[score]} (no other program has it)",
        label=str(csv),
        call="learn",
        contenders=(without, *with_tests),
        options={"csv": csv, "score": score},
        score=score,
        truth=network,
        core=score == "bic" and network in ("alarm", "win95pts", "andes"),
    )


def _size(csv: Csv) -> tuple[int, int]:
    return len(dataset.network(csv.network).names), csv.rows
