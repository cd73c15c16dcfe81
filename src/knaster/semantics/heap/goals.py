"""Goals of a search in programs with references: from targets, the places and the kinds of failures to look for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from knaster.program.model import Location, Place
from knaster.semantics.heap.failure import KINDS

ANY = "any"  # the kind of a target that every failure reaches

T = TypeVar("T")


class Goals(Generic[T]):
    """Targets by place (procedure in numbers, location) and by kind of failure."""

    def __init__(self, numbers: Mapping[str, int], targets: Iterable[tuple[T, Place, str]]) -> None:
        self.places: list[dict[Location, list[T]]] = [{} for _ in numbers]
        self.kinds: dict[str, list[T]] = {}
        for target, (procedure, location), kind in targets:
            if procedure:
                self.places[numbers[procedure]].setdefault(location, []).append(target)
                continue
            for each in KINDS if kind == ANY else (kind,):
                self.kinds.setdefault(each, []).append(target)
