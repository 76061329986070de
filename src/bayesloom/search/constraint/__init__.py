"""Searches that only test: skeletons and blankets by independence, directions by what separates."""

__all__: list[str] = []
