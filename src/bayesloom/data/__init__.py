"""Tables of discrete data: read, checked, coded and written."""

from bayesloom.data.table import MOST_STATES, Table

__all__ = ["MOST_STATES", "Table"]
