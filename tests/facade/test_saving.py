from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bayesloom.data import Table
from bayesloom.errors import FileFormatError
from bayesloom.facade import check_network_path, learn, load
from bayesloom.independence import Coverage, FixedAlpha, GSquare
from bayesloom.model import save_net
from bayesloom.registry import SCORES
from bayesloom.scores import AIC, BDe, BDeu, K2Score, LogLikelihood, Score
from bayesloom.search import GES, IL, PC, HillClimbing, Knowledge, Start
from bayesloom.story import Criterion
from every_search import NAMES, made
from quick import some_of


@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_json_keeps_the_record_of_the_search(asia: Table, tmp_path: Path, ending: str) -> None:
    knowledge = Knowledge(forbidden=(("lung", "smoke"),), tiers=(("asia",), ("tub", "xray")))
    learned = learn(asia, GES(score=BDeu(ess=3)), knowledge=knowledge, max_parents=3)
    path = tmp_path / f"net.{ending}"
    learned.save(path)
    assert load(path).record == learned.record


@pytest.mark.parametrize("name", NAMES)
def test_the_record_tells_the_graph_that_the_search_was_about(
    asia: Table, name: str, tmp_path: Path
) -> None:
    learned = learn(asia, made(name, asia.names))
    if learned.extension is None:  # then the file tells it
        assert load(learned.save(tmp_path / "net.json")).graph == learned.graph
    else:
        assert learned.history.structure(learned.dag) == learned.graph


@pytest.mark.parametrize("name", ["ges", "xges", "iges", "hc"])
def test_the_record_tells_what_knowledge_has_directed_in_the_graph(asia: Table, name: str) -> None:
    known = Knowledge(forbidden=[("lung", "smoke")], tiers=[["tub", "bronc"], ["xray"]])
    learned = learn(asia, made(name, asia.names), knowledge=known, max_parents=3)
    assert learned.history.structure(learned.dag) == learned.graph


def test_files_of_equal_runs_are_equal(asia: Table, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        learn(asia).save(tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize("score", [LogLikelihood(), AIC(), K2Score(), BDeu(kappa=0.5)])
def test_the_score_comes_back_with_its_settings(tmp_path: Path, score: Score) -> None:
    learn({"A": ["n", "y"] * 5}, HillClimbing(score=score)).save(tmp_path / "net.json")
    found = load(tmp_path / "net.json").record
    assert found is not None
    assert found.score is not None
    assert SCORES.made(found.score) == score
    assert found.unknown == ()


def test_a_score_with_a_table_inside_comes_back_by_name_only(asia: Table, tmp_path: Path) -> None:
    learn(asia, HillClimbing(score=BDe(prior=asia))).save(tmp_path / "net.json")
    found = load(tmp_path / "net.json").record
    assert found is not None
    assert found.unknown == ("score bde",)
    assert found.value is not None
    assert found.value.name == "bde"


def test_the_test_and_the_start_of_the_search_come_back(asia: Table, tmp_path: Path) -> None:
    local = HillClimbing(start=Start.CHOW_LIU)
    search = IL(local, GSquare(7, Coverage.RELAXED), control=FixedAlpha(0.001))
    learned = learn(asia, search)
    learned.save(tmp_path / "net.json")
    found = load(tmp_path / "net.json").history
    assert found == learned.record
    assert Criterion.of(found) == Criterion(search.test, 0.001)
    assert len(found.start) == len(asia.names) - 1


def test_networks_without_record_have_none(asia: Table, tmp_path: Path) -> None:
    net = learn(asia).net
    save_net(net, tmp_path / "net.json")
    save_net(net, tmp_path / "net.bif")
    assert load(tmp_path / "net.json").record is None
    assert load(tmp_path / "net.bif").record is None


def test_a_damaged_record_is_a_clear_error(asia: Table, tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    learn(asia).save(path)
    content = json.loads(path.read_text())
    del content["learned"]["steps"]
    path.write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match=r'net.json: the member "learned" is damaged'):
        load(path)


def paths_in(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """List where every member and item of plain data stands."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from paths_in(item, (*path, key))


@pytest.mark.few(5)
@pytest.mark.parametrize(
    "damage", ["null", "1e400", "-1e400", "NaN", "{}", "[]", '"x"', "-7", "true", '[["a"]]', "1.5"]
)
def test_a_record_is_read_whole_or_refused_in_one_sentence(
    asia: Table, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "net.json"
    learn(asia).save(path)
    content = json.loads(path.read_text())
    for place in some_of([*paths_in(content["learned"])], 40):
        changed = copy.deepcopy(content)
        holder = changed["learned"]
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = "@@"
        path.write_text(json.dumps(changed).replace('"@@"', damage))
        try:
            record = load(path).record
        except FileFormatError as error:
            said = str(error)
        else:
            said = ""
            assert record is not None
            load(path).save(path)
            assert load(path).record == record
        assert not re.search(r"Error|__init__|argument|NoneType|subscript", said)
        assert len(said) < 400


@pytest.mark.parametrize(
    ("place", "damage", "message"),
    [
        (("candidates",), "1e400", '"candidates" must be a whole number, 0 or more, got inf'),
        (("tests", "made"), "null", '"made" must be a whole number, 0 or more, got None'),
        (("score", "value"), "1e400", '"value" must be a finite number, got inf'),
        (("steps", 0, "gain"), '"much"', "\"gain\" must be a finite number, got 'much'"),
    ],
)
def test_a_damaged_record_says_which_member_is_wrong(
    asia: Table, tmp_path: Path, place: tuple[str | int, ...], damage: str, message: str
) -> None:
    path = tmp_path / "net.json"
    learn(asia).save(path)
    content = json.loads(path.read_text())
    holder = content["learned"]
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = "@@"
    path.write_text(json.dumps(content).replace('"@@"', damage))
    with pytest.raises(FileFormatError, match=re.escape(f"is damaged ({message}); learn again")):
        load(path)


def test_a_failed_save_leaves_the_old_file(asia: Table, tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_text("old")
    learned = learn(asia)
    with pytest.raises(FileFormatError):
        learned.save(tmp_path / "nowhere" / "net.json")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["net.json"]


def test_a_link_stays_a_link(asia: Table, tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    learn(asia).save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert load(tmp_path / "real.json").record is not None


def test_places_that_cannot_be_written_are_refused_beforehand(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="is not there; make it first"):
        check_network_path(tmp_path / "nowhere" / "net.bif")
    (tmp_path / "net.bif").mkdir()
    with pytest.raises(FileFormatError, match="this is a folder or a device"):
        check_network_path(tmp_path / "net.bif")


@pytest.mark.parametrize(
    ("member", "change"),
    [
        ("separations", {"p": -0.5}),
        ("separations", {"p": 1.5}),
        ("separations", {"x": "nobody"}),
        ("separations", {"given": ["nobody"]}),
        ("dependencies", {"p": -0.5}),
    ],
    ids=str,
)
def test_records_with_impossible_numbers_or_strangers_are_refused(
    asia: Table, tmp_path: Path, member: str, change: dict[str, object]
) -> None:
    path = tmp_path / "net.json"
    learn(asia, PC()).save(path)
    content = json.loads(path.read_text())
    content["learned"][member][0] |= change
    path.write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match='the member "learned"'):
        load(path)
