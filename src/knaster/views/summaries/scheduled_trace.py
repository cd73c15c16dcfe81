"""Scheduled traces: from what is known of a schedule of threads, a shortest trace of one sequential program.

An engine that knows who owns the contexts of a run, and in which shared states they begin, has the run found again in
the program of `transform.threads.sequentialize`, whose guesses are as good as made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.evidence.questions.question import Bound, Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import Expr, Not, Var
from knaster.program.model import Program
from knaster.transform.formulae import all_of
from knaster.transform.threads.schedules import Switches
from knaster.transform.threads.sequentialize import sequentialize_with_schedule
from knaster.views.summaries.path_edges import Summaries
from knaster.views.summaries.shortest_traces import find_traces
from knaster.views.symbolic.encoding import encode

Knowledge = Callable[[Switches], Iterable[Expr]]  # what holds of the variables of a schedule


def find_scheduled_trace(
    program: Program, target: Target, switches: int, knowledge: Knowledge, budget: Budget, nodes: int
) -> Trace:
    """Return a run to a target with so many switches whose schedule is as known.  Requires: there is one."""
    reduction, names = sequentialize_with_schedule(program, Reach((target,), Bound("switches", switches)), idles=True)
    assert isinstance(names, Switches) and isinstance(reduction.question, Reach)
    init = all_of([reduction.program.init, *knowledge(names)])
    symbolic = encode(replace(reduction.program, init=init), order="declaration", nodes=nodes)
    engine = Summaries(symbolic, budget)
    goal = reduction.question.targets[0]
    engine.demand(symbolic.entry, symbolic.initial())
    engine.run([engine.vertex(*goal.place)])
    return reduction.back(goal, find_traces(symbolic, engine, [goal], budget)[goal])[1]


def begins_with(names: Switches, context: int, values: Mapping[str, bool]) -> Iterable[Expr]:
    """Return that a context begins in a shared state; variables that the program does not have are ignored."""
    for name, guess in names.guessed[context].items():
        yield Var(guess) if values[name] else Not(Var(guess))
