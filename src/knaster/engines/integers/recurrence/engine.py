"""Finds runs that never end although no state comes back: a recurrent set around a state that a run reaches.

A. Gupta, T. A. Henzinger, R. Majumdar, A. Rybalchenko and R.-G. Xu, Proving Non-termination (POPL 2008), with closed
sets as in H. Y. Chen, B. Cook, C. Fuhs, K. Nimkar and P. O'Hearn, Proving Nontermination via Safety (TACAS 2014).  For
a way from a loop head or an entry back to itself, inputs are chosen that take a state of a run around twice; then, of
all candidate inequalities that hold of the states on it, those are kept that the way preserves (as `houdini` does).
Where what is left implies that the way can be taken, it is a recurrent set.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from knaster.base.records import dataclass
from knaster.engines.contract import Findings, Task, Undecided
from knaster.engines.integers.inference.candidates import bound_forms, conditions_of, constants_of, order_forms
from knaster.engines.integers.recurrence import RecurrenceOptions
from knaster.engines.integers.tabulation_traces import RunFinder
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.traces.lasso import Lasso, Recurrence
from knaster.program.liveness import live_variables
from knaster.program.types import Int, Value
from knaster.semantics.python_code import NotCompiled, loop_heads
from knaster.semantics.tabulation import Node, Tabulation
from knaster.smt.integers import Integers
from knaster.smt.library import z3
from knaster.smt.linear import Form, all_at_least_zero
from knaster.smt.solver import Answer, Session, substitute
from knaster.smt.terms import Formula, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.formulas import Formulas, StepFormula
from knaster.views.steps.stretches import Stretch, TooManyStretches, stretches_around

UNITS = 500_000  # for one question
_SAMPLED = 1_500  # nodes of runs
_NODES = 8  # states of runs at one place that are tried first, the earliest ones; then the two latest
_INPUTS = 4  # choices of inputs for each
State = dict[str, Value]


def recurrence(task: Task) -> Findings:
    """Look for a run that never ends."""
    started = time.perf_counter()
    options = task.options
    units = options.units if isinstance(options, RecurrenceOptions) else RecurrenceOptions().units
    session = Session(task.budget, units)
    lasso, unknown = None, Undecided("no recurrent set was found")
    try:
        lasso = _find_lasso(task, session)
    except (Unsuitable, NotCompiled) as error:
        unknown = Undecided.because(error)
    except TooManyStretches:
        unknown = Undecided("there are too many ways through the program")
    statistics = {"recurrence_seconds": time.perf_counter() - started, "recurrence_units": units - (session.left or 0)}
    if lasso is None:
        return Findings(frozenset(), unknown, statistics)
    return Findings(frozenset(), None, statistics, ends=Diverges(lasso))


def _find_lasso(task: Task, session: Session) -> Lasso | None:
    program = task.program
    table = Tabulation(program, (), task.budget.check)
    table.explore(_SAMPLED)
    formulas = task.cut().formulas(Translation(Integers(session.context)))
    live = live_variables(program)
    for procedure in program.procedures:
        for location in sorted({*loop_heads(procedure), procedure.entry}):
            place = (procedure.name, location)
            nodes = [n for n in table.nodes.values() if (n.call.code.procedure.name, n.location) == place]
            stretches = stretches_around(formulas, place) if nodes else []
            scope, mask = program.scope(procedure), live[procedure.name][location]
            names = [n for bit, n in enumerate(scope) if mask >> bit & 1]
            for stretch in stretches:
                for node in dict.fromkeys([*nodes[:_NODES], *nodes[-2:]]):
                    found = _Search(formulas, session, stretch, names).find_around(node)
                    if found is not None:
                        lasso = _make_lasso(table, node, stretch, found)
                        if lasso is not None:
                            return lasso
    return None


@dataclass(frozen=True, slots=True)
class _RecurrentSet:
    """Forms that are at least 0 in the set, and the inputs by the positions of their edges."""

    forms: tuple[Form, ...]
    inputs: tuple[tuple[int, Value], ...]


class _Search:
    """Recurrent sets for one way."""

    def __init__(self, formulas: Formulas, session: Session, stretch: Stretch, names: Sequence[str]) -> None:
        self.formulas = formulas
        self.session = session
        self.context = session.context
        self.stretch = stretch
        self.names = names
        self.procedure = formulas.program.procedure(stretch.source[0])
        self.now = formulas.variables[stretch.source[0]]
        self.ranges = formulas.ranges(self.now)
        self.formula = z3.And(z3.BoolVal(True, self.context), *stretch.formulas)
        self.reads = [read for part in stretch.parts if isinstance(part, StepFormula) for read in part.reads]
        self.free = [variable for part in stretch.parts for variable in part.free]

    def find_around(self, node: Node) -> _RecurrentSet | None:
        """Return a recurrent set that has the state of a node."""
        scope = node.call.code.scope
        state = {name: value for name, value in zip(scope, node.values, strict=True) if name in self.names}
        if any(not isinstance(value, int) for value in state.values()):
            return None
        for chosen, after in self._inputs(state):
            found = self._find_closed(chosen, [state, after])
            if found is not None:
                edges = self.procedure.edges
                inputs = []
                for read in self.reads:
                    value = next(value for variable, value in chosen if variable.eq(read.variable))
                    number: Value = z3.is_true(value) if z3.is_bool(value) else value.as_long()
                    inputs.append((edges.index(read.edge), number))
                return _RecurrentSet(tuple(found), tuple(inputs))
        return None

    def _inputs(self, state: State) -> Iterator[tuple[list[tuple[Formula, Formula]], State]]:
        """Yield values of the free variables of the way that take a state around twice, and the state after once."""
        formulas = self.formula
        here = [(self.now[name].value, self._value(value)) for name, value in state.items()]
        solver = self.session.solver()
        then = [(self.now[name].value, term.value) for name, term in self.stretch.after.items()]
        solver.add([substitute(formulas, here), substitute(substitute(formulas, then), here)])
        for _ in range(_INPUTS):
            if solver.check(units=UNITS) is not Answer.SATISFIABLE:
                return
            model = solver.model()
            chosen = [(one, model.eval(one, model_completion=True)) for one in self.free]
            after: State = {}
            for name in self.names:
                if name in self.stretch.after:
                    value = substitute(substitute(self.stretch.after[name].value, here), chosen)
                    value = z3.simplify(value)
                    after[name] = value.as_long() if z3.is_int_value(value) else z3.is_true(value)
            yield chosen, after
            if not chosen:
                return
            solver.add([z3.Or(*(one != value for one, value in chosen))])

    def _value(self, value: Value) -> Formula:
        return z3.BoolVal(value, self.context) if isinstance(value, bool) else z3.IntVal(value, self.context)

    def _find_closed(self, chosen: list[tuple[Formula, Formula]], states: list[State]) -> list[Form] | None:
        """Return candidates that the way preserves and that imply that it can be taken; None where they do not."""
        guard = substitute(self.formula, chosen)
        after = {name: substitute(term.value, chosen) for name, term in self.stretch.after.items()}
        forms = [
            form
            for form in dict.fromkeys(self._candidates(states[0]))
            if all((form.value(s) or 0) >= 0 for s in states)
        ]
        forms = [form for form in forms if all(name in after for name, _ in form.factors)]
        left = self._keep_preserved(forms, guard, after)
        if not self._implies(left, guard):
            return None
        for form in left[::-1]:  # fewer are easier to read, and conditions of the text are the first ones
            fewer = [one for one in left if one != form]
            if self._implies(fewer, z3.And(guard, *(self._term(one, after) >= 0 for one in fewer))):
                left = fewer
        return left

    def _keep_preserved(self, forms: list[Form], guard: Formula, after: dict[str, Formula]) -> list[Form]:
        left = list(forms)
        while left:
            solver = self.session.solver()
            ends = {form: self._term(form, after) >= 0 for form in left}
            solver.add([*self.ranges, guard, *self._all(left), z3.Not(z3.And(*ends.values()))])
            said = solver.check(units=UNITS)
            if said is not Answer.SATISFIABLE:
                return left if said is Answer.UNSATISFIABLE else []
            model = solver.model()
            left = [form for form in left if z3.is_true(model.eval(ends[form], model_completion=True))]
        return left

    def _implies(self, forms: list[Form], formula: Formula) -> bool:
        solver = self.session.solver()
        entry = self.formulas.copy(self.stretch.source[0], f"{self.stretch.source[0]}~")
        solver.add([*self.ranges, *self.formulas.ranges(entry), *self._all(forms), z3.Not(formula)])
        return solver.check(units=UNITS) is Answer.UNSATISFIABLE

    def _all(self, forms: Sequence[Form]) -> list[Formula]:
        return [form.term(self.now, self.context) >= 0 for form in forms]

    def _term(self, form: Form, after: dict[str, Formula]) -> Formula:
        total = z3.IntVal(form.constant, self.context)
        for name, factor in form.factors:
            total = total + factor * after[name]
        return total

    def _candidates(self, state: State) -> Iterator[Form]:
        """Yield the conditions of the way, bounds, orders, and the values of a state as bounds."""
        numbers = [name for name in self.names if isinstance(self.now[name].type, Int)]
        yield from (
            form for form in conditions_of(self.formulas, self.procedure) if set(dict(form.factors)) <= set(numbers)
        )
        yield from bound_forms(numbers, constants_of(self.procedure))
        yield from order_forms(numbers)
        for name in numbers:
            value = state[name]
            assert isinstance(value, int)
            yield from bound_forms([name], [int(value)])


def _make_lasso(table: Tabulation, node: Node, stretch: Stretch, found: _RecurrentSet) -> Lasso | None:
    """Return the run to a node, and once around; None where it cannot be followed."""
    edges = frozenset(p for part in stretch.parts if isinstance(part, StepFormula) for p in part.step.edges)
    retracing = RunFinder(table)
    cycle = retracing.find_around(node, edges, dict(found.inputs), stretch.enters)
    if cycle is None:
        return None
    recurs = Recurrence(all_at_least_zero(found.forms), found.inputs)
    return Lasso(retracing.trace(node), cycle, stretch.enters, recurs)
