"""The check of a recurrent set: from every state in it a run can come back into it, as one list of obligations.

A. Gupta, T. A. Henzinger, R. Majumdar, A. Rybalchenko and R.-G. Xu, Proving Non-termination (POPL 2008).  For every
state of a set at its place one of the straight lines from there can be taken and ends in a set: at a place, or in the
entry of a procedure that is called.  Inputs have the values that the proof gives, and may be chosen where it gives none
at all, on the way to the next loop head; branches that nothing decides may be taken either way.  Calls are walked
through, and stepped over by nothing that is only said of them.  Nothing of the engines is used.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.c.lines import Line, lines_from
from knaster.checkers.c.obligations import Fact, Goal, Let, Obligation, claim
from knaster.checkers.c.solvers import Refutation, Solvers
from knaster.checkers.c.walk import CallNode, Claims, Node, State, Walk
from knaster.evidence.traces.lasso import Recurrence
from knaster.program.expression import TRUE, Expr, variables
from knaster.program.model import Place, Program
from knaster.program.types import Value
from knaster.semantics.python_code import loop_heads


def check_recurrence(program: Program, place: Place, found: Recurrence, budget: Budget) -> str:
    """Return which solvers have answered; raise `InternalError` where a set is not recurrent.

    Where no solver knows, `OutOfBudget` says so.
    """
    if program.is_threaded:
        raise InternalError("a set of states of one thread says nothing about several")
    walk = Walk(program, Claims(), budget)
    try:
        return Solvers(walk.names.types, budget).prove(list_obligations(walk, place, found))
    except Refutation:
        raise InternalError("the set of states is not recurrent") from None


def list_obligations(walk: Walk, place: Place, found: Recurrence) -> list[Obligation]:
    """Return what has to be shown of recurrent sets, one obligation for each place."""
    sets = {place: found.set, **dict(found.others)}
    if sets[place] != found.set:
        raise InternalError("there are two sets at one place")
    making = _Sets(walk, sets, dict(found.inputs) if not found.others else {})
    return [making.obligation(each) for each in sets]


class _Sets:
    """Sets of states at places of a program."""

    def __init__(self, walk: Walk, sets: Mapping[Place, Expr], given: Mapping[int, Value]) -> None:
        self.walk = walk
        self.sets = sets
        self.given = given

    def obligation(self, place: Place) -> Obligation:
        """Return that one of the lines from a place can be taken, in every state of its set, and ends in a set."""
        now = self.walk.state(place[0])
        start = Node(place, TRUE, now)
        inside = self._instantiate(place, now)
        if inside is None:
            raise InternalError("the set speaks of what is not known at its place")
        stops = {location for name, location in self.sets if name == place[0]}
        goals = [goal for line in lines_from(self.walk, start, stops, self.given) if (goal := self._goal(line))]
        if not self.given:
            heads = stops | loop_heads(self.walk.program.procedure(place[0]))
            chosen = [self._goal(line) for line in lines_from(self.walk, start, heads, None)]
            goals += [goal for goal in chosen if goal is not None and goal.inputs]
        why = f"a run goes on from the set at location {place[1]} of '{place[0]}' into a set"
        return Obligation(place, why, (claim(inside),), tuple(goals), self.walk.names.types)

    def _goal(self, line: Line) -> Goal | None:
        """Return that a line can be taken and ends in a set; nothing where there is no set at its end."""
        if isinstance(line, CallNode):
            place, state, node = (line.callee.name, line.callee.entry), line.given, line.node
        else:
            place, state, node = line.place, line.state, line
        inside = self._instantiate(place, state) if place in self.sets else None
        if inside is None:
            return None
        steps = (*node.history(), claim(inside))
        spoken: set[str] = set()
        for step in steps:
            match step:
                case Let(_, _, value):
                    spoken |= variables(value)
                case Fact(when, what):
                    spoken |= variables(when) | variables(what)
        return Goal(steps, tuple(sorted(spoken & self.walk.names.inputs)))

    def _instantiate(self, place: Place, state: State) -> Expr | None:
        """Return the set of a place over a state; None where it speaks of something else."""
        before = len(self.walk.names.inputs)
        self.walk.names.given = None
        try:
            found = self.walk.names.rename(self.sets[place], state)
        except KeyError:
            return None
        if len(self.walk.names.inputs) > before:
            raise InternalError("the set speaks of inputs")
        return found
