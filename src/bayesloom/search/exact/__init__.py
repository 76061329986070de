"""Exact learning: the best network of all, with a proof, or a bound on how far the best can be."""

__all__: list[str] = []
