"""Counting, scoring and inference kernels of bayesloom"""

from collections.abc import Sequence
import enum
from typing import Annotated

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

def best_change(value: numpy.typing.NDArray[numpy.float64], local: numpy.typing.NDArray[numpy.float64], edge: numpy.typing.NDArray[numpy.bool_], path: numpy.typing.NDArray[numpy.bool_], required: numpy.typing.NDArray[numpy.bool_], floor: float, epsilon: float, barred: Sequence[tuple[OperatorKind, int, int]]) -> tuple[OperatorKind, int, int, float] | None:
    """
    Find the best legal change of one edge of a DAG that gains more than floor: its kind, x, y
    and gain. Gains within epsilon of the best are equal.
    """

def directed_paths(edge: numpy.typing.NDArray[numpy.bool_]) -> numpy.typing.NDArray[numpy.bool_]:
    """
    Find out which node reaches which by directed edges; every node reaches itself.
    """

class Store:
    def __init__(self, columns: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]], cardinality: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], isa: int = -1, threads: int = 1) -> None: ...

    @property
    def isa(self) -> int: ...

    @property
    def n_distinct(self) -> int: ...

    @property
    def observed(self) -> list[int]: ...

    def counts(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def families(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kernel: int, ess: float, price: float, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def families_with_prior(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ess: float, price: float, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def informations(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def tests(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kernel: int, threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def entropies(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, stop: StopSignal | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class CountedTables:
    def __init__(self, declared: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], observed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def families(self, kernel: int, ess: float, price: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def families_with_prior(self, ess: float, price: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def informations(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def tests(self, kernel: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def entropies(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def n_cells(target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def log_p_values(statistic: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], df: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def best_isa() -> int: ...

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

    def missing(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]] | None:
        """
        The arrays of a batch of all that was noted and is not known; None if there is nothing.
        """

    def fill(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take the answers to what was missing."""

    def give_up(self) -> None:
        """Forget what was noted and never filled."""

    def forget(self) -> None:
        """Forget everything."""

    def want_changes(self, child: int, parents: int, added: int, taken: int) -> None:
        """
        Note the families of a child after each one of some parents is added or taken away.
        """

    def write_changes(self, child: int, parents: int, added: int, taken: int, value: numpy.typing.NDArray[numpy.float64]) -> None:
        """
        Write their scores into the column of the child, by the parent changed; NaN elsewhere.
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

def elimination_order(states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scope: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

class Contractions:
    def __init__(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scope: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def posteriors(self, state: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], soft: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihood: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], set_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: int, most_bytes: float) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], float, float]: ...

    def explain(self, state: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], soft: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihood: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most_bytes: float) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float, float]: ...

class ClassOdds:
    def __init__(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], column_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], column: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], logs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tree: bool) -> None: ...

    def logs(self, codes: numpy.typing.NDArray[numpy.int32], threads: int) -> numpy.typing.NDArray[numpy.float64]:
        """
        Return the logarithms of the probabilities of all classes for each row, up to a number per row.
        Code -1 is a cell that is not known; where it cannot be summed over, the row gets NaN.
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
