"""The figures of the studio: from a drop to a network, watching, many watchers, a large upload.

Run it on a quiet machine: ``python benchmarks/studio.py``. It needs the extras ``test`` and a
Chromium. Times are the least of several runs; the price of events is a ratio of CPU times within
one run, alternating.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from bayesloom.studio.news import Telling  # noqa: E402
from bayesloom.studio.plan import Plan  # noqa: E402
from bayesloom.studio.worker import _Ticker  # noqa: E402
from browser import opened_browser  # noqa: E402
from studio_server import Visitor, children, program  # noqa: E402

ALARM = ROOT / "examples" / "alarm.csv"
LARGE = 250 << 20  # bytes
LONG = {"search": {"name": "tabu", "options": {"patience": 100_000}}, "max_steps": 60_000}
DROP = """([name, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name));
  window.dropped = performance.now();
  document.querySelector('.drop-zone').dispatchEvent(
    new DragEvent('drop', { dataTransfer: files, bubbles: true }));
}"""


def cpu_of_all() -> float:
    """Return the CPU seconds of this process and of everything it has started, on Linux."""
    parents, spent = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        number = int(path.parent.name)
        parents[number] = int(fields[1])
        spent[number] = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def is_ours(number: int) -> bool:
        while number not in (0, os.getpid()):
            number = parents.get(number, 0)
        return number != 0

    return sum(seconds for number, seconds in spent.items() if is_ours(number))


def drop_to_network(runs: int = 5) -> tuple[float, float, float]:
    """Return the seconds from a drop to the drawn network, with Learn clicked when it can be.

    The second number is the time until the columns are shown and Learn can be clicked, the third
    the CPU time of all processes together: page, server, workers.
    """
    text = ALARM.read_text()
    best, ready, spent = [], [], []
    with (
        tempfile.TemporaryDirectory() as folder,
        opened_browser() as browser,
        program(Path(folder) / "work.db") as (_, visitor),
    ):
        page = browser.new_page()
        page.goto(visitor.address)
        for k in range(runs + 1):
            page.goto(f"{visitor.base}/#/")
            page.wait_for_selector(".drop-zone")
            time.sleep(1)  # a spare worker gets ready
            before = cpu_of_all()
            page.evaluate(DROP, [f"alarm{k}.csv", text])
            page.wait_for_selector("#learn:not([disabled])")
            ready.append(page.evaluate("performance.now() - window.dropped") / 1000)
            page.click("#learn")
            page.wait_for_selector("#report .graph .edge")
            best.append(page.evaluate("performance.now() - window.dropped") / 1000)
            spent.append(cpu_of_all() - before)
    return min(best[1:]), min(ready[1:]), min(spent[1:])


def price_of_events(runs: int = 5) -> tuple[float, float, float]:
    """Return CPU seconds of a long search alone and watched, and how often a second it told."""
    alone, watched, rate = [], [], []
    for _ in range(runs):
        began = time.process_time()
        Plan.from_dict(LONG).learn(str(ALARM))
        alone.append(time.process_time() - began)
        told = [0]
        telling = Telling()
        began, wall = time.process_time(), time.monotonic()

        def say(_: object, told: list[int] = told) -> None:
            told[0] += 1

        with _Ticker(telling, say):
            Plan.from_dict(LONG).learn(str(ALARM), telling)
        watched.append(time.process_time() - began)
        rate.append(told[0] / (time.monotonic() - wall))
    return min(alone), min(watched), min(rate)


def many_watchers(number: int) -> tuple[float, float]:
    """Return the seconds of a long run and how many events a second the slowest watcher saw."""
    rates = []
    with (
        tempfile.TemporaryDirectory() as folder,
        program(Path(folder) / "work.db", str(ALARM)) as (_, visitor),
    ):
        visitors = [Visitor(visitor.base, visitor.token) for _ in range(number)]
        run = visitor.start(1, LONG)

        def look(who: Visitor) -> None:
            began, seen = time.monotonic(), 0
            for kind, _, body in who.events(run):
                if kind == "news" and body["phase"] == "search":
                    seen += 1
                    took = time.monotonic() - began
            rates.append(seen / took)

        threads = [threading.Thread(target=look, args=(who,)) for who in visitors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = float(visitor.finished(run)["summary"]["seconds"])
    return seconds, min(rates, default=0.0)


def large_upload() -> tuple[float, float, float, float]:
    """Upload 250 MB while the page asks what there is every 20 ms.

    Returns the seconds it took, the longest of the others' waits, and the most memory of all
    processes of the studio and of its server alone, as multiples of the file, on Linux.
    """
    head, _, rows = ALARM.read_bytes().partition(b"\n")
    with tempfile.TemporaryDirectory() as folder, program(Path(folder) / "work.db") as started:
        process, visitor = started
        table = Path(folder) / "large.csv"
        with table.open("wb") as file:
            file.write(head + b"\n")
            while file.tell() < LARGE:
                file.write(rows)
        size = table.stat().st_size
        waits, together, alone = [0.0], [0], [0]
        ended = threading.Event()

        def ask() -> None:
            with closing(Visitor(visitor.base, visitor.token).client) as client:
                while not ended.wait(0.02):
                    began = time.monotonic()
                    client.get("/api/project")
                    waits.append(time.monotonic() - began)

        def weigh() -> None:
            while not ended.wait(0.05):
                each = [memory(number) for number in (process.pid, *children(process.pid))]
                together.append(sum(each))
                alone.append(each[0])

        time.sleep(2)  # spare workers get ready
        threads = [threading.Thread(target=work) for work in (ask, weigh)]
        for thread in threads:
            thread.start()
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
        command = ["curl", "--silent", "--fail", "--output", os.devnull, "--request", "POST"]
        for header in ("Expect:", f"Origin: {visitor.base}", f"Cookie: {cookies}"):
            command += ["--header", header]
        command += ["--upload-file", str(table), f"{visitor.base}/api/data?name=large.csv"]
        began = time.monotonic()
        subprocess.run(command, check=True)  # a process of its own, so that it does not delay `ask`
        took = time.monotonic() - began
        ended.set()
        for thread in threads:
            thread.join()
    return took, max(waits), max(together) / size, max(alone) / size


def memory(process: int) -> int:
    """Return the bytes of memory that a process has, 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    found = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return 1024 * int(found[0]) if found else 0


def main() -> None:
    drawn, ready, spent = drop_to_network()
    print(f"alarm 5,000, drop to Learn {ready:.2f} s, to the drawn network {drawn:.2f} s")
    print(f"of these {spent:.2f} s CPU, all processes together; load {os.getloadavg()[0]:.1f}")
    alone, watched, rate = price_of_events()
    more = 100 * (watched / alone - 1)
    print(f"tabu, 60,000 steps: alone {alone:.2f} s CPU, watched {watched:.2f} s ({more:+.1f} %)")
    print(f"events a second: {rate:.1f}")
    for number in (1, 20):
        seconds, least = many_watchers(number)
        print(f"{number} watching: search {seconds:.2f} s, slowest saw {least:.1f} events a second")
    took, longest, together, alone = large_upload()
    print(f"250 MB: {took:.1f} s, others waited up to {1000 * longest:.0f} ms")
    print(f"memory of the server {alone:.2f} of the file, of all processes {together:.2f}")


if __name__ == "__main__":
    main()
