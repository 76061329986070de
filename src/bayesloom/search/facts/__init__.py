"""Facts: what a search did and found; its variables are indices, in a record names."""

__all__: list[str] = []
