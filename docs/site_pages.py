"""Pages of the site that are made while it is built: the Python reference, one page per room."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

ROOMS = {
    "facade": "The everyday face",
    "data": "Data",
    "search": "Searches and knowledge",
    "scores": "Scores",
    "independence": "Tests and error control",
    "graphs": "Graphs",
    "model": "Networks with parameters",
    "inference": "Inference",
    "evaluation": "Evaluation",
    "classification": "Classifiers",
    "sklearn": "scikit-learn estimators",
    "story": "Stories and tables",
    "engine": "Engines",
}
"""What is documented, in the order of the pages; the names of a page are the room's public ones."""


def reference(room: str) -> str:
    """Return the page of a room: a section for every name that ``bayesloom`` hands on."""
    whole, package = import_module("bayesloom"), import_module(f"bayesloom.{room}")
    public = set(dir(whole)) if room != "sklearn" else set(package.__all__)
    found = [name for name in dir(package) if name in public and not name.startswith("_")]
    names = sorted(found, key=lambda name: (name[0].isupper(), name))
    parts = [f"# {ROOMS[room]}\n"]
    for name in names:
        what = getattr(package, name)
        if not hasattr(what, "__qualname__"):  # a module or a constant that is called so, too
            continue
        parts.append(f"::: {what.__module__}.{what.__qualname__}\n")
    return "\n".join(parts)


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 - what mkdocs hands to its hooks
    """Add the pages of the reference to the site."""
    from mkdocs.structure.files import File

    index = ["# Python reference\n", "Every name below is `bayesloom.NAME`.\n"]
    for room, title in ROOMS.items():
        files.append(File.generated(config, f"api/{room}.md", content=reference(room)))
        index.append(f"- [{title}]({room}.md)")
    files.append(File.generated(config, "api/index.md", content="\n".join(index)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:  # noqa: ANN401 - what mkdocs hands to its hooks
    """Mark dialogues as such, so that prompts and answers are told apart from what is typed."""
    return re.sub(r"^```python\n(?=>>> )", "```pycon\n", markdown, flags=re.MULTILINE)
