"""Waiting threads: from a program that starts threads, one whose threads are all there and wait to be started.

A run with K switches lets at most K started threads run, so K of them suffice: a `start_thread` keeps its thread as one
of those, or forgets it.  Which statement started a thread, and with which values, is written into variables that all
threads share; nobody changes them after that.  A thread that nobody has started does not get beyond its first step, and
others cannot run before that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.base.records import dataclass, replace
from knaster.program.expression import TRUE, Expr, Not, Var
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Procedure, Program, ThreadOperation
from knaster.transform.formulae import Fresh, all_of
from knaster.transform.threads.schedules import Slot
from knaster.transform.threads.starts import Start, start_of, started_procedure, starts_of


@dataclass(frozen=True, slots=True)
class WaitingThreads:
    """A program that starts no thread in place of one that does."""

    program: Program
    named: Mapping[str, tuple[str, ...]]  # the procedures that stand for each one of the original program
    midway: frozenset[str]  # those that begin somewhere inside


def add_waiting_threads(program: Program, number: int) -> WaitingThreads:
    """Return a program whose threads do the same within so many switches."""
    kinds = starts_of(program)
    if not kinds:
        named = {procedure.name: (procedure.name,) for procedure in program.procedures}
        return WaitingThreads(program, named, frozenset())
    return _Writer(program, kinds, number).write()


class _Writer:
    """The program that is being written."""

    def __init__(self, program: Program, kinds: list[Start], number: int) -> None:
        fresh = Fresh(program)
        self.original = program
        self.kinds = kinds
        self.copies = {start: fresh.name(f"{start[0]}_from{start[1]}") for start in kinds if start[1] is not None}
        width = max(len(started_procedure(program, start).parameters) for start in kinds)
        self.slots = [
            Slot(
                fresh.number(f"kind{s}", len(kinds)),
                tuple(fresh.name(f"value{s}_{v}") for v in range(width)),
                fresh.name(f"started{s}"),
            )
            for s in range(number)
        ]
        self.threads = [fresh.name(f"started_thread{s}") for s in range(number)]

    def write(self) -> WaitingThreads:
        """Return the whole."""
        program, added = self.original, [name for slot in self.slots for name in _names(slot)]
        named: dict[str, tuple[str, ...]] = {procedure.name: (procedure.name,) for procedure in program.procedures}
        bodies = [self._without_starts(procedure) for procedure in program.procedures]
        for start, name in self.copies.items():
            named[start[0]] += (name,)
            bodies.append(replace(self._without_starts(started_procedure(program, start)), name=name))
        bodies += [self._make_thread(name, slot) for name, slot in zip(self.threads, self.slots, strict=True)]
        whole = replace(
            program,
            globals=(*program.globals, *added),
            procedures=tuple(bodies),
            threads=(*program.threads, *self.threads),
            init=all_of([program.init, *(Not(Var(name)) for name in added)]),
        )
        return WaitingThreads(whole, named, frozenset(self.copies.values()))

    def _without_starts(self, procedure: Procedure) -> Procedure:
        edges: list[Edge] = []
        for edge in procedure.edges:
            action = edge.action
            if isinstance(action, Concurrent) and action.operation is ThreadOperation.START:
                edges += [replace(edge, action=way) for way in self._ways_to_start(procedure, action)]
            else:
                edges.append(edge)
        return replace(procedure, edges=tuple(edges))

    def _ways_to_start(self, procedure: Procedure, action: Concurrent) -> Iterator[Assume | Assign]:
        """Yield the ways to start a thread: forget it, or keep it as the first that nobody has started."""
        start = start_of(procedure, action)
        given: tuple[Expr, ...] = action.arguments
        if start[1] is not None:
            given = tuple(map(Var, started_procedure(self.original, start).parameters))
        yield Assume(TRUE)
        for s, slot in enumerate(self.slots):
            order: list[Expr] = [Not(Var(slot.started)), *([Var(self.slots[s - 1].started)] if s else [])]
            targets = (slot.started, *slot.kind.bits, *slot.values[: len(given)])
            values = (TRUE, *slot.kind.constants(self.kinds.index(start)), *given)
            yield Assign(targets, values, all_of(order))

    def _make_thread(self, name: str, slot: Slot) -> Procedure:
        """Return the procedure of a thread that waits."""
        edges: list[Edge] = []
        for kind, start in enumerate(self.kinds):
            procedure = started_procedure(self.original, start)
            values = tuple(map(Var, slot.values[: len(procedure.parameters)]))
            call = Call(self.copies.get(start, start[0]), values, (None,) * len(procedure.results))
            edges.append(Edge(0, Assume(all_of([Var(slot.started), slot.kind.equals(kind)])), 2 + kind))
            edges.append(Edge(2 + kind, call, 1))
        return Procedure(name, (), (), (), 0, 1, tuple(sorted(edges, key=lambda edge: edge.source)))


def _names(slot: Slot) -> tuple[str, ...]:
    return slot.started, *slot.kind.bits, *slot.values
