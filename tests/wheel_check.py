"""Learn, draw, save, load and ask with an installed wheel: ``python wheel_check.py DATA``."""

import sys
import tempfile
from pathlib import Path

import bayesloom as bl


def main(data: str) -> None:
    net = bl.learn(data)
    with tempfile.TemporaryDirectory() as folder:
        net.plot(Path(folder) / "net.svg")
        net.report(Path(folder) / "net.html")
        again = bl.load(net.save(Path(folder) / "net.json"))
    if again != net:
        sys.exit("a network that was saved and loaded is another one")
    if not abs(sum(net.query("CVP", {"HISTORY": "TRUE"}).probabilities.values()) - 1) < 1e-12:
        sys.exit("probabilities do not sum to 1")
    print(f"bayesloom {bl.__version__}: {len(net.edges)} arrows, {len(net.undirected)} open edges")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
