from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bayesloom._native import OperatorKind
from bayesloom.search.dag.gains import Move
from bayesloom.search.dag.recent_graphs import RecentGraphs
from reference_graphs import Arcs
from reference_search import replayed


@given(st.integers(1, 5), st.lists(st.permutations(range(3)), max_size=30))
def test_a_move_is_recent_if_it_leads_to_one_of_the_last_graphs(
    length: int, choices: list[list[int]]
) -> None:
    recent = RecentGraphs.of([0, 0, 0], length)
    graphs: list[Arcs] = [frozenset()]
    for x, y, kind in choices:
        here = graphs[-1]
        on_edge = (OperatorKind.DELETE, OperatorKind.REVERSE)[kind % 2]
        if (y, x) in here:
            continue
        move = Move(on_edge if (x, y) in here else OperatorKind.INSERT, x, y, gain=0.0)
        after = replayed([move.step], here)
        assert (move in recent) == (after in graphs[-length:])
        if move not in recent:
            recent.add(move)
            graphs.append(after)
