# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.model.any_net import AnyNet as AnyNet
from bayesloom.model.any_net import as_bayes_net as as_bayes_net
from bayesloom.model.bayes_net import BayesNet as BayesNet
from bayesloom.model.completion_fit import fit_em as fit_em
from bayesloom.model.conditional import ConditionalTable as ConditionalTable
from bayesloom.model.conditional import conditional_table as conditional_table
from bayesloom.model.decomposable_net import DecomposableNet as DecomposableNet
from bayesloom.model.example import EXAMPLES as EXAMPLES
from bayesloom.model.example import example_net as example_net
from bayesloom.model.files import load_net as load_net
from bayesloom.model.files import save_net as save_net
from bayesloom.model.likelihood import log_likelihood as log_likelihood
from bayesloom.model.likelihood import row_log_likelihoods as row_log_likelihoods
from bayesloom.model.net_data import engine_for as engine_for
from bayesloom.model.net_data import table_for as table_for
from bayesloom.model.parameters import BDeuMean as BDeuMean  # estimator bdeu
from bayesloom.model.parameters import Estimator as Estimator
from bayesloom.model.parameters import Laplace as Laplace  # estimator laplace
from bayesloom.model.parameters import MaximumLikelihood as MaximumLikelihood  # estimator ml
from bayesloom.model.parameters import TANSmoothing as TANSmoothing  # estimator tan
from bayesloom.model.parameters import fit_net as fit_net
from bayesloom.model.pseudo_independent import embedded_pi as embedded_pi
from bayesloom.model.pseudo_independent import full_pi as full_pi
from bayesloom.model.pseudo_independent import partial_pi as partial_pi
from bayesloom.model.sampling import draw_rows as draw_rows
from bayesloom.model.simulate import random_dag as random_dag
from bayesloom.model.simulate import random_net as random_net
