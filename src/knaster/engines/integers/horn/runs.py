"""Turns a derivation of Horn clauses into a run: each chain is run on values, with inputs that z3 chooses.

Nothing of the derivation is believed: it only says which places the run should pass and with which values.  Where the
program does not do so, there is no run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from knaster.base.records import dataclass
from knaster.base.trampoline import Steps, run
from knaster.engines.integers.horn.clauses import GOAL, Encoding
from knaster.evidence.traces.execute import entry_state, pass_over, take
from knaster.evidence.traces.recorder import PathRecorder
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Call, Edge, Location, Place
from knaster.program.state import State
from knaster.program.types import Array, Bool, Type, Value
from knaster.semantics.python_code import default
from knaster.smt.horn import Fact
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Formula, Term
from knaster.views.steps.chains import OVERFLOW, CallLink, Chain, InlinedLink, Link, StepLink

_MOST = 24  # orders of calls that are tried


class NoRun(Exception):
    """The program does not run as the derivation says."""


@dataclass(frozen=True, slots=True)
class _Event:
    """What a fact says about one activation: the chain that led to it began at `before`, and these calls returned."""

    procedure: str
    fact: Fact
    before: Fact | None  # where the activation stood; None at its entry
    returned: tuple[Fact, ...]
    outside: Fact | None  # top down: the call that began the activation, if the chain begins at the entry
    inside: Fact | None  # bottom up: the call that is bad


class DerivedRuns:
    """The runs that the facts of one encoding stand for."""

    def __init__(self, encoding: Encoding, session: Session) -> None:
        self.encoding = encoding
        self.formulas = encoding.formulas
        self.program = encoding.program
        self.session = session
        self.numbers = self.formulas.translation.numbers
        self._known: dict[tuple[int, tuple[Value, ...]], Path] = {}

    def trace(self, root: Fact) -> tuple[Place, Trace]:
        """Return the target that is reached and the run; raise `NoRun` where there is none."""
        goal = root
        while goal.relation != GOAL:
            if len(goal.premises) != 1:
                raise NoRun("the derivation is incomplete")
            goal = goal.premises[0]
        activations = self._activations_down(goal) if self.encoding.down else self._activations_up(goal)
        recorders: list[PathRecorder] = []
        start = self._start_state(activations[0])
        for events, following in zip(activations, [*activations[1:], None], strict=True):
            found, chain = run(self._run_activation(events, start, following))
            if following is None:
                if chain.failed is None or chain.failed == OVERFLOW:
                    raise NoRun("an operator may overflow")
                ended = tuple(recorder.path() for recorder in (*recorders, *found))
                return chain.failed, Trace.sequential(ended, chain.failed[1])
            assert chain.entered is not None
            edge, recorder = chain.entered.call.edge, found[-1]
            recorder.enter(edge)
            recorders.append(recorder)
            start = self._entry_state(edge, recorder.state)
        raise NoRun("the derivation is empty")

    def _activations_down(self, goal: Fact) -> list[list[_Event]]:
        """Return the activations on the stack when the goal is reached, from facts about calls that happened."""
        found: list[list[_Event]] = []
        fact: Fact | None = goal
        while fact is not None:
            events = self._find_events(fact)
            found.append(events)
            fact = events[0].outside
            if fact is not None and fact.relation == f"{self.encoding.main}@in" and not fact.premises:
                fact = None
        return found[::-1]

    def _activations_up(self, goal: Fact) -> list[list[_Event]]:
        """Return the activations on the stack when the target is reached, from facts about calls that are bad."""
        found: list[list[_Event]] = []
        fact: Fact | None = next(iter(goal.premises), None)
        while fact is not None:
            events = self._find_events(fact)
            found.append(events)
            fact = events[-1].inside
        if not found:
            raise NoRun("the derivation is empty")
        return found

    def _find_events(self, fact: Fact) -> list[_Event]:
        """Return what happens in one activation up to a fact, from its entry."""
        events = [self._sort_premises(fact, "")]
        while (before := events[-1].before) is not None:
            events.append(self._sort_premises(before, events[-1].procedure))
        return events[::-1]

    def _sort_premises(self, fact: Fact, procedure: str) -> _Event:
        """Sort the premises of a fact."""
        places = self.encoding.places
        before: Fact | None = None
        outside: Fact | None = None
        inside: Fact | None = None
        returned: list[Fact] = []
        for premise in fact.premises:
            if premise.relation in places:
                name, location = places[premise.relation]
                if location == self.program.procedure(name).exit:
                    returned.append(premise)
                else:
                    before, procedure = premise, name
            elif premise.relation.endswith("@in"):
                outside, procedure = premise, premise.relation.removesuffix("@in")
            elif premise.relation.endswith("@bad"):
                inside = premise
        if fact.relation in places:
            procedure = places[fact.relation][0]
        elif fact.relation.endswith("@bad"):
            procedure = fact.relation.removesuffix("@bad")
        return _Event(procedure or self.encoding.main, fact, before, tuple(returned), outside, inside)

    def _start_state(self, events: Sequence[_Event]) -> State:
        """Return a state in which the program starts; what is not given by the program is as the derivation says."""
        main = self.program.procedure(self.encoding.main)
        if events[0].procedure != main.name:
            raise NoRun("the derivation does not begin at the start")
        variables = self.formulas.variables[main.name]
        solver = self.session.solver()
        solver.add([*self.formulas.start(), *self.formulas.ranges(variables)])
        columns = self.encoding.columns[main.name].entry
        told = events[-1].fact if events[-1].fact.relation == f"{main.name}@bad" else events[0].outside
        if told is not None:
            solver.add([variables[c].value == value for c, value in zip(columns, told.values, strict=True)])
        if solver.check() is not Answer.SATISFIABLE:
            raise NoRun("the program does not start so")
        model = solver.model()
        given = {*self.program.globals, *main.parameters}
        return {
            name: self._value(model, term) if name in given else default(term.type) for name, term in variables.items()
        }

    def _run_activation(
        self, events: Sequence[_Event], start: State, following: Sequence[_Event] | None
    ) -> Steps[tuple[list[PathRecorder], Chain]]:
        """Return the run of one activation, with those of inlined callees that it ends in, and the last chain of it."""
        name = events[0].procedure
        recorder = PathRecorder(name, start)
        for event in events:
            source = self._source(event)
            for chain, returned in self._candidates(event, source, following if event is events[-1] else None):
                model = self._solve_inputs(chain, event, returned, recorder.state)
                if model is None:
                    continue
                ended = chain.failed not in (None, OVERFLOW) and chain.failed is not None and chain.failed[0] != name
                links = chain.links[:-1] if ended else chain.links
                piece = yield self._run_links(name, links, model, iter(returned), recorder.state)
                if piece is not None:
                    break
            else:
                raise NoRun("the run that Spacer found was not found again in the program")
            recorder.append(piece)
        if not ended or chain.failed is None:
            return [recorder], chain
        recorders = yield self._run_to_end(recorder, chain.links[-1], chain.failed, model)
        return recorders, chain

    def _run_to_end(self, recorder: PathRecorder, link: Link, failed: Place, model: Any) -> Steps[list[PathRecorder]]:
        """Return a path and those of the inlined callees in which its run ends."""
        recorders = [recorder]
        while True:
            if not isinstance(link, InlinedLink):
                raise NoRun("the run ends elsewhere")
            recorders[-1].enter(link.call.edge)
            name, start = link.call.callee, self._entry_state(link.call.edge, recorders[-1].state)
            links = link.links if failed[0] == name else link.links[:-1]
            piece = yield self._run_links(name, links, model, iter(()), start)
            if piece is None:
                raise NoRun("the run that Spacer found was not found again in the program")
            recorders.append(piece)
            if failed[0] == name:
                return recorders
            link = link.links[-1]

    def _source(self, event: _Event) -> Location:
        if event.before is not None:
            return self.encoding.places[event.before.relation][1]
        return self.program.procedure(event.procedure).entry

    def _candidates(
        self, event: _Event, source: Location, following: Sequence[_Event] | None
    ) -> Iterator[tuple[Chain, tuple[Fact, ...]]]:
        """Yield the chains that an event may stand for, with the calls in the order in which they return."""
        chains = self.encoding.chains
        place = self.encoding.places.get(event.fact.relation)
        leading = chains.entering if following else chains.failing
        pool: Sequence[Chain] = leading if place is None else chains.staying
        names = [self.encoding.places[fact.relation][0] for fact in event.returned]
        for chain in pool:
            if (chain.procedure, chain.source) != (event.procedure, source) or len(chain.calls) != len(names):
                continue
            if place is not None and chain.target != place[1]:
                continue
            if following and (chain.entered is None or chain.entered.call.callee != following[0].procedure):
                continue
            for number, order in enumerate(permutations(event.returned)):
                if number >= _MOST:
                    break
                if all(
                    self.encoding.places[fact.relation][0] == inside.call.callee
                    for fact, inside in zip(order, chain.calls, strict=True)
                ):
                    yield chain, order

    def _solve_inputs(self, chain: Chain, event: _Event, returned: Sequence[Fact], state: State) -> Any:
        """Return a model of a chain from a state to an event; None where there is none."""
        variables = self.formulas.variables[chain.procedure]
        solver = self.session.solver()
        for name, term in variables.items():
            solver.add([self._are_equal(term, self.numbers.constant(state[name], term.type))])
        solver.add(chain.guard)
        for fact, inside in zip(returned, chain.calls, strict=True):
            own = self.encoding.columns[inside.call.callee]
            given = [inside.given[column] for column in own.entry]
            now = [inside.leave[column] for column in own.now[self.encoding.places[fact.relation][1]]]
            told = zip((*given, *now), fact.values, strict=True)
            solver.add([self._are_equal(term, Term(value, term.type)) for term, value in told])
            kept = [g for g in self.program.globals if g not in self.encoding.changed[inside.call.callee]]
            solver.add([inside.leave[g].value == inside.given[g].value for g in kept])
        place = self.encoding.places.get(event.fact.relation)
        if place is not None:
            own = self.encoding.columns[place[0]]
            values = event.fact.values[len(own.entry) :]
            states = [chain.state[column] for column in own.now[place[1]]]
            solver.add([self._are_equal(t, Term(value, t.type)) for t, value in zip(states, values, strict=True)])
        return solver.model() if solver.check() is Answer.SATISFIABLE else None

    def _are_equal(self, one: Term, other: Term) -> Formula:
        """Return that two values are equal; of arrays, the elements that they have."""
        return self.formulas.translation.same(one, other)

    def _run_links(
        self, name: str, links: Sequence[Link], model: Any, facts: Iterator[Fact], state: State
    ) -> Steps[PathRecorder | None]:
        """Return the run of links on the interpreter; None where the program does not go so."""
        recorder = PathRecorder(name, state)
        for link in links:
            if not (yield self._run_link(recorder, link, model, facts)):
                return None
        return recorder

    def _run_link(self, recorder: PathRecorder, link: Link, model: Any, facts: Iterator[Fact]) -> Steps[bool]:
        """Record a link; tell whether the program goes so."""
        match link:
            case StepLink():
                return self._run_step(recorder, link, model)
            case CallLink(call):
                inside: Path | None = yield self._run_call(next(facts), self._entry_state(call.edge, recorder.state))
            case InlinedLink(call, links):
                start = self._entry_state(call.edge, recorder.state)
                piece = yield self._run_links(call.callee, links, model, iter(()), start)
                inside = None if piece is None else piece.path()
        return inside is not None and pass_over(self.program, recorder, call.edge, inside)

    def _run_call(self, fact: Fact, start: State) -> Steps[Path]:
        """Return the run of a call that returns."""
        key = (id(fact), tuple(start.values()))
        if key not in self._known:
            self.session.budget.check()
            recorders, _ = yield self._run_activation(self._find_events(fact), start, None)
            self._known[key] = recorders[0].path()
        return self._known[key]

    def _run_step(self, recorder: PathRecorder, link: StepLink, model: Any) -> bool:
        """Record what happens in a step, each edge with the inputs of the model; tell whether the program goes so."""
        inputs: dict[int, list[Value]] = {}
        for read in link.reads:
            value = self._value(model, Term(read.variable, read.choice.type))
            inputs.setdefault(id(read.edge), []).append(value)
        name, location, begins = recorder.procedure, link.step.source, True
        while begins or location not in self.formulas.points[name]:
            for edge in self.program.procedure(name).leaving.get(location, ()):
                given = tuple(inputs.get(id(edge), ()))
                if not isinstance(edge.action, Call) and take(self.program, recorder, edge, given):
                    break
            else:
                return False
            location, begins = edge.target, False
        return location == link.step.target

    def _entry_state(self, edge: Edge, state: State) -> State:
        """Return the state in which a callee begins."""
        assert isinstance(edge.action, Call)
        start = entry_state(self.program, edge.action, state)
        if start is None:
            raise NoRun("an argument is not defined")
        return start

    def _value(self, model: Any, term: Term) -> Value:
        """Return the value of a term in a model."""
        return self._constant(model, model.eval(term.value, model_completion=True), term.type)

    def _constant(self, model: Any, formula: Formula, type: Type) -> Value:
        if isinstance(type, Bool):
            return str(formula) == "True"
        if isinstance(type, Array):
            indices = [self.numbers.index(self.numbers.constant(number)) for number in range(type.length)]
            parts = [model.eval(formula[index], model_completion=True) for index in indices]
            return tuple(self._constant(model, part, type.element) for part in parts)
        try:
            return self.numbers.number(formula, Term(formula, type))
        except AttributeError:
            raise NoRun("z3 gives no number") from None
