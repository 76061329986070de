"""Make the pictures of docs/studio.md: ``python docs/make_studio.py``, with the extra test.

It runs the studio, goes through it in a browser without a window, and writes docs/studio/*.png.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from playwright.sync_api import Page  # noqa: E402

from browser import opened_browser  # noqa: E402
from studio_server import Visitor, program  # noqa: E402

FOLDER = Path(__file__).with_name("studio")
PEOPLE = "id,age,fare,deck,sex,class,survived\n" + "\n".join(
    f"P{i},{20 + i * 37 % 50},{i * 7919 % 1000 / 9.7:.2f},{'' if i % 3 else 'ABC'[i % 7 % 3]},"
    f"{'mf'[i * 7 % 2]},{1 + i % 3},{'yes' if i * 7 % 2 and i % 3 else 'no'}"
    for i in range(400)
)
WAIT = 120_000


def keep(page: Page, name: str) -> None:
    """Write what is seen, in few colours so that the file is small."""
    page.wait_for_timeout(500)
    seen = Image.open(io.BytesIO(page.screenshot()))
    seen.convert("RGB").quantize(200).save(FOLDER / f"{name}.png", optimize=True)


def go(page: Page, visitor: Visitor, place: str, sign: str) -> None:
    """Open a view and wait until it shows something."""
    page.goto(f"{visitor.base}/#/{place}")
    page.wait_for_selector(sign, timeout=WAIT)


def contract(page: Page, visitor: Visitor) -> None:
    """Show data that break the contract, and the ways out."""
    people = visitor.upload("people.csv", PEOPLE.encode())
    go(page, visitor, f"data/{people}", ".told .problem")
    keep(page, "columns")


def knowledge(page: Page, visitor: Visitor) -> None:
    """Show tiers and edges that were drawn."""
    asia = visitor.post("/api/examples/asia")["id"]
    go(page, visitor, f"data/{asia}", "#learn:not([disabled])")
    page.click("text=Draw what is known")
    for name, moves in (("asia", 1), ("smoke", 1), ("lung", 2), ("tub", 2), ("bronc", 2)):
        page.focus(f"[data-name={name}]")
        for _ in range(moves):
            page.keyboard.press("ArrowDown")
    for x, y in (("bronc", "lung"), ("xray", "dysp")):
        page.click(f".board .node[aria-label={x}]")
        page.click(f".board .node[aria-label={y}]")
    page.check("input[value=required]")
    page.click(".board .node[aria-label=smoke]")
    page.click(".board .node[aria-label=lung]")
    page.set_viewport_size({"width": 1180, "height": 1130})
    page.locator("#knowledge").evaluate("part => part.scrollIntoView()")
    keep(page, "knowledge")
    page.set_viewport_size({"width": 1180, "height": 820})


def live(page: Page, visitor: Visitor) -> None:
    """Show a search at work."""
    data = visitor.post("/api/examples/insurance")["id"]
    plan = {"search": {"name": "hc", "options": {"restarts": 100_000}}}
    run = visitor.start(data, plan)
    go(page, visitor, f"runs/{run}", ".live .graph .edge")
    page.wait_for_timeout(4000)
    keep(page, "live")
    visitor.post(f"/api/runs/{run}/stop")
    visitor.finished(run)


def result(page: Page, visitor: Visitor) -> None:
    """Show a network with the story of an edge, and two runs side by side."""
    data = visitor.upload("alarm.csv", (ROOT / "examples" / "alarm.csv").read_bytes())
    first, second = (visitor.start(data, {"search": {"name": name}}) for name in ("ixges", "hc"))
    for run in (first, second):
        visitor.finished(run)
    go(page, visitor, f"runs/{first}", "#reproduce")
    page.evaluate(
        "pair => bayesloom.model.select(...pair.map(x => bayesloom.model.names.indexOf(x)))",
        ["LVFAILURE", "HISTORY"],
    )
    keep(page, "result")
    go(page, visitor, f"compare/{first}/{second}", "#figures")
    keep(page, "compare")


def main() -> None:
    """Go through all stages."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        program(Path(folder) / "work.db") as (_, visitor),
        opened_browser() as browser,
    ):
        page = browser.new_page(viewport={"width": 1180, "height": 820})
        page.set_default_timeout(WAIT)
        page.goto(visitor.address)
        for stage in (contract, knowledge, live, result):
            stage(page, visitor)


if __name__ == "__main__":
    main()
