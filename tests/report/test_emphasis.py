from __future__ import annotations

import pytest

import bayesloom as bl
from bayesloom.errors import OptionError, UnknownVariableError


def styles(text: str, style: str) -> int:
    return text.count(f'<g class="node {style}">')


def test_a_variable_stands_out_with_its_markov_blanket() -> None:
    net = bl.example("alarm")
    text = str(net.plot(highlight="CATECHOL"))
    near = len(net.markov_blanket("CATECHOL"))
    assert styles(text, "focus") == 1
    assert styles(text, "near") == near
    assert styles(text, "faded") == len(net.names) - near - 1


def test_edges_between_what_stands_out_are_not_faded() -> None:
    text = str(bl.network("A -> B -> C -> D").plot(highlight="A"))
    assert [line.split('"')[1] for line in text.splitlines() if '<g class="edge' in line][:3] == [
        "edge free",
        "edge free faded",
        "edge free faded",
    ]


def test_an_unknown_variable_is_named() -> None:
    with pytest.raises(UnknownVariableError, match="'X'"):
        bl.network("A -> B").plot(highlight="X")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"given": {"smoke": "yes"}}, "given is for probabilities"),
        ({"against": "A -> B", "highlight": "smoke"}, "picture of its own"),
        ({"against": "A -> B", "view": "class"}, "picture of its own"),
        ({"junction_forest": True, "probabilities": True}, "picture of its own"),
        ({"scale": 2.0}, None),
    ],
)
def test_wishes_that_do_not_go_together_are_refused(
    options: dict[str, object], told: str | None
) -> None:
    net = bl.example("asia")
    if told is None:
        net.plot(**options)  # type: ignore[arg-type]
        return
    with pytest.raises(OptionError, match=told):
        net.plot(**options)  # type: ignore[arg-type]


def test_an_edge_that_covers_a_dependency_has_its_colour() -> None:
    net = bl.learn("examples/alarm.csv", bl.IGES())
    covering = {
        frozenset((row.source, row.target))
        for row in net.edge_table()
        if row.reason == "dependency"
    }
    text = str(net.plot())
    assert covering
    assert text.count('dependency"><title>') == len(covering)
    assert "put in to cover a significant dependency" in text
    plain = str(bl.learn("examples/alarm.csv", bl.GES()).plot())
    assert "put in to cover" not in plain
