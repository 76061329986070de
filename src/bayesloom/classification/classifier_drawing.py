"""The picture of a classifier: the class, what it points to, and what joins the attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom.graphs import bits
from bayesloom.report import Picture
from bayesloom.report.drawing import Drawing, Line

if TYPE_CHECKING:
    from bayesloom.classification.classifier import Classifier

_KEY = {Line.TURNABLE: "between the class and an attribute", Line.ARROW: "among attributes"}


def classifier_picture(classifier: Classifier) -> Picture:
    """Draw the network of a classifier; edges of the class are dashed.

    Examples
    --------
    >>> from bayesloom.classification import train
    >>> made = train({"play": ["no", "yes"] * 4, "wind": ["low", "high"] * 4}, "play")
    >>> classifier_picture(made).title
    'Classifier with 2 nodes and 1 edge'
    """
    dag = classifier.net.dag
    target = dag.names.index(classifier.target)
    lines = {
        (p, v): Line.TURNABLE if target in (p, v) else Line.ARROW
        for v, mask in enumerate(dag.parents)
        for p in bits(mask)
    }
    notes = {
        (p, v): f"{dag.names[p]} -> {dag.names[v]}: {_KEY[line]}" for (p, v), line in lines.items()
    }
    return Picture.of(
        Drawing(dag.names, dag.parents, lines, notes=notes, key=_KEY, title="Classifier")
    )
