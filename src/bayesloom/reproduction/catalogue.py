"""The figures that can be reproduced, by name."""

from __future__ import annotations

from bayesloom.reproduction.collider import Collider, figure_1
from bayesloom.reproduction.crux import CruxStudy, figure_crux
from bayesloom.reproduction.experiment import Figure
from bayesloom.reproduction.known_networks import KnownNetworks, figure_6
from bayesloom.reproduction.random_figures import figure_3, figure_4, figure_5, figure_tests
from bayesloom.reproduction.random_graphs import RandomGraphs
from bayesloom.reproduction.score_comparison import ScoreComparison, figure_7
from bayesloom.reproduction.study import Study, figure_study

FIGURES: dict[str, Figure] = {
    figure.name: figure
    for figure in (
        Figure("fig1", "how often X -> Z <- Y is found", Collider(), figure_1),
        Figure("fig3", "IGES against GES in 56 constellations", RandomGraphs(), figure_3),
        Figure("fig4", "the dependencies that the score misses", RandomGraphs(), figure_4),
        Figure("fig5", "the rate of false rejections", RandomGraphs(), figure_5),
        Figure("fig6", "the insurance and alarm networks", KnownNetworks(), figure_6),
        Figure("fig7", "BDeu and BIC with and without tests", ScoreComparison(), figure_7),
        Figure("tests", "how many tests are made", RandomGraphs(), figure_tests),
        Figure("crux", "the crux of links as the domain grows", CruxStudy(), figure_crux),
        Figure("study", "controls, tests and scores on known networks", Study(), figure_study),
    )
}
"""Figures of the paper by O. Schulte and others, IEEE CIDM 2009; ``tests`` is told in its text.

``crux`` shows what the paper by Y. Xiang and J. Lee, 2001, proves."""
