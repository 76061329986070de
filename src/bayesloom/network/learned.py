"""What learning gives back: the network, how it came about, and what can be asked of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, overload

from bayesloom.engine import Engine
from bayesloom.errors import AbsentError, OptionError
from bayesloom.graphs import DAG, ChordalGraph
from bayesloom.learning.named_step import NamedDependency, NamedStep
from bayesloom.learning.record import Record, ScoreValue, stop_name
from bayesloom.learning.structure import (
    Structure,
    cliques_and_separators,
    directed,
    undirected,
)
from bayesloom.model import BayesNet, BDeuMean, Estimator, MaximumLikelihood, fit
from bayesloom.network.saving import keeps_record, save_network
from bayesloom.search import Proof, Search, Stop, TestTally, facts_of
from bayesloom.story.summary import as_html, as_text

if TYPE_CHECKING:
    from bayesloom.graphs import CPDAG, PDAG, JunctionForest
    from bayesloom.inference import Given, JointPosterior, Posterior, Soft
    from bayesloom.model import DecomposableNet
    from bayesloom.report import Picture
    from bayesloom.report.network_drawing import View
    from bayesloom.story.story import Story


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Learned:
    """A network learned from data, with the story of every edge.

    Made by `bayesloom.learn`. Names are those of the data. Graphs and the network have their
    nodes in the order of the data's columns; lists of edges are in the order of names.

    Parameters
    ----------
    names : tuple of str
        The variables, in the order of the data's columns.
    search : Search
        The search that was run, with its options.
    extension : DAG or None
        What ``dag`` gives; None if the search found a partially directed graph that no DAG extends.
    graph : DAG, PDAG or ChordalGraph
        What the search found: a DAG, the partially directed graph of a class, or the chordal graph
        of a Markov network.
    record : Record
        How the search went.
    seconds : float
        How long the search took.
    engine : Engine
        The data.
    estimator : Estimator
        How parameters are estimated.

    Examples
    --------
    >>> from bayesloom.network import learn
    >>> from bayesloom.search import HillClimbing
    >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    >>> learned = learn(frame, HillClimbing())
    >>> learned.edges, learned.cpdag
    ((('rain', 'wet'),), CPDAG(2 nodes, 1 edge: rain - wet))
    """

    names: tuple[str, ...]
    search: Search
    extension: DAG | None
    graph: Structure
    record: Record
    seconds: float
    engine: Engine
    estimator: Estimator
    _net: BayesNet | None = field(init=False, default=None)

    @property
    def dag(self) -> DAG:
        """The network's graph; for a search over equivalence classes one member of the class.

        Raises
        ------
        AbsentError
            If the search found a partially directed graph that no DAG extends.
        """
        if self.extension is None:
            msg = (
                "no DAG extends the graph that the search found, so it has no parameters and no "
                "class; its edges are in edges and undirected"
            )
            raise AbsentError(msg)
        return self.extension

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The directed edges as (parent, child), in the order of names."""
        return directed(self.graph)

    @property
    def undirected(self) -> tuple[tuple[str, str], ...]:
        """The edges without direction: open ones of a class, the links of a Markov network."""
        return undirected(self.graph)

    @property
    def cpdag(self) -> CPDAG:
        """The equivalence class of the network: compelled arrows and reversible edges."""
        from bayesloom.graphs import CPDAG

        return CPDAG.of(self.dag)

    @property
    def skeleton(self) -> PDAG:
        """The network with every edge undirected."""
        from bayesloom.graphs import PDAG

        return (self.graph if isinstance(self.graph, PDAG) else self.cpdag).skeleton()

    @property
    def score(self) -> ScoreValue:
        """The name and the value of the score, in nats; larger is better.

        Raises
        ------
        AbsentError
            If the search has no score.
        """
        if self.record.value is None:
            msg = f"{self.record.search} has no score; BIC().explain(data, dag) gives one"
            raise AbsentError(msg)
        return self.record.value

    @property
    def steps(self) -> tuple[NamedStep, ...]:
        """Every move of the search, in order, with its reason and its gain."""
        return self.record.steps

    @property
    def stop(self) -> Stop:
        """Why the search ended."""
        return self.record.stop

    @property
    def proof(self) -> Proof | None:
        """How far below the optimum the score is at most; None unless `Exact` has searched."""
        return self.record.proof

    @property
    def candidates(self) -> int:
        """How many families the search has scored."""
        return self.record.candidates

    @property
    def dependencies(self) -> tuple[NamedDependency, ...]:
        """What the tests of the search detected, in order; empty for a search without tests."""
        return self.record.dependencies

    @property
    def tests(self) -> TestTally:
        """How many tests the search made, and what came of them."""
        return self.record.tests

    @property
    def net(self) -> BayesNet:
        """The network with its parameters, fitted when first asked for.

        The estimator is the one given to `bayesloom.learn`; by default the mean of the BDeu
        posterior with an equivalent sample size of 1, which is close to the frequencies and never
        0.

        Raises
        ------
        CapacityError
            If the tables are too large.
        """
        net = self._net
        if net is None:
            net = fit(self.dag, self.engine, self.estimator)
            object.__setattr__(self, "_net", net)
        return net

    @property
    def junction_forest(self) -> JunctionForest:
        """The cliques of a Markov network and how they hang together.

        Raises
        ------
        OptionError
            If the search was not about a Markov network.
        """
        return self._markov("a junction forest").junction_forest()

    @property
    def decomposable_net(self) -> DecomposableNet:
        """The Markov network with a table per clique; it has the same joint as ``net``.

        Raises
        ------
        OptionError
            If the search was not about a Markov network, or the estimator makes cliques disagree.
        CapacityError
            If the tables are too large.
        """
        from bayesloom.model import DecomposableNet

        graph = self._markov("clique tables")
        if isinstance(self.estimator, BDeuMean):
            return DecomposableNet.fit(graph, self.engine, self.estimator.ess)
        if isinstance(self.estimator, MaximumLikelihood):
            return DecomposableNet.fit(graph, self.engine)
        msg = (
            f"{self.estimator} gives cliques that disagree on what they share; learn with BDeuMean "
            "or MaximumLikelihood"
        )
        raise OptionError(msg)

    def _markov(self, what: str) -> ChordalGraph:
        if isinstance(self.graph, ChordalGraph):
            return self.graph
        msg = f"only a Markov network has {what}; learn with DMN()"
        raise OptionError(msg)

    def explain(self, x: str, y: str) -> Story:
        """Tell why two variables are joined, or why they are not.

        Parameters
        ----------
        x, y : str
            The pair.

        Returns
        -------
        Story
            Prints as sentences; its fields hold the same as data.

        Raises
        ------
        UnknownVariableError
            If a variable is not in the network.

        Examples
        --------
        >>> from bayesloom.network import learn
        >>> from bayesloom.search import HillClimbing
        >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
        >>> learned = learn(frame, HillClimbing())
        >>> print(str(learned.explain("rain", "wet")).split(":")[0])
        rain -> wet
        """
        from bayesloom.story.criterion import Criterion
        from bayesloom.story.evidence import gather_evidence, gather_link_evidence
        from bayesloom.story.story import check_pair, tell_story

        check_pair(x, y, self.names)
        facts = facts_of(self.search)
        score, testing = facts.goal(self.engine.n_rows), facts.testing()
        by = Criterion() if testing is None else Criterion(testing.test, self.record.level)
        if isinstance(self.graph, ChordalGraph):
            evidence = gather_link_evidence(self.engine, score, self.graph, x, y, criterion=by)
        else:
            evidence = gather_evidence(self.engine, score, self.extension, x, y, criterion=by)
        return tell_story(
            x, y, self.extension, graph=self.graph, record=self.record, evidence=evidence
        )

    @overload
    def query(
        self, target: str, given: Given | None = ..., *, soft: Soft | None = ...
    ) -> Posterior: ...

    @overload
    def query(
        self,
        target: list[str] | tuple[str, ...],
        given: Given | None = ...,
        *,
        soft: Soft | None = ...,
    ) -> JointPosterior: ...

    def query(
        self,
        target: str | list[str] | tuple[str, ...],
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> Posterior | JointPosterior:
        """Return the exact posterior of a variable, or the joint posterior of several.

        Parameters
        ----------
        target : str or list of str
            The variable asked for, or several for their joint posterior.
        given : mapping of str to str, optional
            Observed states by variable.
        soft : mapping of str to mapping, optional
            Likelihoods by variable and state.

        Raises
        ------
        UnknownVariableError, UnknownStateError
            If the network has no such variable or state.
        EvidenceError
            If the evidence contradicts itself or has probability 0.

        Examples
        --------
        >>> from bayesloom.network import learn
        >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
        >>> round(learned.query("rain", given={"wet": "yes"})["yes"], 3)
        0.988
        """
        from bayesloom.inference import query

        return query(self.net, target, given, soft=soft)

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        view: View | None = None,
        junction_forest: bool = False,
    ) -> Picture:
        """Draw the network as it is printed; edges are as thick as their loss would hurt the score.

        What a search over DAGs found is drawn with arrows, dashed where an equivalent network has
        the other direction; of a class, edges without direction are dashed lines.

        Parameters
        ----------
        path : str or path, optional
            An ``.svg`` file to write, whole or not at all.
        view : "dag" or "class", optional
            Whether edges whose direction is free are arrows or lines; by default as ``graph`` has
            them.
        junction_forest : bool
            Draw the cliques of a Markov network and what they share instead.

        Returns
        -------
        Picture
            It shows itself in a notebook; ``str`` gives the text of the SVG file.

        Raises
        ------
        FileFormatError
            If the ending is another or the file cannot be written.
        OptionError
            If a view of directions is asked of a Markov network.

        Examples
        --------
        >>> from bayesloom.network import learn
        >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
        >>> learned.plot().title
        'Class of equivalent networks with 2 nodes and 1 edge'
        """
        from bayesloom.report import Picture
        from bayesloom.report.drawing import forest_drawing
        from bayesloom.report.network_drawing import recorded_drawing
        from bayesloom.report.picture import check_picture_path

        if path is not None:
            check_picture_path(path)
        if junction_forest:
            drawing = forest_drawing(self.junction_forest)
        else:
            drawing = recorded_drawing(self.graph, self.extension, self._full_record(), view)
        picture = Picture.of(drawing)
        if path is not None:
            picture.save(path)
        return picture

    def _full_record(self) -> Record:
        """Return the record with what each edge is worth."""
        from bayesloom.report.network_drawing import edge_losses

        score = facts_of(self.search).goal(self.engine.n_rows)
        if score is None or self.extension is None or isinstance(self.graph, ChordalGraph):
            return self.record
        losses = edge_losses(self.engine, score, self.dag)
        worth = tuple((p, v, loss) for (p, v), loss in sorted(losses.items()))
        return replace(self.record, strengths=worth)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the network with its parameters to a file, whole or not at all.

        Parameters
        ----------
        path : str or path
            The file. Its ending says the format: ``.bif``, ``.xml``, ``.net``, ``.uai`` or
            ``.json``, each also with ``.gz``. JSON also keeps the steps of the search, so that
            ``bayesloom explain`` can tell the story later.

        Raises
        ------
        FileFormatError
            If the ending is not known or the file cannot be written.
        """
        save_network(self.net, self._full_record() if keeps_record(path) else None, path)

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain data, as ``bayesloom learn --json`` prints it."""
        told: dict[str, object] = {
            "variables": list(self.names),
            "directed": _lists(self.edges),
            "undirected": _lists(self.undirected),
            "cpdag": None if self.extension is None else _class_lists(self.cpdag),
            "score": None if self.record.value is None else self.score._asdict(),
            "dependencies": [dependency.to_dict() for dependency in self.dependencies],
            "steps": [step.to_dict() for step in self.steps],
            "tests": {
                "made": self.tests.made,
                "inconclusive": self.tests.inconclusive,
                "rejected": self.tests.rejected,
            },
            "candidates": self.candidates,
            "stop": stop_name(self.stop),
            "seconds": self.seconds,
        }
        if isinstance(self.graph, ChordalGraph):
            told["cliques"], told["separators"] = cliques_and_separators(self.graph)
        if self.proof is not None:
            told["proof"] = self.proof.to_dict()
        if self.record.notes:
            told["notes"] = list(self.record.notes)
        return told

    def __repr__(self) -> str:
        return as_text(self.record, self.graph, self.seconds)

    def _repr_html_(self) -> str:
        drawn = f'<div style="overflow-x: auto">{self.plot()}</div>'
        return f"{drawn}{as_html(self.record, self.graph, self.seconds)}"


def _class_lists(cpdag: CPDAG) -> dict[str, list[list[str]]]:
    return {"directed": _lists(directed(cpdag)), "undirected": _lists(undirected(cpdag))}


def _lists(edges: tuple[tuple[str, str], ...]) -> list[list[str]]:
    return [list(edge) for edge in edges]
