from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import bayesloom as bl
from bayesloom.errors import FileFormatError
from bayesloom.facade.entry import learn_for
from bayesloom.learning.choice import ChangedDefault
from bayesloom.registry import SEARCHES
from failing import failed

Run = Callable[..., Result]
Told = Callable[..., Any]


def without_time(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != "seconds"}


def test_the_object_is_what_python_gives(told: Told, files: Path) -> None:
    expected = bl.learn(files / "asia.csv").to_dict()
    assert without_time(told("learn", "asia.csv")) == without_time(expected)


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_runs_by_its_name(told: Told, name: str) -> None:
    order = "asia,smoke,tub,lung,bronc,either,xray,dysp"
    of_class = {"nb": "NaiveBayes(target='lung')", "tan": "TAN(target='lung')"}
    more = ["--order", order] if name == "k2" else []
    found = told("learn", "asia.csv", "--search", of_class.get(name, name), *more)
    assert found["variables"][0] == "asia"
    assert found["directed"] or found["undirected"]


def test_score_options_make_the_score(told: Told, files: Path) -> None:
    options = ["--score", "bdeu", "--ess", "5", "--kappa", "0.1"]
    found = told("learn", "asia.csv", "--search", "ges", *options)
    expected = bl.learn(files / "asia.csv", bl.GES(score=bl.BDeu(ess=5, kappa=0.1)))
    assert without_time(found) == without_time(expected.to_dict())


def test_earlier_rows_are_the_prior_of_bde(told: Told, files: Path) -> None:
    table = bl.read(files / "asia.csv")
    expected = bl.learn(table, bl.HillClimbing(score=bl.BDe(prior=table, ess=2)))
    options = ["--score", "bde", "--prior", "asia.csv", "--ess", "2"]
    found = told("learn", "asia.csv", "--search", "hc", *options)
    assert without_time(found) == without_time(expected.to_dict())


def test_search_options_make_the_search(told: Told, files: Path) -> None:
    found = told("learn", "asia.csv", "--search", "GES(turning=True)")
    assert without_time(found) == without_time(
        bl.learn(files / "asia.csv", bl.GES(turning=True)).to_dict()
    )
    found = told("learn", "asia.csv", "--search", "ChowLiu(root='xray')")
    assert ["xray", "either"] in found["directed"]
    options = ["--restarts", 2, "--seed", 3, "--start", "chow-liu"]
    found = told("learn", "asia.csv", "--search", "hc", *options)
    search = bl.HillClimbing(restarts=2, seed=3, start=bl.Start.CHOW_LIU)
    assert without_time(found) == without_time(bl.learn(files / "asia.csv", search).to_dict())


def test_an_order_may_name_variables_with_commas(told: Told, files: Path) -> None:
    (files / "odd.csv").write_text('"a,b",c\n' + "n,n\ny,y\n" * 20)
    options = ["odd.csv", "--search", "k2", "--order", 'c,"a,b"']
    assert told("learn", *options)["directed"] == [["c", "a,b"]]


def test_test_options_make_test_and_control(told: Told, files: Path) -> None:
    options = ["--alpha", "0.01", "--control", "bh", "--test", "g-square"]
    found = told(
        "learn",
        "asia.csv",
        "--search",
        "iges",
        *options,
        "--coverage",
        "relaxed",
        "--min-expected",
        3,
    )
    search = bl.IGES(
        test=bl.GSquare(min_expected=3, coverage=bl.Coverage.RELAXED),
        control=bl.BenjaminiHochberg(0.01),
    )
    assert without_time(found) == without_time(bl.learn(files / "asia.csv", search).to_dict())
    assert found["tests"]["made"] > 0
    keys = ["x", "y", "given", "statistic", "df", "p", "log_p", "min_expected", "covered"]
    assert all(list(dependency) == keys for dependency in found["dependencies"])


@pytest.mark.parametrize(
    ("options", "search"),
    [
        ([], None),  # the default, which depends on the data
        (["--search", "ixges"], bl.IXGES()),
        (["--alpha", "0.01"], bl.IXGES(control=bl.AlphaSpending(0.01))),
        (["--control", "fixed"], bl.IXGES(control=bl.FixedAlpha())),
        (["--control", "bh", "--alpha", "0.01"], bl.IXGES(control=bl.BenjaminiHochberg(0.01))),
        (["--score", "bic"], bl.IXGES(score=bl.BIC(), control=bl.AlphaSpending(0.05))),
        (
            ["--score", "qnml", "--guard", "2", "--sparsity", "1"],
            bl.IXGES(score=bl.QNML(guard=2, sparsity=1)),
        ),
        (["--search", "iges"], bl.IGES()),
        (["--search", "iges", "--alpha", "0.01"], bl.IGES(control=bl.FixedAlpha(0.01))),
        (["--alpha", "0.05"], None),  # as it is anyway
        (
            ["--through-dmn"],
            bl.ThroughDMN(bl.DMN(), bl.IXGES()),
        ),
    ],
)
def test_options_without_a_search_change_the_default_search(
    monkeypatch: pytest.MonkeyPatch, run: Run, options: list[str], search: object
) -> None:
    asked = []

    def listening(admit: Any, data: Any, search: Any, **more: Any) -> bl.Network:  # noqa: ANN401
        asked.append(search)
        return learn_for(admit, data, search, **more)

    monkeypatch.setattr("bayesloom.facade.entry.learn_for", listening)
    assert run("learn", "asia.csv", *options).exit_code == 0
    named = search is None or "--search" in options
    assert asked == [search if named else ChangedDefault(search)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "search"),
    [
        ([], "StructuralEM()"),
        (["--score", "bdeu"], "StructuralEM(then=IXGES(score=BDeu()))"),
        (["--alpha", "0.01"], "StructuralEM(then=IXGES(control=AlphaSpending(alpha=0.01)))"),
        (["--through-dmn"], "StructuralEM(then=ThroughDMN(then=IXGES()))"),
        (["--score", "pnal"], "IXGES(score=PNAL())"),
        (["--search", "ges"], "GES(score=PNAL())"),
    ],
)
def test_options_of_the_default_search_go_into_structural_em_where_cells_are_missing(
    run: Run, files: Path, options: list[str], search: str
) -> None:
    run("learn", "holes.csv", "--missing", "keep", *options, "-q", "-o", "net.json")
    assert bl.load(files / "net.json").history.search == search
    if "--through-dmn" not in options:
        run("bootstrap", "holes.csv", "--missing", "keep", *options, "--replicates", "2", "-q",
            "-o", "many.json")  # fmt: skip
        assert bl.load(files / "many.json").history.search.endswith(search)


def test_a_start_graph_comes_from_a_network_file(told: Told) -> None:
    options = ["--start", "asia.bif.gz", "--max-steps", 0]
    found = told("learn", "asia.csv", "--search", "hc", *options)
    assert len(found["directed"]) == 8
    assert found["stop"] == "step_limit"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("known.json", '{"required": [["xray", "dysp"]], "forbidden": [["smoke", "lung"]]}'),
        ("known.toml", 'required = [["xray", "dysp"]]\nforbidden = [["smoke", "lung"]]'),
    ],
)
def test_knowledge_files_are_law(told: Told, files: Path, name: str, content: str) -> None:
    (files / name).write_text(content)
    found = told("learn", "asia.csv", "--knowledge", name)
    assert ["xray", "dysp"] in found["directed"]
    assert ["smoke", "lung"] not in found["directed"]


def test_data_options_reach_the_reader(told: Told, files: Path) -> None:
    (files / "gaps.csv").write_text("A,B,C\n1,x,u\n?,y,u\n2,x,v\n2,,v\n")
    (files / "states.json").write_text('{"B": ["x", "y", "z"]}')
    options = [
        "--missing",
        "drop",
        "--missing-marker",
        "?",
        "--drop",
        "C",
        "--states",
        "states.json",
    ]
    assert told("learn", "gaps.csv", *options)["variables"] == ["A", "B"]
    assert told("learn", "gaps.csv", "--missing", "state", "--column", "B")["variables"] == ["B"]
    (files / "real.csv").write_text("A,B\n" + "".join(f"{k / 7},{k % 2}\n" for k in range(300)))
    found = told("learn", "real.csv", "--discretize", "width", "--bins", "3")
    assert found["variables"] == ["A", "B"]


@pytest.mark.parametrize("name", ["net.bif", "net.xml", "net.net", "net.uai", "net.json.gz"])
def test_the_network_is_written_with_its_parameters(run: Run, files: Path, name: str) -> None:
    done = run("learn", "asia.csv", "-o", name)
    assert done.exit_code == 0
    assert f"written to {name}" in done.stdout
    expected = bl.learn(files / "asia.csv").net
    found = bl.load(files / name).net.reordered(expected.names)
    assert found.dag == expected.dag
    for variable in found.names:
        assert found.table(variable) == pytest.approx(expected.table(variable), abs=1e-12)


def test_the_estimator_is_a_choice(run: Run, files: Path) -> None:
    run("learn", "asia.csv", "--estimator", "ml", "-o", "net.json")
    expected = bl.learn(files / "asia.csv", estimator=bl.MaximumLikelihood()).net
    assert bl.load(files / "net.json").net.table("xray") == pytest.approx(expected.table("xray"))


def test_people_get_one_screen_and_quiet_ones_nothing(run: Run) -> None:
    done = run("learn", "asia.csv")
    assert done.stdout.startswith("Learned from 2,000 rows of 8 columns: ")
    assert "IXGES with chi-square tests (control spending, alpha 0.05)" in done.stdout
    assert done.stderr == ""
    done = run("learn", "asia.csv", "--search", "hc")
    assert done.stdout.startswith("Learned from 2,000 rows of 8 columns: a Bayesian network")
    assert done.stderr == ""
    assert run("learn", "asia.csv", "-q").output == ""


def test_what_was_found_is_printed_even_if_it_cannot_be_written(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        problem = "the file cannot be written (No space left on device)"
        raise FileFormatError(problem, "net.bif")

    monkeypatch.setattr("bayesloom.facade.saving.save_network", full)
    done = run("learn", "asia.csv", "-o", "net.bif", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["directed"]
    assert done.stderr.startswith("Error: net.bif: the file cannot be written")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["nowhere.csv"], "nowhere.csv: there is no such file; check the name"),
        (["asia.csv", "--drop", "smoking"], "names the column 'smoking', which is not there"),
        (["asia.csv", "-o", "net.doc"], "net.doc: unknown ending '.doc'"),
        (["asia.csv", "-o", "nowhere/net.bif"], "the folder 'nowhere' is not there"),
        (
            ["asia.csv", "--search", "hc", "--start", "nowhere.bif"],
            "nowhere.bif: the file cannot be read",
        ),
        (["asia.csv", "--search", "hc", "--start", "other.bif"], "lungs"),
        (["asia.csv", "--states", "nowhere.json"], "nowhere.json: the file cannot be read"),
        (["asia.csv", "--knowledge", "nowhere.json"], "nowhere.json: the file cannot be read"),
        (["asia.csv", "--knowledge", "asia.csv"], "neither .json nor .toml"),
        (["asia.csv", "--knowledge", "both.toml"], "is both required and forbidden"),
        (
            ["asia.csv", "--knowledge", "unknown.toml"],
            "unknown variable 'smoking' in the knowledge",
        ),
        (["asia.csv", "--knowledge", "two.toml", "--max-parents", "1"], "2 required parents"),
        (["empty.csv"], "empty.csv"),
        (["gap.csv", "--strict"], "gap.csv, line 2, column 'B': this cell is missing"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(
    run: Run, files: Path, options: list[str], message: str
) -> None:
    (files / "both.toml").write_text('required=[["asia","tub"]]\nforbidden=[["asia","tub"]]')
    (files / "unknown.toml").write_text('roots = ["smoking"]')
    (files / "two.toml").write_text('required = [["asia", "lung"], ["smoke", "lung"]]')
    (files / "empty.csv").write_text("")
    (files / "gap.csv").write_text("A,B\nx,\ny,z\n")
    other = bl.learn({"smoke": ["n", "y"] * 9, "lungs": ["n", "y"] * 9})
    other.save(files / "other.bif")
    assert message in failed(run("learn", *options))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "Missing argument 'DATA'"),
        (["asia.csv", "--search", "gess"], "'chow-liu', 'hc', 'k2'"),
        (["asia.csv", "--score", "bice"], "'bde', 'bdeu', 'bdm', 'bds', 'k2'"),
        (["asia.csv", "--ess", "3"], "--ess is an option of a score"),
        (["asia.csv", "--prior", "asia.csv"], "--prior is an option of a score"),
        (["asia.csv", "--score", "bic", "--ess", "3"], "--ess has no meaning for the score bic"),
        (["asia.csv", "--score", "bde"], "the score bde needs earlier rows: give --prior"),
        (["asia.csv", "--score", "bic", "--prior", "asia.csv"], "has no use for --prior"),
        (
            ["asia.csv", "--search", "ges", "--seed", "1"],
            "--seed has no meaning for the search ges",
        ),
        (
            ["asia.csv", "--search", "hc", "--alpha", "0.1"],
            "--alpha have no meaning for the search hc",
        ),
        (["asia.csv", "--seed", "1"], "--seed has no meaning for the search ixges"),
        (["asia.csv", "--restarts", "1"], "--restarts has no meaning for the search ixges"),
        (["asia.csv", "--start", "empty"], "--start has no meaning for the search ixges"),
        (["asia.csv", "--order", "asia"], "--order has no meaning for the search ixges"),
        (
            ["asia.csv", "--search", "ihc", "--lookahead", "2"],
            "--lookahead has no meaning for the search ihc",
        ),
        (["asia.csv", "--search", "k2"], "the search k2 needs --order"),
        (["asia.csv", "--search", "k2", "--order", "a,,b"], "--order: expected names with commas"),
        (["asia.csv", "--bins", "3"], "--bins needs --discretize"),
        (["asia.csv", "--search", "hc(speed=1)"], "its options are score, start, "),
        (["asia.csv", "--search", "hc(perturb='many')"], "perturb must be a whole number"),
        (["asia.csv", "--search", "GES(turning=1)"], "turning must be True or False"),
        (
            ["asia.csv", "--search", "ChowLiu(algorithm='x')"],
            "algorithm must be 'prim' or 'kruskal'",
        ),
        (["asia.csv", "--threads", "0"], "--threads"),
        (["asia.csv", "--max-parents", "-1"], "--max-parents"),
        (["asia.csv", "--search", "ges", "--score", "k2"], "needs a score that is equal for"),
        (["asia.csv", "--score", "k2"], "IXGES searches over equivalence classes"),
        (["asia.csv", "--search", "k2", "--order", "asia"], "misses the variable 'bronc'"),
        (
            ["asia.csv", "--score", "bic", "--guard", "1"],
            "--guard has no meaning for the score bic",
        ),
        (["asia.csv", "--score", "qnml", "--guard", "-1"], "guard must be 0 or more"),
        (["asia.csv", "--sparsity", "1"], "--sparsity is an option of a score"),
        (["asia.csv", "--score", "bdeu", "--ess", "-1"], "ess must be above 0, got -1.0"),
        (["asia.csv", "--search", "iges", "--alpha", "5"], "alpha must be above 0 and at most 1"),
        (["asia.csv", "--alpha", "5"], "alpha must be above 0 and at most 1"),
        (["asia.csv", "--time-limit", "soon"], "time_limit must be a time above 0"),
        (["asia.csv", "--frobnicate"], "No such option"),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, options: list[str], message: str) -> None:
    assert message in failed(run("learn", *options), exit_code=2)


@pytest.mark.parametrize(("delimiter", "given"), [("|", "|"), ("\t", r"\t"), ("\t", "\t")])
def test_the_delimiter_of_a_file_can_be_named(
    told: Told, files: Path, delimiter: str, given: str
) -> None:
    text = (files / "asia.csv").read_text().replace(",", delimiter)
    (files / "odd.txt").write_text(text)
    found = told("learn", "odd.txt", "--delimiter", given)
    assert without_time(found) == without_time(told("learn", "asia.csv"))
    scored = told("score", "asia.bif.gz", "odd.txt", "--delimiter", given)
    assert scored == told("score", "asia.bif.gz", "asia.csv")


def test_a_delimiter_that_is_none_is_wrong_usage(run: Run) -> None:
    done = run("learn", "asia.csv", "--delimiter", ";;")
    assert done.exit_code == 2
    assert "delimiter must be one character" in done.stderr


@pytest.mark.parametrize("option", ["--knowledge", "--states", "--start"])
def test_a_file_that_is_read_is_not_replaced(run: Run, files: Path, option: str) -> None:
    (files / "known.json").write_text("{}")
    (files / "folder").mkdir()
    for name in ("known.json", "folder/../known.json", str(files / "known.json")):
        done = run("learn", "asia.csv", option, "known.json", "-o", name)
        assert done.exit_code == 2
        assert f"would replace the file that {option} reads; choose another" in done.stderr
        assert (files / "known.json").read_text() == "{}"


def test_help_lists_the_searches_of_plug_ins_without_loading_them(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"bayesloom.search": (EntryPoint("my-climb", "no_such_module:X", "bayesloom.search"),)}
    monkeypatch.setattr("bayesloom.registry._entry_points", lambda group: points.get(group, ()))
    assert "my-climb" in run("learn", "--help").output
    wrong = failed(run("learn", "asia.csv", "--search", "clmb"), 2)
    assert "my-climb" in wrong


def test_a_file_that_not_every_program_reads_is_written_with_a_note(
    run: Run, told: Told, files: Path
) -> None:
    rows = "".join(f"{20 + k % 40}.5,{'ny'[k % 40 > 20]}\n" for k in range(400))
    (files / "ages.csv").write_text(f"age,ill\n{rows}")
    learn = ("learn", "ages.csv", "--discretize", "auto", "--search", "hc", "-o")
    note = "from BIF; pgmpy and pyAgrum do from XMLBIF (.bifxml)"
    lines = run(*learn, "net.bif").stdout.splitlines()
    assert [lines[-2], lines[-1].endswith(note)] == ["written to net.bif", True]
    assert lines[-1].startswith("note: not every program reads the state '(-inf,")
    assert told(*learn, "net.bif")["notes"][-1] == lines[-1].removeprefix("note: ")
    assert note not in run(*learn, "net.bifxml").stdout
    assert note not in run("learn", "asia.csv", "-o", "net.bif").stdout
    assert run("convert", "net.bifxml", "net.bif").stdout.splitlines()[-1] == lines[-1]
