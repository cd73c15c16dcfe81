"""The check of a run that never ends: the stem is replayed, and the cycle leads from its end back to the same state.

A cycle that ends in the activation where it began can be repeated as it is.  One that ends in an activation further up
the stack began with the same values in the same procedure at the same location: what happens there never looks below,
because the cycle never returns from the activation in which it began.  "The same state" leaves dead variables out
(`program.liveness`): whatever they are, the same inputs lead through the same locations.  With a recurrent set the
states may differ: they are in the set, and `check_recurrence` checks that there is a way back from every state of it.
"""

from __future__ import annotations

from itertools import pairwise

from knaster.automata.automaton import Automaton, Step
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.words import holds
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.runs.replay import Replay
from knaster.checkers.runs.replay_steps import Paths, check_finite
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.question import Question, Target, Temporal, Termination
from knaster.evidence.traces.lasso import Lasso, goes_in_turns
from knaster.evidence.traces.letters import letters_of
from knaster.program.effects import variables_in
from knaster.program.evaluate import evaluate
from knaster.program.liveness import live_variables
from knaster.program.model import Kind, Location, Program


def check_lasso(lasso: Lasso, program: Program, budget: Budget) -> None:
    """Return where a lasso is a run of a program that never ends, or violates its formula; else raise `InternalError`.

    Raises `OutOfBudget` where nobody can say whether the set to which it comes back is recurrent.
    """
    replay_lasso(program, lasso)
    if lasso.recurs is not None:
        from knaster.checkers.recurrence import check_recurrence

        check_recurrence(program, (lasso.stem.procedure, lasso.stem.location), lasso.recurs, budget)
    if lasso.formula:
        question = Temporal(parse_ltl(lasso.formula), lasso.formula)
        if lasso.recurs is not None:
            raise InternalError("a run whose states are not known says nothing about a formula")
        if holds(question.formula, letters_of(lasso, program, meanings_of(program, question))):
            raise InternalError("the formula holds on the run that is said to violate it")
    elif lasso.stays:
        raise InternalError("a run that ends does not refute that every run does")


def replay_lasso(program: Program, lasso: Lasso) -> None:
    """Return where `lasso` is a run of `program` that never ends; else raise `InternalError`."""
    stem, cycle = lasso.stem, lasso.cycle
    if lasso.stays:
        _replay_ending(program, lasso)
        return
    Replay(program).run(stem, Target("the cycle", stem.procedure, stem.location, 0))
    if len(cycle.segments) != 1 or not cycle.paths:
        raise InternalError("the cycle of a lasso is the run of one thread")
    check_finite(cycle)
    again = Paths(program)
    first, last = cycle.paths[0], cycle.paths[-1]
    begin = again.procedures[first.procedure].entry if first.begin is None else first.begin
    if (first.procedure, begin) != (stem.procedure, stem.location) or dict(first.start) != dict(stem.paths[-1].end):
        raise InternalError("the cycle does not begin where the stem stops")
    for path, following in pairwise(cycle.paths):
        again.check_suspended(path, following)
    location = again.check_steps(last, last.steps)
    again.check_insides()
    if (last.procedure, location) != (stem.procedure, stem.location) or location != cycle.location:
        raise InternalError("the cycle does not end where it began")
    if lasso.recurs is not None:
        for state in (first.start, last.end):
            if not evaluate(lasso.recurs.set, state, iter(())):
                raise InternalError("the cycle leaves the set that is said to be recurrent")
    elif not comes_back(program, lasso):
        raise InternalError("the cycle ends in another state than that in which it began")
    if not any(path.steps for path in cycle.paths) or lasso.deeper != (len(cycle.paths) > 1):
        raise InternalError("the cycle has no step, or is wrong about the stack")


def comes_back(program: Program, lasso: Lasso) -> bool:
    """Tell whether a cycle ends in the state in which it began, but for variables that nobody reads before writing."""
    first, last = lasso.cycle.paths[0], lasso.cycle.paths[-1]
    begin = program.procedure(first.procedure).entry if first.begin is None else first.begin
    live = _live(_with_letters(program, lasso.formula), first.procedure, begin)
    return all(last.end[name] == first.start[name] for name in live)


def _replay_ending(program: Program, lasso: Lasso) -> None:
    """Return where a lasso is a run that has come to its end, at the end of its first procedure or of an assertion."""
    stem, cycle = lasso.stem, lasso.cycle
    Replay(program).run(stem, Target("the end", stem.procedure, stem.location, 0))
    procedure = program.procedure(stem.procedure)
    ended = len(stem.paths) == 1 and stem.location == procedure.exit
    if not ended and stem.location not in procedure.failures:
        raise InternalError("a run that is said to stay has not come to its end")
    if any(path.steps for path in cycle.paths) or lasso.deeper or lasso.recurs is not None:
        raise InternalError("a run that has come to its end goes on")
    if dict(cycle.paths[0].start) != dict(stem.paths[-1].end):
        raise InternalError("a run does not stay in its last state")


def check_violation(lasso: Lasso, program: Program, question: Question, budget: Budget) -> None:
    """Return where a lasso is a run of a program that is not as a question asks; else raise `InternalError`."""
    if lasso.formula != (str(question) if isinstance(question, Temporal) else ""):
        raise InternalError("the run is said to violate another formula")
    if goes_in_turns(program):
        assert isinstance(question, Temporal | Termination)
        _check_with_threads(lasso, program, question)
        return
    check_lasso(lasso, program, budget)


def _check_with_threads(lasso: Lasso, program: Program, question: Temporal | Termination) -> None:
    if lasso.fair != question.fair:
        raise InternalError("the run is one among others than those that were asked about")
    if program.kind is Kind.REFERENCES:
        from knaster.checkers.heap.lasso import check_heap_lasso

        check_heap_lasso(lasso, program, question)
    elif program.kind is Kind.MEMORY:
        from knaster.checkers.memory.memory_lasso import check_memory_lasso

        check_memory_lasso(lasso, program, question)
    else:
        from knaster.checkers.runs.thread_lasso import check_thread_lasso

        check_thread_lasso(lasso, program, question)


def _with_letters(program: Program, formula: str) -> Program:
    """Return a program that reads, before each statement, the globals of which the atoms of a formula speak.

    What is dead for control may be read there: then the cycle would have other letters when it is taken again.
    """
    meanings = meanings_of(program, Temporal(parse_ltl(formula), formula)) if formula else {}
    spoken = {atom: meaning for atom, meaning in meanings.items() if meaning.condition is not None}
    if not spoken:
        return program
    from knaster.evidence.questions.product import Product

    guards = [frozenset({(atom, value)}) for atom in spoken for value in (False, True)]
    reading = Automaton(1, (0,), tuple(Step(0, guard, 0, frozenset({0})) for guard in guards))
    return Product(program, reading, spoken, stays=False).program


def _live(program: Program, procedure: str, location: Location) -> tuple[str, ...]:
    """Return the variables whose values at a location can still influence where control goes."""
    return variables_in(live_variables(program)[procedure][location], program.scope(program.procedure(procedure)))
