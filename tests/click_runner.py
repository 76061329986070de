"""Commands called inside the process of a test."""

from __future__ import annotations

from inspect import signature
from typing import Any

from click import testing


class CliRunner(testing.CliRunner):
    """The runner of click, with standard error apart also where click is older than 8.2."""

    def __init__(self) -> None:
        older = "mix_stderr" in signature(testing.CliRunner).parameters
        apart: dict[str, Any] = {"mix_stderr": False} if older else {}
        super().__init__(**apart)
