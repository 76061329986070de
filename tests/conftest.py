"""What all tests share: repeatable drawn inputs, engines of every kind, example tables."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from bayesloom.data import Table
from bayesloom.engine import CountingEngine
from browser import why_no_browser
from every_engine import ENGINES, EngineOf
from example_tables import read_example
from local_cluster import local_client
from quick import PROFILE, QUICK, some_of

# The same inputs in every run, so that a failure is a change of the code;
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow]
)
# `make test` draws fewer inputs, the first of those that `make test-all` draws.
settings.register_profile("quick", settings.get_profile("repeatable"), max_examples=10)
settings.load_profile(PROFILE)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where there is little time take few cases, and draw a quarter of the inputs asked for."""
    if not QUICK:
        return
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few") is not None:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left = {id(item) for each in cases.values() for item in each}
    for each in cases.values():
        few = each[0].get_closest_marker("few")
        assert few is not None
        left -= {id(item) for item in some_of(each, few.args[0])}
    config.hook.pytest_deselected(items=[item for item in items if id(item) in left])
    items[:] = [item for item in items if id(item) not in left]
    tests = (getattr(item, "obj", None) for item in items)
    for test in {getattr(test, "__func__", test) for test in tests}:
        usual = getattr(test, "_hypothesis_internal_use_settings", None)
        if isinstance(usual, settings):
            fewer = max(3, min(10, usual.max_examples // 4))
            quick = settings(usual, max_examples=fewer)
            test._hypothesis_internal_use_settings = quick  # type: ignore[union-attr]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests encode out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BAYESLOOM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", params=ENGINES, ids=lambda kind: kind.__name__)
def engine_of(request: pytest.FixtureRequest) -> EngineOf:
    """Return a way to make an engine of a table; tests that take it run on every kind of engine."""
    kind: EngineOf = request.param
    return kind


@pytest.fixture
def engine(engine_of: EngineOf, asia: Table) -> CountingEngine:
    """Return an engine over asia, of every kind."""
    return engine_of(asia)


@pytest.fixture(scope="session")
def asia() -> Table:
    return read_example("asia")


@pytest.fixture(scope="session")
def learning_test() -> Table:
    return read_example("learning.test")


@pytest.fixture(scope="session")
def alarm() -> Table:
    return read_example("alarm")


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """Return a client of a cluster of two processes, one for all tests."""
    with local_client() as made:
        yield made


@pytest.fixture(autouse=True, scope="session")
def _ctrl_c_is_heard() -> None:
    """Undo what a shell does to its background jobs: they, and what they start, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly that pages were not tested in a browser."""
    if why := why_no_browser():
        terminalreporter.write_line(
            f"NOT TESTED IN A BROWSER: HTML reports and the studio, because {why}", red=True
        )
