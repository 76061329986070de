"""Tables of discrete data: read, checked, coded and written."""

from bayesloom.data.atomic import atomic_file
from bayesloom.data.label import MOST_STATES
from bayesloom.data.options import MISSING_STATE, Discretization, MissingPolicy
from bayesloom.data.reading import read
from bayesloom.data.states import read_states
from bayesloom.data.table import Table
from bayesloom.data.writing import write_csv

__all__ = [
    "MISSING_STATE",
    "MOST_STATES",
    "Discretization",
    "MissingPolicy",
    "Table",
    "atomic_file",
    "read",
    "read_states",
    "write_csv",
]
