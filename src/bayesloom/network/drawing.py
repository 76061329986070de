"""Pictures of whatever has a graph."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bayesloom.errors import OptionError
from bayesloom.graphs import DAG, PDAG, ChordalGraph, JunctionForest
from bayesloom.learning.record import Record
from bayesloom.model import BayesNet, DecomposableNet
from bayesloom.network.learned import Learned

if TYPE_CHECKING:
    from bayesloom.report import Picture
    from bayesloom.report.network_drawing import View


def plot(
    what: Learned | BayesNet | DecomposableNet | DAG | PDAG | ChordalGraph | JunctionForest,
    path: str | os.PathLike[str] | None = None,
    *,
    view: View | None = None,
) -> Picture:
    """Draw a network or a graph; what has arrows is drawn with arrows.

    Dashed arrows of a DAG might as well point the other way: an equivalent network has them so.

    Parameters
    ----------
    what : network or graph
        What `learn` or `load` returned, or a graph made by hand.
    path : str or path, optional
        An ``.svg`` file to write, whole or not at all.
    view : "dag" or "class", optional
        Whether edges whose direction is free are arrows or lines without heads; by default as the
        network or graph has them.

    Returns
    -------
    Picture
        It shows itself in a notebook; ``str`` gives the text of the SVG file.

    Raises
    ------
    FileFormatError
        If the ending is another or the file cannot be written.
    OptionError
        If this cannot be drawn, or not in this view.

    Examples
    --------
    >>> plot(DAG.from_edges([("smoke", "lung"), ("smoke", "bronchitis")])).title
    'Network with 3 nodes and 2 edges'
    """
    from bayesloom.report import Picture
    from bayesloom.report.drawing import forest_drawing
    from bayesloom.report.network_drawing import network_drawing
    from bayesloom.report.picture import check_picture_path

    if isinstance(what, Learned):
        return what.plot(path, view=view)
    if path is not None:
        check_picture_path(path)
    if isinstance(what, JunctionForest):
        if view is not None:
            msg = f'a junction forest has no directions, so there is no view "{view}"; leave it out'
            raise OptionError(msg)
        picture = Picture.of(forest_drawing(what))
    elif isinstance(what, DAG | PDAG | ChordalGraph):
        picture = Picture.of(network_drawing(what, view=view))
    elif isinstance(what, BayesNet):
        picture = Picture.of(network_drawing(what.dag, view=view))
    elif isinstance(what, DecomposableNet):
        picture = Picture.of(network_drawing(what.graph, view=view))
    else:
        msg = f"a network or a graph can be drawn, not {type(what).__name__}"
        raise OptionError(msg)
    if path is not None:
        picture.save(path)
    return picture


def recorded_picture(dag: DAG, record: Record | None, view: View | None = None) -> Picture:
    """Draw the network of a file, with what its record tells."""
    from bayesloom.report import Picture
    from bayesloom.report.network_drawing import recorded_drawing

    if record is None:
        return plot(dag, view=view)
    return Picture.of(recorded_drawing(record.structure(dag), dag, record, view))
