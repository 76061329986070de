"""Counting, scoring and inference kernels of bayesloom"""

from collections.abc import Sequence, Set
import enum
from typing import Annotated, Final, Literal

import numpy
import numpy.typing
from numpy.typing import NDArray


class StopSignal:
    """
    A signal that ends native work early (cancellation token): a flag and a deadline.
    """

    def __init__(self) -> None: ...

    def set(self) -> None:
        """Give the signal; it is never taken back."""

    def deadline(self, seconds_from_now: float | None) -> None:
        """
        Give the signal by itself after so many seconds; None stands for never.
        """

    @property
    def is_set(self) -> bool:
        """Whether the signal was given or its deadline is over."""

def give_on_signal(number: int, stop: StopSignal | None) -> StopSignal | None:
    """
    Let a signal of the system that has a handler give a stop signal besides, at once; returns the one
    it gave before. The caller keeps the stop signal alive and takes it back with None.
    """

def transposed(masks: Sequence[int]) -> list[int]:
    """Children of parents, and back."""

def topological_order(parents: Sequence[int]) -> list[int]:
    """
    Every node after its parents, the lowest first; nodes on and below a cycle are left out.
    """

def moral_graph(parents: Sequence[int]) -> list[int]:
    """The Markov blankets."""

def d_connected(parents: Sequence[int], questions: Sequence[tuple[int, int]]) -> list[int]:
    """For every (x, given) the nodes that are d-connected with x."""

def remove_sinks(parents: Sequence[int], neighbours: Sequence[int]) -> tuple[list[int], list[int], int]:
    """
    Run Dor and Tarsi's algorithm: parents of the extension, order of removal, nodes left.
    """

def class_of_dag(parents: Sequence[int], order: Sequence[int]) -> tuple[list[int], list[int]]:
    """
    The compelled arrows and the reversible edges of a DAG with a topological order.
    """

class OperatorKind(enum.IntEnum):
    """What a change does to an edge."""

    INSERT = 0

    DELETE = 1

    REVERSE = 2

class Operator:
    """
    A change of a class. An insertion adds x -> y and directs the others (T) at y. A deletion takes
    away x -> y or x - y and directs both ends at the others (H). A reversal turns y -> x into x -> y
    and directs the others (T) at y.
    """

    def __init__(self, kind: OperatorKind, x: int, y: int, others: int, gain: float) -> None: ...

    @property
    def kind(self) -> OperatorKind: ...

    @property
    def x(self) -> int: ...

    @property
    def y(self) -> int: ...

    @property
    def others(self) -> int:
        """A mask."""

    @property
    def gain(self) -> float: ...

class CPDAGState:
    """An equivalence class of DAGs; all sets of nodes are masks."""

    @staticmethod
    def of_ordered_dag(parents: Sequence[int], order: Sequence[int]) -> CPDAGState:
        """The class of a DAG with a topological order."""

    @property
    def parents(self) -> list[int]: ...

    @property
    def neighbours(self) -> list[int]: ...

    @property
    def adjacent(self) -> list[int]: ...

    def __eq__(self, other: object) -> bool: ...

    def parents_of(self, nodes: int) -> int:
        """All parents of some nodes."""

    def touched(self, before: CPDAGState) -> int:
        """The nodes whose operators may differ from those before."""

    def open_path(self, op: Operator) -> int:
        """
        The nodes of a semi-directed path from y to x around the operator's clique; 0 if all are
        blocked. As long as no node of the path is touched, the path stays open.
        """

    def changed_by(self, op: Operator) -> tuple[list[int], list[int]]:
        """
        The partially directed graph (parents, neighbours) that a valid operator leads to.
        """

    def after(self, op: Operator) -> CPDAGState:
        """The class that a valid operator leads to."""

    def move(self, op: Operator) -> int:
        """
        Become the class that a valid operator leads to; returns the nodes whose operators may differ
        from those before.
        """

    def after_losses(self, families: Sequence[tuple[int, int, int]]) -> CPDAGState:
        """
        The class that a DAG of this one is in when it has lost edges: for some nodes, the parents in
        the DAG and those that are left.
        """

    def member_after(self, op: Operator) -> list[int]:
        """The parents in a DAG of the class that a valid operator leads to."""

    def member(self) -> list[int]:
        """The parents in a DAG of the class."""

    def copy(self) -> CPDAGState:
        """Another one that is equal."""

def pack_planes(columns: Sequence[numpy.typing.NDArray[numpy.unsignedinteger]], n_planes: Sequence[int], threads: int = 1) -> numpy.typing.NDArray[numpy.uint64]:
    """Write the codes of columns as bit planes, column after column."""

def count_codes(codes: numpy.typing.NDArray[numpy.unsignedinteger], n: int) -> numpy.typing.NDArray[numpy.int64]:
    """How often each number below n occurs."""

class BlockFile:
    """Blocks of rows in a file, as bit planes of every column."""

    def __init__(self, path: str, place: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], planes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], code_of: Sequence[Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]], cardinality: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def stamp(self) -> tuple[int, ...]:
        """What is another one after every change of the file."""

    def planes(self, block: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """The planes of a block, column after column."""

    def codes(self, block: int, column: int) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]:
        """The codes of a column in a block."""

    def taken(self, block: int, rows: numpy.typing.NDArray[numpy.uint32]) -> list[numpy.typing.NDArray[numpy.uint8] | numpy.typing.NDArray[numpy.uint16]]:
        """The codes of some rows of a block, one array per column."""

class BlockCount:
    """The tables of one batch, counted from blocks."""

    def __init__(self, file: BlockFile, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], listed: Sequence[bool], most_bytes: int) -> None: ...

    def run(self, first: int, last: int, threads: int, stop: StopSignal | None = None) -> None:
        """Count the blocks from the first to before the last."""

    def cells(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The dense tables."""

    def list(self, table: int) -> tuple:
        """The codes and the counts of the cells of a table that is a list."""

class EdgeChanges:
    """A DAG and what every change of one edge makes of its local scores."""

    def __init__(self, parents: Sequence[int], required: Sequence[int], local: numpy.typing.NDArray[numpy.float64]) -> None:
        """Of a DAG, the edges that may not be turned, and the local scores."""

    def write(self, memory: ScoreMemory, child: int, parents: int, added: int, taken: int) -> None:
        """
        Take the scores of a child after each one of some parents is added or taken away from a
        memory that knows them; other changes of its parents are not allowed.
        """

    def best(self, floor: float, epsilon: float, barred: Sequence[tuple[OperatorKind, int, int]]) -> tuple[OperatorKind, int, int, float] | None:
        """
        Find the best legal change that gains more than floor: its kind, x, y and gain. Gains within
        epsilon of the best are equal.
        """

    def legal(self) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64]]:
        """Kind, x, y and gain of all legal changes in the order of ties."""

    def apply(self, kind: OperatorKind, x: int, y: int) -> list[float]:
        """
        Make a legal change; returns what it adds to the score, as terms of a sum.
        """

class DependencyCover:
    """
    The dependencies that were found, and which of them a DAG covers. Where graphs differ by
    the edge between a pair of nodes only, up to equivalence, little is looked at.
    """

    def __init__(self, n_nodes: int) -> None:
        """With the empty graph."""

    def add(self, dependencies: Sequence[tuple[int, int, int]]) -> None:
        """
        Take up dependencies (x, given, ys) that the graph is not known to cover.
        """

    def go_to(self, parents: Sequence[int], pair: tuple[int, int] | None, grows: bool) -> list[tuple[int, int]]:
        """
        Go on to another graph; unless it grows, it connects nothing that is not connected now. Returns
        the nodes with another Markov blanket, and that blanket.
        """

    def settle(self, stop: StopSignal | None) -> list[tuple[int, int, int]]:
        """Find what the graph covers that it was not known to."""

    def keeps(self, parents: Sequence[int], pair: tuple[int, int] | None, stop: StopSignal | None) -> bool:
        """Whether another graph covers all that is covered now."""

    def gains(self, parents: Sequence[int], pair: tuple[int, int] | None, stop: StopSignal | None) -> bool:
        """Whether another graph covers something that is not covered now."""

    def may_gain(self, x: int, y: int) -> bool:
        """
        Whether an edge between x and y may cover something that is not covered; all is settled.
        """

    def joins(self, x: int, y: int) -> bool:
        """
        Whether something uncovered is about x and y: an edge between them covers it.
        """

    @property
    def n_uncovered(self) -> int:
        """How many dependencies are not covered."""

    def uncovered(self) -> list[tuple[int, int, int]]:
        """The dependencies (x, given, ys) that are not covered."""

class Store:
    def __init__(self, columns: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]], cardinality: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], isa: int = -1, threads: int = 1, weights: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """Columns of codes; with weights, every row as often as its weight says."""

    @property
    def isa(self) -> int: ...

    @property
    def n_distinct(self) -> int: ...

    @property
    def n_tiled_tables(self) -> int: ...

    @property
    def observed(self) -> list[int]: ...

    @property
    def missing(self) -> list[int]: ...

    def counts(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def families(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kernel: int, ess: float, price: float, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def families_with_prior(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ess: float, price: float, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def informations(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def tests(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kernel: int, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def entropies(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def dependent_sets(self, size: int, apart: Sequence[int], levels: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], share: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], floor: float, price: float, least: float, threads: int, stop: StopSignal | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], int, int]:
        """
        Sets of columns, each among those that the others are `apart` from, of which N times the total correlation minus a price per parameter is above `least`: their members one set after the other, N times the total correlation of each, how many sets were looked at, and how many there are with one column less.
        """

class CountedTables:
    def __init__(self, declared: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], observed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def families(self, kernel: int, ess: float, price: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def families_with_prior(self, ess: float, price: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def informations(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def tests(self, kernel: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def entropies(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class InformationChains:
    """Informations of families, parent after parent, remembered."""

    def __init__(self, n_variables: int) -> None: ...

    @property
    def size(self) -> int: ...

    def clear(self) -> None: ...

    def wanted_pairs(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> object:
        """The arrays of a batch of pairs that are not known yet, or None."""

    def wanted_terms(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> object:
        """
        The arrays of a batch of all other terms that are not known yet, or None.
        """

    def fill(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Note what such a batch asked for."""

    def sums(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The information of child and parents of every family."""

    def scores(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], entropies: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], known: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: float, price: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The score of every family: its average times the rows, minus what its parameters cost.
        """

def n_cells(target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class Regrets:
    """The logarithms of multinomial regrets C(n, k) for one number of rows."""

    def __init__(self, n_rows: int) -> None: ...

    def __call__(self, n_states: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Log C(n, k) for every k; exact up to most_exact states, approximated beyond.
        """

    def quotients(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        log C(n, r q) - log C(n, q) for every family of a batch; infinity where r q is.
        """

    most_exact: Final[int] = ...
    """(arg: object, /) -> int"""

def log_p_values(statistic: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], df: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], level: float = 1.0) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The log p-values of chi-square statistics; those above a level may be told as 0.
    """

def best_isa() -> int: ...

mantissa_bits: int = 64

class ScoreMemory:
    """A cache of local scores that asks for what it lacks."""

    def __init__(self, n_nodes: int) -> None: ...

    @property
    def n_asked(self) -> int:
        """How many were asked for, those forgotten included."""

    @property
    def n_bytes(self) -> int:
        """How much memory the scores take, roughly."""

    def want(self, rows: Sequence[tuple[int, int, int]], families: Sequence[tuple[int, int]]) -> None:
        """
        Note rows (child, base, partners) and families (child, parents), all sets as masks.
        """

    def want_missing_of(self, other: ScoreMemory) -> None:
        """Note everything that another memory has noted and does not know."""

    @property
    def n_wanted(self) -> int:
        """How many scores were noted and are not known."""

    def take_lack(self) -> bool:
        """
        Whether anything was noted that is not known, since this was last asked.
        """

    def missing(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]] | None:
        """
        The arrays of a batch of all that was noted and is not known; None if there is nothing.
        """

    def fill(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take the answers to what was missing."""

    def fill_from(self, other: ScoreMemory) -> None:
        """Take the answers from a memory that knows them."""

    def give_up(self) -> None:
        """Forget what was noted and never filled."""

    def forget(self) -> None:
        """Forget everything."""

    def want_changes(self, child: int, parents: int, added: int, taken: int) -> None:
        """
        Note the families of a child after each one of some parents is added or taken away.
        """

    def family(self, child: int, parents: int) -> float: ...

    def row(self, child: int, base: int) -> numpy.typing.NDArray[numpy.float64]:
        """
        The scores of a child given a base and each one further parent; NaN if never asked for.
        """

def rank_of(gain: float, tie: float) -> float:
    """
    Where a gain stands in a priority queue, the best first: gains within a tie stand together.
    """

class NodeOperators:
    """
    The operators of an equivalence class that end at one node, the best first.
    """

    @property
    def end(self) -> int:
        """The place behind the last operator of this list."""

    @property
    def is_cut(self) -> bool:
        """Whether more operators follow behind the last."""

    def key(self, place: int) -> tuple[float, int, int, tuple[int, ...]] | None:
        """
        What an operator is ordered by: rank, x, y and the other nodes; None behind the last.
        """

    def operator(self, place: int, kind: OperatorKind) -> Operator:
        """The operator at a place."""

class OperatorCache:
    """A cache of the operators of one kind, by what surrounds their nodes."""

    def __init__(self, kind: OperatorKind, allowed: Sequence[int], required: Sequence[int], most_parents: int, floor: float, tie: float, most: int) -> None:
        """
        For every node, the nodes it may and must be adjacent to; the most operators of a list.
        """

    def ask(self, state: CPDAGState, nodes: int) -> None:
        """Ask for the operators at some nodes (a mask)."""

    def ask_following(self, before: NodeOperators) -> None:
        """Ask for what follows behind a list that is cut."""

    def want(self, memory: ScoreMemory, stop: StopSignal | None) -> bool:
        """
        Note in a memory of scores what the next operators need; False once all have been listed.
        """

    def take(self, memory: ScoreMemory) -> None:
        """Take up what was wanted, once all scores are known."""

    def answer(self) -> list[tuple[int, NodeOperators]]:
        """What was asked for, node by node."""

class QueuedOperator:
    """How an operator that was taken comes back to its queue."""

class OperatorHeap:
    """A priority queue of the operators of one kind: a heap of the best."""

    def __init__(self, kind: OperatorKind, n_nodes: int) -> None:
        """Without any operators yet."""

    def copy(self, banned: Set[tuple[int, int]]) -> OperatorHeap:
        """
        A queue that goes on from here on its own; no operator of it puts a -> b for a banned (a, b).
        """

    def renew(self, cache: OperatorCache, touched: int) -> None:
        """
        Take the answers of a cache about the touched nodes, and bring back what waited for them.
        """

    def drop(self, nodes: int) -> None:
        """Leave out the operators at some nodes (a mask) until they are renewed."""

    def lift_bans(self) -> None:
        """Let the banned edges in again."""

    def pop(self, state: CPDAGState) -> tuple[Operator, QueuedOperator] | Literal[False] | None:
        """
        Take the best operator that no ban and no open path forbids; None if there is none, False if
        more of a list has to be asked for first (`ask_more`, `go_on`).
        """

    def take_first(self) -> tuple[Operator, QueuedOperator] | Literal[False] | None:
        """Take the best operator, whether it can be applied or not."""

    def ask_more(self, cache: OperatorCache) -> None:
        """Ask a cache for what follows behind the list that was cut."""

    def go_on(self, cache: OperatorCache) -> None:
        """Take its answer."""

    def put_back(self, taken: QueuedOperator) -> None:
        """Put an operator back that was taken while the class was this one."""

    def park(self, taken: QueuedOperator) -> None:
        """Let an operator wait until a node is touched."""

def best_sets(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], mask: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], stop: StopSignal | None) -> list[int]:
    """
    The sets of parents of the best network by dynamic programming over all subsets of the variables, by place; those of v lie from start[v] to start[v + 1].
    """

def broken_clusters(n_nodes: int, k: int, choices: Sequence[tuple[int, int, float]], least: float, most: int) -> list[tuple[float, int]]:
    """
    Clusters of variables, as (sum, mask), that choices (child, parents, share) break by more than `least`, the worst first.
    """

class ParentSetSums:
    def __init__(self, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Scored sets of parents: those of v lie from start[v] to start[v + 1], each as `width` numbers of parents, -1 for none.
        """

    def log_sums(self, asked: Sequence[tuple[int, int, int]]) -> list[float]:
        """
        For every (variable, allowed, needed) the logarithm of the sum of exp(score) over its sets within `allowed` that meet `needed`, if that is not empty.
        """

    def shares(self, asked: Sequence[tuple[int, int, int]]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        For every (variable, allowed, needed) and every other variable the part of that sum whose sets have it, row by row.
        """

class OrderMove(enum.IntEnum):
    """How an order is changed."""

    SWAP = 0
    """Two variables swap, with the probability of Metropolis."""

    RELOCATE = 1
    """A variable is put anywhere (Gibbs)."""

    WINDOW = 2
    """Consecutive variables are ordered anew (Gibbs)."""

class OrderWalk:
    """An order, weighed by the sum over its graphs, and moves over it."""

    def __init__(self, sums: ParentSetSums, order: Sequence[int], width: int, key: int) -> None:
        """
        Start from an order; windows have so many variables, moves are drawn from a key.
        """

    @property
    def order(self) -> list[int]:
        """The order."""

    @property
    def local(self) -> list[float]:
        """The logarithm of the sum of every variable."""

    def moves(self, kinds: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """Make a move of every kind in turn; returns how many changed the order."""

    def shares(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The probability of u -> v given the order, row by row."""

class PartitionMove(enum.IntEnum):
    """How a partition is changed."""

    SWAP = 0
    """Two variables of different elements swap (Metropolis)."""

    DIVIDE = 1
    """An element is split, or two are joined (Metropolis)."""

    RELOCATE = 2
    """A variable is put anywhere (Gibbs)."""

    FAMILIES = 3
    """
    A graph is drawn, the parents of blocks of variables are drawn anew (Gibbs).
    """

class PartitionWalk:
    """
    An ordered partition, weighed by the sum over its graphs, and moves over it.
    """

    def __init__(self, sums: ParentSetSums, elements: Sequence[int], near: Sequence[int], block: int, blocks: int, key: int) -> None:
        """
        Start from elements; families are redrawn of so many blocks of so many variables each, which grow along `near`.
        """

    @property
    def elements(self) -> list[int]:
        """The elements, as masks."""

    @property
    def local(self) -> list[float]:
        """The logarithm of the sum of every variable."""

    def moves(self, kinds: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """
        Make a move of every kind in turn; returns how many changed the partition.
        """

    def shares(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The probability of u -> v given the partition, row by row."""

def elimination_order(states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scope: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

class Contractions:
    def __init__(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scope: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def posteriors(self, state: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], soft: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihood: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], set_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: int, most_bytes: float) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], float, float]: ...

    def explain(self, state: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], soft: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihood: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most_bytes: float) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float, float]: ...

class AncestralDraw:
    """Draws rows of codes, every variable after its parents."""

    def __init__(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], parent_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Numbers of states of all variables; the order in which they are drawn and, in this order, their
        parents (those of variable i from parent_start[i] on) and tables, the last parent varying
        fastest.
        """

    def draw(self, generator: object, columns: list[numpy.typing.NDArray[numpy.unsignedinteger]]) -> None:
        """
        Fill columns of codes with the capsule of a bit generator of numpy, whose lock is held.
        """

    block_rows: Final[int] = ...
    """(arg: object, /) -> int"""

def plain_bif(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[int, ...], list[int], numpy.typing.NDArray[numpy.float64]] | None:
    """
    Names, states, masks of parents, where the tables start, and their numbers, from the text of a BIF
    file; None if the text is not as plain as programs write it.
    """

def log_gamma(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Log gamma of numbers above 0."""

def log_correlation_p_values(r: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], df: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The log p-values of Student's t of correlations."""

def number_range(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """
    The least and the largest number (infinity and minus infinity of none), and how many are missing.
    """

class GridSums:
    """Exact sums of numbers and of their products, whatever their order."""

    def __init__(self, low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], wide: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], most_rows: int) -> None: ...

    def add(self, columns: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], threads: int, stop: StopSignal | None = None) -> None:
        """Add rows without missing cells."""

    def merge(self, other: GridSums) -> None:
        """Add what another one with the same ranges has added up."""

    @property
    def wide(self) -> list[bool]:
        """
        Which columns have a range of 64 deviations or more, and are not on the finer grid yet.
        """

    @property
    def description(self) -> tuple: ...

class WholeTable:
    """One covariance matrix that answers batches."""

    def __init__(self, sums: GridSums, column_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts_means: bool = True) -> None: ...

    @property
    def least_pivot(self) -> float: ...

    def answers(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], question: int, price: float, helped: bool, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def families(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], price: float, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def partial_correlations(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def log_determinants(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ridge: float, unit: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def mixed_parameters(target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Free parameters of every family; a variable of 0 states is a number."""

class NumberRows:
    """Rows of categories and numbers, and moments by configuration."""

    def __init__(self, places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], codes: Sequence[Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]], states: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> None: ...

    def answers(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], question: int, price: float, helped: bool, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def described(self, categories: Sequence[int], numbers: Sequence[int], known: Sequence[int], threads: int, stop: StopSignal | None = None) -> tuple: ...

class ClassOdds:
    def __init__(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], column_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], column: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], logs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tree: bool) -> None: ...

    def logs(self, codes: numpy.typing.NDArray[numpy.int32], threads: int) -> numpy.typing.NDArray[numpy.float64]:
        """
        Return the logarithms of the probabilities of all classes for each row, up to a number per row.
        Code -1 is a cell that is not known; where it cannot be summed over, the row gets NaN.
        """

class Completion:
    """Rows with unknown cells, made ready for a graph."""

    def __init__(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scope: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], most_cells: float) -> None: ...

    @property
    def needed(self) -> float:
        """
        The cells of all components together; nothing can be asked if they are above the limit.
        """

    @property
    def n_cases(self) -> int:
        """How many different cases are computed."""

    def known(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """
        Return how often each cell of all tables occurs in rows in which its family is known.
        """

    def expect(self, table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, stop: StopSignal | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], float]:
        """
        Return the expected counts of families with unknown cells, and the log-probability of what is
        known of them.
        """

    def log_likelihoods(self, table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Return the log-probability of the known cells of every row."""

    def complete(self, table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most_probable: bool, seed: int, cells: bool) -> tuple[Annotated[NDArray[numpy.uint16], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Return all codes with the unknown ones filled in, row after row, the log-probability of what was
        filled in per row, and that of each single cell if wanted.
        """

class TextEncoder:
    """
    Encodes delimited text that comes in blocks: each chosen column as codes into its labels.
    """

    def __init__(self, delimiter: str, n_columns: int, chosen: Sequence[int], n_threads: int, piece_size: int = 0) -> None: ...

    @property
    def block_size(self) -> int:
        """How many bytes a block should have."""

    def encode(self, text: numpy.typing.NDArray[numpy.uint8], more: bool) -> int | None:
        """
        Encode the rows of a block and return where the last one ends: if more text follows, it has to
        start there. None if a row has not n_columns cells or a cell has unsound quotes.
        """

    def take_columns(self) -> list[tuple[list[list[bytes]], list[tuple[int, numpy.typing.NDArray[numpy.unsignedinteger]]]]]:
        """
        Return, for each chosen column, some lists of labels, and the rows in runs: which of these lists
        a run takes its labels from, and their positions in it.
        """

def release_memory() -> None:
    """Give memory that is free back to the system."""
