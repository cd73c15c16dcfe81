"""Finds runs that never end from must sets: they repeat a state, or come back into a recurrent set."""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.records import replace
from knaster.base.trampoline import run
from knaster.checkers.recurrence import check_recurrence
from knaster.engines.integers.yasm.must_runs import Activation, MustRuns, SolvedSets
from knaster.evidence.traces.lasso import Lasso, Recurrence
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.effects import variables_in
from knaster.program.expression import Expr
from knaster.program.liveness import live_variables
from knaster.program.model import Place

SHORTEST = 300  # cut points of a run in which a repetition is looked for; more in larger programs


def _most_steps(running: MustRuns) -> int:
    return max(SHORTEST, 10 * len(running.paths.places()))


def find_lasso(running: MustRuns, found: SolvedSets, staying: SolvedSets, budget: Budget) -> Lasso | None:
    """Return a run that comes back to a state, or into a recurrent set, at one place alone or with others, checked."""
    lasso = find_repetition(running, found) or find_recurrence(running, found, staying)
    if lasso is None or lasso.recurs is None:
        return lasso
    place = (lasso.stem.procedure, lasso.stem.location)
    for recurs in (lasso.recurs, Recurrence(lasso.recurs.set, (), sets_elsewhere(running, place, staying))):
        try:
            check_recurrence(running.program, place, recurs, budget)
        except (InternalError, OutOfBudget):
            budget.check()
            continue
        return replace(lasso, recurs=recurs)
    return None


def find_repetition(running: MustRuns, found: SolvedSets) -> Lasso | None:
    """Return a run that comes back to where it was, following a greatest solution; None where none is found."""
    activations = [running.begin(found)]
    live = live_variables(running.program)
    seen: dict[object, tuple[int, int]] = {}
    for _ in range(_most_steps(running)):
        top = activations[-1]
        procedure = running.program.procedure(top.procedure)
        if top.location == procedure.size:  # before the entry stands a location that the program has not
            run(running.advance(activations, found, nearer=False))
            continue
        names = variables_in(live[top.procedure][top.location], running.program.scope(procedure))
        key = (top.procedure, top.location, tuple(top.state[name] for name in names))
        if key in seen:
            return close_lasso(activations, *seen[key])
        seen[key] = (len(activations) - 1, len(top.steps))
        run(running.advance(activations, found, nearer=False))
    return None


def find_recurrence(running: MustRuns, found: SolvedSets, staying: SolvedSets) -> Lasso | None:
    """Return a run into a recurrent set, and once around in it; None where the run does not get there."""
    activations, seen = [running.begin(found)], dict[Place, tuple[int, int]]()
    for _ in range(_most_steps(running)):
        top = activations[-1]
        place = (top.procedure, top.location)
        inside = running.minterm(place, top.state, top.old_values) in staying.sets[place]
        if top.location < running.program.procedure(top.procedure).size and inside:
            found = staying
            if place in seen:
                lasso = close_lasso(activations, *seen[place])
                return replace(lasso, recurs=_recurrence_at(running, place, staying, lasso.cycle.paths))
            seen[place] = (len(activations) - 1, len(top.steps))
        run(running.advance(activations, found, nearer=False))
    return None


def sets_elsewhere(running: MustRuns, place: Place, found: SolvedSets) -> tuple[tuple[Place, Expr], ...]:
    """Return the parts of a recurrent set at all other places."""
    others = [other for other in running.paths.places() if other != place and found.sets[other]]
    return tuple((other, running.abstraction.union(other, found.sets[other])) for other in others)


def _recurrence_at(running: MustRuns, place: Place, staying: SolvedSets, cycle: Iterable[Path]) -> Recurrence:
    """Return the part of a recurrent set at a place, with the inputs that the run read on its way back there."""
    edges = running.program.procedure(place[0]).edges
    inputs = {edges.index(s.edge): s.inputs[0] for p in cycle if p.procedure == place[0] for s in p.steps if s.inputs}
    return Recurrence(running.abstraction.union(place, staying.sets[place]), tuple(sorted(inputs.items())))


def close_lasso(activations: list[Activation], index: int, count: int) -> Lasso:
    """Return a run as a lasso whose cycle begins after so many steps of an activation."""
    first, last = activations[index], activations[-1]
    stem = (*(a.path() for a in activations[:index]), first.part(0, count))
    location = last.location
    if index == len(activations) - 1:
        cycle: tuple[Path, ...] = (first.part(count, None, location),)
    else:
        cycle = (first.part(count, None, location), *(a.path() for a in activations[index + 1 :]))
    return Lasso(Trace.sequential(stem, location), Trace.sequential(cycle, location), len(cycle) > 1)
