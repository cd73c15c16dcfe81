"""The walker: goes inside one procedure from a node to the next place that is kept, the next call, or the end.

Kept are the places where a path can split or close a cycle: choices, selects, calls, and the heads of loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.base.records import dataclass
from knaster.program.model import Program
from knaster.semantics.heap.failure import ASSERTION, BLOCKED, DEADLOCK, EMPTY, Fails
from knaster.semantics.heap.handlers import handler
from knaster.views.heap.compiler import Code, Compiler, Kind
from knaster.views.heap.memory_layout import Layout, Number
from knaster.views.heap.overlay import Overlay


@dataclass(slots=True)
class Stop:
    """Where a walk stops: at a location, or (-1) at the end, with results or an exception."""

    location: int
    inside: bool
    local: list[Number]
    results: tuple[Number, ...] = ()
    exception: str | None = None
    kept: bool = True  # no other thread could run since the last node


class Walker:
    """Walks the paths of one program, thread 1 only; reports the places and the failures that it meets."""

    def __init__(self, program: Program) -> None:
        self.layout = Layout(program)
        self.compiler = Compiler(self.layout, tracked=True)
        self.failures = [frozenset(procedure.failures) for procedure in program.procedures]

    def code(self, procedure: int, location: int) -> Code:
        """Return the code of a location."""
        return self.compiler.codes[procedure][location] or self.compiler.code(procedure, location)

    def walk(
        self,
        procedure: int,
        base: bool,
        stop: Stop,
        memory: Overlay,
        meet: Callable[[int, int], None],
        fail: Callable[[str], None],
    ) -> Stop | None:
        """Go on from a location up to where a node is kept; None where the path ends without a return."""
        location, inside, local, kept = stop.location, stop.inside, stop.local, stop.kept
        failures = self.failures[procedure]
        try:
            while True:
                meet(procedure, location)
                if location in failures:
                    fail(ASSERTION)
                    return None
                code = self.code(procedure, location)
                match code.kind:
                    case Kind.STEP:
                        next_ = code.run(memory, local, 1)
                        if next_ < 0:
                            return None
                    case Kind.RETURN:
                        return Stop(-1, inside, local, code.run(memory, local, 1))
                    case Kind.RAISE:
                        target = self.find_handler(procedure, location, code.exception)
                        if target is None:
                            return Stop(-1, inside, local, exception=code.exception)
                        next_ = target
                    case _:
                        return Stop(location, inside, local, kept=kept)
                inside = code.keeps or base
                kept = kept and inside
                if next_ <= location:
                    meet(procedure, next_)
                    return Stop(next_, inside, local, kept=kept)
                location = next_
        except Fails as fails:
            fail(fails.kind)
            return None

    def find_handler(self, procedure: int, location: int, exception: str) -> int | None:
        """Return where an exception is handled that arrives at a location."""
        return handler(self.layout.procedures[procedure].procedure, location, exception)

    def choices(self, code: Code, memory: Overlay, local: list[Number], inside: bool) -> Any:
        """Return the alternatives of a choice or a select; raise `Fails` where there are none."""
        found = code.run(memory, local, 1)
        if found:
            return found
        if code.kind is Kind.CHOOSE:
            raise Fails(EMPTY)
        if inside:
            raise Fails(BLOCKED)
        if code.may_end:
            return ()
        raise Fails(DEADLOCK)
