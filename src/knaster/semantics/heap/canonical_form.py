"""Canonical forms: from a configuration with a heap, one value for all that differ in the names of cells alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from knaster.program.types import Reference, Value
from knaster.semantics.heap.configuration import Configuration


def canonical(configuration: Configuration, choosing: int = 0) -> Hashable:
    """Return the same for all configurations that differ in the names of cells and in garbage only."""
    numbers: dict[Reference, int] = {}
    order: list[Reference] = []

    def spell(value: Value) -> Hashable:
        if isinstance(value, Reference):
            if value not in numbers:
                numbers[value] = len(order)
                order.append(value)
            return "cell", numbers[value]
        if value is None or isinstance(value, int):
            return type(value).__name__, value
        return tuple([spell(part) for part in value])

    statics = tuple(spell(value) for value in configuration.statics.values())
    threads = tuple(
        tuple(
            (frame.procedure, frame.location, frame.base, tuple(spell(value) for value in frame.values.values()))
            for frame in frames
        )
        for frames in configuration.threads
    )
    cells = tuple(_cells(configuration, order, spell))
    return choosing, statics, threads, cells


def _cells(configuration: Configuration, order: list[Reference], spell: object) -> Iterator[Hashable]:
    """Yield the cells in the order in which they are met, which grows meanwhile."""
    assert callable(spell)
    for reference in order:
        yield reference.target, tuple(spell(value) for value in configuration.heap[reference])
