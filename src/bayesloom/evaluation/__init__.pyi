# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.evaluation.divergence import entropy as entropy
from bayesloom.evaluation.divergence import kl_divergence as kl_divergence
from bayesloom.evaluation.evaluation import Evaluation as Evaluation
from bayesloom.evaluation.evaluation import evaluate as evaluate
from bayesloom.evaluation.loss import log_loss as log_loss
