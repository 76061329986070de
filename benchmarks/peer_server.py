"""Learn graphs with other programs, one job after another, in a Python that has them.

A job is a JSON line on standard input, its module and call those of `contenders`; the answer is a
JSON line on standard output: the edges and the processor seconds of the call, or what failed. The
import is not timed, and jobs share it.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from typing import Any


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """Return what the call of a job finds."""
    module = importlib.import_module(f"contenders.{job['module']}")
    try:
        work, tell = getattr(module, job["call"])(**job["options"])
        began = time.process_time()
        result = work()
        seconds = time.process_time() - began
        found = tell(result)
        edges = {kind: list(map(list, found.get(kind, []))) for kind in ("directed", "undirected")}
        return {"seconds": seconds, **edges}  # noqa: TRY300 - telling may fail, too
    except Exception as error:  # noqa: BLE001 - told, and the sample left out
        return {"fault": f"{type(error).__name__}: {error}"[:150]}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the programs print is not part of the answer
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")


if __name__ == "__main__":
    main()
