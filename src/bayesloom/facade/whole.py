"""The everyday object: a network, how it came about, and what can be asked of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

from bayesloom.errors import (
    AbsentError,
    BayesloomError,
    CapacityError,
    FileFormatError,
    GraphError,
    OptionError,
)
from bayesloom.facade.model_side import ModelSide
from bayesloom.facade.search_side import SearchSide
from bayesloom.graphs.text import counted
from bayesloom.learning.structure import cliques_and_separators, directed, undirected

if TYPE_CHECKING:
    import numpy.typing as npt

    from bayesloom.data import Reading
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.engine import Engine
    from bayesloom.facade.construction import NetworkLike
    from bayesloom.facade.fitting import FitMethod, Latent
    from bayesloom.graphs import CPDAG, DAG, PDAG
    from bayesloom.incomplete import EMRun
    from bayesloom.inference import CausalEffect, Given
    from bayesloom.learning.record import Record
    from bayesloom.learning.structure import Structure
    from bayesloom.model import BayesNet, DecomposableNet, Estimator
    from bayesloom.report import Picture
    from bayesloom.report.network_drawing import View
    from bayesloom.scores import Score
    from bayesloom.search import Search


def _usual_estimator() -> Estimator:
    from bayesloom.model import BDeuMean

    return BDeuMean()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Network(SearchSide, ModelSide):
    """A network: what `learn`, `load`, `fit`, `network` and `example` give, with one face.

    It has a graph; parameters, if there were data or a file to take them from; and the record of
    the search that found it, if there was one. What it lacks it says when it is asked for. Names
    are those of the data; lists of edges are in the order of names.

    Parameters
    ----------
    graph : DAG, PDAG or ChordalGraph
        What the search found, or was made by hand: a DAG, the partially directed graph of a class,
        or the chordal graph of a Markov network.
    extension : DAG or None
        What ``dag`` gives; None if no DAG extends a partially directed graph.
    parameters : BayesNet, optional
        The network with its parameters, if they are known already.
    engine : Engine, optional
        The data, from which parameters are fitted when they are first asked for.
    estimator : Estimator
        How parameters are estimated from the data.
    record : Record, optional
        How the search went.
    search : Search, optional
        The search that was run, with its options.
    seconds : float, optional
        How long the search took.
    reading : Reading, optional
        How the data were read, and later data for this network are read again.
    em_run : EMRun, optional
        How EM came to the parameters, where cells were missing.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> from bayesloom.search import HillClimbing
    >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    >>> net = learn(frame, HillClimbing())
    >>> net.edges, net.cpdag
    ((('rain', 'wet'),), CPDAG(2 nodes, 1 edge: rain - wet))
    """

    graph: Structure
    extension: DAG | None
    parameters: BayesNet | None = None
    engine: Engine | None = None
    estimator: Estimator = field(default_factory=_usual_estimator)
    record: Record | None = None
    search: Search | None = None
    seconds: float | None = None
    reading: Reading | None = None
    em_run: EMRun | None = None

    @property
    def net(self) -> BayesNet:
        """The network with its parameters, as a plain value; fitted when first asked for.

        After `learn` the estimator is the one given there; by default the mean of the BDeu
        posterior with an equivalent sample size of 10, which is close to the frequencies and never
        0. Where cells are missing it is fitted by EM; ``em_run`` tells how that went.

        Raises
        ------
        AbsentError
            If there are neither parameters nor data to fit them to, or no DAG extends the graph.
        CapacityError
            If the tables are too large.
        """
        if self.parameters is not None:
            return self.parameters
        dag = self.dag
        if self.engine is None:
            msg = "the network has no parameters yet; net.fit(data) gives it some"
            raise AbsentError(msg)
        from bayesloom.facade.fitting import fit_parameters

        net, run = fit_parameters(dag, self.engine, self.estimator)
        object.__setattr__(self, "parameters", net)
        object.__setattr__(self, "em_run", run)
        return net

    @property
    def data(self) -> Engine:
        """The data that the network was learned from or fitted to, behind an engine.

        Raises
        ------
        AbsentError
            If the network was loaded or made by hand.
        """
        if self.engine is None:
            msg = "the network does not have its data; files keep the network and the story alone"
            raise AbsentError(msg)
        return self.engine

    @property
    def decomposable_net(self) -> DecomposableNet:
        """The Markov network with a table per clique; it has the same joint as ``net``.

        Raises
        ------
        AbsentError
            If this is no Markov network, or its data are not there.
        OptionError
            If the estimator makes cliques disagree.
        CapacityError
            If the tables are too large.
        """
        from bayesloom.model import BDeuMean, DecomposableNet, MaximumLikelihood

        graph = self._markov("clique tables")
        if self.engine is None:
            from bayesloom.inference import compile_net

            cliques = graph.junction_forest().clique_names()
            joints = compile_net(self.net).joints(cliques)
            tables = tuple(joint.probabilities for joint in joints)
            return DecomposableNet(graph, self.net.states, tables)
        if isinstance(self.estimator, BDeuMean):
            return DecomposableNet.fit(graph, self.engine, self.estimator.ess)
        if isinstance(self.estimator, MaximumLikelihood):
            return DecomposableNet.fit(graph, self.engine)
        msg = (
            f"{self.estimator} gives cliques that disagree on what they share; learn with BDeuMean "
            "or MaximumLikelihood"
        )
        raise OptionError(msg)

    def fit(
        self,
        data: object,
        estimator: Estimator | None = None,
        *,
        method: FitMethod = "auto",
        latent: Latent | None = None,
        time_limit: float | str | None = None,
        progress: bool = False,
        **reading: Unpack[ReadingOptions],
    ) -> Network:
        """Return the network with parameters fitted to data.

        The graph stays, and so does the story of how it was found. Columns that the network does
        not have are not read.

        Parameters
        ----------
        data : path, frame, Table or Engine
            The data. States are those of the network, if it knows them (it was learned, loaded or
            fitted, or an edge of such a one was edited), else those of the data.
        estimator : Estimator, optional
            `MaximumLikelihood`, `Laplace` or `BDeuMean`; by default ``BDeuMean(ess=10)``.
        method : {"auto", "em", "available"} or EM
            How missing cells are treated (``missing="keep"``, which EM implies): by EM where there
            are some, by EM in any case, or by counting the rows in which a family is known.
            ``EM(tolerance=..., max_steps=..., starts=..., seed=...)`` is EM with its options.
        latent : mapping of str to int or list of str, optional
            Variables of the graph that the data have no column of, with the number of their states
            or these themselves; EM finds their tables.
        time_limit : float or str, optional
            Seconds, or a text such as ``"60s"``, after which EM returns the best so far; Ctrl-C
            does the same.
        progress : bool
            Show a line on standard error while EM runs.
        **reading
            How to read the data, such as ``missing="drop"`` or ``discretize="auto"``; see
            `bayesloom.Reading`.

        Raises
        ------
        DataError, UnknownVariableError
            If the data lack a variable of the network.
        OptionError
            If an option of reading has no meaning here, as for an engine.
        CapacityError
            If the tables are too large.

        Examples
        --------
        >>> from bayesloom.model import MaximumLikelihood
        >>> from bayesloom.facade import network
        >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "no", "yes"]}
        >>> net = network("rain -> wet").fit(rows, MaximumLikelihood())
        >>> net.query("wet", given={"rain": "yes"})["yes"]
        0.5
        """
        from bayesloom.facade.fitting import fit_network

        return fit_network(
            self,
            data,
            estimator,
            states=self._known_states(),
            method=method,
            latent=latent or {},
            time_limit=time_limit,
            progress=progress,
            given=reading,
        )

    def with_edge(self, parent: str, child: str) -> Network:
        """Return the network with one more edge in ``dag``, without parameters.

        Raises
        ------
        GraphError
            If the edge is there or closes a cycle.

        Examples
        --------
        >>> from bayesloom.facade import network
        >>> network("rain -> wet; slip").with_edge("wet", "slip").edges
        (('rain', 'wet'), ('wet', 'slip'))
        """
        return self._edited(self.dag.with_edge(parent, child))

    def without_edge(self, parent: str, child: str) -> Network:
        """Return the network without one edge of ``dag``, and without parameters."""
        return self._edited(self.dag.without_edge(parent, child))

    def reversed(self, parent: str, child: str) -> Network:
        """Return the network with one edge of ``dag`` turned round, without parameters."""
        return self._edited(self.dag.reversed(parent, child))

    def with_table(self, name: str, table: npt.ArrayLike) -> Network:
        """Return the network with other probabilities of one variable given its parents.

        Parameters
        ----------
        name : str
            The variable.
        table : array-like
            One axis per parent, in the order of ``parents(name)``, and one for its own states.

        Raises
        ------
        ModelError
            If the table does not fit or a row is no distribution.

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> example("asia").with_table("smoke", [0.2, 0.8]).query("smoke")["yes"]
        0.2
        """
        net = self.net.with_table(name, table)
        return Network(net.dag, net.dag, net, reading=self.reading)

    def _edited(self, dag: DAG) -> Network:
        """Return a network of another DAG, which reads data as this one does."""
        from bayesloom.data.reading import USUAL

        states = self._known_states()
        reading = self.reading if states is None else replace(self.reading or USUAL, states=states)
        return Network(dag, dag, reading=reading)

    def _known_states(self) -> Mapping[str, tuple[str, ...]] | None:
        """Return the states of every variable, also before parameters are fitted; None if unknown.

        They come from the parameters or the data, and after an edit from the network before it.
        """
        known = self.engine if self.parameters is None else self.parameters
        if known is not None and hasattr(known, "states"):
            return dict(zip(known.names, known.states, strict=True))
        states = None if self.reading is None else self.reading.states
        return None if states is None else {name: tuple(map(str, states[name])) for name in states}

    def do(self, states: Given) -> Network:
        """Return the network after variables have been set from outside, an intervention.

        A variable that is set loses the arrows from its parents. Observing a state is something
        else: that is ``given=`` in `query`. The answer rests on the arrows of ``dag``: arrows
        learned from data alone are causes only if no common cause of two variables is missing, and
        only compelled ones; `causal_effect` checks the latter.

        Parameters
        ----------
        states : mapping of str to str
            The state that each variable is set to.

        Raises
        ------
        UnknownVariableError, UnknownStateError
            If the network has no such variable or state.
        OptionError
            If this is a Markov network, whose links have no direction.

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> asia = example("asia")
        >>> round(asia.query("smoke", given={"lung": "yes"})["yes"], 3)
        0.909
        >>> asia.do({"lung": "yes"}).query("smoke")["yes"]
        0.5
        """
        from bayesloom.inference import mutilated_net

        _with_directions(self.graph)
        net = mutilated_net(self.net, states)
        return Network(net.dag, net.dag, net, reading=self.reading)

    def causal_effect(
        self, treatment: str, outcome: str, *, graph: DAG | PDAG | Network | None = None
    ) -> CausalEffect:
        """Return the effect of setting one variable on another, if the directions determine it.

        Of a learned network the directions that count are those of its equivalence class and of
        the knowledge it was learned with: where members of the class disagree about the effect, it
        is refused, and the message names the edge that leaves it open.

        Parameters
        ----------
        treatment, outcome : str
            The variable that is set and the one whose distribution is asked for.
        graph : DAG, PDAG or Network, optional
            Which directions you know: ``net.dag`` if you vouch for every arrow.

        Raises
        ------
        IdentificationError
            If the directions that are known leave the effect open.

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> asia = example("asia")
        >>> effect = asia.causal_effect("smoke", "dysp", graph=asia.dag)
        >>> round(effect.difference("yes", "yes", "no"), 3)
        0.234
        """
        from bayesloom.inference import identified_effect
        from bayesloom.learning.structure import class_of

        _with_directions(self.graph)
        known = _with_directions(graph.graph) if isinstance(graph, Network) else graph
        if known is None and self.record is not None:
            known = class_of(self.dag, self.record.limits(self.names))
        return identified_effect(self.net, treatment, outcome, graph=known)

    def _data(self, data: object | None, given: Mapping[str, Any] | None = None) -> Engine | None:
        given = given or {}
        if data is None:
            for option in given:
                msg = f"{option} is an option of reading data; give the data, too (data=)"
                raise OptionError(msg)
            return self.engine
        if self.extension is None:
            from bayesloom.data import Table
            from bayesloom.data.reading import USUAL
            from bayesloom.engine import is_engine
            from bayesloom.facade.fitting import rows_for

            settled = self.reading is not None and self.reading.missing != USUAL.missing
            if not (settled or is_engine(data) or isinstance(data, Table)):
                given = {"missing": "keep", **given}
            return rows_for(self, data, given, {}, self._known_states())
        from bayesloom.model import engine_for

        return engine_for(self.net, data, self.reading, given)

    def _checked_data(
        self, data: object, given: Mapping[str, Any]
    ) -> tuple[Engine, BayesNet | None]:
        if self.parameters is None and self.engine is None:
            from bayesloom.data.network_rows import reading_of_columns
            from bayesloom.engine import is_engine
            from bayesloom.engine.data_engine import engine_in_name_order

            if is_engine(data):
                return data, None
            return engine_in_name_order(reading_of_columns(self.names, given).apply(data), {}), None
        engine = self._data(data, given)
        assert engine is not None
        return engine, self.net

    def _comparable(self, engine: Engine, goal: Score | None) -> Engine:
        if not self._takes_completion(engine, goal):
            return engine
        from bayesloom.facade.fitting import completed_engine

        return completed_engine(engine, self.net)

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        view: View | None = None,
        junction_forest: bool = False,
        probabilities: bool = False,
        given: Given | None = None,
        highlight: str | None = None,
        against: NetworkLike | None = None,
        scale: float | None = None,
    ) -> Picture:
        """Draw the network as it is printed; edges are as thick as their loss would hurt the score.

        What a search over DAGs found is drawn with arrows, dashed where an equivalent network has
        the other direction; of a class, edges without direction are dashed lines.

        Parameters
        ----------
        path : str or path, optional
            An ``.svg`` or ``.png`` file to write, whole or not at all; ``.png`` needs Pillow.
        view : "dag" or "class", optional
            Whether edges whose direction is free are arrows or lines; by default as ``graph`` has
            them.
        junction_forest : bool
            Draw the cliques of a Markov network and what they share instead.
        probabilities : bool
            Write the states of every variable and their probabilities into its box.
        given : mapping, optional
            What is known, as for `query`; the probabilities are those given that.
        highlight : str, optional
            A variable to stand out together with its Markov blanket.
        against : network, graph or path, optional
            Another network over the same variables: draw both at once, coloured by what they
            share, what only one has, and what they direct otherwise (as classes, so that the
            differences are those that the SHD counts).
        scale : float, optional
            How many pixels of a ``.png`` file a pixel of the picture has; 2 by default.

        Returns
        -------
        Picture
            It shows itself in a notebook; ``str`` gives the text of the SVG file.

        Raises
        ------
        FileFormatError
            If the ending is another or the file cannot be written.
        OptionError
            If a view of directions is asked of a Markov network, or what is asked for does not go
            together.

        Examples
        --------
        >>> from bayesloom.facade import network
        >>> network("rain -> wet <- sprinkler").plot().title
        'Network with 3 nodes and 2 edges'
        >>> network("rain -> wet <- sprinkler").plot(against="rain -> wet -> sprinkler").title
        'Difference of two networks with 3 nodes and 2 edges'
        """
        from bayesloom.facade.drawing import Wish, check_wish, network_picture

        wish = Wish(view, junction_forest, probabilities, given, highlight, against)
        check_wish(wish)
        if path is not None:
            from bayesloom.report.picture import check_picture_path

            check_picture_path(path)
        picture = network_picture(self, wish, self._full_record())
        if path is not None:
            picture.save(path, scale)
        return picture

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        data: object | None = None,
        score: Score | None = None,
        command: str = "",
        **reading: Unpack[ReadingOptions],
    ) -> str:
        """Write an HTML report, one file to look at, to ask and to print; return its path.

        It shows the data, the settings, the graph with the story of every pair, the course of the
        search, tables of edges and dependencies, and answers queries by exact inference. It holds
        counts of the data, of one and of two columns at once, but no rows.

        Parameters
        ----------
        path : str or path
            An ``.html`` file to write, whole or not at all.
        data : path, frame, Table or Engine, optional
            The data; by default those of the search or of `fit`. A network without parameters is
            fitted to them.
        score : Score, optional
            By which score to tell what edges are worth; by default the search's own, or BIC.
        command : str
            The command line that made the report, to be told in it.
        **reading
            How to read ``data``, such as ``missing="drop"``; see `bayesloom.Reading`. What is not
            written out is read as the network's own data were, if it remembers.

        Raises
        ------
        FileFormatError
            If the ending is another or the file cannot be written.

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> example("asia").report("asia.html")  # doctest: +SKIP
        'asia.html'
        """
        from bayesloom.facade.reporting import write_report

        return write_report(self, path, data=data, given=reading, score=score, command=command)

    def save(self, path: str | os.PathLike[str]) -> str:
        """Write the network to a file, whole or not at all; return the path.

        Parameters
        ----------
        path : str or path
            The file. Its ending says the format: ``.bif``, ``.xml``, ``.net``, ``.uai`` or
            ``.json``, each also with ``.gz``. All keep how the data are to be read. JSON also
            keeps the record of the search, so that `load` gives this network back, and it alone
            keeps a graph that has no parameters, or whose tables would be too large. ``.dot`` and
            ``.graphml`` hold the graph alone, for other programs. Intervals and other labels
            that are no words are read from ``.bifxml`` by pgmpy and pyAgrum, from ``.bif`` not by
            all.

        Raises
        ------
        FileFormatError
            If the ending is not known, the file cannot be written, or the network has no
            parameters and the format is another than JSON.
        """
        from bayesloom.facade.saving import (
            export_graph,
            is_graph_path,
            keeps_record,
            save_bare,
            save_network,
        )

        if is_graph_path(path):
            export_graph(self.graph, path)
            return os.fspath(path)
        record = self._full_record() if keeps_record(path) else None
        problem = self._why_bare()
        if problem is None:
            save_network(self.net, path, record, self.reading, self.em_run)
        elif isinstance(problem, CapacityError) and not keeps_record(path):
            told = f"{problem}; only .json files keep a graph without parameters (-o net.json)"
            raise FileFormatError(told, os.fspath(path))
        else:
            save_bare(self.graph, path, self._known_states(), record, self.reading)
        return os.fspath(path)

    def _why_bare(self) -> BayesloomError | None:
        """Return what keeps the network from having parameters, nothing if it has them."""
        try:
            assert self.net
        except (AbsentError, CapacityError) as problem:
            return problem
        return None

    def to_dict(self) -> dict[str, object]:
        """Return the network as plain data, as ``bayesloom learn --json`` prints it."""
        from bayesloom.graphs import ChordalGraph

        told: dict[str, object] = {
            "variables": list(self.names),
            "directed": _lists(self.edges),
            "undirected": _lists(self.undirected),
            "cpdag": None if self.extension is None else _class_lists(self.cpdag),
        }
        if self.record is not None:
            from bayesloom.learning.record import stop_name

            told |= {
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
            if self.separations or self.conflicts or self.record.value is None:
                told |= {"separations": [], "conflicts": [], **self.record.separated()}
        if isinstance(self.graph, ChordalGraph):
            told["cliques"], told["separators"] = cliques_and_separators(self.graph)
        if self.proof is not None:
            told["proof"] = self.proof.to_dict()
        if self.notes:
            told["notes"] = list(self.notes)
        if (run := self._fitting()) is not None:
            told["em"] = run.to_dict()
        return told

    def __eq__(self, other: object) -> bool:
        """Say whether two networks are the same but for the time they took and their data."""
        if not isinstance(other, Network):
            return NotImplemented
        return self._told() == other._told()

    def __hash__(self) -> int:
        return hash(self.graph)

    def _told(self) -> tuple[object, ...]:
        """Return everything by which two networks can differ."""
        try:
            net = self.net
        except BayesloomError:  # it has none, or they are too large
            net = None
        read = {} if self.reading is None else self.reading.memory()
        return self.graph, self.extension, self.record, net, read

    def __repr__(self) -> str:
        record = self._full_record()
        if record is not None:
            from bayesloom.story.summary import as_text

            return as_text(record, self.graph, self.seconds, self._n_states(), self._fitting())
        first, *edges = str(self.graph).split("\n")
        known = "no parameters yet"
        if self.parameters is not None:
            known = counted(self.parameters.n_parameters, "free parameter")
        known += "" if self.em_run is None else f", by {self.em_run}"
        return "\n".join([f"Network: {first}, {known}", *edges])

    def _repr_html_(self) -> str:
        from html import escape

        try:
            drawn = f'<div style="overflow-x: auto">{self.plot()}</div>'
        except GraphError as problem:  # a cycle
            drawn = f"<p>{escape(str(problem))}</p>"
        record = self._full_record()
        if record is not None:
            from bayesloom.story.summary import as_html

            told = as_html(record, self.graph, self.seconds, self._n_states(), self._fitting())
            return f"{drawn}{told}"
        return f"{drawn}<p>{escape(repr(self).partition(chr(10))[0])}</p>"

    def _fitting(self) -> EMRun | None:
        """Return how EM went, for which parameters are fitted where cells are missing."""
        if self.parameters is None and self.engine is not None and self.engine.missing.any():
            try:
                assert self.net
            except BayesloomError:  # what is asked of it will say so
                return None
        return self.em_run

    def _n_states(self) -> dict[str, int]:
        known = self.parameters if self.engine is None else self.engine
        if known is None or not hasattr(known, "cardinality"):
            return {}
        return dict(zip(known.names, known.cardinality.tolist(), strict=True))


def _class_lists(cpdag: CPDAG) -> dict[str, list[list[str]]]:
    return {"directed": _lists(directed(cpdag)), "undirected": _lists(undirected(cpdag))}


def _lists(edges: tuple[tuple[str, str], ...]) -> list[list[str]]:
    return [list(edge) for edge in edges]


def _with_directions(graph: Structure) -> DAG | PDAG:
    """Return a graph whose edges can have directions."""
    from bayesloom.graphs import ChordalGraph

    if isinstance(graph, ChordalGraph):
        msg = (
            "the links of a Markov network have no direction, so nothing is known about "
            "interventions; learn a Bayesian network or give one"
        )
        raise OptionError(msg)
    return graph
