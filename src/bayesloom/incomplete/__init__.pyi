# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.incomplete.expectation import EM as EM
from bayesloom.incomplete.expectation import EvenPrior as EvenPrior
from bayesloom.incomplete.expectation import Halt as Halt
from bayesloom.incomplete.expectation import maximise as maximise
from bayesloom.incomplete.run import EMRun as EMRun
from bayesloom.incomplete.smoothing import dirichlet_mean as dirichlet_mean
