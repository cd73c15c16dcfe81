"""Places as parts of variables: reading an element, and the whole after an element has changed."""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.frontends.c.lower.places import Place, read, write_element
from knaster.frontends.c.names.types import CHAR, INT, Record, Vector
from knaster.frontends.c.spelling import expression_to_text
from knaster.program.expression import Const, Var

HERE = Span(1, 1)


def test_reading() -> None:
    assert read("a", (), HERE) == Var("a")
    assert expression_to_text(read("a", (Const(1), Var("i")), HERE)) == "a[1][i]"


def test_writing() -> None:
    assert write_element("a", (), Const(7), HERE) == Const(7)
    assert (
        expression_to_text(write_element("a", (Const(1), Var("i")), Const(7), HERE)) == "a with [1] = a[1] with [i] = 7"
    )


def test_parts_of_a_struct() -> None:
    place = Place("p", Record("P", (("c", CHAR), ("n", Vector(INT, 2)))), (Const(3),))
    assert [(name, leaf.lengths) for leaf, name in place.leaves()] == [("p.c", ()), ("p.n", (2,))]
