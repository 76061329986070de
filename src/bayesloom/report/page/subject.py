"""What a report is about: a network, and whatever is known of its data and of its search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bayesloom.engine import Engine
from bayesloom.graphs import DAG
from bayesloom.incomplete import EMRun
from bayesloom.learning.record import Record
from bayesloom.learning.structure import Structure
from bayesloom.model import BayesNet
from bayesloom.story import EdgeTable, Story


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """What a report is about.

    Parameters
    ----------
    graph : DAG, PDAG or ChordalGraph
        The network as it is drawn; variables are numbered in the order of its names.
    dag : DAG, optional
        The DAG whose parameters there are; None if no DAG extends the graph.
    edges : EdgeTable
        What is known of every edge.
    story : callable
        Tells the story of a pair of names.
    net : BayesNet, optional
        The network with its parameters.
    engine : Engine, optional
        The data.
    record : Record, optional
        How the search went.
    seconds : float, optional
        How long the search took.
    estimator : str
        How the parameters were estimated; empty if that is not known.
    absent : str
        Why there are no parameters, if there are none.
    command : str
        The command that made the report; empty if it was made in Python.
    em_run : EMRun, optional
        How EM came to the parameters, where cells were missing.
    """

    graph: Structure
    dag: DAG | None
    edges: EdgeTable
    story: Callable[[str, str], Story]
    net: BayesNet | None = None
    engine: Engine | None = None
    record: Record | None = None
    seconds: float | None = None
    estimator: str = ""
    absent: str = ""
    command: str = ""
    em_run: EMRun | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order by which the page numbers them."""
        return self.graph.names

    def numbers(self) -> dict[str, int]:
        """Return the number of every variable."""
        return {name: v for v, name in enumerate(self.names)}

    def columns(self) -> list[int]:
        """Return where the engine has the variables; it may have further ones."""
        if self.engine is None:
            return []
        place = {name: v for v, name in enumerate(self.engine.names)}
        return [place[name] for name in self.names]
