"""The shapes that a program can come to, call by call: a fixed point of path edges and summaries.

T. Reps, S. Horwitz, M. Sagiv, Precise Interprocedural Dataflow Analysis via Graph Reachability (POPL 1995), over
shapes: an *entry* is what a call sees, its rows are the shapes at loops and at the exit of that call.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.errors import Span
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.engines.references.shapes.folding import Forgetting, fold
from knaster.engines.references.shapes.ways import Way, Ways
from knaster.program.model import Place, Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.machine import Strict
from knaster.semantics.memory.shapes.calls import Rest, join_return, split_call
from knaster.semantics.memory.shapes.shape import Shape
from knaster.semantics.memory.threads.states import Liveness

STEPS = 100  # for each shape that there may be


@dataclass(slots=True, eq=False)
class Entry:
    """What a call sees, and the shapes inside it."""

    shape: Shape
    rows: dict[Shape, None] = field(default_factory=dict)
    exits: list[Shape] = field(default_factory=list)
    callers: dict[tuple[int, Rest], Entry] = field(default_factory=dict)


class Exploration:
    """The fixed point."""

    def __init__(
        self, program: Program, places: frozenset[Place], strict: Strict, most: int, check: Callable[[], None]
    ) -> None:
        self.codes = Codes(program)
        self.ways = Ways(self.codes, strict, places, self._tick)
        self.most, self.check = most, check
        self.entries: dict[Shape, Entry] = {}
        self.todo: list[tuple[Entry, Shape]] = []
        self.count = 0
        self.passed: dict[Place, None] = {}
        self.undefined: dict[tuple[str, Span], None] = {}
        self.faults: dict[tuple[str, Span], None] = {}
        self.liveness = Liveness()
        self.forgetting = Forgetting()
        self.places = places
        self.forgotten: dict[Place, tuple[str, ...]] = {}  # where calls return, what the caller does not need

    def run(self) -> None:
        """Go on until nothing is new."""
        for start in self.ways.starts():
            self._enter(start)
        while self.todo:
            entry, shape = self.todo.pop()
            self._go_on(entry, shape)

    def _tick(self) -> None:
        self.check()
        if self.ways.steps > STEPS * self.most:
            raise OutOfBudget(f"shapes take more than {STEPS * self.most:,} steps")

    def _enter(self, shape: Shape) -> Entry:
        known = self._simplify(shape)
        found = self.entries.get(known)
        if found is None:
            found = self.entries[known] = Entry(known)
            self._add(found, known)
        return found

    def _add(self, entry: Entry, shape: Shape) -> None:
        if shape in entry.rows:
            return
        entry.rows[shape] = None
        self.count += 1
        if self.count > self.most:
            raise OutOfBudget(f"there are more than {self.most:,} shapes")
        place = shape.top.procedure, shape.top.location
        if place in self.places:
            self.passed[place] = None
        if shape.top.location != self.codes.code(shape.top.procedure).procedure.exit:
            self.todo.append((entry, shape))
            return
        entry.exits.append(shape)
        self.todo += [
            (caller, join_return(rest, shape, self.ways.statics)) for (_, rest), caller in entry.callers.items()
        ]

    def _go_on(self, entry: Entry, shape: Shape) -> None:
        """Add what a shape of an entry can come to."""
        for way in self.ways.ways(shape):
            self._note(way)
            if way.shape is None:
                continue
            if len(way.shape.frames) == 1:
                self._add(entry, self._simplify(way.shape))
            else:
                self._call(entry, way.shape)

    def _note(self, way: Way) -> None:
        self.passed |= dict.fromkeys(way.passed)
        self.undefined |= dict.fromkeys(way.undefined)
        if way.fault is not None:
            self.faults[way.fault] = None

    def _call(self, entry: Entry, shape: Shape) -> None:
        caller, callee = shape.frames
        known = self._forget(Shape((caller._replace(location=callee.after),), shape.nodes), callee.targets)
        self.forgotten[caller.procedure, callee.after] = known.top.forgotten
        inner, rest = split_call(Shape((known.top, callee), known.nodes), self.ways.statics)
        called = self._enter(inner)
        key = id(entry), rest
        if key in called.callers:
            return
        called.callers[key] = entry
        self.todo += [(entry, join_return(rest, exit, self.ways.statics)) for exit in called.exits]

    def _simplify(self, shape: Shape) -> Shape:
        return fold(self._forget(shape), self.ways.statics)

    def _forget(self, shape: Shape, without: tuple[str | None, ...] = ()) -> Shape:
        frame = shape.top
        code = self.codes.code(frame.procedure)
        names = frozenset(code.procedure.frame)
        live = frozenset(self.liveness.at(code.procedure, frame.location)).difference(without)
        return self.forgetting.apply(shape, live, names, code.types)
