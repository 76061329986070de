"""Pictures of whatever has a graph."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bayesloom.errors import OptionError
from bayesloom.facade.construction import NetworkLike, network
from bayesloom.graphs import JunctionForest

if TYPE_CHECKING:
    from bayesloom.report import Picture
    from bayesloom.report.network_drawing import View


def plot(
    what: NetworkLike | JunctionForest,
    path: str | os.PathLike[str] | None = None,
    *,
    view: View | None = None,
) -> Picture:
    """Draw a network or a graph; what has arrows is drawn with arrows.

    Dashed arrows of a DAG might as well point the other way: an equivalent network has them so.

    Parameters
    ----------
    what : network, graph or path
        What `learn` or `load` returned, a graph made by hand, arrows as a text, or a file.
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
    >>> from bayesloom.graphs import DAG
    >>> plot(DAG.from_edges([("smoke", "lung"), ("smoke", "bronchitis")])).title
    'Network with 3 nodes and 2 edges'
    """
    if not isinstance(what, JunctionForest):
        return network(what).plot(path, view=view)
    from bayesloom.report import Picture
    from bayesloom.report.drawing import forest_drawing
    from bayesloom.report.picture import check_picture_path

    if view is not None:
        msg = f'a junction forest has no directions, so there is no view "{view}"; leave it out'
        raise OptionError(msg)
    if path is not None:
        check_picture_path(path)
    picture = Picture.of(forest_drawing(what))
    if path is not None:
        picture.save(path)
    return picture
