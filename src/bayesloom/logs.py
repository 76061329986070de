"""Notes and doubts for whoever listens: standard logging, under the name ``bayesloom``."""

from __future__ import annotations

import sys
from collections.abc import Iterable

LOGGER = "bayesloom"
"""The name of the logger: notes are INFO, doubts WARNING."""

DOUBT = "taken as proposed: "
"""How a note begins on what was a guess."""


def log_notes(notes: Iterable[str]) -> None:
    """Hand notes to the logger ``bayesloom``; nothing is printed where nobody has set it up.

    Who listens has imported `logging`, which takes time; so it is not imported for others.

    Examples
    --------
    >>> import logging
    >>> log_notes(["kept as numbers: age"])
    """
    logging = sys.modules.get("logging")
    if logging is None:
        return
    logger = logging.getLogger(LOGGER)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    for note in notes:
        logger.log(logging.WARNING if note.startswith(DOUBT) else logging.INFO, "%s", note)
