"""One expression for a setting: what is printed can be typed, and nothing is passed over."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from failing import failed

LEARN = ("learn", "asia.csv", "--search")


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (["--score", "bic", "--penalty", "0.3"], "GES(score=BIC(penalty=0.3))"),
        (["--score", "bdeu", "--ess", "2", "--kappa", "0.1"], "ges(BDeu(ess=2, kappa=.1))"),
        (["--score", "BDeu(ess=2)", "--kappa", "0.1"], "GES(bdeu(kappa=0.1, ess=2))"),
    ],
)
def test_an_expression_says_the_same_as_flags(
    told: Callable[..., Any], flags: list[str], text: str
) -> None:
    assert told(*LEARN, text)["score"] == told(*LEARN, "ges", *flags)["score"]


@pytest.mark.parametrize(
    ("args", "screen"),
    [
        ([*LEARN, "GES(score=BIC(penalty=0.3))"], "score bic -[0-9,.]+ [(]penalty 0.3[)]"),
        ([*LEARN, "IL(XGES(score=QNML(guard=4)), control=AlphaSpending(0.01))"],
         "IL[(]local=XGES[(]score=QNML[(]guard=4[)][)][)] with .*control spending, alpha 0.01"),
        (["learn", "asia.csv", "--alpha", "0.01"], "[(]control spending, alpha 0.01"),
        ([*LEARN, "iges", "--control", "LORD(wealth=0.01)"],
         "[(]control lord, alpha 0.05, wealth 0.01[)]"),
        ([*LEARN, "StructuralEM(then=GES(score=BDeu(ess=3), turning=true))"],
         r"StructuralEM[(]then=GES[(]score=BDeu[(]ess=3[)], turning=True[)][)]"),
        ([*LEARN, "hc", "--score", "PNAL(chained=False)"], "[(]chained false[)]"),
        (["score", "asia.bif.gz", "asia.csv", "--score", "PNAL(alpha=0.3)"],
         "alpha = 0.3, chained = true"),
        (["compare", "asia.csv", "--folds", "2",
          "--search", "TAN(target='lung'),nb(target='lung')"],
         "TAN[(]target='lung'[)] .* nb[(]target='lung'[)] "),
        (["compare", "asia.csv", "--folds", "2", "--search", "hc",
          "--estimator", "ml,Laplace(pseudocount=3)"], r"Laplace[(]pseudocount=3.0[)]"),
        (["blanket", "asia.csv", "lung", "--test", "ChiSquare(coverage='strict')"],
         r"test=ChiSquare[(][)]"),
    ],
)  # fmt: skip
def test_options_of_parts_are_heeded(run: Callable[..., Any], args: list[str], screen: str) -> None:
    done = run(*args)
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.search(screen, " ".join(done.stdout.split()))


def test_what_a_network_tells_of_its_search_learns_it_again(run: Callable[..., Any]) -> None:
    import bayesloom as bl

    run(*LEARN, "IAMB(variant='inter', max_given=2)", "--alpha", "0.1", "-q", "-o", "first.json")
    first = bl.load("first.json")
    assert first.record is not None
    run(*LEARN, first.record.search, "-q", "-o", "again.json")
    assert bl.load("again.json") == first


def test_scores_of_compare_change_with_what_is_written(told: Callable[..., Any]) -> None:
    compare = ("compare", "asia.csv", "--folds", "2", "--search", "ges", "--score")
    usual = told(*compare, "bic,aic")["searches"]
    stern = told(*compare, "BIC(penalty=9),aic")["searches"]
    before = {row["search"]: row["score"] for row in usual}
    after = {row["search"]: row["score"] for row in stern}
    assert before["ges aic"] == after["ges aic"]
    assert before["ges bic"] != after["ges BIC(penalty=9)"]


def test_the_estimator_of_learn_changes_with_what_is_written(run: Callable[..., Any]) -> None:
    learn = ("learn", "asia.csv", "-q", "-o")
    for name, text in {"usual": "bdeu", "mild": "BDeuMean(10)", "strong": "Laplace(900)"}.items():
        run(*learn, f"{name}.bif", "--estimator", text)
    usual, mild, strong = (
        run("tables", f"{name}.bif", "lung").stdout for name in ("usual", "mild", "strong")
    )
    assert usual == mild
    assert usual != strong


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([*LEARN, "GES(foo=1)"], "its options are score, turning, start"),
        ([*LEARN, "GES(score=BIC(x=1))"], "BIC has no option 'x' at character 15"),
        ([*LEARN, "GES(score=BIC(penalty='x'))"], "penalty must be a number, got 'x'"),
        ([*LEARN, "GES(scor=BIC())"], "GES has no option 'scor' (did you mean 'score'?)"),
        ([*LEARN, "GES(score)"], "there is no score 'score'"),
        ([*LEARN, "GES(score=)"], "is no search: it cannot be read at character"),
        ([*LEARN, "GES(score=x)"], "there is no score 'x'"),
        ([*LEARN, "GES(score=bde)"], "the score bde needs prior: write BDe(prior=...)"),
        ([*LEARN, "GES(score=GES())"], "there is no score 'GES'"),
        ([*LEARN, f"GES({'1, ' * 30})"], "options without their names at character"),
        ([*LEARN, "GES(bic, score=aic)"], "GES is given score twice"),
        ([*LEARN, "GES(**{})"], "GES is given options by ** twice"),
        ([*LEARN, "HillClimbing(restarts={})"], "restarts cannot be '{}'"),
        ([*LEARN, "chow-liu(root='lung')"], "with options, chow-liu is written ChowLiu(...)"),
        ([*LEARN, "__import__('os').system('ls')"], "there is no search"),
        ([*LEARN, "IAMB(variant=slow)"], "variant must be 'plain' or 'inter' or 'fast', got slow"),
        ([*LEARN, "GES(score=BIC(penalty=2))", "--score", "bic"],
         "--score and 'GES(score=BIC(penalty=2))' say both what score is; give one of them"),
        ([*LEARN, "ges", "--score", "BIC(penalty=2)", "--penalty", "1"],
         "--penalty and 'BIC(penalty=2)' say both what penalty is; give one of them"),
        (["learn", "asia.csv", "--estimator", "MaximumLikelihood(ess=1)"],
         "MaximumLikelihood has no option 'ess' at character 19"),
        (["compare", "asia.csv", "--search", "tan"], "the search tan needs target"),
        (["blanket", "asia.csv", "lung", "--search", "pc"], "must be one of gs, iamb, got pc"),
        (["classify", "fit", "asia.csv", "--target", "lung", "-o", "c.json", "--search", "GES()"],
         "--search has no meaning for --model tan"),
    ],
)  # fmt: skip
def test_what_no_part_has_is_refused_and_never_passed_over(
    run: Callable[..., Any], args: list[str], message: str
) -> None:
    assert message in " ".join(failed(run(*args), exit_code=2).split())
