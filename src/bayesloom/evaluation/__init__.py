"""How good a learned network is: divergence, structure, and loss on data."""

from bayesloom.evaluation.divergence import entropy, kl_divergence
from bayesloom.evaluation.evaluation import Evaluation, evaluate
from bayesloom.evaluation.loss import log_loss

__all__ = ["Evaluation", "entropy", "evaluate", "kl_divergence", "log_loss"]
