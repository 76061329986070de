"""``--set``: every option that can be written, of every part, and nothing that is passed over."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

import pytest

from bayesloom.cli.spelling import is_spelled
from bayesloom.registry import REGISTRIES, Registry, option_text
from failing import failed

LEARN = ("learn", "asia.csv", "--search")


@pytest.mark.parametrize(
    ("flags", "settings"),
    [
        (["bic", "--penalty", "3"], ["score=bic", "score.penalty=3"]),
        (
            ["bdeu", "--ess", "2", "--kappa", "0.1"],
            ["score.ess=2", "score=bdeu", "score.kappa=.1"],
        ),
    ],
)
def test_set_says_the_same_as_a_flag(
    told: Callable[..., Any], flags: list[str], settings: list[str]
) -> None:
    by_flags = told(*LEARN, "ges", "--score", *flags)
    by_set = told(*LEARN, "ges", *(word for text in settings for word in ("--set", text)))
    assert by_set["score"] == by_flags["score"]


@pytest.mark.parametrize(
    ("args", "screen"),
    [
        ([*LEARN, "ges", "--set", "score.penalty=2"], "score bic -[0-9,.]+ [(]penalty 2[)]"),
        (["learn", "asia.csv", "--set", "score.guard=2"], "[(]guard 2, sparsity 0.5[)]"),
        (["learn", "asia.csv", "--set", "control.alpha=0.01"], "[(]control spending, alpha 0.01"),
        (
            [*LEARN, "iges", "--control", "lord", "--set", "control.wealth=0.01"],
            "[(]control lord, alpha 0.05, wealth 0.01[)]",
        ),
        (
            [*LEARN, "structural-em", "--set", "then=ges", "--set", "then.score=bdeu",
             "--set", "then.score.ess=3", "--set", "then.turning=true"],
            r"StructuralEM[(]then=GES[(]score=BDeu[(]ess=3.0[)], turning=True[)][)]",
        ),
        ([*LEARN, "hc", "--score", "pnal", "--set", "score.chained=false"], "[(]chained false[)]"),
        (["score", "asia.bif.gz", "asia.csv", "--score", "pnal", "--set", "score.alpha=0.3"],
         "alpha = 0.3, chained = true"),
        (["compare", "asia.csv", "--folds", "2", "--search", "tan,nb", "--set", "target=lung"],
         "tan .* nb "),
        (["compare", "asia.csv", "--folds", "2", "--search", "hc", "--estimator", "ml,laplace",
          "--set", "estimator.pseudocount=3"], r"Laplace[(]pseudocount=3.0[)]"),
        (["blanket", "asia.csv", "lung", "--set", "test.coverage=strict"], r"test=ChiSquare[(][)]"),
    ],
)  # fmt: skip
def test_options_of_parts_are_heeded_whether_the_part_is_named_or_not(
    run: Callable[..., Any], args: list[str], screen: str
) -> None:
    done = run(*args)
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.search(screen, " ".join(done.stdout.split()))


def test_scores_and_estimators_of_compare_change_with_what_is_set(told: Callable[..., Any]) -> None:
    compare = ("compare", "asia.csv", "--folds", "2", "--search", "ges", "--score", "bic,aic")
    usual = told(*compare)["searches"]
    stern = told(*compare, "--set", "score.penalty=9")["searches"]
    before = {row["search"]: row["score"] for row in usual}
    after = {row["search"]: row["score"] for row in stern}
    assert before["ges aic"] == after["ges aic"]
    assert before["ges bic"] != after["ges bic"]


def test_the_estimator_of_learn_changes_with_what_is_set(run: Callable[..., Any]) -> None:
    learn = ("learn", "asia.csv", "-q", "-o")
    run(*learn, "usual.bif")
    for name, given in {"mild.bif": "bdeu", "strong.bif": "laplace"}.items():
        option = {"bdeu": "ess=10", "laplace": "pseudocount=900"}[given]
        run(*learn, name, "--estimator", given, "--set", f"estimator.{option}")
    usual, mild, strong = (
        run("tables", name, "lung").stdout for name in ("usual.bif", "mild.bif", "strong.bif")
    )
    assert usual == mild
    assert usual != strong


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([*LEARN, "ges", "--set", "foo.x=1"], "the search ges has score, turning, start, "),
        ([*LEARN, "ges", "--set", "score.x=1"], "the score bic has score.kappa, "),
        ([*LEARN, "ges", "--set", "score.penalty.x=1"], "the score bic has score.kappa, "),
        ([*LEARN, "ges", "--set", "score.penalty=x"], "expected a number, got 'x'"),
        ([*LEARN, "ges", "--set", "control.alpha=1"], "the search ges has score, turning, start"),
        ([*LEARN, "ges", "--set", "score"], "--set score: expected NAME=VALUE"),
        ([*LEARN, "ges", "--set", "score.=1"], "--set score.=1: expected NAME=VALUE"),
        ([*LEARN, "ges", "--set", "score=x"], "expected bde or bdeu or "),
        ([*LEARN, "ges", "--set", "score=bde"], "expected a score that needs no options"),
        ([*LEARN, "exact", "--set", "candidates=3"], "a value that cannot be written here"),
        ([*LEARN, "ges", "--score", "bic", "--penalty", "1", "--set", "score.penalty=2"],
         "--penalty and --set say both what penalty is; give one of them"),
        ([*LEARN, "structural-em", "--set", "then.speed=1"], "the search ixges has then.score, "),
        (["learn", "asia.csv", "--estimator", "ml", "--set", "estimator.ess=1"],
         "the estimator ml has no further options"),
        (["bootstrap", "asia.csv", "--set", "estimator.ess=1"], "the search ixges has score, "),
        (["test", "asia.csv", "lung", "xray", "--set", "min_expected=1"], "test.NAME=VALUE"),
        (["score", "asia.bif.gz", "asia.csv", "--set", "score.ess=1"],
         "--set score.ess=1 is an option of a score; name it with --score"),
        (["explain", "asia.bif.gz", "lung", "xray", "--set", "score.ess=1"], "--set needs --data"),
        (["compare", "asia.csv", "--search", "ges,hc", "--set", "length=1"],
         "none of ges, hc has that"),
        (["compare", "asia.csv", "--search", "tan"], "the search tan needs --set target=..."),
        (["blanket", "asia.csv", "lung", "--set", "foo.x=1"], "the search iamb has test, "),
        (["classify", "fit", "asia.csv", "--target", "lung", "-o", "c.json", "--set", "foo.x=1"],
         "--set foo.x=1 has no meaning for --model tan"),
    ],
)  # fmt: skip
def test_what_no_part_has_is_refused_and_never_passed_over(
    run: Callable[..., Any], args: list[str], message: str
) -> None:
    assert message in failed(run(*args), exit_code=2)


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda found: found.kind)
def test_every_option_that_can_be_written_is_read_back(registry: Registry) -> None:
    """Whatever is a number, a text or a choice by default has no need of a flag."""
    from bayesloom.cli.settings import Setting, changed

    for name in registry:
        kind = registry[name]
        given = {"target": "a", "order": ("a",), "prior": None}
        needed = {f.name: given[f.name] for f in fields(kind) if f.default is MISSING}
        if "prior" in needed:
            continue  # a table
        value = kind(**needed)
        for option, hint in registry.options(name).items():
            told = getattr(value, option)
            if is_spelled(hint) and isinstance(told, int | float | str):
                text = f"{option}={option_text(told)}"
                assert changed(value, [Setting(text, (option,), option_text(told))]) == value


def test_help_of_every_command_with_parts_tells_of_set(run: Callable[..., Any]) -> None:
    commands = ("learn", "bootstrap", "compare", "blanket", "test", "score", "explain", "edges")
    for command in (*commands, "report", "posterior", "certify"):
        assert "--set NAME=VALUE" in run(command, "--help").stdout
