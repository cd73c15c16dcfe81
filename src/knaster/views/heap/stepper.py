"""The stepper: runs compiled steps on a memory of lists, until the next scheduling point or choice of a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from knaster.base.errors import UnsupportedError
from knaster.program.model import Program
from knaster.semantics.heap.failure import ASSERTION, BLOCKED, EMPTY, ENDLESS, LONGEST_REGION, NULL, UNHANDLED, Fails
from knaster.semantics.heap.handlers import handler
from knaster.views.heap.compiler import Code, Compiler, Kind
from knaster.views.heap.memory_layout import Layout
from knaster.views.heap.primitives import put
from knaster.views.heap.repetition import FIRST, Repetition


class FailedAssume(Exception):
    """An `assume` fails."""


class Memory:
    """Statics and heap as lists; the cell with address 0 is missing on purpose."""

    def __init__(self, stepper: Stepper, statics: Sequence[Any], cells: Sequence[Any]) -> None:
        self.stepper = stepper
        self.statics = list(statics)
        self.heap = [None, *cells]
        self.queues = stepper.queues

    def new(self, cell: Any) -> int:
        """Add a cell; return its address."""
        self.heap.append(cell)
        return len(self.heap) - 1

    def fill(self, address: int, values: Sequence[tuple[int, Any]]) -> int:
        """Give slots of a new cell their initial values."""
        for slot, value in values:
            put(self.heap, address, slot, value)
        return address

    def apply(self, procedure: int, arguments: tuple[Any, ...]) -> Any:
        """Return the result of a procedure that is run on a copy."""
        return self.stepper.apply(self, procedure, arguments)


class Stepper:
    """One program whose threads run on a `Memory`; a thread is a list of frames, the running one last.

    Where it is `tracked`, on a memory that hears of everything that a step touches.
    """

    def __init__(self, program: Program, region: int = LONGEST_REGION, tracked: bool = False) -> None:
        self.layout = Layout(program)
        self.region = region  # steps without a scheduling point
        self.compiler = Compiler(self.layout, tracked)
        self.queues = frozenset(each.number for each in self.layout.classes if each.is_queue)
        self.failures = [frozenset(procedure.failures) for procedure in program.procedures]

    def start(self) -> tuple[Memory, list[list[Any]]]:
        """Return the memory and the threads at the start."""
        memory = Memory(self, self.layout.start, ())
        assert self.layout.program.objects is not None
        from knaster.views.heap.sources import Sources

        for name, value in self.layout.program.objects.statics:
            sources = Sources(self.layout, self.layout.procedures[0], False, self.compiler)
            body = [f"return {sources.expression(value)}"]
            memory.statics[self.layout.statics[name]] = self.compiler._function(sources, body)(memory, [], 0)
        numbers = self.layout.procedure_numbers
        return memory, [[self.frame(numbers[name], (), False)] for name in self.layout.program.threads]

    def frame(self, procedure: int, arguments: Sequence[Any], base: bool) -> Any:
        """Return a new activation: procedure, location, caller atomic, locals."""
        known = self.layout.procedures[procedure]
        return procedure, known.procedure.entry, base, (*arguments, *known.defaults[len(arguments) :])

    def code(self, frame: Any) -> Code:
        """Return the code where a frame stands."""
        return self.compiler.codes[frame[0]][frame[1]] or self.compiler.code(frame[0], frame[1])

    def enabled_branches(self, memory: Memory, frames: list[Any], thread: int) -> list[int] | None:
        """Return the branches of the select at which a thread waits; None where it waits at none."""
        code = self.code(frames[-1])
        if code.kind is not Kind.SELECT:
            return None
        return self.attempt(code.run, memory, list(frames[-1][3]), thread)  # type: ignore[no-any-return]

    def alternatives(self, memory: Memory, frames: list[Any], thread: int) -> Sequence[Any] | None:
        """Return what the next step can choose from; None where it chooses nothing."""
        code = self.code(frames[-1])
        if code.kind is Kind.CHOOSE:
            values = self.attempt(code.run, memory, list(frames[-1][3]), thread)
            if not values:
                raise Fails(EMPTY)
            return values  # type: ignore[no-any-return]
        if code.kind is Kind.SELECT:
            branches = self.attempt(code.run, memory, list(frames[-1][3]), thread)
            if not branches:
                raise Fails(BLOCKED)
            return branches  # type: ignore[no-any-return]
        return None

    def attempt(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call compiled code; a reference to nothing shows as a `TypeError`."""
        try:
            return function(*arguments)
        except TypeError:
            raise Fails(NULL) from None

    def step(self, memory: Memory, frames: list[Any], thread: int, chosen: Any, threads: list[list[Any]]) -> bool:
        """Take one step with the alternative that was chosen; tell whether the thread keeps on."""
        procedure, location, base, values = frames[-1]
        code = self.compiler.codes[procedure][location] or self.compiler.code(procedure, location)
        local = list(values)
        try:
            match code.kind:
                case Kind.STEP:
                    next_ = code.run(memory, local, thread)
                    if next_ < 0:
                        raise FailedAssume
                case Kind.CHOOSE:
                    code.take(memory, local, thread, chosen)
                    next_ = code.next
                case Kind.SELECT:
                    next_ = code.take(memory, local, thread, chosen)
                case Kind.CALL:
                    callee, arguments = code.run(memory, local, thread)
                    frames.append(self.frame(callee, arguments, base or code.keeps))
                    return base or code.keeps
                case Kind.RETURN:
                    return self._return(memory, frames, thread, code.run(memory, local, thread))
                case Kind.START:
                    arguments = code.run(memory, local, thread)
                    threads.append([self.frame(code.procedure, arguments, False)])
                    next_ = code.next
                case Kind.RAISE:
                    return self._raise(frames, code.exception)
        except TypeError:
            raise Fails(NULL) from None
        frames[-1] = procedure, next_, base, tuple(local)
        return code.keeps or base

    def _return(self, memory: Memory, frames: list[Any], thread: int, results: Any) -> bool:
        del frames[-1]
        if not frames:
            return False
        procedure, _, base, values = frames[-1]
        code = self.code(frames[-1])
        local = list(values)
        code.take(memory, local, thread, results)
        frames[-1] = procedure, code.next, base, tuple(local)
        return base or code.keeps

    def _raise(self, frames: list[Any], exception: str) -> bool:
        for depth in range(len(frames) - 1, -1, -1):
            procedure, location, base, values = frames[depth]
            target = handler(self.layout.procedures[procedure].procedure, location, exception)
            if target is not None:
                keeps = base or (depth < len(frames) - 1 and self.code(frames[depth]).keeps)
                del frames[depth:]
                frames.append((procedure, target, base, values))
                return keeps
        raise Fails(UNHANDLED)

    def apply(self, memory: Memory, procedure: int, arguments: tuple[Any, ...]) -> Any:
        """Return the result of a procedure that is run on a copy, without choices and without other threads."""
        copy = Memory(self, memory.statics, memory.heap[1:])
        frames = [self.frame(procedure, arguments, True)]
        repetition = Repetition(self.layout, self.region)
        for count in range(LONGEST_REGION):
            if count >= FIRST and repetition.is_endless(count, frames, copy):
                break
            code = self.code(frames[-1])
            if len(frames) == 1 and code.kind is Kind.RETURN:
                return self.attempt(code.run, copy, list(frames[0][3]), 1)[0]
            values = self.alternatives(copy, frames, 1)
            if values is not None and len(values) > 1:
                raise UnsupportedError("a choice inside the condition of a wait", None, self.layout.program.file)
            self.step(copy, frames, 1, values[0] if values else 0, [])
            if frames[-1][1] in self.failures[frames[-1][0]]:
                raise Fails(ASSERTION)
        raise Fails(ENDLESS)
