from __future__ import annotations

import os

import pytest

from bayesloom.engine import NativeEngine
from bayesloom.processor import n_processors
from strategies import make_table


def test_processors_are_those_the_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 8}, raising=False)
    assert n_processors() == 3


def test_systems_that_tell_only_how_many_there_are_count_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert n_processors() == 6
    assert NativeEngine(make_table([[0, 1]], [2])).n_rows == 2
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert n_processors() == 1
