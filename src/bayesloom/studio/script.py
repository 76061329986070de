"""What does the same as a run: a Python script, and a line for the shell."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from pprint import pformat
from typing import Any

from bayesloom.registry import REGISTRIES, SEARCHES, described
from bayesloom.search import Search
from bayesloom.studio.plan import Plan

KNOWLEDGE_FILE = "knowledge.json"
"""What the shell line calls the file with the knowledge."""


def python_script(plan: Plan, name: str, checksum: str) -> str:
    """Write the Python script that learns the same network from the same file."""
    arguments = [repr(name), *_keywords(plan)]
    return (
        '"""Learn the network of a studio run again."""\n\n'
        "import bayesloom as bl\n\n"
        f"# The file had the SHA-256 {checksum}.\n"
        f"net = bl.learn(\n    {f',{chr(10)}    '.join(arguments)},\n)\n"
        "print(net)\n"
        'net.save("net.json")\n'
        'net.report("net.html")\n'
    )


def shell_line(plan: Plan, name: str) -> str:
    """Write the command that learns the same network from the same file."""
    words = ["bayesloom", "learn", name if not name.startswith("-") else f"./{name}"]
    words += [] if plan.search is None else ["--search", _written(plan.search)]
    for key in ("max_parents", "max_steps", "time_limit"):
        if (limit := getattr(plan, key)) is not None:
            words += [f"--{key.replace('_', '-')}", str(limit)]
    if plan.told_knowledge():
        words += ["--knowledge", KNOWLEDGE_FILE]
    words += [word for key, told in plan.changed_reading().items() for word in _read(key, told)]
    return " ".join(map(shlex.quote, [*words, "-o", "net.json", "--report", "net.html"]))


def knowledge_text(plan: Plan) -> str:
    """Write the knowledge as the file that the shell line names."""
    return json.dumps(plan.told_knowledge(), ensure_ascii=False, indent=1) + "\n"


def python_value(value: object) -> str:
    """Write an option as Python; what bayesloom has by the name ``bl``.

    Examples
    --------
    >>> from bayesloom.scores import BDeu
    >>> from bayesloom.search import GES, Start
    >>> python_value(GES(score=BDeu(ess=5), start=Start.COMPLETE))
    'bl.GES(score=bl.BDeu(ess=5), start=bl.Start.COMPLETE)'
    """
    if isinstance(value, Enum):
        return f"bl.{type(value).__name__}.{value.name}"
    if not any(callable(getattr(value, registry.part, None)) for registry in REGISTRIES):
        return repr(value)
    shown = [f"{key}={python_value(told)}" for key, told in _changes(value, _usual(value)).items()]
    return f"bl.{type(value).__name__}({', '.join(shown)})"


def _keywords(plan: Plan) -> list[str]:
    told = [] if plan.search is None else [python_value(plan.search)]
    if known := plan.told_knowledge():
        inside = ", ".join(f"{key}={_laid_out(value)}" for key, value in known.items())
        told.append(f"knowledge=bl.Knowledge({inside})")
    limits = {key: getattr(plan, key) for key in ("max_parents", "max_steps", "time_limit")}
    told += [f"{key}={value!r}" for key, value in limits.items() if value is not None]
    return told + [f"{key}={_laid_out(value)}" for key, value in plan.changed_reading().items()]


def _laid_out(value: object) -> str:
    return re.sub(r"\n", "\n    ", pformat(value, width=88, sort_dicts=False))


def _written(search: Search) -> str:
    """Write a search for the command line: its name, or with its options where some are unusual."""
    text, name = described(search, whole=True), SEARCHES.name_of(search)
    return name if text == f"{type(search).__name__}()" and name in SEARCHES else text


def _usual(value: object) -> dict[str, Any]:
    """Return the options of a value's class by default."""
    return {field.name: field.default for field in fields(value) if field.init}  # type: ignore[arg-type]


def _changes(value: object, usual: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: getattr(value, key)
        for key, default in usual.items()
        if default is MISSING or getattr(value, key) != default
    }


def _read(option: str, told: Any) -> list[str]:  # noqa: ANN401 - whatever the option takes
    """Write one option of reading for the shell."""
    if option in ("columns", "drop", "missing_markers"):
        flag = {"columns": "--column", "drop": "--drop", "missing_markers": "--missing-marker"}
        return [word for name in told for word in (flag[option], str(name))]
    if option == "discretize" and isinstance(told, dict):
        rules = [(f"{name}=" if name != "*" else "") + _rule_text(r) for name, r in told.items()]
        return [word for rule in rules for word in ("--discretize", rule)]
    return [f"--{option}", str(told)]


def _rule_text(rule: object) -> str:
    if not isinstance(rule, list | tuple):
        return str(rule)
    if isinstance(rule[0], str):
        return ":".join(map(str, rule))
    return ",".join(map(str, rule)) + ("," if len(rule) == 1 else "")
