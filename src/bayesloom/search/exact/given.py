"""Candidate sets that a user gives: fitted to the data and the limits of a search."""

from __future__ import annotations

from dataclasses import replace

from bayesloom.engine import Engine
from bayesloom.errors import DataError, KnowledgeError, listed
from bayesloom.graphs import bits
from bayesloom.scores import Score
from bayesloom.scores.score import checked_scores, family_batch
from bayesloom.search.exact.candidates import CandidateSets, ParentSet, in_order
from bayesloom.search.limits import Limits

_DIGITS = 1e-6  # share of a score by which files may round it


def fitted_candidates(
    candidates: CandidateSets, score: Score, engine: Engine, limits: Limits
) -> CandidateSets:
    """Return the candidates that limits allow, with the scores that the data give them.

    Raises
    ------
    DataError
        If they are candidates of other variables, or of other data, or with another score.
    KnowledgeError
        If edges are required: sets that are worse than a subset are not among candidates.
    """
    _check_names(candidates.names, engine.names)
    for v, mask in enumerate(limits.required):
        if mask:
            edge = f"{limits.names[bits(mask)[0]]} -> {limits.names[v]}"
            msg = f"the edge {edge} is required, and given candidates know nothing of that; leave \
it out, or let the candidates be found"
            raise KnowledgeError(msg)
    families = [(v, s) for v, sets in enumerate(candidates.sets) for s in sets]
    batch = family_batch([(v, bits(s.parents)) for v, s in families])
    values = checked_scores(score, engine, batch).tolist()
    found: list[list[ParentSet]] = [[] for _ in candidates.names]
    for (v, s), value in zip(families, values, strict=True):
        if abs(value - s.score) > _DIGITS * max(1.0, abs(value)):
            who = _family(candidates.names, v, s.parents)
            msg = (
                f"the candidates are of other data or another score: {who} has {s.score:,.6f} "
                f"there and {value:,.6f} here; find them again"
            )
            raise DataError(msg)
        if not s.parents & ~limits.allowed[v] and s.parents.bit_count() <= limits.most:
            found[v].append(ParentSet(value, s.parents))
    for name, sets in zip(candidates.names, found, strict=True):
        if all(s.parents for s in sets):
            msg = f"the candidates of {name!r} lack the empty set, which every variable may have"
            raise DataError(msg)
    ordered = tuple(tuple(sorted(sets, key=in_order)) for sets in found)
    ceilings = tuple(sets[0].score for sets in ordered)
    return replace(candidates, sets=ordered, ceilings=ceilings, scored=len(values))


def _check_names(names: tuple[str, ...], known: tuple[str, ...]) -> None:
    lacks = [name for name in known if name not in names]
    besides = [name for name in names if name not in known]
    if lacks or besides:
        parts = [f"lack {listed(lacks)}"] if lacks else []
        parts += [f"have {listed(besides)} besides"] if besides else []
        msg = f"the candidates are of other data: they {' and '.join(parts)}"
        raise DataError(msg)


def _family(names: tuple[str, ...], v: int, parents: int) -> str:
    given = listed(names[p] for p in bits(parents))
    return f"{names[v]!r} given {given}" if given else f"{names[v]!r} without parents"
