from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

import bayesloom
from bayesloom.errors import OptionError
from bayesloom.model import EXAMPLES, example_net, load_net

FOLDER = Path(bayesloom.__file__).parent / "examples"

SIZES = {  # nodes, arcs and parameters, as the repository's pages tell them
    "alarm": (37, 46, 509),
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "child": (20, 25, 230),
    "earthquake": (5, 4, 10),
    "hailfinder": (56, 66, 2656),
    "insurance": (27, 52, 1008),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_has_the_size_that_its_source_tells(name: str) -> None:
    net = example_net(name)
    assert (net.n, net.dag.n_edges, net.n_parameters) == SIZES[name]
    assert net.names == load_net(FOLDER / f"{name}.bif.gz").names


def test_the_examples_are_the_files_of_the_folder_with_their_sums() -> None:
    told = dict(
        re.findall(r"^([0-9a-f]{64})  (\S+)$", (FOLDER / "README.md").read_text(), re.MULTILINE)
    )
    files = {path.name: path.read_bytes() for path in FOLDER.glob("*.bif.gz")}
    assert sorted(files) == [f"{name}.bif.gz" for name in EXAMPLES]
    assert {hashlib.sha256(data).hexdigest(): name for name, data in files.items()} == told


def test_a_name_that_is_almost_right_is_guessed() -> None:
    assert example_net("Asia").n == 8
    with pytest.raises(OptionError, match=r"no example 'alram'; did you mean alarm\? The examples"):
        example_net("alram")
    with pytest.raises(OptionError, match="there is no example 'xyz'; the examples are alarm"):
        example_net("xyz")
