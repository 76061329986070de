from __future__ import annotations

import gzip
import os
import random
import time
from pathlib import Path

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.model import BayesNet, files, load_net, save_net, xmlbif
from fuzz.fuzz_networks import check, make_corpus, mutate
from reference_model import same_network

PEERS = Path(__file__).parents[1] / "data" / "model" / "peers"
P_C = [[[0.1, 0.9], [0.3, 0.7], [0.5, 0.5]], [[0.2, 0.8], [0.4, 0.6], [0.6, 0.4]]]


def small() -> BayesNet:
    return BayesNet.from_tables({"r\u00e4in": (["no", "a lot"], [], [0.75, 0.25])})


@pytest.mark.parametrize(
    ("file", "labels"),
    [
        ("pgmpy.bif", ("low mid", "<1", "5-12")),
        ("pgmpy.net", ("low mid", "<1", "5-12")),
        ("pgmpy.xml", ("low mid", "_1", "5_12")),
        ("pyagrum.bif", ("low", "mid", "high")),
        ("pyagrum.bifxml", ("low", "mid", "high")),
        ("pyagrum.net", ("low", "mid", "high")),
        ("bnlearn.bif", ("[0,1]", "(1,2]", "(2,3]")),
        ("bnlearn.net", ("[0,1]", "(1,2]", "(2,3]")),
        ("javabayes.bif", ("low", "mid", "high")),
        ("weka.xml", ("'(-inf-1]'", "'(1-2]'", "'(2-inf)'")),
    ],
)
def test_files_of_other_programs_are_read(file: str, labels: tuple[str, ...]) -> None:
    net = load_net(PEERS / file)
    assert net.names == ("a", "b", "c", "lone")
    assert net.states == (("yes", "no"), labels, ("1", "2"), ("only", "other"))
    assert net.edges == (("a", "c"), ("b", "c"))
    assert net.table("a").tolist() == [0.2, 0.8]
    assert net.table("b").tolist() == [0.2, 0.3, 0.5]
    assert net.table("lone").tolist() == [0.25, 0.75]
    assert net.table("c").tolist() == P_C


def test_uai_files_of_other_programs_are_read_in_their_order_of_numbers() -> None:
    agrum = load_net(PEERS / "pyagrum.uai")
    assert agrum.names == ("a", "b", "c", "lone")
    assert agrum.table("c").tolist() == P_C
    pgmpy = load_net(PEERS / "pgmpy.uai")  # numbers its variables a, c, lone, b
    assert pgmpy.edges == (("x0", "x1"), ("x3", "x1"))
    assert pgmpy.table("x1").tolist() == P_C


@pytest.mark.parametrize("name", ["net", "net.csv", "net.gz", "net.bif.zip", ".bif"])
def test_unknown_endings_are_one_sentence(tmp_path: Path, name: str) -> None:
    for act in (lambda: load_net(tmp_path / name), lambda: save_net(small(), tmp_path / name)):
        with pytest.raises(
            FileFormatError, match=r"unknown ending '.*'; network files end in .bif, .xml"
        ):
            act()


def test_files_that_cannot_be_opened_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder.bif").mkdir()
    with pytest.raises(FileFormatError, match=r"folder.bif: the file cannot be read \(Is a dir"):
        load_net(tmp_path / "folder.bif")
    with pytest.raises(FileFormatError, match=r"the file cannot be read \(No such file or dir"):
        load_net(tmp_path / "none.bif")
    with pytest.raises(FileFormatError, match="cannot be written: it is a folder or a device"):
        save_net(small(), tmp_path / "folder.bif")
    with pytest.raises(FileFormatError, match=r"cannot be written \(No such file or directory\)"):
        save_net(small(), tmp_path / "none" / "net.bif")
    with pytest.raises(FileFormatError, match=r"cannot be read \(embedded null byte\)"):
        load_net("a\0b.bif")


def test_a_device_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.bif"
    os.mkfifo(pipe)
    with pytest.raises(FileFormatError, match="it is a folder or a device"):
        save_net(small(), pipe)
    assert pipe.is_fifo()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "net.bif"
    save_net(small(), path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(FileFormatError, match="No space left on device"):
        save_net(small(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_saving_through_a_link_replaces_the_file_it_names(tmp_path: Path) -> None:
    (tmp_path / "link.bif").symlink_to(tmp_path / "net.bif")
    save_net(small(), tmp_path / "link.bif")
    assert (tmp_path / "link.bif").is_symlink()
    assert same_network(load_net(tmp_path / "net.bif"), small())


def test_packed_files_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a.bif.gz", "b.bif.gz"):
        save_net(small(), tmp_path / name)
    assert (tmp_path / "a.bif.gz").read_bytes() == (tmp_path / "b.bif.gz").read_bytes()


def test_an_xml_declaration_names_the_encoding(tmp_path: Path) -> None:
    path = tmp_path / "net.xml"
    text = xmlbif.write(small()).replace("UTF-8", "ISO-8859-1")
    path.write_text(text, encoding="latin-1")
    assert same_network(load_net(path), small())
    path.write_text(text.replace("ISO-8859-1", "klingon"), encoding="latin-1")
    with pytest.raises(FileFormatError, match="the encoding 'klingon' is not known"):
        load_net(path)
    path.write_text(text.replace("ISO-8859-1", "rot13"), encoding="latin-1")
    with pytest.raises(FileFormatError, match="the encoding 'rot13' is not known"):
        load_net(path)


@pytest.mark.parametrize("encoding", ["utf-7", "punycode", "idna", "unicode_escape", "base64"])
def test_an_xml_declaration_may_only_name_a_plain_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "net.xml"
    head = f'<?xml version="1.0" encoding="{encoding}"?>'.encode()
    path.write_bytes(head + b"+AG-\xff-" + b"a-" * 1_000_000)
    start = time.process_time()
    with pytest.raises(FileFormatError, match=f"the encoding '{encoding}' is not known; save the"):
        load_net(path)
    assert time.process_time() - start < 5


def test_bytes_that_are_no_text_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "net.bif"
    path.write_bytes(b"network \xff")
    with pytest.raises(FileFormatError, match="not utf-8 text at byte 9; save it as UTF-8"):
        load_net(path)


def test_damaged_packed_files_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "net.bif.gz"
    save_net(small(), path)
    data = path.read_bytes()
    path.write_bytes(data[:-9])
    with pytest.raises(FileFormatError, match="the gzip file ends too early"):
        load_net(path)
    path.write_bytes(b"")
    with pytest.raises(FileFormatError, match="the gzip file ends too early"):
        load_net(path)
    path.write_bytes(b"network {}")
    with pytest.raises(FileFormatError, match="the file is not gzip or is damaged"):
        load_net(path)
    path.write_bytes(data + data)
    with pytest.raises(FileFormatError, match="is defined twice"):
        load_net(path)
    path.write_bytes(data + b"\0" * 100)
    assert same_network(load_net(path), small())


def test_a_packed_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MOST_BYTES", 1 << 20)
    path = tmp_path / "net.bif.gz"
    path.write_bytes(gzip.compress(b" " * (1 << 25)))
    with pytest.raises(FileFormatError, match="the file holds more than 1 MiB"):
        load_net(path)


def test_mutated_files_end_in_a_network_or_in_one_sentence(tmp_path: Path) -> None:
    rng = random.Random(7)
    corpus = make_corpus(tmp_path)
    for _ in range(300):
        ending, data = rng.choice(corpus)
        path = tmp_path / f"mutant{ending}"
        path.write_bytes(mutate(data, rng.choice(corpus)[1], rng))
        assert check(path, tmp_path) in {"network", "error"}
