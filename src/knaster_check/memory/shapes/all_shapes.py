"""The check of shapes of a program with memory: every step from every shape leads into shapes, and to no target.

The file has *entries*: what calls of a procedure see, each with the shapes in which such a call stands where its loops
begin, after calls and at its end; the first one is where it begins.  A run begins in the first shape of an entry.  From
each shape, the machine takes steps on every input until it stands where the entry has shapes, or at its end: it must be
in a state of one of them.  Where it calls, what the callee sees must be a state of the first shape of some entry, and
from each of that one's ends the caller goes on likewise.  So every state of every run is passed by some step here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster_check.memory.codes import Codes
from knaster_check.memory.faults import Over, Undefined
from knaster_check.memory.inputs import Cover, Inputs
from knaster_check.memory.machine import Machine
from knaster_check.memory.runs import UNITS, Watch, no_judgement_where_it_stumbles
from knaster_check.memory.shapes.calls import MARK, join, split, without_inputs
from knaster_check.memory.shapes.embedding import Embedding
from knaster_check.memory.shapes.open_inputs import OpenInputs
from knaster_check.memory.shapes.open_machine import Look, OpenMachine, changing
from knaster_check.memory.shapes.reading import Reader, names_of
from knaster_check.memory.shapes.shape import Shape, unfold
from knaster_check.program import Program, Target
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with, text_of
from knaster_check.table import Verdict
from knaster_check.work import Tick

STEPS = 300_000
LONGEST = 10_000  # between one shape and the next ones
COPY = 150  # units of a state that becomes a shape, or a shape a state
_UNSEEN = {"overflow", "leak", "lost", "deadlock", "race"}


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target."""
    data = object_with(document["shapes_of_memory"], ("entries", "forgotten"), "'shapes_of_memory'")
    expect(program.kind == "memory" and len(program.threads) == 1, "the program has no memory, or threads")
    expect(bool(targets), "that runs end is not seen by shapes")
    shapes = Shapes(program, targets, tick)
    shapes.read(data)
    with no_judgement_where_it_stumbles():
        shapes.walk()
    return Verdict("unreachable", targets, None, {"shapes": shapes.count, "steps": shapes.steps})


class Entry:
    """What calls of a procedure see, and the shapes in which they stand, by location."""

    def __init__(self, rows: Sequence[Shape], codes: Codes) -> None:
        self.first = rows[0]
        self.procedure = codes.code(rows[0].frames[0].procedure).procedure
        ways = codes.code(self.procedure.name).ways
        self.end = None if self.procedure.exit in ways else self.procedure.exit
        self.rows: dict[int, list[Shape]] = {}
        for row in rows:
            expect(row.frames[0].procedure == self.procedure.name, "an entry has shapes of several procedures")
            self.rows.setdefault(row.frames[0].location, []).append(row)

    def at(self, location: int | None) -> list[Shape]:
        """Return its shapes at a location."""
        return [] if location is None else self.rows.get(location, [])


class Shapes(Watch):
    """All shapes of a proof, each of which is gone on from."""

    def __init__(self, program: Program, targets: tuple[Target, ...], tick: Tick) -> None:
        super().__init__(program, targets)
        for asked in self.asked:
            if not _UNSEEN.isdisjoint(asked.kinds):
                raise Unsupported("shapes do not see it", asked.name)
        assert program.layout is not None
        if any(name.startswith(MARK) for own in program.procedures.values() for name in own.types):
            raise Unsupported(f"a variable begins with '{MARK}'")
        self.program, self.codes, self.tick = program, Codes(program), tick
        self.statics, self.pointer = len(program.layout.objects), program.layout.pointer
        self.machine: OpenMachine | None = None
        self.entries: dict[str, list[Entry]] = {}
        self.forgotten: dict[tuple[str, int], frozenset[str]] = {}  # what callers do not need where calls return
        self.count = self.steps = 0
        self.most = STEPS  # steps until the shape that is looked at has been left

    def read(self, data: Mapping[str, Any]) -> None:
        """Read the entries of a proof file."""
        reader = Reader(self.program, changing(self.codes.layout), self.statics)
        for rows in list_of(data["entries"], "entries"):
            shapes = [reader.shape(row) for row in list_of(rows, "shapes")]
            self.count += len(shapes)
            if shapes:
                entry = Entry(shapes, self.codes)
                self.entries.setdefault(entry.procedure.name, []).append(entry)
        for row in list_of(data["forgotten"], "forgotten variables"):
            name, location, names = list_of(row, "forgotten variables", 3)
            place = text_of(name, "a procedure"), number_of(location, "a location")
            expect(place not in self.forgotten, "a place is there twice")
            self.forgotten[place] = frozenset(names_of(names))

    def walk(self) -> None:
        """Check the start, and all that each shape comes to."""
        for inputs in Cover(OpenInputs):
            self.machine = OpenMachine(self.codes, inputs, self.note)
            self.look(self.machine)
            start = self.machine.shape()
            own = self.entries.get(self.program.threads[0], [])
            first = any(self._stands_for(entry.first, start, inputs) for entry in own)
            expect(first, "a run begins in a state that no shape stands for")
        for entry in [entry for own in self.entries.values() for entry in own]:
            for location, rows in entry.rows.items():
                place = entry.procedure.name, location
                expect(place not in self.places, "a shape stands there", self.places.get(place, ""))
                for row in rows if location != entry.end else ():
                    self.most = min(self.steps + LONGEST, STEPS)
                    self.go_on(entry, row)

    def go_on(self, entry: Entry, shape: Shape) -> None:
        """Check all that the states of a shape come to next, in an activation of an entry."""
        todo = [shape]
        while todo:
            here = todo.pop()
            try:
                for inputs in Cover(OpenInputs):
                    self._run(entry, here, inputs)
            except Look as look:
                todo += unfold(here, look.base, self.pointer)

    def _run(self, entry: Entry, shape: Shape, inputs: Inputs) -> None:
        """Run from a state of a shape on some inputs, to where there are shapes, or to a call."""
        machine = self.machine
        assert machine is not None
        self.tick(COPY)
        machine.wake(shape, inputs)
        calls = stands = False
        try:
            while not calls and not stands:
                depth = len(machine.frames)
                machine.step()
                self.look(machine)
                location = machine.frames[-1].location
                calls = len(machine.frames) > depth
                stands = len(machine.frames) == 1 and (location == entry.end or location in entry.rows)
        except Over:
            return
        except Undefined as step:
            self.note(step.kind, step.place)
            return
        end = machine.shape()
        if calls:
            self._call(entry, end, inputs)
        elif not any(self._stands_for(row, end, inputs) for row in entry.at(location)):
            line = f"line {machine.place[0]}"
            raise Refused(f"a step in '{entry.procedure.name}' leads to a state that no shape stands for", line)

    def _call(self, entry: Entry, shape: Shape, inputs: Inputs) -> None:
        """Check what comes after a call: some entry begins so, and its caller goes on from each of its ends."""
        inner, rest = split(self._forget(shape), self.statics)
        name = inner.frames[0].procedure
        refused = [Refused("it is called in a state with which no entry begins", f"'{name}'")]
        for called in self.entries.get(name, []):
            if not self._stands_for(called.first, inner, inputs):
                continue
            free = without_inputs(rest, inputs)
            try:
                for end in called.at(called.end):
                    self.go_on(entry, join(free, end, self.statics))
                return
            except Refused as why:  # another entry may say more of what comes back
                refused.append(why)
        silent = [why for why in refused if isinstance(why, Unsupported)]
        raise silent[0] if silent else refused[-1]

    def _forget(self, shape: Shape) -> Shape:
        """Return a shape just after a call without what the file says that the caller does not need."""
        caller, callee = shape.frames
        names = self.forgotten.get((caller.procedure, callee.after), frozenset())
        values = {name: value for name, value in caller.values.items() if name not in names}
        return shape._replace(frames=(caller._replace(values=values, forgotten=caller.forgotten | names), callee))

    def _stands_for(self, general: Shape, special: Shape, inputs: Inputs) -> bool:
        """Tell whether all states of a shape are states of another one; the run depends on what that needs."""
        procedure = self.program.procedures[special.frames[0].procedure]
        found = Embedding(general, special, self.pointer, self.tick).find(procedure.types, self.statics)
        for value, low, high in found or ():
            inputs.keep(value, low, high)
        return found is not None

    def look(self, machine: Machine) -> None:
        """Refuse where a run stands at a target; say nothing where there are many steps."""
        super().look(machine)
        self.steps += 1
        self.tick(UNITS)
        if self.steps > self.most:  # mutant(>): one step more or less
            raise Unsupported("there are too many steps, in all or between two shapes")
