"""The places from which runs of a small model with references come to a failure, by its interpreter alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from knaster.program.model import Place, Program
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.failure import Fails
from knaster.semantics.heap.interpreter import FailedAssume, Machine

FAILED: Hashable = "failed"


def places_to_failures(program: Program, limit: int) -> set[Place] | None:
    """Return where a thread stands that takes a step on a run that fails; None beyond so many configurations."""
    machine = Machine(program)
    before: dict[Hashable, list[tuple[Hashable, Place]]] = {FAILED: []}
    todo: list[tuple[Hashable, Configuration, int]] = []

    def reach(here: Configuration, inside: int) -> Hashable:
        key = canonical(here, inside)
        if key not in before:
            before[key] = []
            todo.append((key, here, inside))
        return key

    reach(machine.start(), 0)
    failing: set[Hashable] = {FAILED}
    while todo:
        if len(before) > limit:
            return None
        key, here, inside = todo.pop()
        if not inside and machine.stuck(here) is not None:
            failing.add(key)
            continue
        for place, after, then in _steps(machine, here, inside):
            before[FAILED if after is None else reach(after, then)].append((key, place))
    return _places_back(before, failing)


def _places_back(before: dict[Hashable, list[tuple[Hashable, Place]]], goals: set[Hashable]) -> set[Place]:
    seen, todo, places = set(goals), list(goals), set[Place]()
    while todo:
        for origin, place in before[todo.pop()]:
            places.add(place)
            if origin not in seen:
                seen.add(origin)
                todo.append(origin)
    return places


def _steps(machine: Machine, here: Configuration, inside: int) -> Iterator[tuple[Place, Configuration | None, int]]:
    """Yield where a thread stands, and where a step of it leads (None: it fails) and whose region that is inside."""
    for thread in [inside] if inside else range(1, len(here.threads) + 1):
        if not inside and not machine.runnable(here, thread):
            continue
        frame = here.threads[thread - 1][-1]
        place = (frame.procedure, frame.location)
        try:
            count = len(machine.alternatives(here, thread))
        except Fails:
            yield place, None, 0
            continue
        for alternative in range(count):
            after = here.copy()
            try:
                event = machine.step(after, thread, alternative)
            except FailedAssume:
                continue
            except Fails:
                yield place, None, 0
                continue
            if machine.failure_of(after, thread) is not None:
                yield place, None, 0
            else:
                yield place, after, thread if event.keeps else 0
