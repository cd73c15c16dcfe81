"""The ways on from a shape: what its states come to next, at a loop, at a call, after a return or at an end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from knaster.base.errors import Span
from knaster.base.graphs import depth_first
from knaster.base.named_tuples import NamedTuple
from knaster.program.memory import Floating
from knaster.program.model import Location, Place, Procedure
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.machine import Strict
from knaster.semantics.memory.shapes.segments import unfold
from knaster.semantics.memory.shapes.shape import Shape, Unfit
from knaster.semantics.memory.shapes.sleeping_machine import SleepingMachine, Unfold
from knaster.semantics.memory.unknown import ENUMERATED, LateInputs

LONGEST = 10_000  # steps between two shapes
VARIANTS = 2_000  # ways that segments of one shape are unfolded


class Way(NamedTuple):
    """What a shape can come to: another one, or nothing more; the places passed, and undefined steps."""

    shape: Shape | None
    passed: tuple[Place, ...]
    undefined: tuple[tuple[str, Span], ...]
    fault: tuple[str, Span] | None = None


class _Choices(LateInputs):
    """Inputs of which every choice is taken, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.vague = True
        self.plan: list[tuple[int, int]] = []
        self.at = 0

    def begin(self) -> None:
        """Begin again."""
        self.ranges, self.order, self.at = [], [], 0

    def pick(self, count: int) -> int:
        """Return the number of the way to go on."""
        if self.at == len(self.plan):
            self.plan.append((0, count))
        self.at += 1
        return self.plan[self.at - 1][0]

    def candidates(self, low: int, high: int) -> list[int]:
        """Return no numbers before the others: all of them are taken."""
        if high - low >= ENUMERATED:
            raise Unfit("a number must be known that may be any")
        return []

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input."""
        if isinstance(type, Floating):
            raise Unfit("floating-point numbers are inputs")
        return super().choose(type, origin, span)

    def change(self) -> bool:
        """Take the last choice that has another way in that way; tell whether there is one."""
        while self.plan and self.plan[-1][0] + 1 == self.plan[-1][1]:
            self.plan.pop()
        if self.plan:
            number, count = self.plan.pop()
            self.plan.append((number + 1, count))
        return bool(self.plan)


class Ways:
    """The ways on from shapes of one program."""

    def __init__(self, codes: Codes, strict: Strict, places: frozenset[Place], tick: Callable[[], None]) -> None:
        self.codes, self.strict, self.places, self.tick = codes, strict, places, tick
        self.steps = 0
        self.choices = _Choices()
        self.machine: SleepingMachine | None = None
        self.statics = len(codes.layout.objects)
        self._heads: dict[str, frozenset[Location]] = {}

    def starts(self) -> Iterator[Shape]:
        """Yield the shapes in which runs begin."""
        while True:
            self.choices.begin()
            self.machine = SleepingMachine(self.codes, self.choices, self.strict)
            yield self.machine.shape()
            if not self.choices.change():
                return

    def ways(self, shape: Shape) -> Iterator[Way]:
        """Yield all ways on from a shape."""
        todo, count = [shape], 0
        while todo:
            count += 1
            if count > VARIANTS:
                raise Unfit("lists are looked into too deeply between two loops")
            current = todo.pop()
            try:
                yield from self._all(current)
            except Unfold as look:
                todo += unfold(current, look.base)

    def _all(self, shape: Shape) -> Iterator[Way]:
        assert self.machine is not None
        self.choices.plan = []
        while True:
            self.tick()
            self.choices.begin()
            self.machine.wake(shape)
            yield self._go(self.machine)
            if not self.choices.change():
                return

    def _go(self, machine: SleepingMachine) -> Way:
        passed: list[Place] = []
        fault: Fault | None = None
        stands = None
        try:
            for _ in range(LONGEST):
                self.steps += 1
                depth = len(machine.frames)
                machine.step()
                frame = machine.frame
                place = frame.code.procedure.name, frame.location
                if place in self.places:
                    passed.append(place)
                if len(machine.frames) != depth or self._is_stop(frame.code.procedure, frame.location):
                    stands = machine.shape()
                    break
            else:
                raise Unfit("a loop has no head")
        except Stopped:
            pass
        except Fault as found:
            fault = found
        except Unclear as unclear:
            raise Unfit(str(unclear)) from None
        steps = tuple(machine.lapses)
        if fault is None:
            return Way(stands, tuple(passed), steps)
        return Way(None, tuple(passed), (*steps, (fault.kind, fault.span)), (fault.kind, fault.span))

    def _is_stop(self, procedure: Procedure, location: Location) -> bool:
        if procedure.name not in self._heads:
            self._heads[procedure.name] = loop_heads(procedure)
        return location == procedure.exit or location in self._heads[procedure.name]


def loop_heads(procedure: Procedure) -> frozenset[Location]:
    """Return locations such that every cycle has one."""
    leaving = procedure.leaving
    _, postorder = depth_first([procedure.entry], lambda at: [edge.target for edge in leaving.get(at, ())])
    number = {location: index for index, location in enumerate(postorder)}
    return frozenset(
        edge.target for edge in procedure.edges if edge.source in number and number[edge.target] >= number[edge.source]
    )
