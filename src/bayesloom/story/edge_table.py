"""The edges of a network in a table: how strong each is, what settles it, how it came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from bayesloom.errors import UnknownVariableError
from bayesloom.graphs import CPDAG, DAG, ChordalGraph, bits
from bayesloom.graphs.text import counted
from bayesloom.grid import Grid, NamedColumns, Tabular, label
from bayesloom.learning.edge_strength import EdgeStrength
from bayesloom.learning.record import Record
from bayesloom.learning.structure import Structure, directed, undirected
from bayesloom.search import Limits, Reason
from bayesloom.search.facts.wording import p_text
from bayesloom.story.direction import Direction
from bayesloom.story.sentences import COMPLETED

LINK = "link"
"""What stands for a direction in a Markov network."""

_HEADS = {"source": "from", "target": "to"}
_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TableEdge:
    """One row of an edge table.

    Parameters
    ----------
    source, target : str
        The edge; of an edge without direction the names in their order.
    mark : str
        ``"->"`` or ``"-"``, as the network prints it.
    direction : str
        ``"compelled"`` if all equivalent networks have it, ``"knowledge"`` if knowledge settles it
        and the data leave it open, ``"model"`` if the model does, which has no edge from a number
        to a category, ``"free"`` if an equivalent network has the other; ``"link"`` in
        a Markov network.
    loss : float, optional
        By how much the score falls without the edge.
    information : float, optional
        The mutual information of the two, in nats, given the other parents of the child (in a
        Markov network: their common neighbours).
    p : float, optional
        The p-value of that dependency, outside the error control of the search.
    log_p : float, optional
        Its logarithm, for p-values that are too small for a float.
    conclusive : bool, optional
        Whether the rows suffice for the test; else ``p`` is no more than a hint.
    reason : str, optional
        Why the search joined the two: ``"score"``, ``"dependency"``, ``"trial"``, ``"restart"``,
        ``"knowledge"``, or ``"start"`` if they were joined before its first step.
    step : int, optional
        The number of that step, counted from 1.
    rows : int, optional
        How many rows know the two and the other parents of the child, on which information and
        p-value stand, if cells are missing and they are not all.
    strength : float, optional
        The share of networks that join the two, if the network is the average of many.
    q : float, optional
        The share of chance edges among this one and all that are as strong, if
        `Network.false_edges` has counted them.
    """

    source: str
    target: str
    mark: str
    direction: str
    loss: float | None = None
    information: float | None = None
    p: float | None = None
    log_p: float | None = None
    conclusive: bool | None = None
    reason: str | None = None
    step: int | None = None
    rows: int | None = None
    strength: float | None = None
    q: float | None = None

    def __str__(self) -> str:
        return f"{self.source} {self.mark} {self.target}"


@dataclass(frozen=True, slots=True, repr=False)
class EdgeTable(Tabular):
    """The edges of a network, strongest first: those whose loss would hurt the score most.

    Where not all have a loss, as in many Markov networks, the order is that of their mutual
    information, and where nothing is measured that of names.

    Parameters
    ----------
    rows : tuple of TableEdge
        One per edge.
    score : str
        The name of the score; empty if there is none.
    completed : bool
        Whether losses are those of rows whose missing cells were filled in.

    Examples
    --------
    >>> table = EdgeTable.of(DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D")]))
    >>> print(table)
    3 edges
      edge    direction
      A -> C  compelled
      B -> C  compelled
      C -> D  compelled
    """

    rows: tuple[TableEdge, ...]
    score: str = ""
    completed: bool = False

    @classmethod
    def of(
        cls,
        graph: Structure,
        dag: DAG | None = None,
        record: Record | None = None,
        *,
        strengths: Sequence[EdgeStrength] | None = None,
        score: str | None = None,
        completed: bool | None = None,
    ) -> EdgeTable:
        """Collect what is known of the edges of a network.

        Parameters
        ----------
        graph : DAG, PDAG or ChordalGraph
            What the search found, or a graph made by hand.
        dag : DAG, optional
            The member of the class whose edges were measured.
        record : Record, optional
            How the network was learned.
        strengths : sequence of EdgeStrength, optional
            What `measure_edges` found; by default what the record keeps.
        score : str, optional
            By which score the losses are; by default that of the record.
        completed : bool, optional
            Whether they are those of completed rows; by default as the record tells.
        """
        kept = record.strengths if strengths is None and record is not None else strengths or ()
        measured = {frozenset((edge.parent, edge.child)): edge for edge in kept}
        origin = {} if record is None else origins(record)
        settled = _settled(graph, dag, record)
        chance = None if record is None else record.chance
        sure = {} if record is None else _strengths(record)
        rows = []
        for mark, pairs in (("->", directed(graph)), ("-", undirected(graph))):
            for pair in pairs:
                key = frozenset(pair)
                edge = measured.get(key, EdgeStrength(*pair, None))
                reason, step = origin.get(key, (None, None))
                rows.append(
                    TableEdge(
                        *pair,
                        mark,
                        settled[key],
                        edge.loss,
                        edge.information,
                        edge.p,
                        edge.log_p,
                        edge.conclusive,
                        reason,
                        step,
                        edge.rows,
                        sure.get(key),
                        None if chance is None else chance.q(*pair),
                    )
                )
        named = "" if record is None or record.value is None else record.value.name
        if completed is None:
            completed = record is not None and record.loses_completed
        return cls(_sorted(rows), named if score is None else score, completed)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[TableEdge]:
        return iter(self.rows)

    def __getitem__(self, pair: _Pair) -> TableEdge:
        """Return the edge of two variables, whichever is named first."""
        for row in self.rows:
            if {row.source, row.target} == set(pair):
                return row
        raise UnknownVariableError(pair, map(str, self.rows), "among the edges")

    def to_dict(self) -> dict[str, object]:
        """Return the table as plain data, as ``bayesloom edges --json`` prints it."""
        rows = [asdict(row) for row in self.rows]
        for row in rows:
            for key in ("rows", "q"):  # all of them; not counted
                if row[key] is None:
                    del row[key]
        named = [{_HEADS.get(key, key): value for key, value in row.items()} for row in rows]
        told: dict[str, object] = {"score": self.score or None, "edges": named}
        return told | ({"completed": True} if self.completed else {})

    __repr__ = Tabular.__str__

    def _columns(self) -> NamedColumns:
        untold: tuple[str, ...] = (
            ("mark", "log_p") if any(row.rows for row in self.rows) else ("mark", "log_p", "rows")
        )
        if all(row.q is None for row in self.rows):
            untold = (*untold, "q")
        keys = [key for key in TableEdge.__slots__ if key not in untold]
        return [(_HEADS.get(key, key), [getattr(row, key) for row in self.rows]) for key in keys]

    @property
    def noun(self) -> str:
        """What a row is: an edge or, in a Markov network, a link."""
        return LINK if any(row.direction == LINK for row in self.rows) else "edge"

    @property
    def measure(self) -> str | None:
        """What the order of the rows follows: ``"loss"``, ``"information"`` or nothing."""
        return _measure(self.rows)

    def _grid(self, most: int | None) -> Grid:
        told: Mapping[str, list[str]] = {
            f"{self.score} loss".strip(): [_or_blank(row.loss, ",.2f") for row in self.rows],
            "info": [_or_blank(row.information, ".4g") for row in self.rows],
            "p": [_p_cell(row) for row in self.rows],
            "strength": [_or_blank(row.strength, ".3f") for row in self.rows],
            "q": [_or_blank(row.q, ".3f") for row in self.rows],
            "reason": [row.reason or "" for row in self.rows],
            "step": ["" if row.step is None else f"{row.step:,}" for row in self.rows],
            "rows": ["" if row.rows is None else f"{row.rows:,}" for row in self.rows],
        }
        told = {head: cells for head, cells in told.items() if any(cells)}
        rows = [
            (f"{label(row.source)} {row.mark} {label(row.target)}", row.direction, *cells)
            for row, *cells in zip(self.rows, *told.values(), strict=True)
        ]
        heads = (self.noun, "direction", *told)
        n, order = len(self.rows), "" if self.measure is None else ", strongest first"
        return Grid(
            f"{counted(n, self.noun)}{order * (n > 1)}",
            heads,
            rows[:most],
            1,
            more=n - len(rows[:most]),
            noun=self.noun,
            notes=self._notes(told),
            left=frozenset(k for k, head in enumerate(heads) if head in ("direction", "reason")),
        )

    def _notes(self, told: Mapping[str, object]) -> tuple[str, ...]:
        links = self.noun == LINK
        given = "their common neighbours" if links else "the other parents of the second"
        lost = [row.loss is None for row in self.rows]
        said = []
        if not all(lost):
            hole = "; blank: a cycle without a chord would be left" if links and any(lost) else ""
            what = self.score or "the score"
            of = f" {COMPLETED}" if self.completed else ""
            said.append(f"loss: how much {what}{of} falls without the {self.noun}{hole}")
        if "p" in told:
            said.append(f"info, p: mutual information (nats) and test of the two given {given}")
        if "rows" in told:
            said.append(
                "rows: how many know all the variables of that test, which stands on them; blank: "
                "all rows do"
            )
        if "strength" in told:
            said.append(f"strength: share of the networks averaged that have the {self.noun}")
        if "q" in told:
            said.append(f"q: share of chance {self.noun}s among this and all that are as strong")
        if any(row.conclusive is False for row in self.rows):
            said.append("(p): the rows are too few for a verdict")
        if any(row.direction == Direction.FREE.value for row in self.rows):
            said.append("free: an equivalent network has the other direction")
        return tuple(said)


def _settled(graph: Structure, dag: DAG | None, record: Record | None) -> dict[frozenset[str], str]:
    """Say what settles the direction of every edge."""
    if isinstance(graph, ChordalGraph):
        return {frozenset(pair): LINK for pair in undirected(graph)}
    member = graph if isinstance(graph, DAG) else dag
    if member is None:  # a class that no DAG extends: what has a direction has it
        found = {frozenset(pair): Direction.COMPELLED.value for pair in directed(graph)}
        return found | {frozenset(pair): Direction.FREE.value for pair in undirected(graph)}
    everywhere = CPDAG.of(member)
    open_pairs = {frozenset(pair) for pair in undirected(everywhere)}
    unknown = left = open_pairs
    if record is not None:
        known_limits = record.knowledge.limits(member.names, record.max_parents)
        unknown = left = _left_open(everywhere, known_limits, open_pairs)
        if record.numbers:
            left = _left_open(everywhere, record.limits(member.names), open_pairs)
    found = {}
    for pair in map(frozenset, member.edges):
        known = Direction.FREE if pair in left else Direction.KNOWLEDGE
        if known is Direction.KNOWLEDGE and pair in unknown:
            known = Direction.MODEL
        found[pair] = (known if pair in open_pairs else Direction.COMPELLED).value
    return found


def _left_open(
    everywhere: CPDAG, limits: Limits, pairs: set[frozenset[str]]
) -> set[frozenset[str]]:
    """Return the pairs whose direction limits leave open."""
    oriented = limits.orient(everywhere.parent_masks, everywhere.neighbour_masks)
    if oriented is None:
        return pairs
    names = everywhere.names
    return {
        frozenset((names[u], names[v])) for v, mask in enumerate(oriented[1]) for u in bits(mask)
    }


def origins(record: Record) -> dict[frozenset[str], tuple[str, int | None]]:
    """Return why the search joined a pair, and at which step it did so last."""
    found: dict[frozenset[str], tuple[str, int | None]] = {
        frozenset(pair): ("start", None) for pair in record.start
    }
    found |= {frozenset(pair): ("knowledge", None) for pair in record.knowledge.required}
    for number, step in enumerate(record.steps, start=1):
        why = "knowledge" if step.reason is Reason.REQUIRED else step.reason.value
        found.update((frozenset(pair), (why, number)) for pair in step.joined)
    return found


def _strengths(record: Record) -> dict[frozenset[str], float]:
    """Return how often pairs were joined in the networks that were averaged."""
    pairs = () if record.confidence is None else record.confidence.pairs
    return {frozenset((pair.x, pair.y)): pair.strength for pair in pairs}


def _measure(rows: Sequence[TableEdge]) -> str | None:
    for what in ("loss", "information"):
        if rows and all(getattr(row, what) is not None for row in rows):
            return what
    return None


def _sorted(rows: Sequence[TableEdge]) -> tuple[TableEdge, ...]:
    """Put the strongest first; equally strong ones in the order of names."""
    what = _measure(rows)

    def rank(row: TableEdge) -> tuple[float, str, str]:
        return -getattr(row, what) if what else 0.0, row.source, row.target

    return tuple(sorted(rows, key=rank))


def _or_blank(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _p_cell(row: TableEdge) -> str:
    if row.p is None or row.log_p is None:
        return ""
    told = p_text(row.p, row.log_p)
    return told if row.conclusive else f"({told})"
