"""The experiments of the papers behind the searches, as commands."""

from __future__ import annotations

from bayesloom.reproduction.catalogue import FIGURES
from bayesloom.reproduction.experiment import Experiment, Figure, Findings
from bayesloom.reproduction.keeping import keep_findings, keep_tables
from bayesloom.reproduction.ledger import Ledger
from bayesloom.reproduction.running import run_trials

__all__ = [
    "FIGURES",
    "Experiment",
    "Figure",
    "Findings",
    "Ledger",
    "keep_findings",
    "keep_tables",
    "run_trials",
]
