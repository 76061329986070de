"""Networks as JSON, in bayesloom's own layout.

One object: ``format`` is "bayesloom network", ``version`` is 1, ``variables`` lists the variables
in node order. Each has ``name``, ``states``, ``parents`` and ``rows``: one list of probabilities
for each configuration of the parents, of which the last varies fastest. JSON holds every label.

A network with numbers has ``version`` 2, so that programs that know tables alone say so. A number
has ``name``, ``parents`` and ``regressions``: one object for each configuration of its category
parents, the last fastest, with ``intercept``, ``coefficients`` by number parent and ``sd``, and
where they are known ``rows`` and ``errors``, the standard errors of intercept and coefficients.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import BayesloomError, FileFormatError
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.draft import Draft, FileText
from bayesloom.model.json_number import add_regressions, described_number

if TYPE_CHECKING:
    from bayesloom.data import Reading

READING = "reading"
"""The further member that tells how the data of a network were read."""

_FORMAT = "bayesloom network"
_VERSION, _WITH_NUMBERS = 1, 2
_MEMBERS = frozenset({"format", "version", "variables"})
_KEYS = frozenset({"name", "states", "parents", "rows"})
_NUMBER_KEYS = frozenset({"name", "parents", "regressions"})


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
    return read_with_members(text, path)[0]


def read_with_members(text: str, path: str) -> tuple[BayesNet, dict[str, object]]:
    """Read a network from JSON text, and the members of the object besides those of the network."""
    source = FileText(text, path)
    content = parse(source, 0)
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        problem = f'expected an object with "format": "{_FORMAT}"'
        raise source.error(problem, 0)
    if content.get("version") not in (_VERSION, _WITH_NUMBERS):
        problem = (
            f"version {content.get('version')!r} is not known; this program reads {_VERSION} and "
            f"{_WITH_NUMBERS}"
        )
        raise source.error(problem, 0)
    variables = content.get("variables")
    if not isinstance(variables, list):
        problem = 'expected "variables" to be a list'
        raise source.error(problem, 0)
    draft = Draft(source)
    for position, variable in enumerate(variables):
        _check_name(source, variable, position)
        with _placed(source, variable["name"]):
            _check_lists(source, variable)
            if "regressions" in variable:
                draft.add_number(variable["name"], None)
            else:
                draft.add_variable(variable["name"], variable["states"], None)
    for variable in variables:
        with _placed(source, variable["name"]):
            if "regressions" in variable:
                add_regressions(draft, variable)
                continue
            numbers = _numbers(source, variable["rows"], len(variable["states"]))
            draft.add_table(variable["name"], variable["parents"], numbers, None)
    further = {key: value for key, value in content.items() if key not in _MEMBERS}
    return draft.finish(), further


def reading_in(further: Mapping[str, object], path: str) -> Reading | None:
    """Return how the data of a network were read, as a further member tells; None if as usual.

    Raises
    ------
    FileFormatError
        If the member is damaged.
    """
    chosen = further.get(READING)
    if chosen is None:
        return None
    from bayesloom.data import Reading

    try:
        return Reading.from_dict(chosen)  # type: ignore[arg-type]
    except BayesloomError as error:
        problem = f'the member "{READING}" is damaged ({error}); learn again'
        raise FileFormatError(problem, path) from None


def write(net: BayesNet, further: Mapping[str, object] | None = None) -> str:
    """Return a network as JSON text, one line per variable; probabilities are read back exactly.

    ``further`` are members of the object besides those of the network, which `read` passes over.

    Examples
    --------
    >>> print(write(BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})))
    {"format": "bayesloom network", "version": 1, "variables": [
    {"name": "rain", "states": ["no", "yes"], "parents": [], "rows": [[0.8, 0.2]]}
    ]}
    <BLANKLINE>
    """
    lines = ",\n".join(
        json.dumps(_described(net, name), ensure_ascii=False, allow_nan=False) for name in net.names
    )
    version = _WITH_NUMBERS if net.numbers else _VERSION
    head = f'{{"format": "{_FORMAT}", "version": {version}, "variables": ['
    members = "".join(
        f", {json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
        for key, value in (further or {}).items()
    )
    return f"{head}\n{lines}\n]{members}}}\n"


def _described(net: BayesNet, name: str) -> dict[str, object]:
    """Return a variable as the object that stands for it."""
    if name in net.numbers:
        return described_number(net, name)
    return {
        "name": name,
        "states": net.states_of(name),
        "parents": net.parents(name),
        "rows": net.table(name).reshape(-1, len(net.states_of(name))).tolist(),
    }


def parse(source: FileText, start: int) -> object:
    """Decode the JSON text of a source from an offset on.

    Raises
    ------
    FileFormatError
        If it is not JSON, is nested too deeply, repeats a key or holds NaN or an infinity.

    Examples
    --------
    >>> parse(FileText('# {"a": 1}', "net.uai"), 2)
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
    except RecursionError:
        problem = "the JSON is nested too deeply"
        raise source.error(problem, start) from None
    except FileFormatError:
        raise
    except ValueError:  # Python refuses to convert thousands of digits
        problem = "the JSON holds a number that is too long"
        raise source.error(problem, start) from None


def _check_name(source: FileText, variable: object, position: int) -> None:
    """Raise unless a variable is an object with the right members and a name."""
    known = isinstance(variable, dict) and "regressions" in variable
    if not isinstance(variable, dict) or not variable.keys() >= (_NUMBER_KEYS if known else _KEYS):
        problem = f"variable {position + 1} must be an object with {', '.join(sorted(_KEYS))}"
        raise source.error(problem)
    if not isinstance(variable["name"], str):
        problem = f"the name of variable {position + 1} must be a text, got {variable['name']!r}"
        raise source.error(problem)


def _check_lists(source: FileText, variable: dict[str, object]) -> None:
    """Raise unless states and parents are lists of texts and the rows are a list."""
    numeric = "regressions" in variable
    for key in ("parents",) if numeric else ("states", "parents"):
        texts = variable[key]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            problem = f'"{key}" of variable {variable["name"]!r} must be a list of texts'
            raise source.error(problem)
    key = "regressions" if numeric else "rows"
    if not isinstance(variable[key], list):
        problem = f'"{key}" of variable {variable["name"]!r} must be a list'
        raise source.error(problem)


def _numbers(source: FileText, rows: list[object], r: int) -> Floats:
    """Return the probabilities of one variable as a flat array."""
    flat: list[float] = []
    for position, row in enumerate(rows):
        if not isinstance(row, list) or {type(value) for value in row} - {int, float}:
            problem = f"row {position + 1} must be a list of numbers"
            raise source.error(problem)
        if len(row) != r:
            problem = f"row {position + 1} needs {r} numbers, got {len(row)}"
            raise source.error(problem)
        flat += row
    try:
        return np.array(flat, dtype=np.float64)
    except OverflowError:
        problem = "a number is too large"
        raise source.error(problem) from None


@contextlib.contextmanager
def _placed(source: FileText, name: str) -> Iterator[None]:
    """Give an error without a place the place where the file names a variable."""
    try:
        yield
    except FileFormatError as error:
        problem = error.problem if repr(name) in error.problem else f"{name!r}: {error.problem}"
        key = rf'"name"\s*:\s*(?:{re.escape(json.dumps(name))}|{re.escape(_plain(name))})'
        match = re.search(key, source.text)
        raise source.error(problem, match.start() if match else None) from None


def _plain(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
