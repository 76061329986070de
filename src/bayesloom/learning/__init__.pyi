# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.learning.default import DEFAULT_SEARCH as DEFAULT_SEARCH
from bayesloom.learning.edge_strength import EdgeStrength as EdgeStrength
from bayesloom.learning.record import Record as Record
from bayesloom.learning.record import ScoreValue as ScoreValue
