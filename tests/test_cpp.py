"""What the compiler does not check: one name, one meaning, in all native sources."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

CPP = Path(__file__).parents[1] / "cpp"
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?! *;)", re.MULTILINE)


def test_no_two_files_give_one_name_to_different_types() -> None:
    """The linker would take the functions of one for those of the other."""
    found = defaultdict(set)
    for file in [*CPP.glob("*.hpp"), *CPP.glob("*.cpp")]:
        for name in TYPE.findall(file.read_text(encoding="utf-8")):
            found[name].add(file.name)
    assert len(found) > 20
    assert {name: files for name, files in found.items() if len(files) > 1} == {}
