"""When chains are sampled."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bayesloom.averaging.sampling import Schedule


@given(st.integers(1, 3000), st.sampled_from([0.0, 0.25, 0.5, 0.9]), st.integers(1, 2000))
def test_as_many_samples_are_taken_as_asked_for_or_as_there_are_moves(
    moves: int, burn_in: float, samples: int
) -> None:
    plan = Schedule(3, moves, burn_in, samples)
    done, at = 0, []
    while done < moves:
        done = plan.next_sample(done)
        at.append(done)
    assert len(at) == plan.taken == min(samples, moves - plan.first)
    assert at[-1] == moves
    gaps = {b - a for a, b in zip([plan.first, *at], at, strict=False)}
    assert max(gaps) - min(gaps) <= 1
