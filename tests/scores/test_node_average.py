"""The score for data with holes, in the form of the references and chained."""

from __future__ import annotations

import gc
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from bayesloom import _native
from bayesloom.data import Table
from bayesloom.engine import BlockEngine, FamilyKernel, NativeEngine
from bayesloom.errors import DataError, OptionError
from bayesloom.registry import SCORES
from bayesloom.scores import AIC, BIC, FNML, PNAL, QNML, BDe, BDeu, BDm, BDs, K2Score, LogLikelihood
from bayesloom.scores import information_chain as chain
from bayesloom.scores.score import Score, family_batch
from bayesloom.search import Exact, Limits, Watch
from every_engine import EngineOf
from reference_exact import best_of_all_dags
from strategies import FEW_STATES, Family, make_table, punched, scored_tables

Scored = tuple[Table, list[Family]]


@st.composite
def hollow_scored(draw: st.DrawFn, states: Sequence[int] = FEW_STATES) -> Scored:
    table, families = draw(scored_tables(states=states))
    share = st.sampled_from((0.0, 0.1, 0.3, 0.9))
    shares = draw(st.lists(share, min_size=table.n_columns, max_size=table.n_columns))
    return punched(table, shares, draw(st.integers(0, 999))), families


def hollow(seed: int, n_rows: int = 300, share: float = 0.2) -> Table:
    """Return a chain of four variables, some of whose cells are missing."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, n_rows)]
    for _ in range(3):
        columns.append(np.where(rng.random(n_rows) < 0.8, columns[-1], rng.integers(0, 2, n_rows)))
    return punched(make_table(columns, [2] * 4), [share] * 4, seed)


@settings(max_examples=60)
@given(scored=scored_tables(), chained=st.booleans())
def test_on_complete_data_it_is_bic_to_the_last_bit(scored: Scored, chained: bool) -> None:  # noqa: FBT001
    table, families = scored
    engine, batch = NativeEngine(table, 1), family_batch(families)
    mine = PNAL(penalty=1.5, chained=chained).local_scores(engine, batch)
    assert mine.tobytes() == BIC(penalty=1.5).local_scores(engine, batch).tobytes()


@settings(max_examples=60)
@given(scored=hollow_scored())
def test_the_form_of_the_references_is_that_of_the_definition(
    engine_of: EngineOf, scored: Scored
) -> None:
    table, families = scored
    found = PNAL(chained=False).local_scores(engine_of(table), family_batch(families))
    for (child, parents), value in zip(families, found.tolist(), strict=True):
        price = math.log(table.n_rows) / 2
        true = reference.node_average(table, child, parents)
        true -= price * reference.free_parameters(table, child, parents)
        assert value == pytest.approx(float(true), rel=1e-13, abs=1e-12)


@settings(max_examples=40)
@given(scored=hollow_scored())
def test_the_chained_form_is_that_of_the_definition(engine_of: EngineOf, scored: Scored) -> None:
    table, families = scored
    found = PNAL().local_scores(engine_of(table), family_batch(families))
    if table.is_complete:
        return
    for (child, parents), value in zip(families, found.tolist(), strict=True):
        price = math.log(table.n_rows) / 2
        true = reference.chained_average(table, child, parents)
        known = math.prod(1 - table.missing[v] / table.n_rows for v in (child, *parents))
        price /= math.sqrt(max(known, 1 / table.n_rows))
        true -= price * reference.free_parameters(table, child, parents)
        assert value == pytest.approx(float(true), rel=1e-11, abs=1e-9)


@settings(max_examples=30)
@given(scored=hollow_scored())
def test_what_was_asked_before_changes_no_bit(scored: Scored) -> None:
    table, families = scored
    known = NativeEngine(table, 2)
    for family in families:
        PNAL().local_scores(known, family_batch([family]))
    anew = PNAL().local_scores(NativeEngine(table, 1), family_batch(families))
    assert PNAL().local_scores(known, family_batch(families)).tobytes() == anew.tobytes()
    blocks = PNAL().local_scores(BlockEngine([table]), family_batch(families))
    assert blocks.tobytes() == anew.tobytes()


def test_what_is_remembered_is_forgotten_with_the_data() -> None:
    gc.collect()
    before = len(chain._memories)
    engine = NativeEngine(hollow(1))
    PNAL().local_scores(engine, family_batch([(0, (1, 2))]))
    assert len(chain._memories) == before + 1
    del engine
    gc.collect()
    assert len(chain._memories) == before


def test_a_full_memory_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "_MOST_TERMS", 0)
    engine, batch = NativeEngine(hollow(1)), family_batch([(0, (1, 2, 3)), (1, (2, 3))])
    first = PNAL().local_scores(engine, batch)
    assert PNAL().local_scores(engine, batch).tobytes() == first.tobytes()


def test_what_is_known_of_every_variable_is_needed_for_scores() -> None:
    engine, batch = NativeEngine(hollow(1)), family_batch([(0, ())])
    chains = _native.InformationChains(4)
    short = np.zeros(3)
    with pytest.raises(ValueError, match="of every variable are needed"):
        chains.scores(*batch.arrays, engine.cardinality, short, short, 300.0, 1.0)


@pytest.mark.parametrize("seed", range(5))
def test_a_parent_that_tells_least_adds_its_conditional_information_and_nothing_else(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed + 100)
    noise = punched(make_table([rng.integers(0, 2, 300)], [2]), [0.2], seed + 100).codes[0]
    table = make_table([*hollow(seed).codes, noise], [2] * 5)
    engine = NativeEngine(table)
    alone, joined = PNAL().local_scores(engine, family_batch([(0, (1,)), (0, (1, 4))]))
    known = reference.known_rows(table, [0, 1, 4])
    assert known is not None
    told = 300 * float(reference.information(known, 0, 4, [1]))
    shares = [1 - engine.missing[v] / 300 for v in (0, 1, 4)]
    roots = [math.sqrt(math.prod(shares)), math.sqrt(math.prod(shares[:2]))]
    prices = [2 * math.log(300) / roots[0], math.log(300) / roots[1]]
    assert joined - alone == pytest.approx(told - prices[0] + prices[1], abs=1e-9)


def test_a_family_that_no_row_knows_is_no_better_than_without_the_parent() -> None:
    never = make_table([[0, 1, 2, 2] * 20, [2, 2, 0, 1] * 20, [0, 0, 1, 1] * 20], [2, 2, 2])
    engine, batch = NativeEngine(never), family_batch([(0, ()), (0, (1,)), (0, (1, 2))])
    for score in (PNAL(), PNAL(chained=False)):
        alone, one, two = score.local_scores(engine, batch).tolist()
        assert two < one < alone
    least = engine.families(batch, FamilyKernel.NODE_AVERAGE, 80.0)[1]
    assert least == pytest.approx(-80 * math.log(2), rel=1e-15)


@pytest.mark.parametrize(
    "score",
    [
        AIC(),
        BIC(),
        LogLikelihood(),
        BDeu(),
        BDm(),
        BDs(),
        K2Score(),
        QNML(),
        FNML(),
        BDe(hollow(3)),
    ],
    ids=SCORES.name_of,
)
def test_all_other_scores_refuse_holes_with_one_sentence(score: Score) -> None:
    with pytest.raises(DataError) as error:
        score.local_scores(NativeEngine(hollow(3)), family_batch([(0, ())]))
    said = str(error.value)
    assert "\n" not in said
    for choice in ("PNAL", "StructuralEM", "missing='drop'", "missing='state'"):
        assert choice in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"penalty": 0}, "penalty must be above 0"),
        ({"penalty": float("nan")}, "penalty"),
        ({"alpha": 0}, "alpha must be between 0 and 1, got 0"),
        ({"alpha": 1}, "alpha must be between 0 and 1, got 1"),
        ({"alpha": "x"}, "alpha"),
        ({"chained": "yes"}, "chained must be True or False"),
    ],
)
def test_options_are_checked(options: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        PNAL(**options)  # type: ignore[arg-type]


def test_prices_are_those_of_bic_or_a_power_of_the_rows() -> None:
    assert PNAL(penalty=3).price(1000) == BIC(penalty=3).price(1000)
    assert PNAL(penalty=0.5, alpha=0.25).price(10_000) == pytest.approx(500)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("chained", [True, False])
def test_exact_search_finds_the_best_of_all_graphs(seed: int, chained: bool) -> None:  # noqa: FBT001
    table, score = hollow(seed, 200, 0.3), PNAL(chained=chained)
    engine, limits = NativeEngine(table), Limits.none(table.names)
    found = Exact(score=score).search(engine, limits, Watch())
    assert found.score == pytest.approx(best_of_all_dags(table, score, limits), abs=1e-8)


@settings(max_examples=30)
@given(scored=hollow_scored())
def test_no_family_exceeds_the_ceiling_of_a_part_of_it(scored: Scored) -> None:
    table, families = scored
    engine = NativeEngine(table)
    for score in (PNAL(), PNAL(chained=False)):
        for child, parents in families:
            smaller = [(child, parents[:k]) for k in range(len(parents) + 1)]
            (value,) = score.local_scores(engine, family_batch([(child, parents)]))
            assert (value <= score.ceilings(engine, family_batch(smaller)) + 1e-9).all()


def test_the_explanation_tells_formula_and_settings() -> None:
    from bayesloom.graphs import DAG

    told = PNAL(alpha=0.4, penalty=0.1).explain(
        hollow(1), DAG.from_edges([("v0", "v1")], [f"v{k}" for k in range(4)])
    )
    assert told.settings["alpha"] == 0.4
    assert "N_f the rows that know the family" in str(told)
