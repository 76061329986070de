"""The figures that can be reproduced, by name."""

from __future__ import annotations

from bayesloom_reproduction.calibration import CALIBRATION
from bayesloom_reproduction.classifiers import CLASSIFIERS
from bayesloom_reproduction.collider import COLLIDER
from bayesloom_reproduction.crux import CRUX
from bayesloom_reproduction.cuts import CUTS
from bayesloom_reproduction.experiment import Experiment, Figure
from bayesloom_reproduction.held_out import HELD_OUT
from bayesloom_reproduction.incomplete import INCOMPLETE
from bayesloom_reproduction.known_networks import KNOWN_NETWORKS
from bayesloom_reproduction.random_figures import RANDOM_GRAPHS
from bayesloom_reproduction.score_comparison import SCORE_COMPARISON
from bayesloom_reproduction.study import STUDY

FIGURES: dict[str, tuple[Experiment, Figure]] = {
    figure.name: (experiment, figure)
    for experiment in (
        COLLIDER,
        RANDOM_GRAPHS,
        KNOWN_NETWORKS,
        SCORE_COMPARISON,
        CRUX,
        STUDY,
        HELD_OUT,
        CLASSIFIERS,
        INCOMPLETE,
        CALIBRATION,
        CUTS,
    )
    for figure in experiment.figures
}
"""Every figure with the experiment it is made of.

Those with a number, and ``tests``, are of the paper by O. Schulte and others, IEEE CIDM 2009;
``crux`` shows what the paper by Y. Xiang and J. Lee, 2001, proves; ``study``, ``held-out`` and
``incomplete`` go beyond both; ``calibration`` asks how far bootstrap and posterior can be trusted;
``tan`` compares classifiers as N. Friedman, D. Geiger and M. Goldszmidt, 1997, do; ``cuts``
compares ways to cut numbers, after N. Friedman and M. Goldszmidt, 1996."""
