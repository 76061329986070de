"""A real browser for tests of pages, where the machine has one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def browser_path() -> str | None:
    """Return where a browser of the Chromium family is."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


def why_no_browser() -> str:
    """Return what is missing for tests in a browser; empty if nothing is."""
    if find_spec("playwright") is None:
        return "playwright is not installed (pip install -e '.[test]')"
    return "" if browser_path() else "there is no Chromium (apt-get install chromium)"


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """Start a browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # Tests may run as root in a container, where Chromium has no sandbox of its own.
        browser = driver.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        yield browser
        browser.close()
