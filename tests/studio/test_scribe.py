"""The scribe: one thing after the other, in the order asked for, beside the loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from bayesloom.studio.copies import StorageError
from bayesloom.studio.scribe import Scribe


def test_turns_are_taken_when_they_are_asked_for() -> None:
    done: list[object] = []

    async def ask() -> None:
        scribe = Scribe()
        later = scribe(done.append, "asked first, awaited last")
        scribe.note(done.append, "noted")
        await scribe(done.append, "asked last")
        await later
        scribe.close()

    asyncio.run(ask())
    assert done == ["asked first, awaited last", "noted", "asked last"]


def test_everything_is_done_by_one_thread_beside_the_loop() -> None:
    async def ask() -> set[int]:
        scribe = Scribe()
        found = await asyncio.gather(*(scribe(threading.get_ident) for _ in range(20)))
        scribe.close()
        return set(found)

    threads = asyncio.run(ask())
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_others_have_their_turns_between_steps() -> None:
    done: list[str] = []

    def steps() -> Iterator[int]:
        for k in range(1, 6):
            done.append(f"step {k}")
            yield k

    async def ask() -> int:
        scribe = Scribe()
        working = asyncio.create_task(scribe.last(steps()))
        await asyncio.sleep(0)  # the first step is asked for
        await scribe(done.append, "another")
        found = await working
        scribe.close()
        return found

    assert asyncio.run(ask()) == 5
    assert done.index("another") == 1
    assert done[-1] == "step 5"


def test_no_steps_give_nothing() -> None:
    async def ask() -> int:
        return await Scribe().last(iter(()))

    assert asyncio.run(ask()) == 0


def test_what_fails_is_raised_where_it_is_awaited_and_missed_where_it_is_noted() -> None:
    def fail() -> None:
        msg = "the disk is full"
        raise StorageError(msg)

    async def ask() -> str:
        scribe = Scribe()
        scribe.note(fail)
        with pytest.raises(StorageError, match="the disk is full"):
            await scribe(fail)
        return await scribe(lambda: "and goes on")

    assert asyncio.run(ask()) == "and goes on"
