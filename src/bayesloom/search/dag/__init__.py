"""Searches over directed acyclic graphs, one edge at a time or in an order of the variables."""

__all__: list[str] = []
