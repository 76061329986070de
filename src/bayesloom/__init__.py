"""Learn Bayesian networks and decomposable Markov networks from discrete data.

Every public name is imported when it is first used, so that ``import bayesloom`` costs nothing.
A new name is one entry here and one line in ``__init__.pyi``; a test compares the two.
"""

from bayesloom.lazy import lazy_names

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "data": "Table read read_states write_csv",
        "engine": "NativeEngine",
        "evaluation": "Evaluation evaluate kl_divergence log_loss",
        "graphs": "CPDAG DAG PDAG ChordalGraph Crux JunctionForest crux",
        "independence": (
            "AlphaSpending BenjaminiHochberg ChiSquare Coverage FixedAlpha GSquare LORD SAFFRON"
        ),
        "inference": "CompiledNet Posterior compile_net query",
        "learning": "Learned Story learn",
        "model": (
            "BDeuMean BayesNet DecomposableNet Laplace MaximumLikelihood embedded_pi fit full_pi"
            " load log_likelihood partial_pi random_dag random_net sample save"
        ),
        "scores": (
            "AIC BIC BDe BDeu K2Score LogLikelihood delta_entropy delta_parameters model_entropy"
            " model_parameters"
        ),
        "search": (
            "ChowLiu DMN GES HillClimbing IGES IHC IL K2 Knowledge Mode OrderSearch SpanningTree"
            " Start Stop Tabu ThroughDMN XGES find_pseudo_independence"
        ),
    },
    modules="errors",
)
__all__ += ["__version__"]
