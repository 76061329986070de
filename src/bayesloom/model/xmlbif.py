r"""XMLBIF 0.3, the XML form of BIF.

Read is what pgmpy, pyAgrum, Weka and JavaBayes write, with or without an internal DTD. Declared
entities are refused, never expanded. In a table the child varies fastest and the first GIVEN
slowest. Blanks around names and labels do not count.

Written are names and labels as XML text. If one of them has a blank at an end or a character that
does not print (XML holds no control characters), the network carries the property
``bayesloom escapes``, and then every name and label in the file is written with the backslash
escapes of `bayesloom.model.escape`, blanks at an end as ``\u0020``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from xml.parsers import expat

from bayesloom.errors import FileFormatError
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.draft import Draft, FileText, as_numbers, wrong_number
from bayesloom.model.escape import escaped, unescaped

_ESCAPES = "bayesloom escapes"
_WITH_TEXT = frozenset({"NAME", "OUTCOME", "VALUE", "FOR", "GIVEN", "TABLE", "PROPERTY"})
_BLANK = "\\u0020"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<BIF VERSION="0.3">\n<NETWORK>\n'


def read(text: str, path: str) -> BayesNet:
    """Read a network from the text of an XMLBIF file.

    Raises
    ------
    FileFormatError
        If the text is not XML or not a network; the message names line and column.

    Examples
    --------
    >>> text = '''<BIF VERSION="0.3"><NETWORK><NAME>n</NAME><VARIABLE TYPE="nature">
    ... <NAME>rain</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
    ... <DEFINITION><FOR>rain</FOR><TABLE>0.8 0.2</TABLE></DEFINITION></NETWORK></BIF>'''
    >>> read(text, "rain.xml").table("rain")
    array([0.8, 0.2])
    """
    elements = _Elements(FileText(text, path))
    elements.parse()
    draft = Draft(elements.source)
    decode = unescaped if elements.escapes else str
    for variable in elements.variables:
        labels = [decode(label) for label in variable.labels]
        draft.add_variable(decode(_only(draft.source, variable)), labels, variable.offset)
    for table in elements.definitions:
        child = decode(_only(draft.source, table))
        parents = [decode(parent) for parent in table.labels]
        numbers = as_numbers(table.numbers)
        if numbers is None:
            problem = f"{wrong_number(table.numbers)[1]} in the table of {child!r}"
            raise draft.source.error(problem, table.offset)
        draft.add_table(child, parents, numbers, table.offset)
    return draft.finish()


def write(net: BayesNet) -> str:
    """Return the text of an XMLBIF file; probabilities are read back exactly.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["<1", "1+"], [], [0.8, 0.2])})
    >>> "<OUTCOME>&lt;1</OUTCOME>" in write(net)
    True
    """
    texts = [*net.names, *(label for labels in net.states for label in labels)]
    escapes = any(text != text.strip() or not text.isprintable() for text in texts)
    encode = _escaped_text if escapes else _xml_text
    parts = [_HEAD, "<NAME>unknown</NAME>\n"]
    if escapes:
        parts.append(f"<PROPERTY>{_ESCAPES}</PROPERTY>\n")
    for name in net.names:
        parts.append(f'<VARIABLE TYPE="nature">\n  <NAME>{encode(name)}</NAME>\n')
        parts += [f"  <OUTCOME>{encode(label)}</OUTCOME>\n" for label in net.states_of(name)]
        parts.append("</VARIABLE>\n")
    for name in net.names:
        parts.append(f"<DEFINITION>\n  <FOR>{encode(name)}</FOR>\n")
        parts += [f"  <GIVEN>{encode(parent)}</GIVEN>\n" for parent in net.parents(name)]
        rows = net.table(name).reshape(-1, len(net.states_of(name))).tolist()
        listing = "\n    ".join(" ".join(map(repr, row)) for row in rows)
        parts.append(f"  <TABLE>\n    {listing}\n  </TABLE>\n</DEFINITION>\n")
    parts.append("</NETWORK>\n</BIF>\n")
    return "".join(parts)


def _xml_text(text: str) -> str:
    return escape(text, quote=False)


def _escaped_text(text: str) -> str:
    before = len(text) - len(text.lstrip(" "))
    after = len(text.lstrip(" ")) - len(text.strip(" "))
    return _xml_text(_BLANK * before + escaped(text.strip(" ")) + _BLANK * after)


@dataclass(slots=True)
class _Group:
    """A VARIABLE (name and outcomes) or a DEFINITION (child, parents and numbers)."""

    offset: int
    names: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Elements:
    """What the XML parser has met so far."""

    source: FileText
    variables: list[_Group] = field(default_factory=list)
    definitions: list[_Group] = field(default_factory=list)
    escapes: bool = False
    _group: _Group | None = None
    _pieces: list[str] | None = None
    _bytes: bytes = b""
    _place: tuple[int, int] = (0, 0)  # in bytes and in characters
    _parser: expat.XMLParserType = field(default_factory=expat.ParserCreate)

    def parse(self) -> None:
        """Run the XML parser over the text."""
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_undefined
        self._bytes = self.source.text.encode()
        try:
            parser.Parse(self.source.text, True)
        except expat.ExpatError as error:
            problem = f"not well-formed XML: {expat.ErrorString(error.code)}"
            raise FileFormatError(
                problem, self.source.path, error.lineno, error.offset + 1
            ) from None

    def _offset(self) -> int:
        """Return the offset in the text of what the parser is at; it only moves forward."""
        old, offset = self._place
        new = self._parser.CurrentByteIndex
        self._place = (new, offset + len(self._bytes[old:new].decode(errors="ignore")))
        return self._place[1]

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.upper()
        if tag in {"VARIABLE", "DEFINITION", "PROBABILITY"}:
            self._group = _Group(self._offset())
            (self.variables if tag == "VARIABLE" else self.definitions).append(self._group)
            kind = attributes.get("TYPE", "nature")
            if tag == "VARIABLE" and kind.lower() not in {"nature", "discrete"}:
                problem = f"a variable of type {kind!r} is not supported; only 'nature' is"
                raise self.source.error(problem, self._offset())
        elif tag in _WITH_TEXT:
            self._pieces = []
            if tag == "TABLE" and self._group is not None:
                self._group.offset = self._offset()

    def _characters(self, data: str) -> None:
        if self._pieces is not None:
            self._pieces.append(data)

    def _end(self, tag: str) -> None:
        tag = tag.upper()
        if tag in {"VARIABLE", "DEFINITION", "PROBABILITY"}:
            self._group = None
        if tag not in _WITH_TEXT or self._pieces is None:
            return
        text, self._pieces = "".join(self._pieces), None
        group = self._group
        if group is None:
            self.escapes |= tag == "PROPERTY" and text.strip() == _ESCAPES
        elif tag in {"NAME", "FOR"}:
            group.names.append(text.strip())
        elif tag in {"OUTCOME", "VALUE", "GIVEN"}:
            group.labels.append(text.strip())
        elif tag == "TABLE":
            group.numbers += text.replace(",", " ").split()

    def _refuse_entity(self, name: str, *_: object) -> None:
        problem = f"the file declares the entity {name!r}; entities are not read"
        raise self.source.error(problem, self._offset())

    def _refuse_undefined(self, name: str, *_: object) -> None:
        problem = f"the entity {name!r} is not defined; write the character itself"
        raise self.source.error(problem, self._offset())


def _only(source: FileText, group: _Group) -> str:
    if len(group.names) != 1:
        problem = f"expected one name, got {len(group.names)}"
        raise source.error(problem, group.offset)
    return group.names[0]
