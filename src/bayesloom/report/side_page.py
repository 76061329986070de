"""A plain HTML page of tables: one file, with no script and nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #8884; }
thead th { text-align: left; border-bottom: 2px solid #888; }
div { overflow-x: auto; margin-bottom: 1.5rem; }
p { color: GrayText; } p b { color: CanvasText; }
"""


def side_page(title: str, parts: Sequence[str]) -> str:
    """Return a page with a title and parts, which are HTML already.

    Examples
    --------
    >>> side_page("A & B", ["<p>C</p>"]).startswith("<!doctype html>")
    True
    """
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )
