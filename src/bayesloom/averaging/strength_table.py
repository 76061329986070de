"""The strengths of pairs in a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bayesloom.errors import UnknownVariableError
from bayesloom.graphs.text import counted
from bayesloom.grid import Grid, NamedColumns, Tabular, label
from bayesloom.learning.confidence import Confidence, PairStrength


@dataclass(frozen=True, slots=True, repr=False)
class StrengthTable(Tabular):
    """How often every pair is joined, the strongest first; pairs that never are are left out.

    Parameters
    ----------
    confidence : Confidence
        What is told.
    links : bool
        Whether edges have no directions, as those of Markov networks.
    names : tuple of str
        All variables.

    Examples
    --------
    >>> pairs = PairStrength("A", "B", 0.935, 0.8), PairStrength("B", "C", 0.2, 0.5)
    >>> print(StrengthTable(Confidence(200, pairs, 0.5)))
    2 pairs, strongest first; 1 above the threshold 0.500
      edge    strength  direction  significant
      A -> B     0.935      0.800  yes
      B - C      0.200      0.500
      strength: share of 200 resamples that join the two
      direction: share of these with the first as parent, an undirected edge as half
    """

    confidence: Confidence
    links: bool = False
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.confidence.pairs)

    def __iter__(self) -> Iterator[PairStrength]:
        return iter(self.confidence.pairs)

    def __getitem__(self, pair: tuple[str, str]) -> PairStrength:
        """Return the row of two variables, with these as its first and second.

        Two that are never joined have strength 0 and direction 0.5.

        Raises
        ------
        UnknownVariableError
            If there is no such variable.
        """
        known = self.names or {name for row in self for name in (row.x, row.y)}
        for name in pair:
            if name not in known:
                raise UnknownVariableError(name, sorted(known))
        found = self.confidence.pair(*pair)
        strength = 0.0 if found is None else found.strength
        return PairStrength(*pair, strength, self.confidence.direction(*pair))

    __repr__ = Tabular.__str__

    def is_significant(self, pair: PairStrength) -> bool:
        """Say whether a pair is above the threshold; one that is always joined is."""
        return pair.strength > self.confidence.threshold or pair.strength == 1

    def _columns(self) -> NamedColumns:
        keys = PairStrength._fields
        rows: list[tuple[str, list[object]]] = [
            (key, [getattr(row, key) for row in self]) for key in keys
        ]
        return [*rows, ("significant", [self.is_significant(row) for row in self])]

    def _grid(self, most: int | None) -> Grid:
        rows = []
        for row in self:
            mark = "-" if self.links or row.direction == 0.5 else "->"  # noqa: PLR2004 - a half
            way = () if self.links else (f"{row.direction:.3f}",)
            sure = "yes" if self.is_significant(row) else ""
            edge = f"{label(row.x)} {mark} {label(row.y)}"
            rows.append((edge, f"{row.strength:.3f}", *way, sure))
        heads = ("link" if self.links else "edge", "strength", "direction", "significant")
        shown = tuple(head for head in heads if head != "direction" or not self.links)
        above = sum(map(self.is_significant, self))
        threshold = f"{above:,} above the threshold {self.confidence.threshold:.3f}"
        return Grid(
            f"{counted(len(self), 'pair')}, strongest first; {threshold}",
            shown,
            rows[:most],
            1,
            more=len(rows) - len(rows[:most]),
            noun="pair",
            notes=self._notes(),
            left=frozenset({len(shown) - 1}),
        )

    def _notes(self) -> tuple[str, ...]:
        told = self.confidence
        if told.of != "resamples":
            what = f"strength: posterior probability of an edge, from {told.networks:,} {told.of}"
        else:
            what = f"strength: share of {told.networks:,} {told.of} that join the two"
        way = "direction: share of these with the first as parent, an undirected edge as half"
        return (what,) if self.links else (what, way)
