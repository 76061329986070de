"""What a network tells of the search that found it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from bayesloom.errors import AbsentError
from bayesloom.facade.graph_side import GraphSide

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.engine import Engine
    from bayesloom.evaluation.criticism import Criticism
    from bayesloom.learning.edge_strength import EdgeStrength
    from bayesloom.learning.false_edges import FalseEdges
    from bayesloom.learning.record import Record, ScoreValue
    from bayesloom.model import BayesNet
    from bayesloom.scores import Score
    from bayesloom.search import (
        Conflict,
        Dependency,
        Finding,
        Proof,
        Search,
        Step,
        Stop,
        TestTally,
    )
    from bayesloom.story import Criterion, EdgeTable, Evidence, Story


class SearchSide(GraphSide):
    """How a network was found: score, steps, tests, and the story of every pair."""

    __slots__ = ()
    search: Search | None
    record: Record | None

    @property
    def history(self) -> Record:
        """How the search went, as files keep it.

        Raises
        ------
        AbsentError
            If the network was made by hand, or read from a file that does not keep it.
        """
        if self.record is None:
            msg = (
                "the network knows nothing of a search: it was made by hand, or read from a file "
                "that does not keep one; learn gives it, and .json files keep it"
            )
            raise AbsentError(msg)
        return self.record

    @property
    def score(self) -> ScoreValue:
        """The name and the value of the score, in nats; larger is better.

        Raises
        ------
        AbsentError
            If the search has no score, or there was no search.
        """
        value = self.history.value
        if value is None:
            msg = f"{self.history.search} has no score; BIC().explain(data, dag) gives one"
            raise AbsentError(msg)
        return value

    @property
    def steps(self) -> tuple[Step[str], ...]:
        """Every move of the search, in order, with its reason and its gain."""
        return self.history.steps

    @property
    def stop(self) -> Stop:
        """Why the search ended."""
        return self.history.stop

    @property
    def proof(self) -> Proof | None:
        """How far below the optimum the score is at most; None unless `Exact` has searched."""
        return None if self.record is None else self.record.proof

    @property
    def candidates(self) -> int:
        """How many families the search has scored."""
        return self.history.candidates

    @property
    def dependencies(self) -> tuple[Dependency[str], ...]:
        """What the tests of the search detected, in order; empty for a search without tests."""
        return self.history.dependencies

    @property
    def separations(self) -> tuple[Finding[str], ...]:
        """What took pairs apart, for a search that looks for independence.

        A set with its test; for `MIIC` a set with information and complexity, for `ARACNE` a
        triangle.
        """
        return self.history.separations

    @property
    def weighed(self) -> tuple[Finding[str], ...]:
        """What kept pairs together, for a search that weighs informations (`MIIC`)."""
        return self.history.weighed

    @property
    def conflicts(self) -> tuple[Conflict[str], ...]:
        """Where the tests of a search that only tests disagree on directions."""
        return self.history.conflicts

    @property
    def tests(self) -> TestTally:
        """How many tests the search made, and what came of them."""
        return self.history.tests

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of data and search besides, one sentence each."""
        return () if self.record is None else self.record.notes

    def explain(
        self,
        x: str,
        y: str,
        *,
        data: object | None = None,
        score: Score | None = None,
        **reading: Unpack[ReadingOptions],
    ) -> Story:
        """Tell why two variables are joined, or why they are not.

        Parameters
        ----------
        x, y : str
            The pair.
        data : path, frame, Table or Engine, optional
            The data, for score changes, tests and mutual information. A network that was just
            learned has them; one that was loaded tells without them what the file knows.
        score : Score, optional
            By which score to tell what a change would cost; by default the search's own, or BIC
            where there was no search.
        **reading
            How to read ``data``, such as ``missing="drop"``; see `bayesloom.Reading`. What is not
            written out is read as the network's own data were, if it remembers.

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
        >>> from bayesloom.facade import learn
        >>> from bayesloom.search import HillClimbing
        >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
        >>> learned = learn(frame, HillClimbing())
        >>> print(str(learned.explain("rain", "wet")).split(":")[0])
        rain -> wet
        """
        from bayesloom.story.story import check_pair, tell_story

        check_pair(x, y, self.names)
        engine = self._data(data, reading)
        evidence = None if engine is None else self._evidence(engine, x, y, score)
        return tell_story(
            x,
            y,
            self.extension,
            graph=self.graph,
            record=self.record,
            evidence=evidence,
            unknown=self._unknown(score),
            n_rows=None if engine is None else engine.n_rows,
        )

    def edge_table(
        self,
        *,
        data: object | None = None,
        score: Score | None = None,
        **reading: Unpack[ReadingOptions],
    ) -> EdgeTable:
        """Return a table of all edges: direction, strength, dependency, why and when they came.

        Parameters
        ----------
        data : path, frame, Table or Engine, optional
            The data, for what each edge is worth; by default those of the search or of `fit`,
            or what the file of a learned network keeps of them.
        score : Score, optional
            By which score to tell what an edge is worth; by default the search's own, or BIC.
        **reading
            How to read ``data``, as in `explain`.

        Returns
        -------
        EdgeTable
            Prints as a table, strongest edges first; ``to_frame()`` gives it as a frame.

        Examples
        --------
        >>> from bayesloom.facade import learn
        >>> net = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
        >>> net.edge_table()["rain", "wet"].direction
        'free'
        """
        from bayesloom.registry import SCORES
        from bayesloom.story import EdgeTable

        engine = self._data(data, reading)
        if data is None and score is None and (record := self._full_record()) is not None:
            return EdgeTable.of(self.graph, self.extension, record)
        if engine is None:
            return EdgeTable.of(self.graph, self.extension, self.record)
        goal = self._goal(engine.n_rows) if score is None else score
        worth = self._strengths(engine, goal)
        name = "" if goal is None else SCORES.name_of(goal)
        return EdgeTable.of(
            self.graph,
            self.extension,
            self.record,
            strengths=worth,
            score=name,
            completed=self._takes_completion(engine, goal),
        )

    def check(
        self, data: object, *, alpha: float = 0.05, **reading: Unpack[ReadingOptions]
    ) -> Criticism:
        """Look in data, such as rows held out, for what speaks against the network.

        Looked at are the independences that it claims (every variable and each earlier one that is
        no parent, given its parents), whether p-values of the others are small too often, whether
        its tables predict, and rows that it takes for impossible. It may come from anywhere.

        Parameters
        ----------
        data : path, frame, Table or Engine
            Rows that were not learned from; those that were speak too well of what was learned.
        alpha : float
            The chance of any false alarm, over all that is looked at.
        **reading
            How to read ``data``, as in `explain`.

        Returns
        -------
        Criticism
            ``failures`` are sentences, with the edge that would mend it where one would;
            ``to_frame()`` has all independences.

        Raises
        ------
        AbsentError
            If no DAG extends the graph.

        Examples
        --------
        >>> from bayesloom.facade import network
        >>> held_out = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
        >>> print(*network("rain; wet").check(held_out).failures)
        rain and wet are not independent (p = 2.5e-10, mutual information 0.6931 nats): the edge \
rain -> wet would mend it
        """
        from bayesloom.engine import counting
        from bayesloom.errors import AbsentError, check_number
        from bayesloom.evaluation.criticism import criticise

        check_number("alpha", alpha, above=0, below=1)
        if self.extension is None:
            msg = "no DAG extends the graph, so it claims no independences that could be checked"
            raise AbsentError(msg)
        engine, net = self._checked_data(data, reading)
        return criticise(
            counting(engine, "check"),
            self.extension,
            net,
            alpha=alpha,
            learned_rows=None if self.record is None else self.record.n_rows,
        )

    def _checked_data(
        self, data: object, given: Mapping[str, Any]
    ) -> tuple[Engine, BayesNet | None]:
        """Return an engine over data for the network, and its tables if it has any."""
        raise NotImplementedError

    def false_edges(
        self,
        data: object | None = None,
        *,
        replicates: int = 4,
        seed: int = 0,
        search: Search | None = None,
        **reading: Unpack[ReadingOptions],
    ) -> FalseEdges:
        """Count how many edges are expected to be chance: joined here and not in the truth.

        The strongest part of the network is fitted, data like these are drawn from it, and the
        search is run on them: what it joins there besides is chance. The network remembers the
        answer: its summary has a line, and `edge_table` a column ``q``. It takes as many searches
        as there are replicates, and a smaller one. The page "How many of my edges are real?" says
        where it fails.

        Parameters
        ----------
        data : path, frame, Table or Engine, optional
            The data of the search; by default those it had.
        replicates : int
            How many copies are drawn.
        seed : int
            The seed of the draws.
        search : Search, optional
            The search, for a network from a file, which does not hold it.
        **reading
            How to read ``data``, as in `explain`.

        Returns
        -------
        FalseEdges
            ``expected``, ``interval`` and for every edge a q-value.

        Raises
        ------
        AbsentError
            If there are no data or there is no search.

        Examples
        --------
        >>> from bayesloom.facade import learn
        >>> net = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
        >>> found = net.false_edges()
        >>> found.expected, found.counts
        (0.125, (0, 0, 0, 0))
        """
        from bayesloom.errors import AbsentError
        from bayesloom.facade.chance import false_edges

        engine = self._data(data, reading)
        if engine is None:
            msg = "chance edges are counted in the data of the search; give them as data="
            raise AbsentError(msg)
        found = false_edges(
            self,  # type: ignore[arg-type]
            engine,
            replicates=replicates,
            seed=seed,
            search=search,
        )
        if self.record is not None:
            object.__setattr__(self, "record", replace(self.record, chance=found))
        return found

    def _strengths(self, engine: Engine, score: Score | None) -> tuple[EdgeStrength, ...]:
        from bayesloom.story import measure_edges

        options: Any = {
            "criterion": self._criterion(),
            "completed": self._comparable(engine, score),
        }
        return measure_edges(engine, score, self.graph, self.extension, **options)

    def _full_record(self) -> Record | None:
        """Return the record with what each edge is worth, asked of the data once."""
        engine = self._data(None)
        if self.record is None or engine is None or self.record.strengths:
            return self.record
        goal = self._goal(engine.n_rows)
        worth = self._strengths(engine, goal)
        full = replace(self.record, strengths=worth)
        object.__setattr__(self, "record", full)
        return full

    def _data(self, data: object | None, given: Mapping[str, Any] | None = None) -> Engine | None:
        """Return an engine over data for the network; by default what it was learned from."""
        raise NotImplementedError

    def _comparable(self, engine: Engine, goal: Score | None) -> Engine:
        """Return data that a score can compare families in: completed, if it takes no holes."""
        raise NotImplementedError

    def _takes_completion(self, engine: Engine, goal: Score | None) -> bool:
        """Say whether a score can compare families only in completed rows."""
        if goal is None or goal.takes_holes or self.extension is None:
            return False
        return bool(engine.missing.any())

    def _goal(self, n_rows: int) -> Score | None:
        """Return the score of the search with what was believed; None if it is not known here."""
        score = self._plain_goal(n_rows)
        if score is None or self.record is None or not self.record.knowledge.belief:
            return score
        from bayesloom.search.believing import believed_score

        known = self.record.knowledge
        return believed_score(score, known, known.limits(self.graph.names))

    def _plain_goal(self, n_rows: int) -> Score | None:
        """Return the score of the search; BIC if there was none, None if it is not known here."""
        if self.search is not None:
            from bayesloom.search import facts_of

            return facts_of(self.search).goal(n_rows)
        if self.record is None:
            from bayesloom.scores import BIC

            return BIC()
        from bayesloom.registry import SCORES

        told = self.record.score
        return None if told is None else SCORES.made(told)

    def _criterion(self) -> Criterion:
        """Return the test by which stories call two variables dependent."""
        from bayesloom.search import facts_of
        from bayesloom.story import Criterion

        testing = None if self.search is None else facts_of(self.search).testing()
        if testing is None or self.record is None:
            return Criterion.of(self.record, getattr(self, "engine", None))
        return Criterion(testing.test, self.record.level)

    def _unknown(self, score: Score | None) -> list[str]:
        """Return the score and the test of the search that are not known and have no stand-in."""
        if self.search is not None or self.record is None:
            return []
        known = self.record.unknown
        return [what for what in known if score is None or not what.startswith("score ")]

    def _evidence(self, engine: Engine, x: str, y: str, score: Score | None) -> Evidence:
        """Ask the data about a pair."""
        from bayesloom.graphs import ChordalGraph
        from bayesloom.story import gather_evidence, gather_link_evidence

        goal = self._goal(engine.n_rows) if score is None else score
        options: Any = {"criterion": self._criterion(), "completed": self._comparable(engine, goal)}
        if isinstance(self.graph, ChordalGraph):
            return gather_link_evidence(engine, goal, self.graph, x, y, **options)
        return gather_evidence(engine, goal, self.extension, x, y, **options)
