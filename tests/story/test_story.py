from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.stats

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import OptionError, UnknownVariableError
from bayesloom.facade import learn, load
from bayesloom.graphs import DAG
from bayesloom.independence import BenjaminiHochberg, Coverage, FixedAlpha, GSquare
from bayesloom.model import draw_rows, random_dag, random_net
from bayesloom.scores import BIC, BDeu, Score
from bayesloom.search import (
    DMN,
    GES,
    IGES,
    IHC,
    IL,
    XGES,
    Alternative,
    HillClimbing,
    Knowledge,
    OrderSearch,
    Reason,
    Search,
    Start,
    Step,
    Tabu,
    ThroughDMN,
)
from bayesloom.story import Criterion, Direction, Story, gather_evidence, tell_story
from bayesloom.story.evidence import EdgeChange
from bayesloom.story.sentences import change_sentence
from example_tables import read_example


def total(score: Score, table: Table, dag: DAG) -> float:
    return score.explain(table, dag).value


def with_edges(dag: DAG, add: list[tuple[str, str]], drop: list[tuple[str, str]]) -> DAG:
    return DAG.from_edges([e for e in dag.edges if e not in drop] + add, dag.names)


@pytest.mark.parametrize("score", [BIC(), BDeu(ess=5, kappa=0.1)])
def test_the_gains_of_a_story_are_differences_of_whole_scores(asia: Table, score: Score) -> None:
    learned = learn(asia, HillClimbing(score=score))
    for x, y in itertools.combinations(asia.names, 2):
        evidence = learned.explain(x, y).evidence
        assert evidence is not None
        for change in evidence.changes:
            edge, back = (change.x, change.y), (change.y, change.x)
            add = {"insert": [edge], "delete": [], "reverse": [back]}[change.operator]
            drop = [] if change.operator == "insert" else [edge]
            try:
                changed = with_edges(learned.dag, add, drop)
            except ValueError:
                assert change.gain is None
            else:
                gain = total(score, asia, changed) - total(score, asia, learned.dag)
                assert change.gain == pytest.approx(gain, abs=1e-6)


def test_the_test_of_the_pair_alone_is_pearsons(asia: Table) -> None:
    learned = learn(asia)
    for x, y in itertools.combinations(asia.names, 2):
        evidence = learned.explain(x, y).evidence
        assert evidence is not None
        counts: Any = np.zeros((2, 2))
        np.add.at(counts, (asia.column(x), asia.column(y)), 1)
        found = scipy.stats.chi2_contingency(counts, correction=False)
        assert evidence.alone.statistic == pytest.approx(found.statistic)
        assert evidence.alone.p == pytest.approx(found.pvalue)
        assert evidence.alone.min_expected == pytest.approx(found.expected_freq.min())
        joint = counts / counts.sum()
        apart = joint.sum(1, keepdims=True) * joint.sum(0)
        seen = joint > 0
        information = (joint[seen] * np.log(joint[seen] / apart[seen])).sum()
        assert evidence.alone.mutual_information == pytest.approx(information)


def test_both_orders_of_a_pair_tell_the_same(asia: Table) -> None:
    learned = learn(asia)
    for x, y in itertools.combinations(asia.names, 2):
        there, back = learned.explain(x, y), learned.explain(y, x)
        assert there.evidence == back.evidence
        assert there.direction is back.direction
        assert there.steps == back.steps
        assert there.edge == back.edge.translate(str.maketrans("<>", "><"))[::-1]


def test_given_are_the_other_parents_of_the_later_variable(asia: Table) -> None:
    dag = DAG.from_edges([("smoke", "lung"), ("tub", "either"), ("lung", "either")], asia.names)
    engine = NativeEngine(asia.in_name_order())
    joined = gather_evidence(engine, BIC(), dag, "either", "lung")
    assert joined.given is not None
    assert (joined.child, joined.given.given) == ("either", ("tub",))
    apart = gather_evidence(engine, BIC(), dag, "either", "smoke")
    assert apart.given is not None
    assert (apart.child, apart.given.given) == ("either", ("lung", "tub"))
    assert gather_evidence(engine, BIC(), dag, "asia", "xray").given is None


def test_the_story_of_an_edge_names_the_step_that_put_it_there(asia: Table) -> None:
    learned = learn(asia, HillClimbing())
    parent, child = learned.edges[0]
    story = learned.explain(parent, child)
    assert story.is_present
    assert story.edge == "->"
    assert story.steps is not None
    (told,) = story.steps
    assert learned.steps[told.number - 1] == told.step
    assert f"Step {told.number} inserted {told.step.x} -> {told.step.y}" in str(story)


def test_the_story_of_an_absent_pair_says_what_adding_it_would_cost(asia: Table) -> None:
    learned = learn(asia, HillClimbing())
    absent = next(
        pair
        for pair in itertools.combinations(asia.names, 2)
        if pair not in learned.edges and pair[::-1] not in learned.edges
    )
    story = learned.explain(*absent)
    assert not story.is_present
    assert story.direction is None
    assert str(story).startswith("{} and {}: the two are not joined.".format(*absent))
    assert "inserting" in str(story)


def test_no_improvement_is_left_for_any_pair_after_hill_climbing(asia: Table) -> None:
    learned = learn(asia, HillClimbing())
    for x, y in itertools.combinations(asia.names, 2):
        evidence = learned.explain(x, y).evidence
        assert evidence is not None
        assert max(change.gain or -1.0 for change in evidence.changes) < 1e-6


def test_directions_are_compelled_free_or_from_knowledge() -> None:
    collider = DAG.from_edges([("A", "C"), ("B", "C")])
    assert tell_story("A", "C", collider).direction is Direction.COMPELLED
    chain = DAG.from_edges([("A", "B")])
    assert tell_story("A", "B", chain).direction is Direction.FREE
    frame = {"A": ["n", "y"] * 20, "B": ["n", "y"] * 20}
    for search in (HillClimbing(), GES()):
        learned = learn(frame, search, knowledge=Knowledge(roots=("B",)))
        story = learned.explain("A", "B")
        assert (story.edge, story.direction) == ("<-", Direction.KNOWLEDGE)
        assert story.knowledge == ("Knowledge does not allow A -> B.",)


def test_a_free_edge_of_a_class_is_told_without_arrow() -> None:
    story = learn({"A": ["n", "y"] * 20, "B": ["n", "y"] * 20}, GES()).explain("A", "B")
    assert story.edge == "-"
    assert "A -> B and B -> A explain any data equally well" in str(story)


def test_limits_that_keep_a_pair_apart_are_told() -> None:
    frame = {"A": ["n", "y"] * 20, "B": ["n", "y"] * 20, "C": ["n", "y"] * 20}
    apart = Knowledge(forbidden=(("A", "B"), ("B", "A")), required=(("A", "C"),))
    story = learn(frame, knowledge=apart).explain("A", "B")
    assert story.knowledge == (
        "Knowledge does not allow A -> B.",
        "Knowledge does not allow B -> A.",
    )
    assert learn(frame, knowledge=apart).explain("A", "C").knowledge[0] == (
        "Knowledge requires A -> C."
    )
    full = learn(frame, max_parents=0).explain("A", "B")
    assert full.knowledge[0] == "B has as many parents as max_parents = 0 allows."


def test_steps_that_directed_the_edge_on_the_way_are_told(child: Table) -> None:
    learned = learn(child, GES())
    step = next(step for step in learned.steps if step.others)
    story = learned.explain(step.y, step.others[0])
    assert story.steps is not None
    assert step in [told.step for told in story.steps]


def test_p_values_too_small_for_a_number_are_still_told() -> None:
    frame = {"A": ["n", "y"] * 2000, "B": ["n", "y"] * 2000}
    exact = mpmath.nstr(mpmath.erfc(mpmath.sqrt(2000)), 2)  # chi-square 4000 with 1 df
    assert f"p = {exact}," in str(learn(frame).explain("A", "B"))


def test_constant_variables_have_a_story() -> None:
    story = learn({"A": ["n"] * 9, "B": ["n", "y", "y"] * 3}).explain("A", "B")
    assert "nothing to test" in str(story)


def test_stories_are_about_two_known_variables(asia: Table) -> None:
    learned = learn(asia)
    with pytest.raises(UnknownVariableError, match="'smoking'"):
        learned.explain("smoking", "lung")
    with pytest.raises(OptionError, match="'lung' twice"):
        learned.explain("lung", "lung")


def test_steps_for_dependencies_say_what_they_cover(asia: Table) -> None:
    learned = learn(asia, IGES(score=BDeu(kappa=0.001)))
    number, step = next(
        (k, step)
        for k, step in enumerate(learned.steps, start=1)
        if step.reason is Reason.DEPENDENCY and step.covered
    )
    story = learned.explain(step.x, step.y)
    assert story.steps is not None
    told = next(told for told in story.steps if told.number == number)
    assert told.covered == tuple(learned.dependencies[k] for k in step.covered)
    assert "to cover a significant dependency" in str(story)


def test_detected_dependencies_of_the_pair_are_told(asia: Table) -> None:
    learned = learn(asia, IGES())
    found = learned.dependencies[0]
    story = learned.explain(found.y, found.x)
    assert found in story.dependencies
    assert f"The search found {found.x} ~ {found.y}" in str(story)
    assert learn(asia, HillClimbing()).explain(found.x, found.y).dependencies == ()
    assert "No test of the search" not in str(story)


def test_a_story_tests_as_the_search_does(child: Table) -> None:
    test = GSquare(min_expected=10)
    learned = learn(child, IGES(test=test, control=FixedAlpha(0.001)))
    engine = learned.data
    for x, y in itertools.combinations(child.names, 2):
        story = learned.explain(x, y)
        assert story.evidence is not None
        assert story.evidence.criterion == Criterion(test, 0.001)
        alone = story.evidence.alone
        assert alone.statistic == pytest.approx(2 * engine.n_rows * alone.mutual_information)
        assert alone.min_expected is not None
        assert alone.conclusive == (alone.min_expected >= 10)
        # All pairs are tested alone, and at a fixed level the story agrees with the search.
        found = any(not dependency.given for dependency in story.dependencies)
        assert found == (alone.conclusive and alone.p <= 0.001)
        assert (
            "With nothing given the two are dependent at the 0.1 % level" in str(story)
        ) == found
        assert ("With nothing given the rows are too few" in str(story)) != alone.conclusive
        assert ("No test of the search" in str(story)) == (not story.dependencies)
        assert "chi-square" not in str(story)
        assert "outside the error control of the search" in str(story)


def test_without_a_test_or_a_fixed_level_a_story_uses_the_common_ones(asia: Table) -> None:
    relaxed = GSquare(coverage=Coverage.RELAXED)
    harmless = learn(asia, IHC(test=relaxed, control=BenjaminiHochberg(0.01)), max_steps=1)
    assert Criterion.of(harmless.record) == Criterion(relaxed)
    through = learn(asia, ThroughDMN(then=IGES(control=FixedAlpha(0.01))))
    assert Criterion.of(through.record) == Criterion(level=0.01)
    story = learn(asia, HillClimbing()).explain("smoke", "lung")
    assert story.evidence is not None
    assert story.evidence.criterion == Criterion()
    assert "error control" not in str(story)


@pytest.mark.parametrize(
    "search",
    [
        HillClimbing(start=Start.CHOW_LIU),
        HillClimbing(start=Start.CHOW_LIU, restarts=3),
        HillClimbing(start=Start.COMPLETE),
        Tabu(start=Start.CHOW_LIU),
        GES(start=Start.CHOW_LIU),
        XGES(start=Start.COMPLETE),
        IL(HillClimbing(start=Start.CHOW_LIU)),
    ],
    ids=repr,
)
def test_a_story_says_what_the_start_graph_had_joined(asia: Table, search: Search) -> None:
    learned = learn(asia, search)
    local: Any = getattr(search, "local", search)
    first = learn(asia, HillClimbing(start=local.start), max_steps=0).skeleton.undirected
    assert set(learned.history.start) == {(min(edge), max(edge)) for edge in first}
    for x, y in itertools.combinations(sorted(asia.names), 2):
        story = learned.explain(x, y)
        assert story.in_start == ((x, y) in learned.history.start)
        assert ("joined in the graph that the search started from" in str(story)) == story.in_start
        said = "no step of the search touched" if story.in_start else "No step of the search"
        assert (said in str(story)) == (not story.steps)


@pytest.mark.parametrize(
    "search", [HillClimbing(), Tabu(), GES(), XGES(), IGES(), DMN(), ThroughDMN(), OrderSearch()]
)
def test_nothing_is_joined_in_an_empty_start(asia: Table, search: Search) -> None:
    assert learn(asia, search).history.start == ()


def test_gains_of_links_on_the_way_name_their_own_score(asia: Table, tmp_path: Path) -> None:
    learned = learn(asia, ThroughDMN(then=GES(score=BDeu(ess=10))))
    operators = {step.operator for step in learned.steps}
    assert len(operators) > 1
    for step in learned.steps:
        is_link = step.operator == "link"
        assert step.to_dict().get("score") == ("bic" if is_link else None)
        assert ("score of the Markov network (bic)" in step.sentence(1)) == is_link
    learned.save(tmp_path / "net.json")
    assert load(tmp_path / "net.json").record == learned.record
    assert {step.score for step in learn(asia, DMN()).steps} == {None}


def test_a_gain_that_rounds_to_nothing_has_no_sign() -> None:
    step = Step("reverse", "A", "B", -0.001)
    assert step.sentence(1).endswith("by 0.00.")
    assert change_sentence(EdgeChange("delete", "A", "B", -1e-9), "bic").endswith("by 0.00.")


def replayed(step: Step[str], before: frozenset[frozenset[str]]) -> frozenset[frozenset[str]]:
    """Return the joined pairs after a step."""
    pair = frozenset({step.x, step.y})
    return {"insert": before | {pair}, "delete": before - {pair}}.get(step.operator, before)


@pytest.mark.parametrize("search", [XGES(score=BDeu(ess=1)), GES(score=BDeu(ess=1), turning=True)])
def test_a_step_is_told_only_of_pairs_that_it_joined_parted_or_directed(search: Search) -> None:
    for seed in range(160, 175):
        net = random_net(random_dag(6, seed, edges=9), seed)
        learned = learn(draw_rows(net, 300, seed + 1), search)
        for x, y in itertools.combinations(learned.names, 2):
            told = {step.number for step in learned.explain(x, y).steps or ()}
            joined: frozenset[frozenset[str]] = frozenset()
            for number, step in enumerate(learned.steps, start=1):
                after = replayed(step, joined)
                if number in told:
                    # Whatever a step does to a pair, the two are joined before or after it.
                    assert frozenset({x, y}) in joined | after
                joined = after


def test_a_reversal_is_told_of_the_pair_whose_edge_it_directed() -> None:
    net = random_net(random_dag(6, 166, edges=9), 166)
    learned = learn(draw_rows(net, 300, 167), XGES(score=BDeu(ess=1)))
    for number, step in enumerate(learned.steps, start=1):
        if step.operator == "reverse":
            for other in step.others:  # x -> y became y -> x <- other
                told = learned.explain(other, step.x).steps or ()
                assert number in {told_step.number for told_step in told}


def test_a_free_edge_is_never_said_to_cost_score_without_saying_that_it_is_turned_alone() -> None:
    asia = read_example("asia")
    learned = learn(asia, GES())
    free = [
        story
        for x, y in learned.undirected
        if (story := learned.explain(x, y)).direction is Direction.FREE
    ]
    turned = [change for story in free for change in _reversals(story) if change.gain]
    assert free
    assert any(abs(change.gain or 0) > 1 for change in turned)  # so there is something to say
    for story in free:
        for line in str(story).split("\n"):
            assert "reversing" not in line or "alone, all other edges as they are," in line


def _reversals(story: Story) -> list[EdgeChange]:
    assert story.evidence is not None
    return [change for change in story.evidence.changes if change.operator == "reverse"]


@pytest.mark.parametrize(
    ("gain", "how"),
    [(5.0, "scores better but covers no more"), (-2.0, "scores as well but covers")],
)
def test_a_move_that_was_passed_over_is_told_by_its_own_gain(gain: float, how: str) -> None:
    other = Alternative("delete", "C", "A", gain)
    step = Step("insert", "A", "B", -2.0, reason=Reason.DEPENDENCY, passed_over=other)
    assert how in step.sentence(1)
