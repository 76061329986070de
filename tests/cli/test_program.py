"""The program as the shell sees it: exit codes, streams, signals, pipes."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import bayesloom as bl
from bayesloom.cli import program
from shell import COMMAND, ENVIRONMENT, ROOT

ENDLESS = ["--search", "tabu", "--set", "patience=1000000000"]


def shell(
    *args: object, cwd: Path, env: dict[str, str] = ENVIRONMENT
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, args)], cwd=cwd, env=env, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


def test_help_names_every_command_and_is_complete() -> None:
    text = CliRunner().invoke(program, ["--help"]).stdout
    assert {"learn", "explain", "query", "plot", "reproduce"} < set(program.commands)
    for name in program.commands:
        assert f"\n  {name} " in text
        shown = CliRunner().invoke(program, [name, "--help"])
        assert shown.exit_code == 0
        assert "--json" in shown.stdout
        assert "bayesloom " + name in shown.stdout
    assert "..." not in text.replace("[ARGS]...", "")


def test_the_version_is_printed() -> None:
    assert CliRunner().invoke(program, ["--version"]).stdout == f"bayesloom {bl.__version__}\n"


def test_json_is_all_there_is_on_standard_output(files: Path) -> None:
    done = shell("learn", "asia.csv", "--json", cwd=files)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["variables"][0] == "asia"


def test_failures_have_the_promised_exit_codes(files: Path) -> None:
    bad = shell("learn", "nowhere.csv", "--json", cwd=files)
    assert (bad.returncode, bad.stdout) == (1, "")
    assert bad.stderr == "Error: nowhere.csv: there is no such file; check the name\n"
    assert shell("learn", cwd=files).returncode == 2


def interrupted(
    files: Path, *args: str, signals: Sequence[signal.Signals] = (signal.SIGINT,)
) -> tuple[int, str, str]:
    """Start an endless search, press Ctrl-C when its progress line shows steps."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "learn", "asia.csv", *ENDLESS, *args], cwd=files, env=ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=theirs, text=True,
    ) as running:  # fmt: skip
        os.close(theirs)
        drawn = b""
        started = time.monotonic()
        while b"step 1" not in drawn and time.monotonic() - started < 60:
            drawn += os.read(ours, 1000)
        for which in signals:
            running.send_signal(which)
            time.sleep(0.01)
        assert running.stdout is not None
        out = running.stdout.read()
        code = running.wait(timeout=60)
    with contextlib.suppress(OSError):  # nothing more was drawn
        drawn += os.read(ours, 100_000)
    os.close(ours)
    return code, out, drawn.decode()


def test_ctrl_c_keeps_the_best_network_so_far(files: Path) -> None:
    code, out, drawn = interrupted(files, "-o", "net.bif", "--json")
    assert code == 130
    assert json.loads(out)["stop"] == "interrupted"
    assert bl.load(files / "net.bif").dag.n_edges > 0
    assert re.search(r"Tabu: step [0-9,]+ \(\w+, gain .*\), score -[0-9,.]+, [0-9.]+ s", drawn)
    assert "Traceback" not in drawn


@pytest.mark.parametrize(
    "signals",
    [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM,), (signal.SIGTERM, signal.SIGINT)],
    ids=str,
)
def test_a_key_that_bounces_and_termination_keep_the_best_network_so_far(
    files: Path, signals: tuple[signal.Signals, ...]
) -> None:
    code, out, drawn = interrupted(files, "-o", "net.bif", "--json", signals=signals)
    assert code == 130
    assert json.loads(out)["stop"] == "interrupted"
    assert bl.load(files / "net.bif").dag.n_edges > 0
    assert "Traceback" not in drawn


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_another_phase_is_exit_code_130_too(
    files: Path, monkeypatch: pytest.MonkeyPatch, which: signal.Signals
) -> None:
    def pressed(*_: object, **__: object) -> None:
        signal.raise_signal(which)

    monkeypatch.setattr("bayesloom.network.learn", pressed)
    done = CliRunner().invoke(program, ["learn", str(files / "asia.csv")])
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "Interrupted.\n")


def test_time_limits_are_no_failure(files: Path) -> None:
    done = shell("learn", "asia.csv", *ENDLESS, "--time-limit", "200ms", "--json", cwd=files)
    assert done.returncode == 0
    assert json.loads(done.stdout)["stop"] == "time_limit"


def test_a_reader_that_closes_the_pipe_is_no_failure(files: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "sample", "asia.bif.gz", "-n", "200000"], cwd=files, env=ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == "asia,tub,smoke,lung,bronc,either,xray,dysp\n"
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(timeout=60) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_under_standard_output_is_one_line(files: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "learn", "asia.csv", "-o", "net.bif"], cwd=files, env=ENVIRONMENT,
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr
    assert (files / "net.bif").exists()


def test_names_that_the_terminal_cannot_show_are_escaped(files: Path) -> None:
    (files / "greek.csv").write_text("Ω,e\n" + "ja,oui\nnein,non\n" * 20, encoding="utf-8")
    western = {**ENVIRONMENT, "PYTHONIOENCODING": "latin-1"}
    told = shell("learn", "greek.csv", "--search", "hc", cwd=files, env=western)
    assert told.returncode == 0
    assert "e -> \\u03a9" in told.stdout
    as_json = shell("learn", "greek.csv", "--json", cwd=files, env=western)
    assert json.loads(as_json.stdout)["variables"] == ["Ω", "e"]


@pytest.mark.slow
def test_starting_is_quick() -> None:
    def seconds(*command: str) -> float:
        times = []
        for _ in range(9):
            started = time.perf_counter()
            subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True)
            times.append(time.perf_counter() - started)
        return min(times)

    bare = seconds(COMMAND[0], "-c", "pass")
    assert seconds(*COMMAND, "--help") < bare + 0.12
    assert seconds(COMMAND[0], "-c", "import bayesloom") < bare + 0.02


def test_the_examples_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples" / "README.md").read_text()
    lines = re.search(r"```\n(.*?)```", text, re.DOTALL)
    assert lines is not None
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for line in lines[1].splitlines():
        done = CliRunner().invoke(program, line.split()[1:])
        assert (done.exit_code, done.stderr) == (0, "")
