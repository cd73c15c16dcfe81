"""Lock texts: from a program, what its text uses as locks, and where it takes and releases them.

A lock is a truth value that begins with false and that the text mentions in two ways only: `atomic { select { wait(!m)
-> m = true; ... } ... }` takes it, `m = false` releases it.  It is a static; or a field `m.held` of the cell that a
static is made with and always names, where `held` is mentioned of such cells only.  Whether only a thread that holds
it releases it is not to be seen in the text; `discipline` watches that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import Const, Expr, Field, New, Not, Var, postorder
from knaster.program.model import Edge, Procedure
from knaster.program.objects import ClassCell, Join, Store
from knaster.program.types import BOOL
from knaster.views.heap.memory_layout import Layout
from knaster.views.heap.mentions import expressions, mentioned_variables, stored_variables

Point = tuple[int, int]  # a procedure and a location of it


class LockTexts(NamedTuple):
    """Where locks are taken (the test, then the store) and released, each with the lock.

    A lock is the number of its static, or a larger one: `cells` has the static that names the cell, and the field.
    """

    tests: dict[Point, int]
    takes: dict[Point, int]
    releases: dict[Point, int]
    cells: dict[int, tuple[int, str]]

    @property
    def locks(self) -> frozenset[int]:
        """All locks."""
        return frozenset(self.tests.values())

    def without(self, lock: int) -> LockTexts:
        """Return the same with one lock fewer."""
        points = (self.tests, self.takes, self.releases)
        tests, takes, releases = ({at: each for at, each in part.items() if each != lock} for part in points)
        return LockTexts(tests, takes, releases, self.cells)

    def cell_at(self, point: Point, statics: Sequence[Any]) -> int | None:
        """Return the cell whose lock is tested, taken or released at a point; None where it is in none."""
        lock = self.tests.get(point, self.takes.get(point, self.releases.get(point, -1)))
        return statics[self.cells[lock][0]] if lock in self.cells else None


def find_locks(layout: Layout) -> LockTexts:
    """Return the locks of a program."""
    tests: dict[Point, int] = {}
    takes: dict[Point, int] = {}
    releases: dict[Point, int] = {}
    paths = _Paths(layout)
    for number, frame in enumerate(layout.procedures):
        for edge in frame.procedure.edges:
            lock = _tested(paths, edge, frame.procedure)
            if lock is not None:
                tests[number, edge.source] = takes[number, edge.target] = lock
            lock = _stored(paths, edge, False)
            if lock is not None:
                releases[number, edge.source] = lock
    found = LockTexts(tests, takes, releases, paths.cells)
    for lock in found.locks:
        wanted = sum(each == lock for part in (tests, takes, releases) for each in part.values())
        if paths.mentions(lock) != wanted or not paths.begins_free(lock):
            found = found.without(lock)
    held = {at: lock for at, lock in releases.items() if lock in found.locks}
    return LockTexts(found.tests, found.takes, held, paths.cells)


class _Paths:
    """What may be a lock: a static, or a field of the cell that one always names."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.cells: dict[int, tuple[int, str]] = {}
        edges = [edge for frame in layout.procedures for edge in frame.procedure.edges]
        assert layout.program.objects is not None
        self._made = dict(layout.program.objects.statics)
        self._classes = {cell.name: cell for cell in layout.program.objects.cells if isinstance(cell, ClassCell)}
        self._changed = {name for edge in edges for name in stored_variables(edge)}
        self._variables = Counter(name for edge in edges for name in mentioned_variables(edge))
        self._variables.update(_mentioned_by_classes(layout))
        self._fields = Counter(field for edge in edges for field in set(self._fields_in(expressions(edge))))
        self._fields.update(self._fields_in(_initial_values(layout)))

    def lock(self, place: Expr) -> int | None:
        """Return the number of a lock that a place may be."""
        match place:
            case Var(name) if name in self.layout.statics:
                return self.layout.statics[name]
            case Field(Var(name), index, field) if self._is_made_once(name, index, field):
                known = self.layout.statics[name], field
                for lock, cell in self.cells.items():
                    if cell == known:
                        return lock
                self.cells[len(self.layout.statics) + len(self.cells)] = known
                return len(self.layout.statics) + len(self.cells) - 1
        return None

    def _is_made_once(self, name: str, index: int, field: str) -> bool:
        """Tell whether a static names a cell of its own for ever, whose field is false at first."""
        if not self._names_its_own(name):
            return False
        made = self._made[name]
        assert isinstance(made, New)
        own = self._classes[made.cell]
        return own.fields[index] == (field, BOOL) and field not in dict(own.initial)

    def _names_its_own(self, name: str) -> bool:
        """Tell whether a static always names the cell with which it is made, which no other such one names."""
        made = self._made.get(name)
        return isinstance(made, New) and made.cell in self._classes and name not in self._changed

    def _fields_in(self, exprs: Iterable[Expr]) -> Iterator[tuple[str, str]]:
        """Yield the fields that are mentioned, each with the static that names its cell where that is surely known."""
        for node in (node for expr in exprs for node in postorder(expr)):
            if isinstance(node, Field):
                known = isinstance(node.object, Var) and self._names_its_own(node.object.name)
                yield node.object.name if known and isinstance(node.object, Var) else "", node.name

    def mentions(self, lock: int) -> int:
        """Return how many edges mention a lock, or what may be it."""
        if lock not in self.cells:
            return self._variables[self.layout.program.globals[lock]]
        static, field = self.cells[lock]
        return self._fields[self.layout.program.globals[static], field] + self._fields["", field]

    def begins_free(self, lock: int) -> bool:
        """Tell whether nobody holds a lock at the start."""
        return lock in self.cells or self.layout.start[lock] is False


def _initial_values(layout: Layout) -> list[Expr]:
    assert layout.program.objects is not None
    values = [value for _, value in layout.program.objects.statics]
    classes = [cell for cell in layout.program.objects.cells if isinstance(cell, ClassCell)]
    return values + [value for cell in classes for _, value in cell.initial]


def _mentioned_by_classes(layout: Layout) -> list[str]:
    """Return the statics that have an initial value in the text, or are mentioned by one."""
    assert layout.program.objects is not None
    names = [name for name, _ in layout.program.objects.statics]
    names += [node.name for value in _initial_values(layout) for node in postorder(value) if isinstance(node, Var)]
    return [name for name in names if name in layout.statics]


def _tested(paths: _Paths, edge: Edge, procedure: Procedure) -> int | None:
    """Return the lock that an edge waits for, where the next edge takes it in the same atomic region."""
    match edge.action:
        case Join(waits=(Not(place),), receives=()) if edge.keeps and (lock := paths.lock(place)) is not None:
            next_ = procedure.leaving.get(edge.target, ())
            entered = [each for each in procedure.edges if each.target == edge.target]
            alone = len(procedure.leaving[edge.source]) == 1 and len(entered) == 1 and procedure.entry != edge.target
            if alone and len(next_) == 1 and _stored(paths, next_[0], True) == lock:
                return lock
    return None


def _stored(paths: _Paths, edge: Edge, value: bool) -> int | None:
    """Return the lock to which an edge gives a truth value."""
    match edge.action:
        case Store((place,), Const(bool() as stored)) if stored is value:
            return paths.lock(place)
    return None
