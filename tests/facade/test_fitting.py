"""``fit`` with missing cells: methods, latent variables, limits, records."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.engine import BlockEngine
from bayesloom.errors import DataError, OptionError, UnknownVariableError
from bayesloom.incomplete import Halt

FRAME = {"A": ["n", "y", "y", None, "n"], "B": ["n", "n", "y", "y", None]}


def with_holes(name: str, n: int, rate: float = 0.1, seed: int = 0) -> bl.Table:
    rows = bl.example(name).sample(n, seed)
    rng = np.random.default_rng(seed)
    codes = [
        np.where(rng.random(n) < rate, len(s), c)
        for c, s in zip(rows.codes, rows.states, strict=True)
    ]
    return bl.Table(rows.names, rows.states, codes, holes=True)


def test_em_is_taken_by_itself_where_cells_are_missing() -> None:
    asia = bl.example("asia")
    net = bl.fit(asia.dag, with_holes("asia", 300))
    assert net.em_run is not None
    assert net.em_run.converged
    assert bl.fit(asia.dag, asia.sample(300)).em_run is None
    assert bl.fit(asia.dag, with_holes("asia", 300), method="available").em_run is None
    assert "by EM over" in repr(net)


def test_em_reads_holes_without_being_told() -> None:
    with pytest.raises(DataError, match="missing='keep'"):
        bl.fit("A -> B", FRAME)
    assert (
        bl.fit("A -> B", FRAME, method="em").em_run == bl.fit("A->B", FRAME, missing="keep").em_run
    )
    dropped = bl.fit("A -> B", FRAME, method="em", missing="drop").em_run
    assert dropped is not None
    assert (dropped.missing, dropped.steps) == (0, 1)


def test_em_on_complete_data_equals_fit() -> None:
    child = bl.example("child")
    rows = child.sample(200, 3)
    assert bl.fit(child.dag, rows, method="em").net == bl.fit(child.dag, rows).net


def test_options_of_em_are_heeded() -> None:
    table = with_holes("asia", 300, 0.4)
    dag = bl.example("asia").dag
    short = bl.fit(dag, table, method=bl.EM(max_steps=2)).em_run
    assert short is not None
    assert (short.steps, short.halt) == (2, Halt.STEP_LIMIT)
    long = bl.fit(dag, table, method=bl.EM(tolerance=1e-14, max_steps=5000)).em_run
    assert long is not None
    assert long.values[:2] == short.values
    assert all(b >= a - 1e-9 for a, b in zip(long.values, long.values[1:], strict=False))


def test_a_time_limit_keeps_the_best_so_far() -> None:
    run = bl.fit(bl.example("alarm").dag, with_holes("alarm", 500, 0.3), time_limit=1e-6).em_run
    assert run is not None
    assert run.halt is Halt.STOPPED


def test_progress_is_shown_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    bl.fit("A -> B", FRAME, method="em", progress=True)
    said = capsys.readouterr()
    assert said.out == ""
    assert "EM: ended after" in said.err


def test_a_latent_variable_is_fitted() -> None:
    rng = np.random.default_rng(1)
    h = rng.random(500) < 0.4
    frame = {
        c: np.where(rng.random(500) < np.where(h, 0.9, 0.2), "yes", "no").tolist() for c in "ABC"
    }
    net = bl.fit("H -> A; H -> B; H -> C", frame, latent={"H": ["low", "high"]})
    assert net.states["H"] == ("low", "high")
    assert net.em_run is not None
    assert net.em_run.starts == 10
    shares = sorted(net.query("H")[state] for state in ("low", "high"))
    assert shares[0] == pytest.approx(0.4, abs=0.1)
    assert bl.fit("H -> A; H -> B", frame, latent={"H": 3}).states["H"] == ("0", "1", "2")
    declared = {**frame, "H": [None] * 500}
    same = bl.fit("H -> A; H -> B; H -> C", declared, method="em", states={"H": ["low", "high"]})
    assert same.net == net.net


def test_wrong_usage_is_one_sentence() -> None:
    with pytest.raises(OptionError, match="method must be 'auto', 'em', 'available' or EM"):
        bl.fit("A -> B", FRAME, method="mcmc")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="the latent variable 'A' is a column"):
        bl.fit(
            "A -> B",
            bl.Table("AB", ["ny"] * 2, [[0, 1]] * 2),
            latent={
                "A": 2,
            },
        )
    with pytest.raises(UnknownVariableError, match="'H'"):
        bl.fit("A -> B", FRAME, latent={"H": 2})
    declared = r"one without a column is declared: latent=\{'H': 2\}"
    with pytest.raises(UnknownVariableError, match=declared):
        bl.fit("H -> A", bl.Table("AB", ["ny"] * 2, [[0, 1]] * 2))
    with pytest.raises(
        DataError, match=r"column 'H', which is not there; .* latent=\{NAME: states"
    ):
        bl.fit("H -> A", FRAME)
    with pytest.raises(OptionError, match="states of 'H'"):
        bl.fit("H -> A; H -> B", FRAME, latent={"H": "ab"})
    with pytest.raises(OptionError, match="latent must be a mapping of names to states"):
        bl.fit("H -> A; H -> B", FRAME, latent=["H"])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="BlockEngine does not hand them out"):
        bl.fit("A -> B", BlockEngine([bl.Table("AB", ["ny"] * 2, [[0, 1]] * 2)]), method="em")


def test_an_engine_without_rows_is_fitted_from_what_is_known() -> None:
    table = bl.Table("AB", ["ny"] * 2, [[0, 1, 2], [0, 1, 1]], holes=True)
    assert bl.fit("A -> B", BlockEngine([table])).em_run is None


def test_a_learned_network_is_fitted_by_em_and_says_so(tmp_path: Path) -> None:
    net = bl.learn(with_holes("asia", 400), bl.StructuralEM())
    assert "tables   by EM over" in repr(net)
    assert "completed by the network" in repr(net)
    again = bl.load(net.save(tmp_path / "net.json"))
    assert again == net
    assert again.em_run == net.em_run
    told = net.to_dict()["em"]
    assert isinstance(told, dict)
    assert told["converged"] is True
    x, y = (*net.edges, *net.undirected)[0]
    assert str(net.explain(x, y))
    assert len(net.edge_table()) == len(net.edges) + len(net.undirected)
