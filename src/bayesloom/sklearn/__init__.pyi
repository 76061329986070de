# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.sklearn.bayes_net_classifier import BayesNetClassifier as BayesNetClassifier
from bayesloom.sklearn.discretizer import FrequencyDiscretizer as FrequencyDiscretizer
from bayesloom.sklearn.discretizer import MDLDiscretizer as MDLDiscretizer
from bayesloom.sklearn.discretizer import WidthDiscretizer as WidthDiscretizer
from bayesloom.sklearn.naive_bayes_classifier import NaiveBayesClassifier as NaiveBayesClassifier
from bayesloom.sklearn.tan_classifier import TANClassifier as TANClassifier
