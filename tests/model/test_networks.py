from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bayesloom.model import BayesNet, load_net
from bayesloom.model.formats import FORMATS, Format
from reference_model import same_network

NETWORKS = Path(__file__).parents[1] / "data" / "model" / "networks"

# Nodes, arcs and free parameters as the bnlearn repository publishes them.
PUBLISHED = {
    "alarm": (37, 46, 509),
    "andes": (223, 338, 1157),
    "asia": (8, 8, 18),
    "barley": (48, 84, 114005),
    "cancer": (5, 4, 10),
    "child": (20, 25, 230),
    "diabetes": (413, 602, 429409),
    "earthquake": (5, 4, 10),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "insurance": (27, 52, 1008),
    "link": (724, 1125, 14211),
    "mildew": (35, 46, 540150),
    "munin": (1041, 1397, 80592),
    "munin1": (186, 273, 15622),
    "munin2": (1003, 1244, 69431),
    "munin3": (1041, 1306, 71059),
    "munin4": (1038, 1388, 80352),
    "pathfinder": (109, 195, 72079),
    "pigs": (441, 592, 5618),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
    "water": (32, 66, 10083),
    "win95pts": (76, 112, 574),
}
LARGE = {
    "barley", "diabetes", "mildew", "munin2", "munin3", "munin4", "pathfinder", "link",
    "munin", "munin1", "pigs",
}  # fmt: skip
BY_SIZE = [
    pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else []) for name in PUBLISHED
]


@cache
def network(name: str) -> BayesNet:
    return load_net(NETWORKS / f"{name}.bif.gz")


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_network_of_the_repository_has_the_published_size(name: str) -> None:
    net = network(name)
    assert (net.n, net.dag.n_edges, net.n_parameters) == PUBLISHED[name]
    assert all(abs(table.sum(axis=-1) - 1).max() < 1e-13 for table in net.tables)


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("name", BY_SIZE)
def test_a_network_of_the_repository_survives_every_format_bit_for_bit(
    name: str, kind: Format
) -> None:
    net = network(name)
    text = kind.codec.write(net)
    again = kind.codec.read(text, "net")
    assert same_network(again, net)
    assert kind.codec.write(again) == text


def test_probabilities_stand_as_the_file_says() -> None:
    asia = network("asia")
    assert asia.parents("either") == ("tub", "lung")
    assert asia.table("either")[0, 1].tolist() == [1.0, 0.0]
    assert asia.table("dysp")[0, 1].tolist() == [0.8, 0.2]  # bronc=yes, either=no
    assert asia.table("dysp")[1, 0].tolist() == [0.7, 0.3]  # bronc=no, either=yes
    assert network("insurance").states_of("OtherCar") == ("True", "False")
    assert "None" in network("insurance").states_of("Accident")
