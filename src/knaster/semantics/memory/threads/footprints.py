"""What a thread may still use, from where it stands: masks of bits, the least solution over procedures.

Each global has a bit for reads and one for writes.  Whatever is reached through pointers has two more: a pointer may
lead to any global whose address is a value somewhere, to the heap, and to locals whose address is one.  What each
thread has of its own is a global, and others reach it through pointers.  Calls through pointers lead anywhere.  A
thread that is started belongs to whoever starts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.program.expression import operands, postorder
from knaster.program.memory import Address, AddressOf, Begin, Invoke, Library, Load, Moved, Store, memory_expressions
from knaster.program.model import Assign, Call, Edge, Location, Procedure, Program, Return, expressions
from knaster.semantics.memory.bits import BITS, OVERFLOWS
from knaster.semantics.memory.threads.operations import THREADS
from knaster.semantics.memory.threads.visible import ALONE, ENDS, FRESH

POINTER_READ, POINTER_WRITE, THREAD, KEY = 1, 2, 4, 8
_FIRST = 4  # bits before those of globals
_ABOUT_THREADS = frozenset(
    ("pthread_create", "thrd_create", "pthread_join", "thrd_join", "pthread_detach", "thrd_detach", "fork_here",
     "pthread_cancel", "pthread_setcancelstate", "pthread_testcancel")
)  # fmt: skip
_KEYS = frozenset(("pthread_key_create", "tss_create"))
_JOINS = ("pthread_join", "thrd_join", "pthread_detach", "thrd_detach", "pthread_cancel")  # the first is a number
_VALUES = {
    "pthread_create": (3,), "thrd_create": (2,), "pthread_setspecific": (1,), "tss_set": (1,), "pthread_exit": (0,),
    "thrd_exit": (0,),
}  # fmt: skip


class Footprints:
    """What the locations of a program may still use."""

    def __init__(self, program: Program) -> None:
        assert program.memory is not None
        self.program = program
        self.names = {declared.name: number for number, declared in enumerate(program.memory.objects)}
        self.taken = frozenset(_taken(program))
        self.met = self.taken & {declared.name for declared in program.memory.objects if declared.per_thread}
        self.everywhere = 0  # what any procedure uses
        self._masks: dict[str, dict[Location, int]] = {procedure.name: {} for procedure in program.procedures}
        self._own = {procedure.name: self._edges(procedure) for procedure in program.procedures}
        self._solve()

    def at(self, procedure: str, location: Location) -> int:
        """Return what may be used from a location on, before its activation ends."""
        return self._masks[procedure].get(location, 0)

    def conflicts(self, name: str | None, writes: bool) -> int:
        """Return what meets a use of a global, or of something else that is shared."""
        mask = 0
        if name is not None:
            first = 1 << _FIRST + 2 * self.names[name]
            mask = 3 * first if writes else 2 * first
            if name not in self.taken:
                return mask
        return mask | (POINTER_READ | POINTER_WRITE if writes else POINTER_WRITE)

    # Edges

    def _edges(self, procedure: Procedure) -> list[tuple[Edge, int, tuple[str, ...] | None]]:
        """Return each edge with what it uses itself, and whom it calls or starts; None for anybody."""
        return [(edge, self._uses(edge, procedure), _callees(edge)) for edge in procedure.edges]

    def _uses(self, edge: Edge, procedure: Procedure) -> int:
        action: Any = edge.action
        mask = self._endings(edge, procedure)
        if isinstance(action, Library):
            return mask | self._library(action, procedure)
        for expr in (*expressions(action), *memory_expressions(action)):
            for node in postorder(expr):
                if isinstance(node, Load):
                    mask |= self._use(node.address, False, procedure)
        if isinstance(action, Store):
            mask |= self._use(action.address, True, procedure)
        return mask

    def _endings(self, edge: Edge, procedure: Procedure) -> int:
        """Return the bits of locals that others may reach and that end with an edge."""
        ending = edge.forgets
        if isinstance(edge.action, Begin):
            ending = (*ending, edge.action.name)
        elif isinstance(edge.action, Return):
            ending = tuple(name for owner, name in self.taken_locals if owner == procedure.name)
        shared = any((procedure.name, name) in self.taken_locals for name in ending)
        return POINTER_READ | POINTER_WRITE if shared else 0

    def _library(self, action: Library, procedure: Procedure) -> int:
        name = action.name
        if name in ENDS and self.taken_locals:
            return POINTER_READ | POINTER_WRITE
        if name in BITS or name in FRESH or name in ALONE:
            return 0
        if name in OVERFLOWS:
            return self._use(action.arguments[2], True, procedure)
        mask = THREAD if name in _ABOUT_THREADS else KEY if name in _KEYS else 0
        for argument in action.arguments[1 if name in _JOINS else 0 :]:
            if not isinstance(_root(argument), Address | int):  # a number, or null: nothing stands there
                mask |= self._use(argument, True, procedure)
        return mask

    def _use(self, address: Any, writes: bool, procedure: Procedure) -> int:
        """Return the bits of a use at an address."""
        root = _root(address)
        pointers = POINTER_READ | POINTER_WRITE if writes else POINTER_READ
        if isinstance(root, AddressOf) and root.name in self.names:
            first = 1 << _FIRST + 2 * self.names[root.name]
            mask = 3 * first if writes else first
            return mask | pointers if root.name in self.met else mask
        if isinstance(root, AddressOf) and (procedure.name, root.name) not in self.taken_locals:
            return 0
        return pointers

    @property
    def taken_locals(self) -> frozenset[tuple[str, str]]:
        """The locals whose address is a value, by procedure."""
        if not hasattr(self, "_taken_locals"):
            self._taken_locals = frozenset(
                (procedure.name, name) for procedure in self.program.procedures for name in _taken_in(procedure)
            )
        return self._taken_locals

    # All procedures

    def _solve(self) -> None:
        """Let masks grow until none does."""
        grows = True
        while grows:
            grows = False
            for name, edges in self._own.items():
                grows = self._pass(name, edges) or grows
            whole = 0
            for masks in self._masks.values():
                for mask in masks.values():
                    whole |= mask
            grows = grows or whole != self.everywhere
            self.everywhere = whole

    def _pass(self, name: str, edges: list[tuple[Edge, int, tuple[str, ...] | None]]) -> bool:
        masks, grew = self._masks[name], False
        changed = True
        while changed:
            changed = False
            for edge, own, callees in reversed(edges):
                mask = own | masks.get(edge.target, 0) | self._called(callees)
                before = masks.get(edge.source, 0)
                if mask | before != before:
                    masks[edge.source] = mask | before
                    changed = grew = True
        return grew

    def _called(self, callees: tuple[str, ...] | None) -> int:
        if callees is None:
            return self.everywhere
        mask = 0
        for name in callees:
            if name in self._masks:
                mask |= self.at(name, self.program.procedure(name).entry)
        return mask


def _root(expr: Any) -> Any:
    """Return what an address is computed from."""
    while isinstance(expr, Moved):
        expr = expr.address
    return getattr(expr, "value", expr) if not isinstance(expr, AddressOf) else expr


def _callees(edge: Edge) -> tuple[str, ...] | None:
    action: Any = edge.action
    match action:
        case Call(procedure):
            return (procedure,)
        case Invoke():
            return None
        case Library("pthread_create" | "thrd_create" as name, arguments):
            function = arguments[2 if name == "pthread_create" else 1]
            return (function.name,) if isinstance(function, AddressOf) else None
        case Library("pthread_key_create" | "tss_create"):
            return None
    return ()


def _taken(program: Program) -> Iterator[str]:
    """Yield the names whose address is a value somewhere."""
    assert program.memory is not None
    for declared in program.memory.objects:
        for _, _, expr in declared.cells:
            yield from (node.name for node in postorder(expr) if isinstance(node, AddressOf))
    for procedure in program.procedures:
        for edge in procedure.edges:
            yield from _values(edge)


def _taken_in(procedure: Procedure) -> Iterator[str]:
    """Yield the names whose address is a value in a procedure; all locals where a thread begins in the middle of it."""
    forks = any(isinstance(edge.action, Library) and edge.action.name == "fork_here" for edge in procedure.edges)
    for edge in procedure.edges:
        yield from _values(edge)
        if forks and isinstance(edge.action, Begin):
            yield edge.action.name


def _values(edge: Edge) -> Iterator[str]:
    """Yield the names whose address an edge makes a value, other than to use what stands there."""
    action: Any = edge.action
    if isinstance(action, Store):
        yield from _inside(action.value)
        yield from _below(action.address)
    elif isinstance(action, Assign):
        for value in action.values:
            yield from _inside(value)
    elif isinstance(action, Library) and action.name in THREADS:
        for number in _VALUES.get(action.name, ()):
            if number < len(action.arguments):
                yield from _inside(action.arguments[number])
    else:
        for expr in (*expressions(action), *memory_expressions(action)):
            yield from _inside(expr)


def _inside(expr: Any) -> Iterator[str]:
    """Yield the names whose address is part of a value; those of loads are only used there."""
    todo = [expr]
    while todo:
        found = todo.pop()
        if isinstance(found, AddressOf):
            yield found.name
        elif isinstance(found, Load):
            yield from _below(found.address)
        else:
            todo += operands(found)


def _below(address: Any) -> Iterator[str]:
    """Yield the names whose address is a value inside an address, but for its root."""
    while isinstance(address, Moved):
        yield from _inside(address.index)
        address = address.address
    if not isinstance(address, AddressOf):
        yield from _inside(address)
