"""An engine whose rows live in the workers of a Dask cluster."""
