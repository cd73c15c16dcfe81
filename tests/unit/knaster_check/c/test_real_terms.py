"""Operators of floating-point numbers over their bits in the kernel: constants are computed as Python computes them."""

from __future__ import annotations

import pytest

from knaster.evidence.proofs.kernel_text import expression_to_rows
from knaster.program.expression import Const
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import Int
from knaster_check.c.nodes import INTEGER, Node, all_of, any_of, apply, build, negate
from knaster_check.c.real_terms import number_of
from knaster_check.c.solvers import Solvers
from knaster_check.evaluate import outcomes
from knaster_check.formula import read_formula
from knaster_check.program import BOOL
from knaster_check.refused import Refused, Unsupported
from support.float_cases import cases

pytest.importorskip("bitwuzla")
DOUBLE = ["floating", 64]


def number(value: int) -> Node:
    return Node(("number", value), INTEGER)


def is_value(node: Node, value: int) -> Node:
    if node.type == BOOL:
        return node if value else negate(node)
    return apply(("compare", "=="), node, number(value))


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_results_have_the_bits_of_numbers(width: int, step: int) -> None:
    found = []
    for term, value in cases(width, step):
        node, defined = build(read_formula(expression_to_rows(term)), {})
        assert not defined
        found.append(is_value(node, value))
    assert Solvers(lambda units=0: None).find(all_of(found)) is not None


def test_an_integer_that_holds_no_number_is_0() -> None:
    wrong = []
    for raw in (0x7FC00000, 0x7F800000, 0x4F000000, 0xCF000001):  # no number, infinity, 2^31, less than -2^31
        term = FloatTerm("convert", (Const(raw),), Floating(32), Int(32))
        node, _ = build(read_formula(expression_to_rows(term)), {})
        wrong.append(negate(is_value(node, 0)))
    node, _ = build(
        read_formula(expression_to_rows(FloatTerm("convert", (Const(0xCF000000),), Floating(32), Int(32)))), {}
    )
    wrong.append(negate(is_value(node, -(2**31))))
    assert Solvers(lambda units=0: None).find(any_of(wrong)) is None


def test_a_result_is_the_number_that_its_bits_are() -> None:
    one = apply(("real_of_bits", 64), number(0x3FF0 << 48))
    two = apply(("real_arithmetic", "+", 64), one, one)
    bits = apply(("bits_of_real", 64), two)
    assert number_of(bits, 64) is two
    kept = Node(("fits", ("int", 64, False)), INTEGER, (bits,))
    assert number_of(kept, 64) is two
    either = apply(("if",), Node(("truth", True), BOOL), kept, number(0))
    found = number_of(either, 64)
    assert found.head == ("if",) and found.operands[1] is two and found.operands[2].head == ("real_of_bits", 64)
    fitting = Node(("fits", ("int", 64, False)), INTEGER, (apply(("if",), either.operands[0], bits, number(0)),))
    inner = number_of(fitting, 64)
    assert inner.operands[1] is two
    assert inner.operands[2].operands[0].head == ("fits", ("int", 64, False))  # whether it fits is still looked at
    assert number_of(bits, 32).head == ("real_of_bits", 32)  # bits of another type are bits


@pytest.mark.parametrize(
    "row",
    [
        ["real_term", "%", DOUBLE, DOUBLE],
        ["real_term", "+", DOUBLE, ["floating", 32]],
        ["real_term", "+", ["int", 64, False], DOUBLE],
        ["real_term", "<", DOUBLE, DOUBLE],
        ["real_term", "convert", ["int", 64, False], ["int", 64, False]],
        ["real_term", "convert", DOUBLE, ["int", None, True]],
        ["real_term", "convert", DOUBLE, ["bool"]],
        ["real_term", "convert", DOUBLE],
    ],
)
def test_what_is_no_operator_is_refused(row: list[object]) -> None:
    with pytest.raises(Refused):
        read_formula([["number", "0"], ["number", "0"], row])


def test_nobody_computes_them_by_their_bits() -> None:
    term = FloatTerm("+", (Const(0), Const(0)), Floating(64), Floating(64))
    with pytest.raises(Unsupported, match="floating-point"):
        outcomes(read_formula(expression_to_rows(term)), {})
