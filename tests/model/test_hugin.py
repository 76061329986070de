from __future__ import annotations

import time

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.model import BayesNet, hugin
from reference_model import same_network

RAIN = 'node rain { states = ("no" "yes"); }\n'
P_RAIN = "potential (rain) { data = (0.8 0.2); }\n"


def test_names_that_become_the_same_identifier_stay_apart() -> None:
    names = ["a?", "a!", "v0_a_", "v1_a_", "v1_a__", "net"]
    net = BayesNet.from_tables({name: (["x"], [], [1.0]) for name in names})
    assert same_network(hugin.read(hugin.write(net), "net.net"), net)


def test_attributes_and_comments_are_skipped() -> None:
    text = (
        'net { name = x; node_size = (50 50); % a comment with { and " \n }\n'
        'discrete node rain { label = "50 % {;}"; position = (1 2); states = (no yes ); }\n'
        "potential (rain | ) % { \n { data = ( 0.8 % no\n 0.2 % yes\n ); }"
    )
    net = hugin.read(text, "net.net")
    assert net.states_of("rain") == ("no", "yes")
    assert net.table("rain").tolist() == [0.8, 0.2]


def test_the_child_varies_fastest_and_the_first_parent_slowest() -> None:
    text = (
        'node c { states = ("0" "1"); } node a { states = ("0" "1"); }'
        'node b { states = ("0" "1" "2"); }'
        "potential (a) { data = (.5 .5); } potential (b) { data = (.2 .3 .5); }"
        "potential (c | b a) { data = (((.1 .9)(.2 .8))((.3 .7)(.4 .6))((.5 .5)(.6 .4))); }"
    )
    net = hugin.read(text, "net.net")
    assert net.table("c")[:, :, 0].tolist() == [[0.1, 0.3, 0.5], [0.2, 0.4, 0.6]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "net.net: the file holds no variable"),
        ("net {", "net.net, line 1, column 1: expected a block"),
        (RAIN, "net.net, line 1, column 6: variable 'rain' has no table"),
        (RAIN + RAIN, "line 2, column 6: node 'rain' is defined twice"),
        (RAIN + P_RAIN + P_RAIN, "variable 'rain' has a second table"),
        (P_RAIN, "unknown variable 'rain'"),
        (RAIN + P_RAIN.replace("0.2", "0.1"), "line 2, column 28: .* sum to 0.9, not to 1"),
        (RAIN + P_RAIN.replace("0.2", "x"), "line 2, column 32: expected a number, got 'x'"),
        (
            RAIN + P_RAIN.replace("0.8", "1.2 -0.2 1"),
            "the table of 'rain' needs 2 = 2 numbers, got 4",
        ),
        (
            RAIN + P_RAIN.replace("0.8 0.2", "1.2 -0.2"),
            "column 32: .* hold -0.2, which is negative",
        ),
        (
            RAIN + P_RAIN.replace("(0.8", "((0.8"),
            "the parentheses in the data of 'rain' do not match",
        ),
        (RAIN + "potential (rain) { }", "the potential of 'rain' has no 'data'"),
        (RAIN + "potential (rain sun) { }", "line 2, column 11: expected 'potential"),
        (RAIN + "potential rain { }", "line 2, column 11: expected 'potential"),
        ("node rain { states = 2; }", "node 'rain' needs an attribute 'states"),
        ("node rain { }", "node 'rain' needs an attribute 'states"),
        ("node a b { }", "expected one node name, got a b"),
        ("node rain { states = ()", "line 1, column 1: expected a block"),
        ("node rain { states }", "line 1, column 13: expected 'attribute = value;'"),
        ("node a { x = 1; x = 2; }", "column 17: the attribute 'x' is given twice"),
        ("decision d { }", "decision is not supported"),
        ("utility d { }", "utility is not supported"),
        ("decision node d { }", "decision is not supported"),
        ("continuous node a { }", "'a' has no table"),
        ("continuous node a { } potential (a) { data = (0.2 0.8); }", "expected 'normal"),
        (
            "continuous node a { } potential (a) { data = (normal (1, 2) normal (3, 4)); }",
            "the number 'a' needs 1 normals, one for each configuration of its discrete parents",
        ),
        (
            "continuous node a { } " + 2 * "potential (a) { data = (normal (1, 2)); } ",
            "'a' has a second table",
        ),
        ("continuous node a { } potential (a) { data = (normal (1, -2)); }", "a variance of 0 or"),
        (
            "continuous node a { } potential (a) { data = (normal (1 + 2 * b, 2)); }",
            "may hold numbers and its continuous parents, each at most once in a product, got 'b'",
        ),
        (
            "continuous node a{} continuous node b{} potential (b | a) { data = normal (a*a, 2); }",
            "each at most once in a product, got 'a'",
        ),
    ],
)
def test_a_wrong_file_names_line_and_column(text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        hugin.read(text, "net.net")


@pytest.mark.parametrize("piece", ["{", '"', '\\"', "(", "=", ";", "%", "a = 1;", "x { }"])
@pytest.mark.parametrize("head", ["", "node x { ", "potential ( "])
def test_hostile_repetition_is_refused_in_linear_time(piece: str, head: str) -> None:
    seconds = []
    for n in (20_000, 200_000):
        start = time.process_time()
        for tail in ("", "\n }", '" }'):
            with pytest.raises(FileFormatError):
                hugin.read(f"%\n{head}{piece * n}{tail}", "net.net")
        seconds.append(time.process_time() - start)
    assert seconds[1] < 40 * (seconds[0] + 0.001)


def test_normals_are_read_as_hugin_writes_them() -> None:
    text = """
        net { node_size = (80 40); }
        node S { states = ("no" "yes"); }
        continuous node A { label = "age"; }
        continuous node I { }
        potential ( S ) { data = ( 0.7 0.3 ); }
        potential ( A | S ) { data = ( normal ( 40, 144 ) normal ( 4.5e1, 1.0e+2 ) ); }
        potential ( I | S A ) {
            data = ( normal ( 1000 + 412 * A, 9 )  % no
                     normal ( -1e2 - A * 2.5 + 1, 0 ) );
        }
    """
    net = hugin.read(text, "net.net")
    assert net.numbers == ("A", "I")
    assert net.regression("A").sds.tolist() == [12.0, 10.0]
    assert net.regression("A").intercepts.tolist() == [40.0, 45.0]
    income = net.regression("I")
    assert income.intercepts.tolist() == [1000.0, -99.0]
    assert income.coefficients.tolist() == [[412.0], [-2.5]]
    assert income.sds.tolist() == [3.0, 0.0]
