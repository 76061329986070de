"""Other programs on the samples of the study, measured as it measures ours.

python benchmarks/study_peers.py run pyagrum 5 results        five samples of every cell
python benchmarks/study_peers.py run pgmpy 2 results          its own networks and rows, see ASKED
python benchmarks/study_peers.py table pyagrum results        beside `bayesloom reproduce study`
python benchmarks/study_peers.py table pyagrum,pgmpy results  where all of them have a result

What has been measured is kept in the folder and not measured again. The programs run in a Python of
their own (`environments.peers`); a call of more than LIMIT processor seconds is ended, and further
samples of its cell are left out.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from select import select
from statistics import fmean
from typing import Any

import dataset
import environments
from bayesloom.data import write_csv
from bayesloom.engine import NativeEngine
from bayesloom.evaluation import kl_divergence
from bayesloom.graphs import DAG, structural_hamming_distance
from bayesloom.model import BayesNet, BDeuMean, draw_rows, fit_net
from bayesloom_reproduction.experiment import Row, Trial, generator, joined
from bayesloom_reproduction.known_networks import drawn_network
from bayesloom_reproduction.learners import CHOSEN
from bayesloom_reproduction.ledger import Ledger
from bayesloom_reproduction.measures import engine_of
from bayesloom_reproduction.study import NETWORKS, PARAMETERS, SIZES, STUDY, mean_ranks
from runner import THREAD_SETTINGS, cpu_seconds

LIMIT = 60
"""Processor seconds of a call, its set-up included."""

LOOK = 0.5
"""Seconds between two looks at the processor time of a program."""

OURS = ("BIC GES", "BIC XGES", "BDeu 1 GES", "BDeu 10 GES", CHOSEN)


@dataclass(frozen=True, slots=True)
class Peer:
    """A search of another program: a function of its module in `contenders`, and options."""

    name: str
    module: str
    call: str
    options: dict[str, str] = field(default_factory=dict)


PEERS = {
    "pyagrum": (
        Peer("pyAgrum, tabu, BIC", "pyagrum", "tabu", {"score": "bic"}),
        Peer("pyAgrum, tabu, BDeu", "pyagrum", "tabu", {"score": "bdeu"}),
        Peer("pyAgrum, hill climbing, BIC", "pyagrum", "hill_climbing", {"score": "bic"}),
        Peer("pyAgrum, hill climbing, BDeu", "pyagrum", "hill_climbing", {"score": "bdeu"}),
        Peer("pyAgrum, MIIC", "pyagrum", "miic"),
    ),
    "pgmpy": (
        Peer("pgmpy, hill climbing, BIC", "pgmpy", "hill_climbing", {"score": "bic"}),
        Peer("pgmpy, hill climbing, BDeu", "pgmpy", "hill_climbing", {"score": "bdeu"}),
        Peer("pgmpy, GES, BIC", "pgmpy", "ges", {"score": "bic"}),
    ),
}
SMALL = ("survey", "asia", "sachs", "child", "insurance")
ASKED = {
    "pyagrum": (tuple(sorted(NETWORKS, key=lambda name: name == "barley")), max(SIZES)),
    "pgmpy": (SMALL, 2000),
}
"""The networks and the most rows that programs are asked for, those that take longest last."""


class Server:
    """A process in the other Python that answers jobs, ended when one takes too long."""

    def __init__(self) -> None:
        settings = os.environ | dict.fromkeys(THREAD_SETTINGS, "1") | {"PYTHONHASHSEED": "0"}
        settings.pop("PYTHONPATH", None)
        command = [environments.peers(), str(dataset.HERE / "peer_server.py")]
        self.process = subprocess.Popen(
            command,
            cwd=dataset.HERE,
            env=settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )

    def ask(self, job: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer, None if the time was up or the process died."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None  # noqa: PT018
        before = cpu_seconds(self.process.pid)
        stdin.write(json.dumps(job) + "\n")
        stdin.flush()
        while not select([stdout], [], [], LOOK)[0]:
            if cpu_seconds(self.process.pid) - before > LIMIT:
                self.end()
                return None
        line = stdout.readline()
        return json.loads(line) if line else None

    def end(self) -> None:
        """End the process and all that it started."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


def samples(networks: tuple[str, ...], most_rows: int, reps: int) -> Iterator[Trial]:
    """List the samples of the study, as far as they are wanted, the first of all cells first."""
    for network, rep, parameters, n in product(networks, range(reps), PARAMETERS, SIZES):
        if n <= most_rows:
            yield {"network": network, "parameters": parameters, "rows": n, "rep": rep}


def judged(net: BayesNet, engine: NativeEngine, found: dict[str, Any]) -> Row:
    """Return the measures of the study of a graph that another program found."""
    dag = DAG.from_edges([(a, b) for a, b in found["directed"]], engine.names)
    return {
        "kl_10": kl_divergence(net, fit_net(dag, engine, BDeuMean(ess=10))),
        "shd": structural_hamming_distance(net.dag, dag),
        "seconds": found["seconds"],
    }


def run(program: str, reps: int, folder: Path) -> None:
    """Measure the searches of a program on samples that are not in the folder yet."""
    place = folder / f"peers-{program}.jsonl"
    done = {(r["method"], *_sample(r)): r for r in _kept(place)}
    server = None
    for trial in samples(*ASKED[program], reps):
        todo = [p for p in PEERS[program] if (p.name, *trial.values()) not in done]
        if not todo:
            continue
        rng = generator(STUDY.seed, tuple(trial.values()))
        net = drawn_network(trial, rng)
        table = draw_rows(net, int(trial["rows"]), rng)
        engine = engine_of(table)
        with tempfile.TemporaryDirectory() as scratch:
            csv = str(Path(scratch) / "rows.csv")
            write_csv(table, csv)
            for peer in todo:
                row: Row = {"method": peer.name, **trial}
                earlier = ((peer.name, *(trial | {"rep": r}).values()) for r in range(reps))
                if any(done.get(key, {}).get("fault") == "time" for key in earlier):
                    row["fault"] = "cell"
                else:
                    server = server or Server()
                    options = {"csv": csv, **peer.options}
                    found = server.ask(
                        {"module": peer.module, "call": peer.call, "options": options}
                    )
                    if found is None:
                        server = None
                        row["fault"] = "time"
                    else:
                        row |= found if "fault" in found else judged(net, engine, found)
                done[peer.name, *trial.values()] = row
                with place.open("a") as file:
                    file.write(json.dumps(row) + "\n")
    if server:
        server.end()


def table(programs: tuple[str, ...], folder: Path) -> None:
    """Print means and mean ranks over the samples where all have a result, and who had none."""
    experiment = replace(STUDY, reps=1)
    done = Ledger.at(folder / "study.jsonl", experiment).done
    ours = [row for tables in done.values() for row in tables["runs"]]
    theirs = [row for program in programs for row in _kept(folder / f"peers-{program}.jsonl")]
    for (name,), rows in joined(theirs, "method").items():
        _tell_failures(str(name), rows)
    names = [*(peer.name for program in programs for peer in PEERS[program]), *OURS]
    rows = [row for row in theirs + ours if row["method"] in names and "fault" not in row]
    whole = [
        sorted(some, key=lambda row: names.index(str(row["method"])))
        for some in joined(rows, "network", "parameters", "rows", "rep").values()
        if len(some) == len(names)
    ]
    networks = {str(some[0]["network"]): 0 for some in whole}
    for some in whole:
        networks[str(some[0]["network"])] += 1
    print(f"\n{len(whole)} samples: {networks}\n")
    ranks = {measure: mean_ranks(whole, measure) for measure in ("kl_10", "shd")}
    print("| learner | KL | SHD | rank KL | rank SHD | seconds |\n|---|---|---|---|---|---|")
    for place, name in enumerate(names):
        kl, shd, seconds = (
            fmean(float(some[place][key]) for some in whole) for key in ("kl_10", "shd", "seconds")
        )
        kl_rank, shd_rank = (ranks[measure][name] for measure in ("kl_10", "shd"))
        print(f"| {name} | {kl:.3f} | {shd:.1f} | {kl_rank:.1f} | {shd_rank:.1f} | {seconds:.3f} |")


def _tell_failures(name: str, rows: list[Row]) -> None:
    """Print how many samples a search has no result of, by network and reason."""
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        if "fault" in row:
            key = str(row["network"]), str(row["fault"])
            counts[key] = counts.get(key, 0) + 1
    told = "; ".join(f"{network} {n} ({why})" for (network, why), n in counts.items())
    print(f"{name}: {len(rows)} samples asked for, without a result: {told or 'none'}")


def _kept(place: Path) -> list[Row]:
    return [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []


def _sample(row: Row) -> tuple[object, ...]:
    return tuple(row[key] for key in ("network", "parameters", "rows", "rep"))


def main() -> None:
    if sys.argv[1] == "run":
        run(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
    else:
        table(tuple(sys.argv[2].split(",")), Path(sys.argv[3]))


if __name__ == "__main__":
    main()
