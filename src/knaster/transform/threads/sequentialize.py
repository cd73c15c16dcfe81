"""Sequentialization: from threads and a bound, one sequential program that reaches the same within it.

A. Lal and T. Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008; Lal's thesis,
sections 7.1 and 7.2).  Differences: a thread that gives up control for ever *calls* the procedure that lets the next
one run, and nobody returns from there, so nothing has to be unwound; a target is a procedure of its own that is called
where it is reached.  Where a thread may be interrupted is said in `interruption`.
"""

from __future__ import annotations

from knaster.base.errors import InternalError, UsageError
from knaster.base.records import replace
from knaster.evidence.questions.question import Bound, Question, Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import NOWHERE, TRUE
from knaster.program.model import Assume, Call, Edge, Location, Procedure, Program
from knaster.transform.formulae import Fresh, all_of
from knaster.transform.reduction import Effect, Reduction
from knaster.transform.threads.interruption import Body, Interruption
from knaster.transform.threads.schedules import Rounds, Schedule, Switches
from knaster.transform.threads.starts import started_procedure, starts_of
from knaster.transform.threads.way_back import unravel


def sequentialize(program: Program, question: Question, everywhere: bool = False) -> Reduction:
    """Return a sequential program that reaches its targets iff the program with threads does within the bound.

    With `everywhere` it has all runs, also those that switch where nobody notices it.
    """
    return sequentialize_with_schedule(program, question, everywhere=everywhere)[0]


def sequentialize_with_schedule(
    program: Program, question: Question, idles: bool = False, everywhere: bool = False
) -> tuple[Reduction, Schedule]:
    """Return the sequential program and the variables of its schedule; with `idles`, contexts may be empty."""
    bound = question.bound
    if not isinstance(question, Reach) or bound is None:
        raise InternalError("only reachability within a bound is reduced to a sequential program")
    writer = _Writer(program, question.targets, bound, idles, everywhere)
    reduced = writer.program()
    asked = {writer.target(code): target for code, target in enumerate(question.targets)}

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return asked[target], unravel(program, writer.schedule, writer.parts.origins, trace)

    reduction = Reduction(program, reduced, replace(question, targets=tuple(asked)), Effect.UNDER, back, asked)
    return reduction, writer.schedule


class _Writer:
    """The sequential program that is being written."""

    def __init__(
        self, program: Program, targets: tuple[Target, ...], bound: Bound, idles: bool, everywhere: bool
    ) -> None:
        self.original = program
        self.targets = targets
        fresh = Fresh(program)
        kinds = starts_of(program)
        if bound.kind == "rounds":
            if kinds:
                raise UsageError("rounds need a fixed number of threads; give --switches instead")
            self.schedule: Schedule = Rounds(program, fresh, bound.number, len(targets))
        else:
            width = max((len(started_procedure(program, start).parameters) for start in kinds), default=0)
            self.schedule = Switches(program, fresh, bound.number, len(targets), len(kinds), width, idles)
        self.parts = Interruption(program, self.schedule, fresh, everywhere=everywhere)
        self.next = self.parts.next = fresh.name("next_thread")
        self.reached = [fresh.name(f"reached{code}") for code in range(len(targets))]

    def program(self) -> Program:
        """Return the whole."""
        groups = self.parts.groups()
        start = Procedure("main", (), (), (), 0, 1, (Edge(0, Call(self.next, ()), 1),))
        procedures = [self._add_arrivals(body).finish() for body in self.parts.bodies()]
        procedures += [self._make_target(code) for code in range(len(self.targets))]
        return Program(
            tuple(name for group in groups for name in group),
            (start, self._dispatcher(), *procedures),
            ("main",),
            self.parts.init(),
            self.original.file,
            language=self.original.language,
            kind=self.original.kind,
            together=groups,
        )

    def target(self, code: int) -> Target:
        """Return the target of the sequential program for one of the original."""
        return replace(self.targets[code], procedure=self.reached[code], location=0)

    def _add_arrivals(self, body: Body) -> Body:
        """Add the steps that take notice of targets; the threads that run afterwards are not inside a section."""
        for code, target in enumerate(self.targets):
            if target.procedure == body.procedure.name:
                for action in self.schedule.arrivals(code):
                    here, outside = body.new(), body.new()
                    body.add(target.location, action, here)
                    body.add(here, self.parts.outside(), outside)
                    body.add(outside, Call(self.next, ()), outside)
        return body

    def _dispatcher(self) -> Procedure:
        """Return the procedure that lets the next thread run; it calls it, and never returns."""
        body = Body(Procedure(self.next, (), (), (), 0, 1, ()), self.next)
        end, ended = body.new(), body.new()
        body.add(end, self.parts.outside(), ended)
        self.parts.interrupt(body, [ended], idles=self.schedule.idles)
        before: dict[Call, Location] = {}
        for way in self.schedule.entrances():
            for call, given in self.parts.first_calls(way.thread):
                if call not in before:
                    before[call] = body.new()
                    body.add(before[call], call, end)
                    self.parts.interrupt(body, [before[call]] if self.schedule.idles else [], TRUE)
                action = replace(way.action, constraint=all_of([way.action.constraint, given]))
                body.add(0, action, before[call])
        for code, name in enumerate(self.reached):
            here = body.new()
            body.add(0, Assume(self.schedule.findings(code)), here)
            body.add(here, Call(name, ()), here)
        return body.finish()

    def _make_target(self, code: int) -> Procedure:
        target = self.targets[code]
        label = target.name.rpartition(".")[2]
        named = (label,) if any(label == name for p in self.original.procedures for name, _ in p.labels) else ()
        failures = () if named else (0,)
        return Procedure(
            self.reached[code], (), (), (), 0, 1, (), tuple((name, 0) for name in named), failures, span=NOWHERE
        )
