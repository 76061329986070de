"""A score, test, search or engine of the user's own: one file, and everything works with it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import bayesloom as bl
from bayesloom import evaluation, model
from bayesloom.engine import as_engine
from bayesloom.errors import (
    AbsentError,
    FileFormatError,
    GraphError,
    KnowledgeError,
    OptionError,
)
from bayesloom.facade import load
from bayesloom.independence import Control, Decider
from bayesloom.model import row_log_likelihoods
from bayesloom.registry import NETWORK_FILES, SCORES
from example_tables import read_example

ROOT = Path(__file__).parents[1]

HEAD = """
from dataclasses import dataclass
from typing import ClassVar
import bayesloom as bl
"""

SCORE = '''
@bl.register
@dataclass(frozen=True, slots=True)
class HannanQuinn(bl.LogLikelihood):
    """Log-likelihood minus a price of 3 per free parameter."""

    name: ClassVar[str] = "hq"
    formula: ClassVar[str] = "loglik - extra (r - 1) q"
    extra: float = 3.0

    def price(self, n_rows: int) -> float:
        return self.extra
'''

TEST = '''
@bl.register
@dataclass(frozen=True, slots=True)
class Stern(bl.ChiSquare):
    """Pearson's test that wants ten rows in every cell."""

    name: ClassVar[str] = "stern"
    min_expected: float = 10.0
'''

CONTROL = '''
class Once(bl.Decider):
    def __init__(self, level):
        self.level = level

    def decide(self, p_values):
        return [p <= self.level for p in p_values]


@bl.register
@dataclass(frozen=True, slots=True)
class Bonferroni(bl.Control):
    """Reject p-values up to alpha over a planned number of tests."""

    name: ClassVar[str] = "bonferroni"
    planned: int = 100

    def decider(self):
        return Once(self.alpha / self.planned)
'''

ESTIMATOR = '''
@bl.register
@dataclass(frozen=True, slots=True)
class Perks:
    """One row in all, spread over the cells."""

    name: ClassVar[str] = "perks"
    total: float = 1.0

    def probabilities(self, counts):
        rows = counts + self.total / counts.size
        return rows / rows.sum(axis=-1, keepdims=True)
'''

CHOOSING = '''
from enum import Enum


class Mode(Enum):
    SOFT, HARD = "soft", "hard"


@bl.register
@dataclass(frozen=True, slots=True)
class Choosing(bl.BIC):
    """BIC with options of every kind."""

    name: ClassVar[str] = "choosing"
    mode: Mode = Mode.SOFT
    exact: bool = False
    label: str = "x"


@bl.register
@dataclass(frozen=True, slots=True)
class Needing(bl.LogLikelihood):
    """A score that cannot be made of its name alone."""

    name: ClassVar[str] = "needing"
    needed: float
    other: "OnlyForCheckers | None" = None

    def price(self, n_rows):
        return self.needed
'''

SEARCH = '''
@bl.register
@dataclass(frozen=True, slots=True)
class FirstParent:
    """Join the first two variables and nothing else."""

    name: ClassVar[str] = "first"
    many: int = 1

    def search(self, engine, limits, watch):
        parents = [0] * engine.n_variables
        parents[1] = 1
        watch.saw(bl.Step("insert", 0, 1, 0.0), 0.0)
        dag = bl.DAG(engine.names, tuple(parents))
        return bl.SearchResult(dag, dag, None, tuple(watch.steps), watch.why(bl.Stop.COMPLETE), 0)
'''


def bayesloom(folder: Path, *arguments: str, code: int = 0) -> str:
    """Run the command line as a user does, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", "from bayesloom.cli import main; main()", *arguments],
        cwd=folder, capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with data and a plug-in of one file for each kind."""
    bl.write_csv(read_example("asia"), tmp_path / "asia.csv")
    for name, body in {"score": SCORE, "test": TEST, "search": SEARCH}.items():
        (tmp_path / f"my_{name}.py").write_text(HEAD + body)
    return tmp_path


@pytest.mark.parametrize(
    ("kind", "options", "told"),
    [
        ("score", ["--search", "ges", "--score", "hq(extra=4)"], "score (hq)"),
        ("test", ["--search", "iges", "--test", "stern"], "stern"),
        ("search", ["--search", "first(many=2)"], "Step 1 inserted A -> B"),
    ],
)
def test_one_file_is_enough_for_learn_json_explain_save_and_load(
    folder: Path, kind: str, options: list[str], told: str
) -> None:
    plugin = ["--plugin", f"my_{kind}.py"]
    said = bayesloom(folder, *plugin, "learn", "asia.csv", *options, "-o", "net.json", "--json")
    found = json.loads(said)
    assert found["variables"]
    if kind == "score":
        assert found["score"]["name"] == "hq"
    if kind == "search":
        assert found["score"] is None
        assert found["directed"] == [["A", "B"]]
    screen = bayesloom(folder, *plugin, "learn", "asia.csv", *options)
    assert {"score": "hq", "test": "stern", "search": "FirstParent(many=2)"}[kind] in screen
    x, y = ["A", "B"] if kind == "search" else (found["directed"] + found["undirected"])[0]
    story = bayesloom(folder, *plugin, "explain", "net.json", x, y, "--data", "asia.csv")
    assert told in story
    assert "bic" not in story


def test_options_of_an_own_control_and_estimator_are_written_with_its_name(folder: Path) -> None:
    (folder / "own.py").write_text(HEAD + CONTROL + ESTIMATOR)
    learn = ("--plugin", "own.py", "learn", "asia.csv")
    screen = bayesloom(folder, *learn, "--control", "bonferroni(planned=7)")
    assert "(control bonferroni, alpha 0.05, planned 7)" in screen
    tables = []
    for total in ("1", "900"):
        options = ("--estimator", f"perks(total={total})", "-o", "net.bif")
        bayesloom(folder, *learn, *options)
        tables.append(bayesloom(folder, "tables", "net.bif", "L"))
    assert tables[0] != tables[1]
    options = ("--estimator", "perks(total=3),ml", "--folds", "2")
    compared = bayesloom(folder, "--plugin", "own.py", "compare", "asia.csv", *options)
    assert "Perks(total=3)" in compared
    refused = bayesloom(folder, *learn, "--control", "bonferroni(x=7)", code=2)
    assert "Bonferroni has no option 'x'" in refused


def test_options_of_an_own_score_of_every_kind_are_told_as_what_they_are(folder: Path) -> None:
    (folder / "own.py").write_text(HEAD + CHOOSING)
    plugin = ("--plugin", "own.py")
    options = ("--search", "ges", "--score", "choosing(mode='hard', exact=true, label='y')")
    screen = bayesloom(folder, *plugin, "learn", "asia.csv", *options, "-o", "net.json")
    assert "(mode hard, exact true, label y)" in screen
    scored = bayesloom(folder, *plugin, "score", "net.json", "asia.csv", *options[2:])
    assert "penalty = 1, mode = hard, exact = true, label = y" in scored
    learn = (*plugin, "learn", "asia.csv", "--search", "ges", "--score", "needing")
    refused = bayesloom(folder, *learn, code=2)
    assert "the score needing needs needed: write Needing(needed=...)" in refused
    screen = bayesloom(folder, *learn[:-1], "needing(needed=2)")
    assert "(needed 2)" in screen


@pytest.mark.parametrize("kind", ["score", "test"])
def test_where_it_is_not_known_it_is_told_as_unknown_and_never_as_another(
    folder: Path, kind: str
) -> None:
    name = {"score": ["--score", "hq"], "test": ["--test", "stern"]}[kind]
    search = {"score": "ges", "test": "iges"}[kind]
    plugin = ["--plugin", f"my_{kind}.py"]
    bayesloom(folder, *plugin, "learn", "asia.csv", "--search", search, *name, "-o", "net.json")
    story = bayesloom(folder, "explain", "net.json", "L", "S", "--data", "asia.csv")
    assert f"The {kind} {name[1]} of the search is not known here." in story
    options = ["--data", "asia.csv", "--json"]
    told = json.loads(bayesloom(folder, "explain", "net.json", "L", "S", *options))
    assert told["unknown"] == [f"{kind} {name[1]}"]
    assert ("would change the score" in story) == (kind == "test")
    again = bayesloom(folder, "convert", "net.json", "again.json")
    assert "again.json" in again
    assert "'hq'" in bayesloom(folder, "learn", "asia.csv", "--score", "hq", code=2)


def test_a_plugin_that_fails_is_one_sentence(folder: Path) -> None:
    (folder / "broken.py").write_text("1 / 0\n")
    for name in ("broken.py", "nowhere", "nowhere.py"):
        said = bayesloom(folder, "--plugin", name, "learn", "asia.csv", code=1)
        assert said.startswith(f"Error: --plugin {name}: the module cannot be imported (")
        assert said.count("\n") == 1
    (folder / "quits.py").write_text("raise SystemExit(3)\n")
    assert "SystemExit: 3" in bayesloom(folder, "--plugin", "quits.py", "learn", "asia.csv", code=1)
    (folder / "json.py").write_text("")
    said = bayesloom(folder, "--plugin", "json.py", "learn", "asia.csv", "--json", code=1)
    assert "there is another module called 'json'; rename the file" in said


def test_a_module_of_this_folder_is_found_by_name_and_does_not_print_into_the_result(
    folder: Path,
) -> None:
    with (folder / "my_score.py").open("a") as file:
        file.write("\nprint('hello')\n")
    done = subprocess.run(
        [sys.executable, "-c", "from bayesloom.cli import main; main()", "--plugin", "my_score",
         "learn", "asia.csv", "--search", "ges", "--score", "hq", "--json"],
        cwd=folder, capture_output=True, text=True, check=True, env=dict(os.environ),
    )  # fmt: skip
    assert json.loads(done.stdout)["score"]["name"] == "hq"
    assert done.stderr == "hello\n"


@dataclass(frozen=True)
class Doubled(bl.BIC):
    """BIC twice as stern, without a name of its own: inherited, it would pass for BIC."""

    def price(self, n_rows: int) -> float:
        return 2 * bl.BIC.price(self, n_rows)


def test_a_class_without_a_name_of_its_own_does_not_pass_for_its_parent(tmp_path: Path) -> None:
    table = read_example("asia")
    learned = bl.learn(table, bl.GES(score=Doubled()))
    own = f"{__name__}.Doubled"
    assert learned.score.name == own
    assert own in str(learned)
    assert f"score ({own})" in str(learned.explain("S", "L"))
    assert Doubled().explain(table, learned.dag).name == own
    learned.save(tmp_path / "net.json")
    record = load(tmp_path / "net.json").history
    assert record == learned.record
    assert record.unknown == (f"score {own}",)


@dataclass(frozen=True, slots=True)
class Stricter(bl.ChiSquare):
    """Pearson's test without a name of its own: inherited, it would pass for the usual one."""

    min_expected: float = 10.0


def test_a_test_without_a_name_of_its_own_is_told_by_its_class() -> None:
    learned = bl.learn(read_example("asia"), bl.IGES(test=Stricter()))
    assert f"with {__name__}.Stricter tests" in " ".join(str(learned).split())


@dataclass(frozen=True)
class NoExtension:
    """A search that finds a PDAG which no DAG extends, and has no score."""

    name: ClassVar[str] = "none"

    def search(self, engine: bl.Engine, limits: bl.Limits, watch: bl.Watch) -> bl.SearchResult:  # noqa: ARG002
        """Return an undirected square: whoever directs it makes a collider or a cycle."""
        names = engine.names[:4]
        links = [(names[k], names[(k + 1) % 4]) for k in range(4)]
        graph = bl.PDAG.from_edges([], links, nodes=engine.names)
        return bl.SearchResult(None, graph, None, (), bl.Stop.COMPLETE, 0)


def test_a_result_without_score_and_extension_is_told_as_what_it_is() -> None:
    learned = bl.learn(read_example("asia"), NoExtension())
    assert len(learned.undirected) == 4
    assert learned.skeleton.undirected == learned.graph.undirected  # type: ignore[union-attr]
    assert "\n  score" not in str(learned)
    assert learned.to_dict()["score"] is None
    assert learned.to_dict()["cpdag"] is None
    assert "A - B: the two are joined." in str(learned.explain("A", "B"))
    assert "chi-square" in str(learned.explain("A", "B"))
    for part in ("dag", "net", "score", "cpdag"):
        assert not hasattr(learned, part)
    with pytest.raises(AbsentError, match="no DAG extends the graph that the search found"):
        _ = learned.net
    with pytest.raises(AbsentError, match="has no score"):
        _ = learned.score


def test_an_engine_goes_wherever_data_go(tmp_path: Path) -> None:
    table = read_example("asia").in_name_order()
    engine = bl.NativeEngine(table)
    learned = bl.learn(engine, bl.GES())
    assert learned.graph == bl.learn(table, bl.GES()).graph
    assert as_engine(engine) is engine
    assert bl.BIC().explain(engine, learned.dag) == bl.BIC().explain(table, learned.dag)
    fitted, again = bl.fit(learned.dag, engine), bl.fit(learned.dag, table)
    assert fitted == again
    rows = row_log_likelihoods(again, table)
    for data in (engine, bl.BlockEngine([table]), table):
        assert model.log_likelihood(again, data) == pytest.approx(rows.sum(), rel=1e-12)
        assert evaluation.log_loss(again, data) == pytest.approx(-rows.mean(), rel=1e-12)
    learned.save(tmp_path / "net.json")


@pytest.mark.parametrize("option", [{"drop": ["A"]}, {"missing": "drop"}, {"threads": 2}])
def test_an_engine_is_not_read_again(option: dict[str, object]) -> None:
    engine = bl.NativeEngine(read_example("asia").in_name_order())
    with pytest.raises(OptionError, match="is an option of reading, and an engine has its data"):
        bl.learn(engine, bl.GES(), **option)  # type: ignore[arg-type]


def test_an_engine_that_lacks_a_part_of_the_contract_is_told_which() -> None:
    class Half:
        cardinality: ClassVar[list[int]] = [2]

        def families(self) -> None: ...

    with pytest.raises(OptionError, match=r"the engine Half lacks .*counts"):
        bl.learn(Half())


def test_an_engine_out_of_name_order_is_refused() -> None:
    table = read_example("asia")
    engine = bl.NativeEngine(table.select(tuple(reversed(table.names))))
    with pytest.raises(OptionError, match="must be in name order"):
        bl.learn(engine)


class Lines:
    """One line of JSON per variable."""

    endings = (".lines",)

    def write(self, net: bl.BayesNet) -> str:
        told = ((v, net.states_of(v), net.parents(v), net.table(v).tolist()) for v in net.names)
        return "\n".join(map(json.dumps, told))

    def read(self, text: str, path: str) -> bl.BayesNet:  # noqa: ARG002
        return bl.BayesNet.from_tables(
            {v: tuple(t) for v, *t in map(json.loads, text.splitlines())}
        )


def test_a_format_of_ones_own_is_known_by_its_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileFormatError, match="unknown ending"):
        bl.example("asia").save("net.lines")
    monkeypatch.setattr(NETWORK_FILES, "_added", {})
    bl.register(Lines)
    asia = bl.example("asia")
    assert bl.load(asia.save("net.lines.gz")) == asia
    frame = {"age": [k % 60 for k in range(300)], "old": ["no", "yes"] * 150}
    bl.learn(frame, discretize="auto").save("cut.lines")  # has no comment for the cuts
    assert bl.load("cut.lines").net is not None
    with pytest.raises(FileFormatError, match=r"\.json, \.lines, each"):
        bl.load("net.doc")
    Lines.endings = (".bif",)
    with pytest.raises(OptionError, match=r"cannot have the ending '\.bif'"):
        bl.load("net.doc")
    Lines.endings = (".lines",)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"read": lambda *_: 3, "write": lambda *_: "x"}, "Odd reads must be a BayesNet, got 3"),
        ({"read": lambda *_: 3, "write": lambda *_: 3}, "Odd writes must be a text, got 3"),
        ({"write": lambda *_: "x"}, "Odd has no method read"),
    ],
    ids=["reads", "writes", "lacks"],
)
def test_wrong_answers_of_a_format_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, methods: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr(NETWORK_FILES, "_added", {})
    bl.register(type("Odd", (), {"name": "Odd", "endings": (".odd",), **methods}))
    with pytest.raises(OptionError, match=message):
        bl.load(bl.example("asia").save(tmp_path / "net.odd"))


def test_the_blocks_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "extending.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    program = "\n".join(block for block in blocks if not block.startswith("#"))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", program + "\nprint(net.history.search, bl.SearchResult)"],
        capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("__main__.BestParent()")


def test_a_record_that_is_changed_is_another() -> None:
    learned = bl.learn(read_example("asia"), bl.GES())
    assert replace(learned.history, total=0.0) != learned.record


@dataclass(frozen=True)
class Weighted(bl.BIC):
    """A score with an option that no file can tell."""

    name: ClassVar[str] = "weighted"
    weights: tuple[float, ...] = (1.0,)


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        (bl.BDeu, {"ess": np.int64(1)}),
        (bl.BDeu, {"ess": np.float32(1)}),
        (bl.BIC, {"penalty": np.int64(3)}),
    ],
)
def test_numbers_of_numpy_come_back_from_files(
    tmp_path: Path, kind: type[Any], option: dict[str, Any]
) -> None:
    score = kind(**option)
    search = bl.IGES(
        score,
        test=bl.ChiSquare(min_expected=np.int64(1)),  # type: ignore[arg-type]
        control=bl.FixedAlpha(np.float32(0.25)),  # type: ignore[arg-type]
    )
    bl.learn(read_example("asia"), search).save(tmp_path / "net.json")
    record = load(tmp_path / "net.json").record
    assert record is not None
    assert record.score is not None
    assert SCORES.made(record.score) == score
    assert record.level == 0.25


def test_a_score_that_cannot_be_told_whole_is_not_made_of_what_is_told(tmp_path: Path) -> None:
    learned = bl.learn(read_example("asia"), bl.GES(score=Weighted(weights=(3.0,))))
    learned.save(tmp_path / "net.json")
    record = load(tmp_path / "net.json").record
    assert record is not None
    assert record.unknown == (f"score {__name__}.Weighted",)
    assert record == learned.record


def answering(found: object) -> bl.Score:
    """Return a score that answers every batch alike."""

    @dataclass(frozen=True)
    class Odd(bl.BIC):
        def fit(self, engine: bl.Engine, batch: bl.Batch, price: float) -> Any:  # noqa: ANN401, ARG002
            return found(len(batch)) if callable(found) else found

    return Odd()


@pytest.mark.parametrize(
    "search", [bl.GES, bl.XGES, bl.HillClimbing, bl.Tabu, bl.ChowLiu, bl.DMN, bl.Exact, bl.BOSS]
)
@pytest.mark.parametrize(
    ("found", "message"),
    [
        (lambda n: np.full(n, np.nan), "gave nan for a family of"),
        (lambda n: np.full(n, np.inf), "gave inf for a family of"),
        (lambda n: np.zeros(n + 1), "must return one number per family"),
        (None, "must return one number per family"),
        (lambda n: np.zeros((n, 2)), "must return one number per family"),
    ],
)
def test_a_score_that_answers_nonsense_is_one_sentence(
    search: Any,  # noqa: ANN401
    found: object,
    message: str,
) -> None:
    with pytest.raises(OptionError, match=message):
        bl.learn(read_example("asia"), search(score=answering(found)))


def test_single_precision_and_whole_numbers_are_numbers() -> None:
    table = read_example("asia")
    for kind in (np.float32, np.int64):
        learned = bl.learn(table, bl.GES(score=answering(lambda n, kind=kind: np.zeros(n, kind))))
        assert learned.edges == ()


@dataclass(frozen=True)
class Returning:
    """A search that returns what it is told."""

    found: Any

    def search(self, engine: bl.Engine, limits: bl.Limits, watch: bl.Watch) -> Any:  # noqa: ANN401, ARG002
        """Return it, or what it makes of the engine."""
        return self.found(engine) if callable(self.found) else self.found


def joined(engine: bl.Engine) -> bl.SearchResult:
    """Join the first two variables."""
    dag = bl.DAG(engine.names, (0, 1, *[0] * (engine.n_variables - 2)))
    return bl.SearchResult(dag, dag, None, (), bl.Stop.COMPLETE, 0)


def test_a_search_that_returns_nonsense_is_one_sentence() -> None:
    table = read_example("asia")
    with pytest.raises(OptionError, match="must return a SearchResult, got None"):
        bl.learn(table, Returning(None))
    other = bl.DAG.from_edges([("no", "such")])
    result = bl.SearchResult(other, other, None, (), bl.Stop.COMPLETE, 0)
    with pytest.raises(GraphError, match="does not have the variables of the engine"):
        bl.learn(table, Returning(result))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"graph": None}, OptionError, "the graph that .* must be a DAG, a PDAG or a ChordalGraph"),
        ({"dag": "A"}, OptionError, "the dag that .* must be a DAG or None"),
        ({"score": "high"}, OptionError, "the score that .* must be a number or None"),
        ({"score": np.nan}, OptionError, "the score that .* must be a finite number"),
        ({"steps": (1,)}, OptionError, "a step that .* must be a Step"),
        ({"stop": "done"}, OptionError, "the stop that .* must be a Stop"),
        ({"candidates": None}, OptionError, "the candidates that .* must be a whole number"),
        ({"dag": bl.DAG(tuple("ABDELSTX"), (0,) * 8)}, GraphError, "does not join the variables"),
    ],
)
def test_a_result_with_a_wrong_member_is_one_sentence(
    change: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        bl.learn(read_example("asia"), Returning(lambda engine: replace(joined(engine), **change)))


def test_knowledge_is_law_for_graphs_that_no_dag_extends() -> None:
    table = read_example("asia")
    assert bl.learn(table, NoExtension()).undirected
    both = [("A", "B"), ("B", "A")]
    with pytest.raises(KnowledgeError, match="joins A and B, which is not allowed"):
        bl.learn(table, NoExtension(), knowledge=bl.Knowledge(forbidden=both))
    with pytest.raises(KnowledgeError, match="lacks the required edge A -> B"):
        bl.learn(table, NoExtension(), knowledge=bl.Knowledge(required=[("A", "B")]))


class Plain:
    """A search that is no dataclass and has no text of its own."""

    def search(self, engine: bl.Engine, limits: bl.Limits, watch: bl.Watch) -> bl.SearchResult:  # noqa: ARG002
        """Join the first two variables."""
        return joined(engine)


def test_no_record_holds_an_address_which_differs_from_run_to_run() -> None:
    told = bl.learn(read_example("asia"), Plain()).history.search
    assert told == f"{__name__}.Plain(...)"
    learned = bl.learn(read_example("asia"), Returning(joined))
    assert learned.history.search == f"{__name__}.Returning(found={__name__}.joined)"


@pytest.mark.parametrize("search", [bl.PC, bl.MMHC, bl.IGES, bl.GrowShrink])
@pytest.mark.parametrize(
    ("found", "message"),
    [
        (lambda n: np.zeros((n + 1, 5)), "of the shape"),
        (lambda n: [["x"] * 5] * n, "of the shape"),
        (lambda n: None, "of the shape"),  # noqa: ARG005
        (lambda n: np.full((n, 5), np.nan), "some are nan"),
    ],
)
def test_a_test_that_answers_nonsense_is_one_sentence(
    search: Any,  # noqa: ANN401
    found: Any,  # noqa: ANN401
    message: str,
) -> None:
    @dataclass(frozen=True)
    class OddTest(bl.ChiSquare):
        def statistics(self, engine: bl.Engine, batch: bl.Batch) -> Any:  # noqa: ANN401, ARG002
            return found(len(batch))

    with pytest.raises(OptionError, match=f"OddTest answered .*{message}"):
        bl.learn(read_example("asia"), search(test=OddTest()))


def test_a_test_may_answer_in_lists_and_whole_numbers() -> None:
    @dataclass(frozen=True)
    class Never(bl.ChiSquare):
        def statistics(self, engine: bl.Engine, batch: bl.Batch) -> Any:  # noqa: ANN401, ARG002
            return [[0, 1, 1, 9, 100]] * len(batch)

    assert bl.learn(read_example("asia"), bl.PC(test=Never())).undirected == ()


@pytest.mark.parametrize("search", [bl.PC, bl.MMHC, bl.IGES])
@pytest.mark.parametrize("found", [None, [], ["no"] * 3])
def test_a_control_that_says_neither_yes_nor_no_is_one_sentence(
    search: Any,  # noqa: ANN401
    found: Any,  # noqa: ANN401
) -> None:
    class Silent(Decider):
        def decide(self, p_values: Any) -> Any:  # noqa: ANN401, ARG002
            return found

    @dataclass(frozen=True)
    class Odd(Control):
        def decider(self) -> Decider:
            return Silent()

    with pytest.raises(OptionError, match="must return True or False for each p-value"):
        bl.learn(read_example("asia"), search(control=Odd()))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("names", None),
        ("n_variables", 3),
        ("n_rows", 0),
        ("n_rows", "many"),
        ("cardinality", [2] * 8),
        ("observed", np.full(8, 2.0)),
        ("missing", None),
        ("round_trip", -1.0),
    ],
)
def test_an_engine_that_misdescribes_its_variables_is_one_sentence(part: str, value: Any) -> None:  # noqa: ANN401
    class Odd(bl.BlockEngine): ...

    engine = Odd([read_example("asia").in_name_order()])
    assert bl.learn(engine, bl.ChowLiu()).edges
    setattr(Odd, part, value)
    with pytest.raises(OptionError, match=f"{part} of the engine Odd must be"):
        bl.learn(engine, bl.ChowLiu())


def test_knowledge_is_law_for_searches_of_ones_own_too() -> None:
    table = read_example("asia")
    assert bl.learn(table, Returning(joined)).edges == (("A", "B"),)
    with pytest.raises(KnowledgeError, match="has the edge A -> B, which is not allowed"):
        bl.learn(table, Returning(joined), knowledge=bl.Knowledge(forbidden=[("A", "B")]))
    with pytest.raises(KnowledgeError, match="lacks the required edge L -> D"):
        bl.learn(table, Returning(joined), knowledge=bl.Knowledge(required=[("L", "D")]))
    with pytest.raises(KnowledgeError, match="more than max_parents = 0"):
        bl.learn(table, Returning(joined), max_parents=0)


def test_a_class_called_like_one_of_ours_is_told_with_its_module() -> None:
    @dataclass(frozen=True)
    class GES(Returning):
        """Not ours."""

    learned = bl.learn(read_example("asia"), GES(joined))
    assert learned.history.search.startswith(f"{__name__}.")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"test": {"name": "chi-square", "settings": {"coverage": "x"}, "level": 0.05}},
            "Coverage",
        ),
        ({"score": {"name": "bic", "value": -1.0, "settings": {"penalty": -1}}}, "penalty"),
        ({"dependencies": []}, "a step covers dependency"),
        ({"notes": ["\ud800"]}, "half a character"),
        ({"start": [["A" * 999, "B"]]}, r"it tells of 'A{59}\.\.\., which is no variable"),
    ],
)
def test_a_record_that_cannot_be_is_damaged(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "net.json"
    bl.learn(read_example("asia"), bl.IGES(score=bl.BIC())).save(path)
    content = json.loads(path.read_text())
    content["learned"] |= change
    path.write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match=message):
        load(path)
