"""The studio as a server: data in, runs, events, questions, files out, and what it refuses."""

from __future__ import annotations

import gzip
import io
import math
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bayesloom as bl
from bayesloom.data import write_csv
from bayesloom.errors import FileFormatError, MissingExtraError
from bayesloom.studio import app
from bayesloom.studio.copies import Upload
from bayesloom.studio.crew import Desk
from bayesloom.studio.project import Project
from bayesloom.studio.server import serve
from example_samples import sampled
from studio_server import LONG, Visitor, children, program, serving

LIMIT = 300_000


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with serving(tmp_path_factory.mktemp("studio") / "work.db", LIMIT) as visitor:
        yield visitor


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("rows") / "asia.csv"
    write_csv(sampled("asia", 2000), path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def asia(studio: Visitor, rows: bytes) -> int:
    return studio.upload("asia.csv", rows)


@pytest.fixture(scope="module")
def done(studio: Visitor, asia: int) -> dict[str, Any]:
    """Return a finished run."""
    return studio.finished(studio.start(asia, {"search": {"name": "hc"}}))


def test_files_of_every_kind_come_in(studio: Visitor, rows: bytes) -> None:
    table = pa.table({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20})
    parquet, arrow = io.BytesIO(), io.BytesIO()
    pq.write_table(table, parquet)
    with pa.ipc.new_file(arrow, table.schema) as file:
        file.write_table(table)
    files = {
        "a.parquet": parquet.getvalue(),
        "a.arrow": arrow.getvalue(),
        "asia.csv.gz": gzip.compress(rows),
        "semi.csv": b"a;b\n" + b"1;2\n2;1\n" * 20,
    }
    for name, content in files.items():
        told = studio.post(f"/api/data/{studio.upload(name, content)}/profile")
        assert told["rows"] == (2000 if "asia" in name else 40), told
        assert len(told["columns"]) == (8 if "asia" in name else 2)


def test_an_example_comes_in_as_rows(studio: Visitor) -> None:
    found = studio.post("/api/examples/cancer")
    told = studio.post(f"/api/data/{found['id']}/profile")
    assert (told["name"], told["rows"], len(told["columns"])) == ("cancer.csv", 5000, 5)
    assert "no example 'nonsense'" in studio.post("/api/examples/nonsense")["error"]


def test_bad_data_are_told_in_their_sentence_with_the_file_by_its_name(studio: Visitor) -> None:
    data = studio.upload("bad.csv", b"a,b\n1\n")
    for question in ("profile", "check"):
        told = studio.post(f"/api/data/{data}/{question}")
        assert told["problem"].startswith("bad.csv, line 2: the row has 1 cell")
    found = studio.post("/api/runs", {"data": data, "plan": {}})
    assert found["error"].startswith("bad.csv, line 2: the row has 1 cell")


def test_a_run_tells_its_steps_and_gives_the_network_of_the_library(
    studio: Visitor, done: dict[str, Any], tmp_path: Path, rows: bytes
) -> None:
    (tmp_path / "asia.csv").write_bytes(rows)
    net = bl.learn(tmp_path / "asia.csv", bl.HillClimbing())
    events = list(studio.events(done["id"]))
    told = [move for kind, _, body in events if kind == "news" for move in body["moves"]]
    names = done["names"]
    assert [(s[0], names[s[1]], names[s[2]]) for s in told] == [
        (step.operator, step.x, step.y) for step in net.steps
    ]
    last = next(body for kind, _, body in reversed(events) if kind == "news")
    joined = {frozenset((names[a], names[b])) for a, b, _ in last["edges"]}
    assert joined == {frozenset(edge) for edge in net.edges}
    assert last["score"] == pytest.approx(net.score.value)
    assert events[-1][0] == "state"
    assert events[-1][2]["state"] == "done"
    assert done["summary"]["score"] == {"name": "bic", "value": pytest.approx(net.score.value)}
    assert done["summary"]["scores"]["bic"] == pytest.approx(net.score.value)
    text = studio.client.get(f"/api/runs/{done['id']}/export/json").text
    (tmp_path / "net.json").write_text(text, encoding="utf-8")
    assert bl.load(tmp_path / "net.json") == net


def test_exports_are_what_the_library_writes(
    studio: Visitor, done: dict[str, Any], tmp_path: Path, rows: bytes
) -> None:
    (tmp_path / "asia.csv").write_bytes(rows)
    net = bl.learn(tmp_path / "asia.csv", bl.HillClimbing())
    for ending in ("bif", "svg", "html", "py", "sh", "knowledge"):
        answer = studio.client.get(f"/api/runs/{done['id']}/export/{ending}")
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith('attachment; filename="')
        (tmp_path / f"net.{ending}").write_text(answer.text, encoding="utf-8")
    assert bl.load(tmp_path / "net.bif").net == net.net
    bl.load(net.save(tmp_path / "again.json")).plot(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == (tmp_path / "net.svg").read_text()
    page = (tmp_path / "net.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page
    assert "python" not in page[:200]
    assert "no export" in studio.get(f"/api/runs/{done['id']}/export/pickle")["error"]


def test_a_picture_of_pixels_is_exported(studio: Visitor, done: dict[str, Any]) -> None:
    from PIL import Image

    answer = studio.client.get(f"/api/runs/{done['id']}/export/png")
    assert answer.headers["content-type"] == "image/png"
    picture = Image.open(io.BytesIO(answer.content))
    assert picture.width > 300
    shades = picture.convert("L").histogram()
    assert sum(shades[:100]) > 100  # something is drawn
    assert shades[255] > 1000  # on white


def test_posteriors_are_those_of_the_library(studio: Visitor, done: dict[str, Any]) -> None:
    ask = f"/api/runs/{done['id']}/posteriors"
    net = network_of(studio, done["id"])
    smoke = net.names.index("smoke")
    told = studio.post(ask, {"evidence": [[smoke, 1]]})
    known = {"smoke": net.states["smoke"][1]}
    for name, found in zip(net.names, told["marginals"], strict=True):
        if name != "smoke":
            expected = net.query(name, given=known)
            assert found == pytest.approx([expected[s] for s in net.states[name]], abs=1e-12)
    share = net.query("smoke")[known["smoke"]]
    assert told["logEvidence"] == pytest.approx(math.log(share), abs=1e-12)
    for evidence in ([[99, 0]], [[0, 99]], [[-1, 0]], [[0]], "x", [["0", 1]]):
        assert "error" in studio.post(ask, {"evidence": evidence})


def network_of(studio: Visitor, run: int) -> bl.Network:
    text = studio.client.get(f"/api/runs/{run}/export/json").text
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.json"
        path.write_text(text, encoding="utf-8")
        return bl.load(path)


def test_kept_holes_get_the_search_that_learn_takes(
    studio: Visitor, rows: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = rows.decode().splitlines()
    holes = [lines[0], *(with_a_hole(line, k) for k, line in enumerate(lines[1:]))]
    content = "\n".join(holes).encode()
    data = studio.upload("holes.csv", content)
    assert "holes" in " ".join(w["label"] for w in studio.post(f"/api/data/{data}/check")["ways"])
    checked = studio.post(f"/api/data/{data}/check", {"missing": "keep"})
    assert checked["usual"] == {"name": "structural-em", "parts": {}}
    plan = {"reading": {"missing": "keep"}}
    told = studio.finished(studio.start(data, plan))
    assert told["state"] == "done", told["why"]
    monkeypatch.chdir(tmp_path)
    Path("holes.csv").write_bytes(content)
    net = bl.learn("holes.csv", missing="keep")
    assert network_of(studio, told["id"]).edges == net.edges
    assert told["summary"]["search"] == net.history.search
    script = studio.client.get(f"/api/runs/{told['id']}/export/py").text
    found: dict[str, Any] = {}
    exec(script, found)
    assert found["net"] == net
    around = studio.finished(studio.start(data, {**plan, "search": {"name": "ges"}}))
    assert around["summary"]["search"] == "GES(score=PNAL())"
    named = {**plan, "search": {"name": "ges"}, "score": {"name": "bic"}}
    refused = studio.finished(studio.start(data, named))
    assert (refused["state"], "PNAL" in refused["why"]) == ("failed", True)


def with_a_hole(line: str, row: int) -> str:
    cells = line.split(",")
    if row % 3 == 0:
        cells[row // 3 % len(cells)] = ""
    return ",".join(cells)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.parquet", b"PAR1 and no more", "a.parquet"),
        ("a.csv", b"", "a.csv"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\0\0\0", "a.csv"),
        ("a.csv.gz", b"a,b\n1,2\n", "a.csv.gz"),
        ("a.png", b"x", "a.png"),
        ("", b"", ""),
    ],
)
def test_what_can_never_be_read_is_not_kept(
    studio: Visitor, name: str, content: bytes, said: str
) -> None:
    before = studio.get("/api/project")["data"]
    answer = studio.client.post("/api/data", params={"name": name}, content=content)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(said)
    assert answer.json()["error"].endswith("The file was not kept.")
    assert studio.get("/api/project")["data"] == before


def test_what_another_encoding_reads_is_kept(studio: Visitor) -> None:
    data = studio.upload(
        "latin.csv", "stadt,\u00e4\n".encode("latin-1") + b"K\xf6ln,x\nBonn,y\n" * 20
    )
    assert "problem" in studio.post(f"/api/data/{data}/profile")
    told = studio.post(f"/api/data/{data}/profile", {"encoding": "latin-1"})
    assert [column["name"] for column in told["columns"]] == ["stadt", "\u00e4"]


def test_any_pair_has_its_story_and_counts(
    studio: Visitor, done: dict[str, Any], tmp_path: Path, rows: bytes
) -> None:
    (tmp_path / "asia.csv").write_bytes(rows)
    net = bl.learn(tmp_path / "asia.csv", bl.HillClimbing())
    content = studio.get(f"/api/runs/{done['id']}/content")
    assert len(content["pairs"]["stories"]) == len(net.edges)
    for a, b in ((0, 7), (2, 3)):
        told = studio.post(f"/api/runs/{done['id']}/pair", {"a": a, "b": b})
        assert "\n  ".join(told["story"][2]) == str(net.explain(net.names[a], net.names[b]))
        assert sum(told["tables"][0][2]) == 2000
    for a, b in ((0, 8), (-1, 0), (3, 3)):
        told = studio.post(f"/api/runs/{done['id']}/pair", {"a": a, "b": b})
        assert "internal" not in told["error"]


def test_an_order_that_nobody_knows_is_not_taken_for_another(studio: Visitor, asia: int) -> None:
    run = studio.start(asia, LONG)
    assert studio.client.post(f"/api/runs/{run}/explode", json={}).status_code in (404, 405)
    assert studio.get(f"/api/runs/{run}")["state"] in ("waiting", "running")
    studio.client.delete(f"/api/runs/{run}")


def test_events_are_replayed_from_any_number(studio: Visitor, done: dict[str, Any]) -> None:
    numbers = [number for _, number, _ in studio.events(done["id"]) if number]
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers
    rest = [number for _, number, _ in studio.events(done["id"], after=numbers[-1]) if number]
    assert rest == []


def test_a_long_run_is_paused_resumed_and_stopped_and_keeps_the_best(
    studio: Visitor, asia: int
) -> None:
    run = studio.start(asia, LONG)
    assert _step_after(studio, run, 0.5) > 0
    assert studio.post(f"/api/runs/{run}/pause")["state"] == "paused"
    held = _step_after(studio, run, 0.3)
    assert _step_after(studio, run, 0.5) == held > 0
    assert studio.post(f"/api/runs/{run}/resume")["state"] == "running"
    assert _step_after(studio, run, 0.5) > held
    studio.post(f"/api/runs/{run}/stop")
    told = studio.finished(run)
    assert (told["state"], told["summary"]["stop"]) == ("done", "interrupted by the user")
    assert told["summary"]["early"]
    assert told["summary"]["edges"] > 0


def _step_after(studio: Visitor, run: int, seconds: float) -> int:
    """Return at which step a run is after some time."""
    step, ends = 0, time.monotonic() + seconds
    for kind, _, body in studio.events(run):
        step = body["step"] if kind == "news" else step
        if time.monotonic() > ends:
            break
    return step


def test_a_time_limit_ends_a_run(studio: Visitor, asia: int) -> None:
    told = studio.finished(studio.start(asia, {**LONG, "time_limit": "0.5s"}))
    assert told["summary"]["stop"] == "the time limit was reached"


def test_twenty_watch_one_run_and_all_see_the_same(studio: Visitor, asia: int) -> None:
    plan = {**LONG, "max_steps": 3000}
    run = studio.start(asia, plan)
    seen: list[list[int | None]] = []
    visitors = [Visitor(studio.base, studio.token) for _ in range(20)]

    def look(visitor: Visitor) -> None:
        seen.append([number for _, number, _ in visitor.events(run) if number])

    threads = [threading.Thread(target=look, args=(visitor,)) for visitor in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for visitor in visitors:
        visitor.client.close()
    assert len(seen) == 20
    assert all(numbers == list(range(1, len(seen[0]) + 1)) for numbers in seen)


def test_more_runs_than_processors_wait_their_turn_and_a_waiting_one_can_be_stopped(
    studio: Visitor, asia: int
) -> None:
    from bayesloom.processor import n_processors

    runs = [studio.start(asia, LONG) for _ in range(n_processors() + 1)]
    states = [studio.get(f"/api/runs/{run}")["state"] for run in runs]
    assert states[-1] == "waiting"
    studio.post(f"/api/runs/{runs[-1]}/stop")
    assert studio.get(f"/api/runs/{runs[-1]}")["why"] == "Stopped before it began."
    for run in runs[:-1]:
        assert studio.client.delete(f"/api/runs/{run}").status_code == 200
        assert "no run" in studio.get(f"/api/runs/{run}")["error"]


def test_a_run_that_failed_says_why_and_starts_again(studio: Visitor, asia: int) -> None:
    plan = {"search": {"name": "k2", "options": {"order": ["smoke"]}}}
    run = studio.start(asia, plan)
    told = studio.finished(run)
    assert told["state"] == "failed"
    assert "order" in told["why"]
    assert studio.post(f"/api/runs/{run}/again")["state"] == "waiting"
    assert studio.finished(run)["state"] == "failed"


def test_plans_that_cannot_be_are_refused_before_they_run(studio: Visitor, asia: int) -> None:
    for plan, said in [
        ({"knowledge": {"required": [["asia", "nobody"]]}}, "nobody"),
        ({"knowledge": {"required": [["asia", "tub"], ["tub", "asia"]]}}, "asia"),
        ({"max_parents": 0, "knowledge": {"required": [["asia", "tub"]]}}, "tub"),
        ({"search": {"name": "magic"}}, "no search 'magic'"),
        ({"reading": {"columns": ["asia", "gone"]}}, "gone"),
    ]:
        assert said in studio.post("/api/runs", {"data": asia, "plan": plan})["error"]
    assert "no data set 99" in studio.post("/api/runs", {"data": 99, "plan": {}})["error"]
    assert "whole number" in studio.post("/api/runs", {"data": "1", "plan": {}})["error"]


def test_a_file_beyond_the_limit_is_refused(studio: Visitor) -> None:
    big = b"a" * (LIMIT + 1)
    before = len(studio.get("/api/project")["data"])
    answer = studio.client.post("/api/data", params={"name": "big.csv"}, content=big)
    assert (answer.status_code, "larger than" in answer.json()["error"]) == (413, True)

    def parts() -> Iterator[bytes]:  # a length that is not announced
        yield from [b"a" * 100_000] * 4

    answer = studio.client.post("/api/data", params={"name": "big.csv"}, content=parts())
    assert answer.status_code == 413
    assert len(studio.get("/api/project")["data"]) == before


@pytest.mark.parametrize(
    "path",
    [
        "/web/../app.py",
        "/web/..%2fapp.py",
        "/web/%2e%2e/%2e%2e/errors.py",
        "/web//etc/passwd",
        "/web/.",
        "/app.py",
        "/../../../../etc/passwd",
    ],
)
def test_no_path_leads_out(studio: Visitor, path: str) -> None:
    answer = studio.client.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


def test_requests_that_are_no_objects_are_refused(studio: Visitor, asia: int) -> None:
    for content in (b"[1]", b"{", b"\x80\x04K\x01.", b"[" * 100_000):
        answer = studio.client.post(f"/api/data/{asia}/check", content=content)
        assert answer.status_code == 400
        assert "JSON object" in answer.json()["error"]
    assert "sketch" in studio.post("/api/sketch", {"names": ["a", "a"], "edges": []})["error"]
    assert "error" in studio.post("/api/sketch", {"names": ["a", "b"], "edges": [[0, "x", 1]]})


def test_every_module_of_the_page_is_served_with_its_type(studio: Visitor) -> None:
    for name in ("studio.js", "graph.js", "style.css", "studio.css", "mark.svg"):
        answer = studio.client.get(f"/web/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].split(";")[0] in (
            "text/javascript",
            "text/css",
            "image/svg+xml",
        )
    page = studio.client.get("/").text
    assert "<script>" not in page
    assert "style=" not in page
    assert "onclick" not in page


@pytest.mark.parametrize(
    "number", ["9" * 5000, "9" * 19, "0x1", "-1", "1.0", "\u0661", "%00", "a" * 200]
)
@pytest.mark.parametrize("what", ["data", "run"])
def test_absurd_numbers_in_an_address_are_not_there(
    studio: Visitor, what: str, number: str
) -> None:
    asked = {
        "data": [("POST", "/profile"), ("POST", "/check"), ("DELETE", "")],
        "run": [
            ("GET", ""),
            ("DELETE", ""),
            ("POST", "/again"),
            ("POST", "/stop"),
            ("GET", "/content"),
            ("GET", "/events"),
            ("POST", "/pair"),
            ("POST", "/posteriors"),
            ("GET", "/export/bif"),
        ],
    }[what]
    folder = {"data": "/api/data", "run": "/api/runs"}[what]
    for how, rest in asked:
        body = None if how == "GET" else b"{}"
        answer = studio.client.request(how, f"{folder}/{number}{rest}", content=body)
        assert answer.status_code == 404
        assert answer.json()["error"].startswith("the project has no ")
        assert len(answer.json()["error"]) < 120


@pytest.mark.parametrize("seen", ["9" * 5000, "9" * 19, "-1", "x", ""])
def test_absurd_numbers_of_events_are_passed_over(
    studio: Visitor, done: dict[str, Any], seen: str
) -> None:
    path = f"/api/runs/{done['id']}/events"
    for answer in (
        studio.client.get(path, headers={"Last-Event-ID": seen}),
        studio.client.get(path, params={"after": seen}),
    ):
        assert answer.status_code == 200
        assert '"state": "done"' in answer.text


def test_an_absurd_number_in_a_request_is_not_there(studio: Visitor) -> None:
    for number in (10**4000, -(10**30)):
        told = studio.post("/api/runs", {"data": number, "plan": {}})
        assert told["error"].startswith("the project has no data set ")
        assert len(told["error"]) < 120


def test_while_an_upload_is_written_others_are_answered(
    studio: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_go_on = threading.Event(), threading.Event()
    write = Upload.write

    def slow(upload: Upload, content: bytes) -> None:
        begun.set()
        assert may_go_on.wait(60)
        write(upload, content)

    monkeypatch.setattr(Upload, "write", slow)
    bringing = Visitor(studio.base, studio.token)
    found: list[int] = []
    thread = threading.Thread(
        target=lambda: found.append(bringing.upload("slow.csv", b"a,b\n" + b"x,y\ny,x\n" * 30))
    )
    thread.start()
    assert begun.wait(60)
    monkeypatch.undo()
    data = studio.upload("meanwhile.csv", b"a,b\n" + b"x,y\ny,x\n" * 30)
    assert studio.finished(studio.start(data, {"search": {"name": "hc"}}))["state"] == "done"
    assert "slow.csv" not in [told["name"] for told in studio.get("/api/project")["data"]]
    may_go_on.set()
    thread.join()
    bringing.client.close()
    assert found[0] in [told["id"] for told in studio.get("/api/project")["data"]]


def test_the_page_does_not_wait_for_the_disk(
    studio: Visitor, done: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = f"/api/runs/{done['id']}"
    assert studio.get(run)["names"] == done["names"]
    begun, may_go_on = threading.Event(), threading.Event()
    keeping = Project.keeping

    def slow(project: Project, name: str, upload: Upload) -> Iterator[int]:
        with project._at_work():
            begun.set()
            assert may_go_on.wait(60)
        yield from keeping(project, name, upload)

    monkeypatch.setattr(Project, "keeping", slow)
    bringing = Visitor(studio.base, studio.token)
    thread = threading.Thread(target=bringing.upload, args=("slow2.csv", b"a,b\n" + b"x,y\n" * 60))
    thread.start()
    assert begun.wait(60)
    assert done["id"] in [told["id"] for told in studio.get("/api/project")["runs"]]
    assert studio.get(run)["names"] == done["names"]
    assert studio.post(f"{run}/pause")["state"] == "done"
    may_go_on.set()
    thread.join()
    bringing.client.close()


def test_a_large_data_set_is_looked_at_by_a_worker_of_its_own(
    studio: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Desk, str]] = []
    ask = Desk.ask

    async def noted(desk: Desk, do: str, **details: Any) -> Any:  # noqa: ANN401
        asked.append((desk, Path(details["path"]).name))
        return await ask(desk, do, **details)

    monkeypatch.setattr(Desk, "ask", noted)
    monkeypatch.setattr(app, "_LARGE", 200_000)
    line = b"some,words\nother,texts\n"
    large = studio.upload("large.csv", b"a,b\n" + line * 10_000)
    studio.post(f"/api/data/{large}/check")
    small = studio.upload("small.csv", b"a,b\n" + line * 20)
    studio.post(f"/api/data/{small}/check")
    desks = {name: {desk for desk, told in asked if told == name} for _, name in asked}
    assert set(desks) == {"large.csv", "small.csv"}
    assert {len(found) for found in desks.values()} == {1}
    assert desks["large.csv"] != desks["small.csv"]


@pytest.mark.parametrize("workers_too", [False, True])
@pytest.mark.skipif(sys.platform != "linux", reason="limits of other processes are Linux's")
def test_a_full_disk_is_told_in_one_sentence_and_what_is_there_stays(
    tmp_path: Path, rows: bytes, *, workers_too: bool
) -> None:
    import resource

    said = "the disk of the project has no room (disk I/O error); make room and try again"
    of_workers = "the file cannot be written (File too large); choose another place"
    with program(tmp_path / "work.db") as (process, visitor):

        def room(most: int) -> None:
            """Let the studio write so many bytes to any file, as a disk that is nearly full."""
            limits = (most, resource.RLIM_INFINITY)
            others = children(process.pid) if workers_too or most == resource.RLIM_INFINITY else []
            for number in (process.pid, *others):
                resource.prlimit(number, resource.RLIMIT_FSIZE, limits)

        data = visitor.upload("asia.csv", rows)
        done = visitor.start(data, {"search": {"name": "hc"}})
        assert visitor.finished(done)["state"] == "done"
        kept = visitor.get(f"/api/runs/{done}/content")
        long = visitor.start(data, LONG)
        _step_after(visitor, long, 0.3)
        before = visitor.get("/api/project")["data"]
        room(1000)
        answer = visitor.client.post(
            "/api/data", params={"name": "big.csv"}, content=b"a,b\n" + b"x,y\n" * 500_000
        )
        too_large = said.replace("disk I/O error", "File too large")
        assert (answer.status_code, answer.json()) == (507, {"error": too_large})
        answer = visitor.client.post("/api/runs", json={"data": data, "plan": {}})
        assert (answer.status_code, answer.json()) == (507, {"error": said})
        answer = visitor.client.post("/api/examples/cancer")
        assert (of_workers if workers_too else too_large) in answer.json()["error"]
        visitor.post(f"/api/runs/{long}/stop")
        told = visitor.finished(long)
        assert told["state"] == "failed"
        assert (of_workers if workers_too else said) in told["why"]
        assert visitor.get("/api/project")["data"] == before
        assert visitor.get(f"/api/runs/{done}/content") == kept
        room(resource.RLIM_INFINITY)
        assert visitor.get(f"/api/runs/{long}")["state"] == "failed"
        assert visitor.upload("big.csv", b"a,b\n" + b"x,y\ny,x\n" * 5000) == data + 1
        visitor.post(f"/api/runs/{long}/again")
        _step_after(visitor, long, 0.3)
        visitor.post(f"/api/runs/{long}/stop")
        told = visitor.finished(long)
        assert told["state"] == "done", told["why"]
        process.kill()
    with program(tmp_path / "work.db") as (_, visitor):
        assert visitor.get(f"/api/runs/{done}/content") == kept
        assert visitor.get(f"/api/runs/{long}")["state"] == "done"


def test_streams_that_are_closed_unread_make_no_noise(tmp_path: Path) -> None:
    with (
        (tmp_path / "errors.txt").open("w+") as errors,
        program(tmp_path / "work.db", errors=errors) as (process, visitor),
    ):
        run = visitor.start(visitor.post("/api/examples/alarm")["id"], LONG)
        _step_after(visitor, run, 2)
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
        place = visitor.base.removeprefix("http://")
        host, _, port = place.partition(":")
        ask = f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: {place}\r\nCookie: {cookies}\r\n\r\n"
        for _ in range(50):
            with socket.create_connection((host, int(port))) as stream:
                stream.sendall(ask.encode())
        _step_after(visitor, run, 0.5)
        process.terminate()
        process.wait()
        errors.seek(0)
        assert errors.read().splitlines() == [
            "Ctrl-C ends it; data sets and runs are kept.",
            "The studio has ended.",
        ]


def test_answers_are_not_held_back(tmp_path: Path) -> None:
    with program(tmp_path / "work.db") as (_, visitor):
        took = []
        for _ in range(20):
            began = time.monotonic()
            visitor.get("/api/project")
            took.append(time.monotonic() - began)
        assert min(took) < 0.03  # a delayed acknowledgement takes 0.04 s


def test_a_table_beside_the_program_comes_in_and_the_project_itself_does_not(
    tmp_path: Path, rows: bytes
) -> None:
    (tmp_path / "asia.csv").write_bytes(rows)
    project = tmp_path / "work.db"
    with program(project, str(tmp_path / "asia.csv")) as (_, visitor):
        assert visitor.get("/api/project")["data"][0]["size"] == len(rows)
        assert visitor.post("/api/data/1/profile")["rows"] == 2000
    with pytest.raises(FileFormatError, match=r"work\.db: this is the project itself, not a table"):
        serve(str(project), project=str(project))
    with pytest.raises(FileFormatError, match=r"gone\.csv: the file cannot be read"):
        serve(str(tmp_path / "gone.csv"), project=str(project))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems want names to be UTF-8")
def test_a_project_whose_name_is_no_text_is_served(tmp_path: Path) -> None:
    with serving(tmp_path / os.fsdecode(b"w\xff rk#%41?.db")) as visitor:
        assert visitor.upload("a.csv", b"a,b\n" + b"x,y\ny,x\n" * 30) == 1
        assert visitor.get("/api/project")["project"].endswith("w? rk#%41?.db")
    assert [os.fsencode(file.name) for file in tmp_path.iterdir()] == [b"w\xff rk#%41?.db"]


def test_removing_data_removes_runs(studio: Visitor) -> None:
    data = studio.upload("gone.csv", b"a,b\n" + b"x,y\ny,x\n" * 30)
    run = studio.start(data, LONG)
    assert studio.client.delete(f"/api/data/{data}").status_code == 200
    assert "no run" in studio.get(f"/api/runs/{run}")["error"]
    assert "no data set" in studio.post(f"/api/data/{data}/profile")["error"]


def test_without_the_extra_one_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bayesloom\[web\]'"):
        serve()


def test_a_project_beside_the_user_is_found_by_workers_that_go_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = b"a,b\n" + b"x,y\nz,w\n" * 40
    with serving(Path("work.db")) as visitor:
        for name in ("one.csv", "two.csv"):
            found = visitor.finished(visitor.start(visitor.upload(name, rows), {}))
            assert found["state"] == "done", found
