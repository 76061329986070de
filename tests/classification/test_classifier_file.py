"""A classifier survives its file, which is a network as well."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.classification import load_classifier, save_classifier, train
from bayesloom.classification.classifier_file import check_classifier_path
from bayesloom.errors import FileFormatError

HOSTILE = {
    'comma, "quote"': ["<b>", "a,b", "c;d"] * 6,
    "Größe\n(cm)": [1.5, 170.25, 180.0] * 6,
    "class": ["né", "o&k", "né"] * 6,
}


@pytest.mark.parametrize("name", ["model.json", "model.json.gz"])
def test_a_classifier_with_any_names_survives_its_file(tmp_path: Path, name: str) -> None:
    made = train(HOSTILE, "class")
    save_classifier(made, tmp_path / name)
    again = load_classifier(tmp_path / name)
    assert (again.target, again.cuts, again.classes) == (made.target, made.cuts, made.classes)
    rows = {key: HOSTILE[key] for key in made.names}
    np.testing.assert_array_equal(again.probabilities(rows), made.probabilities(rows))
    assert set(bl.load(tmp_path / name).edges) == set(made.net.edges)


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (None, "is no classifier; make one with classify fit"),
        ({"target": 3}, "is no classifier"),
        ({"target": "flu"}, "unknown variable 'flu'"),
        ({"target": "class", "cuts": []}, "must map attributes to lists of rising numbers"),
        ({"target": "class", "cuts": {"x": [2, 1]}}, "rising numbers"),
        ({"target": "class", "cuts": {"x": [True]}}, "rising numbers"),
        ({"target": "class", "cuts": {"x": [1.0]}}, "do not make its bins"),
        ({"target": "class", "cuts": {"class": [1.0]}}, "among the cuts"),
    ],
)
def test_a_file_that_holds_no_classifier_gets_a_sentence(
    tmp_path: Path, member: object, message: str
) -> None:
    path = tmp_path / "net.json"
    save_classifier(train({"x": ["a", "b"] * 3, "class": ["n", "y"] * 3}, "class"), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["classifier"] = member
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(FileFormatError, match=message):
        load_classifier(path)


def test_other_endings_are_refused(tmp_path: Path) -> None:
    made = train({"x": ["a", "b"] * 3, "class": ["n", "y"] * 3}, "class")
    with pytest.raises(FileFormatError, match=r"written as \.json"):
        save_classifier(made, tmp_path / "net.bif")
    with pytest.raises(FileFormatError, match=r"read from \.json"):
        load_classifier(tmp_path / "net.bif")
    with pytest.raises(FileFormatError, match="cannot be read"):
        load_classifier(tmp_path / "net.json")


def test_an_ending_that_no_classifier_has_is_answered_with_those_that_it_has() -> None:
    for name in ("z.pkl", "z.bif"):
        with pytest.raises(FileFormatError, match=r"written as \.json or \.json\.gz") as told:
            check_classifier_path(name)
        assert ".xmlbif" not in str(told.value)
