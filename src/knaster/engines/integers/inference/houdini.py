"""Keeps the inductive ones of many linear candidates at the cut points of a program (Houdini).

C. Flanagan and K. R. M. Leino, Houdini, an Annotation Assistant for ESC/Java (FME 2001).  All candidates are assumed at
first; where a step leads to a state in which some do not hold, these are left out, until nothing changes.  What is left
is the strongest conjunction of candidates that is inductive.  A candidate is a linear form that is at least 0
(`smt.linear`), over values now and, as `\\old(x)`, values at the entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knaster.base.records import dataclass
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.model import Place, old
from knaster.smt.library import z3
from knaster.smt.linear import Form, all_at_least_zero
from knaster.smt.solver import Answer, OutOfUnits, Session
from knaster.smt.terms import Formula, State
from knaster.views.steps.formulas import Formulas

UNITS = 400_000  # for one question
_ATOM, _VALUE = 20, 10  # units for writing down a part of a form, and for its value in a model
Key = Place | str  # a cut point, or a procedure for what holds of its entry values
Candidates = dict[Key, list[Form]]


@dataclass(frozen=True, slots=True)
class _Implication:
    """A step of the program: what holds before it, and the states in which something has to hold afterwards."""

    target: Key
    formulas: tuple[Formula, ...]
    assumed: tuple[tuple[Key, State], ...]  # candidates of these hold of these states
    after: State


class Houdini:
    """Candidates of one program that shrink to invariants."""

    def __init__(self, formulas: Formulas, session: Session, candidates: Mapping[Key, Sequence[Form]]) -> None:
        self.formulas = formulas
        self.session = session
        self.kept: Candidates = {key: list(dict.fromkeys(forms)) for key, forms in candidates.items()}
        self.entry = {name: formulas.copy(name, f"{name}~") for name in formulas.variables}
        self.steps = self._make_implications()
        self._atoms: dict[tuple[Form, int], Formula] = {}

    def solve(self) -> Candidates:
        """Leave out what does not hold; return what is left: nothing where the units were spent before it was known."""
        users: dict[Key, list[int]] = {}
        for number, step in enumerate(self.steps):
            for key, _ in step.assumed:
                users.setdefault(key, []).append(number)
        todo = dict.fromkeys(range(len(self.steps)))
        try:
            while todo:
                number = next(iter(todo))
                del todo[number]
                if self._drop_failing(self.steps[number]):
                    todo |= dict.fromkeys(users.get(self.steps[number].target, ()))
        except OutOfUnits:
            self.kept = {}
        return self.kept

    def _drop_failing(self, step: _Implication) -> bool:
        """Leave out the candidates at the end of a step that do not hold there; tell whether there were some."""
        weaker = False
        left = {form: self.atom(form, step.after) for form in self.kept.get(step.target, ())}
        if not left:
            return False
        solver = self.session.solver()
        solver.add(step.formulas)
        for key, state in step.assumed:
            solver.add([self.atom(form, state) for form in self.kept.get(key, ())])
        while left:
            solver.push()
            solver.add([z3.Not(z3.And(*left.values()))])
            said = solver.check(units=UNITS)
            if said is Answer.UNSATISFIABLE:
                break
            weaker = True
            if said is Answer.UNKNOWN:
                left = {}
                break
            self.session.work(_VALUE * len(left))
            model = solver.model()
            solver.pop()
            left = {form: atom for form, atom in left.items() if z3.is_true(model.eval(atom, model_completion=True))}
        self.kept[step.target] = list(left)
        return weaker

    def atom(self, form: Form, state: State) -> Formula:
        """Return that a form is at least 0 in a state, which has to live as long as this."""
        known = self._atoms.get((form, id(state)))
        if known is None:
            self.session.work(_ATOM * (1 + len(form.factors)))
            known = self._atoms[form, id(state)] = form.term(state, self.session.context) >= 0
        return known

    def reasons(
        self, key: Key, form: Form
    ) -> Iterator[tuple[list[Formula], dict[int, tuple[Formula, dict[tuple[Key, Form], None]]]]]:
        """Yield for each step to a place the formulas that say that a form holds there, and which are invariants."""
        for step in self.steps:
            if step.target != key:
                continue
            origins: dict[int, tuple[Formula, dict[tuple[Key, Form], None]]] = {}
            for source, state in step.assumed:
                for known in self.kept.get(source, ()):
                    formula = self.atom(known, state)
                    origins.setdefault(formula.get_id(), (formula, {}))[1][source, known] = None
            assumed = [formula for formula, _ in origins.values()]
            yield [*step.formulas, *assumed, z3.Not(self.atom(form, step.after))], origins

    def state(self, entry: State, now: State) -> State:
        """Return a state in which forms can be looked up: values now, and entry values by their names."""
        return {**now, **{old(given): term for given, term in entry.items()}}

    def _make_implications(self) -> list[_Implication]:
        formulas, program = self.formulas, self.formulas.program
        main = program.threads[0]
        start = formulas.variables[main]
        found = [_Implication(main, (*formulas.start(), *formulas.ranges(start)), (), self.state(start, {}))]
        for procedure in program.procedures:
            name, entry, now = procedure.name, self.entry[procedure.name], formulas.variables[procedure.name]
            same = [now[n].value == entry[n].value for n in (*program.globals, *procedure.parameters)]
            here = (name, self.state(entry, {}))
            known = (*same, *formulas.ranges(now), *formulas.ranges(entry))
            found.append(_Implication((name, procedure.entry), known, (here,), self.state(entry, now)))
        for step in formulas.steps:
            name, entry, now = step.procedure, self.entry[step.procedure], formulas.variables[step.procedure]
            assumed = self._assumptions((name, step.source))
            known = (*formulas.ranges(now), *formulas.ranges(entry), step.guard)
            found.append(_Implication((name, step.target), known, assumed, self.state(entry, step.update)))
        for call in formulas.calls:
            name, entry, now = call.procedure, self.entry[call.procedure], formulas.variables[call.procedure]
            inner = program.procedure(call.callee)
            assumed = self._assumptions((name, call.source))
            known = (*formulas.ranges(now), *formulas.ranges(entry), call.guard)
            passed = dict(zip(inner.parameters, call.arguments, strict=True)) | {n: now[n] for n in program.globals}
            found.append(_Implication(call.callee, known, assumed, self.state(passed, {})))
            leave = formulas.copy(call.callee, f"{call.callee}'")
            ended = ((call.callee, inner.exit), self.state(passed, leave))
            after = self.state(entry, formulas.state_after_call(call, now, leave))
            known = (*known, *formulas.ranges(leave))
            found.append(_Implication((name, call.target), known, (*assumed, ended), after))
        return found

    def _assumptions(self, place: Place) -> tuple[tuple[Key, State], ...]:
        state = self.state(self.entry[place[0]], self.formulas.variables[place[0]])
        return (place, state), (place[0], state)


def invariants_of(formulas: Formulas, kept: Candidates) -> Invariants:
    """Return what is left of candidates as a proof."""
    program = formulas.program
    requires = {procedure.name: all_at_least_zero(kept.get(procedure.name, ())) for procedure in program.procedures}
    places = [(name, location) for name, own in formulas.points.items() for location in own]
    at = {place: all_at_least_zero(kept.get(place, ())) for place in places}
    return Invariants(program, requires, at)
