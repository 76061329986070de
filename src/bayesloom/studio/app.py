"""The application: what the page of the studio asks its server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bayesloom import __version__
from bayesloom.errors import BayesloomError, DataError, shown
from bayesloom.graphs.text import counted
from bayesloom.model.example import EXAMPLES
from bayesloom.report import page as report_page
from bayesloom.studio.choice import choices
from bayesloom.studio.copies import StorageError
from bayesloom.studio.dispatch import Dispatch
from bayesloom.studio.export import EXPORTS, exported
from bayesloom.studio.guard import Guard
from bayesloom.studio.plan import Plan, checked_reading
from bayesloom.studio.profile import LOOKED_AT, may_be_mended
from bayesloom.studio.project import NotThereError, Project
from bayesloom.studio.project_file import PART
from bayesloom.studio.scribe import Scribe

MOST_UPLOADED = 256 << 20
"""Bytes of a file that the studio takes."""

_MOST_TOLD = 4 << 20  # bytes of any other request
_ORDERS = ("pause", "resume", "stop", "again")
_MOST_SKETCHED = 1000  # nodes that are laid out for the page
_LARGE = 8 << 20  # bytes of a data set that nobody waits for who asks about others
_MOST_DIGITS = 18  # of a number in a request
_FOLDERS = (Path(__file__).with_name("web"), Path(str(report_page.__file__)).with_name("web"))
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
}

Answer = Callable[[Request], Awaitable[Response]]


class TooMuchError(BayesloomError):
    """A request is larger than the studio takes."""


class Studio:
    """The answers to everything the page asks."""

    def __init__(self, project: Project, most_uploaded: int = MOST_UPLOADED) -> None:
        self.project, self.most_uploaded = project, most_uploaded
        self.scribe = Scribe()
        self.dispatch: Dispatch = None  # type: ignore[assignment] # made in the server's own loop
        self.checks: dict[tuple[int, str, str], dict[str, Any]] = {}

    async def overview(self, _: Request) -> Response:
        """Tell what the project holds."""
        told = {
            "project": str(self.project.path).encode(errors="replace").decode(),
            "version": __version__,
            "data": self.project.all_data(),
            "runs": self.project.all_runs(),
            "examples": list(EXAMPLES),
            "most_uploaded": self.most_uploaded,
        }
        return JSONResponse(told)

    async def choices(self, _: Request) -> Response:
        """Tell what can be chosen."""
        return JSONResponse(choices())

    async def upload(self, request: Request) -> Response:
        """Keep a file, unless nothing that can be chosen would make a table of it."""
        name = request.query_params.get("name", "")
        pieces = _parts(request, self.most_uploaded)
        try:
            with await asyncio.to_thread(self.project.upload) as upload:
                async for piece in pieces:
                    await asyncio.to_thread(upload.write, piece)
                number = await self.scribe.last(self.project.keeping(name, upload))
        except StorageError:
            async for _ in pieces:  # a browser hears the answer when it has sent everything
                pass
            raise
        try:
            await self._asked("profile", number, {})
        except BayesloomError as error:
            kept = self.project.data(number)["name"]
            if not may_be_mended(kept, await asyncio.to_thread(self._start_of, number)):
                await self._forget(number)
                said = " ".join(str(error).split())
                msg = f"{said}{'' if said.endswith('.') else '.'} The file was not kept."
                raise DataError(msg) from None
        return JSONResponse({"id": number})

    def _start_of(self, number: int) -> bytes:
        with self.project.data_file(number).open("rb") as file:
            return file.read(LOOKED_AT)

    async def example(self, request: Request) -> Response:
        """Keep rows of a network of the literature."""
        name = request.path_params["name"]
        _, (text,) = await self.dispatch.data_desk.ask("sample", name=name)
        number = await self.scribe(self.project.add_data, f"{name}.csv", text.encode())
        return JSONResponse({"id": number})

    async def profile(self, request: Request) -> Response:
        """Tell what a data set looks like."""
        number, reading = _number(request, "data set"), await _told(request)
        data = self.project.data(number)
        try:
            told = await self._asked("profile", number, reading)
        except BayesloomError as error:
            return JSONResponse({**data, "problem": str(error)})
        return JSONResponse({**data, **told})

    async def check(self, request: Request) -> Response:
        """Tell what a reading makes of a data set."""
        number = _number(request, "data set")
        return JSONResponse(await self._asked("check", number, await _told(request)))

    async def _asked(self, do: str, number: int, reading: dict[str, Any]) -> dict[str, Any]:
        """Let the data desk look at a data set; what it has told before is remembered."""
        checked_reading(reading)
        key = number, do, json.dumps(reading, sort_keys=True)
        if key not in self.checks:
            data = self.project.data(number)
            path = await asyncio.to_thread(self.project.data_file, number)
            desk = self.dispatch.large_desk if data["size"] > _LARGE else self.dispatch.data_desk
            told, _ = await desk.ask(do, path=str(path), reading=reading)
            while len(self.checks) >= 64:  # noqa: PLR2004 - data sets and readings in use at once
                self.checks.pop(next(iter(self.checks)))
            self.checks[key] = told
        return self.checks[key]

    async def remove_data(self, request: Request) -> Response:
        """Forget a data set and its runs."""
        number = _number(request, "data set")
        for run in self.project.all_runs():
            if run["data"] == number:
                await self.dispatch.drop(run["id"])
        await self._forget(number)
        return JSONResponse({})

    async def _forget(self, number: int) -> None:
        await self.scribe.last(self.project.removing_data(number))
        self.checks = {key: told for key, told in self.checks.items() if key[0] != number}

    async def learn(self, request: Request) -> Response:
        """Start a run, if the plan holds and the data can be read so."""
        told = await _told(request)
        number, plan = told.pop("data", None), told.pop("plan", None)
        made = Plan.from_dict(plan)
        found = await self._asked("check", _whole(number), dict(plan.get("reading") or {}))
        if "problem" in found:
            raise DataError(found["problem"])
        names = sorted(column["name"] for column in found["columns"])
        made.knowledge.limits(tuple(names), made.max_parents)
        run = await self.scribe(self.project.add_run, _whole(number), plan)
        self.dispatch.start(run)
        return JSONResponse({"id": run})

    async def run(self, request: Request) -> Response:
        """Tell where a run stands, and which variables it has."""
        told = self.project.run(_number(request, "run"))
        found = await self._asked("check", told["data"], dict(told["plan"].get("reading") or {}))
        names = sorted(column["name"] for column in found.get("columns", []))
        data = self.project.data(told["data"])
        return JSONResponse({**told, "name": data["name"], "names": names})

    async def content(self, request: Request) -> Response:
        """Return what the page shows of a finished run."""
        text = await self.scribe(self.project.result, _number(request, "run"), "content")
        return Response(text or "null", media_type="application/json")

    async def events(self, request: Request) -> Response:
        """Tell a run as it goes, from the event on that the page has seen last."""
        number = _number(request, "run")
        self.project.run(number)
        seen = request.headers.get("last-event-id") or request.query_params.get("after", "0")
        stream = self.dispatch.watch(number, _digits(seen) or 0)
        return StreamingResponse(stream, media_type="text/event-stream")

    def _steering(self, what: str) -> Answer:
        return lambda request: self.steer(request, what)

    async def steer(self, request: Request, what: str) -> Response:
        """Pause, resume or stop a run, or start it again."""
        number = _number(request, "run")
        if what == "again":
            await self.scribe(self.project.begin_again, number)
            await self.dispatch.drop(number)
            self.dispatch.start(number)
        else:
            getattr(self.dispatch, what)(number)
        return JSONResponse(self.project.run(number))

    async def remove_run(self, request: Request) -> Response:
        """Forget a run."""
        number = _number(request, "run")
        await self.dispatch.drop(number)
        await self.scribe(self.project.remove_run, number)
        return JSONResponse({})

    async def pair(self, request: Request) -> Response:
        """Tell the story of two variables of a finished run."""
        told = await _told(request)
        worker = await self.dispatch.answerer(_number(request, "run"))
        answer, _ = await worker.ask("pair", a=_whole(told.get("a")), b=_whole(told.get("b")))
        return JSONResponse(answer)

    async def posteriors(self, request: Request) -> Response:
        """Compute posteriors that are too much for the page."""
        told = await _told(request)
        worker = await self.dispatch.answerer(_number(request, "run"))
        answer, _ = await worker.ask("posteriors", evidence=_pairs(told.get("evidence")))
        return JSONResponse(answer)

    async def sketch(self, request: Request) -> Response:
        """Lay out edges for the page."""
        told = await _told(request)
        names, edges = told.get("names") or [], told.get("edges") or []
        fits = isinstance(names, list) and isinstance(edges, list) and len(names) <= _MOST_SKETCHED
        if not fits or not names or len({*map(str, names)}) < len(names):
            msg = f"a sketch needs up to {counted(_MOST_SKETCHED, 'different name')} and edges"
            raise DataError(msg)
        answer, _ = await self.dispatch.drawing_desk.ask(
            "sketch", names=[str(name) for name in names], edges=edges
        )
        return JSONResponse(answer)

    async def export(self, request: Request) -> Response:
        """Give a file of a finished run."""
        number, what = _number(request, "run"), request.path_params["what"]
        name, kind, content = await exported(self.dispatch, number, what)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type=kind, headers=headers)

    def routes(self) -> list[Route]:
        """Return which address is answered by what."""
        run = "/api/runs/{id}"
        table: list[tuple[str, str, Answer]] = [
            ("GET", "/", lambda _: _file("studio.html")),
            ("GET", "/web/{name}", lambda request: _file(request.path_params["name"])),
            ("GET", "/api/project", self.overview),
            ("GET", "/api/choices", self.choices),
            ("POST", "/api/data", self.upload),
            ("POST", "/api/examples/{name}", self.example),
            ("POST", "/api/data/{id}/profile", self.profile),
            ("POST", "/api/data/{id}/check", self.check),
            ("DELETE", "/api/data/{id}", self.remove_data),
            ("POST", "/api/runs", self.learn),
            ("GET", run, self.run),
            ("DELETE", run, self.remove_run),
            ("GET", f"{run}/content", self.content),
            ("GET", f"{run}/events", self.events),
            ("POST", f"{run}/pair", self.pair),
            ("POST", f"{run}/posteriors", self.posteriors),
            ("GET", f"{run}/export/{{what}}", self.export),
            *(("POST", f"{run}/{what}", self._steering(what)) for what in _ORDERS),
            ("POST", "/api/sketch", self.sketch),
        ]
        return [Route(path, _told_errors(answer), methods=[how]) for how, path, answer in table]


def application(
    project: Project, token: str, *, port: int, host: str, most_uploaded: int = MOST_UPLOADED
) -> Starlette:
    """Return the guarded application of a project."""
    studio = Studio(project, most_uploaded)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        studio.dispatch = Dispatch(project, studio.scribe)
        await studio.dispatch.open_desks()
        yield
        await studio.dispatch.close()
        studio.scribe.close()
        project.close()

    guard = Middleware(Guard, token=token, port=port, host=host)
    return Starlette(routes=studio.routes(), middleware=[guard], lifespan=lifespan)


def _told_errors(answer: Answer) -> Answer:
    """Make of errors what the page shows: one sentence."""

    async def told(request: Request) -> Response:
        try:
            return await answer(request)
        except NotThereError as error:
            return JSONResponse({"error": str(error)}, 404)
        except TooMuchError as error:
            return JSONResponse({"error": str(error)}, 413)
        except StorageError as error:
            return JSONResponse({"error": str(error)}, 507)
        except BayesloomError as error:
            return JSONResponse({"error": " ".join(str(error).split())}, 400)

    return told


async def _parts(request: Request, most: int) -> AsyncGenerator[bytes]:
    """Return what a request sends piece by piece; more than the studio takes is refused."""
    msg = f"the file is larger than the {most / 2**20:,.0f} MB that the studio takes"
    announced = _digits(request.headers.get("content-length", "0"))
    if announced is None or announced > most:
        raise TooMuchError(msg)
    size, piece = 0, bytearray()
    async for content in request.stream():
        size += len(content)
        if size > most:
            raise TooMuchError(msg)
        piece += content
        if len(piece) >= PART:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


async def _body(request: Request, most: int) -> bytes:
    return b"".join([piece async for piece in _parts(request, most)])


async def _told(request: Request) -> dict[str, Any]:
    content = await _body(request, _MOST_TOLD)
    try:
        told = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        msg = "the request must be a JSON object"
        raise DataError(msg)
    return told


def _number(request: Request, what: str) -> int:
    """Return the number in an address."""
    text = request.path_params["id"]
    number = _digits(text)
    if number is None:
        raise NotThereError(shown(text), (), what)
    return number


def _digits(text: str) -> int | None:
    """Return the number that a text spells, None if it is none or absurdly long."""
    spelled = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if spelled else None


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        msg = f"a whole number was expected, got {value!r}"
        raise DataError(msg)
    return value


def _pairs(value: object) -> list[list[int]]:
    """Return evidence that a page tells: pairs of a variable and its state."""
    fits = isinstance(value, list) and all(isinstance(p, list) and len(p) == 2 for p in value)  # noqa: PLR2004
    if not fits:
        msg = "evidence must be a list of pairs of numbers: a variable and its state"
        raise DataError(msg)
    return [[_whole(number) for number in pair] for pair in value]  # type: ignore[attr-defined]


async def _file(name: str) -> Response:
    """Return a file of the page, by a name among those that are there."""
    for folder in _FOLDERS:
        known = {path.name: path for path in folder.iterdir()}
        if name in known and known[name].suffix in _TYPES:
            text = known[name].read_text(encoding="utf-8")
            return Response(text, media_type=_TYPES[known[name].suffix])
    return JSONResponse({"error": "there is no such file"}, 404)


__all__ = ["EXPORTS", "MOST_UPLOADED", "Studio", "application"]
