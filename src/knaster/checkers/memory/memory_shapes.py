"""The check of shapes of a program with memory: every step of every shape leads into shapes, and to no target.

From each shape the machine of all runs (`semantics/memory`) takes steps on every input until it stands where the proof
has shapes, at a call or at an exit; lists are unfolded where it looks into them.  What it has become there must be
one of the states that a shape of the proof stands for (`shape_embedding`).  A call must look like the beginning of an
entry, and the caller goes on from every exit of that.  No code of the engine is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.memory.enumerated_inputs import EnumeratedInputs
from knaster.checkers.memory.shape_embedding import stands_for
from knaster.evidence.proofs.memory.memory_shapes import MemoryShapes
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import is_asked, kinds_of, site_kinds, strict_kinds
from knaster.program.model import Location, Place, Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import LEAK, LOST, OVERFLOW, Fault, Stopped, Unclear
from knaster.semantics.memory.shapes.calls import MARK, join_return, split_call
from knaster.semantics.memory.shapes.segments import unfold
from knaster.semantics.memory.shapes.shape import Shape, Unfit
from knaster.semantics.memory.shapes.sleeping_machine import SleepingMachine, Unfold
from knaster.semantics.memory.sites import Sites

STEPS = 4_000_000  # of all runs together
UNSEEN = (LEAK, LOST, OVERFLOW)


def check_memory_shapes(proof: MemoryShapes, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Return where no run of a program reaches a target; else raise `InternalError`."""
    wanted = tuple(targets)
    if any(kind in UNSEEN for target in wanted for kind in kinds_of(target)):
        raise InternalError("shapes do not see overflows, nor what is left in the heap")
    try:
        _Check(proof, program, wanted, budget).check()
    except Unfit as unfit:
        raise InternalError(f"a shape says too little: {unfit}") from None


class _Check:
    """A walk through all entries and their shapes."""

    def __init__(self, proof: MemoryShapes, program: Program, wanted: tuple[Target, ...], budget: Budget) -> None:
        self.codes, self.budget = Codes(program), budget
        self.places = frozenset(target.place for target in wanted if target.has_place)
        self.asked = [target for target in wanted if not target.has_place]
        self.sites, self.listed = Sites(program), site_kinds(wanted)
        self.strict = strict_kinds(wanted)
        self.inputs = EnumeratedInputs()
        self.inputs.vague = True
        self.statics = len(self.codes.layout.objects)
        self.machine: SleepingMachine | None = None
        self.forgotten = dict(proof.forgotten)
        self.entries = [_Entry(rows, self.codes) for rows in proof.entries if rows]
        self.steps = 0

    def check(self) -> None:
        """Check the start, and every shape of every entry."""
        for start in self._starts():
            self._look(start.top.procedure, start.top.location)
            if not self._entries_for(start):
                raise InternalError("a run begins in a state that no shape stands for")
        for entry in self.entries:
            for shape in entry.rows:
                self._look(shape.top.procedure, shape.top.location)
                if shape.top.location != entry.exit:
                    self._go_on(entry, shape)

    def _starts(self) -> Iterator[Shape]:
        while True:
            self.inputs.begin([])
            self.machine = SleepingMachine(self.codes, self.inputs, self.strict)
            yield self.machine.shape()
            if not self.inputs.advance():
                return

    def _entries_for(self, shape: Shape) -> list[_Entry]:
        """Return the entries that begin with a shape that stands for another one."""
        name = shape.top.procedure
        return [entry for entry in self.entries if entry.procedure == name and self._stands_for(entry.rows[0], shape)]

    def _stands_for(self, general: Shape, special: Shape) -> bool:
        return stands_for(general, special, self.codes.code(special.top.procedure).types, self.statics)

    def _go_on(self, entry: _Entry, shape: Shape) -> None:
        """Check all that the states of a shape of an entry can come to, callees that return included."""
        todo = [shape]
        while todo:
            current = todo.pop()
            try:
                reached = list(self._ends_of(entry, current))
            except Unfold as look:
                todo += unfold(current, look.base)
                continue
            for end in reached:
                if len(end.frames) > 1:
                    self._call(entry, end)
                elif not any(self._stands_for(row, end) for row in entry.at(end.top.location)):
                    raise InternalError(f"a step in '{entry.procedure}' leads to a state that no shape stands for")

    def _call(self, entry: _Entry, shape: Shape) -> None:
        """Check what comes after a call: some entry must begin like it, from whose exits the caller stays in shapes."""
        inner, rest = split_call(self._forget(shape), self.statics)
        self._look(inner.top.procedure, inner.top.location)
        why = InternalError(f"'{inner.top.procedure}' is called in a state with which no entry begins")
        for called in self._entries_for(inner):
            try:
                for exit in called.at(called.exit):
                    self._go_on(entry, join_return(rest, exit, self.statics))
                return
            except InternalError as refused:  # another entry may say more of what comes back
                why = refused
        raise why

    def _forget(self, shape: Shape) -> Shape:
        """Return a shape just after a call without what the proof says that the caller does not need."""
        caller, callee = shape.frames
        dead = frozenset(self.forgotten.get((caller.procedure, callee.after), ()))
        if any(name.startswith(MARK) for name in dead):
            raise InternalError("a proof forgets what a caller needs")
        known = tuple([(name, value) for name, value in caller.registers if name not in dead])
        left = caller._replace(registers=known, forgotten=tuple(sorted({*caller.forgotten, *dead})))
        return Shape((left, callee), shape.nodes)

    def _ends_of(self, entry: _Entry, shape: Shape) -> Iterator[Shape]:
        """Yield the shapes of where runs from a shape come to next, on every input."""
        assert self.machine is not None
        self.inputs.digits = []
        while True:
            self.inputs.begin([])
            self.machine.wake(shape)
            if self._run(self.machine, entry):
                yield self.machine.shape()
            if not self.inputs.advance():
                return

    def _run(self, machine: SleepingMachine, entry: _Entry) -> bool:
        """Run a machine to where the proof has shapes, or to a call; tell whether it comes there."""
        try:
            while True:
                self._tick()
                depth = len(machine.frames)
                machine.step()
                frame = machine.frame
                self._look(frame.code.procedure.name, frame.location)
                if len(machine.frames) > depth or (len(machine.frames) == 1 and entry.at(frame.location)):
                    return True
                if len(machine.frames) == 1 and frame.location == entry.exit:
                    return True
        except Stopped:
            return False
        except Fault as fault:
            if any(is_asked(target, fault.kind, fault.span) for target in self.asked):
                raise InternalError(f"an undefined step at line {fault.span.line}: {fault.message}") from None
            self._ensure_listed([*machine.lapses, (fault.kind, fault.span)])
            return False
        except Unclear as unclear:
            raise InternalError(f"it is not clear how a run goes on: {unclear}") from None
        finally:
            self._ensure_listed(machine.lapses)

    def _ensure_listed(self, steps: Iterable[tuple[str, object]]) -> None:
        if why := self.sites.why_unlisted(self.listed, steps):  # type: ignore[arg-type]
            raise InternalError(why)

    def _look(self, procedure: str, location: Location) -> None:
        place: Place = procedure, location
        if place in self.places:
            raise InternalError(f"a shape comes to a target in '{procedure}'")

    def _tick(self) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise OutOfBudget(f"the shapes take more than {STEPS:,} steps")
        if not self.steps % 256:
            self.budget.check()


class _Entry:
    """An entry of a proof: the shapes of one procedure, by location."""

    def __init__(self, rows: tuple[Shape, ...], codes: Codes) -> None:
        self.rows = rows
        self.procedure = rows[0].top.procedure
        self.exit = codes.code(self.procedure).procedure.exit
        if any(len(row.frames) != 1 or row.top.procedure != self.procedure for row in rows):
            raise InternalError("an entry has shapes of several procedures")
        self._rows: dict[Location, list[Shape]] = {}
        for row in rows:
            self._rows.setdefault(row.top.location, []).append(row)

    def at(self, location: Location) -> list[Shape]:
        """Return its shapes at a location."""
        return self._rows.get(location, [])
