"""Searches on tables with numbers: the same answer always, inside the model, to an end."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.data import Table
from bayesloom.engine import MomentsEngine
from bayesloom.errors import DataError, KnowledgeError, OptionError
from bayesloom.graphs import DAG
from example_tables import read_example

TESTS = Path(__file__).parents[1]
ORDER = ("A", "B", "C", "D", "E", "F", "G", "H")
SEARCHES: dict[str, bl.Search] = {
    "hc": bl.HillClimbing(),
    "tabu": bl.Tabu(),
    "k2": bl.K2(ORDER, score=bl.BIC()),
    "order": bl.OrderSearch(),
    "ges": bl.GES(),
    "xges": bl.XGES(),
    "boss": bl.BOSS(),
    "exact": bl.Exact(),
    "iges": bl.IGES(),
    "ixges": bl.IXGES(),
    "ihc": bl.IHC(),
    "pc": bl.PC(),
    "gs": bl.GrowShrink(),
    "iamb": bl.IAMB(),
    "mmhc": bl.MMHC(),
    "miic": bl.MIIC(),
    "aracne": bl.ARACNE(),
    "chow-liu": bl.ChowLiu(),
    "dmn": bl.DMN(),
}
OF_CLASSES = ("ges", "xges", "boss", "exact", "ixges")


def table_of(kind: str) -> Table:
    """Return numbers alone, or numbers and categories."""
    name = "gaussian.test" if kind == "numbers" else "clgaussian.test"
    return read_example(name).take(slice(0, 400))


def answer(table: Table, name: str, threads: int = 1) -> str:
    """Return the graph, the score and every step as text."""
    search = SEARCHES[name]
    if name == "k2":
        search = bl.K2(tuple(sorted(table.names)), score=bl.BIC())
    net = bl.learn(MomentsEngine(table.in_name_order(), threads), search)
    return f"{net.edges} {net.undirected} {net.record}"


def cases() -> list[tuple[str, str]]:
    every = itertools.product(("numbers", "mixed"), SEARCHES)
    return [(kind, name) for kind, name in every if (kind, name) != ("mixed", "dmn")]


@pytest.mark.parametrize(("kind", "name"), cases())
def test_the_answer_depends_on_no_order_and_no_number_of_threads(kind: str, name: str) -> None:
    table = table_of(kind)
    first = answer(table, name)
    for seed in range(2):
        rng = np.random.default_rng(seed)
        turned = table.select([table.names[v] for v in rng.permutation(table.n_columns)])
        turned = turned.take(rng.permutation(table.n_rows))
        assert answer(turned, name, threads=1 + seed) == first


def test_the_answer_depends_on_no_hash_seed() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from search.test_numbers import answer, table_of\n"
        "for name in ('xges', 'pc', 'miic', 'iges'): print(answer(table_of('mixed'), name))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code, str(TESTS)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "77")
    }
    assert len(told) == 1


@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "dmn"])
def test_no_edge_leads_from_a_number_to_a_category(name: str) -> None:
    table = table_of("mixed")
    numbers = {v for v, numeric in zip(table.names, table.numeric, strict=True) if numeric}
    net = bl.learn(table, SEARCHES[name])
    assert not [(a, b) for a, b in net.edges if a in numbers and b not in numbers]
    mixed = [edge for edge in net.undirected if (edge[0] in numbers) != (edge[1] in numbers)]
    assert not mixed


def drawn_table(seed: int) -> Table:
    """Return three categories and three numbers, some of which depend on each other."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, 200)
    b = np.where(rng.random(200) < 0.7, a, 1 - a)
    c = rng.integers(0, 3, 200)
    x = rng.normal(size=200) + a
    y = x * rng.choice([-1, 1]) + rng.normal(size=200) + (c == 2)
    z = rng.normal(size=200) * (1 + b) + 0.5 * y
    return Table("ABCXYZ", ["ny", "ny", "rgb", (), (), ()], [a, b, c, x, y, z])


LIMITED = {
    "open": (bl.Knowledge(), None),
    "knowledge": (bl.Knowledge(required=[("B", "X")], forbidden=[("X", "Y"), ("A", "B")]), None),
    "tiers": (bl.Knowledge(tiers=[["A", "C"], ["B", "X"], ["Y", "Z"]]), None),
    "two parents": (bl.Knowledge(), 2),
    "both": (bl.Knowledge(required=[("Y", "X")]), 2),
}


@pytest.mark.parametrize("limited", LIMITED)
@pytest.mark.parametrize("seed", range(3))
def test_searches_over_classes_end_near_the_optimum_of_the_limited_model(
    limited: str, seed: int
) -> None:
    knowledge, most = LIMITED[limited]
    table = drawn_table(seed)
    engine = MomentsEngine(table)
    limits = knowledge.limits(engine.names, most).over(engine)
    best = bl.learn(table, bl.Exact(), knowledge=knowledge, max_parents=most)
    assert best.proof is not None
    assert best.proof.optimal
    for name in OF_CLASSES:
        net = bl.learn(table, SEARCHES[name], knowledge=knowledge, max_parents=most, max_steps=500)
        assert limits.keeps(net.dag.reordered(engine.names).parent_masks)
        reached = bl.BIC().explain(table, net.dag).value
        assert reached <= best.score.value + 1e-6
        if name == "xges":
            assert reached == pytest.approx(best.score.value, abs=1e-6)


def test_the_optimum_is_that_of_all_graphs_of_the_model() -> None:
    table = drawn_table(5).select("ACXY")
    engine = MomentsEngine(table)
    limits = bl.Limits.none(engine.names).over(engine)
    values = []
    for order in itertools.permutations(range(4)):
        before = [sum(1 << u for u in order[:k]) for k in range(4)]
        allowed = [limits.allowed[v] & mask for v, mask in zip(order, before, strict=True)]
        families = [
            [(v, mask) for mask in range(16) if not mask & ~a]
            for v, a in zip(order, allowed, strict=True)
        ]
        for chosen in itertools.product(*families):
            parents = dict(chosen)
            dag = DAG(engine.names, tuple(parents[v] for v in range(4)))
            values.append(bl.BIC().total(engine, dag.parent_masks))
    assert bl.learn(table, bl.Exact()).score.value == pytest.approx(max(values), abs=1e-8)


def test_what_has_no_place_for_numbers_says_so_in_one_sentence() -> None:
    mixed, numbers = table_of("mixed"), table_of("numbers")
    with pytest.raises(KnowledgeError, match="requires D -> A, an edge from a number to a categ"):
        bl.learn(mixed, knowledge=bl.Knowledge(required=[("D", "A")]))
    with pytest.raises(
        DataError, match="learned of numbers alone or of categories alone, and D is"
    ):
        bl.learn(mixed, bl.DMN())
    with pytest.raises(OptionError, match=r"counts states, cannot take numbers .*BIC\(\)"):
        bl.learn(numbers, bl.GES(score=bl.BDeu()))
    with pytest.raises(DataError, match="the test chi-square counts"):
        bl.learn(numbers, bl.PC(test=bl.ChiSquare()))


def test_summary_and_stories_tell_what_the_model_leaves_open() -> None:
    rng = np.random.default_rng(3)
    smoker = rng.integers(0, 2, 300)
    rows = Table(["age", "smoker"], [(), ["no", "yes"]], [rng.normal(size=300) + smoker, smoker])
    net = bl.learn(rows, bl.GES())
    assert net.edges == (("smoker", "age"),)
    assert "1 edge leads from a category to a number, as the model has none the" in " ".join(
        str(net).split()
    )
    story = str(net.explain("age", "smoker"))
    assert "Its direction follows from the model, which has no edge from a number to a" in story
    assert "reversing" not in story
    assert "The model has no edge age -> smoker: from a number to a category." in story
    assert net.edge_table().to_dict() if hasattr(net.edge_table(), "to_dict") else True
    assert "model" in str(net.edge_table())


def test_a_loaded_network_knows_which_columns_are_numbers(tmp_path: Path) -> None:
    net = bl.learn(table_of("mixed"), bl.GES())
    net.save(tmp_path / "net.json")
    again = bl.load(tmp_path / "net.json")
    assert again.record == net.record
    assert again.cpdag == net.cpdag
    assert str(again.explain("H", "A")).splitlines()[-1] == (
        "  The model has no edge H -> A: from a number to a category."
    )
