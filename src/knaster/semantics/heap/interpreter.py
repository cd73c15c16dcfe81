"""The meaning of a program with references: what one thread does in one step.  The oracle, the replayer, the checker.

One step takes one edge, except that a return also hands the results to the caller.  A step that `keeps` on is followed
by the next step of the same thread.  Which alternative of a choice or a select is taken is told from outside, so a run
is its decisions.  Zing: Andrews, Qadeer, Rajamani, Rehof and Xie (CAV 2004); the steps are those of its model checker.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import InternalError, UnsupportedError
from knaster.base.records import dataclass
from knaster.program.model import Assume, Call, Concurrent, Edge, Program, Return
from knaster.program.objects import Choose, Join, Mode, Print, Raise, Send, Store, Update
from knaster.program.types import Value, default
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.cycle_watch import CycleWatch
from knaster.semantics.heap.evaluate import Evaluator
from knaster.semantics.heap.failure import (
    ASSERTION,
    BLOCKED,
    DEADLOCK,
    EMPTY,
    ENDLESS,
    LONGEST_REGION,
    MESSAGES,
    UNHANDLED,
    Fails,
    Failure,
    comment,
)
from knaster.semantics.heap.handlers import handler


class FailedAssume(Exception):
    """An `assume` fails: the whole run is none, for every thread."""


@dataclass(frozen=True, slots=True)
class Event:
    """A step that was taken; `returned` frames were left by it, and `keeps` says that its thread goes on."""

    edge: Edge
    keeps: bool
    inputs: tuple[Value, ...] = ()
    returned: int = 0
    entered: bool = False


class Machine:
    """One program, ready to run."""

    def __init__(self, program: Program) -> None:
        assert program.objects is not None
        self.program = program
        self.cells = {cell.name: cell for cell in program.objects.cells}
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.types = {procedure.name: program.types_in(procedure) for procedure in program.procedures}

    def start(self) -> Configuration:
        """Return the configuration at the start: statics, then one thread for each activate method."""
        program = self.program
        types = {**dict.fromkeys(program.globals), **dict(program.types)}
        statics = {name: default(type) if type is not None else False for name, type in types.items()}
        configuration = Configuration(statics)
        nobody = Frame("", 0, False, {})
        assert program.objects is not None
        for name, value in program.objects.statics:
            configuration.statics[name] = Evaluator(self, configuration, nobody, 0).value(value)
        for name in program.threads:
            configuration.threads.append([self.frame(name, (), False)])
        return configuration

    def frame(self, name: str, arguments: Sequence[Value], base: bool) -> Frame:
        """Return a new activation of a procedure."""
        procedure, types = self.procedures[name], self.types[name]
        values = {local: default(types[local]) for local in procedure.parameters + procedure.locals}
        values.update(zip(procedure.parameters, arguments, strict=True))
        return Frame(name, procedure.entry, base, values)

    def edges_from(self, frame: Frame) -> Sequence[Edge]:
        """Return the edges that leave where a frame stands."""
        return self.procedures[frame.procedure].leaving.get(frame.location, ())

    def runnable(self, configuration: Configuration, thread: int) -> bool:
        """Tell whether a thread can take a step; one whose condition fails with an error can, and then fails."""
        frames = configuration.threads[thread - 1]
        if not frames:
            return False
        edges = self.edges_from(frames[-1])
        if not edges or not isinstance(edges[0].action, Join):
            return True
        try:
            return bool(self.enabled_branches(configuration, thread))
        except Fails:
            return True

    def enabled_branches(self, configuration: Configuration, thread: int) -> list[Edge]:
        """Return the branches of the select at which a thread stands that can be taken."""
        found: list[Edge] = []
        frame = configuration.threads[thread - 1][-1]
        evaluator = Evaluator(self, configuration, frame, thread)
        for edge in self.edges_from(frame):
            join = edge.action
            assert isinstance(join, Join)
            if all(evaluator.value(wait) for wait in join.waits) and all(
                evaluator.cell(evaluator.value(channel)) for channel, _ in join.receives
            ):
                found.append(edge)
                if join.mode is Mode.FIRST:
                    break
        return found

    def alternatives(self, configuration: Configuration, thread: int) -> Sequence[Value]:
        """Return what the next step of a thread can choose from: values, or numbers of branches; else one thing."""
        frame = configuration.threads[thread - 1][-1]
        edges = self.edges_from(frame)
        match edges[0].action if edges else None:
            case Choose(_, values, collection):
                if collection is not None:
                    evaluator = Evaluator(self, configuration, frame, thread)
                    values = evaluator.cell(evaluator.value(collection))  # type: ignore[assignment]
                assert values is not None
                if not values:
                    raise Fails(EMPTY)
                return values
            case Join():
                enabled_branches = self.enabled_branches(configuration, thread)
                if not enabled_branches:
                    raise Fails(BLOCKED)
                return [edges.index(edge) for edge in enabled_branches]
        return (0,)

    def step(self, configuration: Configuration, thread: int, alternative: int = 0) -> Event:
        """Take one step of a thread; raise `Fails` or `FailedAssume` where there is none."""
        frames = configuration.threads[thread - 1]
        frame = frames[-1]
        evaluator = Evaluator(self, configuration, frame, thread)
        edges = self.edges_from(frame)
        edge = edges[0]
        inputs: tuple[Value, ...] = ()
        match edge.action:
            case Assume(condition):
                if not evaluator.value(condition):
                    if len(edges) == 1:
                        raise FailedAssume
                    edge = edges[1]
            case Store(places, value):
                evaluator.store(places, value)
            case Choose(place):
                value_ = self.alternatives(configuration, thread)[alternative]
                inputs = (value_,)
                evaluator.assign(place, value_)
            case Send(channel, value):
                target, message = evaluator.value(channel), evaluator.value(value)
                configuration.heap[target] = (*evaluator.cell(target), message)  # type: ignore[index]
            case Update():
                self._update(evaluator, edge.action)
            case Join():
                number = self.alternatives(configuration, thread)[alternative]
                assert isinstance(number, int)
                edge, inputs = edges[number], (number,)
                self._receive(evaluator, edge)
            case Concurrent(_, _, procedure, arguments):
                assert procedure is not None
                passed = [evaluator.value(argument) for argument in arguments]
                configuration.threads.append([self.frame(procedure, passed, False)])
            case Print():
                pass
            case Call():
                return self._call(evaluator, frames, edge)
            case Return(values):
                results = [evaluator.value(value) for value in values]
                return Event(edge, self.leave(configuration, thread, results), returned=1)
            case Raise(exception):
                returned, keeps = self.throw(frames, exception)
                return Event(edge, keeps, returned=returned)
            case action:
                raise InternalError(f"{action} in a program with references")
        self._forget(frame, edge)
        frame.location = edge.target
        return Event(edge, edge.keeps or frame.base, inputs)

    def _forget(self, frame: Frame, edge: Edge) -> None:
        for name in edge.forgets:
            frame.values[name] = default(self.types[frame.procedure][name])

    def _update(self, evaluator: Evaluator, update: Update) -> None:
        target, operand = evaluator.value(update.target), evaluator.value(update.operand)
        elements = evaluator.cell(target)
        changed = evaluator.cell(operand) if update.whole else (operand,)
        if update.adds:
            result = (*elements, *(each for each in changed if each not in elements))
        else:
            result = tuple(each for each in elements if each not in changed)
        evaluator.configuration.heap[target] = result  # type: ignore[index]

    def _receive(self, evaluator: Evaluator, edge: Edge) -> None:
        join = edge.action
        assert isinstance(join, Join)
        for channel, place in join.receives:
            source = evaluator.value(channel)
            queue = evaluator.cell(source)
            if not queue:  # two patterns of one branch receive from the same channel
                raise Fails(BLOCKED)
            evaluator.configuration.heap[source] = queue[1:]  # type: ignore[index]
            evaluator.assign(place, queue[0])

    def _call(self, evaluator: Evaluator, frames: list[Frame], edge: Edge) -> Event:
        call, caller = edge.action, frames[-1]
        assert isinstance(call, Call)
        passed = [evaluator.value(argument) for argument in call.arguments]
        name = call.procedure
        if call.dispatch:
            receiver = passed[0]
            evaluator.cell(receiver)
            name = dict(call.dispatch)[receiver.target]  # type: ignore[union-attr]
        caller.calling = edge
        base = caller.base or edge.keeps
        frames.append(self.frame(name, passed, base))
        return Event(edge, base, entered=True)

    def leave(self, configuration: Configuration, thread: int, values: Sequence[Value]) -> bool:
        """Leave the running frame of a thread with these results; tell whether its thread keeps on."""
        frames = configuration.threads[thread - 1]
        del frames[-1]
        if not frames:
            return False
        caller = frames[-1]
        assert caller.calling is not None
        call = caller.calling.action
        assert isinstance(call, Call)
        evaluator = Evaluator(self, configuration, caller, thread)
        for place, value in zip(call.places, values, strict=True):
            if place is not None:
                evaluator.assign(place, value)
        keeps = caller.base or caller.calling.keeps
        self._forget(caller, caller.calling)
        caller.location, caller.calling = caller.calling.target, None
        return keeps

    def throw(self, frames: list[Frame], exception: str) -> tuple[int, bool]:
        """Go to the nearest handler; frames without one are left.  Return how many, and whether the thread keeps on."""
        for depth in range(len(frames) - 1, -1, -1):
            frame = frames[depth]
            target = handler(self.procedures[frame.procedure], frame.location, exception)
            if target is not None:
                inner = len(frames) - 1 - depth
                keeps = frame.base or (frame.calling is not None and frame.calling.keeps)
                del frames[depth + 1 :]
                frame.location, frame.calling = target, None
                return inner, keeps
        raise Fails(UNHANDLED, f"nobody handles the exception '{exception}'")

    def apply(self, configuration: Configuration, procedure: str, arguments: Sequence[Value]) -> Value:
        """Return the result of a procedure that is run on a copy, without choices and without other threads."""
        copy = configuration.copy()
        copy.threads = [[self.frame(procedure, arguments, True)]]
        watch = CycleWatch(1)
        for count in range(LONGEST_REGION):
            if watch.is_back(count, copy):
                break
            frames = copy.threads[0]
            edges = self.edges_from(frames[-1])
            if len(frames) == 1 and isinstance(edges[0].action, Return):
                return Evaluator(self, copy, frames[0], 1).value(edges[0].action.values[0])
            if len(self.alternatives(copy, 1)) > 1:
                raise UnsupportedError("a choice inside the condition of a wait", edges[0].span, self.program.file)
            self.step(copy, 1)
            if self.failure_of(copy, 1) is not None:
                raise Fails(ASSERTION)
        raise Fails(ENDLESS)

    def failure_of(self, configuration: Configuration, thread: int) -> Failure | None:
        """Return the failure of a thread that stands behind an assertion that does not hold."""
        frames = configuration.threads[thread - 1]
        if not frames or frames[-1].location not in self.procedures[frames[-1].procedure].failures:
            return None
        frame = frames[-1]
        edge = next(e for e in self.procedures[frame.procedure].edges if e.target == frame.location)
        said = comment(self.program.source, edge.span) or MESSAGES[ASSERTION]
        return Failure(ASSERTION, said, edge.span.line, frame.procedure, thread)

    def failure(self, configuration: Configuration, thread: int, fails: Fails) -> Failure:
        """Return the failure of the step that a thread cannot take."""
        frame = configuration.threads[thread - 1][-1]
        edges = self.edges_from(frame)
        line = edges[0].span.line if edges else 0
        return Failure(fails.kind, fails.message, line, frame.procedure, thread)

    def stuck(self, configuration: Configuration) -> Failure | None:
        """Return the deadlock of a configuration at a scheduling point; None where there is none."""
        waiting = 0
        for thread in range(1, len(configuration.threads) + 1):
            if self.runnable(configuration, thread):
                return None
            if frames := configuration.threads[thread - 1]:
                join = self.edges_from(frames[-1])[0].action
                assert isinstance(join, Join)
                waiting = waiting or (0 if join.may_end else thread)
        return self.failure(configuration, waiting, Fails(DEADLOCK)) if waiting else None
