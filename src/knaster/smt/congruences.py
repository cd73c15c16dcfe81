"""Congruences: that a linear form is a multiple of a number, as a formula and as an expression of the model.

A congruence stands where a form that is at least 0 stands (`linear`): its term is 0 where it holds, and negative
elsewhere.  That a number is even is one.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.records import dataclass
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, Expr, IntegerOperator
from knaster.program.types import INTEGER, Value
from knaster.smt.library import z3
from knaster.smt.linear import Form
from knaster.smt.terms import Formula, State


@dataclass(frozen=True, slots=True)
class Congruence(Form):
    """That the form is a multiple of `modulus`."""

    modulus: int = 2

    @classmethod
    def that(cls, form: Form, modulus: int) -> Congruence:
        """Return that a form is a multiple of a number."""
        return cls(form.factors, form.constant % modulus, modulus)

    @property
    def _form(self) -> Form:
        return Form(self.factors, self.constant)

    def value(self, state: Mapping[str, Value]) -> int | None:
        """Return 0 in a state where it holds, a negative number elsewhere; None where a variable has no number."""
        total = self._form.value(state)
        return None if total is None else -(total % self.modulus)

    def term(self, state: State, context: object) -> Formula:
        """Return a formula that is 0 where it holds, and negative elsewhere."""
        return -(self._form.term(state, context) % z3.IntVal(self.modulus, context))

    def at_least_zero(self) -> Expr:
        """Return as an expression that it holds."""
        rest = Arithmetic(IntegerOperator.REMAINDER, self._form.expression(), Const(self.modulus), INTEGER)
        return Compare(Comparison.EQUAL, rest, Const(0))
