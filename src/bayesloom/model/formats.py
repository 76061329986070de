"""The formats of network files: one list for loading, saving, help texts and tests."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from bayesloom.errors import FileFormatError, ModelError, OptionError, check_kind

if TYPE_CHECKING:
    from bayesloom.model.bayes_net import BayesNet


class Codec(Protocol):
    """What the module of a format has: a reader and a writer of its text."""

    def read(self, text: str, path: str) -> BayesNet:
        """Read a network from the text of a file that the user calls ``path``."""

    def write(self, net: BayesNet) -> str:
        """Return the text of a file that holds a network."""


class Format(NamedTuple):
    """A format of network files.

    Parameters
    ----------
    name : str
        What it is called.
    endings : tuple of str
        The endings of its files, the usual one first; each also with ``.gz``.
    module : str
        The module of `bayesloom.model` that reads and writes it.
    help : str
        Which programs write it, or what it keeps.
    comment : str
        A comment, with ``{}`` for what it says; empty if the format has none.
    own : Codec, optional
        Who reads and writes a format that comes from outside the package.
    numbers : bool
        Whether it has a place for numbers and their regressions.
    """

    name: str
    endings: tuple[str, ...]
    module: str
    help: str
    comment: str = ""
    own: Codec | None = None
    numbers: bool = False

    @property
    def codec(self) -> Codec:
        """The module that reads and writes the format, imported when it is first asked for."""
        if self.own is not None:
            return self.own
        return cast("Codec", import_module(f"bayesloom.model.{self.module}"))

    def text_of(self, net: BayesNet) -> str:
        """Return the text of a file that holds a network.

        Raises
        ------
        ModelError
            If the network has numbers and the format has no place for them.
        """
        if net.numbers:
            self.check_numbers(net.numbers[0])
        return self.codec.write(net)

    def check_numbers(self, number: str) -> None:
        """Refuse a network that has a number if the format has no place for it."""
        if self.numbers:
            return
        able = " and ".join(f"{kind.endings[0]} ({kind.name})" for kind in FORMATS if kind.numbers)
        msg = f"{self.name} files have no place for numbers such as {number!r}; {able} files do"
        raise ModelError(msg)


BIF = Format("BIF", (".bif",), "bif", "R bnlearn, pgmpy, pyAgrum, JavaBayes", "// {}")
JSON = Format(
    "JSON",
    (".json",),
    "json_file",
    "bayesloom's own; keeps how a network was learned",
    numbers=True,
)

FORMATS = (
    BIF,
    Format(
        "XMLBIF",
        (".xml", ".xmlbif", ".bifxml"),
        "xmlbif",
        "Weka, pgmpy, pyAgrum (`.bifxml`), JavaBayes",
        "<!-- {} -->",
    ),
    Format(
        "Hugin", (".net",), "hugin", "Hugin, GeNIe, R bnlearn, pgmpy, pyAgrum", "% {}", numbers=True
    ),
    Format(
        "UAI",
        (".uai",),
        "uai",
        "the inference competitions, whose definition it follows; numbers only, names in a "
        "comment; pyAgrum and pgmpy read its tables in another order",
        "# {}",
    ),
    JSON,
)
"""Every format; a new one is a module, a line here and, for what only it has, a test file.

One from outside the package is a class that `bayesloom.register` is told of."""

ENDINGS = {ending: kind for kind in FORMATS for ending in kind.endings}
"""The format of each ending."""


class _OwnCodec(NamedTuple):
    """A format from outside, whose answers are looked at."""

    name: str
    codec: Codec

    def read(self, text: str, path: str) -> BayesNet:
        from bayesloom.model.bayes_net import BayesNet

        net = self.codec.read(text, path)
        check_kind(f"what the format {self.name} reads", net, BayesNet, "a BayesNet")
        return net

    def write(self, net: BayesNet) -> str:
        text = self.codec.write(net)
        check_kind(f"what the format {self.name} writes", text, str, "a text")
        return text


def every_ending() -> dict[str, Format]:
    """Return the format of each ending, also of formats that were registered.

    Raises
    ------
    OptionError
        If a format was registered for an ending that is taken or is none.
    """
    from bayesloom.registry import NETWORK_FILES

    known = dict(ENDINGS)
    for name in NETWORK_FILES.names():
        kind = NETWORK_FILES[name]
        endings = tuple(getattr(kind, "endings", ()))
        for ending in endings:
            if not isinstance(ending, str) or not ending.startswith(".") or ending in known:
                msg = f"the format {name} cannot have the ending {ending!r}; choose one of its own"
                raise OptionError(msg)
            if not callable(getattr(kind, "read", None)):
                msg = f"the format {name} has no method read(text, path); give it one"
                raise OptionError(msg)
            comment, own = getattr(kind, "comment", ""), _OwnCodec(name, kind())
            known[ending] = Format(name, endings, "", kind.__doc__ or "", comment, own)
    return known


def format_of(name: str) -> Format:
    """Return the format that a file name asks for.

    Raises
    ------
    FileFormatError
        If the ending is not known.

    Examples
    --------
    >>> format_of("net.xml.gz").name
    'XMLBIF'
    >>> format_of("net.doc")
    Traceback (most recent call last):
    bayesloom.errors.FileFormatError: net.doc: unknown ending '.doc'; network files end in .bif, \
.xml, .xmlbif, .bifxml, .net, .uai, .json, each also with .gz
    """
    ending = os.path.splitext(name.lower().removesuffix(".gz"))[1]  # noqa: PTH122 - pathlib is slow
    if ending in ENDINGS:
        return ENDINGS[ending]
    every = every_ending()
    if ending not in every:
        known = ", ".join(every)
        problem = f"unknown ending {ending!r}; network files end in {known}, each also with .gz"
        raise FileFormatError(problem, name)
    return every[ending]


def format_list() -> str:
    """Return the formats for a help text.

    Examples
    --------
    >>> format_list()
    '.bif (BIF), .xml (XMLBIF), .net (Hugin), .uai (UAI) or .json (JSON), each also with .gz'
    """
    *most, last = (f"{kind.endings[0]} ({kind.name})" for kind in FORMATS)
    return f"{', '.join(most)} or {last}, each also with .gz"
