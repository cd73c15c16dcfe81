"""Eliminates quantifiers over integers by projecting models, within resource units: the same answer in two runs.

A. Komuravelli, A. Gurfinkel and S. Chaki, SMT-based Model Checking for Recursive Programs (CAV 2014), section 4: a
model of the body yields a formula without the bound variables that holds in it and implies that there are such values
(z3 does that); their disjunction is the answer when no other model is left.  z3's own elimination takes no limit but
the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Formula

UNITS = 2_000_000  # for one quantifier
_ROUNDS = 60  # models of one quantifier
_DEEPEST = 20  # quantifiers inside each other


def eliminate(session: Session, formula: Formula) -> Formula:
    """Return a formula without quantifiers, as far as units and models allow; else with those that are left."""
    return _Elimination(session).without(formula, 0)


class _Elimination:
    """Takes the quantifiers of one formula away, the inner ones first."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.numbers = count()

    def without(self, formula: Formula, depth: int) -> Formula:
        """Return a formula in which each outermost quantifier is eliminated."""
        pairs = [(one, self.eliminated(one, depth)) for one in _outermost(formula)]
        return z3.simplify(z3.substitute(formula, *pairs)) if pairs else formula

    def eliminated(self, quantifier: Formula, depth: int) -> Formula:
        """Return what a quantified formula says without its quantifier; itself where that is not found."""
        if depth >= _DEEPEST or quantifier.is_lambda():
            return quantifier
        context, number = self.session.context, quantifier.num_vars()
        names = [f"bound!{next(self.numbers)}" for _ in range(number)]
        bound = [z3.Const(name, quantifier.var_sort(n)) for n, name in enumerate(names)]
        body = self.without(z3.substitute_vars(quantifier.body(), *reversed(bound)), depth + 1)
        if any(True for _ in _outermost(body)):
            return quantifier
        every = quantifier.is_forall()
        found = self.project(bound, z3.Not(body) if every else body)
        if found is None:
            return quantifier
        some = z3.Or(z3.BoolVal(False, context), *found)
        return z3.Not(some) if every else some

    def project(self, bound: Sequence[Formula], body: Formula) -> list[Formula] | None:
        """Return formulas one of which holds where some values make the body true; None where there is no answer."""
        solver = self.session.solver()
        solver.add([body])
        found: list[Formula] = []
        for _ in range(_ROUNDS):
            said = solver.check(units=UNITS)
            if said is not Answer.SATISFIABLE:
                return found if said is Answer.UNSATISFIABLE else None
            part = None
            with self.session.stoppable():
                part = self._project_model(solver.model(), bound, body)
            if part is None:
                return None
            found.append(part)
            solver.add([z3.Not(part)])
        return None

    def _project_model(self, model: Formula, bound: Sequence[Formula], body: Formula) -> Formula:
        context = self.session.context
        variables = (z3.Ast * len(bound))(*(variable.as_ast() for variable in bound))
        made = z3.Z3_qe_model_project(context.ref(), model.model, len(bound), variables, body.as_ast())
        return z3.BoolRef(made, context)


def _outermost(formula: Formula) -> list[Formula]:
    """Return the quantified formulas in a formula that are in no other one, each once."""
    found, seen, todo = [], {formula.get_id()}, [formula]
    while todo:
        node = todo.pop()
        if z3.is_quantifier(node):
            found.append(node)
            continue
        for child in node.children():
            if child.get_id() not in seen:
                seen.add(child.get_id())
                todo.append(child)
    return found
