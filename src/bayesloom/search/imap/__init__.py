"""I-map learning: local search that has to cover the dependencies which tests detect."""

__all__: list[str] = []
