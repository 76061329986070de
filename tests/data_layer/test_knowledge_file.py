from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from bayesloom.data.document import read_document
from bayesloom.data.knowledge_file import read_knowledge
from bayesloom.errors import FileFormatError

File = Callable[..., Path]

JSON = (
    '{"required": [["a", "b"]], "forbidden": [["b", "c"]], "tiers": [["a"], ["b", 3]], "roots": []}'
)
TOML = 'required = [["a", "b"]]\nforbidden = [["b", "c"]]\ntiers = [["a"], ["b", 3]]\nroots = []\n'


@pytest.mark.parametrize(("content", "name"), [(JSON, "k.json"), (TOML, "k.toml")])
def test_both_formats_hold_the_same_knowledge(file: File, content: str, name: str) -> None:
    assert read_knowledge(file(content, name)) == {
        "required": [("a", "b")],
        "forbidden": [("b", "c")],
        "tiers": [("a",), ("b", "3")],
        "roots": [],
    }


def test_a_byte_order_mark_and_packed_json_are_read(file: File) -> None:
    assert read_document(file(b'\xef\xbb\xbf{"a": 1}', "a.json")) == {"a": 1}
    assert read_document(file(gzip.compress(b'{"a": 1}'), "a.json.gz")) == {"a": 1}


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("a -> b", "k.txt", "k.txt: the ending is neither .json nor .toml"),
        ("{", "k.json", "k.json, line 1, column 2: this is not JSON"),
        ("a = [\n", "k.toml", "k.toml: this is not TOML"),
        ("a = = 1", "k.toml", "k.toml, line 1, column 5: this is not TOML"),
        (b"\xff\xfe\x00", "k.json", "not UTF-8"),
        (b"no gzip", "k.json.gz", "cannot be unpacked"),
        ("[1]", "k.json", "expected one object with named members, got a list"),
        ('{"edges": []}', "k.json", "unknown member 'edges'; known are required, forbidden, tiers"),
        ('{"required": "a"}', "k.json", "'required' must be a list, got 'a'"),
        ('{"required": ["ab"]}', "k.json", "holds pairs [parent, child], got 'ab'"),
        ('{"required": [["a"]]}', "k.json", "holds pairs [parent, child], got ['a']"),
        ('{"required": [["a", null]]}', "k.json", "names variables by their names, got None"),
        ('{"tiers": ["a"]}', "k.json", "'tiers' holds lists of variables, got 'a'"),
        ('{"roots": [["a"]]}', "k.json", "names variables by their names, got ['a']"),
    ],
)
def test_anything_else_is_an_error_that_names_the_file(
    file: File, content: str | bytes, name: str, message: str
) -> None:
    with pytest.raises(FileFormatError) as caught:
        read_knowledge(file(content, name))
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"k\.json: the file cannot be read"):
        read_knowledge(tmp_path / "k.json")


def test_nesting_without_end_is_refused(file: File) -> None:
    with pytest.raises(FileFormatError, match="nested too deeply"):
        read_document(file("[" * 100_000, "k.json"))


@pytest.mark.parametrize(
    "content",
    [
        '{"required": [["A", "B"]], "required": []}',
        '{"tiers": [["A"], {"x": 1, "x": 2}]}',
    ],
)
def test_a_member_that_is_there_twice_is_refused_not_lost(file: File, content: str) -> None:
    with pytest.raises(FileFormatError, match=r"k.json: the member '\w+' is there twice; keep one"):
        read_knowledge(file(content, "k.json"))


def test_a_document_that_unpacks_without_end_is_refused_early(file: File) -> None:
    bomb = gzip.compress(b'{"roots": [' + b" " * (1 << 27))
    with pytest.raises(FileFormatError, match="holds more than 64 MiB, too much for knowledge"):
        read_knowledge(file(bomb, "k.json.gz"))


def test_a_fault_is_told_in_a_short_sentence(file: File) -> None:
    long = "A" * 9000
    for content in (f'{{"required": [["{long}"]]}}', f'{{"roots": [["{long}"]]}}'):
        with pytest.raises(FileFormatError) as error:
            read_knowledge(file(content, "k.json"))
        assert len(error.value.problem) < 200
