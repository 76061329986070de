"""The pictures on the pages of the systems are what the rows of these pages give."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import bayesloom as bl
from shell import ROOT

FOLDER = ROOT / "docs" / "systems"
SMOKE = {
    "smoke": ["no"] * 50 + ["yes"] * 50,
    "cough": ["no"] * 30 + ["yes"] * 20 + ["no"] * 20 + ["yes"] * 30,
}
SIXTEEN = {
    "A": list("0000000011111111"),
    "B": list("0000001100111111"),
    "C": list("0000011011111100"),
}
PARITY = {"X": ["0", "0", "1", "1"] * 25, "Y": ["0", "1"] * 50, "Z": ["0", "1", "1", "0"] * 25}
ILL = {
    "ill": ["yes"] * 8 + ["no"] * 8,
    "A": list("1111110011000000"),
    "B": list("1111110011000000"),
    "C": list("01") * 8,
}
DRAWN: dict[str, Callable[[], bl.Network]] = {
    "imap": lambda: bl.learn(SMOKE, bl.IGES(score=bl.BIC())),
    "chow-liu": lambda: bl.learn(SIXTEEN, bl.ChowLiu()),
    "parity": lambda: bl.learn(PARITY, bl.DMN(lookahead=3)),
    "tan": lambda: bl.learn(ILL, bl.TAN("ill")),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_what_the_rows_of_its_page_give(name: str) -> None:
    drawn = str(DRAWN[name]().plot())
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8").strip() == drawn.strip()
