# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.data.atomic import atomic_file as atomic_file
from bayesloom.data.discretization import Discretization as Discretization
from bayesloom.data.duckdb_source import DuckDBSource as DuckDBSource
from bayesloom.data.label import MOST_STATES as MOST_STATES
from bayesloom.data.network_rows import read_rows as read_rows
from bayesloom.data.network_rows import reading_for as reading_for
from bayesloom.data.reader import read as read
from bayesloom.data.reading import MISSING_STATE as MISSING_STATE
from bayesloom.data.reading import MissingPolicy as MissingPolicy
from bayesloom.data.reading import Reading as Reading
from bayesloom.data.states import read_states as read_states
from bayesloom.data.table import Table as Table
from bayesloom.data.writing import write_csv as write_csv
