"""The program ``bayesloom``, also as ``python -m bayesloom``.

Nothing but this is imported before Ctrl-C and closed streams are taken care of.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the program; Ctrl-C while it starts is one line and an exit code, as later."""
    try:
        open_streams()
        # numpy's own threads wait for linear algebra, of which there is little, by keeping busy.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from bayesloom.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        sys.exit(130)  # as in cli/exit_code.py; nothing more is imported now


def open_streams() -> None:
    """Let standard streams that the caller has closed lead nowhere.

    Else a file that is opened next would take their place, and be printed into.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            stream = open(number, "r" if number == 0 else "w", encoding="utf-8")  # noqa: PTH123, SIM115
            setattr(sys, name, stream)


if __name__ == "__main__":
    main()
