"""A certificate says how far a network is from the optimum, whoever made it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.data import Table
from bayesloom.data.reading import MissingPolicy
from bayesloom.engine import NativeEngine
from bayesloom.errors import (
    DataError,
    FileFormatError,
    KnowledgeError,
    OptionError,
    UnknownVariableError,
)
from bayesloom.search import Limits
from every_engine import ENGINES, EngineOf
from reference_exact import best_of_all_dags
from strategies import punched
from strategies_search import dags_over, rich_table, scores


@given(seed=st.integers(0, 1000), score=scores(), data=st.data())
@settings(max_examples=30)
def test_the_gap_is_the_distance_to_the_best_of_all_graphs(
    seed: int, score: bl.Score, data: st.DataObject
) -> None:
    table = rich_table(seed, 4, 4).in_name_order()
    dag = bl.DAG(table.names, tuple(data.draw(dags_over(4))))
    found = bl.certify(dag, table, score)
    best = best_of_all_dags(table, score, Limits.none(table.names))
    own = score.total(NativeEngine(table), dag.parent_masks)
    assert found.score == pytest.approx(own)
    assert found.best == pytest.approx(best, rel=1e-12)
    assert found.gap == pytest.approx(best - own, abs=1e-6)
    assert found.optimal == (best - own <= 1e-6)


def test_an_optimal_network_is_told_so(asia: Table) -> None:
    learned = bl.learn(asia, bl.Exact(), max_parents=3)
    found = bl.certify(learned, asia, max_parents=3)
    assert found.optimal
    assert str(found) == (
        f"bic {learned.score.value:,.6f}: optimal among networks with at most 3 parents per "
        "variable, proven"
    )
    assert found.dag.names == tuple(sorted(asia.names))
    assert list(found.to_dict()) == ["score", "best", "bound", "gap", "optimal", "max_parents"]


def test_networks_come_as_graphs_networks_results_and_files(asia: Table, tmp_path: Path) -> None:
    learned = bl.learn(asia, bl.HillClimbing())
    learned.save(tmp_path / "net.bif")
    engine = NativeEngine(asia.in_name_order())
    forms: list[Any] = [
        learned,
        learned.net,
        learned.dag,
        tmp_path / "net.bif",
        str(tmp_path / "net.bif"),
    ]
    told = [bl.certify(net, asia).to_dict() for net in forms]
    assert all(other == told[0] for other in told)
    assert bl.certify(learned, engine).to_dict() == told[0]


def test_the_states_of_a_network_count_where_data_are_read(tmp_path: Path) -> None:
    (tmp_path / "rain.csv").write_text("rain,more\n" + "no,1\nyes,2\n" * 10)
    net = bl.BayesNet.from_tables({"rain": (["no", "yes", "maybe"], [], [0.5, 0.3, 0.2])})
    three = bl.certify(net, tmp_path / "rain.csv")
    two = bl.certify(net.dag, tmp_path / "rain.csv")
    assert two.score - three.score == pytest.approx(0.5 * math.log(20))


def test_a_time_limit_tells_what_is_proven(asia: Table) -> None:
    found = bl.certify(bl.DAG.empty(asia.names), asia, time_limit=1e-9)
    assert not found.optimal
    assert found.to_dict()["gap"] is None
    assert "not settled: the time limit was reached" in str(found)


def test_knowledge_holds_for_the_networks_compared_with(asia: Table) -> None:
    empty = bl.DAG.empty(asia.names)
    apart = [(a, b) for a in asia.names for b in asia.names if a != b]
    assert bl.certify(empty, asia, knowledge=bl.Knowledge(forbidden=apart)).optimal


@pytest.mark.parametrize(
    ("net", "options", "error", "message"),
    [
        (3, {}, OptionError, "a network is made of arrows .* got 3"),
        ("nothing.bif", {}, FileFormatError, "nothing.bif"),
        (bl.DAG.empty(["asia", "Z"]), {}, UnknownVariableError, "Z"),
        (bl.DAG.empty(["asia"]), {"score": "bic"}, OptionError, "score must be a score"),
        (bl.DAG.empty(["asia"]), {"max_parents": -1}, OptionError, "max_parents must be 0 or more"),
        (bl.DAG.empty(["asia"]), {"knowledge": 3}, OptionError, "knowledge must be a Knowledge"),
        (
            bl.DAG.empty(["asia"]),
            {"time_limit": 0},
            OptionError,
            "time_limit must be a time above 0",
        ),
        (
            bl.DAG.from_edges([("asia", "tub")]),
            {"max_parents": 0},
            KnowledgeError,
            "the network gives tub 1 parents, more than max_parents = 0",
        ),
        (
            bl.DAG.from_edges([("asia", "tub")]),
            {"knowledge": bl.Knowledge(forbidden=[("asia", "tub")])},
            KnowledgeError,
            "the network has the edge asia -> tub, which is not allowed",
        ),
    ],
)
def test_bad_input_is_one_sentence(
    asia: Table, net: object, options: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        bl.certify(net, asia, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("made", ENGINES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("share", [0.0, 0.1])
def test_every_engine_certifies_alike(made: EngineOf, share: float, asia: Table) -> None:
    rows = punched(asia.take(slice(0, 600)).in_name_order(), [share, 0.0] * 4, 1)
    net = bl.learn(rows, bl.GES(score=bl.PNAL()))
    for options in ({}, {"score": bl.PNAL(), "max_parents": 2}):
        wanted = bl.certify(net.dag, rows, **options)  # type: ignore[arg-type]
        found = bl.certify(net.dag, made(rows), **options)  # type: ignore[arg-type]
        assert found.to_dict() == wanted.to_dict()
        assert found.dag == wanted.dag
        assert found.name == ("bic" if not (share or options) else "pnal")


@pytest.mark.parametrize("missing", ["drop", "keep"])
def test_files_are_certified_on_a_disk_as_in_memory(
    asia: Table, tmp_path: Path, missing: MissingPolicy
) -> None:
    rows, cache = punched(asia.take(slice(0, 600)), [0.1, 0.0] * 4, 1), tmp_path / "cache"
    path = tmp_path / "rows.csv"
    bl.write_csv(rows, path)
    learned = bl.learn(path, bl.GES(score=bl.PNAL()), missing="keep")
    for net in (learned, learned.dag):
        near = bl.certify(net, path, max_parents=2, missing=missing)
        far = bl.certify(net, path, max_parents=2, missing=missing, engine="disk", cache=cache)
        assert far.to_dict() == near.to_dict()
        assert far.name == {"drop": "bic", "keep": "pnal"}[missing]
    assert len(list(cache.iterdir())) > 0
    engine = bl.open(path, cache=cache, missing=missing)
    with pytest.raises(OptionError, match="missing is an option of reading, and an engine has its"):
        bl.certify(learned, engine, missing=missing)
    with pytest.raises(OptionError, match="engine must be one of auto, memory, disk, got 'dask'"):
        bl.certify(learned, path, engine="dask")


def test_missing_cells_that_a_network_has_no_state_for_are_refused_on_a_disk_as_in_memory(
    tmp_path: Path,
) -> None:
    (tmp_path / "rain.csv").write_text("rain,wet\n" + "no,no\nyes,yes\n" * 10 + ",no\n")
    net = bl.learn({"rain": ["no", "yes"] * 10, "wet": ["no", "yes"] * 10}, bl.GES())
    for engine in ("memory", "disk"):
        with pytest.raises(DataError, match="the network has no state 'missing' for it"):
            bl.certify(
                net, tmp_path / "rain.csv", missing="state", engine=engine, cache=tmp_path / "c"
            )
        with pytest.raises(DataError, match=r"must have every variable .* 'snow'"):
            bl.certify(
                bl.network({"snow": (["no", "yes"], [], [0.5, 0.5])}),
                tmp_path / "rain.csv",
                engine=engine,
                cache=tmp_path / "c",
            )


def test_an_engine_must_have_the_variables_of_the_network(asia: Table) -> None:
    engine = NativeEngine(asia.in_name_order())
    with pytest.raises((UnknownVariableError, bl.errors.GraphError)):
        bl.certify(bl.DAG.empty(["asia", "tub"]), engine)


def test_edges_at_a_constant_column_count_in_what_is_proven() -> None:
    columns = {"A": list("bbbbcbbb"), "B": ["a"] * 8, "C": list("bcabbcca")}
    table = Table.from_frame(columns, states={name: list("abc") for name in columns})
    score = bl.BDeu(ess=100.0)
    empty = bl.DAG.empty(table.names)
    best = best_of_all_dags(table, score, Limits.none(table.names))
    found = bl.certify(empty, table, score)
    assert found.best == pytest.approx(best)
    assert not found.optimal
