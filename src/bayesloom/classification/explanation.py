"""Why a row is told to be of a class: what every attribute adds to the log-odds."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesloom.arrays import Ints
from bayesloom.errors import OptionError, UnknownStateError, shown

if TYPE_CHECKING:
    from bayesloom.classification.classifier import Classifier
    from bayesloom.report import Picture


@dataclass(frozen=True, slots=True)
class Contribution:
    """What an attribute adds to the log-odds.

    Parameters
    ----------
    name, state : str
        The attribute and what it is.
    log_odds : float
        By how much it raises the logarithm of the odds; infinite if it rules a class out.
    """

    name: str
    state: str
    log_odds: float


@dataclass(frozen=True, slots=True)
class ClassExplanation:
    """What speaks for one class and against another.

    Parameters
    ----------
    target : str
        The class variable.
    label, against : str
        The class that is explained, and the one it is compared with.
    probability, other : float
        The probabilities of both.
    log_odds : float
        The natural logarithm of the odds of the two classes.
    prior : float
        The log-odds of the two before any attribute is known.
    contributions : tuple of Contribution
        What every known attribute adds, parents before their children: with the prior, their sum
        is the log-odds.
    """

    target: str
    label: str
    against: str
    probability: float
    other: float
    log_odds: float
    prior: float
    contributions: tuple[Contribution, ...]

    def strongest(self) -> tuple[Contribution, ...]:
        """Return the contributions, those that change most first."""
        return tuple(sorted(self.contributions, key=lambda part: -abs(part.log_odds)))

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        return asdict(self)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Picture:
        """Draw the contributions as bars; write them to an ``.svg`` or ``.png`` file.

        Raises
        ------
        FileFormatError
            If the ending is another or the file cannot be written.
        """
        from bayesloom.report.bars import Bar, bar_picture

        bars = [Bar("before any attribute", self.prior)]
        bars += [Bar(f"{part.name} = {part.state}", part.log_odds) for part in self.strongest()]
        title = (
            f"{self.target}: {self.label} {self.probability:.3g} against {self.against} "
            f"{self.other:.3g}"
        )
        ends = (f"for {self.against}", f"for {self.label}")
        picture = bar_picture(bars, title=title, ends=ends)
        if path is not None:
            picture.save(path)
        return picture

    def _repr_svg_(self) -> str:
        return str(self.plot())

    def __str__(self) -> str:
        one, other = shown(self.label), shown(self.against)
        lines = [
            f"{shown(self.target)}: {one} {self.probability:.4g} against {other} {self.other:.4g}",
            f"log-odds of {one} against {other}: {self.log_odds:.3f}",
            f"{self.prior:7.3f}  before any attribute",
        ]
        lines += [
            f"{part.log_odds:7.3f}  {shown(part.name)} = {shown(part.state)}"
            for part in self.strongest()
        ]
        return "\n".join(lines)


def explain_codes(
    classifier: Classifier, codes: Ints, label: str | None, against: str | None
) -> ClassExplanation:
    """Explain one row of codes; see `Classifier.explain`."""
    classes, names = classifier.classes, classifier.names
    for chosen in (label, against):
        if chosen is not None and chosen not in classes:
            raise UnknownStateError(classifier.target, chosen, classes)
    if len(classes) == 1 or (label is not None and label == against):
        msg = "an explanation compares two different classes; name another one"
        raise OptionError(msg)
    place = {name: v for v, name in enumerate(names)}
    order = [place[name] for name in classifier.net.dag.topological_order() if name in place]
    known = [v for v in order if codes[v] >= 0]
    told = np.full((len(names), len(known) + 1), -1, np.int32)
    for k, v in enumerate(known, start=1):
        told[v, k:] = codes[v]
    logs = classifier.log_probabilities(told)
    falling = np.argsort(-logs[-1], kind="stable").tolist()
    c = falling[0] if label is None else classes.index(label)
    other = next(k for k in falling if k != c) if against is None else classes.index(against)
    if c == other:
        c = next(k for k in falling if k != other)
    with np.errstate(invalid="ignore"):
        odds = logs[:, c] - logs[:, other]
        steps = np.nan_to_num(np.diff(odds), nan=0.0, posinf=np.inf, neginf=-np.inf)
    parts = [
        Contribution(names[v], classifier.net.states_of(names[v])[codes[v]], step)
        for v, step in zip(known, steps.tolist(), strict=True)
    ]
    return ClassExplanation(
        classifier.target,
        classes[c],
        classes[other],
        float(np.exp(logs[-1, c])),
        float(np.exp(logs[-1, other])),
        float(odds[-1]),
        float(odds[0]),
        tuple(parts),
    )
