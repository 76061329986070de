"""Numbers cut while the network is learned: `discretize="network"`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.cli.program import program
from click_runner import CliRunner


def rows(n: int = 1500, seed: int = 1) -> dict[str, object]:
    """Draw ``x`` with a step at 0.7 that ``y`` follows, ``z`` near it, and ``w`` alone."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = np.where((x > 0.7) ^ (rng.random(n) < 0.05), "high", "low")
    return {"x": x, "y": y, "z": x + rng.normal(size=n), "w": rng.normal(size=n)}


def cuts_of(net: bl.Network, name: str) -> list[float]:
    return [float(label.split(",")[0][1:]) for label in net.states[name]][1:]


def test_the_cut_is_where_the_neighbour_changes() -> None:
    frame = rows()
    net = bl.learn({"x": frame["x"], "y": frame["y"]}, bl.GES(), discretize="network")
    points = cuts_of(net, "x")  # around the step: one fine bin has rows of both sides
    assert points
    assert all(abs(point - 0.7) < 0.06 for point in points)
    assert net.undirected == (("x", "y"),)
    assert net.notes == (f"cut into bins: x at {', '.join(f'{point:g}' for point in points)}",)


def test_a_column_without_neighbours_keeps_bins_of_equal_frequency() -> None:
    net = bl.learn(rows(), bl.GES(), discretize="network", bins=4)
    assert len(net.states["w"]) == 4
    counts = [n for _, n in sorted(_shares(net, "w").items())]
    assert max(counts) - min(counts) < 0.03


def _shares(net: bl.Network, name: str) -> dict[str, float]:
    posterior = net.query(name)
    return {state: posterior[state] for state in net.states[name]}


@pytest.mark.parametrize(
    "search",
    [bl.GES(), bl.HillClimbing(), bl.PC(), bl.DMN(), bl.ChowLiu()],
    ids=lambda s: str(s)[:8],
)
def test_every_kind_of_search_takes_it_and_order_does_not_matter(search: object) -> None:
    frame = rows(800)
    order = np.random.default_rng(2).permutation(800)
    turned = {name: np.asarray(frame[name])[order] for name in "wzyx"}
    first = bl.learn(frame, search, discretize="network")  # type: ignore[arg-type]
    second = bl.learn(turned, search, discretize="network")  # type: ignore[arg-type]
    assert first.graph == second.graph
    assert first.states == second.states
    assert set(first.names) == set("wxyz")
    assert first.names == tuple("xyzw")


def test_the_cuts_belong_to_the_network(tmp_path: Path) -> None:
    net = bl.learn(rows(), bl.GES(), discretize={"x": "network", "*": "auto"})
    again = bl.load(net.save(tmp_path / "net.json"))
    assert again == net
    assert again.query("y", given={"x": 2.5})["high"] > 0.9
    assert again.query("y", given={"x": 0.2})["high"] < 0.1


def test_a_given_network_is_cut_for() -> None:
    net = bl.fit("x -> y", rows(), discretize={"x": "network"})
    assert {round(point, 1) for point in cuts_of(net, "x")} == {0.7}


def test_a_time_limit_ends_the_rounds() -> None:
    net = bl.learn(rows(), bl.GES(), discretize="network", time_limit=1e-9)
    assert net.stop.name == "TIME_LIMIT"
    assert len(net.states["x"]) == 5


def test_the_command_line_takes_it(tmp_path: Path) -> None:
    frame, path = rows(500), tmp_path / "rows.csv"
    lines = zip(*frame.values(), strict=True)
    path.write_text("\n".join(["x,y,z,w", *(",".join(map(str, line)) for line in lines)]) + "\n")
    for rules in (["network"], ["x=network:4", "auto"]):
        options = [word for rule in rules for word in ("--discretize", rule)]
        done = CliRunner().invoke(program, ["learn", str(path), *options, "--search", "ges"])
        assert done.exit_code == 0
        assert "cut into bins: " in done.output
    done = CliRunner().invoke(program, ["blanket", str(path), "y", "--discretize", "network"])
    assert done.exit_code != 0
    assert "there is none here; use 'auto'" in done.stderr
