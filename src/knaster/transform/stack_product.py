"""Runs that end with a stack: from a program and frames, a program that reaches its target iff some run ends with them.

Each activation knows in a local number which frame of the stack it is, if any: frame 0 is the outermost.  Frame i may
*commit* itself to a call that the stack has: the callee is frame i + 1, and behind the call stands a place without way
out, so the call is unfinished at the end.  During every other call nobody is a frame.  The target is a place of the
innermost frame.  Where the outermost frame is not the entry, any activation of its procedure may choose to be it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import replace
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.algebra import conjunction
from knaster.program.expression import FALSE, Compare, Comparison, Expr, Var
from knaster.program.kind import Kind
from knaster.program.model import Action, Assign, Assume, Call, Edge, Location, Place, Procedure, Program
from knaster.transform.formulae import Fresh, all_of
from knaster.transform.reduction import Effect, Reduction, remove_added_steps


class StackFrame(NamedTuple):
    """A frame: its procedure, and the calls (by `id`) at which it can wait, none for the innermost."""

    procedure: str
    calls: Collection[int] = ()


def add_stack(program: Program, frames: Sequence[StackFrame], places: Collection[Place]) -> Reduction:
    """Return a program that reaches a target iff a run ends with these frames, outermost first, at a place of these."""
    writer = _Writer(program, frames, places)
    procedures = tuple(map(writer.procedure, program.procedures))
    names = (*writer.level.bits,)
    changed = replace(
        program, globals=(*program.globals, *names), procedures=procedures, init=writer.start(), together=()
    )
    targets = writer.targets

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return targets[target], remove_added_steps(trace, program, changed, targets[target])

    question = Reach(tuple(targets), first=True)
    return Reduction(program, changed, question, Effect.EXACT, back, targets)


class _Writer:
    """The numbers of the program that is being written: which frame is entered next, and which frame one is."""

    def __init__(self, program: Program, frames: Sequence[StackFrame], places: Collection[Place]) -> None:
        self.program, self.frames, self.places = program, frames, places
        fresh = Fresh(program)
        self.off = len(frames)  # nobody is a frame
        self.level = fresh.number("level", len(frames) + 1)
        self.own = fresh.number("frame", len(frames) + 1)
        self.targets: dict[Target, Target] = {}

    def start(self) -> Expr:
        """Return what holds at the start: the entry is the outermost frame, or nobody is."""
        first = 0 if self.frames[0].procedure == self.program.threads[0] else self.off
        if self.program.kind is Kind.BOOLEAN:
            return all_of([self.program.init, self.level.equals(first)])
        bits = zip(self.level.bits, self.level.constants(first), strict=True)
        return conjunction([self.program.init, *(Compare(Comparison.EQUAL, Var(bit), value) for bit, value in bits)])

    def procedure(self, own: Procedure) -> Procedure:
        """Return a procedure that knows which frame it is."""
        body = _Body(own)
        entry = body.new()
        body.add(entry, Assign(self.own.bits, tuple(map(Var, self.level.bits))), own.entry)
        outermost = self.frames[0].procedure
        if own.name == outermost and outermost != self.program.threads[0]:
            body.add(entry, Assign(self.own.bits, self.own.constants(0)), own.entry)
        for edge in own.edges:
            if isinstance(edge.action, Call):
                self._call(body, edge, edge.action)
            else:
                body.add(edge.source, edge.action, edge.target, edge)
        failures = list(own.failures)
        last = len(self.frames) - 1
        for name, location in sorted(self.places):
            if name == own.name:
                arrival = body.new()
                body.add(location, Assume(self.own.equals(last)), arrival)
                failures.append(arrival)
                line = own.leaving[location][0].span.line
                target = Target("the stack", name, arrival, line)
                self.targets[target] = replace(target, location=location)
        edges = tuple(sorted(body.edges, key=lambda edge: edge.source))
        return replace(own, locals=(*own.locals, *self.own.bits), entry=entry, edges=edges, failures=tuple(failures))

    def _call(self, body: _Body, edge: Edge, call: Call) -> None:
        before, after = body.new(), body.new()
        body.add(edge.source, Assign(self.level.bits, self.level.constants(self.off)), before)
        body.add(before, call, after, edge)
        body.add(after, Assign(self.level.bits, tuple(map(Var, self.own.bits))), edge.target)
        for number, frame in enumerate(self.frames[:-1]):
            if frame.procedure == body.own.name and id(edge) in frame.calls:
                mine, committed, never = body.new(), body.new(), body.new()
                body.add(edge.source, Assume(self.own.equals(number)), mine)
                body.add(mine, Assign(self.level.bits, self.level.constants(number + 1)), committed)
                body.add(committed, call, never, edge)
                body.add(never, Assume(FALSE), never)


class _Body:
    """A procedure that grows."""

    def __init__(self, own: Procedure) -> None:
        self.own, self.size = own, own.size
        self.edges: list[Edge] = []

    def new(self) -> Location:
        """Return a new location."""
        self.size += 1
        return self.size - 1

    def add(self, source: Location, action: Action, target: Location, origin: Edge | None = None) -> None:
        """Add an edge; `origin` is what it stands for."""
        span = origin.span if origin is not None else self.own.span
        self.edges.append(Edge(source, action, target, span, origin))
