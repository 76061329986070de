from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from bayesloom.errors import OptionError, UnknownStateError, UnknownVariableError
from bayesloom.model import BayesNet, conditional_table
from strategies_model import bayes_nets

NO_YES = ["no", "yes"]


def dysp() -> BayesNet:
    return BayesNet.from_tables(
        {
            "bronc": (NO_YES, [], [0.55, 0.45]),
            "either": (NO_YES, [], [0.93, 0.07]),
            "dysp": (
                NO_YES,
                ["bronc", "either"],
                [[[0.9, 0.1], [0.3, 0.7]], [[0.2, 0.8], [0.1, 0.9]]],
            ),
        }
    )


def test_a_table_prints_a_row_per_configuration_and_a_column_per_state() -> None:
    assert str(conditional_table(dysp(), "dysp")).splitlines() == [
        "P(dysp | bronc, either)",
        "  bronc  either        no       yes",
        "  no     no      0.900000  0.100000",
        "  no     yes     0.300000  0.700000",
        "  yes    no      0.200000  0.800000",
        "  yes    yes     0.100000  0.900000",
    ]


@given(bayes_nets(4))
def test_every_view_of_a_table_holds_the_same_numbers(net: BayesNet) -> None:
    for name in net.names:
        table = conditional_table(net, name)
        assert np.array_equal(np.asarray(table), net.table(name))
        plain = json.loads(json.dumps(table.to_dict()))
        columns = table.to_arrow().to_pylist()
        places = list(product(*map(range, net.table(name).shape[:-1])))
        assert len(table) == len(places) == len(plain["rows"]) == len(columns)
        for place, row, cells in zip(places, plain["rows"], columns, strict=True):
            case = {
                parent: net.states_of(parent)[k]
                for parent, k in zip(net.parents(name), place, strict=True)
            }
            assert row["given"] == case
            for k, state in enumerate(net.states_of(name)):
                expected = float(net.table(name)[(*place, k)])
                assert table.probability({**case, name: state}) == expected
                assert row["probabilities"][state] == expected
                assert list(cells.values())[len(place) + k] == expected


def test_a_long_table_is_cut_when_it_prints_and_whole_as_text() -> None:
    states = [str(k) for k in range(30)]
    net = BayesNet.from_tables(
        {"a": (states, [], np.full(30, 1 / 30)), "b": (NO_YES, ["a"], np.full((30, 2), 0.5))}
    )
    table = conditional_table(net, "b")
    assert repr(table).splitlines()[-1] == "  and 10 more rows"
    assert len(table.text().splitlines()) == 32
    assert repr(conditional_table(net, "a")).splitlines()[-1] == "  and 10 more states"
    many = BayesNet.from_tables(
        {"b": (NO_YES, [], [0.5, 0.5]), "a": (states, ["b"], np.full((2, 30), 1 / 30))}
    )
    assert "more columns" in conditional_table(many, "a").text(width=80, wrap=False)
    assert "more" not in conditional_table(many, "a").text(width=80)


def test_a_case_must_name_every_variable_of_the_table_and_no_other() -> None:
    table = conditional_table(dysp(), "dysp")
    with pytest.raises(OptionError, match="the case leaves out either; give a state of dysp"):
        table.probability({"dysp": "yes", "bronc": "no"})
    with pytest.raises(UnknownVariableError, match="unknown variable 'smoke'"):
        table.probability({"smoke": "yes"})
    with pytest.raises(UnknownStateError, match="unknown state 'maybe' of variable 'bronc'"):
        table.probability({"dysp": "yes", "bronc": "maybe", "either": "no"})
    with pytest.raises(UnknownVariableError, match="unknown variable 'tub'"):
        conditional_table(dysp(), "tub")


def test_a_parent_that_is_called_like_a_state_column_gets_a_column_of_its_own() -> None:
    net = BayesNet.from_tables(
        {"b=no": (NO_YES, [], [0.5, 0.5]), "b": (NO_YES, ["b=no"], [[0.9, 0.1], [0.2, 0.8]])}
    )
    frame = conditional_table(net, "b").to_polars()
    assert frame.columns == ["b=no", "b=no (2)", "b=yes"]


def test_hostile_labels_neither_break_lines_nor_make_html() -> None:
    bad = "<script>\n"
    net = BayesNet.from_tables({bad: ([bad, "x"], [], [0.5, 0.5])})
    table = conditional_table(net, bad)
    assert len(str(table).splitlines()) == 4
    assert "<script>" not in table._repr_html_()
