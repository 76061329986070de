"""score, query, evaluate, sample, convert and explain: what they print and how they fail."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import bayesloom as bl
from bayesloom import facade
from failing import failed

Run = Callable[..., Result]
Told = Callable[..., Any]


@pytest.fixture
def odd(files: Path) -> Path:
    """Write a network whose names and states look like options and commands."""
    net = bl.BayesNet.from_tables(
        {
            "a=b": (["<=1", ">1"], [], [0.25, 0.75]),
            "c d": (["x,y", '"q"'], ["a=b"], [[0.5, 0.5], [0.0, 1.0]]),
        }
    )
    facade.save(net, files / "odd.json")
    return files / "odd.json"


def test_a_score_is_told_term_by_term(told: Told, files: Path) -> None:
    found = told("score", "asia.bif.gz", "asia.csv", "--score", "bdeu", "--ess", "2")
    table, net = bl.read(files / "asia.csv"), bl.load(files / "asia.bif.gz")
    expected = bl.BDeu(ess=2).explain(table, net.dag)
    assert list(found) == ["score", "local", "parameters", "rows"]
    assert found["score"] == {"name": "bdeu", "value": pytest.approx(expected.value)}
    assert found["local"] == pytest.approx({t.variable: t.value for t in expected.terms})
    assert math.fsum(found["local"].values()) == pytest.approx(found["score"]["value"])
    assert (found["parameters"], found["rows"]) == (18, 2000)


def test_states_of_the_network_count_even_if_they_never_occur(told: Told, files: Path) -> None:
    (files / "one.csv").write_text("asia,more\nno,1\nno,2\n")
    net = bl.BayesNet.from_tables({"asia": (["no", "yes", "maybe"], [], [0.5, 0.3, 0.2])})
    facade.save(net, files / "asia1.bif")
    assert told("score", "asia1.bif", "one.csv")["parameters"] == 2


def test_people_get_the_formula_and_the_table_of_terms(run: Run) -> None:
    text = run("score", "asia.bif.gz", "asia.csv").stdout
    assert text.startswith("bic: sum_jk N_jk log(N_jk / N_j)")
    assert "either | tub, lung" in text


def test_queries_are_exact(told: Told, odd: Path) -> None:
    found = told("query", odd.name, "a=b", "--given", 'c d="q"')
    assert list(found) == ["target", "posterior", "evidence_probability"]
    assert found["posterior"] == pytest.approx({"<=1": 1 / 7, ">1": 6 / 7})
    assert found["evidence_probability"] == pytest.approx(0.875)
    found = told("query", odd.name, "c d", "--given", "a=b=<=1")
    assert found["posterior"] == {"x,y": 0.5, '"q"': 0.5}
    found = told("query", odd.name, "a=b", "--soft", 'a=b={"<=1": 3, ">1": 1}')
    assert found["posterior"] == {"<=1": 0.5, ">1": 0.5}


def test_people_get_a_table_of_probabilities(run: Run) -> None:
    text = run("query", "asia.bif.gz", "lung", "--given", "smoke=yes").stdout
    assert text.splitlines() == [
        "P(lung | smoke=yes)",
        "  lung  probability",
        "  yes      0.100000",
        "  no       0.900000",
        "  probability of the evidence 0.5",
    ]


def test_evaluations_compare_networks(told: Told, run: Run) -> None:
    found = told("evaluate", "asia.bif.gz", "asia.bif.gz")
    perfect = {"precision": 1.0, "recall": 1.0, "f": 1.0}
    assert found == {"kld": 0.0, "adjacency": perfect, "arrowhead": perfect, "shd": 0}
    run("learn", "asia.csv", "--max-parents", 0, "--estimator", "ml", "-o", "empty.bif")
    found = told("evaluate", "asia.bif.gz", "empty.bif")
    assert (found["shd"], found["adjacency"]["recall"]) == (8, 0.0)
    text = run("evaluate", "asia.bif.gz", "empty.bif").stdout
    assert "adjacencies" in text
    assert "nats" in text


def test_an_infinite_divergence_is_null_and_can_be_floored(told: Told, run: Run, odd: Path) -> None:
    sure = bl.BayesNet.from_tables(
        {"a=b": (["<=1", ">1"], [], [1.0, 0.0]), "c d": (["x,y", '"q"'], [], [0.5, 0.5])}
    )
    facade.save(sure, odd.parent / "sure.json")
    assert told("evaluate", odd.name, "sure.json")["kld"] is None
    assert "infinite" in run("evaluate", odd.name, "sure.json").stdout
    assert told("evaluate", odd.name, "sure.json", "--floor", "0.01")["kld"] > 0


def test_samples_are_csv_that_reads_back(run: Run, files: Path, odd: Path) -> None:
    done = run("sample", odd.name, "-n", 50, "--seed", 3)
    (files / "printed.csv").write_text(done.stdout)
    run("sample", odd.name, "-n", 50, "--seed", 3, "-o", "written.csv")
    assert (files / "written.csv").read_text() == done.stdout
    table = bl.read(files / "written.csv")
    assert (table.names, table.n_rows) == (("a=b", "c d"), 50)


@pytest.mark.parametrize("name", ["rows.csv.gz", "rows.parquet", "rows.arrow"])
def test_samples_are_written_in_the_format_that_the_ending_names(
    run: Run, files: Path, name: str
) -> None:
    assert run("sample", "asia.bif.gz", "-n", 50, "-o", name).exit_code == 0
    table = bl.read(files / name)
    assert (table.n_rows, table.names) == (50, bl.load(files / "asia.bif.gz").names)


def test_samples_depend_on_the_seed_alone(told: Told) -> None:
    first, again, other = (
        told("sample", "asia.bif.gz", "-n", 20, "--seed", seed) for seed in (1, 1, 2)
    )
    assert list(first) == ["variables", "rows", "seed", "data"]
    assert first == again
    assert first["data"] != other["data"]
    assert told("sample", "asia.bif.gz", "-n", 3, "-o", "a.csv")["output"] == "a.csv"


@pytest.mark.parametrize("name", ["x.bif", "x.xml", "x.net", "x.uai", "x.json", "x.bif.gz"])
def test_conversion_keeps_the_network(told: Told, files: Path, odd: Path, name: str) -> None:
    found = told("convert", odd.name, name)
    notes = found.pop("notes", [])
    assert found == {
        "source": "odd.json", "target": name, "variables": 2, "edges": 1, "parameters": 3,
    }  # fmt: skip
    assert len(notes) == (".bif" in name)
    before, after = bl.load(odd), bl.load(files / name)
    assert (after.names, after.states, after.edges) == (before.names, before.states, before.edges)


def test_conversion_between_json_files_keeps_the_story(run: Run, told: Told) -> None:
    run("learn", "asia.csv", "-o", "net.json")
    run("convert", "net.json", "copy.json.gz")
    assert told("explain", "copy.json.gz", "smoke", "bronc")["steps"]


def test_stories_come_from_the_file_and_the_data(told: Told, run: Run, files: Path) -> None:
    run("learn", "asia.csv", "--search", "hc", "-o", "net.json")
    whole = told("explain", "net.json", "smoke", "bronc", "--data", "asia.csv")
    story = bl.learn(files / "asia.csv", bl.HillClimbing()).explain("smoke", "bronc")
    assert whole == story.to_dict()
    assert told("explain", "net.json", "smoke", "bronc")["evidence"] is None


def test_the_story_of_a_class_from_a_file_leaves_directions_open(
    told: Told, run: Run, files: Path
) -> None:
    run("learn", "asia.csv", "--search", "ges", "-o", "net.json")
    whole = told("explain", "net.json", "smoke", "bronc", "--data", "asia.csv")
    assert (whole["edge"], whole["direction"]) == ("-", "free")
    assert whole == bl.learn(files / "asia.csv", bl.GES()).explain("smoke", "bronc").to_dict()


def test_a_plain_network_file_still_has_a_story(told: Told, run: Run) -> None:
    found = told("explain", "asia.bif.gz", "tub", "either", "--data", "asia.csv")
    assert (found["edge"], found["direction"], found["steps"]) == ("->", "compelled", None)
    assert found["evidence"]["score"] == "bic"
    text = run("explain", "asia.bif.gz", "tub", "either").stdout
    assert "learn with -o FILE.json keeps them" in text
    assert "Give --data" in text


def test_the_score_of_a_story_is_the_search_s_or_the_one_named(told: Told, run: Run) -> None:
    run("learn", "asia.csv", "--score", "aic", "-o", "net.json")
    pair = ("net.json", "smoke", "bronc", "--data", "asia.csv")
    assert told("explain", *pair)["evidence"]["score"] == "aic"
    assert told("explain", *pair, "--score", "bdeu")["evidence"]["score"] == "bdeu"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("query asia.bif.gz lungs", "unknown variable 'lungs'"),
        ("query asia.bif.gz lung --given smoke=maybe", "unknown state 'maybe' of variable 'smoke'"),
        ("query asia.bif.gz lung --given smok=yes", "unknown variable 'smok'"),
        ("query asia.bif.gz lung --given either=no --given tub=yes", "is impossible"),
        ("query asia.bif.gz lung --given smoke=no --given smoke=yes", "can be given once"),
        ("query nowhere.bif lung", "nowhere.bif: the file cannot be read"),
        ("query asia.csv lung", "asia.csv: unknown ending '.csv'; network files end in .bif"),
        ("query broken.bif lung", "broken.bif, line 1"),
        ("score asia.bif.gz nowhere.csv", "there is no such file"),
        (
            "score asia.bif.gz other.csv",
            "the data must have every variable of the network; other.csv",
        ),
        ("evaluate asia.bif.gz other.bif", "variables"),
        ("sample asia.bif.gz -n 5 -o nowhere/x.csv", "the folder 'nowhere' is not there"),
        ("sample asia.bif.gz -n 5 -o x.xlsx", "x.xlsx: unknown ending '.xlsx'; tables are"),
        ("sample asia.bif.gz -n 5 -o folder.csv", "this is a folder or a device"),
        ("sample asia.bif.gz -n 1000000000000", "rows of 8 variables take 8e+03 GB"),
        ("convert asia.bif.gz x.doc", "unknown ending '.doc'"),
        ("convert asia.bif.gz nowhere/x.bif", "the folder 'nowhere' is not there"),
        ("explain asia.bif.gz lung lungs", "unknown variable 'lungs'"),
        ("explain asia.bif.gz lung smoke --data other.csv", "which is not there"),
        ("explain broken.json lung smoke", "broken.json, line 1"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(
    run: Run, files: Path, command: str, message: str
) -> None:
    (files / "broken.bif").write_text("network {")
    (files / "folder.csv").mkdir()
    (files / "broken.json").write_text("{")
    (files / "other.csv").write_text("A,B\nx,y\n")
    facade.save(bl.BayesNet.from_tables({"A": (["n", "y"], [], [0.5, 0.5])}), files / "other.bif")
    assert message in failed(run(*command.split(" ")))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("query asia.bif.gz", "Missing argument 'TARGET...'"),
        ("query asia.bif.gz lung --given smoke", "--given smoke: expected NAME=STATE"),
        ("query asia.bif.gz lung --soft smoke=3", "--soft smoke=3: expected NAME=JSON"),
        ("query asia.bif.gz lung --soft smoke={} --soft smoke={}", "--soft smoke is given twice"),
        ('query asia.bif.gz lung --soft smoke={"no":1,"no":2}', "the same key twice"),
        ("score asia.bif.gz asia.csv --score x", "'bde', 'bdeu'"),
        ("evaluate asia.bif.gz", "Missing argument 'LEARNED'"),
        ("sample asia.bif.gz -n 0", "0 is not in the range"),
        ("explain asia.bif.gz lung", "Missing argument 'Y'"),
        ("explain asia.bif.gz lung lung", "'lung' twice"),
        ("score asia.bif.gz asia.csv --score bdeu --ess 0", "ess must be above 0, got 0.0"),
        ("explain asia.bif.gz lung smoke --score bic", "--score needs --data"),
        ("explain asia.bif.gz lung smoke --discretize width", "--discretize needs --data"),
        ("score asia.bif.gz asia.csv --drop lung", "drop (--drop) has no meaning here"),
        ("score asia.bif.gz asia.csv --column lung", "columns (--column) has no meaning here"),
        ("lern asia.csv", "No such command 'lern'"),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, command: str, message: str) -> None:
    assert message in failed(run(*command.split(" ")), exit_code=2)


def test_likelihoods_nested_too_deeply_are_wrong_usage(run: Run) -> None:
    deep = 'smoke={"no":' + "[" * 9_999
    said = failed(run("query", "asia.bif.gz", "lung", "--soft", deep), exit_code=2)
    assert "nested too deeply" in said


def test_a_network_is_drawn(told: Told, files: Path) -> None:
    found = told("plot", "asia.bif.gz", "-o", "asia.svg")
    assert found == {"source": "asia.bif.gz", "target": "asia.svg", "variables": 8, "edges": 8}
    picture = (files / "asia.svg").read_text()
    assert picture.startswith("<svg")
    assert picture.count('class="node"') == 8


def test_a_dag_has_arrows_and_its_class_lines(run: Run, files: Path) -> None:
    for flag, heads in ((), 8), (("--class",), 5), (("--dag",), 8):
        assert run("plot", "asia.bif.gz", "-o", "asia.svg", *flag).exit_code == 0
        drawn = (files / "asia.svg").read_text().split('class="key"')[0]
        assert drawn.count('class="head"') == heads
    message = "are different pictures"
    wrong = run("plot", "asia.bif.gz", "-o", "asia.svg", "--class", "--dag")
    assert message in failed(wrong, exit_code=2)


def test_a_learned_network_and_its_file_have_the_same_picture(run: Run, files: Path) -> None:
    for search in ("ges", "hc"):
        options = ("--search", search, "-o", "net.json", "--plot", "learned.svg")
        assert run("learn", "asia.csv", *options).exit_code == 0
        assert run("plot", "net.json", "-o", "again.svg").exit_code == 0
        assert (files / "learned.svg").read_text() == (files / "again.svg").read_text()


def test_a_picture_with_another_ending_is_refused(run: Run, files: Path) -> None:
    assert "pictures are written as .svg" in failed(run("plot", "asia.bif.gz", "-o", "asia.pdf"))
    assert not (files / "asia.pdf").exists()


def test_pictures_show_probabilities_blankets_and_differences(run: Run, files: Path) -> None:
    known = ["--probabilities", "--given", "smoke=yes"]
    assert run("plot", "asia.bif.gz", "-o", "known.svg", *known).exit_code == 0
    assert "node observed" in (files / "known.svg").read_text(encoding="utf-8")
    assert run("plot", "asia.bif.gz", "-o", "near.svg", "--highlight", "lung").exit_code == 0
    assert "node focus" in (files / "near.svg").read_text(encoding="utf-8")
    same = ["--against", "asia.bif.gz"]
    assert run("plot", "asia.bif.gz", "-o", "same.svg", *same).exit_code == 0
    assert "shared: 8" in (files / "same.svg").read_text(encoding="utf-8")
    assert run("plot", "asia.bif.gz", "-o", "asia.png", "--scale", "1").exit_code == 0
    assert (files / "asia.png").read_bytes()[1:4] == b"PNG"


def test_evidence_for_a_picture_without_probabilities_is_wrong_usage(run: Run, files: Path) -> None:
    done = run("plot", "asia.bif.gz", "-o", "a.svg", "--given", "smoke=yes")
    assert done.exit_code == 2
    assert "--given is for --probabilities" in done.stderr
    assert not (files / "a.svg").exists()


def test_a_network_is_converted_to_a_graph_for_other_programs(run: Run, files: Path) -> None:
    assert run("convert", "asia.bif.gz", "asia.dot").exit_code == 0
    assert '"smoke" -> "lung";' in (files / "asia.dot").read_text(encoding="utf-8")


def test_reports_are_pages_with_the_command_that_made_them(
    told: Told, run: Run, files: Path
) -> None:
    done = run("learn", "asia.csv", "-o", "story.json", "--report", "learned.html")
    assert done.stdout.endswith("report in learned.html\n")
    found = told("report", "story.json", "--data", "asia.csv", "-o", "again.html")
    assert found["target"] == "again.html"
    assert found["bytes"] == (files / "again.html").stat().st_size
    for name in ("learned.html", "again.html"):
        text = (files / name).read_text()
        assert '"rows":2000' in text
        assert '"command":"bayesloom ' in text
    assert run("report", "asia.bif.gz", "-o", "bare.html").exit_code == 0
    assert '"data":null' in (files / "bare.html").read_text()


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["report", "asia.bif.gz", "-o", "net.pdf"], 1, "reports are written as .html"),
        (["report", "asia.bif.gz"], 2, "--output"),
        (["report", "asia.bif.gz", "-o", "a.html", "--missing", "drop"], 2, "needs --data"),
        (["learn", "asia.csv", "--report", "nowhere/net.html"], 1, "is not there"),
        (["learn", "asia.csv", "--report", "asia.csv"], 2, "would replace the file"),
    ],
)
def test_reports_that_cannot_be_written_are_refused_first(
    run: Run, args: list[str], code: int, said: str
) -> None:
    done = run(*args)
    assert done.exit_code == code
    assert said in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["score", "net.json", "holes.csv"],
        ["certify", "net.json", "holes.csv"],
        ["edges", "net.json", "--data", "holes.csv"],
        ["explain", "net.json", "smoke", "lung", "--data", "holes.csv"],
        ["report", "net.json", "--data", "holes.csv", "-o", "net.html"],
        ["impute", "net.json", "holes.csv", "-o", "full.csv"],
        ["predict", "net.json", "holes.csv", "--target", "lung", "--drop", "lung"],
    ],
    ids=lambda command: command[0],
)
def test_an_option_that_is_written_out_goes_before_what_the_network_remembers(
    run: Run, command: list[str]
) -> None:
    assert run("learn", "holes.csv", "--missing", "keep", "-q", "-o", "net.json").exit_code == 0
    assert run(*command).exit_code == 0
    assert "this cell is missing" in failed(run(*command, "--missing", "error"), 1)
    assert run(*command, "--missing", "drop").exit_code == 0


def test_losses_that_are_asked_of_data_with_holes_are_those_that_the_search_told(
    told: Callable[..., Any], run: Run
) -> None:
    run("learn", "holes.csv", "--missing", "keep", "-q", "-o", "net.json")
    kept, asked = told("edges", "net.json"), told("edges", "net.json", "--data", "holes.csv")
    assert [edge["loss"] for edge in asked["edges"]] == pytest.approx(
        [edge["loss"] for edge in kept["edges"]]
    )
