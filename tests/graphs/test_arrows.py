from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import GraphError, OptionError
from bayesloom.graphs import DAG, dag_from_text
from strategies_graphs import dags


def test_chains_of_arrows_and_lone_names_make_a_graph() -> None:
    dag = dag_from_text("A->B<-C; D; E->F->G")
    assert dag.names == ("A", "B", "C", "D", "E", "F", "G")
    assert dag.edges == (("A", "B"), ("C", "B"), ("E", "F"), ("F", "G"))


@pytest.mark.parametrize(
    "text",
    ["A->B;B->C", " A  ->  B -> C ;", "A->B\nB->C\n", "A→B→C", "C <- B <- A", "A->B->C; A; A->B"],
)
def test_one_graph_can_be_written_in_many_ways(text: str) -> None:
    assert dag_from_text(text).reordered(list("ABC")) == DAG.from_edges([("A", "B"), ("B", "C")])


def test_quoted_names_may_hold_anything() -> None:
    dag = dag_from_text('"wet grass" -> "a->b; -"; "say ""x"""->caf\u00e9')
    assert dag.edges == (("wet grass", "a->b; -"), ('say "x"', "caf\u00e9"))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@given(dags(), st.randoms(use_true_random=False))
def test_every_graph_survives_the_way_to_text_and_back(dag: DAG, random: Any) -> None:  # noqa: ANN401
    if not dag.n or "" in dag.names:
        return
    parts = [f"{quoted(a)}->{quoted(b)}" for a, b in dag.edges]
    random.shuffle(parts)
    text = "; ".join([*map(quoted, dag.names), *parts])
    assert dag_from_text(text) == dag


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no node"),
        (" ; \n", "names no node"),
        ("A-B", "the edge - at character 2 has no direction"),
        ("A--B", "the edge -- at character 2 has no direction"),
        ("A <-> B", "the edge <-> at character 3 has no direction"),
        ("x-ray->y", "put a name that holds a hyphen in double quotes"),
        ("[A][B|A]", "the [ at character 1 belongs to no arrow"),
        ("A->{B,C}", "the { at character 4 belongs to no arrow"),
        (
            "A->B, C->B",
            "the , at character 5 belongs to no arrow; write -> or <- between names and ;",
        ),
        ("A|B", "the | at character 2 belongs to no arrow"),
        ("A->", "there is no name after an arrow ->"),
        ("A->;B", "there is no name after an arrow ->"),
        ("<-A", "there is no name before an arrow <-"),
        ("A->->B", "there is no name before an arrow ->"),
        ("A B->C", "'A' and 'B' follow each other without an arrow"),
        ('"A->B', 'the " at character 1 has no counterpart'),
        ('""->B', "the name at character 1 is empty"),
        ("A=>B", "the > at character 3 belongs to no arrow"),
        ("A->B->A", "the edges form a cycle: A -> B -> A"),
        ("A->A", "node 'A' has an edge to itself"),
    ],
)
def test_what_is_no_graph_is_told_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(GraphError, match=re.escape(said)):
        dag_from_text(text)


def test_what_is_no_text_is_refused() -> None:
    wrong: Any = [("A", "B")]
    with pytest.raises(OptionError, match="text must be arrows between names"):
        dag_from_text(wrong)
