"""Parameters for a graph: by counting, or by EM where cells are missing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from bayesloom.data import Reading, Table
from bayesloom.data.discretization import uses
from bayesloom.data.network_rows import carried_over, read_rows, reading_of_columns
from bayesloom.data.reading import USUAL
from bayesloom.engine import (
    Engine,
    StopSignal,
    can_complete,
    completions_of,
    engine_in_memory,
    is_engine,
)
from bayesloom.engine.data_engine import refuse_reading
from bayesloom.errors import (
    CapacityError,
    DataError,
    OptionError,
    UnknownVariableError,
    check_flag,
    check_kind,
    check_whole,
    shown,
)
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet, BDeuMean, Estimator, fit_net

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.facade.whole import Network
    from bayesloom.incomplete import EM, EMRun
    from bayesloom.incomplete.expectation import Report

_Name = Literal["auto", "em", "available"]

FitMethod: TypeAlias = "_Name | EM"
"""How parameters are fitted: by EM where cells are missing, by EM in any case, from the rows in
which a family is known; or EM with options of its own."""

States: TypeAlias = Mapping[str, tuple[str, ...]]
"""The states of every variable."""

Latent: TypeAlias = Mapping[str, int | Sequence[str]]
"""Variables without a known cell: how many states each has, or which."""


def check_method(method: object) -> None:
    """Refuse what is no way to fit parameters.

    Examples
    --------
    >>> check_method("mcmc")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: method must be 'auto', 'em', 'available' or EM(...), got 'mcmc'
    """
    known = get_args(_Name)
    if isinstance(method, str) and method in known:
        return
    from bayesloom.incomplete import EM

    if isinstance(method, EM):
        return
    names = ", ".join(map(repr, known))
    msg = f"method must be {names} or EM(...), got {shown(repr(method))}"
    raise OptionError(msg)


def fit_network(
    net: Network,
    data: object,
    estimator: Estimator | None,
    *,
    states: States | None,
    method: FitMethod,
    latent: Latent,
    time_limit: float | str | None,
    progress: bool,
    given: ReadingOptions,
) -> Network:
    """Return a network with parameters fitted to data; see `Network.fit`."""
    from bayesloom.learning.duration import seconds_of

    check_method(method)
    chosen = BDeuMean() if estimator is None else estimator
    limit = seconds_of(time_limit)
    read = isinstance(data, Table) or is_engine(data)
    if not read and (latent or method not in ("auto", "available")):
        given.setdefault("missing", "keep")
    engine = rows_for(net, data, given, latent, states)
    kept = Reading(**carried_over(net.reading, given)) if given else net.reading
    fitted, run = fit_parameters(
        net.dag, engine, chosen, method, time_limit=limit, progress=progress
    )
    return replace(
        net, parameters=fitted, engine=engine, estimator=chosen, reading=kept, em_run=run
    )


def rows_for(
    net: Network, data: object, given: Mapping[str, Any], latent: Latent, states: States | None
) -> Engine:
    """Return data behind an engine: of files and frames the variables of a network alone.

    ``states`` are those that the network knows, if it does.
    """
    if is_engine(data):
        refuse_reading({**given, **({"latent": latent} if latent else {})})
        return data
    for name in latent:
        if name not in net.names:
            raise UnknownVariableError(name, net.names, "among the latent variables")
        if isinstance(data, Table) and name in data.names:
            msg = f"the latent variable {name!r} is a column of the data; leave one out"
            raise DataError(msg)
    if states is None and uses(given.get("discretize", USUAL.discretize), "network"):
        from bayesloom.facade.cut_rounds import cut_for

        table = cut_for(net.dag, data, reading_of_columns(net.names, given))
    elif states is None:
        table = read_columns([name for name in net.names if name not in latent], data, given)
    else:
        own = {name: labels for name, labels in states.items() if name not in latent}
        table = read_rows(
            tuple(own), tuple(own.values()), data, remembered=net.reading, given=given
        )
    return engine_in_memory((with_latent(table, latent) if latent else table).in_name_order())


def fit_parameters(
    dag: DAG,
    engine: Engine,
    estimator: Estimator,
    method: FitMethod = "auto",
    *,
    time_limit: float = math.inf,
    progress: bool = False,
) -> tuple[BayesNet, EMRun | None]:
    """Fit the parameters of a graph; the second is the record of EM, if it was run.

    Ctrl-C and the time limit end EM with the best so far.
    """
    check_method(method)
    check_flag("progress", progress)
    if method == "available":
        return fit_net(dag, engine, estimator), None
    from bayesloom.learning.interruption import interruptible
    from bayesloom.search import Budget, Watch

    watch = Watch(Budget(time_limit))
    with ExitStack() as stack:
        if progress:
            from bayesloom.learning.progress import FitProgressLine

            watch.report = stack.enter_context(FitProgressLine("EM"))
        stack.enter_context(interruptible(watch))

        def report(step: int, value: float) -> None:
            watch.trials, watch.score = step, value
            if watch.report is not None:
                watch.report(watch)

        if method == "auto":
            return fit_usual(dag, engine, estimator, stop=watch.signal, report=report)
        from bayesloom.model import fit_em

        em = None if isinstance(method, str) else method
        return fit_em(dag, engine, estimator, em, stop=watch.signal, report=report)


def fit_usual(
    dag: DAG,
    engine: Engine,
    estimator: Estimator,
    *,
    stop: StopSignal | None = None,
    report: Report | None = None,
) -> tuple[BayesNet, EMRun | None]:
    """Fit parameters by EM where cells are missing and it can be run, or else from what is known.

    It cannot be run if the engine does not hand out its rows, the estimator is no prior's, or the
    graph is so dense that completing rows by it would take more tables than fit.
    """
    if _is_for_em(dag, engine, estimator):
        from bayesloom.model import fit_em

        try:
            return fit_em(dag, engine, estimator, stop=stop, report=report)
        except CapacityError:
            pass
    return fit_net(dag, engine, estimator), None


def _is_for_em(dag: DAG, engine: Engine, estimator: Estimator) -> bool:
    """Say whether cells of the graph's variables are missing, and EM can be run."""
    wanted = set(dag.names)
    pairs = zip(engine.names, engine.missing.tolist(), strict=True)
    holes = any(name in wanted and n > 0 for name, n in pairs)
    return holes and can_complete(engine) and hasattr(estimator, "added")


def read_columns(names: Sequence[str], data: object, given: Mapping[str, Any]) -> Table:
    """Read the columns of a graph's variables; one that is not there might have been latent.

    Raises
    ------
    DataError, UnknownVariableError
        If the data lack one, or break the data contract.
    """
    if isinstance(data, Table):
        for name in names:
            if name not in data.names:
                where = f"in the data (one without a column is declared: latent={{{name!r}: 2}})"
                raise UnknownVariableError(name, data.names, where)
    try:
        return reading_of_columns(names, given).apply(data)
    except DataError as error:
        if "which is not there" not in str(error):
            raise
        told = str(error).replace("columns names the column", "the graph names the column", 1)
        msg = f"{told}; a variable without a column is declared with latent={{NAME: states}}"
        raise DataError(msg) from None


def with_latent(table: Table, latent: Latent) -> Table:
    """Return a table with further columns of which no cell is known.

    Raises
    ------
    OptionError
        If they are no mapping, or the states of one are neither a number nor a list.

    Examples
    --------
    >>> table = with_latent(Table(["A"], [["n", "y"]], [[0, 1]]), {"H": 2})
    >>> table.states[1], table.missing.tolist()
    (('0', '1'), [0, 2])
    """
    check_kind("latent", latent, Mapping, "a mapping of names to states, such as {'class': 3}")
    names, states, codes = list(table.names), list(table.states), list(table.codes)
    for name, wanted in latent.items():
        if isinstance(wanted, str) or not isinstance(wanted, Sequence):
            check_whole(f"the number of states of {name!r}", wanted, 1)
            wanted = [str(k) for k in range(int(wanted))]  # noqa: PLW2901
        names.append(name)
        states.append(tuple(wanted))
        codes.append(np.full(table.n_rows, len(wanted), np.uint16))
    return Table(names, states, codes, table.notes, holes=True)


def completed_engine(engine: Engine, net: BayesNet) -> Engine:
    """Return data completed by a network, as often as `StructuralEM` does by default."""
    from bayesloom.search import StructuralEM

    by_name = net.reordered(sorted(net.names))
    rows = completions_of(engine, by_name.names, by_name.dag.parent_masks)
    return StructuralEM().completed(rows, by_name.tables)
