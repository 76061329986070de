"""What the page offers: everything that is registered, under its name, with its explanation."""

from __future__ import annotations

from typing import Any

import pytest

from bayesloom.errors import OptionError
from bayesloom.registry import CONTROLS, SCORES, SEARCHES, TESTS
from bayesloom.studio.choice import choices, made_value

KINDS = {"search": SEARCHES, "score": SCORES, "test": TESTS, "control": CONTROLS}
BEYOND = {"bde"}  # its prior is a table
ENTRIES = [
    pytest.param(kind, entry, id=f"{kind}-{entry['name']}")
    for kind in KINDS
    for entry in choices()[kind]
]


@pytest.mark.parametrize("kind", KINDS)
def test_everything_registered_is_offered(kind: str) -> None:
    assert {entry["name"] for entry in choices()[kind]} == set(KINDS[kind]) - BEYOND


@pytest.mark.parametrize(("kind", "entry"), ENTRIES)
def test_every_option_is_explained_and_its_default_is_that_of_the_class(
    kind: str, entry: dict[str, Any]
) -> None:
    assert entry["help"].endswith(".")
    needed = {"order": ["A", "B"], "target": "A"}
    own = {o["name"]: needed[o["name"]] for o in entry["options"] if o["needed"]}
    usual = made_value(KINDS[kind], entry["name"], own)
    for option in entry["options"]:
        assert option["help"] or option["about"]
        if not option["needed"]:
            told = {**own, option["name"]: option["default"]}
            assert made_value(KINDS[kind], entry["name"], told) == usual
    for part, told in entry["parts"].items():
        assert made_value(KINDS[part], told["name"], told["options"]) == getattr(usual, part)


def test_choices_by_name_become_enums_and_lists_tuples() -> None:
    assert made_value(SEARCHES, "iamb", {"variant": "fast"}).variant.value == "fast"
    assert made_value(SEARCHES, "k2", {"order": ["A", "B"]}).order == ("A", "B")
    assert made_value(SEARCHES, "hc", {"start": "chow-liu"}).start.value == "chow-liu"


@pytest.mark.parametrize(
    ("registry", "name", "options", "said"),
    [
        (SCORES, "bicc", {}, "no score 'bicc'"),
        (SCORES, 3, {}, "no score 3"),
        (SCORES, "bic", [], "must be an object"),
        (SCORES, "bic", {"ess": 1}, "bic has no option 'ess'"),
        (SCORES, "bic", {"penalty": -1}, "penalty must be"),
        (SCORES, "bic", {"penalty": {}}, "penalty cannot be"),
        (SCORES, "bde", {}, "bde needs 'prior'"),
        (SEARCHES, "k2", {}, "k2 needs 'order'"),
        (SEARCHES, "iamb", {"variant": "slow"}, "one of plain, inter, fast"),
        (SEARCHES, "hc", {"start": "net.bif"}, "one of empty, complete, chow-liu"),
    ],
)
def test_what_cannot_be_made_is_told_in_a_sentence(
    registry: Any,  # noqa: ANN401 - a registry
    name: object,
    options: object,
    said: str,
) -> None:
    with pytest.raises(OptionError, match=said):
        made_value(registry, name, options)
