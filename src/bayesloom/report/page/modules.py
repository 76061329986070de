"""The scripts of the page in one: ES modules, each in a scope of its own, without a bundler.

The modules keep to a plain form, which `joined` checks: every import is one line of names from a
neighbour, ``import { a, b } from "./other.js";``, and what is exported is a function, a class or a
constant where it is made. A browser that is served the files can load them as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def joined(main: str, text_of: Callable[[str], str]) -> str:
    r"""Return a module and all it imports as one script.

    Parameters
    ----------
    main : str
        The name of the module that starts.
    text_of : callable
        Gives the text of a module by its name.

    Raises
    ------
    ValueError
        If a module is not in the plain form, or modules import each other in a circle.

    Examples
    --------
    >>> texts = {"a": 'import { b } from "./b.js";\nb();', "b": "export function b() {}"}
    >>> print(joined("a", texts.__getitem__))
    "use strict";
    const $b = (() => {
    function b() {}
    return { b };
    })();
    const $a = (() => {
    const { b } = $b;
    b();
    return {  };
    })();
    """
    done: list[str] = []
    parts = ['"use strict";']

    def add(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            msg = f"modules import each other: {' -> '.join([*above, name])}"
            raise ValueError(msg)
        if name in done:
            return
        text = text_of(name)
        for _, other in _IMPORT.findall(text):
            add(other, (*above, name))
        done.append(name)
        parts.append(_scope(name, text))

    add(main, ())
    return "\n".join(parts)


def _scope(name: str, text: str) -> str:
    body = _IMPORT.sub(r"const { \1 } = $\2;", text)
    made = ", ".join(_EXPORT.findall(body))
    body = _EXPORT.sub("", body)
    if (odd := _OTHER.search(body)) is not None:
        msg = f"module {name} has an import or export of another form: {odd.group()}"
        raise ValueError(msg)
    return f"const ${name} = (() => {{\n{body.strip()}\nreturn {{ {made} }};\n}})();"
