"""Congruences: the same in a state, as a formula and as an expression."""

from __future__ import annotations

from knaster.program.evaluate import evaluate
from knaster.program.types import INTEGER
from knaster.smt.congruences import Congruence
from knaster.smt.integers import Integers
from knaster.smt.library import z3
from knaster.smt.linear import Form


def test_all_readings_agree() -> None:
    context = z3.Context()
    for factor in (1, -2):
        for modulus in (2, 3, 8):
            held = Congruence.that(Form.of({"x": factor, "y": 3}, -1), modulus)
            for x in range(-5, 6):
                for y in (-1, 0, 4):
                    state = {"x": x, "y": y}
                    terms = {name: Integers(context).constant(value, INTEGER) for name, value in state.items()}
                    is_so = (factor * x + 3 * y - 1) % modulus == 0
                    assert evaluate(held.at_least_zero(), state, iter(())) is is_so
                    assert (held.value(state) == 0) is is_so
                    assert z3.is_true(z3.simplify(held.term(terms, context) >= 0)) is is_so
