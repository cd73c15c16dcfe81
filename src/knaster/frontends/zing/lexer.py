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
    "accept activate array assert assume async atomic bool byte chan choose class decimal double else end enum event "
    "false first float foreach goto if in int interface invokeplugin invokesched invokescheduler long new null object "
    "out raise range receive return sbyte select self send set short sizeof static string struct this timeout trace "
    "true try typeof uint ulong ushort visible void wait while with yield "
)
KEYWORDS = frozenset(_WORDS.split())

_NUMBERS = "numbers are whole: 'int' (32 bits), 'long' (64 bits), 'byte', 'short', 'range' and 'enum'"
_UNSIGNED = "write 'long', which holds every 'uint', and say with an assert what must not be negative"
_SCHEDULER = "every schedule is looked at; delete the statement, or bound them with --switches, --delays, --preemptions"
REFUSED: Mapping[str, str] = {
    "invokescheduler": _SCHEDULER,
    "invokesched": _SCHEDULER,
    "invokeplugin": "plug-ins are not run: write a method that does what it does, with 'choose' where you do not know",
    "typeof": "compare references, or keep an enum field that tells the classes apart",
    "float": _NUMBERS,
    "double": _NUMBERS,
    "decimal": _NUMBERS,
    "ulong": _UNSIGNED,
    "uint": _UNSIGNED,
    "string": "strings are no values: use an enum; in 'trace' and 'assert' they are read",
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
