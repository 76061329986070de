"""Whether tests hold their claims at few inputs and places (`make test`) or at all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random
from typing import TypeVar

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "repeatable")
QUICK = PROFILE == "quick"

_T = TypeVar("_T")


def some_of(places: Sequence[_T], n: int) -> Sequence[_T]:
    """Return all places or, where there is little time, n of them, the same in every run."""
    return Random(7).sample(places, n) if QUICK and len(places) > n else places
