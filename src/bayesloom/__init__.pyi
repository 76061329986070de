# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom import errors as errors
from bayesloom import sklearn as sklearn
from bayesloom.classification import ClassExplanation as ClassExplanation
from bayesloom.classification import Classifier as Classifier
from bayesloom.classification import load_classifier as load_classifier
from bayesloom.classification import save_classifier as save_classifier
from bayesloom.data import Reading as Reading
from bayesloom.data import Table as Table
from bayesloom.data import read as read
from bayesloom.data import read_states as read_states
from bayesloom.data import write_csv as write_csv
from bayesloom.engine import Batch as Batch
from bayesloom.engine import BlockEngine as BlockEngine
from bayesloom.engine import Engine as Engine
from bayesloom.engine import FamilyKernel as FamilyKernel
from bayesloom.engine import NativeEngine as NativeEngine
from bayesloom.engine import Reductions as Reductions
from bayesloom.engine import SparseTables as SparseTables
from bayesloom.engine import Tables as Tables
from bayesloom.engine import TestKernel as TestKernel
from bayesloom.evaluation import Evaluation as Evaluation
from bayesloom.evaluation import evaluate as evaluate
from bayesloom.evaluation import kl_divergence as kl_divergence
from bayesloom.evaluation import log_loss as log_loss
from bayesloom.graphs import CPDAG as CPDAG
from bayesloom.graphs import DAG as DAG
from bayesloom.graphs import PDAG as PDAG
from bayesloom.graphs import ChordalGraph as ChordalGraph
from bayesloom.graphs import Crux as Crux
from bayesloom.graphs import JunctionForest as JunctionForest
from bayesloom.graphs import crux as crux
from bayesloom.independence import *
from bayesloom.inference import CompiledNet as CompiledNet
from bayesloom.inference import Posterior as Posterior
from bayesloom.inference import compile_net as compile_net
from bayesloom.inference import query as query
from bayesloom.model import BayesNet as BayesNet
from bayesloom.model import BDeuMean as BDeuMean
from bayesloom.model import DecomposableNet as DecomposableNet
from bayesloom.model import Laplace as Laplace
from bayesloom.model import MaximumLikelihood as MaximumLikelihood
from bayesloom.model import TANSmoothing as TANSmoothing
from bayesloom.model import embedded_pi as embedded_pi
from bayesloom.model import fit as fit
from bayesloom.model import full_pi as full_pi
from bayesloom.model import load as load
from bayesloom.model import log_likelihood as log_likelihood
from bayesloom.model import partial_pi as partial_pi
from bayesloom.model import random_dag as random_dag
from bayesloom.model import random_net as random_net
from bayesloom.model import sample as sample
from bayesloom.model import save as save
from bayesloom.network import Learned as Learned
from bayesloom.network import learn as learn
from bayesloom.network import plot as plot
from bayesloom.registry import register as register
from bayesloom.scores import *
from bayesloom.search import *
from bayesloom.story import Story as Story

__version__: str
