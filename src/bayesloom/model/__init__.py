"""Networks with their parameters: made, fitted, sampled, read and written."""

from bayesloom.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "bayes_net": "BayesNet",
        "decomposable_net": "DecomposableNet as_bayes_net",
        "files": "load save",
        "likelihood": "log_likelihood row_log_likelihoods",
        "parameters": "BDeuMean Estimator Laplace MaximumLikelihood fit",
        "pseudo_independent": "embedded_pi full_pi partial_pi",
        "sampling": "sample",
        "simulate": "random_dag random_net",
    },
)
