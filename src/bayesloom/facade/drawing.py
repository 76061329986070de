"""Pictures of whatever has a graph."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesloom.errors import OptionError
from bayesloom.facade.construction import NetworkLike, network
from bayesloom.graphs import JunctionForest

if TYPE_CHECKING:
    from bayesloom.facade.whole import Network
    from bayesloom.inference import Given
    from bayesloom.learning.record import Record
    from bayesloom.report import Drawing, Picture
    from bayesloom.report.network_drawing import View


def plot(
    what: NetworkLike | JunctionForest,
    path: str | os.PathLike[str] | None = None,
    *,
    view: View | None = None,
    probabilities: bool = False,
    given: Given | None = None,
    highlight: str | None = None,
    against: NetworkLike | None = None,
    scale: float | None = None,
) -> Picture:
    """Draw a network or a graph; what has arrows is drawn with arrows.

    Dashed arrows of a DAG might as well point the other way: an equivalent network has them so.

    Parameters
    ----------
    what : network, graph or path
        What `learn` or `load` returned, a graph made by hand, arrows as a text, or a file.
    path : str or path, optional
        An ``.svg`` or ``.png`` file to write, whole or not at all.
    view, probabilities, given, highlight, against, scale
        What to show; see `Network.plot`.

    Raises
    ------
    FileFormatError, OptionError
        As for `Network.plot`, or if this cannot be drawn.

    Examples
    --------
    >>> from bayesloom.graphs import DAG
    >>> plot(DAG.from_edges([("smoke", "lung"), ("smoke", "bronchitis")])).title
    'Network with 3 nodes and 2 edges'
    """
    if not isinstance(what, JunctionForest):
        return network(what).plot(
            path,
            view=view,
            probabilities=probabilities,
            given=given,
            highlight=highlight,
            against=against,
            scale=scale,
        )
    from bayesloom.report import Picture
    from bayesloom.report.drawing import forest_drawing
    from bayesloom.report.picture import check_picture_path

    if view or probabilities or given or highlight or against is not None:
        msg = (
            "a junction forest has neither directions nor states: leave out view, probabilities, "
            "given, highlight and against"
        )
        raise OptionError(msg)
    if path is not None:
        check_picture_path(path)
    picture = Picture.of(forest_drawing(what))
    if path is not None:
        picture.save(path, scale)
    return picture


@dataclass(frozen=True, slots=True)
class Wish:
    """What a picture of a network shall show; the fields are options of `Network.plot`."""

    view: View | None = None
    junction_forest: bool = False
    probabilities: bool = False
    given: Given | None = None
    highlight: str | None = None
    against: NetworkLike | None = None


def check_wish(wish: Wish) -> None:
    """Raise if what a picture shall show does not go together.

    Raises
    ------
    OptionError
        If it does not.

    Examples
    --------
    >>> check_wish(Wish(given={"rain": "yes"}))
    Traceback (most recent call last):
    bayesloom.errors.OptionError: given is for probabilities; ask for these too
    """
    shown = wish.probabilities or wish.highlight is not None
    if wish.given is not None and not wish.probabilities:
        msg = "given is for probabilities; ask for these too"
        raise OptionError(msg)
    if wish.junction_forest and (shown or wish.view or wish.against is not None):
        msg = "a junction forest is a picture of its own; ask for it alone"
        raise OptionError(msg)
    if wish.against is not None and (shown or wish.view):
        msg = "the difference of two networks is a picture of its own; ask for it alone"
        raise OptionError(msg)


def network_picture(net: Network, wish: Wish, record: Record | None) -> Picture:
    """Draw a network as it is wished, with what the record of its search tells."""
    from bayesloom.report import Picture

    return Picture.of(_drawing(net, wish, record))


def _drawing(net: Network, wish: Wish, record: Record | None) -> Drawing:
    from bayesloom.report.drawing import forest_drawing

    if wish.junction_forest:
        return forest_drawing(net.junction_forest)
    if wish.against is not None:
        from bayesloom.report.difference import difference_drawing

        other = network(wish.against)
        return difference_drawing(net.graph, net.extension, other.graph, other.extension)
    from bayesloom.report import emphasis
    from bayesloom.report.network_drawing import network_drawing, recorded_drawing

    if record is None:
        drawing = network_drawing(net.graph, net.extension, view=wish.view)
    else:
        drawing = recorded_drawing(net.graph, net.extension, record, wish.view)
    if wish.highlight is not None:
        blanket = net.markov_blanket(wish.highlight)
        drawing = emphasis.with_blanket(drawing, wish.highlight, blanket)
    if not wish.probabilities:
        return drawing
    from bayesloom.inference import compile_net

    found = compile_net(net.net).posteriors(given=wish.given)
    shares = {name: table.tolist() for name, table in found.arrays.items()}
    return emphasis.with_probabilities(drawing, found.states, shares, found.known.states)
