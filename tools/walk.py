"""How far the code walks: functions and files of the package that a journey calls.

``python tools/walk.py`` takes each journey in a process of its own, so that imports count as they
do for a user. Class bodies, module bodies and code that dataclasses write themselves are left out.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "bayesloom"
ALARM = str(ROOT / "examples" / "alarm.csv")
_MODULE = "<module>"
_CLASS_FLAGS = 0x0003  # CO_OPTIMIZED | CO_NEWLOCALS, which functions have and class bodies lack


def learn_and_save(folder: Path) -> None:
    """Learn with GES and write BIF."""
    import bayesloom as bl

    bl.learn(ALARM, bl.GES()).save(folder / "o.bif")


def learn_on_the_command_line(folder: Path) -> None:
    """Do the same on the command line."""
    from bayesloom.cli import main

    sys.argv = ["bayesloom", "learn", ALARM, "--search", "ges", "-q", "-o", str(folder / "o.bif")]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise


def learn_and_report(folder: Path) -> None:
    """Learn with GES and write the report."""
    import bayesloom as bl

    bl.learn(ALARM, bl.GES()).report(folder / "o.html")


JOURNEYS = {
    "learn + BIF": learn_and_save,
    "command line": learn_on_the_command_line,
    "learn + report": learn_and_report,
}


def walked(journey: Callable[[Path], None], package: Path = PACKAGE) -> set[tuple[str, str, int]]:
    """Return the functions below a folder that a journey calls: file, name and line of each."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    with tempfile.TemporaryDirectory() as folder:
        sys.setprofile(note)
        try:
            journey(Path(folder))
        finally:
            sys.setprofile(None)
    return {
        (code.co_filename, code.co_qualname, code.co_firstlineno)
        for code in seen
        if code.co_filename.startswith(str(package))
        and code.co_name != _MODULE
        and code.co_flags & _CLASS_FLAGS == _CLASS_FLAGS
    }


def main() -> None:
    """Print a line for one journey, or for each of them."""
    if len(sys.argv) > 1:
        name = sys.argv[1]
        calls = walked(JOURNEYS[name])
        print(f"{name:<16} {len(calls):>9,} {len({file for file, *_ in calls}):>6,}")
        return
    print(f"{'journey':<16} {'functions':>9} {'files':>6}", flush=True)
    for name in JOURNEYS:
        subprocess.run([sys.executable, __file__, name], check=True)


if __name__ == "__main__":
    main()
