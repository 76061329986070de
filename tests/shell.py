"""The program as a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "bayesloom"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
