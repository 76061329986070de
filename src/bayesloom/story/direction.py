"""What a direction rests on."""

from __future__ import annotations

from enum import Enum


class Direction(Enum):
    """What settles the direction of an edge."""

    COMPELLED = "compelled"
    FREE = "free"
    KNOWLEDGE = "knowledge"
    MODEL = "model"
