"""What a picture dwells on: a variable with its Markov blanket, and the probabilities of states."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from bayesloom.report.drawing import Drawing, Mark, StateBar


def with_blanket(drawing: Drawing, name: str, blanket: Collection[str]) -> Drawing:
    """Return a drawing in which a variable and its Markov blanket stand out.

    Examples
    --------
    >>> drawing = Drawing(("A", "B", "C"), (0, 0b001, 0b010))
    >>> [mark.value for mark in with_blanket(drawing, "A", ["B"]).marks.values()]
    ['focus', 'near', 'faded']
    """
    near = set(blanket)
    marks = {
        v: Mark.FOCUS if label == name else Mark.NEAR if label in near else Mark.FADED
        for v, label in enumerate(drawing.labels)
    }
    title = f"{drawing.title}, {name} and its Markov blanket"
    return replace(drawing, marks=marks, title=title)


def with_probabilities(
    drawing: Drawing,
    states: Mapping[str, Sequence[str]],
    shares: Mapping[str, Sequence[float]],
    known: Mapping[str, str],
) -> Drawing:
    """Return a drawing with the states of every variable and their probabilities in its box.

    Parameters
    ----------
    drawing : Drawing
        The network.
    states, shares : mappings
        For every variable the labels of its states and their probabilities.
    known : mapping
        The variables whose state is given; their boxes stand out.
    """
    bars = tuple(tuple(map(StateBar, states[name], shares[name])) for name in drawing.labels)
    marks = dict(drawing.marks)
    marks |= {v: Mark.OBSERVED for v, name in enumerate(drawing.labels) if name in known}
    told = ", ".join(f"{name} = {state}" for name, state in known.items())
    title = f"{drawing.title}, given {told}," if told else drawing.title
    return replace(drawing, bars=bars, marks=marks, title=title)
