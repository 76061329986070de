# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.classification.attribute import Attribute as Attribute
from bayesloom.classification.attribute import Unseen as Unseen
from bayesloom.classification.cases import Cases as Cases
from bayesloom.classification.classifier import Classifier as Classifier
from bayesloom.classification.classifier_file import load_classifier as load_classifier
from bayesloom.classification.classifier_file import save_classifier as save_classifier
from bayesloom.classification.cutting import Cutting as Cutting
from bayesloom.classification.cutting import NumberCutting as NumberCutting
from bayesloom.classification.explanation import ClassExplanation as ClassExplanation
from bayesloom.classification.explanation import Contribution as Contribution
from bayesloom.classification.training import Training as Training
from bayesloom.classification.training import train as train
from bayesloom.classification.validation import Validation as Validation
from bayesloom.classification.validation import cross_validate as cross_validate
