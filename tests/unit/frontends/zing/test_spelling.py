"""How Zing models are written: values, expressions and statements as the text spells them."""

from __future__ import annotations

import pytest

from knaster.frontends.zing.spelling import SPELLING, action_to_text, expression_to_text, value_to_text
from knaster.program.expression import FALSE, TRUE, Apply, Conditional, Const, Field, Not, Self, Var
from knaster.program.model import Assume
from knaster.program.objects import Choose, Raise, Store, Update
from knaster.program.types import Reference, Value
from support.zing_text import model, read


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "null"), (True, "true"), (7, "7"), (Reference("C", 2), "C#2"), ((1, (False, None)), "{1, {false, null}}")],
)
def test_values(value: Value, text: str) -> None:
    assert value_to_text(value) == text


def test_expressions() -> None:
    both, either = Conditional(Var("a"), Var("b"), FALSE), Conditional(Var("a"), TRUE, Not(Var("b")))
    assert [expression_to_text(expr) for expr in (both, either)] == ["a && b", "a || !b"]
    assert expression_to_text(Conditional(either, both, FALSE)) == "(a || !b) && (a && b)"
    assert expression_to_text(Apply("f", (Self(), Field(Var("c"), 0, "n")))) == "f(self, c.n)"


def test_actions() -> None:
    assert action_to_text(Assume(TRUE)) == ";"
    assert action_to_text(Store((Var("a"), Var("b")), Const(1))) == "a = b = 1"
    assert action_to_text(Choose(Var("a"), (False, True))) == "a = choose(bool)"
    assert action_to_text(Choose(Var("a"), None, Var("z"))) == "a = choose(z)"
    assert action_to_text(Update(Var("z"), False, Const(3))) == "z = z - 3"
    assert action_to_text(Raise("Full")) == "raise Full"


def test_a_program_is_the_text_that_it_was_read_from() -> None:
    assert SPELLING.to_text(read(";")) == model(";") and SPELLING.routine == "method"
