# The public names for type checkers; __init__.py says where they live, a test compares the two.
from bayesloom.search.chow_liu import ChowLiu as ChowLiu
from bayesloom.search.chow_liu import SpanningTree as SpanningTree
from bayesloom.search.covering import Mode as Mode
from bayesloom.search.dependencies import Dependency as Dependency
from bayesloom.search.dependencies import TestTally as TestTally
from bayesloom.search.dmn import DMN as DMN
from bayesloom.search.ges import GES as GES
from bayesloom.search.hill_climbing import HillClimbing as HillClimbing
from bayesloom.search.il import IGES as IGES
from bayesloom.search.il import IHC as IHC
from bayesloom.search.il import IL as IL
from bayesloom.search.k2 import K2 as K2
from bayesloom.search.knowledge import Knowledge as Knowledge
from bayesloom.search.limits import Limits as Limits
from bayesloom.search.order_search import OrderSearch as OrderSearch
from bayesloom.search.pseudo_independence import PseudoIndependence as PseudoIndependence
from bayesloom.search.pseudo_independence import (
    find_pseudo_independence as find_pseudo_independence,
)
from bayesloom.search.result import LinkChange as LinkChange
from bayesloom.search.result import Reason as Reason
from bayesloom.search.result import SearchResult as SearchResult
from bayesloom.search.result import Step as Step
from bayesloom.search.result import Stop as Stop
from bayesloom.search.start import Start as Start
from bayesloom.search.tabu import Tabu as Tabu
from bayesloom.search.through_dmn import ThroughDMN as ThroughDMN
from bayesloom.search.watch import Budget as Budget
from bayesloom.search.watch import Watch as Watch
from bayesloom.search.xges import XGES as XGES
