"""Looking ahead: sets that no single edge leads to are in the start."""

from __future__ import annotations

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.errors import OptionError
from bayesloom.search.search import Search


def parity(n: int, seed: int, rows: int = 3000) -> tuple[bl.Table, list[str]]:
    """Return fair bits of which three are a parity, with one row in twenty wrong."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2, (n, rows))
    a, b, c = rng.permutation(n)[:3].tolist()
    bits[c] = bits[a] ^ bits[b] ^ (rng.random(rows) < 0.05)
    names = [f"x{v:02}" for v in range(n)]
    return bl.Table(names, [["0", "1"]] * n, list(bits)), [names[v] for v in (a, b, c)]


def joined(net: bl.Network, names: list[str]) -> int:
    pairs = {frozenset(edge) for edge in net.dag.edges}
    return sum(frozenset((a, b)) in pairs for a in names for b in names if a < b)


@pytest.mark.parametrize("kind", [bl.GES, bl.XGES, bl.IXGES], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_a_parity_is_found_by_three_edges_at_once(kind: type, seed: int) -> None:
    table, names = parity(30, seed)
    plain, ahead = bl.learn(table, kind()), bl.learn(table, kind(lookahead=3))
    assert joined(plain, names) == 0
    # A collider of two causes has the whole parity: the edge between them is taken away again.
    assert joined(ahead, names) == 2
    assert ahead.score.value > plain.score.value + 100


@pytest.mark.parametrize("seed", range(3))
def test_i_map_learning_starts_from_what_its_local_search_sees(seed: int) -> None:
    table, names = parity(12, seed)
    assert joined(bl.learn(table, bl.IL(bl.GES(lookahead=3))), names) >= 2
    assert joined(bl.learn(table, bl.IGES(lookahead=3)), names) >= 2


@pytest.mark.parametrize("search", [bl.GES, bl.XGES], ids=lambda kind: kind.__name__)
def test_where_there_is_nothing_to_see_nothing_changes(search: type) -> None:
    table = bl.example("asia").sample(1000, 1)
    plain, ahead = bl.learn(table, search()), bl.learn(table, search(lookahead=6))
    assert plain.dag == ahead.dag
    assert plain.score == ahead.score


def test_knowledge_and_limits_hold_in_the_start() -> None:
    table, names = parity(10, 1)
    a, b, _ = names
    apart = bl.Knowledge(forbidden=[(a, b), (b, a)])
    assert joined(bl.learn(table, bl.GES(lookahead=3), knowledge=apart), names) == 0
    one = bl.learn(table, bl.GES(lookahead=3), max_parents=1)
    assert all(len(one.dag.parents(name)) <= 1 for name in one.names)


def test_the_note_tells_what_was_joined() -> None:
    table, names = parity(10, 1)
    (note,) = bl.learn(table, bl.GES(lookahead=3)).history.notes
    assert note.startswith("looking ahead joined ")
    assert all(name in note for name in names)


@pytest.mark.parametrize("kind", [bl.GES, bl.XGES, bl.IGES, bl.IXGES])
def test_lookahead_is_a_whole_number(kind: type[Search]) -> None:
    with pytest.raises(OptionError, match="lookahead must be"):
        kind(lookahead=0)  # type: ignore[call-arg]
