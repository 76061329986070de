"""Tables of discrete data: read, checked, coded and written."""

from bayesloom.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "atomic": "atomic_file",
        "label": "MOST_STATES",
        "options": "MISSING_STATE Discretization MissingPolicy",
        "reading": "read",
        "states": "read_states",
        "table": "Table",
        "writing": "write_csv",
    },
)
