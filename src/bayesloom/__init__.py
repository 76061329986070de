"""Learn Bayesian networks and decomposable Markov networks from discrete data."""
