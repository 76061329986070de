"""Make the picture of a report on docs/start.md: ``python docs/make_start.py``, extra test."""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

import bayesloom as bl  # noqa: E402
from browser import opened_browser  # noqa: E402


def main() -> None:
    """Write the report of the page's network, choose an edge in it, and keep what is seen."""
    with tempfile.TemporaryDirectory() as folder, opened_browser() as browser:
        rows = Path(folder) / "clinic.csv"
        bl.write_csv(bl.example("asia").sample(5000, seed=1), rows)
        path = Path(folder) / "clinic.html"
        bl.learn(rows).report(path)
        page = browser.new_page(viewport={"width": 1100, "height": 760})
        page.goto(path.as_uri())
        page.evaluate("""() => {
            const { model } = bayesloom;
            model.select(model.names.indexOf("smoke"), model.names.indexOf("lung"));
            document.getElementById("graph").scrollIntoView();
        }""")
        page.wait_for_timeout(500)
        seen = Image.open(io.BytesIO(page.screenshot()))
    place = Path(__file__).with_name("start") / "report.png"
    seen.convert("RGB").quantize(100).save(place, optimize=True)


if __name__ == "__main__":
    main()
