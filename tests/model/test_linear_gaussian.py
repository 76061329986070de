"""Networks with numbers as values: what they check, how they are reordered, saved and compared."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from bayesloom.errors import ModelError
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet, LinearGaussian, hugin, json_file, load_net, save_net

NO_YES = ["no", "yes"]


def mixed_net() -> BayesNet:
    wide = np.arange(12.0).reshape(2, 3, 2)
    income = LinearGaussian(
        np.arange(6.0).reshape(2, 3), wide, 1 + np.arange(6.0).reshape(2, 3), rows=7, errors=None
    )
    return BayesNet.from_tables(
        {
            "town": (["a", "b", "c"], ["smoker"], [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]),
            "income": ((), ["smoker", "weight", "town", "age"], income),
            "smoker": (NO_YES, [], [0.7, 0.3]),
            "age": ((), [], LinearGaussian(40.0, None, 12.0)),
            "weight": ((), ["smoker"], LinearGaussian([70.0, 75.0], None, [10.0, 12.0])),
        }
    )


def test_parents_stand_in_node_order_whatever_order_they_are_given_in() -> None:
    family = mixed_net().regression("income")
    assert family.shape == (3, 2)  # town stands before smoker, age before weight
    assert family.intercepts[2, 1] == 5.0
    assert family.coefficients[2, 1].tolist() == [11.0, 10.0]
    assert family.rows is not None
    assert family.rows.shape == (3, 2)


def test_a_network_in_another_order_is_the_same_network() -> None:
    net = mixed_net()
    other = net.reordered(["weight", "age", "smoker", "income", "town"])
    assert other.regression("income").shape == (2, 3)
    assert other == net
    assert other.reordered(net.names).regression("income") == net.regression("income")


def test_a_network_is_another_if_one_deviation_differs() -> None:
    net = mixed_net()
    assert net.with_regression("age", LinearGaussian(40.0, None, 12.5)) != net
    assert net.with_table("smoker", [0.6, 0.4]) != net


def test_copies_are_equal() -> None:
    net = mixed_net()
    assert pickle.loads(pickle.dumps(net)) == net
    assert copy.deepcopy(net) == net


def test_the_values_of_a_family_cannot_be_changed() -> None:
    start = np.zeros(())
    family = LinearGaussian(start, [1.0], 2.0)
    start[...] = 5.0
    assert float(family.intercepts) == 0.0
    with pytest.raises(ValueError, match="read-only"):
        family.coefficients[0] = 3.0


def test_parameters_are_counted_per_configuration() -> None:
    assert mixed_net().n_parameters == 2 * 2 + 6 * (2 + 2) + 1 + 2 + 2 * 2


def test_the_categories_alone_are_a_network() -> None:
    part = mixed_net().categories()
    assert part.names == ("town", "smoker")
    assert part.tables[0].tolist() == mixed_net().table("town").tolist()


def test_a_category_below_a_number_is_refused() -> None:
    message = "the category 'wet' has the number 'rain' among its parents"
    with pytest.raises(ModelError, match=message):
        BayesNet.from_tables(
            {"rain": ((), [], LinearGaussian(1.0)), "wet": (NO_YES, ["rain"], [[0.5, 0.5]])}
        )
    dag = DAG.from_edges([("rain", "wet")])
    with pytest.raises(ModelError, match=message):
        BayesNet(dag, ((), ("no", "yes")), (LinearGaussian(1.0), np.array([0.5, 0.5])))


@pytest.mark.parametrize(
    ("family", "message"),
    [
        (LinearGaussian(1.0), "must have the shape \\(2,\\)"),
        (LinearGaussian([1.0, 2.0], [[1.0], [1.0]]), "0 coefficients, got \\(2,\\) and 1"),
        (LinearGaussian([1.0, 2.0, 3.0]), "got \\(3,\\) and 0"),
    ],
)
def test_regressions_of_another_shape_are_refused(family: LinearGaussian, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        mixed_net().with_regression("weight", family)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (("a",), "the intercepts of a regression must be numbers"),
        ((float("nan"),), "the intercepts of a regression must be finite numbers, got nan"),
        ((0.0, [np.inf]), "the coefficients of a regression must be finite numbers, got inf"),
        ((0.0, None, -1.0), "a standard deviation must be 0 or more, got -1.0"),
        ((0.0, 1.0), "must have the axes of the intercepts and one for the number parents"),
        (
            (0.0, None, [1.0, 2.0]),
            "the sds of a regression must have the shape \\(\\), got \\(2,\\)",
        ),
        ((0.0, [1.0], 1.0, 3, [1.0]), "the errors of a regression must have the shape \\(2,\\)"),
    ],
)
def test_what_is_no_regression_is_one_sentence(parts: tuple[object, ...], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        LinearGaussian(*parts)  # type: ignore[arg-type]


def test_states_and_regressions_together_are_refused() -> None:
    with pytest.raises(ModelError, match="'age' has regressions, so it is a number and has no"):
        BayesNet.from_tables({"age": (NO_YES, [], LinearGaussian(1.0))})


def test_what_knows_tables_alone_says_what_takes_numbers() -> None:
    with pytest.raises(ModelError, match="the network has numbers \\(income, age, weight\\), and"):
        _ = mixed_net().tables
    with pytest.raises(ModelError, match="'age' is a number and has regressions, not a table"):
        mixed_net().table("age")
    with pytest.raises(ModelError, match="'smoker' is a category and has a table, not regressions"):
        mixed_net().regression("smoker")


def test_json_and_hugin_keep_every_bit_of_the_distribution() -> None:
    net = mixed_net().with_regression("age", LinearGaussian(1 / 3, None, 0.1))
    assert json_file.read(json_file.write(net), "net.json") == net
    assert hugin.read(hugin.write(net), "net.net") == net


def test_json_keeps_rows_and_standard_errors() -> None:
    family = LinearGaussian([1.0, 2.0], None, 1.0, rows=[3, 4], errors=[[0.5], [0.25]])
    net = mixed_net().with_regression("weight", family)
    again = json_file.read(json_file.write(net), "net.json").regression("weight")
    assert again.rows is not None
    assert again.errors is not None
    assert (again.rows.tolist(), again.errors.tolist()) == ([3.0, 4.0], [[0.5], [0.25]])


@pytest.mark.parametrize(
    ("ending", "name"), [(".bif", "BIF"), (".xml.gz", "XMLBIF"), (".uai", "UAI")]
)
def test_a_format_without_numbers_names_those_that_have_them(
    tmp_path: Path, ending: str, name: str
) -> None:
    path = tmp_path / f"net{ending}"
    message = (
        f"^{name} files have no place for numbers such as 'income'; .net \\(Hugin\\) and .json"
    )
    with pytest.raises(ModelError, match=message):
        save_net(mixed_net(), path)
    assert not path.exists()


@pytest.mark.parametrize("ending", [".json", ".net.gz"])
def test_a_network_with_numbers_is_saved_and_loaded(tmp_path: Path, ending: str) -> None:
    save_net(mixed_net(), tmp_path / f"net{ending}")
    assert load_net(tmp_path / f"net{ending}") == mixed_net()
