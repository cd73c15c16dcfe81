"""Decides targets by unrolling: a run into a target, or a depth beyond which no run goes; else how deep it was looked.

The depth grows by doubling.  For each depth the solver is asked whether a target can be reached, and if not, whether a
run needs more; where none does, the depth is the proof (`evidence.proofs.unrolling`), also that every run ends.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.engines.contract import STOPPED, Findings, Spent, Task, Undecided
from knaster.engines.integers.unrolled import UnrolledOptions
from knaster.engines.integers.unrolled.cells import CellBits, CellTranslation
from knaster.engines.integers.unrolled.evaluation import Evaluation, Reached, any_guard, guards_of
from knaster.engines.integers.unrolled.model_run import ModelRun, fold_back
from knaster.evidence.answers.answer import Statistics, Terminates
from knaster.evidence.proofs.unrolling import Unrolling
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.concrete_run import RunEnds
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Place, Program
from knaster.program.types import Array, Bool, Int, Value
from knaster.program.unrolling import TooLarge, Unrolled, unroll
from knaster.smt.bit_questions import Number, ask_bits
from knaster.smt.solver import Answer, OutOfUnits, Session
from knaster.smt.terms import Term, Unsuitable

UNITS = 20_000  # of our own work for each unit of a question's
WALKED = 200  # units of a question's work that our own is worth at most
STEPS = 200_000  # of a run that is made of a model


@dataclass(slots=True)
class _Outcome:
    """What is known so far."""

    traces: dict[Target, Trace] = field(default_factory=dict)
    depth: int | None = None  # no run that goes so deep reaches another target
    more: Place | None = None  # what a run may repeat more often
    proved: bool = False
    reason: str = ""


def unrolled(task: Task) -> Findings:
    """Look at runs up to a growing depth."""
    started = time.perf_counter()
    options = task.options if isinstance(task.options, UnrolledOptions) else UnrolledOptions()
    found = _Outcome()
    late = False
    try:
        _grow(task, options, found)
    except OutOfBudget as over:
        undecided = Undecided.because(over)
        found.reason, late = undecided.reason, undecided.late
    except (Unsuitable, OutOfUnits, TooLarge) as why:
        found.reason = str(why)
    statistics: Statistics = {"unrolled_seconds": time.perf_counter() - started, "depth": found.depth or 0}
    left = [target for target in task.targets if target not in found.traces]
    ending = not isinstance(task.question, Reach)
    unknown = None
    if (left or ending) and not found.proved:
        done = found.traces and task.first
        unknown = STOPPED if done else Undecided(_why(task.program, found, ending), late)
    proof = Unrolling(task.program, found.depth or 0)
    spent = Spent(exhausted=not found.proved)
    if ending:
        ends = Terminates(proof) if found.proved else None
        return Findings(frozenset(), unknown, statistics, ends=ends, spent=spent)

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: found.traces[target] for target in targets}

    return Findings(
        frozenset(found.traces),
        unknown,
        statistics,
        traces,
        (lambda: proof) if found.proved else None,
        spent=spent,
    )


def _why(program: Program, found: _Outcome, ending: bool) -> str:
    """Say how far was looked."""
    if found.depth is None or found.more is None:
        return found.reason or "nothing was looked at"
    name, location = found.more
    lines = [edge.span.line for edge in program.procedure(name).leaving.get(location, ()) if edge.span.line]
    times = f"{found.depth} iteration{'' if found.depth == 1 else 's'} of the loop at line {min(lines, default=0)}"
    deep = f"{found.depth} calls inside each other of '{name}'"
    calls = any(hasattr(edge.action, "procedure") for edge in program.procedure(name).leaving.get(location, ()))
    why = f" ({found.reason})" if found.reason else ""
    return f"{'a run may need more than' if ending else 'holds up to'} {deep if calls else times}{why}"


def _grow(task: Task, options: UnrolledOptions, found: _Outcome) -> None:
    depth = 1
    while not _look(task, depth, options.work, found):
        if depth >= options.depth or found.reason:
            return
        depth = min(2 * depth, options.depth)


def _look(task: Task, depth: int, work: int, found: _Outcome) -> bool:
    """Look at all runs up to a depth; tell whether everything is decided, or what is asked for was found."""
    task.budget.tell(f"looking at runs up to depth {depth}")
    copy = unroll(task.program, depth)
    session = Session(task.budget, UNITS * min(work, WALKED))
    wanted = {target.place for target in task.targets}
    copies: dict[Place, list[Place]] = {}
    for place, origin in copy.origins.items():
        if origin in wanted and place not in copy.more:
            copies.setdefault(origin, []).append(place)
    places = {place for each in copies.values() for place in each} | set(copy.more)
    translation = CellTranslation(CellBits(session.context))
    reached = Evaluation(copy.program, places, session, translation).run()
    session.left = None
    asking = _Asking(task.program, copy, session, reached, work)
    while left := [target for target in task.targets if target not in found.traces]:
        said, trace = asking.find_run([(target, copies.get(target.place, [])) for target in left])
        if trace is not None:
            found.traces[trace[0]] = trace[1]
            if task.first:
                return True
        elif said is Answer.UNSATISFIABLE:
            break
        else:
            found.reason = asking.reason
            return False
    if task.targets and not left:
        return True
    more = asking.find_more()
    found.depth = depth
    found.proved = more is None
    found.more = more
    return found.proved


class _Asking:
    """Questions about one unrolled program."""

    def __init__(self, program: Program, copy: Unrolled, session: Session, reached: Reached, work: int) -> None:
        self.program = program
        self.copy = copy
        self.session = session
        self.reached = reached
        self.work = work
        self.reason = ""

    def _ask(self, places: Sequence[Place]) -> tuple[Answer, Number | None]:
        guards = list(guards_of(self.reached, places))
        if not guards:
            return Answer.UNSATISFIABLE, None
        if any(guard is True for guard in guards):
            return Answer.SATISFIABLE, lambda variable: 0
        said, number = ask_bits(self.session, [*self.reached.facts, any_guard(guards)], self.work)
        if said is Answer.UNKNOWN:
            self.reason = "the solver has not answered in the work that it may spend"
        return said, number

    def find_run(self, targets: Sequence[tuple[Target, Sequence[Place]]]) -> tuple[Answer, tuple[Target, Trace] | None]:
        """Return a run to one of some targets, each with its copies."""
        said, number = self._ask([place for _, places in targets for place in places])
        if number is None:
            return said, None
        for target, places in targets:
            for place in places:
                if not any(self._holds(guard, number) for guard in self.reached.guards.get(place, ())):
                    continue
                try:
                    run = ModelRun(self.copy.program, self.reached, lambda term: _value(term, number)).run(place, STEPS)
                except RunEnds:
                    continue
                return said, (target, fold_back(run, self.copy, self.program, target.location))
        self.reason = "the model that the solver found is no run"
        return Answer.UNKNOWN, None

    def _holds(self, guard: object, number: Number) -> bool:
        return guard is True or number(guard) == 1

    def find_more(self) -> Place | None:
        """Return what a run may repeat once more, a loop or a call; None where nothing is."""
        said, number = self._ask(list(self.copy.more))
        if said is Answer.UNSATISFIABLE:
            return None
        for place, origin in self.copy.more.items():
            guards = self.reached.guards.get(place, ())
            if guards and (number is None or any(self._holds(guard, number) for guard in guards)):
                return origin
        return next(iter(self.copy.more.values()))


def _value(term: Term, number: Number) -> Value:
    """Return the value of a term in a model."""
    match term.type:
        case Bool():
            return bool(number(term.value))
        case Int():
            return term.type.wrap(number(term.value))
        case Array(_, length):
            if isinstance(term.value, list):
                return tuple(_value(cell, number) for cell in term.value)
            return tuple(0 for _ in range(length))
    return None
