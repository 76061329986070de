"""What the default makes of tables that hold hardly anything."""

from __future__ import annotations

import pytest

import bayesloom as bl


def joined(net: bl.Network) -> set[tuple[str, ...]]:
    return {tuple(sorted(pair)) for pair in (*net.edges, *net.undirected)}


def test_a_single_row_joins_nothing() -> None:
    net = bl.learn({"A": ["n"], "B": ["y"]}, states={"A": ["n", "y"], "B": ["n", "y"]})
    assert joined(net) == set()


def test_columns_that_never_vary_join_nothing() -> None:
    net = bl.learn({"A": ["n"] * 50, "B": ["n", "y"] * 25, "C": ["x"] * 50})
    assert joined(net) == set()


@pytest.mark.parametrize("rows", [2, 3, 5, 8])
def test_a_few_rows_are_no_evidence_for_an_edge_among_many_columns(rows: int) -> None:
    columns = {f"x{v}": [str((k >> v % 3) & 1) for k in range(rows)] for v in range(9)}
    net = bl.learn(columns)
    assert all((int(a[1:]) - int(b[1:])) % 3 == 0 for a, b in joined(net))


def test_a_class_with_one_row_keeps_the_edges_of_the_others() -> None:
    kinds = ["a"] * 60 + ["b"] * 60 + ["c"]
    net = bl.learn({"kind": kinds, "sign": ["low"] * 60 + ["high"] * 61})
    assert joined(net) == {("kind", "sign")}


def test_declared_states_that_do_not_occur_change_no_edge() -> None:
    rows = {"A": list("ny" * 40), "B": list("ny" * 38) + list("nnyy"), "C": list("nnyy" * 20)}
    seen = bl.learn(rows)
    declared = bl.learn(rows, states={name: ["n", "y", "z"] for name in rows})
    assert joined(seen) == joined(declared) == {("A", "B")}
