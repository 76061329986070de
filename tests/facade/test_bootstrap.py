"""The bootstrap: the same whatever the workers, kept when it ends early, and told everywhere."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.errors import FileFormatError, KnowledgeError, OptionError, UnknownVariableError
from bayesloom.search import Limits, Stop, Watch
from every_engine import three_blocks
from every_search import NAMES, made


@pytest.fixture(scope="module")
def table() -> bl.Table:
    return bl.example("asia").sample(600, seed=3)


def seen(found: bl.Bootstrap) -> dict[str, Any]:
    told = found.to_dict()
    del told["seconds"]
    return told


def test_the_result_does_not_depend_on_workers_engine_or_columns(table: bl.Table) -> None:
    wanted = seen(bl.bootstrap(table, bl.GES(), replicates=15, seed=4, threads=1))
    assert seen(bl.bootstrap(table, bl.GES(), replicates=15, seed=4, threads=5)) == wanted
    turned = table.select(table.names[::-1])
    assert seen(bl.bootstrap(turned, bl.GES(), replicates=15, seed=4)) == wanted
    blocks = three_blocks(table.in_name_order())
    assert seen(bl.bootstrap(blocks, bl.GES(), replicates=15, seed=4)) == wanted
    assert seen(bl.bootstrap(table, bl.GES(), replicates=15, seed=5)) != wanted


def test_strengths_are_those_of_networks_learned_from_the_resamples(table: bl.Table) -> None:
    from bayesloom.averaging.replicate import replicate_seed

    found = bl.bootstrap(table, bl.GES(), replicates=6, seed=2)
    engine = bl.NativeEngine(table.in_name_order())
    nets = [bl.learn(engine.resampled(replicate_seed(2, r)).table, bl.GES()) for r in range(6)]
    for pair in found.edges:
        ends = {pair.x, pair.y}
        arrows = [edge for net in nets for edge in net.edges if set(edge) == ends]
        lines = [edge for net in nets for edge in net.undirected if set(edge) == ends]
        forward = sum(edge == (pair.x, pair.y) for edge in arrows)
        assert pair.strength == (len(arrows) + len(lines)) / 6
        assert pair.direction == (forward + len(lines) / 2) / (len(arrows) + len(lines))
    joined = {frozenset(e) for net in nets for e in (*net.edges, *net.undirected)}
    assert len(found.edges) == len(joined)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "exact"])
def test_every_search_can_be_resampled(name: str, table: bl.Table) -> None:
    found = bl.bootstrap(table, made(name, table.names), replicates=3, seed=1)
    assert found.replicates == 3
    assert found.stop is Stop.COMPLETE
    assert found.averaged.net is not None
    assert str(found)
    assert len(found.averaged.edge_table()) == len(found.averaged.dag.edges)


def test_knowledge_holds_in_the_average(table: bl.Table) -> None:
    known = bl.Knowledge(required=[("asia", "smoke")], forbidden=[("smoke", "lung")])
    found = bl.bootstrap(table, bl.GES(), replicates=8, knowledge=known, max_parents=1)
    assert ("asia", "smoke") in found.averaged.dag.edges
    assert ("smoke", "lung") not in found.averaged.dag.edges
    assert max(len(found.averaged.parents(name)) for name in table.names) <= 1
    assert found.edges["asia", "smoke"].strength == 1
    with pytest.raises(KnowledgeError):
        bl.bootstrap(table, knowledge=bl.Knowledge(roots=["asia"], required=[("lung", "asia")]))


def test_the_average_claims_no_collider_that_most_resamples_leave_open() -> None:
    rows = bl.example("asia").sample(5000, seed=1)
    found = bl.bootstrap(rows, bl.GES(), replicates=20, seed=1)
    assert abs(found.edges["bronc", "smoke"].direction - 0.5) < 0.05
    assert abs(found.edges["lung", "smoke"].direction - 0.5) < 0.05
    assert ("lung", "smoke", "bronc") not in found.averaged.dag.v_structures()
    assert {("bronc", "smoke"), ("smoke", "bronc")} & set(found.averaged.undirected)
    assert "free" in str(found.averaged.explain("bronc", "smoke"))
    assert any("bronc - smoke" in note for note in found.average.notes())
    learned = bl.learn(rows, bl.GES())
    assert found.averaged.cpdag == learned.cpdag


def test_arrows_of_dags_count_as_they_are_if_classes_are_off(table: bl.Table) -> None:
    order = table.names
    by_class = bl.bootstrap(table, bl.K2(order=order), replicates=5)
    as_is = bl.bootstrap(table, bl.K2(order=order), replicates=5, classes=False)
    assert all(pair.direction == 1 for pair in as_is.edges)
    assert any(pair.direction < 1 for pair in by_class.edges)


def test_everything_tells_how_often_an_edge_was_found(table: bl.Table, tmp_path: Path) -> None:
    found = bl.bootstrap(table, bl.GES(), replicates=10, seed=1)
    net = found.averaged
    pair = next(iter(found.edges))
    share = f"{round(pair.strength * 10)} of 10 resamples"
    assert share in str(net.explain(pair.x, pair.y))
    assert net.explain(pair.x, pair.y).to_dict()["confidence"]["strength"] == pair.strength  # type: ignore[index]
    assert net.edge_table()[pair.x, pair.y].strength == pair.strength
    assert share in str(net.plot())
    again = bl.load(net.save(tmp_path / "net.json"))
    assert again == net
    assert again.record.confidence == found.confidence  # type: ignore[union-attr]
    assert str(again.explain(pair.x, pair.y, data=table)) == str(net.explain(pair.x, pair.y))
    page = Path(net.report(tmp_path / "net.html")).read_text()
    assert '"strength":' in page
    assert found.threshold_plot(tmp_path / "t.svg").startswith("<svg")
    assert found.edges.to_frame("arrow").num_rows == len(found.edges)
    assert "<table>" in found._repr_html_()


def test_a_pair_that_is_never_joined_has_strength_0_and_an_unknown_name_is_told(
    table: bl.Table,
) -> None:
    found = bl.bootstrap(table, bl.ChowLiu(), replicates=3, seed=1)
    apart = next(
        (x, y)
        for x in table.names
        for y in table.names
        if x < y and not any({x, y} == {pair.x, pair.y} for pair in found.edges)
    )
    assert found.edges[apart].strength == 0
    assert found.edges[apart].direction == 0.5
    with pytest.raises(UnknownVariableError, match="unknown variable 'smok'"):
        found.edges["asia", "smok"]


@dataclass(frozen=True)
class Slow:
    """Hill climbing that gives the signal after some runs, as Ctrl-C would."""

    ran: list[int]
    most: int

    def search(self, engine: bl.Engine, limits: Limits, watch: Watch) -> bl.SearchResult:
        self.ran.append(1)
        if len(self.ran) > self.most:
            watch.signal.set()
        return bl.HillClimbing().search(engine, limits, watch)

    def __repr__(self) -> str:
        return "Slow()"


def test_what_is_done_counts_when_it_ends_early_and_is_taken_up_again(
    table: bl.Table, tmp_path: Path
) -> None:
    place = tmp_path / "run.json"
    cut = bl.bootstrap(table, Slow([], 4), replicates=9, threads=1, checkpoint=place)
    assert cut.replicates == 4
    assert cut.stop is Stop.INTERRUPTED
    assert "4 of 9 replicates" in str(cut)
    again: list[int] = []
    whole = bl.bootstrap(table, Slow(again, 99), replicates=9, threads=1, checkpoint=place)
    assert len(again) == 5
    plain = bl.bootstrap(table, bl.HillClimbing(), replicates=9)
    assert whole.confidence == plain.confidence
    more: list[int] = []
    bl.bootstrap(table, Slow(more, 99), replicates=11, checkpoint=place)
    assert len(more) == 2


def test_a_checkpoint_of_other_data_or_options_is_refused(table: bl.Table, tmp_path: Path) -> None:
    place = tmp_path / "run.json"
    bl.bootstrap(table, bl.GES(), replicates=2, checkpoint=place)
    rows = np.arange(table.n_rows)[::-1]
    others: list[dict[str, Any]] = [
        {"data": table.take(rows)},
        {"search": bl.GES(score=bl.BDeu())},
        {"seed": 1},
        {"max_parents": 2},
        {"classes": False},
        {"knowledge": bl.Knowledge(roots=["asia"])},
    ]
    for other in others:
        with pytest.raises(FileFormatError, match="other data or options"):
            bl.bootstrap(**{"data": table, "search": bl.GES(), "checkpoint": place, **other})
    place.write_text(json.dumps({"format": 1}))
    with pytest.raises(FileFormatError, match="damaged"):
        bl.bootstrap(table, bl.GES(), checkpoint=place)


def test_a_time_limit_keeps_what_is_done(table: bl.Table) -> None:
    found = bl.bootstrap(table, bl.GES(), replicates=100_000, time_limit=0.5)
    assert found.stop is Stop.TIME_LIMIT
    assert found.replicates < 100_000


def test_an_error_in_a_replicate_is_the_error_of_all(table: bl.Table) -> None:
    class Broken:
        def search(self, *_: object) -> None:
            message = "broken"
            raise OptionError(message)

    with pytest.raises(OptionError, match="broken"):
        bl.bootstrap(table, Broken(), replicates=5)  # type: ignore[arg-type]


class Plain:
    """An engine that cannot resample."""

    def __init__(self, engine: bl.NativeEngine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the engine has
        if name == "resampled":
            raise AttributeError(name)
        return getattr(self._engine, name)


def test_an_engine_that_cannot_resample_is_told_so(table: bl.Table) -> None:
    from bayesloom.averaging.replicate import resampling

    with pytest.raises(OptionError, match="Plain cannot resample its rows"):
        resampling(Plain(bl.NativeEngine(table)))


@pytest.mark.parametrize(
    "options",
    [
        {"replicates": 0},
        {"replicates": "5"},
        {"seed": -1},
        {"classes": "yes"},
        {"progress": 1},
        {"threads": 0},
        {"time_limit": [1]},
        {"search": bl.GES},
        {"knowledge": 5},
        {"max_parents": "2"},
        {"bins": "x"},
    ],
    ids=str,
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        bl.bootstrap({"A": ["n", "y"] * 5, "B": ["n", "y"] * 5}, **options)


def test_a_column_that_is_constant_in_a_resample_gets_no_edges() -> None:
    rare = ["no"] * 39 + ["yes"]
    found = bl.bootstrap({"rare": rare, "wet": ["n", "y"] * 20}, bl.GES(), replicates=20)
    assert found.replicates == 20


def test_links_of_markov_networks_have_no_direction(table: bl.Table) -> None:
    found = bl.bootstrap(table, bl.DMN(), replicates=4)
    assert "direction" not in str(found.edges)
    assert found.averaged.edges == ()
    assert replace(found, seed=1).edges.links


def test_the_default_search_copes_with_missing_cells_as_learn_does() -> None:
    frame = {"a": ["n", "y"] * 30, "b": [None, "y", *["n", "y"] * 29]}
    found = bl.bootstrap(frame, replicates=5, missing="keep")
    assert found.edges["a", "b"].strength == 1
    assert found.averaged.undirected == (("a", "b"),)
