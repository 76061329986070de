"""How the data of a network were read, as a comment in formats that have no place for it.

The last line of a file then is a comment with ``bayesloom reading`` and a JSON object, which other
programs pass over. It is written only where data are not read in the usual way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bayesloom.model.draft import FileText
from bayesloom.model.json_file import READING, parse, reading_in

if TYPE_CHECKING:
    from bayesloom.data import Reading

_LINE = re.compile(r"^(?://|%|#|<!--) bayesloom reading (\{.*?\})(?: -->)?\s*\Z", re.MULTILINE)


def with_reading(text: str, comment: str, chosen: Mapping[str, object]) -> str:
    """Return the text of a file with a last line about reading.

    Parameters
    ----------
    text : str
        The text without it.
    comment : str
        A comment of the format, with ``{}`` for what it says.
    chosen : mapping
        The choices, as `Reading.memory` gives them.

    Examples
    --------
    >>> print(with_reading("network x {}", " // {}", {"missing": "drop"}).strip())
    network x {} // bayesloom reading {"missing": "drop"}
    """
    told = json.dumps(chosen).replace("-", r"\u002d")  # two of them would end a comment of XML
    return f"{text}{comment.format(f'bayesloom reading {told}')}\n"


def reading_in_text(text: str, path: str) -> Reading | None:
    """Return how the data of a network were read, as the last line tells; None if it does not.

    Raises
    ------
    FileFormatError
        If the line is damaged.

    Examples
    --------
    >>> reading_in_text('// bayesloom reading {"missing": "drop"}', "net.bif").missing
    'drop'
    """
    found = _LINE.search(text, max(0, len(text) - (1 << 16)))
    if found is None:
        return None
    return reading_in({READING: parse(FileText(found[1], path), 0)}, path)
