"""Counting, scoring and propagation kernels of bayesloom"""

from collections.abc import Sequence
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray


def best_change(value: numpy.typing.NDArray[numpy.float64], local: numpy.typing.NDArray[numpy.float64], edge: numpy.typing.NDArray[numpy.bool_], path: numpy.typing.NDArray[numpy.bool_], required: numpy.typing.NDArray[numpy.bool_], floor: float, epsilon: float, barred: Sequence[tuple[int, int, int]]) -> tuple[int, int, int, float] | None:
    """
    Find the best legal change of one edge of a DAG that gains more than floor: its kind (0 insert,
    1 delete, 2 reverse), x, y and gain. Gains within epsilon of the best are equal.
    """

def directed_paths(edge: numpy.typing.NDArray[numpy.bool_]) -> numpy.typing.NDArray[numpy.bool_]:
    """
    Find out which node reaches which by directed edges; every node reaches itself.
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

    def open_path(self, op: tuple[str, int, int, int, float]) -> int:
        """
        The nodes of a semi-directed path from y to x around the operator's clique; 0 if all are
        blocked. As long as no node of the path is touched, the path stays open.
        """

    def changed_by(self, op: tuple[str, int, int, int, float]) -> tuple[list[int], list[int]]:
        """
        The partially directed graph (parents, neighbours) that a valid operator leads to.
        """

    def after(self, op: tuple[str, int, int, int, float]) -> CPDAGState:
        """The class that a valid operator leads to."""

class Store:
    def __init__(self, columns: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]], cardinality: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], isa: int = -1) -> None: ...

    @property
    def isa(self) -> int: ...

    @property
    def n_distinct(self) -> int: ...

    @property
    def observed(self) -> list[int]: ...

    def counts(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def families(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: int, ess: float, price: float, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def families_with_prior(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ess: float, price: float, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def informations(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def tests(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], g_square: bool, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def entropies(self, target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def reduce_families(declared: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], observed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: int, ess: float, price: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def reduce_families_with_prior(declared: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], observed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ess: float, price: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def reduce_informations(declared: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], observed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def reduce_tests(declared: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], observed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], g_square: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def reduce_entropies(declared: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], observed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def n_cells(target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], partner_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], partner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def log_p_values(statistic: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], df: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def best_isa() -> int: ...

class Menu:
    """
    The operators of an equivalence class that end at one node, the best first.
    """

    def __init__(self) -> None:
        """A menu without operators."""

    def __len__(self) -> int: ...

    def at(self, place: int) -> tuple[float, int, int, tuple[int, ...], int, float] | None:
        """
        Rank, x, y, the other nodes as a tuple and as a mask, and gain; None behind the last.
        """

class LocalScores:
    """A memory of local scores that asks for what it lacks."""

    def __init__(self, n_nodes: int) -> None: ...

    @property
    def n_known(self) -> int:
        """How many scores are known."""

    @property
    def n_asked(self) -> int:
        """How many were asked for, those forgotten included."""

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

class Menus:
    """The menus of one kind, remembered by what surrounds their nodes."""

    def __init__(self, kind: int, allowed: Sequence[int], required: Sequence[int], most_parents: int, floor: float, tie: float) -> None:
        """
        Kind: 0 insert, 1 delete, 2 reverse. For every node, the nodes it may and must be adjacent to.
        """

    def want(self, scores: LocalScores, state: CPDAGState, nodes: int) -> None:
        """Note in the scores what the menus of some nodes (a mask) need."""

    def take(self, scores: LocalScores) -> list[tuple[int, Menu]]:
        """
        The menus wanted last, node by node: the operators that gain more than floor.
        """

def elimination_order(states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scope: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

class Propagation:
    def __init__(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scope: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def posteriors(self, state: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], soft: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihood: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], set_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: int, most_bytes: float) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], float, float]: ...

    def explain(self, state: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], soft: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihood: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most_bytes: float) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float, float]: ...

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
