"""Lock texts: from a program, the statics that its text uses as locks, and where it takes and releases them.

A lock is a truth value that begins with false and that the text mentions in two ways only: `atomic { select { wait(!m)
-> m = true; ... } ... }` takes it, `m = false` releases it.  Whether only a thread that holds it releases it is not to
be seen in the text; `discipline` watches that.
"""

from __future__ import annotations

from collections import Counter

from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import Const, Not, Var, postorder
from knaster.program.model import Edge, Procedure
from knaster.program.objects import ClassCell, Join, Store
from knaster.views.heap.memory_layout import Layout
from knaster.views.heap.mentions import mentioned_variables

Point = tuple[int, int]  # a procedure and a location of it


class LockTexts(NamedTuple):
    """Where locks are taken (the test, then the store) and released, each with the static that is the lock."""

    tests: dict[Point, int]
    takes: dict[Point, int]
    releases: dict[Point, int]

    @property
    def locks(self) -> frozenset[int]:
        """All locks."""
        return frozenset(self.tests.values())

    def without(self, lock: int) -> LockTexts:
        """Return the same with one lock fewer."""
        return LockTexts(*[{point: each for point, each in part.items() if each != lock} for part in self])


def find_locks(layout: Layout) -> LockTexts:
    """Return the locks of a program."""
    tests: dict[Point, int] = {}
    takes: dict[Point, int] = {}
    releases: dict[Point, int] = {}
    mentions = Counter(layout.statics[name] for name in _mentioned_by_classes(layout))
    for number, frame in enumerate(layout.procedures):
        for edge in frame.procedure.edges:
            mentions.update(layout.statics[name] for name in mentioned_variables(edge) if name in layout.statics)
            lock = _tested(layout, edge, frame.procedure)
            if lock is not None:
                tests[number, edge.source] = takes[number, edge.target] = lock
            lock = _stored(layout, edge, False)
            if lock is not None:
                releases[number, edge.source] = lock
    found = LockTexts(tests, takes, releases)
    for lock in found.locks:
        wanted = sum(each == lock for part in (tests, takes, releases) for each in part.values())
        if mentions[lock] != wanted or layout.start[lock] is not False:
            found = found.without(lock)
    return LockTexts(found.tests, found.takes, {at: lock for at, lock in releases.items() if lock in found.locks})


def _mentioned_by_classes(layout: Layout) -> list[str]:
    """Return the statics that have an initial value in the text, or are mentioned by one."""
    assert layout.program.objects is not None
    values = [value for _, value in layout.program.objects.statics]
    values += [
        value for cell in layout.program.objects.cells if isinstance(cell, ClassCell) for _, value in cell.initial
    ]
    names = [name for name, _ in layout.program.objects.statics]
    names += [node.name for value in values for node in postorder(value) if isinstance(node, Var)]
    return [name for name in names if name in layout.statics]


def _tested(layout: Layout, edge: Edge, procedure: Procedure) -> int | None:
    """Return the lock that an edge waits for, where the next edge takes it in the same atomic region."""
    match edge.action:
        case Join(waits=(Not(Var(name)),), receives=()) if edge.keeps and name in layout.statics:
            next_ = procedure.leaving.get(edge.target, ())
            entered = [each for each in procedure.edges if each.target == edge.target]
            alone = len(procedure.leaving[edge.source]) == 1 and len(entered) == 1 and procedure.entry != edge.target
            if alone and len(next_) == 1 and _stored(layout, next_[0], True) == layout.statics[name]:
                return layout.statics[name]
    return None


def _stored(layout: Layout, edge: Edge, value: bool) -> int | None:
    """Return the static to which an edge gives a truth value."""
    match edge.action:
        case Store((Var(name),), Const(bool() as stored)) if stored is value and name in layout.statics:
            return layout.statics[name]
    return None
