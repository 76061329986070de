"""Plans, and that the script and the command of a plan learn the same network."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bayesloom as bl
from bayesloom.cli import program
from bayesloom.data import write_csv
from bayesloom.errors import BayesloomError, KnowledgeError, OptionError
from bayesloom.expression import read_value
from bayesloom.registry import SEARCHES
from bayesloom.studio.choice import choices
from bayesloom.studio.plan import Plan
from bayesloom.studio.script import knowledge_text, python_script, shell_line
from click_runner import CliRunner
from example_samples import sampled
from shell import ENVIRONMENT

KNOWN = {
    "tiers": [["asia", "smoke"], ["tub", "lung", "bronc"], ["either"]],
    "forbidden": [["lung", "tub"]],
    "required": [["smoke", "lung"]],
}
ASIA = ["smoke", "asia", "tub", "lung", "bronc", "either", "xray", "dysp"]


def plan_of(search: str = "hc", options: dict[str, Any] | None = None, **more: Any) -> Any:  # noqa: ANN401
    """Return the plan of a page: a search with options, and parts as (name, options)."""
    parts = {
        key: {"name": value[0], "options": value[1]} if isinstance(value, tuple) else value
        for key, value in more.items()
    }
    return {"search": {"name": search, "options": options or {}}, **parts}


PLANS: dict[str, Any] = {
    "nothing chosen": {},
    "score": plan_of("ges", score=("bdeu", {"ess": 3.5})),
    "structure prior": plan_of(score=("bic", {"penalty": 2, "sparsity": 0.5})),
    "enum": plan_of(
        "iges",
        {"mode": "once"},
        test=("g-square", {"min_expected": 3}),
        control=("saffron", {"threshold": 0.4, "alpha": 0.01}),
    ),
    "start": plan_of("ges", {"start": "chow-liu", "turning": True}),
    "order": plan_of("k2", {"order": ASIA}),
    "markov": plan_of("dmn", {"lookahead": 2, "backward": True}),
    "tests only": plan_of(
        "pc", {"max_given": 2}, control=("bh", {}), test=("chi-square", {"coverage": "strict"})
    ),
    "knowledge": plan_of("tabu", knowledge=KNOWN, max_parents=2),
    "limits": plan_of(max_steps=3, time_limit="1m"),
    "reading": plan_of(
        "chow-liu",
        reading={"drop": ["dysp"], "missing": "drop", "missing_markers": ["maybe, so"]},
    ),
    "columns": plan_of(reading={"columns": ["xray", "lung", "smoke"]}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("scripts")
    write_csv(sampled("asia", 1000), made / "asia rows.csv")
    return made


@pytest.mark.parametrize("name", PLANS)
def test_script_and_command_learn_the_same_network(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    plan = Plan.from_dict(PLANS[name])
    net = plan.learn("asia rows.csv")
    found: dict[str, Any] = {}
    script = python_script(plan, "asia rows.csv", "0").replace('net.save("net.json")', "")
    exec(compile(script, "learn.py", "exec"), found)
    assert found["net"] == net
    Path("knowledge.json").write_text(knowledge_text(plan), encoding="utf-8")
    words = shell_line(plan, "asia rows.csv").replace("-o net.json", "-o twin.json")
    done = CliRunner().invoke(program, _split(words)[1:])
    assert done.exit_code == 0, done.output
    assert bl.load("twin.json") == net


def _split(line: str) -> list[str]:
    return shlex.split(line)


def test_the_script_runs_as_a_program(folder: Path) -> None:
    plan = Plan.from_dict(PLANS["knowledge"])
    (folder / "learn.py").write_text(python_script(plan, "asia rows.csv", "0"), encoding="utf-8")
    command = [sys.executable, "learn.py"]
    subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
    assert bl.load(folder / "net.json") == plan.learn(str(folder / "asia rows.csv"))
    assert (folder / "net.html").stat().st_size > 10_000


def test_numbers_are_cut_the_same_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{'xy'[i % 2]},{i * 0.37},{(i * 7) % 50},{i % 4 + 0.5}" for i in range(200)]
    Path("n.csv").write_text("\n".join(["a,q,w,z", *rows]))
    rules = {"q": ["width", 4], "w": [10, 30.5], "z": ["frequency", 2], "*": "auto"}
    for reading in ({"discretize": rules, "bins": 4}, {"discretize": "mdl", "target": "a"}):
        plan = Plan.from_dict({"search": {"name": "hc"}, "reading": reading})
        found: dict[str, Any] = {}
        exec(python_script(plan, "n.csv", "0"), found)
        done = CliRunner().invoke(program, _split(shell_line(plan, "n.csv"))[1:])
        assert done.exit_code == 0, done.output
        assert bl.load("net.json") == found["net"] == plan.learn("n.csv")


def test_every_search_of_the_page_has_a_script_and_a_command() -> None:
    for entry in choices()["search"]:
        needed = {"order": ["A", "B"], "target": "A"}
        options = {o["name"]: needed[o["name"]] for o in entry["options"] if o["needed"]}
        told = {"search": {"name": entry["name"], "options": options}}
        plan = Plan.from_dict(told)
        found: dict[str, Any] = {"bl": bl}
        script = python_script(plan, "a.csv", "0")
        line = next(line for line in script.splitlines() if line.startswith("    bl."))
        assert eval(line.strip().rstrip(","), found) == plan.search
        words = _split(shell_line(plan, "a.csv"))
        assert read_value(words[words.index("--search") + 1], SEARCHES) == plan.search


@pytest.mark.parametrize(
    ("told", "kind", "said"),
    [
        ([], OptionError, "a plan must be an object"),
        ({"data": 1}, OptionError, "a plan has no member 'data'"),
        ({"reading": {"states": "net.bif"}}, OptionError, "reading has no member 'states'"),
        ({"reading": {"states_from": "/etc/passwd"}}, OptionError, "no member 'states_from'"),
        ({"reading": {"bins": 1}}, OptionError, "bins must be"),
        ({"reading": {"missing": "guess"}}, OptionError, "missing must be one of"),
        ({"search": {"name": "ges", "path": "x"}}, OptionError, "search has no member 'path'"),
        (plan_of("ges", control=("bh", {})), OptionError, "no option 'control'"),
        ({"max_parents": -1}, OptionError, "max_parents"),
        ({"max_parents": "2"}, OptionError, "max_parents"),
        ({"time_limit": "soon"}, OptionError, "time"),
        ({"time_limit": 5}, OptionError, "time_limit"),
        ({"knowledge": {"required": [["A", "A"]]}}, BayesloomError, "A"),
        ({"knowledge": {"required": [["A", "B"]], "forbidden": [["A", "B"]]}}, KnowledgeError, "A"),
        ({"knowledge": {"file": "x.json"}}, OptionError, "knowledge has no member 'file'"),
    ],
)
def test_a_plan_checks_itself(told: object, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        Plan.from_dict(told)
