"""Learn Bayesian networks and decomposable Markov networks from discrete data.

Every public name is imported when it is first used, so that ``import bayesloom`` costs nothing.
A new name is one entry in ``_HOMES`` and one line in ``__init__.pyi``; a test compares the two.
"""

__version__ = "0.1.0"

_HOMES = {
    "bayesloom.data": "Table read read_states write_csv",
    "bayesloom.engine": "NativeEngine",
    "bayesloom.evaluation": "Evaluation evaluate kl_divergence log_loss",
    "bayesloom.graphs": "CPDAG DAG PDAG ChordalGraph Crux JunctionForest crux",
    "bayesloom.independence": (
        "AlphaSpending BenjaminiHochberg ChiSquare Coverage FixedAlpha GSquare LORD SAFFRON"
    ),
    "bayesloom.inference": "CompiledNet Posterior compile_net query",
    "bayesloom.learning": "Learned Story learn",
    "bayesloom.model": (
        "BDeuMean BayesNet DecomposableNet Laplace MaximumLikelihood embedded_pi fit full_pi load"
        " log_likelihood partial_pi random_dag random_net sample save"
    ),
    "bayesloom.scores": (
        "AIC BIC BDe BDeu K2Score LogLikelihood delta_entropy delta_parameters model_entropy"
        " model_parameters"
    ),
    "bayesloom.search": (
        "ChowLiu DMN GES HillClimbing IGES IHC IL K2 Knowledge Mode OrderSearch SpanningTree Start"
        " Stop Tabu ThroughDMN XGES find_pseudo_independence"
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = ["__version__", *sorted(_HOME_OF), "errors"]  # noqa: PLE0604 - all are texts


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "errors":
        return import_module("bayesloom.errors")
    home = _HOME_OF.get(name)
    if home is None:
        msg = f"module 'bayesloom' has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
