"""What functions that print do with their arguments, as far as the text of the call says it: texts and types.

A text in quotes is one that can be read; any other must be looked at when the program runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as Several
from typing import Any

from knaster.frontends.c.memory.nodes import Decay
from knaster.frontends.c.memory.types import Pointer, Sequence
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.frontends.c.tree import nodes
from knaster.program.memory import Floating

FORMATS = {"printf": 0, "fprintf": 1}  # which argument is the format
TEXTS = {"puts": 0, "fputs": 0, "perror": 0}  # which argument is the text
_PRINTS = {**FORMATS, "sprintf": 1, "snprintf": 2, "asprintf": 1, "dprintf": 1}  # likewise, of all that print
_CONVERSION = re.compile(rb"%[-+ #0']*(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|z|j|t|L|q)?(.)", re.DOTALL)
_AS_WIDE_AS_POINTERS, _LONG = ("l", "z", "t"), ("ll", "q", "j", "L")


def reads_memory(name: str, arguments: Several[Any]) -> bool:
    """Tell whether a function that prints reads or writes memory that its text does not name."""
    if name in TEXTS:
        return not all(_is_text(argument) for argument in arguments[:1])
    if name not in FORMATS or len(arguments) <= FORMATS[name]:
        return False
    format, *values = arguments[FORMATS[name] :]
    if not _is_text(format):
        return True
    kinds = list(_conversions(_inside(format)))
    return any(kind in "sn" and not (at < len(values) and _is_text(values[at])) for at, _, kind in kinds)


def writes_count(name: str, arguments: Several[Any]) -> bool:
    """Tell whether a format in quotes writes how much it has printed (`%n`)."""
    if name not in FORMATS or len(arguments) <= FORMATS[name] or not _is_text(arguments[FORMATS[name]]):
        return False
    return any(kind == "n" for _, _, kind in _conversions(_inside(arguments[FORMATS[name]])))


def misfits(name: str, arguments: Several[Any], pointer: int) -> bool:
    """Tell whether an argument is of another type than a format in quotes says, or missing; C leaves that undefined.

    Integers must be as wide as they are said to be, their sign may be another one.  `pointer` is the size of pointers.
    """
    at = _PRINTS.get(name.removeprefix("__builtin_"), len(arguments))
    if len(arguments) <= at or not _is_text(arguments[at]):
        return False
    values = arguments[at + 1 :]
    wanted = list(_wanted_types(_inside(arguments[at]), pointer))
    return len(wanted) > len(values) or any(
        type is not None and _type_of(value) not in (type, None) for type, value in zip(wanted, values, strict=False)
    )


def _wanted_types(text: nodes.Text, pointer: int) -> Iterator[int | str | None]:
    """Yield what a format expects: the width of an integer, "pointer", "floating", or None where that is not known."""
    for stars, size, kind in _all_conversions(text):
        yield from (32,) * stars
        if kind in "diuoxXcC":
            yield 8 * pointer if size in _AS_WIDE_AS_POINTERS and kind not in "cC" else 64 if size in _LONG else 32
        else:
            known: dict[str, str] = {**dict.fromkeys("spnS", "pointer"), **dict.fromkeys("fFeEgGaA", "floating")}
            yield None if size == "L" else known.get(kind)


def _type_of(node: Any) -> int | str | None:
    """Return the type of an argument as a format names it; None where that is not known."""
    match node.type:
        case Integer(width=width):
            return max(32, width)
        case Boolean():
            return 32
        case Pointer() | Sequence():
            return "pointer"
        case Floating():
            return "floating"
    return None


def _conversions(text: nodes.Text) -> Iterator[tuple[int, str, str]]:
    """Yield the conversions of a format: which of the values it takes, the size, and its letter."""
    at = 0
    for stars, size, kind in _all_conversions(text):
        at += stars
        yield at, size, kind
        at += 1


def _all_conversions(text: nodes.Text) -> Iterator[tuple[int, str, str]]:
    """Yield the conversions of a format that take a value: how many stars it has, the size, and its letter."""
    for match in _CONVERSION.finditer(bytes(text.codes)):
        size, kind = (match[3] or b"").decode(), match[4].decode("latin-1")
        if kind not in "%m":
            yield match.group(1, 2).count(b"*"), size, kind


def _is_text(node: Any) -> bool:
    found = _inside(node)
    return isinstance(found, nodes.Text) and found.width == 1


def _inside(node: Any) -> Any:
    """Return what is converted to a pointer."""
    while isinstance(node, nodes.Convert | Decay):
        node = node.operand
    return node
