"""What every format of network files must keep; a new format is covered by being in the list."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from bayesloom.cli import program
from bayesloom.errors import FileFormatError
from bayesloom.model import BayesNet, load_net, save_net
from bayesloom.model.formats import ENDINGS, FORMATS, Format
from click_runner import CliRunner
from reference_model import same_network
from strategies_model import ODD_LABELS, bayes_nets

every_format = pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)


def small() -> BayesNet:
    return BayesNet.from_tables(
        {
            "r\u00e4in": (["no", "a lot"], [], [0.75, 0.25]),
            "wet": (["no", "yes"], ["r\u00e4in"], [[0.9, 0.1], [0.2, 0.8]]),
        }
    )


def again(kind: Format, net: BayesNet) -> BayesNet:
    return kind.codec.read(kind.codec.write(net), f"net{kind.endings[0]}")


@every_format
@given(net=bayes_nets())
def test_any_network_survives_a_round_trip(kind: Format, net: BayesNet) -> None:
    assert same_network(again(kind, net), net)


@every_format
@pytest.mark.parametrize("label", ODD_LABELS)
def test_an_odd_label_survives_as_variable_state_and_parent_state(kind: Format, label: str) -> None:
    net = BayesNet.from_tables(
        {
            label: ([label, "other"], [], [0.25, 0.75]),
            "x": (["y", label], [label], [[0.1, 0.9], [0.3, 0.7]]),
        }
    )
    assert same_network(again(kind, net), net)


@every_format
def test_every_truncation_of_a_written_file_is_refused(kind: Format) -> None:
    text = kind.codec.write(small()).rstrip()
    assert same_network(kind.codec.read(text, "net"), small())
    for length in range(len(text)):
        with pytest.raises(FileFormatError):
            kind.codec.read(text[:length], "net")


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("ending", [*ENDINGS, ".BIF"])
def test_the_ending_chooses_the_format(tmp_path: Path, ending: str, packed: str) -> None:
    path = tmp_path / f"net{ending}{packed}"
    save_net(small(), path)
    assert same_network(load_net(path), small())
    assert same_network(load_net(str(path)), small())
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == bool(packed)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@every_format
def test_byte_order_marks_are_understood(tmp_path: Path, kind: Format, encoding: str) -> None:
    path = tmp_path / f"net{kind.endings[0]}"
    save_net(small(), path)
    path.write_text(path.read_text(encoding="utf-8"), encoding=encoding)
    assert same_network(load_net(path), small())


@every_format
@pytest.mark.parametrize("command", ["learn", "convert"])
def test_the_command_line_names_every_format(kind: Format, command: str) -> None:
    said = " ".join(CliRunner().invoke(program, [command, "--help"]).output.split())
    assert f"{kind.endings[0]} ({kind.name})" in said


def test_an_ending_belongs_to_one_format() -> None:
    assert len(ENDINGS) == sum(len(kind.endings) for kind in FORMATS)
