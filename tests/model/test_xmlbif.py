from __future__ import annotations

import time

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.model import BayesNet, xmlbif

RAIN = (
    "<VARIABLE TYPE='nature'><NAME>rain</NAME>"
    "<OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>"
)
P_RAIN = "<DEFINITION><FOR>rain</FOR><TABLE>0.8 0.2</TABLE></DEFINITION>"


def read(inside: str, before: str = "") -> BayesNet:
    text = f"<?xml version='1.0'?>\n{before}<BIF><NETWORK>\n{inside}\n</NETWORK></BIF>"
    return xmlbif.read(text, "net.xml")


def test_ordinary_networks_carry_no_escapes() -> None:
    net = BayesNet.from_tables({"a \\n <b>": (["no", "yes"], [], [0.25, 0.75])})
    text = xmlbif.write(net)
    assert "<NAME>a \\n &lt;b&gt;</NAME>" in text
    assert "bayesloom" not in text


def test_backslashes_of_other_programs_stand_for_themselves() -> None:
    net = read(RAIN.replace("yes", r"a\nb") + P_RAIN)
    assert net.states_of("rain") == ("no", r"a\nb")


def test_the_child_varies_fastest_and_the_first_given_slowest() -> None:
    wet = RAIN.replace("rain", "wet")
    sun = RAIN.replace("rain", "sun")
    tables = (
        "<DEFINITION><FOR>sun</FOR><TABLE>.5 .5</TABLE></DEFINITION>"
        "<DEFINITION><GIVEN>sun</GIVEN><GIVEN>rain</GIVEN><FOR>wet</FOR>"
        "<TABLE>.1 .9 .2 .8 .3 .7 .4 .6</TABLE></DEFINITION>"
    )
    net = read(RAIN + wet + sun + P_RAIN + tables)
    assert net.parents("wet") == ("rain", "sun")
    assert net.table("wet")[:, :, 0].tolist() == [[0.1, 0.3], [0.2, 0.4]]


def test_blanks_and_comments_around_text_do_not_count() -> None:
    net = read(
        "<VARIABLE><NAME>\n rain\n</NAME><OUTCOME> no </OUTCOME><OUTCOME>y<!-- x -->es</OUTCOME>"
        "</VARIABLE><DEFINITION><FOR> rain </FOR>"
        "<TABLE>\n0.8 <!-- 1 2 3 -->\n0.2</TABLE></DEFINITION>"
    )
    assert (net.names, net.states) == (("rain",), (("no", "yes"),))


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (RAIN, "net.xml, line 3, column 1: variable 'rain' has no table"),
        (RAIN + RAIN + P_RAIN, "variable 'rain' is defined twice"),
        (RAIN + P_RAIN + P_RAIN, "variable 'rain' has a second table"),
        (P_RAIN, "unknown variable 'rain'"),
        (
            RAIN + "\n" + P_RAIN.replace("0.2", "0.1"),
            "line 4, column 28: the probabilities of 'rain' sum to 0.9, not to 1",
        ),
        (RAIN + P_RAIN.replace("0.2", "x"), "expected a number, got 'x' in the table of 'rain'"),
        (RAIN + P_RAIN.replace("0.2", ""), "the table of 'rain' needs 2 = 2 numbers, got 1"),
        (RAIN + P_RAIN.replace("0.8", "-0.8"), "hold -0.8, which is negative"),
        (RAIN + P_RAIN.replace("<FOR>rain</FOR>", ""), "expected one name, got 0"),
        (RAIN.replace("nature", "decision"), "a variable of type 'decision' is not supported"),
        (RAIN + "<X>", "line 4, column 3: not well-formed XML: mismatched tag"),
        (RAIN + "&nbsp;", "not well-formed XML: undefined entity"),
        ("", "the file holds no variable"),
    ],
)
def test_a_wrong_file_is_one_sentence(inside: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read(inside)


def test_entities_are_refused_and_never_expanded() -> None:
    laughs = "".join(f"<!ENTITY l{k + 1} '{f'&l{k};' * 10}'>" for k in range(30))
    doctype = f"<!DOCTYPE BIF [<!ENTITY l0 'ha'>{laughs}]>"
    start = time.perf_counter()
    with pytest.raises(
        FileFormatError, match="the file declares the entity 'l0'; entities are not"
    ):
        read(RAIN.replace("rain", "&l30;") + P_RAIN, doctype)
    with pytest.raises(FileFormatError, match="the file declares the entity 'x'"):
        read(
            RAIN.replace("rain", "&x;"), "<!DOCTYPE BIF [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        )
    assert time.perf_counter() - start < 30


def test_an_external_dtd_is_not_fetched() -> None:
    net = read(RAIN + P_RAIN, "<!DOCTYPE BIF SYSTEM 'http://localhost/bif.dtd'>")
    assert net.names == ("rain",)


def test_deep_nesting_is_harmless() -> None:
    assert read("<X>" * 100_000 + "</X>" * 100_000 + RAIN + P_RAIN).names == ("rain",)


def test_places_count_characters_not_bytes() -> None:
    odd = RAIN.replace("rain", "\u65e5\u672c")
    with pytest.raises(
        FileFormatError, match=f"line 3, column {len(odd) + 1}: variable 'rain' has"
    ):
        read(odd + RAIN + P_RAIN.replace("rain", "\u65e5\u672c"))


def test_many_tables_in_one_definition_take_linear_time() -> None:
    start = time.perf_counter()
    with pytest.raises(FileFormatError, match="needs 2 = 2 numbers, got 100000"):
        read(RAIN + f"<DEFINITION><FOR>rain</FOR>{'<TABLE>1</TABLE>' * 100_000}</DEFINITION>")
    assert time.perf_counter() - start < 30


def test_an_entity_that_nobody_defines_does_not_vanish_from_a_name() -> None:
    outcome = RAIN.replace("yes", "y&foo;es")
    for before in ("", "<!DOCTYPE BIF SYSTEM 'bif.dtd'>\n"):
        with pytest.raises(FileFormatError, match=r"line \d+, column \d+: .*entity"):
            read(outcome + P_RAIN, before)
