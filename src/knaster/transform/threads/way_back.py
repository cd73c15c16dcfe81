"""The way back: from a run of the sequential program, the run of the threads that it stands for.

In the sequential run the threads follow each other, each with all of its contexts.  Every step of theirs is marked
with the context and the thread in which it happens; sorted by these marks the steps are those of the threads.  Steps
without origin vanish, and a call whose result waited is back where the result is assigned.  A call during which the
context does not change and nobody is started stays one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.base.errors import InternalError
from knaster.base.records import dataclass, replace
from knaster.evidence.traces.recorder import PathRecorder, Recorder
from knaster.evidence.traces.trace import Path, Step, Trace, inner_first
from knaster.program.expression import TRUE
from knaster.program.model import Assign, Call, Concurrent, Edge, Procedure, Program, Return, ThreadOperation
from knaster.program.state import State
from knaster.transform.threads.schedules import Schedule

Mark = tuple[int, int]  # context and thread


@dataclass(frozen=True, slots=True)
class _Event:
    """Something that a thread does.  Without edge it begins; with `inside` it is a call that stays one step."""

    mark: Mark
    edge: Edge | None
    procedure: str
    state: State  # afterwards, of the activation that runs then
    back: bool = False  # the end of a call
    inside: Path | None = None
    slot: int | None = None  # the thread that is started here and runs later


def unravel(program: Program, schedule: Schedule, origins: Mapping[str, str], trace: Trace) -> Trace:
    """Return the run of the threads that a run of the sequential program stands for.

    `origins` are the procedures of the program under the names that they have in the sequential one.
    """
    walk = _Walk(program, schedule, origins)
    events = [event for path in trace.paths for event in walk.events(path)]
    if walk.end is None:
        raise InternalError("the run of the sequential program reaches no target")
    final = walk.end
    events = sorted((event for event in events if event.mark <= final), key=lambda event: event.mark)
    return _Teller(program, schedule).tell(events, final[1])


class _Walk:
    """A sequential run as events, in its own order."""

    def __init__(self, program: Program, schedule: Schedule, origins: Mapping[str, str]) -> None:
        self.schedule = schedule
        self.origins = origins
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.scopes = {name: program.scope(procedure) for name, procedure in self.procedures.items()}
        self.end: Mark | None = None
        self._quiet: dict[Path, bool] = {}
        self._folded: dict[Path, Path] = {}

    def events(self, outer: Path) -> Iterator[_Event]:
        """Yield what happens on a path and inside its calls."""
        stack: list[tuple[Path, int]] = [(outer, 0)]
        while stack:
            path, index = stack.pop()
            if index == 0:
                yield from self._enter(path)
            if index == len(path.steps):
                if stack:
                    yield from self._leave(*stack[-1])
                continue
            step = path.steps[index]
            before = path.steps[index - 1].after if index else path.start
            stack.append((path, index + 1))
            origin = step.edge.origin
            if origin is None:
                self._notice_target(before, step.after)
                if step.inside is not None:
                    stack.append((step.inside, 0))
            elif step.inside is not None and self._is_quiet(step.inside) and not self._waits(path, step.edge):
                yield _Event(
                    self.mark(before), origin, self.name(path), self._state(path, step), inside=self._fold(step.inside)
                )
            elif isinstance(step.edge.action, Call):
                yield _Event(self.mark(before), origin, self.name(path), {})  # the callee's path says the rest
                if step.inside is not None:
                    stack.append((step.inside, 0))
            else:
                back = isinstance(origin.action, Call)
                slot = self._find_started(before, step.after)
                yield _Event(self.mark(before), origin, self.name(path), self._state(path, step), back, slot=slot)

    def mark(self, state: State) -> Mark:
        """Return the context and the thread of a state."""
        return self.schedule.mark(state)

    def name(self, path: Path) -> str:
        """Return the procedure of a path in the program with threads."""
        return self.origins[path.procedure]

    def _enter(self, path: Path) -> Iterator[_Event]:
        if path.procedure in self.origins:
            state = self._restrict(path.procedure, path.start)
            yield _Event(self.mark(path.start), None, self.name(path), state)

    def _leave(self, caller: Path, index: int) -> Iterator[_Event]:
        """Yield that a call is over, unless its result waits or the thread itself is over."""
        step = caller.steps[index - 1]
        if step.edge.origin is not None and step.inside is not None and not self._waits(caller, step.edge):
            state = self._state(caller, step)
            yield _Event(self.mark(step.inside.end), step.edge.origin, self.name(caller), state, back=True)

    def _notice_target(self, before: State, after: State) -> None:
        """Take notice of the step that takes notice of a target."""
        hit = self.schedule.hit
        if self.end is None and not hit.value(before) and hit.value(after):
            self.end = self.mark(before)

    def _find_started(self, before: State, after: State) -> int | None:
        for number, slot in enumerate(self.schedule.slots):
            if after[slot.started] and not before[slot.started]:
                return number
        return None

    def _state(self, path: Path, step: Step) -> State:
        return self._restrict(path.procedure, step.after)

    def _restrict(self, procedure: str, state: State) -> State:
        return {name: state[name] for name in self.scopes[self.origins[procedure]]}

    def _waits(self, path: Path, edge: Edge) -> bool:
        """Tell whether coming back from a call is a step by itself: its result waits, or there is an `enforce`."""
        assert edge.origin is not None
        if not isinstance(edge.action, Call) or not isinstance(edge.origin.action, Call):
            return False
        enforced = self.procedures[self.name(path)].enforce != TRUE
        return enforced or edge.action.targets != edge.origin.action.targets

    def _is_quiet(self, path: Path) -> bool:
        """Tell whether a call stays in its context and starts nobody."""
        if self.schedule.k.value(path.start) != self.schedule.k.value(path.end):
            return False
        for inner in inner_first((path,), self._quiet):
            actions = (step.edge.origin.action for step in inner.steps if step.edge.origin is not None)
            starts = any(isinstance(a, Concurrent) and a.operation is ThreadOperation.START for a in actions)
            self._quiet[inner] = not starts and all(self._quiet[below] for below in inner.insides)
        return self._quiet[path]

    def _fold(self, path: Path) -> Path:
        """Return a quiet path as one of the program with threads."""
        for inner in inner_first((path,), self._folded):
            recorder = PathRecorder(self.name(inner), self._restrict(inner.procedure, inner.start))
            for step in inner.steps:
                origin = step.edge.origin
                if origin is None:
                    continue
                after = self._state(inner, step)
                if isinstance(origin.action, Call) and isinstance(step.edge.action, Assign):
                    recorder.come_back(after, recorder.steps[-1].inside)  # the result of the call is there
                else:
                    inside = self._folded[step.inside] if step.inside is not None else None
                    recorder.step(origin, after, inside=inside)
            self._folded[inner] = recorder.path()
        return self._folded[path]


class _Teller:
    """Events in the order in which the threads run, as a trace."""

    def __init__(self, program: Program, schedule: Schedule) -> None:
        self.program = program
        self.schedule = schedule
        self.procedures: dict[str, Procedure] = {procedure.name: procedure for procedure in program.procedures}
        self.recorder = Recorder(program)
        self.stacks: dict[int, list[tuple[str, State]]] = {}
        self.numbers = {number: number for number in range(1, len(program.threads) + 1)}
        self.results: dict[int, State] = {}  # what a thread that is started at a label finds in its hidden variables
        self.shared: State | None = None
        self.calling: dict[int, Edge] = {}
        self.running = 0

    def tell(self, events: list[_Event], last: int) -> Trace:
        """Return the trace, at whose end the thread `last` runs."""
        for event in events:
            self._event(event)
        self._run(last)
        return self.recorder.trace()

    def _event(self, event: _Event) -> None:
        thread, edge = event.mark[1], event.edge
        event = self._add_hidden(thread, event)
        stack = self.stacks.setdefault(thread, [])
        if edge is None:
            self._begin(thread, event)
            return
        self._run(thread)
        if event.back:
            stack.pop()
            self._set(stack, event)
            self.recorder.come_back(event.state)
        elif event.inside is not None:
            self._set(stack, event)
            self.recorder.pass_over(edge, event.state, event.inside)
        elif isinstance(edge.action, Call):
            self.calling[thread] = edge
        else:
            self._step(stack, edge, event)

    def _add_hidden(self, thread: int, event: _Event) -> _Event:
        """Return the event with the hidden variables that a thread that was started at a label has in its copy."""
        bottom = len(self.stacks.get(thread, ())) <= 1 + event.back - (event.edge is None)
        returns = event.edge is not None and isinstance(event.edge.action, Return)
        if thread not in self.results or not bottom or returns or not event.state:
            return event
        return replace(event, state={**event.state, **self.results[thread]})

    def _begin(self, thread: int, event: _Event) -> None:
        """Enter a procedure: that of the thread itself, or one that is called."""
        own = self._own(event)
        edge = self.calling.pop(thread, None)
        if self.shared is None:
            self.shared = {name: event.state[name] for name in self.program.globals}
        self.stacks[thread].append((event.procedure, own))
        if edge is not None:
            self.recorder.call(edge, event.procedure, event.state)
        elif self.procedures[event.procedure].enforce != TRUE:
            self._run(thread)  # here its `enforce` holds, perhaps not where it takes its first step

    def _step(self, stack: list[tuple[str, State]], edge: Edge, event: _Event) -> None:
        action = edge.action
        if event.slot is not None and isinstance(action, Concurrent):
            number = len(self.program.threads) + 1 + event.slot
            self.numbers[number] = self.recorder.count + 1
            if action.procedure is None:
                hidden = self.procedures[event.procedure].results
                self.results[number] = {name: stack[-1][1][name] for name in hidden}
        self._set(stack, event)
        self.recorder.step(edge, event.state)

    def _set(self, stack: list[tuple[str, State]], event: _Event) -> None:
        stack[-1] = event.procedure, self._own(event)
        self.shared = {name: event.state[name] for name in self.program.globals}

    def _own(self, event: _Event) -> State:
        return {name: event.state[name] for name in self.procedures[event.procedure].frame}

    def _run(self, thread: int) -> None:
        """Let a thread run, unless it does already."""
        if thread != self.running:
            assert self.shared is not None
            self.running = thread
            self.recorder.run(self.numbers[thread], {**self.shared, **self.stacks[thread][-1][1]})
