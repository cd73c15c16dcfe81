"""What a trace leaves out really does not matter: any other values there, and the same edges can be taken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest

from knaster.evidence.traces.closed_runs import Closed, ClosedRuns
from knaster.evidence.traces.justification import is_definite, justify
from knaster.evidence.traces.relevance import Demand, Relevance, state_before
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Call, Edge, Procedure, Program
from knaster.program.state import State
from knaster.semantics.sequential import (
    can_hold,
    entry_states,
    initial_states,
    state_after_return,
    successors,
    valuations,
    values,
)
from support.generators.boolean_programs import LARGE, SMALL, Expressions, random_program
from support.oracles.random_runs import random_trace

EXAMPLES = int(200 * float(os.environ.get("KNASTER_EXAMPLES", "1")))
NAMES = ("a", "b", "c", "d")


def test_justified_variables_guarantee_the_value() -> None:
    rng = Random(1)
    for _ in range(EXAMPLES):
        expr = Expressions(rng, LARGE, NAMES).expression(3)
        state = {name: rng.random() < 0.5 for name in NAMES}
        for wanted in (False, True):
            if values(expr, state)[wanted]:
                needs = justify(expr, wanted, state, None, ()).old
                for other in valuations(NAMES):
                    if all(other[name] == state[name] for name in needs):
                        assert values(expr, other)[wanted], (expr, state, needs, other)


def test_definite_values_do_not_depend_on_the_unknown() -> None:
    rng = Random(2)
    for _ in range(EXAMPLES):
        expr = Expressions(rng, LARGE, NAMES).expression(3)
        state = {name: rng.random() < 0.5 for name in NAMES}
        known = {name for name in NAMES if rng.random() < 0.6}
        same = [other for other in valuations(NAMES) if all(other[name] == state[name] for name in known)]
        outcomes = {values(expr, other) for other in same}
        if is_definite(expr, state, known):
            assert len(outcomes) == 1 and sum(outcomes.pop()) == 1


@pytest.mark.parametrize("is_closed", [False, True])
def test_every_run_that_agrees_on_the_known_values_can_take_the_same_edges(is_closed: bool) -> None:
    rng = Random(3)
    tried = hidden = 0
    while tried < EXAMPLES:
        program = random_program(rng, SMALL)
        trace = random_trace(rng, program)
        if trace is None or not trace.length:
            continue
        tried += 1
        rerun = _Rerun(rng, program, trace, is_closed)
        rerun.run()
        hidden += rerun.hidden
    assert hidden > tried  # otherwise nothing was left out and nothing was tested


class _Rerun:
    """Takes the edges of a trace again, with other values wherever the trace says that they do not matter."""

    def __init__(self, rng: Random, program: Program, trace: Trace, is_closed: bool) -> None:
        self.rng = rng
        self.program = program
        self.trace = trace
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.relevance = Relevance(program, trace, is_closed)
        self.runs = ClosedRuns(program)
        self.hidden = 0

    def choose(self, candidates: Iterator[State], real: State, known: set[str], edge: Edge | None) -> State:
        agreeing = [state for state in candidates if all(state[name] == real[name] for name in known)]
        assert agreeing, f"no way to take {edge} with {known} as in {real}"
        self.hidden += len(real) - len(known)
        return self.rng.choice(agreeing)

    def run(self) -> None:
        known = set(self.relevance.start)
        first = self.trace.paths[0]
        entry = self.procedures[first.procedure]
        anything = valuations(self.program.scope(entry))
        state = self.choose(iter(list(anything)), first.start, known, None)
        assert state in list(initial_states(self.program, entry))
        for number, (path, demand) in enumerate(zip(self.trace.paths, self.relevance.demands, strict=True)):
            state = self.follow(path, demand, state, known)
            if number + 1 < len(self.trace.paths):
                call = path.steps[-1].edge
                assert isinstance(call.action, Call)
                callee = self.relevance.demands[number + 1]
                before = state_before(path, len(path.steps) - 1)
                known = self.relevance.enter(before, call.action, callee, known)
                state = self.enter(call, state, self.trace.paths[number + 1], known)

    def enter(self, edge: Edge, state: State, path: Path, known: set[str]) -> State:
        assert isinstance(edge.action, Call)
        callee = self.procedures[edge.action.procedure]
        return self.choose(entry_states(self.program, callee, edge.action, state), path.start, known, edge)

    def follow(self, path: Path, demand: Demand, state: State, known: set[str]) -> State:
        """Take every step of a run, except a last call that does not return; recursion is fine for short traces."""
        procedure = self.procedures[path.procedure]
        for index, step in enumerate(path.steps):
            action = step.edge.action
            if not isinstance(action, Call):
                self.relevance.step(path, index, demand, known)
                state = self.choose(successors(procedure, step.edge, state), step.after, known, step.edge)
            elif step.inside is not None:
                state = self.call(procedure, path, index, demand.inside[index], state, known)
            assert can_hold(procedure.enforce, state)
        return state

    def open(self, path: Path, closed: Closed) -> Demand:
        """Return the demand of a closed run as one that can be followed."""
        names = [self.runs.names(path.procedure, mask) for mask in (closed.start, *closed.written)]
        inside = {}
        for index, inner in closed.inside.items():
            run = path.steps[index].inside
            assert run is not None
            inside[index] = self.open(run, inner)
        return Demand(tuple(names[1:]), inside, names[0])

    def call(self, caller: Procedure, path: Path, index: int, inner: Demand, state: State, known: set[str]) -> State:
        step = path.steps[index]
        assert isinstance(step.edge.action, Call) and step.inside is not None
        callee = self.procedures[step.edge.action.procedure]
        inside = self.relevance.enter(state_before(path, index), step.edge.action, inner, known)
        whole = self.relevance.known_at_end(step.inside, inner, frozenset(inside))
        if inner.closed is not None:
            inner = self.open(step.inside, inner.closed)
        end = self.follow(step.inside, inner, self.enter(step.edge, state, step.inside, inside), inside)
        assert whole <= inside, "a folded call knows more than an expanded one"
        self.relevance.leave(step.edge.action, inside, known)
        after = state_after_return(self.program, caller, callee, step.edge.action, state, end)
        assert after is not None
        return self.choose(iter([after]), step.after, known, step.edge)
