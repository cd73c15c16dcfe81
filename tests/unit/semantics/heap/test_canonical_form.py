"""Configurations up to the names of cells and garbage."""

from __future__ import annotations

from knaster.program.types import Reference, Value
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration, Frame


def configuration(first: int, second: int, shared: bool = False, rest: Value = 7) -> Configuration:
    """Return one with two cells of these numbers, the first of which leads to itself or to the second."""
    one, two = Reference("C", first), Reference("C", second)
    garbage = Reference("C", 99)
    heap: dict[Reference, tuple[Value, ...]] = {one: (one if shared else two, rest), two: (None, 0), garbage: (one, 1)}
    return Configuration({"s": one}, heap, [[Frame("main", 0, False, values={"x": two, "n": rest})]])


def test_names_and_garbage_do_not_count() -> None:
    assert canonical(configuration(1, 2)) == canonical(configuration(8, 3))


def test_everything_else_does() -> None:
    usual = canonical(configuration(1, 2))
    assert usual != canonical(configuration(1, 2, shared=True)) and usual != canonical(configuration(1, 2, rest=8))
    assert usual != canonical(configuration(1, 2), choosing=1)
    assert canonical(configuration(1, 2, rest=1)) != canonical(configuration(1, 2, rest=True))
