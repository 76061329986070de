# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.search.dag.chow_liu import ChowLiu as ChowLiu  # search chow-liu
from bayesloom.search.dag.chow_liu import SpanningTree as SpanningTree
from bayesloom.search.dag.hill_climbing import HillClimbing as HillClimbing  # search hc
from bayesloom.search.dag.k2 import K2 as K2  # search k2
from bayesloom.search.dag.naive_bayes import NaiveBayes as NaiveBayes  # search nb
from bayesloom.search.dag.order_search import OrderSearch as OrderSearch  # search order
from bayesloom.search.dag.tabu import Tabu as Tabu  # search tabu
from bayesloom.search.dag.tan import TAN as TAN  # search tan
from bayesloom.search.dependency import Dependency as Dependency
from bayesloom.search.dependency import TestTally as TestTally
from bayesloom.search.equivalence.ges import GES as GES  # search ges
from bayesloom.search.equivalence.xges import XGES as XGES  # search xges
from bayesloom.search.imap.covering import Mode as Mode
from bayesloom.search.imap.il import IGES as IGES  # search iges
from bayesloom.search.imap.il import IHC as IHC  # search ihc
from bayesloom.search.imap.il import IL as IL
from bayesloom.search.knowledge import Knowledge as Knowledge
from bayesloom.search.limits import Limits as Limits
from bayesloom.search.markov.dmn import DMN as DMN  # search dmn
from bayesloom.search.markov.pseudo_independence import PseudoIndependence as PseudoIndependence
from bayesloom.search.markov.pseudo_independence import (
    find_pseudo_independence as find_pseudo_independence,
)
from bayesloom.search.markov.through_dmn import ThroughDMN as ThroughDMN
from bayesloom.search.result import LinkChange as LinkChange
from bayesloom.search.result import Reason as Reason
from bayesloom.search.result import ScoredResult as ScoredResult
from bayesloom.search.result import SearchResult as SearchResult
from bayesloom.search.result import Step as Step
from bayesloom.search.result import Stop as Stop
from bayesloom.search.search import BaseSearch as BaseSearch
from bayesloom.search.search import Search as Search
from bayesloom.search.search import facts_of as facts_of
from bayesloom.search.start import Start as Start
from bayesloom.search.watch import Budget as Budget
from bayesloom.search.watch import Watch as Watch
