from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bayesloom.averaging.parent_sets import ParentSetChoice
from bayesloom.graphs import bits
from bayesloom.search import Knowledge

NAMES = tuple("ABCDEF")


@given(
    st.integers(0, 6),
    st.integers(0, 6),
    st.sets(st.sampled_from(NAMES[1:])),
    st.sets(st.sampled_from(NAMES[1:])),
)
def test_sets_are_counted_as_they_are_listed(
    candidates: int, width: int, required: set[str], forbidden: set[str]
) -> None:
    known = Knowledge(
        required=[(name, "A") for name in sorted(required)],
        forbidden=[(name, "A") for name in sorted(forbidden - required)],
    )
    limits, choice = known.limits(NAMES), ParentSetChoice(candidates, width)
    pool = tuple(bits(limits.allowed[0] & ~limits.required[0]))[:candidates]
    assert choice._n_sets(0, limits, width) == len([*choice._sets(0, pool, limits, width)])
