"""What functions that print do with memory: the texts that they read, as far as the text of the call says it.

A text in quotes is one that can be read; any other must be looked at when the program runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from knaster.frontends.c.memory.nodes import Decay
from knaster.frontends.c.tree import nodes

FORMATS = {"printf": 0, "fprintf": 1}  # which argument is the format
TEXTS = {"puts": 0, "fputs": 0, "perror": 0}  # which argument is the text
_CONVERSION = re.compile(rb"%[-+ #0']*(\*|\d*)(?:\.(\*|\d*))?(?:hh|h|ll|l|z|j|t|L|q)?(.)", re.DOTALL)


def reads_memory(name: str, arguments: Sequence[Any]) -> bool:
    """Tell whether a function that prints reads or writes memory that its text does not name."""
    if name in TEXTS:
        return not all(_is_text(argument) for argument in arguments[:1])
    if name not in FORMATS or len(arguments) <= FORMATS[name]:
        return False
    format, *values = arguments[FORMATS[name] :]
    if not _is_text(format):
        return True
    kinds = list(_conversions(_inside(format)))
    return any(kind in "sn" and not (at < len(values) and _is_text(values[at])) for at, kind in kinds)


def writes_count(name: str, arguments: Sequence[Any]) -> bool:
    """Tell whether a format in quotes writes how much it has printed (`%n`)."""
    if name not in FORMATS or len(arguments) <= FORMATS[name] or not _is_text(arguments[FORMATS[name]]):
        return False
    return any(kind == "n" for _, kind in _conversions(_inside(arguments[FORMATS[name]])))


def _conversions(text: nodes.Text) -> Iterator[tuple[int, str]]:
    """Yield the conversions of a format: which of the values it takes, and its letter."""
    at = 0
    for match in _CONVERSION.finditer(bytes(text.codes)):
        kind = match[3].decode("latin-1")
        if kind != "%":
            at += match.group(1, 2).count(b"*")
            yield at, kind
            at += 1


def _is_text(node: Any) -> bool:
    return isinstance(_inside(node), nodes.Text)


def _inside(node: Any) -> Any:
    """Return what is converted to a pointer."""
    while isinstance(node, nodes.Convert | Decay):
        node = node.operand
    return node
