"""`\\at(e, WHEN)` in expressions of a witness: the same expressions over variables that keep what e was then.

`Old` and `Pre` are the entry of the function; `AnyPrev` is any earlier visit of the place, `LastPrev` the last one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.competition.sequence import NotValidated

_LITERAL = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
WHENS = ("Old", "Pre", "AnyPrev", "LastPrev")


class PastValue(NamedTuple):
    """An expression whose value at an earlier moment is asked for, and the variable that keeps it."""

    variable: str
    expression: str
    when: str
    type: str = ""  # of the variable; empty: that of the expression


def replace_past_values(text: str, prefix: str) -> tuple[str, list[PastValue]]:
    """Return an expression without `\\at`, and what its new variables, whose names have a prefix, stand for."""
    found: dict[tuple[str, str], PastValue] = {}
    plain = _LITERAL.sub(lambda literal: "0" * len(literal.group()), text)  # '\0' is no value, ')' no bracket
    out, place = [], 0
    while (start := plain.find("\\at(", place)) >= 0:
        end = _closing_bracket(plain, start + 3)
        expression, comma, when = text[start + 4 : end].rpartition(",")
        key = expression.strip(), when.strip()
        if not comma or key[1] not in WHENS:
            raise NotValidated(f"'{text[start : end + 1]}' is no value at {', '.join(WHENS)}")
        if "\\" in plain[start + 4 : end]:
            raise NotValidated(f"'{text[start : end + 1]}' has a value of a value")
        past = found.setdefault(key, PastValue(f"{prefix}{len(found)}", *key))
        out += [text[place:start], past.variable]
        place = end + 1
    return "".join([*out, text[place:]]), list(found.values())


def _closing_bracket(text: str, opened: int) -> int:
    depth = 0
    for place in range(opened, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise NotValidated(f"the brackets of '{text}' do not fit")


def declare(past: Sequence[PastValue]) -> str:
    """Return declarations of the variables, without values."""
    return "".join(f"{one.type or f'__typeof__({one.expression})'} {one.variable}; " for one in past)


def assign(past: Sequence[PastValue]) -> str:
    """Return an expression that gives each variable the value that its expression has now."""
    return ", ".join(f"{one.variable} = ({one.expression})" for one in past)
