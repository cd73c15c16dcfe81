"""Operations of floating-point numbers as terms of z3: the theory of IEEE 754 (C. Brain and others, ARITH 2015).

Numbers are their bits.  The bits of a result are a new variable that has the value of the result; where that is no
number, one pattern of bits stands for all.  `FloatNumbers` leaves a result the number that it is, where nobody asks for
its bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import BOOL, Bool, Int
from knaster.smt.bits import Bits
from knaster.smt.library import z3
from knaster.smt.terms import Formula, Sides, Term, Unsuitable

QUIET = {32: 0x7FC0 << 16, 64: 0x7FF8 << 48}
"""The bits of what is no number."""


class FloatTerms:
    """Terms of one translation; results are remembered as numbers, so that bits are not made of them and back."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers
        self._known: dict[int, tuple[Formula, Formula]] = {}

    def term(self, node: FloatTerm, operands: Sequence[Term], name: str, sides: Sides) -> Term:
        """Return the value of a term; `name` is that of a new variable, of which `sides` says what it is."""
        if not isinstance(self.numbers, Bits):
            raise Unsuitable("floating-point numbers are bit-vectors")
        numbers = [self._number(operand, node.type) for operand in operands]
        if isinstance(node.result, Bool):
            return Term(self._compare(node.operator, numbers), BOOL)
        if isinstance(node.result, Int):
            return self._integer(numbers[0], node.result)
        return self._keep(self._apply(node, numbers), node.result, name, sides)

    def _keep(self, found: Formula, type: Floating, name: str, sides: Sides) -> Term:
        """Return a result as an operand of others: its bits."""
        bits: Term = self.numbers.variable(name, Int(type.width, False))
        same = z3.fpBVToFP(bits.value, found.sort(), self.numbers.context) == found
        quiet = bits.value == QUIET[type.width]
        sides.facts.append(z3.If(z3.fpIsNaN(found, self.numbers.context), quiet, same))
        sides.invented.append(bits.value)
        self._known[bits.value.get_id()] = bits.value, found
        return bits

    def _compare(self, operator: str, numbers: Sequence[Formula]) -> Formula:
        context = self.numbers.context
        match operator:
            case "==":
                return z3.fpEQ(*numbers, ctx=context)
            case "<":
                return z3.fpLT(*numbers, ctx=context)
            case "<=":
                return z3.fpLEQ(*numbers, ctx=context)
        raise Unsuitable(f"'{operator}' compares no floating-point numbers")

    def _sort(self, type: Floating) -> Any:
        return z3.Float64(self.numbers.context) if type.width == 64 else z3.Float32(self.numbers.context)

    def _number(self, term: Term, type: Floating | Int) -> Formula:
        """Return an operand as a floating-point number, or as an integer."""
        if isinstance(type, Int):
            return self.numbers.convert(term, type).value
        if z3.is_fp(term.value):
            return term.value
        known = self._known.get(term.value.get_id())
        bits = self.numbers.convert(term, Int(type.width, False)).value
        return known[1] if known is not None else z3.fpBVToFP(bits, self._sort(type), self.numbers.context)

    def _integer(self, number: Formula, type: Int) -> Term:
        """Return a number without its fraction, which the integer type has."""
        toward_zero, sort = z3.RTZ(self.numbers.context), self.numbers.sort(type)
        made = (z3.fpToSBV if type.signed else z3.fpToUBV)(toward_zero, number, sort, self.numbers.context)
        return Term(made, type, type.low, type.high)

    def _apply(self, node: FloatTerm, numbers: Sequence[Formula]) -> Formula:
        assert isinstance(node.result, Floating)
        context = self.numbers.context
        nearest, sort = z3.RNE(context), self._sort(node.result)
        match node.operator:
            case "+":
                return z3.fpAdd(nearest, *numbers, ctx=context)
            case "-":
                return z3.fpSub(nearest, *numbers, ctx=context)
            case "*":
                return z3.fpMul(nearest, *numbers, ctx=context)
            case "/":
                return z3.fpDiv(nearest, *numbers, ctx=context)
            case "fabs":
                return z3.fpAbs(*numbers, ctx=context)
            case "fma":
                return z3.fpFMA(nearest, *numbers, ctx=context)
            case "sqrt":
                return z3.fpSqrt(nearest, *numbers, ctx=context)
            case "convert" if isinstance(node.type, Floating):
                return z3.fpFPToFP(nearest, numbers[0], sort, context)
            case "convert" if isinstance(node.type, Int):
                make = z3.fpSignedToFP if node.type.signed else z3.fpUnsignedToFP
                return make(nearest, numbers[0], sort, context)
            case "rint":
                return z3.fpRoundToIntegral(nearest, *numbers, ctx=context)
            case "floor":
                return z3.fpRoundToIntegral(z3.RTN(context), *numbers, ctx=context)
            case "ceil":
                return z3.fpRoundToIntegral(z3.RTP(context), *numbers, ctx=context)
            case "trunc":
                return z3.fpRoundToIntegral(z3.RTZ(context), *numbers, ctx=context)
            case "round":
                return z3.fpRoundToIntegral(z3.RNA(context), *numbers, ctx=context)
        raise Unsuitable(f"'{node.operator}' of floating-point numbers is nothing for a solver")


class FloatNumbers(FloatTerms):
    """Terms whose results are no bits: the value of a term may be a floating-point number, whatever its type says."""

    def _keep(self, found: Formula, type: Floating, name: str, sides: Sides) -> Term:
        return Term(found, Int(type.width, False))

    def meet(self, one: Term, other: Term) -> tuple[Term, Term]:
        """Return two values as numbers where one of them is."""
        if z3.is_fp(one.value) is z3.is_fp(other.value):
            return one, other
        return self._alike(one, other), self._alike(other, one)

    def _alike(self, term: Term, other: Term) -> Term:
        if z3.is_fp(term.value):
            return term
        assert isinstance(other.type, Int) and other.type.width is not None
        return Term(self._number(term, Floating(other.type.width)), other.type)

    def bits(self, term: Term, name: str, sides: Sides) -> Term:
        """Return a value by its bits."""
        if not z3.is_fp(term.value):
            return term
        assert isinstance(term.type, Int) and term.type.width is not None
        return super()._keep(term.value, Floating(term.type.width), name, sides)
