r"""Quoted text with backslash escapes: how labels that a format cannot hold bare are written.

Within double quotes ``\\`` is a backslash, ``\"`` a quote, ``\n``, ``\r`` and ``\t`` are newline,
return and tab, and ``\uXXXX`` or ``\UXXXXXXXX`` is a character by its hexadecimal number. A
backslash before anything else stands for itself.
"""

from __future__ import annotations

import re

QUOTED = r'"(?:[^"\\]++|\\.)*+"'
"""Regular expression of a quoted text; needs the flag DOTALL."""

_NAMED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LETTERS = {"\\": "\\", '"': '"', "n": "\n", "r": "\r", "t": "\t"}
_ESCAPE = re.compile(r'\\(?:([\\"nrt])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))')
_LARGEST_CODE = 0x10FFFF
_LARGEST_SHORT_CODE = 0xFFFF


def escaped(text: str) -> str:
    r"""Write quotes, backslashes and characters that do not print as escapes.

    Examples
    --------
    >>> print(escaped('a "b"\n'))
    a \"b\"\n
    """
    if text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return "".join(_escape_of(character) for character in text)


def unescaped(text: str) -> str:
    r"""Turn escapes back into the characters they stand for.

    Examples
    --------
    >>> unescaped(r"caf\u00e9 \"x\" \q")
    'café "x" \\q'
    """
    return _ESCAPE.sub(_character_of, text) if "\\" in text else text


def quote(text: str) -> str:
    r"""Return the text in quotes, with escapes.

    Examples
    --------
    >>> print(quote("a,b"), quote('"'))
    "a,b" "\""
    """
    return f'"{escaped(text)}"'


def unquote(text: str) -> str:
    """Return what a quoted text stands for; the reverse of `quote`.

    Examples
    --------
    >>> unquote('"a,b"')
    'a,b'
    """
    return unescaped(text[1:-1])


def _escape_of(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= _LARGEST_SHORT_CODE else f"\\U{code:08x}"


def _character_of(match: re.Match[str]) -> str:
    letter, short, long = match.groups()
    if letter:
        return _LETTERS[letter]
    code = int(short or long, 16)
    return chr(code) if code <= _LARGEST_CODE else match[0]
