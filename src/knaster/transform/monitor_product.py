"""A program together with a monitor: from both, a program that fails exactly where the monitor comes to an error.

Lal (PhD thesis, University of Wisconsin, 2009), section 2.4.3.  The state of the monitor is a number in new globals, so
it travels through calls as every global does.  Before a statement on which the monitor moves stands a new step with the
move, and behind that a failure for each error that it can lead to.  A run of the new program without the new steps is
one of the old, and it ends before the statement that is the mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from knaster.automata.monitor import Event, Monitor
from knaster.base.records import replace
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.algebra import conjunction
from knaster.program.expression import FALSE, Compare, Comparison, Expr, Var
from knaster.program.kind import Kind
from knaster.program.model import Assign, Assume, Call, Edge, Location, Procedure, Program
from knaster.transform.formulae import Fresh, Number, all_of, any_of
from knaster.transform.reduction import Effect, Reduction, remove_added_steps

Events = frozenset[Event]


def events_at(program: Program, monitor: Monitor) -> Callable[[Procedure, Edge], Events]:
    """Return what tells which events of a monitor an edge of a program is."""
    asked = list(monitor.events())
    lines = program.source.split("\n")
    first = {own.name: _first_places(own) for own in program.procedures}
    labels = {own.name: _labels(own) for own in program.procedures}

    def is_event(own: Procedure, edge: Edge, event: Event) -> bool:
        match event.kind:
            case "call":
                return isinstance(edge.action, Call) and event.fits(edge.action.procedure)
            case "return":
                return edge.target == own.exit and event.fits(own.name)
            case "label":
                return any(map(event.fits, labels[own.name].get(edge.source, ())))
        line = edge.span.line
        if first[own.name].get(line) != edge.source or not 1 <= line <= len(lines):
            return False
        return str(line) == event.pattern if event.pattern.isdigit() else event.fits(lines[line - 1].strip())

    return lambda own, edge: frozenset(event for event in asked if is_event(own, edge, event))


def _first_places(own: Procedure) -> dict[int, Location]:
    """Return the first place of a procedure on each line."""
    first: dict[int, Location] = {}
    for edge in own.edges:
        first[edge.span.line] = min(first.get(edge.span.line, edge.source), edge.source)
    return first


def _labels(own: Procedure) -> dict[Location, list[str]]:
    labels: dict[Location, list[str]] = {}
    for name, location in own.labels:
        labels.setdefault(location, []).append(name)
    return labels


def add_monitor(program: Program, monitor: Monitor) -> Reduction:
    """Return a program that fails iff some run of the given one takes the monitor to an error."""
    number = Fresh(program).number("monitor", len(monitor.states))
    product = _Product(program, monitor, number)
    procedures = tuple(map(product.procedure, program.procedures))
    together = replace(
        program,
        globals=(*program.globals, *number.bits),
        procedures=procedures,
        init=_start(program, number),
    )
    targets = product.targets

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return targets[target], remove_added_steps(trace, program, together, targets[target])

    question = Reach(tuple(targets), first=True)
    return Reduction(program, together, question, Effect.EXACT, back, targets)


def _start(program: Program, number: Number) -> Expr:
    """Return what holds at the start: what the program says, and the first state of the monitor."""
    if program.kind is Kind.BOOLEAN:
        return all_of([program.init, number.equals(0)])
    return conjunction([program.init, *(Compare(Comparison.EQUAL, Var(bit), FALSE) for bit in number.bits)])


class _Product:
    """Puts a monitor into procedures; `targets` are the failures, each with the place before it."""

    def __init__(self, program: Program, monitor: Monitor, number: Number) -> None:
        self.monitor, self.number = monitor, number
        self.targets: dict[Target, Target] = {}
        self._events = events_at(program, monitor)

    def procedure(self, own: Procedure) -> Procedure:
        """Return a procedure with the moves of the monitor in it, itself where there are none."""
        found = {id(edge): self._events(own, edge) for edge in own.edges}
        moving = {edge: events for edge, events in found.items() if events and self._moves(events)}
        if not moving:
            return own
        edges, failures, behind = [], [], own.size
        begun: dict[tuple[Location, Events], Location] = {}
        for edge in own.edges:
            if id(edge) not in moving:
                edges.append(replace(edge, origin=edge))
                continue
            key = edge.source, moving[id(edge)]
            if key not in begun:
                begun[key] = behind
                step = Assign(self.number.bits, tuple(self._next(key[1])))
                edges.append(Edge(edge.source, step, behind, edge.span))
                behind += 1
                for state in self._errors_after(key[1]):
                    arrived = Assume(self.number.equals(self.monitor.states.index(state)))
                    edges.append(Edge(begun[key], arrived, behind, edge.span))
                    failures.append(behind)
                    self._add_target(own, edge, behind, state)
                    behind += 1
            edges.append(replace(edge, source=begun[key], origin=edge))
        ordered = tuple(sorted(edges, key=lambda edge: edge.source))
        return replace(own, edges=ordered, failures=(*own.failures, *failures))

    def _moves(self, events: Events) -> bool:
        return any(self.monitor.step(state, events) != state for state in self.monitor.states)

    def _errors_after(self, events: Events) -> Iterator[str]:
        after = {self.monitor.step(state, events) for state in self.monitor.states if state not in self.monitor.errors}
        yield from (state for state in self.monitor.states if state in after & self.monitor.errors)

    def _next(self, events: Events) -> Iterator[Expr]:
        """Yield the bits of the state after a move."""
        states = self.monitor.states
        after = {code: states.index(self.monitor.step(state, events)) for code, state in enumerate(states)}
        for place in range(len(self.number.bits)):
            bit = 1 << (len(self.number.bits) - 1 - place)
            yield any_of(self.number.equals(code) for code, then in after.items() if then & bit)

    def _add_target(self, own: Procedure, edge: Edge, location: Location, state: str) -> None:
        target = Target(state, own.name, location, edge.span.line)
        self.targets[target] = replace(target, location=edge.source)


def moves_of(program: Program, monitor: Monitor, trace: Trace, most: int) -> Iterator[tuple[Edge, str, str]]:
    """Yield the moves of a monitor along the first `most` steps of a run, with the edge that each comes before."""
    events = events_at(program, monitor)
    state, left = monitor.start, most
    owners: Mapping[str, Procedure] = {own.name: own for own in program.procedures}
    stack = [(path, 0) for path in reversed(trace.paths)]
    while stack and left:
        path, index = stack.pop()
        if index == len(path.steps):
            continue
        left -= 1
        step = path.steps[index]
        then = monitor.step(state, events(owners[path.procedure], step.edge))
        if then != state:
            yield step.edge, state, then
        state = then
        stack.append((path, index + 1))
        if step.inside is not None:
            stack.append((step.inside, 0))
