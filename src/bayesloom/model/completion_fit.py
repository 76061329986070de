"""Parameters of a network by EM, from data with missing cells."""

from __future__ import annotations

from typing import cast

from bayesloom.arrays import Floats
from bayesloom.engine import Completions, Engine, StopSignal, completions_of
from bayesloom.errors import ModelError, OptionError, check_kind
from bayesloom.graphs import DAG
from bayesloom.incomplete import EM, EMRun, maximise
from bayesloom.incomplete.expectation import Report, Smoothing
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.parameters import BDeuMean, Estimator, check_variables


def fit_em(
    dag: DAG,
    engine: Engine,
    estimator: Estimator | None = None,
    em: EM | None = None,
    *,
    start: BayesNet | None = None,
    stop: StopSignal | None = None,
    report: Report | None = None,
) -> tuple[BayesNet, EMRun]:
    """Fit the parameters of a graph to data with missing cells, by expectation-maximisation.

    Where no cell is missing the result is that of `fit_net`, in one step.

    Parameters
    ----------
    dag : DAG
        The graph; its nodes are variables of the data, in any order.
    engine : Engine
        The data; the engine must hold its rows in memory.
    estimator : Estimator, optional
        `MaximumLikelihood`, `Laplace` or `BDeuMean` (default).
    em : EM, optional
        Tolerance, steps, starts.
    start : BayesNet, optional
        A network of the same graph whose parameters are the start.
    stop : StopSignal, optional
        Ends the work; the best so far is returned.
    report : callable, optional
        Told the number and the value of every step.

    Returns
    -------
    BayesNet
        The network, with the nodes in the order of ``dag``.
    EMRun
        How it went.

    Raises
    ------
    OptionError
        If the estimator has no prior of its own, or the engine hands out no rows.
    EvidenceError
        If the start gives a row probability 0.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> from bayesloom.model import Laplace
    >>> no_yes = ["no", "yes"]
    >>> rows = Table(["rain", "wet"], [no_yes, no_yes], [[0, 0, 1, 2], [0, 0, 1, 1]], holes=True)
    >>> net, run = fit_em(DAG.from_edges([("rain", "wet")]), NativeEngine(rows), Laplace(1))
    >>> net.table("rain").round(3), run.converged
    (array([0.559, 0.441]), True)
    """
    chosen = BDeuMean() if estimator is None else estimator
    check_kind("estimator", chosen, Estimator, "an estimator such as Laplace()")
    if not callable(getattr(chosen, "added", None)):
        msg = (
            "EM needs an estimator with a prior of its own, such as MaximumLikelihood or BDeuMean, "
            f"got {chosen!r}"
        )
        raise OptionError(msg)
    check_variables(dag, engine.names)
    ordered = dag.reordered(sorted(dag.names))
    rows = completions_of(engine, ordered.names, ordered.parent_masks)
    found, starts = maximise(
        rows,
        cast("Smoothing", chosen),
        EM() if em is None else em,
        start=None if start is None else start_tables(ordered, start, rows),
        stop=stop,
        report=report,
    )
    net = BayesNet(ordered, rows.table.states, tuple(found.tables)).reordered(dag.names)
    return net, EMRun.of(found, int(rows.holes.sum()), starts)


def start_tables(dag: DAG, start: BayesNet, rows: Completions) -> list[Floats]:
    """Return the tables of a network to start from, if it has the graph and the states."""
    if set(start.names) != set(dag.names) or start.reordered(dag.names).dag != dag:
        msg = "the start of EM must have the graph that is fitted"
        raise ModelError(msg)
    same = start.reordered(dag.names)
    if same.states != rows.table.states:
        msg = "the start of EM must have the states of the data, in the same order"
        raise ModelError(msg)
    return list(same.tables)
