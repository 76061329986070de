"""An engine whose rows live in the workers of a Dask cluster."""

__all__: list[str] = []
