from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import FileFormatError
from bayesloom.model import BayesNet, bif, bif_reading
from reference_model import same_network

RAIN = "variable rain { type discrete [ 2 ] { no, yes }; }\n"
WET = "variable wet { type discrete [ 2 ] { no, yes }; }\n"
P_RAIN = "probability ( rain ) { table 0.8, 0.2; }\n"
HEAD = RAIN + WET + P_RAIN


def read_wet(body: str, header: str = "wet | rain") -> BayesNet:
    return bif.read(f"{HEAD}probability ( {header} ) {{\n{body}\n}}\n", "net.bif")


@pytest.mark.parametrize(
    "body",
    [
        "(no) 0.9, 0.1;\n(yes) 0.2, 0.8;",
        "( yes ) 0.2 0.8 ; ( no ) 0.9 0.1 ;",
        "(yes)0.2,0.8;(no)9e-1,.1;",
        "table 0.9, 0.2, 0.1, 0.8;",
        "default 0.9, 0.1; (yes) 0.2, 0.8;",
        "(yes) 0.2, 0.8; default 0.9 0.1;",
        'property "x; y" ; (no) 0.9, 0.1; property weight = None ; (yes) 0.2, 0.8;',
        "// a comment (no) 1, 0;\n(no) 0.9, 0.1; /* (yes)\n 1, 0; */ (yes) 0.2, 0.8; // end",
        '("no") 0.9, 0.1; ("yes") 0.2, 0.8;',
    ],
)
def test_every_way_to_write_a_table_is_read(body: str) -> None:
    assert read_wet(body).table("wet").tolist() == [[0.9, 0.1], [0.2, 0.8]]


# What pyAgrum 3.3.1 reads from a file that holds them, and what it refuses.
WORDS = ("no", "a.b", "A.B-C_d", "a-", "_", "1a", "1_0", "20_30", "0x1F", "e5", "v2.0", "no-1")
NO_WORDS = ("0.5", "-0.5", "1.", "1e5", "20-30", "<5", "a/b", "5+", "5%", "ä", "(-inf,20]", "-a",
            "?", "type", "table", "a lot", "a,b")  # fmt: skip


@pytest.mark.parametrize("word", [*WORDS, *NO_WORDS])
def test_names_and_states_that_others_do_not_read_are_found(word: str) -> None:
    named = BayesNet.from_tables({word: (["no", "yes"], [], [0.5, 0.5])})
    state = BayesNet.from_tables({"x": (["other", word], [], [0.5, 0.5])})
    assert bif.foreign(named) == ("" if word in WORDS else f"the name {word!r}")
    assert bif.foreign(state) == ("" if word in WORDS else f"the state {word!r} of 'x'")


def test_whole_numbers_are_states_that_others_read_but_no_names() -> None:
    for name, told in (("x", ""), ("10", "the name '10'")):
        net = BayesNet.from_tables({name: (["-1", "0", "+1", "10"], [], [0.25] * 4)})
        assert bif.foreign(net) == told


@pytest.mark.parametrize(
    "header", ["wet | rain", "wet|rain", "wet rain", "wet, rain", '"wet" | "rain"']
)
def test_every_way_to_write_a_family_is_read(header: str) -> None:
    assert read_wet("table 0.9 0.2 0.1 0.8;", header).parents("wet") == ("rain",)


def test_parents_are_taken_in_the_order_of_the_file() -> None:
    text = (
        "variable a { type discrete [2] { 0, 1 }; } variable b { type discrete [3] { 0, 1, 2 }; }"
        "variable c { type discrete [2] { 0, 1 }; }"
        "probability (a) { table .5 .5; } probability (b) { table .2 .3 .5; }"
        "probability (c | b, a) { (0, 0) .1 .9; (0, 1) .2 .8; (1, 0) .3 .7; (1, 1) .4 .6;"
        " (2, 0) .5 .5; (2, 1) .6 .4; }"
    )
    net = bif.read(text, "net.bif")
    assert net.parents("c") == ("a", "b")
    assert net.table("c")[:, :, 0].tolist() == [[0.1, 0.3, 0.5], [0.2, 0.4, 0.6]]


def test_tables_may_stand_before_the_variables_they_name() -> None:
    assert bif.read(P_RAIN + RAIN, "net.bif").names == ("rain",)


def test_names_and_labels_with_blanks_are_read_bare() -> None:
    text = (
        "variable my rain { type discrete [ 2 ] { not much, a lot }; }"
        "variable wet { type discrete [ 1 ] { at all }; }"
        "probability ( my rain ) { table 0.8, 0.2; }"
        "probability ( wet | my rain ) { (a lot) 1.0; (not much) 1.0; }"
    )
    net = bif.read(text, "net.bif")
    assert net.names == ("my rain", "wet")
    assert net.states == (("not much", "a lot"), ("at all",))


def test_intervals_are_read_bare() -> None:
    text = (
        "variable x { type discrete [ 3 ] { [0,1], (1,2], ]2,3[ }; }"
        "variable y { type discrete [ 2 ] { f(x), (-inf, 1e5] }; }"
        "probability ( x ) { table 0.2, 0.3, 0.5; }"
        "probability ( y | x ) { ([0,1]) 1, 0; ((1,2]) 0, 1; (]2,3[) .5, .5; }"
    )
    net = bif.read(text, "net.bif")
    assert net.states == (("[0,1]", "(1,2]", "]2,3["), ("f(x)", "(-inf, 1e5]"))
    assert net.table("y").tolist() == [[1, 0], [0, 1], [0.5, 0.5]]


def test_a_row_that_sums_to_0_9999_is_scaled() -> None:
    table = read_wet("(no) 0.3333, 0.6666; (yes) 0.2, 0.8;").table("wet")
    assert table[0] == pytest.approx([0.3333 / 0.9999, 0.6666 / 0.9999], rel=1e-15)
    assert table[1].tolist() == [0.2, 0.8]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "(no) 0.9, 0.1;\n  (yes) 0.2, 0.7;",
            r"net.bif, line 6, column 9: the probabilities of 'wet' given rain=yes sum to 0.9, not",
        ),
        ("table 0.9 0.2\n 0.1 0.7;", "line 5, column 11: .* given rain=yes sum to 0.9, not to 1"),
        ("(no) 0.9, x; (yes) 1 0;", "line 5, column 11: expected a number, got 'x'"),
        ("(no) 0.9, 0.1; (yes) NaN, NaN;", "line 5, column 22: expected a number, got 'NaN'"),
        ("(no) 0.9, 0.1; (yes) 1.5, -0.5;", "line 5, column 27: .* hold -0.5, which is negative"),
        ("(no) 0.9, 0.1; (yes) 1e999, 0;", "line 5, column 22: .* hold inf, which is not a finite"),
        ("(no) 0.9;", "line 5, column 6: a row of 'wet' needs 2 numbers, got 1"),
        ("table 0.9 0.1;", "line 5, column 7: the table of 'wet' needs 2 x 2 = 4 numbers, got 2"),
        ("(no) 0.9, 0.1;", "there are no probabilities of 'wet' given rain=yes"),
        ("(no) 1, 0; (no) 1, 0;", r"line 5, column 13: the table of 'wet' has a second row \(no\)"),
        (
            "(dry) 1, 0;",
            "line 5, column 2: variable 'rain' has no state 'dry'; its states are no, ",
        ),
        ("(no, no) 1, 0;", "line 5, column 2: .* has 1 parents, but the row names 2 states"),
        ("table 1 1 0 0; table 1 1 0 0;", "column 16: the table of 'wet' has a second 'table'"),
        ("default 1 0; default 1 0;", "column 14: the table of 'wet' has a second 'default'"),
        ("table 1 1 0 0; (no) 1 0;", "the table of 'wet' has both 'table' and rows"),
        ("(no) 1 0; nonsense", "line 5, column 11: expected '\\(states\\) numbers;', 'table"),
        ("(no) 1 0", "line 5, column 1: expected '\\(states\\) numbers;'"),
        ("", "there are no probabilities of 'wet' given rain=no"),
    ],
)
def test_a_wrong_table_names_line_and_column(body: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_wet(body)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "net.bif: the file holds no variable; a network needs at least one"),
        ("hello", "net.bif, line 1, column 1: expected 'network', 'variable' or 'probability'"),
        (HEAD + "  }", "line 4, column 3: expected 'network'"),
        (RAIN + "variable wet {", "line 2, column 1: the variable block that starts here is not"),
        (RAIN + "variable wet", "line 2, column 1: the variable block that starts here is not"),
        (RAIN + RAIN, "line 2, column 10: variable 'rain' is defined twice"),
        (RAIN + P_RAIN + P_RAIN, "line 3, column 13: variable 'rain' has a second table"),
        (RAIN + WET + P_RAIN, "line 2, column 10: variable 'wet' has no table"),
        (RAIN + P_RAIN.replace("rain", "snow"), "column 13: unknown variable 'snow'; known are r"),
        (RAIN + "probability rain { table 1 0; }", "line 2, column 13: expected 'probability \\("),
        (RAIN + "probability ( ) { table 1 0; }", "line 2, column 13: expected one child, then"),
        (HEAD + "probability ( wet rain | rain ) { }", "column 13: expected one child, then"),
        ("variable x { }", "line 1, column 14: expected one 'type discrete"),
        ("variable x { type real; }", "line 1, column 14: expected one 'type discrete"),
        (
            'variable "x" y { type discrete [1] {a}; }',
            'column 10: expected one variable name, got "',
        ),
        ("variable { type discrete [1] {a}; }", "a variable name must not be empty"),
        (
            "variable x { type discrete [3] { a, b }; }",
            "column 34: variable 'x' declares 3 states but",
        ),
        (
            "variable x { type discrete [2] { a,b, c }; }",
            "declares 2 states but lists 3; a label that",
        ),
        (
            "variable x { type discrete [2] { a, a }; }",
            "column 10: variable 'x' has the state 'a' tw",
        ),
        (
            "variable x { type discrete [2] { a, }; }",
            "a state of variable 'x' must be a text that is",
        ),
        ("variable x { type discrete { }; }", "variable 'x' needs a list of at least one state"),
    ],
)
def test_a_wrong_file_names_line_and_column(text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        bif.read(text, "net.bif")


def test_a_cycle_is_one_sentence() -> None:
    rows = "(no) 0.9, 0.1; (yes) 0.2, 0.8;"
    text = f"{RAIN}{WET}probability (rain | wet) {{ {rows} }} probability (wet | rain) {{ {rows} }}"
    with pytest.raises(
        FileFormatError, match=r"net.bif: the edges form a cycle: rain -> wet -> rain"
    ):
        bif.read(text, "net.bif")


def test_declared_sizes_allocate_nothing() -> None:
    with pytest.raises(FileFormatError, match="declares 999999999999 states but lists 1"):
        bif.read("variable x { type discrete [999999999999] { a }; }", "net.bif")
    many = "".join(
        f"variable x{v} {{ type discrete [8] {{ a, b, c, d, e, f, g, h }}; }}\n"
        f"probability (x{v}) {{ table 1 0 0 0 0 0 0 0; }}\n"
        for v in range(30)
    )
    parents = ", ".join(f"x{v}" for v in range(30))
    tail = f"probability (rain | {parents}) {{ default 0.5 0.5; }}"
    with pytest.raises(FileFormatError, match=r"the default row of 'rain' stands for .* too many"):
        bif.read(RAIN + many + tail, "net.bif")


@pytest.mark.parametrize(
    "piece", ["/*", "property ", '\\"', '"', "(", "{", "//", ")", "(1,2]", ","]
)
@pytest.mark.parametrize("head", ["", "variable x { type discrete [2] { ", "probability ( "])
def test_hostile_repetition_is_refused_in_linear_time(piece: str, head: str) -> None:
    start = time.perf_counter()
    with pytest.raises(FileFormatError):
        bif.read(f"// \n{head}{piece * 100_000}", "net.bif")
    with pytest.raises(FileFormatError):
        bif.read(f"// \n{head}{piece * 100_000} }}; }} ) {{ }}", "net.bif")
    assert time.perf_counter() - start < 30


def test_numbers_are_written_so_that_they_come_back_exactly() -> None:
    rng = np.random.default_rng(1)
    weights = rng.random((50, 7)) ** 9
    rows = weights / weights.sum(axis=1, keepdims=True)
    labels = [f"s{k}" for k in range(50)]
    net = BayesNet.from_tables(
        {"a": (labels, [], np.full(50, 0.02)), "b": (labels[:7], ["a"], rows)}
    )
    assert same_network(bif.read(bif.write(net), "net.bif"), net)


@pytest.mark.parametrize("comment", ["/* the end", "/*", "/*/", "/* a */ /* b *"])
def test_a_comment_that_is_not_closed_drops_nothing(comment: str) -> None:
    with pytest.raises(FileFormatError, match=r"line 4, .* comment that starts here is not closed"):
        bif.read(HEAD + comment + "probability ( wet | rain ) { table 1 1 0 0; }", "net.bif")
    with pytest.raises(FileFormatError, match="not closed"):
        bif.read(HEAD + P_RAIN.replace("rain", "wet") + comment, "net.bif")


PLAIN = """network unknown {
}
variable rain { type discrete [ 2 ] { no, yes }; }
variable wind { type discrete [ 3 ] { none, some, much }; }
variable wet { type discrete [ 2 ] { no, yes }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( wind ) { table 0.1234567890123456789, 0.4, 4.765432109876544e-1; }
probability ( wet | wind, rain ) {
  (none, no) 0.9, 0.1; (none, yes) 0.3, 0.7; (some, no) 0.8, 0.2;
  (some, yes) 0.25, 0.75; (much, no) 0.5, 0.5; (much, yes) 1, 0;
}
"""
_PIECES = [*'{}()[],;|"/\\ \n0.9-+eE_\x1c\xa0é', "//", "/*", "property x;", "nan", "table", "rain"]


def test_a_plain_file_is_read_natively() -> None:
    assert bif_reading.read_network(PLAIN, "net.bif") == bif.read_plain(PLAIN)


@given(st.lists(st.tuples(st.integers(0, len(PLAIN)), st.integers(0, 2), st.sampled_from(_PIECES))))
def test_what_is_read_natively_is_what_the_full_reader_reads(
    changes: list[tuple[int, int, str]],
) -> None:
    text = PLAIN
    for place, removed, piece in changes[:2]:
        text = text[:place] + piece + text[place + removed :]
    net = bif.read_plain(text)
    if net is not None:
        assert bif_reading.read_network(text, "net.bif") == net
