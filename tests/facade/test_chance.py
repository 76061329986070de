"""How many edges are chance, against networks that are known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.errors import AbsentError, FileFormatError, OptionError
from bayesloom.learning.false_edges import ChanceEdge, FalseEdges
from bayesloom.search.search import Search

DENSE = bl.HillClimbing(score=bl.BDeu(ess=10))


def pairs(net: bl.Network) -> set[frozenset[str]]:
    return {frozenset(edge) for edge in (*net.edges, *net.undirected)}


@pytest.mark.parametrize("search", [bl.GES(), DENSE, bl.PC()], ids=lambda each: type(each).__name__)
def test_the_true_number_is_within_the_interval(search: Search) -> None:
    truth = bl.example("asia")
    inside = []
    for seed in range(10):
        net = bl.learn(truth.sample(300, seed), search)
        low, high = (found := net.false_edges(seed=seed)).interval
        inside.append(low <= len(pairs(net) - pairs(truth)) <= high)
        assert high - low <= 4 * found.expected**0.5 + 4
    assert sum(inside) >= 9


def test_more_chance_edges_are_expected_of_a_search_that_joins_more() -> None:
    rows = bl.example("asia").sample(300, 1)
    sparse, dense = (bl.learn(rows, search).false_edges() for search in (bl.GES(), DENSE))
    assert sparse.expected < 1.5
    assert dense.expected > 3


def test_of_independent_columns_every_edge_is_chance() -> None:
    rng = np.random.default_rng(1)
    rows = {f"x{k:02}": rng.integers(0, 2, 200) for k in range(20)}
    net = bl.learn(rows, DENSE)
    found = net.false_edges()
    assert found.n_edges > 10
    assert found.share > 0.5
    assert float(np.median([edge.q for edge in found.edges])) > 0.5


def test_q_values_rise_as_edges_get_weaker() -> None:
    net = bl.learn(bl.example("asia").sample(300, 2), DENSE)
    found = net.false_edges()
    table = net.edge_table()
    assert [edge.q for edge in found.edges] == sorted(edge.q for edge in found.edges)
    by_p = sorted(
        (row.log_p, row.q) for row in table if row.log_p is not None and row.q is not None
    )
    assert [q for _, q in by_p] == sorted(q for _, q in by_p)
    assert {frozenset((edge.x, edge.y)) for edge in found.edges} == pairs(net)
    true = [found.q("either", "lung"), found.q("bronc", "dysp")]
    assert all(q is not None and q < 0.1 for q in true)


def test_summary_table_and_file_tell_it_once_it_is_counted(tmp_path: Path) -> None:
    net = bl.learn(bl.example("asia").sample(300, 1), bl.GES())
    assert "chance" not in str(net)
    assert "q" not in net.edge_table().to_frame().columns
    assert "chance" not in net.history.to_dict()
    found = net.false_edges()
    assert f"chance   {found.sentence()[:40]}" in str(net)
    assert net.edge_table().to_frame()["q"].notna().all()
    net.save(tmp_path / "net.json")
    assert bl.load(tmp_path / "net.json").history.chance == found
    text = (tmp_path / "net.json").read_text()
    saved = json.loads(text)
    saved["learned"]["chance"]["counts"] = []
    (tmp_path / "bad.json").write_text(json.dumps(saved))
    with pytest.raises(FileFormatError, match="counts"):
        bl.load(tmp_path / "bad.json")


def test_the_same_data_and_seed_give_the_same_answer() -> None:
    rows = bl.example("asia").sample(300, 1)
    one, two = (bl.learn(rows, bl.GES(), threads=k).false_edges(seed=3) for k in (1, 3))
    assert one == two


SEARCHES: list[Search] = [bl.DMN(), bl.ChowLiu(), bl.XGES(score=bl.QNML()), bl.MMHC(), bl.Tabu()]


@pytest.mark.parametrize("search", SEARCHES, ids=lambda each: type(each).__name__)
def test_every_search_and_score_is_counted(search: Search) -> None:
    found = bl.learn(bl.example("asia").sample(300, 1), search).false_edges(replicates=2)
    assert 0 <= found.interval[0] <= found.expected <= found.interval[1] <= found.n_edges


def test_missing_cells_stay_missing_in_copies() -> None:
    frame = bl.example("asia").sample(300, 1).to_pandas()
    frame.loc[::7, "dysp"] = None
    net = bl.learn(frame, bl.HillClimbing(score=bl.PNAL()), missing="keep")
    assert net.false_edges(replicates=2).expected >= 0


def test_knowledge_holds_in_copies() -> None:
    rows = bl.example("asia").sample(300, 1)
    known = bl.Knowledge(required=[("asia", "xray")])
    found = bl.learn(rows, bl.HillClimbing(), knowledge=known).false_edges()
    assert found.q("asia", "xray") is not None


def test_what_cannot_be_counted_is_told() -> None:
    with pytest.raises(AbsentError, match="give them as data="):
        bl.example("asia").false_edges()
    with pytest.raises(AbsentError, match="give it as search="):
        bl.example("asia").false_edges(bl.example("asia").sample(100, 1))
    net = bl.learn(bl.example("asia").sample(100, 1), bl.GES())
    with pytest.raises(OptionError, match="replicates must be at least 2"):
        net.false_edges(replicates=1)


def test_a_network_from_a_file_is_counted_with_a_search_that_is_named() -> None:
    rows = bl.example("asia").sample(300, 1)
    assert bl.example("asia").false_edges(rows, search=bl.GES()).n_edges == 8


def test_fdr_takes_the_price_at_which_few_edges_are_chance() -> None:
    truth = bl.example("asia")
    loose = strict = 0
    for seed in range(5):
        rows = truth.sample(500, seed)
        loose += len(pairs(bl.learn(rows, DENSE)) - pairs(truth))
        net = bl.learn(rows, DENSE, fdr=0.1)
        strict += len(pairs(net) - pairs(truth))
        assert net.search.score.sparsity > 0  # type: ignore[union-attr]
    assert loose > 20
    assert strict < loose / 3


def test_fdr_zero_leaves_permuted_columns_unjoined() -> None:
    rng = np.random.default_rng(4)
    rows = {f"x{k:02}": rng.integers(0, 2, 200) for k in range(15)}
    assert len(bl.learn(rows, DENSE).dag.edges) > 5
    assert len(bl.learn(rows, DENSE, fdr=0).dag.edges) <= 1


def test_fdr_wants_a_score_and_a_share() -> None:
    rows = bl.example("asia").sample(100, 1)
    with pytest.raises(OptionError, match="fdr chooses the price of an edge in a score"):
        bl.learn(rows, bl.PC(), fdr=0.05)
    with pytest.raises(OptionError, match="fdr must be"):
        bl.learn(rows, bl.GES(), fdr=1.0)
    with pytest.raises(OptionError, match="over rows that are near"):
        bl.learn({"A": [0.1, 0.2]}, bl.GES(), fdr=0.1, discretize="network")


def test_the_interval_is_no_wider_than_promised_and_within_the_edges() -> None:
    for counts in ((0, 0, 0, 0), (1, 2, 0, 1), (20, 30, 25, 22)):
        found = FalseEdges(60, counts, (ChanceEdge("A", "B", 0.5),))
        low, high = found.interval
        assert 0 <= low <= found.expected <= high <= 60
        assert high - low <= 4 * found.expected**0.5 + 4 + 1e-9
    assert FalseEdges(0, (0, 0)).interval == (0.0, 0.0)
