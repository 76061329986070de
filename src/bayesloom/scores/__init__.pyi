# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.scores.decomposable import delta_entropy as delta_entropy
from bayesloom.scores.decomposable import delta_parameters as delta_parameters
from bayesloom.scores.decomposable import model_entropy as model_entropy
from bayesloom.scores.decomposable import model_parameters as model_parameters
from bayesloom.scores.dirichlet import BDe as BDe  # score bde
from bayesloom.scores.dirichlet import BDeu as BDeu  # score bdeu
from bayesloom.scores.dirichlet import BDs as BDs  # score bds
from bayesloom.scores.dirichlet import K2Score as K2Score  # score k2
from bayesloom.scores.explanation import ScoreExplanation as ScoreExplanation
from bayesloom.scores.information import AIC as AIC  # score aic
from bayesloom.scores.information import BIC as BIC  # score bic
from bayesloom.scores.information import LogLikelihood as LogLikelihood  # score loglik
from bayesloom.scores.nml import FNML as FNML  # score fnml
from bayesloom.scores.nml import QNML as QNML  # score qnml
from bayesloom.scores.node_average import PNAL as PNAL  # score pnal
from bayesloom.scores.score import Score as Score
from bayesloom.scores.score import check_complete as check_complete
from bayesloom.scores.score import check_score as check_score
from bayesloom.scores.score import free_parameters as free_parameters
