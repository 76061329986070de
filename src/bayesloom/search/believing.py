"""Searches that count what is believed of arrows: their score gets the prior of Castelo, Siebes."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from bayesloom.errors import KnowledgeError, OptionError
from bayesloom.scores import Score
from bayesloom.scores.belief import BelievedScore
from bayesloom.search.knowledge import Knowledge
from bayesloom.search.limits import Limits
from bayesloom.search.search import Search

_CAN = "take a search over DAGs (HillClimbing, Tabu, OrderSearch, IHC or Exact)"


def believed_score(score: Score, knowledge: Knowledge, limits: Limits) -> Score:
    """Return a score that counts beliefs; the score itself if they say nothing.

    Examples
    --------
    >>> from bayesloom.scores import BIC
    >>> known = Knowledge(belief={("A", "B"): 0.8})
    >>> believed_score(BIC(), known, known.limits(("A", "B"))).equivalent
    False
    """
    beliefs = knowledge.beliefs
    if not beliefs:
        return score
    index = {name: v for v, name in enumerate(limits.names)}
    ends = [(pair.first, pair.second) for pair in beliefs]
    one_way = [
        (parent, child)
        for a, b in ends
        for parent, child in ((a, b), (b, a))
        if not limits.allowed[index[child]] >> index[parent] & 1
    ]
    return BelievedScore.over(score, beliefs, one_way)


def believing(search: Search, knowledge: Knowledge, limits: Limits) -> Search:
    """Return a search that maximises its score and the log prior of what is believed.

    Raises
    ------
    KnowledgeError
        If it maximises no score, or goes over equivalence classes in which the prior differs.

    Examples
    --------
    >>> from bayesloom.search import GES, PC
    >>> known = Knowledge(belief={("A", "B"): 0.8})
    >>> believing(PC(), known, known.limits(("A", "B")))
    Traceback (most recent call last):
    bayesloom.errors.KnowledgeError: PC cannot count beliefs, for it does not choose its arrows by \
a score; take a search over DAGs (HillClimbing, Tabu, OrderSearch, IHC or Exact)
    >>> believing(GES(), known, known.limits(("A", "B")))
    Traceback (most recent call last):
    bayesloom.errors.KnowledgeError: GES searches over equivalence classes, and beliefs that \
differ by direction do not give all graphs of a class one prior; take a search over DAGs \
(HillClimbing, Tabu, OrderSearch, IHC or Exact), or believe in both directions equally
    """
    if all(pair.is_even for pair in knowledge.beliefs):
        return search
    found: Search | None = _with_beliefs(search, knowledge, limits)
    if found is None:
        msg = (
            f"{type(search).__name__} cannot count beliefs, for it does not choose its arrows by a "
            f"score; {_CAN}"
        )
        raise KnowledgeError(msg)
    return found


def _with_beliefs(search: Any, knowledge: Knowledge, limits: Limits) -> Any:  # noqa: ANN401 - any search
    """Return a search with beliefs in the score that it maximises; None if there is none."""
    from bayesloom.search import DMN, MIIC, TAN, ChowLiu, NaiveBayes

    otherwise = (ChowLiu, NaiveBayes, TAN, DMN, MIIC)  # arrows are not chosen by their scores
    if not is_dataclass(search) or isinstance(search, (type, *otherwise)):
        return None
    known = {field.name: getattr(search, field.name) for field in fields(search)}
    if isinstance(known.get("score"), Score):
        score = believed_score(known["score"], knowledge, limits)
        try:
            return replace(search, score=score)
        except OptionError:
            if score.equivalent:
                raise
            name = type(search).__name__
            msg = (
                f"{name} searches over equivalence classes, and beliefs that differ by direction "
                f"do not give all graphs of a class one prior; {_CAN}, or believe in both "
                "directions equally"
            )
            raise KnowledgeError(msg) from None
    for part in ("then", "local"):
        if part in known:
            inner = _with_beliefs(known[part], knowledge, limits)
            return None if inner is None else replace(search, **{part: inner})
    return None
