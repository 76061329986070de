"""Write docs/names.md: every score, test, control, search and estimator, from the registry."""

from __future__ import annotations

from pathlib import Path

from bayesloom.model.formats import FORMATS
from bayesloom.registry import REGISTRIES, Registry

_HEAD = """# Names

What can be named in options, with the class in Python. Written by `make names` from the registry
(`src/bayesloom/registry.py`); the command line and the records in network files use the same names.
"""

_TITLES = {"search": "Searches"}


def table(registry: Registry) -> str:
    """Return the table of one registry."""
    lines = [
        f"## {_TITLES.get(registry.kind, registry.kind.capitalize() + 's')}",
        "",
        "| name | class | what it is | options |",
        "|---|---|---|---|",
    ]
    for name in registry:
        options = ", ".join(f"`{option}`" for option in registry.options(name)) or "none"
        what = registry.help(name).replace("|", r"\|")
        lines.append(f"| `{name}` | `{registry[name].__name__}` | {what} | {options} |")
    return "\n".join(lines)


def format_table() -> str:
    """Return the table of the formats of network files."""
    lines = ["## Formats of network files", "", "| name | endings | what it is |", "|---|---|---|"]
    for each in FORMATS:
        endings = ", ".join(f"`{ending}`" for ending in each.endings)
        lines.append(f"| {each.name} | {endings}, each also with `.gz` | {each.help} |")
    return "\n".join(lines)


def page() -> str:
    """Return the whole page."""
    return "\n\n".join([_HEAD.strip(), *map(table, REGISTRIES), format_table()]) + "\n"


if __name__ == "__main__":
    (Path(__file__).parent / "names.md").write_text(page(), encoding="utf-8")
