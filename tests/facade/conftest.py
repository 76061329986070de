"""Tables drawn from known networks."""

from drawn_tables import asia as asia  # noqa: PLC0414
from drawn_tables import child as child  # noqa: PLC0414
from drawn_tables import large as large  # noqa: PLC0414
