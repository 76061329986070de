"""Whatever takes data takes every option of reading, and what is written out holds."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bayesloom as bl
from bayesloom import evaluation, inference, model
from bayesloom.data import Reading, Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import DataError, OptionError

ROWS = [("no", "no"), ("yes", "yes"), ("no", "yes"), ("yes", "no"), ("no", "no"), ("yes", "yes")]
FRAME = {"rain": [a for a, _ in ROWS] * 20, "wet": [b for _, b in ROWS] * 20}
GRAPH = bl.DAG.from_edges([("rain", "wet")])
NET = bl.fit(GRAPH, FRAME)

CALLS: dict[str, Callable[..., Any]] = {
    "learn": bl.learn,
    "fit": lambda x, **how: bl.fit(GRAPH, x, **how),
    "Network.fit": NET.fit,
    "bootstrap": lambda x, **how: bl.bootstrap(x, bl.HillClimbing(), replicates=2, **how),
    "posterior": lambda x, **how: bl.posterior(x, moves=50, samples=5, **how),
    "compare": lambda x, **how: bl.compare(x, [bl.ChowLiu()], folds=2, **how),
    "markov_blanket": lambda x, **how: bl.markov_blanket(x, "wet", **how),
    "test": lambda x, **how: bl.test(x, "rain", "wet", **how),
    "certify(graph)": lambda x, **how: bl.certify(GRAPH, x, **how),
    "certify(net)": lambda x, **how: bl.certify(NET, x, **how),
    "explain(graph)": lambda x, **how: bl.BIC().explain(x, GRAPH, **how),
    "explain(net)": lambda x, **how: bl.BIC().explain(x, NET, **how),
    "find_candidates": bl.find_candidates,
    "find_pseudo_independence": bl.find_pseudo_independence,
    "log_likelihood": lambda x, **how: model.log_likelihood(NET, x, **how),
    "log_loss": lambda x, **how: evaluation.log_loss(NET, x, **how),
    "impute": lambda x, **how: bl.impute(NET, x, **how),
    "predict": lambda x, **how: inference.predict(NET, x, "rain", **({"drop": ["rain"]} | how)),
    "predict_proba": lambda x, **how: inference.predict_proba(
        NET, x, "wet", **({"drop": ["wet"]} | how)
    ),
    "Network.log_likelihood": NET.log_likelihood,
    "Network.log_loss": NET.log_loss,
    "Network.impute": NET.impute,
    "Network.predict": lambda x, **how: NET.predict(x, "wet", **({"drop": ["wet"]} | how)),
    "Network.predict_proba": lambda x, **how: NET.predict_proba(
        x, "wet", **({"drop": ["wet"]} | how)
    ),
    "Network.explain": lambda x, **how: NET.explain("rain", "wet", data=x, **how),
    "Network.edge_table": lambda x, **how: NET.edge_table(data=x, **how),
    "read": bl.read,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file in which cells are separated by | and ? stands for one that is missing."""
    lines = ["rain|wet", *(f"{a}|{b}" for a, b in ROWS * 20), "?|yes", "yes|?"]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "rows.csv"


@pytest.mark.parametrize("name", CALLS)
def test_what_is_written_out_holds(name: str, path: Path) -> None:
    call = CALLS[name]
    file = {"delimiter": "|", "missing_markers": ["?"]}
    call(path, **file, missing="drop")
    with pytest.raises(DataError, match="cell is missing"):
        call(path, **file, missing="error")
    with pytest.raises(OptionError, match="mising"):
        call(path, mising="drop")


@pytest.mark.parametrize("name", [x for x in CALLS if x not in ("read", "compare")])
def test_an_engine_has_its_data_and_takes_no_option_of_reading(name: str) -> None:
    engine = NativeEngine(Table.from_frame(FRAME))
    with pytest.raises(OptionError, match="missing is an option of reading"):
        CALLS[name](engine, missing="keep")
    with pytest.raises(OptionError, match=r"no option 'mising'.*did you mean 'missing'"):
        CALLS[name](engine, mising="keep")


@pytest.mark.parametrize(
    ("call", "wrong", "meant"),
    [
        ("learn", "mising", "missing"),
        ("learn", "max_parent", "max_parents"),
        ("markov_blanket", "time_limt", "time_limit"),
        ("bootstrap", "replicate", "replicates"),
        ("posterior", "discretise", "discretize"),
        ("compare", "fold", "folds"),
        ("read", "column", "columns"),
    ],
)
def test_an_unknown_option_is_told_with_the_one_that_is_meant(
    call: str, wrong: str, meant: str
) -> None:
    told = rf"^{call} has no option '{wrong}' \(did you mean '{meant}'\?\); its options of reading"
    with pytest.raises(OptionError, match=told):
        CALLS[call](FRAME, **{wrong: 1})


def test_wrong_options_are_errors_of_types_too() -> None:
    """Each comment is one that mypy says it does not need if it finds the call right."""
    with pytest.raises(OptionError, match="'mising'"):
        bl.learn(FRAME, mising="drop")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="'mising'"):
        bl.read("rows.csv", mising="drop")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="'mising'"):
        bl.open("rows.csv", mising="drop")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match=r"Table\.from_frame has no option 'mising'"):
        bl.Table.from_frame(FRAME, mising="drop")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="'mising'"):
        bl.markov_blanket(FRAME, "wet", mising="drop")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="missing must be one of"):
        bl.learn(FRAME, missing="no")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="delimiter is an option of CSV files, and a dict has"):
        bl.Table.from_frame(FRAME, delimiter=";")


def test_everything_public_that_takes_data_takes_every_option_of_reading() -> None:
    options = set(Reading().to_dict())
    of_network = [getattr(bl.Network, name) for name in dir(bl.Network) if name[0] != "_"]
    found = []
    for call in [*(getattr(bl, name) for name in dir(bl)), *of_network, bl.BIC.explain]:
        if inspect.isclass(call) or not callable(call) or not hasattr(call, "__annotations__"):
            continue
        known = inspect.signature(call).parameters
        if not {"data", "rows"} & known.keys() or call in (bl.Network.sample, bl.sample):
            continue
        found.append(call.__qualname__)
        any_more = any(each.kind is each.VAR_KEYWORD for each in known.values())
        assert any_more or options - {"target"} <= known.keys(), call
    assert {"learn", "certify", "test", "ModelSide.predict", "Score.explain"} <= set(found)
    assert len(found) > 20


def test_options_of_reading_without_data_are_refused(tmp_path: Path) -> None:
    for call in (
        lambda: NET.explain("rain", "wet", missing="keep"),
        lambda: NET.edge_table(missing="keep"),
        lambda: NET.report(tmp_path / "net.html", missing="keep"),
    ):
        with pytest.raises(OptionError, match="missing is an option of reading data; give the"):
            call()


def test_a_report_reads_its_data_as_is_said(path: Path, tmp_path: Path) -> None:
    page, file = tmp_path / "net.html", {"delimiter": "|", "missing_markers": ["?"]}
    for net in (NET, bl.network(GRAPH)):
        net.report(page, data=path, missing="drop", **file)  # type: ignore[arg-type]
        assert '"rows":120' in page.read_text()
        with pytest.raises(DataError, match="cell is missing"):
            net.report(page, data=path, missing="error", **file)  # type: ignore[arg-type]


def test_states_are_not_declared_for_cells_that_a_network_fills_in() -> None:
    with pytest.raises(OptionError, match=r"states \(--states\) has no meaning here"):
        bl.impute(NET, FRAME, states={"rain": ["no", "yes"]})


def test_what_a_network_remembers_is_kept_where_another_option_is_said(path: Path) -> None:
    first = bl.learn(path, delimiter="|", missing_markers=["?"], missing="drop")
    again = first.fit(path, missing="keep")
    assert again.reading is not None
    assert again.reading.memory() == {
        "missing": "keep",
        "missing_markers": ["?"],
        "delimiter": "|",
    }
