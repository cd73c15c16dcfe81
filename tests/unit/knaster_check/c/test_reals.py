"""Floating-point numbers in the kernel's scripts: constants are computed as Python computes them."""

from __future__ import annotations

import pytest

from knaster.program.expression import Const
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import Bool, Int
from knaster_check.c.integers import Integers
from knaster_check.c.nodes import INTEGER, Node, all_of, any_of, apply, negate
from knaster_check.c.solvers import Solvers
from knaster_check.c.terms import Unsuitable
from knaster_check.c.translation import Translation
from knaster_check.program import BOOL
from knaster_check.refused import Refused
from support.float_cases import cases

pytest.importorskip("bitwuzla")
SIGNS = ("+", "-", "*", "/")


def number(value: int) -> Node:
    return Node(("number", value), INTEGER)


def real(bits: int, width: int) -> Node:
    return apply(("real_of_bits", width), number(bits))


def node_of(term: FloatTerm) -> Node:
    """Return a term as a node of the kernel, whose operands are constants."""
    raws = [int(operand.value) for operand in term.operands if isinstance(operand, Const)]  # type: ignore[arg-type]
    type, result = term.type, term.result
    if isinstance(type, Int):
        return apply(("real_of_integer", result.width), number(raws[0]))
    given = [real(raw, type.width) for raw in raws]
    if isinstance(result, Bool):
        return apply(("real_compare", term.operator), *given)
    if isinstance(result, Int):
        return apply(("integer_of_real", ("int", result.width, result.signed)), *given)
    if term.operator == "convert":
        return apply(("real_of_real", result.width), *given)
    if term.operator in SIGNS:
        return apply(("real_arithmetic", term.operator, type.width), *given)
    return apply(("real_function", term.operator, type.width), *given)


def is_value(node: Node, value: int) -> Node:
    """Return that a node has a value; all that is no number is one, and zeros differ by what 1 / x is."""
    if node.type == BOOL:
        return node if value else negate(node)
    if node.type == INTEGER:
        return apply(("compare", "=="), node, number(value))
    width = node.type[1]
    expected = real(value, width)
    none = [apply(("real_test", "isnan"), each) for each in (node, expected)]
    one = real(0x3FF0 << 48 if width == 64 else 0x3F80 << 16, width)
    parts = [apply(("real_arithmetic", "/", width), one, each) for each in (node, expected)]
    same = apply(("logic", "&"), *(apply(("real_compare", "=="), *pair) for pair in ((node, expected), tuple(parts))))
    return any_of([apply(("logic", "&"), *none), same])


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_results_are_those_of_numbers(width: int, step: int) -> None:
    found = [(node_of(term), value) for term, value in cases(width, step)]
    assert Solvers(lambda units=0: None).find(all_of(is_value(*each) for each in found)) is not None


def test_integers_of_numbers_may_be_as_large_as_their_type() -> None:
    some, most = 0x43480000, 0x437F0000  # 200 and 255
    wrong = [
        negate(is_value(apply(("integer_of_real", ("int", 8, False)), real(bits, 32)), value))
        for bits, value in ((some, 200), (most, 255), (0x3F800000, 1))
    ]
    wrong.append(negate(is_value(apply(("integer_of_real", ("int", 8, True)), real(0xC3000000, 32)), -128)))
    assert Solvers(lambda units=0: None).find(any_of(wrong)) is None


def test_comparisons_and_tests() -> None:
    one, two, none, infinite = (real(bits, 32) for bits in (0x3F800000, 0x40000000, 0x7FC00000, 0xFF800000))
    signs = {"<": True, "<=": True, ">": False, ">=": False, "==": False, "!=": True}
    wrong = [Node(("truth", False), BOOL)]
    for sign, holds in signs.items():
        found = apply(("real_compare", sign), one, two)
        wrong.append(negate(found) if holds else found)
        wrong.append(
            negate(apply(("real_compare", sign), none, two))
            if sign == "!="
            else apply(("real_compare", sign), none, two)
        )
    wrong += [apply(("real_test", "isnan"), infinite), negate(apply(("real_test", "isinf"), infinite))]
    assert Solvers(lambda units=0: None).find(any_of(wrong)) is None


def test_types_are_looked_at() -> None:
    with pytest.raises(Refused):
        apply(("real_arithmetic", "+", 64), real(0, 64), real(0, 32))
    with pytest.raises(Refused):
        apply(("real_test", "isnan"), number(0))
    with pytest.raises(Refused):
        apply(("real_compare", "<"), real(0, 64), number(0))
    with pytest.raises(Unsuitable):
        Translation(Integers()).term(real(0, 64))
    assert Floating(64).width == 64
