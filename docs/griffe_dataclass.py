"""For the Python reference: a class of ``bayesloom.dataclass`` is shown as a dataclass."""

from __future__ import annotations

from typing import Any

from griffe import Extension, Module


class LateDataclass(Extension):
    """Read the decorator as the standard one, whose options and fields it has."""

    def on_module_members(self, *, mod: Module, **_: Any) -> None:  # noqa: ANN401 - of griffe
        """Let the name lead to the standard library before griffe looks for dataclasses."""
        imported = mod.members.get("dataclass")
        if imported is not None and imported.is_alias:
            imported.target_path = "dataclasses.dataclass"
