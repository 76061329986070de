"""The runs of a project at work: who waits, who runs, who answers, and what is told of them."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Any

from bayesloom.errors import BayesloomError
from bayesloom.processor import n_processors
from bayesloom.studio.crew import Desk, WorkerProcess, WorkError
from bayesloom.studio.project import Project, RunState
from bayesloom.studio.scribe import Scribe

_MOST_ANSWERING = 2
"""Workers of finished runs that are kept for questions."""

_KEPT_ALL = 600
"""Events that are kept as they come; after these one a second."""

_HEARTBEAT = 15.0  # seconds of silence after which a comment keeps a connection open


class Feed:
    """What is told of one run: events that are kept, and the latest news that are not."""

    def __init__(self) -> None:
        self.bell = asyncio.Event()
        self.news: str | None = None
        self.beat = 0
        self.kept = 0
        self.kept_at = 0.0

    def ring(self, news: str | None = None) -> None:
        """Wake everybody who watches."""
        if news is not None:
            self.news, self.beat = news, self.beat + 1
        bell, self.bell = self.bell, asyncio.Event()
        bell.set()


class Dispatch:
    """Start runs, at most as many at once as there are processors, and pass on what they tell."""

    def __init__(self, project: Project, scribe: Scribe, most: int | None = None) -> None:
        self.project, self.scribe = project, scribe
        self.data_desk, self.large_desk, self.drawing_desk = Desk(), Desk(), Desk()
        self._most = most or n_processors()
        self._waiting: list[int] = []
        self._working: dict[int, WorkerProcess | None] = {}
        self._answering: OrderedDict[int, WorkerProcess] = OrderedDict()
        self._feeds: dict[int, Feed] = {}
        self._tasks_of: dict[int, asyncio.Task[None]] = {}
        self._closings: set[asyncio.Task[None]] = set()
        self._spare: asyncio.Task[WorkerProcess] | None = None
        self._closing = False

    def warm_up(self) -> None:
        """Have a worker ready before it is needed."""
        if self._spare is None:
            self._spare = asyncio.create_task(WorkerProcess.start())

    async def open_desks(self) -> None:
        """Have the desks ready before they are needed."""
        self.warm_up()
        await self.data_desk.worker()
        await self.drawing_desk.worker()

    def start(self, run: int) -> None:
        """Let a run that waits in the project begin when there is room."""
        self._feeds.pop(run, None)  # nobody follows what it told in an earlier life
        self._waiting.append(run)
        self._fill()

    def _fill(self) -> None:
        while self._waiting and len(self._working) < self._most:
            run = self._waiting.pop(0)
            self._working[run] = None  # its place, until its worker has started
            self._tasks_of[run] = asyncio.create_task(self._work(run))

    async def _work(self, run: int) -> None:
        worker = None
        try:
            worker = await self._new_worker()
            self._working[run] = worker
            worker.on_news = lambda news: self._hear(run, news)
            self._set(run, RunState.RUNNING)
            told, data, path = await self._brief(run)
            answer, texts = await worker.ask(
                "learn", path=path, plan=told["plan"], checksum=data["checksum"]
            )
            await self.scribe(self.project.finish, run, answer["summary"], *texts)
            self._keep(run, worker)
        except Exception as error:  # noqa: BLE001 - whatever it is, the run says so
            known = isinstance(error, BayesloomError)
            said = str(error) if known else f"internal error ({error!r})"
            if not self._closing:  # else it was cut off, and the project says so next time
                self._set(run, RunState.FAILED, said)
            if worker is not None:
                await worker.close()
        finally:
            self._working.pop(run, None)
            self._tasks_of.pop(run, None)
            self._ring(run)
            if not self._closing:
                self._fill()
                self.warm_up()  # not before: starting one takes as long as many a search

    async def _brief(self, run: int) -> tuple[dict[str, Any], dict[str, Any], str]:
        """Return what a worker needs: the run, its data set, and where a copy of that is."""
        told = self.project.run(run)
        data = self.project.data(told["data"])
        path = await asyncio.to_thread(self.project.data_file, told["data"])
        return told, data, str(path)

    async def _new_worker(self) -> WorkerProcess:
        self.warm_up()
        assert self._spare is not None
        spare, self._spare = self._spare, None
        worker = await spare
        return worker if worker.is_alive else await WorkerProcess.start()

    def _keep(self, run: int, worker: WorkerProcess) -> None:
        self._answering[run] = worker
        while len(self._answering) > _MOST_ANSWERING:
            _, oldest = self._answering.popitem(last=False)
            task = asyncio.create_task(oldest.close())
            self._closings.add(task)
            task.add_done_callback(self._closings.discard)

    def _hear(self, run: int, news: dict[str, Any]) -> None:
        """Pass on where a search stands; keep it if it has moved, the longer it runs the rarer."""
        feed, now = self._feeds.setdefault(run, Feed()), time.monotonic()
        wait = 0.0 if feed.kept < _KEPT_ALL else 1.0
        if news["moves"] and now - feed.kept_at >= wait:
            self.scribe.note(self.project.add_event, run, news)
            feed.kept, feed.kept_at, news = feed.kept + 1, now, {**news, "moves": []}
        self._ring(run, news)

    def _set(self, run: int, state: RunState, why: str = "") -> None:
        self.project.set_state(run, state, why, save=False)
        self.scribe.note(self.project.save_state, run)
        self._ring(run)

    def _ring(self, run: int, news: dict[str, Any] | None = None) -> None:
        if (feed := self._feeds.get(run)) is not None:
            feed.ring(None if news is None else json.dumps(news))

    def pause(self, run: int) -> None:
        """Hold a run at its next step."""
        if (worker := self._working.get(run)) is not None:
            worker.tell("pause")
            self._set(run, RunState.PAUSED)

    def resume(self, run: int) -> None:
        """Let a run go on."""
        if (worker := self._working.get(run)) is not None:
            worker.tell("resume")
            self._set(run, RunState.RUNNING)

    def stop(self, run: int) -> None:
        """End a run; it keeps the best network so far, if it has begun."""
        if run in self._waiting:
            self._waiting.remove(run)
            self._set(run, RunState.FAILED, "Stopped before it began.")
        elif (worker := self._working.get(run)) is not None:
            worker.tell("stop")

    async def drop(self, run: int) -> None:
        """End whatever works for a run, because it will be removed or begun again."""
        if run in self._waiting:
            self._waiting.remove(run)
        for workers in (self._working, self._answering):
            if (worker := workers.get(run)) is not None:
                await worker.close()
        self._answering.pop(run, None)
        if (task := self._tasks_of.get(run)) is not None:
            await asyncio.wait([task])

    async def answerer(self, run: int) -> WorkerProcess:
        """Return a worker that knows what a finished run has learned."""
        if (worker := self._answering.get(run)) is not None and worker.is_alive:
            self._answering.move_to_end(run)
            return worker
        network = await self.scribe(self.project.result, run, "network")
        if not network:
            msg = "there is nothing to ask: this run has no network that a file can keep"
            raise WorkError(msg)
        told, data, path = await self._brief(run)
        file = await self.network_file(run, network)
        worker = await self._new_worker()
        checksum = data["checksum"]
        await worker.ask("open", path=path, plan=told["plan"], checksum=checksum, network=file)
        self._keep(run, worker)
        return worker

    async def network_file(self, run: int, network: str) -> str:
        """Return a file with the network of a run, for a worker to read."""
        return str(await asyncio.to_thread(self.project.network_file, run, network))

    async def watch(self, run: int, after: int) -> AsyncIterator[str]:
        """Tell a run as server-sent events, from an event on until it has ended."""
        feed = self._feeds.setdefault(run, Feed())
        beat, last = 0, None
        while True:
            bell, told = feed.bell, self.project.run(run)
            if kept := await self.scribe(self.project.events, run, after):
                after = kept[-1][0]
                # In one piece, so that the loop hears of somebody who has gone in between.
                yield "".join(f"id: {n}\nevent: news\ndata: {body}\n\n" for n, body in kept)
            if feed.beat != beat and feed.news is not None:
                beat = feed.beat
                yield f"event: news\ndata: {feed.news}\n\n"
            state = json.dumps({key: told[key] for key in ("state", "why", "summary")})
            if state != last:
                last = state
                yield f"event: state\ndata: {state}\n\n"
            if not RunState(told["state"]).is_live:
                return
            try:
                await asyncio.wait_for(bell.wait(), _HEARTBEAT)
            except TimeoutError:
                yield ": still here\n\n"

    async def close(self) -> None:
        """End all workers; runs at work are cut off, and the project says so next time."""
        self._closing = True
        self._waiting.clear()
        if self._spare is not None:
            await (await self._spare).close()
        for worker in [*self._working.values(), *self._answering.values()]:
            if worker is not None:
                await worker.close()
        if waited := [*self._tasks_of.values(), *self._closings]:
            await asyncio.wait(waited)
        await self.data_desk.close()
        await self.large_desk.close()
        await self.drawing_desk.close()
