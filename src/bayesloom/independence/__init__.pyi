# The public names for type checkers; __init__.py says where they live, a test compares the two.
from bayesloom.independence.control import LORD as LORD
from bayesloom.independence.control import SAFFRON as SAFFRON
from bayesloom.independence.control import AlphaSpending as AlphaSpending
from bayesloom.independence.control import BenjaminiHochberg as BenjaminiHochberg
from bayesloom.independence.control import Control as Control
from bayesloom.independence.control import Decider as Decider
from bayesloom.independence.control import FixedAlpha as FixedAlpha
from bayesloom.independence.test import ChiSquare as ChiSquare
from bayesloom.independence.test import Coverage as Coverage
from bayesloom.independence.test import GSquare as GSquare
from bayesloom.independence.test import IndependenceTest as IndependenceTest
from bayesloom.independence.test import TestResults as TestResults
