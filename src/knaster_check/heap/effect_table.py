"""The check of a table of effects: it contains all that can happen in one thread, one path at a time.

The start looks like the first root.  Each root has the row in which its procedure begins; each step from a row leads to
a row, or to the end, of which there is an effect; each call looks like the root that it names, and each effect of that
leads to a row again; no step fails in a way, and nobody stands at a place, that is excluded.  A root stands for every
call that agrees with it where its entry is known, so no step may read what is not; and it says which cells others may
use later, so a row may be silent about cells that nobody reaches.

S. Qadeer and S. Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), sections 4 to 6.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from knaster_check.heap.excluded import Excluded
from knaster_check.heap.form import Form
from knaster_check.heap.machine import Machine
from knaster_check.heap.matching import Effect, Path, Root, apply_effect, held_outside, match_root
from knaster_check.heap.memory import Fails, Frame, Memory, Vanishes
from knaster_check.heap.regions import Outcome, Regions
from knaster_check.heap.rows import Rows, read_cells, read_slots
from knaster_check.program import Call, Join, Program, Raise, Reference, Return, Target, Value
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with, text_of, truth_of
from knaster_check.table import Tick, Verdict

_ROOT = ("procedure", "base", "formals", "statics", "cells", "held", "paths", "effects")


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no target is reached."""
    expect(program.kind == "references", "it has a table, and the program has no references")
    expect(bool(targets) and len(program.threads) == 1, "it is not about this program")
    rows = list_of(object_with(document["table"], ("roots",), "'table'")["roots"], "roots")
    try:
        roots = [read_root(program, row, len(rows)) for row in rows]
        machine, excluded, regions = Machine(program, tick), Excluded(targets), Regions()
        start = machine.start()
        expect(
            bool(roots) and (roots[0].procedure.name, roots[0].base) == (program.threads[0], False),
            "it begins elsewhere",
        )
        expect(match_root(roots[0], (), start) is not None, "the start is not in the table")
        calls = [Calls(roots, number, machine, excluded, regions) for number in range(len(roots))]
        for call in calls:
            for number in range(len(call.root.paths)):
                tick()
                call.expand(number)
    except RecursionError:
        raise Unsupported("an expression is too deep") from None
    if "endless-atomic" in excluded.kinds and regions.never_end():
        excluded.fail("endless-atomic")
    return Verdict("unreachable", targets, None, {"paths expanded": sum(len(root.paths) for root in roots)})


def read_root(program: Program, data: object, roots: int) -> Root:
    """Return a call of the file; every value has its type."""
    row = object_with(data, _ROOT, "a root")
    name = text_of(row["procedure"], "a root")
    expect(name in program.procedures, f"there is no procedure '{name}'")
    procedure, cells = program.procedures[name], read_cells(row["cells"])
    held = None if row["held"] is None else read_slots(row["held"])
    expect(all(isinstance(cell, Reference) and cell in cells for cell in held or ()), "what is held is no cell")
    entry = Rows(program, cells, held is None)
    formals, statics = read_slots(row["formals"]), read_slots(row["statics"])
    entry.expect_types(formals, [procedure.types[each] for each in procedure.parameters], f"a call of '{name}'")
    entry.statics(statics)
    paths, effects = [], []
    for one in list_of(row["paths"], "paths"):
        location, inside, values, now, changed, callee = list_of(one, "a path", 6)
        expect(callee == -1 or number_of(callee, "a root", roots) >= 0, "a call has a root that is none")
        path = Path(
            location, truth_of(inside, "a path"), read_slots(values), read_slots(now), read_cells(changed), callee
        )
        own = Rows(program, {**cells, **path.changed}, held is None)
        own.statics(path.statics)
        own.make_frame(name, location, row["base"], path.values)
        paths.append(path)
    for one in list_of(row["effects"], "effects"):
        results, exception, now, changed = list_of(one, "an effect", 4)
        raised = None if exception is None else text_of(exception, "an effect")
        effect = Effect(read_slots(results), raised, read_slots(now), read_cells(changed))
        own = Rows(program, {**cells, **effect.changed}, held is None)
        own.statics(effect.statics)
        types = [procedure.types[each] for each in procedure.results] if raised is None else []
        own.expect_types(effect.results, types, f"an effect of '{name}'")
        effects.append(effect)
    base = truth_of(row["base"], "a root")
    return Root(procedure, base, formals, statics, cells, held, tuple(paths), tuple(effects))


class Calls:
    """One root under examination."""

    def __init__(
        self, roots: Sequence[Root], number: int, machine: Machine, excluded: Excluded, regions: Regions
    ) -> None:
        self.roots, self.number, self.root = roots, number, roots[number]
        self.machine, self.excluded, self.regions = machine, excluded, regions
        root = self.root
        self.rows = {self._key(path.inside, self.memory(path)): index for index, path in enumerate(root.paths)}
        self.effects: dict[Hashable, int] = {}
        for index, effect in enumerate(root.effects):
            memory = self._memory(effect.statics, effect.changed, [])
            self.effects[self._effect_key(effect.results, effect.exception, memory)] = index
        frame = machine.frame(root.procedure.name, root.formals, root.base)
        first = self.rows.get(self._key(root.base, self._memory(root.statics, {}, [frame])))
        if first is None:
            raise Refused(f"a call of '{root.procedure.name}' does not begin in the table")
        regions.firsts[number] = first

    def memory(self, path: Path) -> Memory:
        """Return a row as the interpreter knows it."""
        procedure = self.root.procedure
        values = dict(zip(procedure.parameters + procedure.locals, path.values, strict=True))
        return self._memory(path.statics, path.changed, [Frame(procedure, path.location, self.root.base, values)])

    def _memory(self, statics: Sequence[Value], changed: Mapping[Reference, Any], frames: list[Frame]) -> Memory:
        cells = {**self.root.cells, **changed}
        largest = max((cell.number for cell in cells), default=0)
        return Memory(dict(zip(self.machine.program.types, statics, strict=True)), cells, [frames], largest)

    def _key(self, inside: bool, memory: Memory) -> Hashable:
        """Return the same for all paths that nobody can tell apart from here on."""
        (frame,) = memory.threads[0]
        form = Form(memory.heap, self.root.cells)
        return frame.location, inside, form.frame(frame), self._rest(form, memory)

    def _effect_key(self, results: Sequence[Value], exception: str | None, memory: Memory) -> Hashable:
        form = Form(memory.heap, self.root.cells)
        return exception, tuple(form.spell(value) for value in results), self._rest(form, memory)

    def _rest(self, form: Form, memory: Memory) -> Hashable:
        """Return the statics, and all cells that anybody can reach."""
        found = tuple(form.spell(value) for value in memory.statics.values())
        for cell in self.root.held if self.root.held is not None else self.root.cells:
            form.spell(cell)
        return found, form.cells()

    def expand(self, index: int) -> None:
        """Check every step from a row."""
        path = self.root.paths[index]
        memory = self.memory(path)
        if isinstance(self.machine.edges(memory.threads[0][-1])[0].action, Call):
            self.call(index)
            return
        number = self.alternatives(memory, path.inside)
        for alternative in range(number):
            found = self.walk(self.memory(path), path.inside, alternative)
            if number == 1 and found is not None and found.kept:
                self.regions.after[self.number, index] = found

    def alternatives(self, memory: Memory, inside: bool) -> int:
        """Return how many alternatives the next step has; 0 where there is no next step."""
        try:
            return len(self.machine.alternatives(memory, 1))
        except Fails as fails:
            join = self.machine.edges(memory.threads[0][-1])[0].action
            waits = fails.kind == "blocked-select" and not inside
            if not (waits and isinstance(join, Join) and join.may_end):
                self.excluded.fail("deadlock" if waits else fails.kind)
            return 0

    def walk(self, memory: Memory, inside: bool, chosen: int | None) -> Outcome | None:
        """Go on to the next row or to the end; say which, and whether nobody else could run meanwhile.

        `chosen` is the alternative of the first step, from a row; None where the walk begins between rows.
        """
        kept = True
        for _ in range(self.root.procedure.size + 2):
            (frame,) = memory.threads[0]
            self.excluded.stand(frame)
            if self.machine.has_failed(memory, 1):
                self.excluded.fail("assertion")
                return None
            row = self.rows.get(self._key(inside, memory)) if chosen is None else None
            if row is not None:
                return Outcome(True, row, kept)
            try:
                match self.machine.edges(frame)[0].action:
                    case Return(values):
                        evaluation = self.machine.evaluation(memory, 1)
                        return self.leave([evaluation.value(value) for value in values], None, memory, kept)
                    case Raise(exception) if self.machine.handler(frame, exception) is None:
                        return self.leave((), exception, memory, kept)
                    case Call():
                        break
                if chosen is None and (number := self.alternatives(memory, inside)) != 1:
                    if number:
                        break
                    return None
                inside = self.machine.step(memory, 1, chosen or 0)
            except Vanishes:
                return None
            except Fails as fails:
                self.excluded.fail(fails.kind)
                return None
            expect(len(memory.threads) == 1, "a table of calls is about one thread")
            kept, chosen = kept and inside, None
        raise Refused("a step leads out of the table", f"'{self.root.procedure.name}'")

    def leave(self, results: Sequence[Value], exception: str | None, memory: Memory, kept: bool) -> Outcome:
        """See that there is an effect for what a call leaves behind."""
        if exception is not None and self.number == 0:
            self.excluded.fail("unhandled-exception")
        found = self.effects.get(self._effect_key(results, exception, memory))
        if found is None:
            raise Refused("it leaves behind what is not in the table", f"'{self.root.procedure.name}'")
        return Outcome(False, found, kept)

    def call(self, index: int) -> None:
        """Check the call that a row makes."""
        path, machine = self.root.paths[index], self.machine
        memory = self.memory(path)
        self.excluded.stand(memory.threads[0][0])
        try:
            keeps = machine.step(memory, 1)
        except Fails as fails:
            self.excluded.fail(fails.kind)
            return
        caller, callee = memory.threads[0]
        place = f"'{self.root.procedure.name}', location {path.location}"
        expect(path.callee >= 0, "a call has no root", place)
        root = self.roots[path.callee]
        expect((root.procedure, root.base) == (callee.procedure, callee.base), "a call has another root", place)
        formals = [callee.values[name] for name in callee.procedure.parameters]
        names = match_root(root, formals, memory)
        if names is None:
            raise Refused("a call is another one than its root", place)
        if root.held is not None:
            if self.root.held is None:
                raise Refused("a root says what is held, and its caller does not", place)
            outside = held_outside(caller.values.values(), self.root.held, names, memory.heap)
            expect(outside <= set(root.held), "a cell that a caller can use later is not said to be held", place)
        if keeps:
            self.regions.calls[self.number, index] = path.callee
        for number, effect in enumerate(root.effects):
            again = self.memory(path)
            machine.step(again, 1)
            results = apply_effect(root, effect, names, again, machine.program.cells)
            found = self._back(again, results, effect.exception)
            # mutant(and): who does not keep on is not asked for
            if keeps and found is not None and found.kept:
                self.regions.backs[(self.number, index), number] = found

    def _back(self, memory: Memory, results: Sequence[Value], exception: str | None) -> Outcome | None:
        """Go on in the caller after a call."""
        frames = memory.threads[0]
        try:
            if exception is None:
                keeps = self.machine.leave(memory, 1, results)
            else:
                frames.pop()
                if self.machine.handler(frames[-1], exception) is None:
                    return self.leave((), exception, memory, True)
                keeps = self.machine.throw(frames, exception)
        except Fails as fails:
            self.excluded.fail(fails.kind)
            return None
        found = self.walk(memory, keeps, None)
        # mutant(and): what is said to keep on and does not can only be refused
        return None if found is None else found._replace(kept=found.kept and keeps)
