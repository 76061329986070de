# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.search.conflict import Conflict as Conflict
from bayesloom.search.conflict import Opposition as Opposition
from bayesloom.search.constraint.aracne import ARACNE as ARACNE  # search aracne
from bayesloom.search.constraint.grow_shrink import GrowShrink as GrowShrink  # search gs
from bayesloom.search.constraint.iamb import IAMB as IAMB  # search iamb
from bayesloom.search.constraint.iamb import Variant as Variant
from bayesloom.search.constraint.miic import MIIC as MIIC  # search miic
from bayesloom.search.constraint.mmhc import MMHC as MMHC  # search mmhc
from bayesloom.search.constraint.parents_children import MMPC as MMPC
from bayesloom.search.constraint.pc import PC as PC  # search pc
from bayesloom.search.constraint.restricted import Restricted as Restricted
from bayesloom.search.constraint.tester import Inconclusive as Inconclusive
from bayesloom.search.dag.chow_liu import ChowLiu as ChowLiu  # search chow-liu
from bayesloom.search.dag.chow_liu import SpanningTree as SpanningTree
from bayesloom.search.dag.hill_climbing import HillClimbing as HillClimbing  # search hc
from bayesloom.search.dag.k2 import K2 as K2  # search k2
from bayesloom.search.dag.naive_bayes import NaiveBayes as NaiveBayes  # search nb
from bayesloom.search.dag.order_search import OrderSearch as OrderSearch  # search order
from bayesloom.search.dag.tabu import Tabu as Tabu  # search tabu
from bayesloom.search.dag.tan import TAN as TAN  # search tan
from bayesloom.search.dependency import Dependency as Dependency
from bayesloom.search.dependency import Separation as Separation
from bayesloom.search.dependency import Triangle as Triangle
from bayesloom.search.dependency import Weighing as Weighing
from bayesloom.search.equivalence.boss import BOSS as BOSS  # search boss
from bayesloom.search.equivalence.ges import GES as GES  # search ges
from bayesloom.search.equivalence.xges import XGES as XGES  # search xges
from bayesloom.search.exact.candidate_file import load_candidates as load_candidates
from bayesloom.search.exact.candidate_file import save_candidates as save_candidates
from bayesloom.search.exact.candidates import CandidateSets as CandidateSets
from bayesloom.search.exact.candidates import ParentSet as ParentSet
from bayesloom.search.exact.exact import Exact as Exact  # search exact
from bayesloom.search.exact.levels import find_candidates as find_candidates
from bayesloom.search.exact.solving import ExactMethod as ExactMethod
from bayesloom.search.imap.covering import Mode as Mode
from bayesloom.search.imap.il import IL as IL
from bayesloom.search.imap.shorthand import IGES as IGES  # search iges
from bayesloom.search.imap.shorthand import IHC as IHC  # search ihc
from bayesloom.search.imap.shorthand import IXGES as IXGES  # search ixges
from bayesloom.search.knowledge import Knowledge as Knowledge
from bayesloom.search.limits import Limits as Limits
from bayesloom.search.markov.dmn import DMN as DMN  # search dmn
from bayesloom.search.markov.pseudo_independence import PseudoIndependence as PseudoIndependence
from bayesloom.search.markov.pseudo_independence import (
    find_pseudo_independence as find_pseudo_independence,
)
from bayesloom.search.markov.through_dmn import ThroughDMN as ThroughDMN
from bayesloom.search.proof import Proof as Proof
from bayesloom.search.restriction import CandidateRule as CandidateRule
from bayesloom.search.restriction import Candidates as Candidates
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
from bayesloom.search.structural_em import StructuralEM as StructuralEM  # search structural-em
from bayesloom.search.tally import TestTally as TestTally
from bayesloom.search.watch import Budget as Budget
from bayesloom.search.watch import Watch as Watch
