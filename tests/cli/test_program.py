"""The program as the shell sees it: exit codes, streams, signals, pipes."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result

import bayesloom as bl
from bayesloom.cli import program
from click_runner import CliRunner
from shell import COMMAND, ENVIRONMENT, ROOT

Run = Callable[..., Result]

ENDLESS = ["--search", "Tabu(patience=1000000000)"]


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
    for name, command in program.commands.items():
        assert f"\n  {name} " in text
        for part in getattr(command, "commands", [""]):
            shown = CliRunner().invoke(
                program, [name, part, "--help"] if part else [name, "--help"]
            )
            assert shown.exit_code == 0
            assert "--json" in shown.stdout or name == "studio"  # which is a page
            assert f"bayesloom {name} {part}".strip() in shown.stdout
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

    monkeypatch.setattr("bayesloom.facade.entry.learn_for", pressed)
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
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_under_standard_output_is_one_line(files: Path, unbuffered: str) -> None:
    environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "learn", "asia.csv", "-o", "net.bif"], cwd=files, env=environment,
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


@pytest.mark.parametrize("closed", ["0<&-", ">&-", "2>&-", "0<&- >&- 2>&-"])
def test_closed_streams_are_no_failure(files: Path, closed: str) -> None:
    line = f"{shlex.join(COMMAND)} learn asia.csv -o net.json {closed}"
    done = subprocess.run(
        ["sh", "-c", line], cwd=files, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(bl.load(files / "net.json").names) == 8
    failed = subprocess.run(
        ["sh", "-c", line.replace("asia.csv", "none.csv")],
        cwd=files, env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert failed.returncode == 1
    assert "2>&-" in closed or failed.stderr.count("\n") == 1


def test_names_cannot_command_the_terminal(files: Path) -> None:
    name = "rain\x1b[2J\x07\u202e"
    (files / "odd.csv").write_text(
        f"{name},e\n" + "ja\x9b1m,oui\nnein,non\n" * 20, encoding="utf-8"
    )
    told = shell("learn", "odd.csv", "--search", "hc", "-o", "net.bif", cwd=files)
    assert told.returncode == 0
    assert r"rain\x1b[2J\x07\u202e" in told.stdout
    asked = shell("query", "net.bif", name, cwd=files)
    failed = shell("query", "net.bif", f"not {name}", cwd=files)
    wrong = shell("query", "net.bif", "e", f"--{name}", cwd=files)
    assert (asked.returncode, failed.returncode, wrong.returncode) == (0, 1, 2)
    for text in (told.stdout, asked.stdout, failed.stderr, wrong.stderr):
        assert text.replace("\n", "").isprintable()


def test_a_long_complaint_is_cut(run: Run) -> None:
    done = run("query", "asia.bif.gz", "x" * 100_000)
    wrong = run("learn", "asia.csv", "--search", "y" * 100_000)
    assert (done.exit_code, wrong.exit_code) == (1, 2)
    assert " [...] " in wrong.stderr
    assert max(len(done.stderr), len(wrong.stderr)) < 2500


def test_an_error_that_nobody_expected_is_one_line_and_exit_code_1(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        msg = "two\nlines"
        raise RuntimeError(msg)

    monkeypatch.setattr("bayesloom.model.load_net", fail)
    done = run("query", "asia.bif.gz", "lung")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("Error: internal error (RuntimeError: two lines); please report")
    monkeypatch.setenv("BAYESLOOM_DEBUG", "1")
    assert isinstance(run("query", "asia.bif.gz", "lung").exception, RuntimeError)


def test_ctrl_c_is_exit_code_130_from_the_first_moment_on(files: Path) -> None:
    code = "import os, signal, sys; sys.argv = ['bayesloom', '--version']\n"
    code += "class Press:\n    def find_spec(self, name, *_):\n"
    code += "        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
    code += "import bayesloom.__main__\nsys.meta_path.insert(0, Press())\nbayesloom.__main__.main()"
    for module in ("bayesloom.cli", "click", "bayesloom.cli.program", "bayesloom.errors"):
        done = subprocess.run(
            [sys.executable, "-c", code.format(module=module)],
            cwd=files, env=ENVIRONMENT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


def test_next_to_nothing_is_imported_before_ctrl_c_is_taken_care_of() -> None:
    code = "import sys, bayesloom.__main__; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],  # -S: what site imports may differ
        env=ENVIRONMENT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = set(done.stdout.split())
    assert {name for name in found if name.startswith("bayesloom.")} == {
        "bayesloom.__main__",
        "bayesloom.lazy",
    }
    assert not found & {"collections", "typing", "enum", "re", "functools", "contextlib"}


def test_ctrl_c_while_the_native_module_is_made_waits_until_it_is() -> None:
    code = """
import enum, os, signal, sys
made = enum.EnumType.__call__
def press(*args, **named):
    os.kill(os.getpid(), signal.SIGINT)
    return made(*args, **named)
class Press:
    def find_spec(self, name, *_):
        if name == "bayesloom._native":
            enum.EnumType.__call__ = press
sys.meta_path.insert(0, Press())
sys.argv = ["bayesloom", "cache"]
import bayesloom.__main__
bayesloom.__main__.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


@pytest.mark.parametrize("where", [[], ["-o", "big.csv"]], ids=["printed", "written"])
def test_termination_leaves_no_half_written_rows(
    files: Path, tmp_path_factory: pytest.TempPathFactory, where: list[str]
) -> None:
    drafts = tmp_path_factory.mktemp("drafts")
    before = set(files.iterdir())
    with subprocess.Popen(
        [*COMMAND, "sample", "asia.bif.gz", "-n", "3000000", *where],
        cwd=files, env={**ENVIRONMENT, "TMPDIR": str(drafts)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        limit = time.monotonic() + 60
        early = time.monotonic() + 1.5  # what is printed shows no draft
        while set(files.iterdir()) == before and (where or time.monotonic() < early):
            assert time.monotonic() < limit
            time.sleep(0.005)
        running.terminate()
        _, said = running.communicate(timeout=60)
        assert (running.returncode, said) == (130, "Interrupted.\n")
    assert set(files.iterdir()) == before
    assert list(drafts.iterdir()) == []


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


@pytest.mark.parametrize(("given", "seen"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_threads_of_linear_algebra_do_not_wait_busily_beside_a_command_unless_asked_for(
    given: dict[str, str], seen: str
) -> None:
    tell = """
import os
import bayesloom.__main__ as program
import bayesloom.cli

bayesloom.cli.main = lambda: print(os.environ["OPENBLAS_NUM_THREADS"])
program.main()
"""
    settings = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"} | given
    done = subprocess.run(
        [sys.executable, "-c", tell], env=settings, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{seen}\n"
