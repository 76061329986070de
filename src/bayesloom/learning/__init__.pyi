# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.learning.default import DEFAULT_SEARCH as DEFAULT_SEARCH
from bayesloom.learning.edge_strength import EdgeStrength as EdgeStrength
from bayesloom.learning.named_step import NamedDependency as NamedDependency
from bayesloom.learning.named_step import NamedMove as NamedMove
from bayesloom.learning.named_step import NamedStep as NamedStep
from bayesloom.learning.record import Record as Record
from bayesloom.learning.record import ScoreValue as ScoreValue
