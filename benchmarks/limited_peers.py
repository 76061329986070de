"""Other programs held to a number of parents: what they find, in a process of their own.

PYTHON benchmarks/limited_peers.py PEER CSV SCORE MAX_PARENTS SECONDS, where PYTHON has the peers.
Prints one JSON object: the edges, undirected ones too, and the processor seconds of the call. So
many SECONDS of processor time, the import included, end it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import resource
import sys
import time
import warnings
from typing import Any

import pandas as pd

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)

ESS = 1


def _frame(csv: str) -> pd.DataFrame:
    return pd.read_csv(csv, dtype="str", keep_default_na=False)


def _coded(csv: str) -> tuple[list[str], Any]:
    frame = _frame(csv)
    return list(frame.columns), frame.apply(lambda column: pd.factorize(column, sort=True)[0])


def _pyagrum(csv: str, score: str, most: int) -> Any:  # noqa: ANN401
    import pyagrum as gum

    learner = gum.BNLearner(csv)
    if score == "bdeu":
        learner.useScoreBDeu()
        learner.useBDeuPrior(ESS)
    else:
        learner.useScoreBIC()
        learner.useNoPrior()
    learner.setMaxIndegree(most)
    learner.setNumberOfThreads(1)
    return learner


def pyagrum_hc(csv: str, score: str, most: int) -> Any:  # noqa: ANN401
    learner = _pyagrum(csv, score, most)
    learner.useGreedyHillClimbing()
    return lambda: _gum_edges(learner)


def pyagrum_tabu(csv: str, score: str, most: int) -> Any:  # noqa: ANN401
    learner = _pyagrum(csv, score, most)
    learner.useLocalSearchWithTabuList(100, 2)
    return lambda: _gum_edges(learner)


def _gum_edges(learner: Any) -> tuple[list[Any], list[Any]]:  # noqa: ANN401
    dag, names = learner.learnDAG(), learner.names()
    return [[names[a], names[b]] for a, b in dag.arcs()], []


def pgmpy_hc(csv: str, score: str, most: int) -> Any:  # noqa: ANN401
    from pgmpy.causal_discovery import HillClimbSearch
    from pgmpy.structure_score import BIC, BDeu

    frame = _frame(csv)
    scoring = BDeu(frame, equivalent_sample_size=ESS) if score == "bdeu" else BIC(frame)
    model = HillClimbSearch(
        scoring_method=scoring, return_type="dag", show_progress=False, max_indegree=most
    )
    return lambda: ([list(e) for e in model.fit(frame).causal_graph_.edges()], [])


def causal_learn_ges(csv: str, score: str, most: int) -> Any:  # noqa: ANN401
    from causallearn.search.ScoreBased.GES import ges

    if score != "bdeu":
        msg = "its BIC is Gaussian"
        raise ValueError(msg)
    names, codes = _coded(csv)
    cells = {i: int(codes.iloc[:, i].max()) + 1 for i in range(len(names))}
    options = {"sample_prior": ESS, "structure_prior": 0.0, "r_i_map": cells}

    def work() -> tuple[list[Any], list[Any]]:
        marks = ges(
            codes.to_numpy().astype(int), "local_score_BDeu", maxP=most, parameters=options
        )["G"].graph
        pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if marks[i, j] == -1]
        directed = [[names[i], names[j]] for i, j in pairs if marks[j, i] == 1]
        undirected = [[names[i], names[j]] for i, j in pairs if i < j and marks[j, i] == -1]
        return directed, undirected

    return work


def pomegranate_exact(csv: str, score: str, most: int) -> Any:  # noqa: ANN401
    import torch
    from pomegranate.bayesian_network import _learn_structure

    if score != "bic":
        msg = "it has no BDeu"
        raise ValueError(msg)
    torch.set_num_threads(1)
    names, codes = _coded(csv)
    rows = torch.tensor(codes.to_numpy())

    def work() -> tuple[list[Any], list[Any]]:
        parents = _learn_structure(rows, algorithm="exact", max_parents=most)
        return [[names[p], names[v]] for v, row in enumerate(parents) for p in row], []

    return work


def pgmpy_exhaustive(csv: str, score: str, most: int) -> Any:  # noqa: ANN401, ARG001 - no limit
    from pgmpy.estimators import ExhaustiveSearch

    model = ExhaustiveSearch(_frame(csv), scoring_method={"bic": "bic-d"}[score])
    return lambda: ([list(e) for e in model.estimate().edges()], [])


def main() -> None:
    peer, csv, score, most, seconds = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    with contextlib.redirect_stdout(sys.stderr):
        work = globals()[peer](csv, score, int(most))
        began = time.process_time()
        directed, undirected = work()
        spent = time.process_time() - began
    print(json.dumps({"directed": directed, "undirected": undirected, "seconds": spent}))


if __name__ == "__main__":
    main()
