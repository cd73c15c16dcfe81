"""What one thread does in one step; the steps are those of Zing's model checker.

Andrews, Qadeer, Rajamani, Rehof and Xie, Zing: A Model Checker for Concurrent Software (CAV 2004).  A step takes one
edge; a return also hands the results to the caller.  A thread that *keeps on* takes the next step before all others.
Which alternative of a choice or a select is taken is told from outside.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster_check.heap.evaluate import Evaluation
from knaster_check.heap.form import form_of
from knaster_check.heap.memory import Fails, Frame, Memory, Vanishes, default, known
from knaster_check.program import (
    Assume,
    Call,
    Choose,
    Edge,
    Join,
    Print,
    Program,
    Raise,
    Return,
    Send,
    Store,
    Thread,
    Update,
    Value,
)
from knaster_check.refused import Unsupported, expect
from knaster_check.work import STEP, Tick, nothing

LONGEST = 20_000  # steps of one thread alone


class Machine:
    """One program, ready to run."""

    def __init__(self, program: Program, tick: Tick = nothing) -> None:
        self.program = program
        self.tick = tick
        self.leaving: dict[tuple[str, int], list[Edge]] = {}
        for procedure in program.procedures.values():
            for edge in procedure.edges:
                self.leaving.setdefault((procedure.name, edge.source), []).append(edge)

    def start(self) -> Memory:
        """Return the memory at the start: statics, then one thread for each procedure that runs from the start."""
        memory = Memory({name: default(type) for name, type in self.program.types.items()})
        for name, value in self.program.statics:
            memory.statics[name] = Evaluation(self.program.cells, memory, None, 0, self.apply).value(value)
        memory.threads = [[self.frame(name, (), False)] for name in self.program.threads]
        return memory

    def frame(self, name: str, arguments: Sequence[Value], base: bool) -> Frame:
        """Return a new activation."""
        procedure = self.program.procedures[name]
        values = {each: default(procedure.types[each]) for each in procedure.parameters + procedure.locals}
        values.update(zip(procedure.parameters, arguments, strict=True))
        return Frame(procedure, procedure.entry, base, values)

    def edges(self, frame: Frame) -> Sequence[Edge]:
        """Return the edges from where a frame stands, in the order of the text."""
        return self.leaving.get((frame.procedure.name, frame.location), ())

    def evaluation(self, memory: Memory, thread: int) -> Evaluation:
        """Return the evaluation in the running frame of a thread."""
        return Evaluation(self.program.cells, memory, memory.threads[thread - 1][-1], thread, self.apply)

    def can_run(self, memory: Memory, thread: int) -> bool:
        """Tell whether a thread can take a step; one whose condition fails can, and then fails."""
        frames = memory.threads[thread - 1]
        if not frames:
            return False
        edges = self.edges(frames[-1])
        if not edges or not isinstance(edges[0].action, Join):
            return True
        try:
            return bool(self._branches(memory, thread))
        except Fails:
            return True

    def _branches(self, memory: Memory, thread: int) -> list[int]:
        """Return the numbers of the branches of a select that can be taken."""
        found = []
        evaluation = self.evaluation(memory, thread)
        for number, edge in enumerate(self.edges(memory.threads[thread - 1][-1])):
            join = edge.action
            assert isinstance(join, Join)
            if all(evaluation.value(wait) for wait in join.waits) and all(
                memory.cell(evaluation.value(channel)) for channel, _ in join.receives
            ):
                found.append(number)
                if join.mode == "first":
                    break
        return found

    def alternatives(self, memory: Memory, thread: int) -> Sequence[Value]:
        """Return what the next step of a thread can choose from: values, or branches; else one thing."""
        edges = self.edges(memory.threads[thread - 1][-1])
        match edges[0].action if edges else None:
            case Choose(_, values, collection):
                if collection is not None:
                    evaluation = self.evaluation(memory, thread)
                    values = tuple(known(slot) for slot in memory.cell(evaluation.value(collection)))
                if not values:
                    raise Fails("empty-choice")
                return values
            case Join():
                branches = self._branches(memory, thread)
                if not branches:
                    raise Fails("blocked-select")
                return branches
        return (0,)

    def step(self, memory: Memory, thread: int, alternative: int = 0) -> bool:
        """Take one step; tell whether its thread keeps on.  Raises `Fails` or `Vanishes` where there is none."""
        self.tick(5 * STEP)  # mutant: how much work a step is said to be
        frames = memory.threads[thread - 1]
        frame, evaluation = frames[-1], self.evaluation(memory, thread)
        edges = self.edges(frame)
        edge = edges[0]
        match edge.action:
            case Assume(condition):
                if not evaluation.value(condition):
                    if len(edges) == 1:
                        raise Vanishes
                    edge = edges[1]
            case Store(places, value):
                evaluation.store(places, value)
            case Choose(place, _, _):
                evaluation.assign(place, self.alternatives(memory, thread)[alternative])
            case Send(channel, value):
                target, message = evaluation.value(channel), evaluation.value(value)
                memory.heap[target] = (*memory.cell(target), message)
            case Update():
                self._update(evaluation, edge.action)
            case Join():
                edge = edges[self.alternatives(memory, thread)[alternative]]
                self._receive(evaluation, edge)
            case Thread("start_thread", None, str(name), arguments):
                passed = [evaluation.value(argument) for argument in arguments]
                memory.threads.append([self.frame(name, passed, False)])
            case Print():
                pass
            case Call():
                return self._call(evaluation, frames, edge)
            case Return(values):
                return self.leave(memory, thread, [evaluation.value(value) for value in values])
            case Raise(exception):
                return self.throw(frames, exception)
            case action:
                raise Unsupported(f"'{type(action).__name__}' in a program with references")
        self._forget(frame, edge)
        frame.location = edge.target
        return edge.keeps or frame.base

    def _forget(self, frame: Frame, edge: Edge) -> None:
        for name in edge.forgets:
            frame.values[name] = default(frame.procedure.types[name])

    def _update(self, evaluation: Evaluation, update: Update) -> None:
        target, operand = evaluation.value(update.target), evaluation.value(update.operand)
        elements = [known(slot) for slot in evaluation.memory.cell(target)]
        changed = [known(slot) for slot in evaluation.memory.cell(operand)] if update.whole else [operand]
        if update.adds:
            evaluation.memory.heap[target] = (*elements, *(each for each in changed if each not in elements))
        else:
            evaluation.memory.heap[target] = tuple(each for each in elements if each not in changed)

    def _receive(self, evaluation: Evaluation, edge: Edge) -> None:
        assert isinstance(edge.action, Join)
        for channel, place in edge.action.receives:
            source = evaluation.value(channel)
            queue = evaluation.memory.cell(source)
            if not queue:  # two patterns of one branch receive from the same channel
                raise Fails("blocked-select")
            evaluation.memory.heap[source] = queue[1:]
            evaluation.assign(place, known(queue[0]))

    def _call(self, evaluation: Evaluation, frames: list[Frame], edge: Edge) -> bool:
        call, caller = edge.action, frames[-1]
        assert isinstance(call, Call)
        passed = [evaluation.value(argument) for argument in call.arguments]
        name = call.procedure
        if call.dispatch:
            evaluation.memory.cell(passed[0])
            name = dict(call.dispatch)[passed[0].target]
        caller.calling = edge
        frames.append(self.frame(name, passed, caller.base or edge.keeps))
        return frames[-1].base

    def leave(self, memory: Memory, thread: int, values: Sequence[Value]) -> bool:
        """Leave the running frame of a thread with these results; tell whether its thread keeps on."""
        frames = memory.threads[thread - 1]
        frames.pop()
        if not frames:
            return False
        caller, evaluation = frames[-1], self.evaluation(memory, thread)
        edge = caller.calling
        assert edge is not None and isinstance(edge.action, Call)
        for place, value in zip(edge.action.places, values, strict=True):
            if place is not None:
                evaluation.assign(place, value)
        self._forget(caller, edge)
        caller.location, caller.calling = edge.target, None
        return caller.base or edge.keeps

    def handler(self, frame: Frame, exception: str) -> int | None:
        """Return where an exception is handled that arrives in a frame; None where it is not."""
        for location, name, target in frame.procedure.handlers:
            if location == frame.location and name in (None, exception):
                return target
        return None

    def throw(self, frames: list[Frame], exception: str) -> bool:
        """Go to the nearest handler; frames without one are left.  Tell whether the thread keeps on."""
        for depth in range(len(frames) - 1, -1, -1):
            frame = frames[depth]
            target = self.handler(frame, exception)
            if target is not None:
                keeps = frame.base or (frame.calling is not None and frame.calling.keeps)
                del frames[depth + 1 :]
                frame.location, frame.calling = target, None
                return keeps
        raise Fails("unhandled-exception")

    def apply(self, memory: Memory, procedure: str, arguments: Sequence[Value]) -> Value:
        """Return the result of a procedure that is run on a copy, without choices and without other threads."""
        copy = memory.copy()
        copy.threads = [[self.frame(procedure, arguments, True)]]
        watch = Watch(self)
        while True:
            frames = copy.threads[0]
            action = self.edges(frames[-1])[0].action
            if len(frames) == 1 and isinstance(action, Return):
                return self.evaluation(copy, 1).value(action.values[0])
            if len(self.alternatives(copy, 1)) > 1:
                raise Unsupported("a choice inside the condition of a wait")
            self.step(copy, 1)
            if self.has_failed(copy, 1):
                raise Fails("assertion")
            watch.look(copy)

    def has_failed(self, memory: Memory, thread: int) -> bool:
        """Tell whether a thread stands behind an assertion that does not hold."""
        frames = memory.threads[thread - 1]
        return bool(frames) and frames[-1].location in frames[-1].procedure.failures

    def may_wait(self, frame: Frame) -> bool:
        """Tell whether a thread that waits for ever there does nothing wrong."""
        join = self.edges(frame)[0].action
        expect(isinstance(join, Join), "a thread that cannot run does not wait")
        return isinstance(join, Join) and join.may_end


class Watch:
    """Watches a thread that nobody else interrupts and that chooses nothing, until it is where it was."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.count = 0
        self.mark: object = None
        self.places: object = None  # of the mark: what is cheap to compare

    def look(self, memory: Memory) -> None:
        """Raise `Fails` where the memory is the same again: then the thread never ends."""
        self.count += 1
        if self.count < 64:  # mutant(<): one step earlier or later
            return
        if self.count > LONGEST:  # mutant(>): one step more or less
            raise Unsupported("an atomic region has too many steps")
        places = [(len(frames), frames[-1].location) for frames in memory.threads if frames]
        if places == self.places and form_of(memory) == self.mark:
            raise Fails("endless-atomic")
        if self.count & (self.count - 1) == 0:
            self.places, self.mark = places, form_of(memory)
