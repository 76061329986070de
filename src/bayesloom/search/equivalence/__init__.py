"""Searches over equivalence classes of DAGs, by the operators of GES."""

__all__: list[str] = []
