"""Restricted maximisation: edges only where the rule proposes them, whatever the search."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import OptionError
from bayesloom.facade import learn
from bayesloom.graphs import skeleton
from bayesloom.independence import FixedAlpha
from bayesloom.scores import BIC, BDeu
from bayesloom.search import (
    ARACNE,
    DMN,
    GES,
    IAMB,
    IGES,
    MIIC,
    MMHC,
    MMPC,
    PC,
    XGES,
    Candidates,
    ChowLiu,
    GrowShrink,
    HillClimbing,
    Limits,
    OrderSearch,
    Restricted,
    ScoredResult,
    Tabu,
    ThroughDMN,
    Watch,
    facts_of,
)
from bayesloom.search.restriction import confined
from strategies_search import Known, known, rich_tables, tables

RULES: dict[str, Any] = {
    "mmpc": MMPC(),
    "pc": PC(),
    "gs": GrowShrink(),
    "iamb": IAMB(),
    "chow-liu": ChowLiu(),
    "dmn": DMN(),
    "aracne": ARACNE(),
    "miic": MIIC(),
}
THEN: dict[str, Any] = {
    "hc": HillClimbing(),
    "tabu": Tabu(),
    "ges": GES(),
    "xges": XGES(),
    "order": OrderSearch(restarts=0),
    "iges": IGES(BIC()),
}


def run(search: Any, table: Table, limits: Limits | None = None) -> ScoredResult:  # noqa: ANN401
    found = search.search(NativeEngine(table, 1), limits or Limits.none(table.names), Watch())
    assert isinstance(found, ScoredResult)
    return found


class Nobody:
    """A user's own rule: nobody is a candidate of anybody."""

    def candidates(self, engine: Any, limits: Limits, watch: Watch) -> Candidates:  # noqa: ANN401, ARG002
        return Candidates((0,) * len(limits.names))


@pytest.mark.parametrize("then", THEN)
@pytest.mark.parametrize("rule", RULES)
@given(table=rich_tables(3, 6))
@settings(max_examples=4)
def test_every_search_stays_among_the_candidates_of_every_rule(
    rule: str, then: str, table: Table
) -> None:
    limits = Limits.none(table.names)
    search = Restricted(RULES[rule], THEN[then])
    near = search.proposed(NativeEngine(table, 1), limits, Watch()).neighbours
    found = run(search, table)
    for mask, candidates in zip(skeleton(found.dag.parent_masks), near, strict=True):
        assert not mask & ~candidates
    inside = run(THEN[then], table, confined(limits, near))
    assert (found.dag, found.score, found.steps) == (inside.dag, inside.score, inside.steps)


@given(tables(1, 6) | rich_tables(3, 6), st.sampled_from(sorted(RULES)), st.data())
@settings(max_examples=50)
def test_knowledge_is_law(table: Table, rule: str, data: st.DataObject) -> None:
    law: Known = data.draw(known(table.names))
    limits = law.limits(table.names)
    found = run(
        Restricted(RULES[rule], data.draw(st.sampled_from([HillClimbing(), GES()]))), table, limits
    )
    assert limits.keeps(found.dag.parent_masks)


def test_a_rule_of_the_user_s_own_is_taken(asia_rows: Table) -> None:
    assert run(Restricted(Nobody(), HillClimbing()), asia_rows).dag.n_edges == 0


def test_max_min_hill_climbing_is_made_of_its_parts(asia_rows: Table) -> None:
    control = FixedAlpha(0.01)
    search = MMHC(BDeu(), control=control)
    parts = Restricted(MMPC(control=control), HillClimbing(BDeu()))
    assert run(search, asia_rows) == run(parts, asia_rows)
    assert [type(part).__name__ for part in facts_of(search).parts()] == [
        "Restricted",
        "HillClimbing",
    ]
    assert facts_of(search).testing() == facts_of(parts).testing()
    assert facts_of(search).goal(10) == BDeu()


def test_absent_pairs_have_the_test_that_took_them_apart(asia_rows: Table) -> None:
    found = run(MMHC(), asia_rows)
    joined = skeleton(found.dag.parent_masks)
    assert found.separations
    assert all(not joined[s.x] >> s.y & 1 for s in found.separations)
    learned = learn(asia_rows, MMHC())
    apart = learned.separations[0]
    assert f"took {apart.x} and {apart.y} apart" in str(learned.explain(apart.x, apart.y))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"candidates": "mmpc"}, r"candidates must be a rule such as MMPC\(\), .* got 'mmpc'"),
        ({"candidates": MMPC}, r"got MMPC$"),
        ({"then": HillClimbing}, r"then must be a search with a score"),
        ({"then": PC()}, r"then must be a search with a score, .* got PC$"),
    ],
)
def test_wrong_parts_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Restricted(**options)


def test_a_search_through_a_markov_network_is_restricted_to_its_links(asia_rows: Table) -> None:
    """Both narrow the limits alike; ThroughDMN starts from the network's own DAG besides."""
    limits = Limits.none(asia_rows.names)
    near = Restricted(DMN(), GES()).proposed(NativeEngine(asia_rows), limits, Watch()).neighbours
    for search in (ThroughDMN(then=GES()), Restricted(DMN(), GES())):
        masks = skeleton(run(search, asia_rows).dag.parent_masks)
        assert all(not mask & ~links for mask, links in zip(masks, near, strict=True))
