"""The explanation of a score: what was computed, with which settings, term by term."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.registry import option_text


@dataclass(frozen=True, slots=True)
class LocalTerm:
    """The part one variable and its parents have in a score."""

    variable: str
    parents: tuple[str, ...]
    free_parameters: float
    value: float


@dataclass(frozen=True, slots=True, repr=False)
class ScoreExplanation:
    """A score taken apart; prints as a readable table.

    Parameters
    ----------
    name, formula : str
        The score and its local term.
    settings : dict
        Options that change the value.
    n_rows : int
        Rows of the table, N.
    terms : tuple of LocalTerm
        One per variable, in column order.
    value : float
        Their sum, in nats.
    """

    name: str
    formula: str
    settings: dict[str, float | str]
    n_rows: int
    terms: tuple[LocalTerm, ...]
    value: float

    def __str__(self) -> str:
        settings = ", ".join(
            f"{key} = {option_text(value)}" for key, value in self.settings.items()
        )
        families = [
            f"{term.variable} | {', '.join(term.parents)}" if term.parents else term.variable
            for term in self.terms
        ]
        width = max(len("family"), *map(len, families))
        rows = [
            f"{family:<{width}}  {term.free_parameters:>10.0f}  {term.value:>18.6f}"
            for family, term in zip(families, self.terms, strict=True)
        ]
        free = sum(term.free_parameters for term in self.terms)
        settings = settings or "no structure prior"
        lines = [
            f"{self.name}: {self.formula}",
            f"natural logarithms, larger is better; N = {self.n_rows}; {settings}",
            "",
            f"{'family':<{width}}  {'parameters':>10}  {'local score':>18}",
            *rows,
            f"{'sum':<{width}}  {free:>10.0f}  {self.value:>18.6f}",
        ]
        return "\n".join(lines)

    __repr__ = __str__
