"""What `make versions` installs."""

from __future__ import annotations

from pathlib import Path

import pytest

import versions


def test_everything_that_is_required_has_a_lowest_version() -> None:
    found = versions.lowest_versions(versions.requirements())
    assert {"numpy", "pyarrow", "click", "networkx", "starlette", "pytest", "nanobind"} <= set(
        found
    )
    with pytest.raises(SystemExit, match="loose has no lowest version; write one with >="):
        versions.lowest_versions(["loose", "bound>=1"])


def test_of_two_bounds_the_higher_one_counts() -> None:
    required = ["dask>=2025.1", "dask[dataframe]>=2025.10", "a-b>=1.9,<3", "a-b>=1.10"]
    assert versions.lowest_versions(required) == {"dask": "2025.10", "a-b": "1.10"}


def test_versions_are_in_order() -> None:
    names = ["2.1", "1.10", "2", "2.0.1", "1.9"]
    assert sorted(names, key=versions.release) == ["1.9", "1.10", "2", "2.0.1", "2.1"]
    assert versions.release("2.0.0") == versions.release("2")


def test_a_version_without_a_wheel_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"numpy": ["2.1.0", "1.26.4", "2.10.0", "2.2.0"], "click": ["8.1.0", "8.0.4"]}
    monkeypatch.setattr(versions, "requirements", lambda: ["numpy>=2", "click>=8.1"])
    monkeypatch.setattr(versions, "with_wheels", lambda _python, name: there[name])
    assert versions.constraints(Path("python")) == ["numpy==2.1.0", "click==8.1.0"]


def test_the_versions_of_python_are_those_of_the_classifiers() -> None:
    assert versions.promised_pythons() == ["3.11", "3.12", "3.13", "3.14"]


def test_a_python_that_is_not_there_is_not_tested() -> None:
    told = versions.outcome("3.99", versions.LOWEST, [])
    assert told == "not tested: there is no python3.99 here"
