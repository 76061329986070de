"""What can be taken out of the studio: networks, pictures, reports, and how to do it again."""

from __future__ import annotations

import base64
import json

from bayesloom.errors import DataError, listed
from bayesloom.report.page import page_of
from bayesloom.studio.dispatch import Dispatch
from bayesloom.studio.plan import Plan
from bayesloom.studio.script import knowledge_text, python_script, shell_line

_TEXT = "text/plain"
EXPORTS = {
    "bif": ("net.bif", _TEXT),
    "json": ("net.json", "application/json"),
    "svg": ("net.svg", "image/svg+xml"),
    "png": ("net.png", "image/png"),
    "html": ("net.html", "text/html"),
    "py": ("learn.py", "text/x-python"),
    "sh": ("learn.sh", "text/x-shellscript"),
    "knowledge": ("knowledge.json", "application/json"),
}
"""For everything that can be taken out the name of its file and its type."""


async def exported(dispatch: Dispatch, run: int, what: str) -> tuple[str, str, bytes]:
    """Return the name, the type and the content of a file.

    Raises
    ------
    DataError
        If there is no such export, or the run has no network (yet).
    """
    if what not in EXPORTS:
        msg = f"there is no export {what!r}; there are {listed(EXPORTS)}"
        raise DataError(msg)
    text = await _text(dispatch, run, what)
    return *EXPORTS[what], base64.b64decode(text) if what == "png" else text.encode()


async def _text(dispatch: Dispatch, run: int, what: str) -> str:
    """Return what a file holds, pixels in base 64."""
    project, scribe = dispatch.project, dispatch.scribe
    told = project.run(run)
    data = project.data(told["data"])
    plan = Plan.from_dict(told["plan"])
    if what in ("py", "sh", "knowledge"):
        return {
            "py": python_script(plan, data["name"], data["checksum"]),
            "sh": shell_line(plan, data["name"]) + "\n",
            "knowledge": knowledge_text(plan),
        }[what]
    content = await scribe(project.result, run, "content")
    network = await scribe(project.result, run, "network")
    if content is None:
        msg = "the run has no network yet"
        raise DataError(msg)
    if what == "html" and not network:
        return page_of(json.loads(content))
    if what == "html":
        _, (text,) = await (await dispatch.answerer(run)).ask("report")
        return text
    if not network:
        msg = "no DAG extends the graph that was found, so it has no file; save the report instead"
        raise DataError(msg)
    if what == "json":
        return network
    file = await dispatch.network_file(run, network)
    _, (text,) = await dispatch.drawing_desk.ask("export", network=file, ending=what)
    return text
