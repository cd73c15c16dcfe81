"""Why something is no proof of a program: a reason, and the place that it is about."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


class Refused(Exception):
    """A program text or a proof that is not accepted; `place` says where, such as "'main', line 3"."""

    def __init__(self, reason: str, place: str = "") -> None:
        self.reason = reason
        self.place = place
        super().__init__(f"{place}: {reason}" if place else reason)


class Unsupported(Refused):
    """What the kernel has no check for, or for which something is not installed: nothing is known of the proof."""


def expect(condition: bool, reason: str, place: str = "") -> None:
    """Refuse where a condition does not hold."""
    if not condition:
        raise Refused(reason, place)


def list_of(data: object, what: str, length: int | None = None) -> list[Any]:
    """Return a list, perhaps of a length that it must have."""
    if not isinstance(data, list) or (length is not None and len(data) != length):
        raise Refused(f"{what}: here should be a list" + (f" of {length}" if length is not None else ""))
    return data


def object_with(data: object, fields: Collection[str], what: str) -> dict[str, Any]:
    """Return an object that has just these fields."""
    if not isinstance(data, dict) or data.keys() != set(fields):
        raise Refused(f"{what}: here should be an object with the fields {', '.join(sorted(fields))}")
    return data


def number_of(data: object, what: str, end: int | None = None) -> int:
    """Return a number from 0 on, below `end`."""
    if type(data) is not int or data < 0 or (end is not None and data >= end):
        raise Refused(f"{what}: here should be a number from 0" + (f" to {end - 1}" if end is not None else " on"))
    return data


def text_of(data: object, what: str) -> str:
    """Return a text."""
    if not isinstance(data, str):
        raise Refused(f"{what}: here should be a text")
    return data


def truth_of(data: object, what: str) -> bool:
    """Return a truth value."""
    if not isinstance(data, bool):
        raise Refused(f"{what}: here should be true or false")
    return data
