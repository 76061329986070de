"""The learners that the study compares: scores, searches and controls."""

from __future__ import annotations

from bayesloom.independence import LORD, AlphaSpending, BenjaminiHochberg, Control, FixedAlpha
from bayesloom.scores import BIC, QNML, BDeu, BDm, Score
from bayesloom.search import GES, IGES, IXGES, XGES
from bayesloom_reproduction.measures import Learner

SCORES: dict[str, Score] = {
    "BIC": BIC(),
    "BDeu 1": BDeu(ess=1),
    "BDeu 10": BDeu(ess=10),
    "BDeu 10 s": BDeu(ess=10, sparsity=1),
    "BDm s": BDm(sparsity=1),
    "qNML": QNML(),
    "qNML g": QNML(guard=7),
    "qNML gs": QNML(guard=4, sparsity=0.5),
    "BIC s": BIC(sparsity=0.5),
}
"""g: with a guard, s: with the prior `sparsity`."""

CONTROLS: dict[str, Control] = {
    "1%": FixedAlpha(0.01),
    "BH": BenjaminiHochberg(0.05),
    "LORD": LORD(0.05),
}
"""Besides alpha spending, which all scores are combined with."""

TESTED = ("BIC", "BDm s")
"""The scores that all controls are combined with."""

SPENDING = AlphaSpending(0.05)

EARLIER, CHOSEN = "qNML gs IXGES", "BDm s IXGES"
"""What `bayesloom.learn` did before the study, and what it does by default since then."""


ALL = ("GES", "XGES", "IGES", "IXGES")
SEARCHES = {
    "BIC": ALL,
    "BIC s": ("XGES", "IXGES"),
    "BDeu 1": ("GES", "IGES"),
    "BDeu 10": ("GES", "IGES"),
    "BDeu 10 s": ("XGES",),
    "BDm s": ALL,
    "qNML": ("GES", "XGES", "IXGES"),
    "qNML g": ("XGES", "IXGES"),
    "qNML gs": ("GES", "XGES", "IXGES"),
}
"""The searches that each score is combined with.

XGES with BDeu takes minutes on 200 rows of win95pts, where BDeu asks for hundreds of edges.
"""


def learners() -> tuple[Learner, ...]:
    """Combine every score with its searches, and some with all controls.

    Examples
    --------
    >>> [learner.name for learner in learners()][:4]
    ['BIC GES', 'BIC XGES', 'BIC IGES', 'BIC IXGES']
    """
    found = [
        Learner(f"{name} {kind}", _search(kind, SCORES[name], SPENDING))
        for name, kinds in SEARCHES.items()
        for kind in kinds
    ]
    found += [
        Learner(f"{name} IXGES {rule}", _search("IXGES", SCORES[name], control))
        for name in TESTED
        for rule, control in CONTROLS.items()
    ]
    return tuple(found)


def _search(kind: str, score: Score, control: Control) -> GES | XGES | IGES | IXGES:
    match kind:
        case "GES":
            return GES(score=score)
        case "XGES":
            return XGES(score=score)
        case "IGES":
            return IGES(score=score, control=control)
    return IXGES(score=score, control=control)
