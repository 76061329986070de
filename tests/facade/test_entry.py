from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesloom.data import Table, write_csv
from bayesloom.errors import (
    DataError,
    FileFormatError,
    KnowledgeError,
    OptionError,
    UnknownVariableError,
)
from bayesloom.facade import learn
from bayesloom.graphs import DAG
from bayesloom.independence import AlphaSpending
from bayesloom.model import Laplace, MaximumLikelihood
from bayesloom.scores import BDeu, BDm, K2Score
from bayesloom.search import (
    DMN,
    GES,
    IGES,
    IXGES,
    K2,
    HillClimbing,
    Knowledge,
    Stop,
    Tabu,
    facts_of,
)
from every_search import SCORED, made

FRAME = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 29 + ["yes", "no"], "id": ["a"] * 60}


def test_every_kind_of_data_gives_the_same_network(tmp_path: Path) -> None:
    table = Table.from_frame(FRAME)
    write_csv(table, tmp_path / "rain.csv")
    kinds: list[Any] = [
        FRAME, table, pd.DataFrame(FRAME), pl.DataFrame(FRAME), pa.table(FRAME),
        tmp_path / "rain.csv", str(tmp_path / "rain.csv"),
    ]  # fmt: skip
    found = [learn(data, HillClimbing()) for data in kinds]
    assert {learned.edges for learned in found} == {(("rain", "wet"),)}
    assert len({learned.score for learned in found}) == 1


def test_without_a_search_it_is_ixges_with_bdm_and_spending(asia: Table) -> None:
    score = BDm(ess=20, sparsity=1)
    named = learn(asia, IXGES(score=score, control=AlphaSpending(0.05)))
    learned = learn(asia)
    assert learned.search == named.search
    assert learned.record == named.record
    assert learned.graph == named.graph


def test_names_and_graphs_keep_the_order_of_the_columns(asia: Table) -> None:
    backwards = asia.select(sorted(asia.names, reverse=True))
    learned = learn(backwards, GES())
    for names in (learned.names, learned.dag.names, learned.cpdag.names, learned.net.names):
        assert names == backwards.names
    assert list(learned.edges) == sorted(learned.edges)


def test_reading_options_reach_the_reader() -> None:
    frame = {"A": ["1", "?", "2", "2"], "B": ["x", "y", "x", "y"], "C": ["u", "u", "v", "v"]}
    learned = learn(
        frame, missing="drop", missing_markers=["?"], states={"A": ["2", "1"]}, drop=["C"]
    )
    assert learned.history.n_rows == 3
    assert learned.names == ("A", "B")
    assert learned.net.states_of("A") == ("2", "1")


def test_a_table_takes_columns_and_drop_but_no_reading_option(asia: Table) -> None:
    assert learn(asia, columns=["smoke", "lung"]).names == ("smoke", "lung")
    assert learn(asia, columns=["smoke", "lung"], drop=["lung"]).names == ("smoke",)
    with pytest.raises(OptionError, match="missing is an option of reading"):
        learn(asia, missing="drop")
    with pytest.raises(UnknownVariableError, match="'smoking'"):
        learn(asia, drop=["smoking"])


def test_data_of_no_kind_is_a_data_error() -> None:
    with pytest.raises(DataError, match="no table can be made of a int"):
        learn(17)
    with pytest.raises(FileFormatError, match="there is no such file"):
        learn("nowhere.csv")


@pytest.mark.parametrize("name", SCORED)
def test_knowledge_and_parent_limits_hold_in_every_result(asia: Table, name: str) -> None:
    knowledge = Knowledge(
        required=(("xray", "dysp"),),
        forbidden=(("smoke", "lung"), ("lung", "smoke")),
        tiers=(("asia", "smoke"), ("tub", "lung")),
        leaves=("bronc",),
    )
    if name == "dmn":  # knows no directions
        knowledge = Knowledge(forbidden=knowledge.forbidden)
        learned = learn(asia, made(name, asia.names), knowledge=knowledge, max_parents=1)
        assert ("lung", "smoke") not in learned.undirected
        assert max(mask.bit_count() for mask in learned.dag.parent_masks) <= 1
        return
    if name == "k2":
        order = ["asia", "smoke", "lung", "tub", "either", "xray", "dysp", "bronc"]
        learned = learn(asia, K2(tuple(order)), knowledge=knowledge, max_parents=1)
    else:
        learned = learn(asia, made(name, asia.names), knowledge=knowledge, max_parents=1)
    assert learned.dag.has_edge("xray", "dysp")
    assert "smoke" not in (*learned.dag.parents("lung"), *learned.dag.children("lung"))
    assert not {"tub", "lung"} & set(learned.dag.parents("asia"))
    assert learned.dag.children("bronc") == ()
    assert max(mask.bit_count() for mask in learned.dag.parent_masks) <= 1


@pytest.mark.parametrize("name", SCORED)
def test_the_score_is_the_score_of_the_graph(asia: Table, name: str) -> None:
    search: Any = made(name, asia.names)
    learned = learn(asia, search)
    score = facts_of(search).goal(asia.n_rows)
    assert score is not None
    assert learned.score.name == score.name
    assert learned.score.value == pytest.approx(score.explain(asia, learned.dag).value)


def test_bad_searches_are_refused_at_the_door(asia: Table) -> None:
    with pytest.raises(OptionError, match=r"got the class GES; write GES\(\)"):
        learn(asia, GES)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"must be a search such as .* got 'ges'"):
        learn(asia, "ges")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="must be a Knowledge"):
        learn(asia, knowledge={"required": []})  # type: ignore[arg-type]
    for kind in (GES, IGES):
        with pytest.raises(OptionError, match="K2Score is not"):
            learn(asia, kind(score=K2Score()))
    with pytest.raises(OptionError, match="misses the variable 'bronc'"):
        learn(asia, K2(("asia",)))
    with pytest.raises(OptionError, match="threads must be at least 1"):
        learn(asia, threads=0)


def test_start_graphs_with_other_variables_are_refused(asia: Table) -> None:
    start = DAG.from_edges([("smoke", "lungs")])
    with pytest.raises((UnknownVariableError, ValueError), match="lungs"):
        learn(asia, HillClimbing(start=start))


def test_knowledge_that_cannot_be_met_is_refused(asia: Table) -> None:
    with pytest.raises(UnknownVariableError, match="'smoking'"):
        learn(asia, knowledge=Knowledge(required=(("smoking", "lung"),)))
    too_many = Knowledge(required=(("smoke", "lung"), ("asia", "lung")))
    with pytest.raises(KnowledgeError, match="2 required parents, more than max_parents = 1"):
        learn(asia, knowledge=too_many, max_parents=1)


def test_budgets_end_a_search_and_say_so(child: Table) -> None:
    for search in (None, HillClimbing()):
        learned = learn(child, search, max_steps=3)
        assert (len(learned.steps), learned.stop) == (3, Stop.STEP_LIMIT)
    learned = learn(child, HillClimbing(restarts=100_000), time_limit="50ms")
    assert learned.stop is Stop.TIME_LIMIT
    assert learned.seconds is not None
    assert learned.seconds < 5


def test_parameters_are_those_of_the_estimator_chosen() -> None:
    frame = {"A": ["n"] * 3 + ["y"]}
    assert learn(frame).net.table("A").tolist() == pytest.approx([8 / 14, 6 / 14])
    assert learn(frame, estimator=MaximumLikelihood()).net.table("A").tolist() == [0.75, 0.25]
    assert learn(frame, estimator=Laplace()).net.table("A").tolist() == pytest.approx(
        [4 / 6, 2 / 6]
    )


def test_one_row_and_constant_columns_are_legal() -> None:
    assert learn({"A": ["n"], "B": ["y"]}).edges == ()
    learned = learn(FRAME)
    assert all("id" not in edge for edge in (*learned.edges, *learned.undirected))
    assert all("id" not in edge for edge in learn(FRAME, HillClimbing()).edges)


@pytest.mark.parametrize("search", [None, HillClimbing(), GES(score=BDeu(ess=50)), DMN(), Tabu()])
def test_a_constant_column_gets_no_edges_whatever_is_declared(search: Any) -> None:  # noqa: ANN401
    rows = range(200)
    data = {
        "A": ["xy"[i % 2] for i in rows],
        "B": ["xy"[(i * i // 3) % 2] for i in rows],
        "C": ["k"] * 200,
    }
    learned = learn(data, search, states={"C": ["k", "l"]})
    assert not any("C" in edge for edge in (*learned.edges, *learned.undirected))


@pytest.mark.parametrize(
    "options",
    [{"max_parents": 1.5}, {"max_parents": True}, {"max_steps": "x"}, {"threads": 1.5}],
)
def test_numbers_that_must_be_whole_are_checked_at_the_door(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="must be a whole number"):
        learn({"A": ["x", "y"]}, **options)


def test_an_estimator_is_checked_before_anything_is_learned() -> None:
    estimator: Any = "ml"
    with pytest.raises(OptionError, match="estimator must be a value such as"):
        learn({"A": ["x", "y"]}, estimator=estimator)


def test_a_query_takes_the_values_the_data_hold() -> None:
    given: Any = {"b": 1.0}
    learned = learn({"a": [1, 2, 1, 2] * 20, "b": [1.0, 2, 1, 2] * 20})
    assert learned.query("a", given=given)["1"] > 0.9


def test_a_delimiter_is_an_option_of_csv_files_and_of_nothing_else(tmp_path: Path) -> None:
    rows = zip(FRAME["rain"], FRAME["wet"], strict=True)
    path = tmp_path / "rain.txt"
    path.write_text("rain|wet\n" + "".join(f"{a}|{b}\n" for a, b in rows))
    assert learn(path, HillClimbing(), delimiter="|").edges == (("rain", "wet"),)
    for data in (FRAME, Table.from_frame(FRAME), pd.DataFrame(FRAME)):
        with pytest.raises(OptionError, match="delimiter is an option of CSV files, and a "):
            learn(data, HillClimbing(), delimiter=";")
