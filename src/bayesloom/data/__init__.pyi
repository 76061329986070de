# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.data.atomic import atomic_file as atomic_file
from bayesloom.data.label import MOST_STATES as MOST_STATES
from bayesloom.data.options import MISSING_STATE as MISSING_STATE
from bayesloom.data.options import Discretization as Discretization
from bayesloom.data.options import MissingPolicy as MissingPolicy
from bayesloom.data.reading import read as read
from bayesloom.data.states import read_states as read_states
from bayesloom.data.table import Table as Table
from bayesloom.data.writing import write_csv as write_csv
