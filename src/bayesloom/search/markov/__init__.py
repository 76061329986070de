"""Searches for decomposable Markov networks, link by link and by sets of links."""

__all__: list[str] = []
