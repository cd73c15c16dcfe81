"""Reads parts of a proof file without trust: whatever is not as it should be raises `ProofError`."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from knaster.base.errors import ProofError

if TYPE_CHECKING:
    from knaster.bdd.nodes import Node
    from knaster.program.types import Value


def node(entry: object) -> Node:
    """Return a node of a decision diagram."""
    parts = numbers(entry)
    expect(len(parts) == 3, "a node has not three parts")
    return parts[0], parts[1], parts[2]


def numbers(entry: object) -> tuple[int, ...]:
    """Return a list of numbers."""
    found = list_of(entry, "numbers")
    expect(all(type(number) is int for number in found), "a number is none")
    return tuple(found)


def names(entry: object) -> frozenset[str]:
    """Return a list of texts, as a set."""
    found = list_of(entry, "names")
    expect(all(isinstance(name, str) for name in found), "a name is none")
    return frozenset(found)


def truths(entry: object) -> tuple[bool, ...]:
    """Return a list of truth values."""
    found = list_of(entry, "truth values")
    expect(all(type(value) is bool for value in found), "a truth value is none")
    return tuple(found)


def list_of(entry: object, what: str) -> list[Any]:
    """Return a list, whatever is in it."""
    expect(isinstance(entry, list), f"where {what} should be there is no list")
    assert isinstance(entry, list)
    return entry


def values(entry: object) -> tuple[Value, ...]:
    """Return a list of values: numbers, truth values, and lists of them."""
    found: list[Value] = []
    for value in list_of(entry, "values"):
        if isinstance(value, list):
            found.append(values(value))
        else:
            expect(type(value) in (bool, int), "a value is no number")
            found.append(value)
    return tuple(found)


def has_keys(entry: object, fields: Collection[str], what: str) -> None:
    """Refuse what is no object with just these fields."""
    expect(
        isinstance(entry, dict) and entry.keys() == set(fields), f"{what} does not have the fields that it should have"
    )


def expect(condition: bool, problem: str) -> None:
    """Refuse a proof where a condition does not hold."""
    if not condition:
        raise ProofError(f"this is no proof: {problem}")
