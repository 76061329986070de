"""Networks as JSON, in bayesloom's own layout.

One object: ``format`` is "bayesloom network", ``version`` is 1, ``variables`` lists the variables
in node order. Each has ``name``, ``states``, ``parents`` and ``rows``: one list of probabilities
for each configuration of the parents, of which the last varies fastest. JSON holds every label.
"""

from __future__ import annotations

import json
import re
from typing import NoReturn

import numpy as np

from bayesloom.errors import BayesloomError
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.draft import Draft, Source
from bayesloom.model.probabilities import Floats

_FORMAT = "bayesloom network"
_VERSION = 1
_KEYS = frozenset({"name", "states", "parents", "rows"})


def read(text: str, path: str) -> BayesNet:
    """Read a network from JSON text.

    Raises
    ------
    FileFormatError
        If the text is not JSON or not a network.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
    >>> read(write(net), "rain.json").table("rain")
    array([0.8, 0.2])
    """
    source = Source(text, path)
    content = parse(source, 0)
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        problem = f'expected an object with "format": "{_FORMAT}"'
        raise source.error(problem, 0)
    if content.get("version") != _VERSION:
        problem = f"version {content.get('version')!r} is not known; this program reads {_VERSION}"
        raise source.error(problem, 0)
    variables = content.get("variables")
    if not isinstance(variables, list):
        problem = 'expected "variables" to be a list'
        raise source.error(problem, 0)
    draft = Draft(source)
    for position, variable in enumerate(variables):
        _check_variable(source, variable, position)
        name = variable["name"]
        draft.add_variable(name, variable["states"], _find(source, name))
    for variable in variables:
        name, parents = variable["name"], variable["parents"]
        offset = _find(source, name)
        numbers = _numbers(source, name, variable["rows"], len(variable["states"]))
        draft.add_table(name, parents, numbers, offset)
    return draft.finish()


def write(net: BayesNet) -> str:
    """Return a network as JSON text, one line per variable; probabilities are read back exactly.

    Examples
    --------
    >>> print(write(BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})))
    {"format": "bayesloom network", "version": 1, "variables": [
    {"name": "rain", "states": ["no", "yes"], "parents": [], "rows": [[0.8, 0.2]]}
    ]}
    <BLANKLINE>
    """
    variables = [
        {
            "name": name,
            "states": net.states_of(name),
            "parents": net.parents(name),
            "rows": net.table(name).reshape(-1, len(net.states_of(name))).tolist(),
        }
        for name in net.names
    ]
    lines = ",\n".join(json.dumps(variable, ensure_ascii=False) for variable in variables)
    head = f'{{"format": "{_FORMAT}", "version": {_VERSION}, "variables": ['
    return f"{head}\n{lines}\n]}}\n"


def parse(source: Source, start: int) -> object:
    """Decode the JSON text of a source from an offset on.

    Raises
    ------
    FileFormatError
        If it is not JSON, is nested too deeply, repeats a key or holds NaN or an infinity.

    Examples
    --------
    >>> parse(Source('# {"a": 1}', "net.uai"), 2)
    {'a': 1}
    """

    def refuse(what: str) -> NoReturn:
        raise source.error(what, start)

    def no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            refuse("an object of the file has the same key twice")
        return found

    decoder = json.JSONDecoder(
        object_pairs_hook=no_repeats,
        parse_constant=lambda text: refuse(f"{text} is not a number that a table can hold"),
    )
    try:
        return decoder.decode(source.text[start:])
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise source.error(problem, start + error.pos) from None
    except (RecursionError, ValueError) as error:
        if isinstance(error, RecursionError):
            raise source.error("the JSON is nested too deeply", start) from None
        if isinstance(error, BayesloomError):
            raise
        raise source.error("the JSON holds a number that is too long", start) from None


def _check_variable(source: Source, variable: object, position: int) -> None:
    """Raise unless a variable is an object with the right members."""
    if not isinstance(variable, dict) or not variable.keys() >= _KEYS:
        problem = f"variable {position + 1} must be an object with {', '.join(sorted(_KEYS))}"
        raise source.error(problem, None)
    if not isinstance(variable["name"], str):
        problem = f"the name of variable {position + 1} must be a text, got {variable['name']!r}"
        raise source.error(problem, None)
    for key in ("states", "parents"):
        texts = variable[key]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            problem = f'"{key}" of variable {variable["name"]!r} must be a list of texts'
            raise source.error(problem, _find(source, variable["name"]))
    if not isinstance(variable["rows"], list):
        problem = f'"rows" of variable {variable["name"]!r} must be a list'
        raise source.error(problem, _find(source, variable["name"]))


def _numbers(source: Source, name: str, rows: list[object], r: int) -> Floats:
    """Return the probabilities of one variable as a flat array."""
    flat: list[float] = []
    for position, row in enumerate(rows):
        if not isinstance(row, list) or {type(value) for value in row} - {int, float}:
            problem = f"row {position + 1} of variable {name!r} must be a list of numbers"
            raise source.error(problem, _find(source, name))
        if len(row) != r:
            problem = f"row {position + 1} of variable {name!r} needs {r} numbers, got {len(row)}"
            raise source.error(problem, _find(source, name))
        flat += row
    try:
        return np.array(flat, dtype=np.float64)
    except OverflowError:
        problem = f"a number of variable {name!r} is too large"
        raise source.error(problem, _find(source, name)) from None


def _find(source: Source, name: str) -> int | None:
    """Return where the object of a variable names it, if that can be told."""
    for text in (json.dumps(name, ensure_ascii=False), json.dumps(name)):
        match = re.search(rf'"name"\s*:\s*{re.escape(text)}', source.text)
        if match is not None:
            return match.start()
    return None
