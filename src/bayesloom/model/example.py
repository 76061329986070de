"""The networks that come with bayesloom."""

from __future__ import annotations

from pathlib import Path

from bayesloom.errors import OptionError, listed, shown
from bayesloom.model import bif
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.files import read_network_text

EXAMPLES = (
    "alarm",
    "asia",
    "cancer",
    "child",
    "earthquake",
    "hailfinder",
    "insurance",
    "sachs",
    "survey",
)
"""The names that `example_net` knows."""

_FOLDER = Path(__file__).parents[1] / "examples"


def example_net(name: str) -> BayesNet:
    """Return a network of the literature that comes with bayesloom, a benchmark.

    They are those of the repository of R bnlearn, with its names and states.

    Parameters
    ----------
    name : str
        One of ``bayesloom.model.EXAMPLES``: alarm, asia, cancer, child, earthquake, hailfinder,
        insurance, sachs, survey.

    Raises
    ------
    OptionError
        If there is no such example.

    Examples
    --------
    >>> example_net("asia").edges[:3]
    (('asia', 'tub'), ('tub', 'either'), ('smoke', 'lung'))
    >>> example_net("aisa")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: there is no example 'aisa'; did you mean asia? The examples are \
alarm, asia, cancer, child, earthquake, hailfinder, insurance, sachs, survey
    """
    wanted = name.lower() if isinstance(name, str) else ""
    if wanted not in EXAMPLES:
        from difflib import get_close_matches

        near = get_close_matches(wanted, EXAMPLES, 1)
        hint = f"did you mean {near[0]}? The" if near else "the"
        msg = f"there is no example {shown(repr(name))}; {hint} examples are {listed(EXAMPLES)}"
        raise OptionError(msg)
    path = str(_FOLDER / f"{wanted}.bif.gz")
    return bif.read(read_network_text(path), path)
