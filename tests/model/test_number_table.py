"""Regressions as labelled tables, and networks as normal distributions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from bayesloom.errors import ModelError
from bayesloom.facade import from_normal, network
from bayesloom.graphs import DAG
from bayesloom.inference import query
from bayesloom.model import LinearGaussian, draw_rows, net_of_normal
from bayesloom.model.normal_net import normal_of

NO_YES = ["no", "yes"]


def parts() -> dict[str, object]:
    family = LinearGaussian(
        [1000.0, 900.0], [[412.0], [350.0]], 300.0, rows=[50, 2], errors=[[9.0, 2.5], [np.nan] * 2]
    )
    return {
        "smoker": (NO_YES, [], [0.7, 0.3]),
        "age": ((), [], LinearGaussian(40.0, None, 12.0)),
        "income": ((), ["smoker", "age"], family),
    }


def test_the_table_of_a_number_shows_coefficients_with_their_standard_errors() -> None:
    told = str(network(parts()).table("income"))  # type: ignore[arg-type]
    assert "1000 +- 9" in told
    assert "412 +- 2.5" in told
    assert told.splitlines()[0] == "income | smoker, age"


def test_a_table_of_regressions_is_a_frame_and_plain_data() -> None:
    table = network(parts()).table("income")  # type: ignore[arg-type]
    frame = table.to_frame("pandas")
    assert frame.columns.tolist() == [
        *("smoker", "intercept", "age", "sd", "rows", "intercept_error", "age_error"),
    ]
    assert frame["age"].tolist() == [412.0, 350.0]
    plain: Any = table.to_dict()
    json.dumps(plain, allow_nan=False)
    assert plain["regressions"][1]["given"] == {"smoker": "yes"}
    assert plain["regressions"][1]["errors"] == [None, None]


def test_all_coefficients_stand_in_one_table() -> None:
    frame = network(parts()).coefficients().to_frame("pandas")  # type: ignore[arg-type]
    assert len(frame) == 1 + 2 * 2
    own = frame[(frame["parent"] == "age") & (frame["given"] == "smoker=yes")]
    assert own["coefficient"].tolist() == [350.0]


def test_the_mean_of_a_number_is_over_all_categories() -> None:
    mean = network(parts()).mean  # type: ignore[arg-type]
    assert mean["income"] == pytest.approx(0.7 * (1000 + 412 * 40) + 0.3 * (900 + 350 * 40))


def test_a_network_and_its_normal_distribution_lead_to_each_other() -> None:
    rng = np.random.default_rng(3)
    order = [f"x{k}" for k in rng.permutation(8)]
    pairs = [(order[i], order[j]) for j in range(8) for i in range(j) if rng.random() < 0.5]
    dag = DAG.from_edges(pairs, sorted(order))
    root = rng.normal(size=(8, 8))
    net = net_of_normal(rng.normal(size=8), root @ root.T, dag)
    mean, covariance = normal_of(net)
    again = net_of_normal(mean, covariance, dag)
    for name in net.names:
        one, two = net.regression(name), again.regression(name)
        assert two.coefficients == pytest.approx(one.coefficients, abs=1e-9)
        assert float(two.sds) == pytest.approx(float(one.sds), abs=1e-9)


def test_the_normal_distribution_is_that_of_queries_and_draws() -> None:
    dag = DAG.from_edges([("a", "b"), ("b", "c"), ("a", "c")])
    covariance = np.array([[2.0, 0.5, 0.3], [0.5, 1.0, 0.2], [0.3, 0.2, 3.0]])
    net = from_normal([1.0, 2.0, 3.0], covariance, dag)
    assert net.covariance == pytest.approx(covariance, abs=1e-12)
    assert query(net, ["a", "b", "c"]).covariance == pytest.approx(covariance, abs=1e-12)
    rows = draw_rows(net, 200_000, 1)
    drawn = np.cov(np.stack([rows.column(name) for name in "abc"]))
    assert np.abs(drawn - covariance).max() < 0.05


@pytest.mark.parametrize(
    ("mean", "covariance", "message"),
    [
        ([0.0], np.eye(2), "a network of 2 numbers needs 2 means and a covariance matrix of 2 x 2"),
        ([0.0, np.nan], np.eye(2), "means and covariances must be finite numbers"),
        ([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]], "no negative eigenvalue"),
        ([0.0, 0.0], [[1.0, 0.5], [0.2, 1.0]], "must be symmetric"),
        (["a", "b"], np.eye(2), "means and covariances must be numbers"),
    ],
)
def test_what_is_no_normal_distribution_is_refused(
    mean: object, covariance: object, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        from_normal(mean, covariance, DAG.from_edges([("a", "b")]))


def test_a_network_with_categories_has_no_covariance_matrix() -> None:
    with pytest.raises(ModelError, match="the network has the categories smoker, and a normal"):
        _ = network(parts()).covariance  # type: ignore[arg-type]
