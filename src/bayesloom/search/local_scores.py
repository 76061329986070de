"""A memory of local scores, asked for in batches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import NONE, Floats
from bayesloom.graphs import bits
from bayesloom.scores import Score


@dataclass(slots=True)
class LocalScores:
    """Local scores by child and parent mask; what is missing is asked for in one batch.

    ``rows[child, base]`` holds the scores of the child given the base and each one further parent,
    NaN where it was never asked for.
    """

    engine: Engine
    score: Score
    families: dict[tuple[int, int], float] = field(default_factory=dict)
    rows: dict[tuple[int, int], Floats] = field(default_factory=dict)
    known: dict[tuple[int, int], int] = field(default_factory=dict)

    def __getitem__(self, family: tuple[int, int]) -> float:
        """Return the score of a family that has been asked for."""
        return self.families[family]

    def ask(
        self,
        rows: Sequence[tuple[int, int, int]],
        families: Iterable[tuple[int, int]] = (),
    ) -> None:
        """Make sure that scores are known, with one batch for all that are not.

        Parameters
        ----------
        rows : sequence of (child, base, partners)
            The scores of the child given the base alone, and with each of the partners (a mask).
        families : (child, parents) pairs
            Single families.
        """
        wanted: dict[tuple[int, int], int] = {}
        alone = dict.fromkeys(key for key in families if key not in self.families)
        for child, base, partners in rows:
            key = child, base
            missing = partners & ~self.known.get(key, 0)
            if missing:
                wanted[key] = wanted.get(key, 0) | missing
            if key not in self.families:
                alone[key] = None
        if not wanted and not alone:
            return
        open_ = {key: bits(mask) for key, mask in wanted.items()}
        requests: list[tuple[int, Sequence[int], Sequence[int]]] = [
            (key[0], bits(key[1]), xs) for key, xs in open_.items()
        ]
        for child, mask in alone:
            given = bits(mask)
            requests.append((child, given[:-1], given[-1:]) if given else (child, (), (NONE,)))
        values = self.score.local_scores(self.engine, Batch.of(requests))
        start = 0
        for key, xs in open_.items():
            row = self.rows.get(key)
            if row is None:
                row = self.rows[key] = np.full(self.engine.n_variables, np.nan)
            row[xs] = values[start : start + len(xs)]
            self.known[key] = self.known.get(key, 0) | wanted[key]
            start += len(xs)
        for key, value in zip(alone, values[start:].tolist(), strict=True):
            self.families[key] = value

    def __len__(self) -> int:
        return len(self.families) + sum(mask.bit_count() for mask in self.known.values())
