"""Text to tokens; what a word means in the language, and what is refused by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

from knaster.base.errors import Problem
from knaster.frontends.text.tokens import Tokens

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_TOKEN = re.compile(
    rf'({_NAME}|0[xX][0-9A-Fa-f]+|[0-9]+\.[0-9]+|[0-9]+|@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"'
    r"|&&|\|\||==|!=|<=|>=|<<|>>|->|\.\.|[-+*/%&|^~!<>=()\[\]{},;:.])"
)
_COMMENT = re.compile(r'(@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/|/\*.*', re.DOTALL)
_VISIBLE = re.compile(r"[^\n]")

_WORDS = (
    "activate atomic assume assert accept async array byte bool choose class chan decimal double event enum else end "
    "foreach float first false goto invokescheduler invokeplugin interface int in if long null new object out receive "
    "return range raise struct string static sizeof select short sbyte send self set timeout typeof trace true this "
    "try ushort ulong uint visible void while with wait yield"
)
KEYWORDS = frozenset(_WORDS.split())

_NUMBERS = "the only numbers are 'int' (32 bits), 'range' and 'enum'"
REFUSED: Mapping[str, str] = {
    "event": "events have no effect on safety: delete the statement",
    "accept": "acceptance has no effect on safety: delete the statement",
    "invokescheduler": "schedulers are not modelled: delete the statement",
    "invokeplugin": "plug-ins are not run: model what it does, or delete the statement",
    "typeof": "compare references, or keep an enum field that tells the classes apart",
    "float": _NUMBERS,
    "double": _NUMBERS,
    "decimal": _NUMBERS,
    "long": _NUMBERS,
    "ulong": _NUMBERS,
    "uint": _NUMBERS,
    "short": _NUMBERS,
    "ushort": _NUMBERS,
    "byte": _NUMBERS,
    "sbyte": _NUMBERS,
    "string": "strings are no values: use an enum",
}
"""Words of Zing that are not read, and what to do instead."""


def is_name(token: str) -> bool:
    """Tell whether a token can name something."""
    return token[:1].isidentifier() and token not in KEYWORDS


def is_text(token: str) -> bool:
    """Tell whether a token is a string."""
    return token.startswith(('"', '@"'))


def text_of(token: str) -> str:
    """Return what a string says."""
    if token.startswith("@"):
        return token[2:-1].replace('""', '"')
    escapes = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
    return re.sub(r"\\(.)", lambda match: escapes.get(match.group(1), match.group(1)), token[1:-1])


def tokenize(text: str, problems: list[Problem]) -> Tokens:
    """Return the tokens of `text`; report what is no token and drop it.  Lines end with a line feed."""
    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    plain = _COMMENT.sub(lambda match: _blank(match, text, lines, problems), text)
    parts = _TOKEN.split(plain)
    offsets = list(accumulate(map(len, parts), initial=0))[1::2]
    between = "".join(parts[0::2])
    if between and not between.isspace():
        _report_strangers(parts, lines, problems)
    return Tokens([*parts[1::2], "", "", "", ""], offsets, lines, frozenset())


def _blank(match: re.Match[str], text: str, lines: Sequence[int], problems: list[Problem]) -> str:
    found = match.group()
    if match.group(1) is not None:
        return found
    if found.startswith("/*") and (len(found) < 4 or not found.endswith("*/")):
        span = Tokens([found[:2]], [match.start()], lines, frozenset()).span(0)
        problems.append(Problem("this comment does not end", span, "close it with */"))
    return _VISIBLE.sub(" ", found)


def _report_strangers(parts: Sequence[str], lines: Sequence[int], problems: list[Problem]) -> None:
    offset = 0
    for index, part in enumerate(parts):
        if index % 2 == 0 and part and not part.isspace():
            start = offset + len(part) - len(part.lstrip())
            found = part.strip().split()[0]
            span = Tokens([found], [start], lines, frozenset()).span(0)
            what = "this string does not end" if found.startswith(('"', '@"')) else f"{found[:20]!r} is no part of Zing"
            problems.append(Problem(what, span))
        offset += len(part)
