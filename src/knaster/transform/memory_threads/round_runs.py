"""From a run of the sequential program for rounds to the run of the threads that it stands for.

In the sequential run the threads follow each other, each with all of its rounds.  Sorted by round and thread its steps
are those of the threads, up to the one with which a target is reached; a machine takes them again with the inputs that
the sequential run has.
"""

from __future__ import annotations

from typing import Any

from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Assign
from knaster.program.state import State
from knaster.transform.memory_threads.guided_threads import ThreadStep, record_steps
from knaster.transform.memory_threads.interleavings import FIRST, InterleavedProgram
from knaster.transform.memory_threads.rounds import HIT, ROUND, RoundProgram, copy_of
from knaster.transform.memory_threads.shared_edges import is_step
from knaster.transform.regions.way_back import chosen_by, placed_steps, steps_of


def unravel_rounds(rounds: RoundProgram, trace: Trace, target: Target) -> Trace | None:
    """Return the run of the threads that a run of the sequential program stands for; None where it is no run."""
    events, last = _events(rounds, trace)
    if last is None:
        return None
    before = sorted((event for event in events if event[:2] <= last[:2]), key=lambda event: event[:2])
    return record_steps(rounds.shared, before, last, target)


def _events(rounds: RoundProgram, trace: Trace) -> tuple[list[ThreadStep], ThreadStep | None]:
    """Return the steps of the threads in the order of the sequential run, and where a target is noted."""
    events: list[ThreadStep] = []
    shared = rounds.shared
    thread, noted = 1, None
    roots = {name: number for number, name in enumerate(shared.program.threads, 1)}
    for step, before in steps_of(trace):
        action: Any = step.edge.action
        thread = roots.get(getattr(action, "procedure", ""), thread)
        if noted is None and isinstance(action, Assign) and HIT in action.targets and step.after[HIT] != 0:
            noted = ThreadStep(_round(before), thread, _now(rounds, before), ())
        if is_step(step.edge):
            events.append(ThreadStep(_round(before), thread, _now(rounds, before), step.inputs or chosen_by(step)))
    return events, noted


def _round(state: State) -> int:
    at = state[ROUND]
    assert isinstance(at, int)
    return at


def _now(rounds: RoundProgram, state: State) -> State:
    """Return a state with the shared variables as the thread that runs sees them."""
    at = _round(state)
    if at >= rounds.rounds:
        return dict(state)
    return {**state, **{name: state[copy_of(name, at)] for name in rounds.shared.shared}}


def unravel_interleaving(whole: InterleavedProgram, trace: Trace, target: Target) -> Trace | None:
    """Return the run of the threads that a run of the program of all interleavings stands for; None: it is none."""
    found: list[ThreadStep] = []
    thread = 1
    state: State = {}
    for procedure, step, before in placed_steps(trace):
        state = dict(before)
        if procedure == FIRST and step.edge.source in whole.standing:
            thread, node = whole.standing[step.edge.source]
            names = whole.threads[thread - 1].names(node.calls, node.procedure)
            state |= {old: before[new] for old, new in names.items()}
        if is_step(step.edge):
            found.append(ThreadStep(0, thread, state, step.inputs or chosen_by(step)))
    return record_steps(whole.shared, found, ThreadStep(0, thread, state, ()), target)
