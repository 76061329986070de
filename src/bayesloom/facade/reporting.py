"""HTML reports of networks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bayesloom.data import atomic_file
from bayesloom.errors import AbsentError, BayesloomError
from bayesloom.scores import Score

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.facade.whole import Network
    from bayesloom.model import BayesNet
    from bayesloom.report.page import Subject


def write_report(
    net: Network,
    path: str | os.PathLike[str],
    *,
    data: object | None = None,
    given: ReadingOptions | None = None,
    score: Score | None = None,
    command: str = "",
) -> str:
    """Write the HTML report of a network, whole or not at all, and return its path."""
    from bayesloom.report.page import check_page_path, document

    check_page_path(path)
    bare = net.parameters is None and net.engine is None
    if data is not None and bare and net.extension is not None:
        net, data = net.fit(data, **(given or {})), None
    elif data is not None or given:
        data = net._data(data, given or {})  # noqa: SLF001 - of the same room
    text = document(report_subject(net, data, score, command))
    with atomic_file(path) as file:
        file.write(text.encode())
    return os.fspath(path)


def report_subject(
    net: Network, data: object | None = None, score: Score | None = None, command: str = ""
) -> Subject:
    """Collect what a report is about."""
    from bayesloom.report.page import Subject

    engine = net._data(data)  # noqa: SLF001 - of the same room
    edges = net.edge_table(data=engine if data is not None else None, score=score)
    model, absent = _model(net)
    return Subject(
        graph=net.graph,
        dag=net.extension,
        edges=edges,
        story=lambda x, y: net.explain(x, y, data=engine, score=score),
        net=model,
        engine=engine,
        record=net.record,
        seconds=net.seconds,
        estimator=f"{net.estimator}" if net.engine is not None and model is not None else "",
        absent=absent,
        command=command,
        em_run=net.em_run,
    )


def _model(net: Network) -> tuple[BayesNet | None, str]:
    """Return the network with its parameters, or why there are none."""
    if net.extension is None:
        return None, (
            "No DAG extends this graph: none has all these edges as they stand. So there are no "
            "tables, and no queries can be answered."
        )
    try:
        return net.net, ""
    except AbsentError:
        return None, "The network has no parameters; net.fit(data) gives it some."
    except BayesloomError as error:
        return None, f"There are no parameters: {error}"
