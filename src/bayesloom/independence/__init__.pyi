# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.independence.contingency import ChiSquare as ChiSquare
from bayesloom.independence.contingency import ContingencyTest as ContingencyTest
from bayesloom.independence.contingency import Coverage as Coverage
from bayesloom.independence.contingency import GSquare as GSquare
from bayesloom.independence.control import LORD as LORD
from bayesloom.independence.control import SAFFRON as SAFFRON
from bayesloom.independence.control import AlphaSpending as AlphaSpending
from bayesloom.independence.control import BenjaminiHochberg as BenjaminiHochberg
from bayesloom.independence.control import Control as Control
from bayesloom.independence.control import Decider as Decider
from bayesloom.independence.control import FixedAlpha as FixedAlpha
from bayesloom.independence.independence_test import IndependenceTest as IndependenceTest
from bayesloom.independence.independence_test import TestResults as TestResults
from bayesloom.independence.partial_correlation import FisherZ as FisherZ
from bayesloom.independence.partial_correlation import (
    PartialCorrelationTest as PartialCorrelationTest,
)
from bayesloom.independence.partial_correlation import StudentT as StudentT
from bayesloom.independence.verdict import IndependenceResult as IndependenceResult
from bayesloom.independence.verdict import test as test
