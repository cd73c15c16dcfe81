"""Operations of floating-point numbers as formulas of a solver that has the theory of IEEE 754.

A number is its bits.  A result has no bits of its own there: they are a new variable that is said to stand for the
result; where that is no number, one pattern of bits stands for all.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.checkers.c.terms import Sides, Term, Unsuitable
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import BOOL, Bool, Int
from knaster.smt.door import Door, FloatDoor, Formula

_FORMS = {32: (8, 24), 64: (11, 53)}  # bits of the exponent, and of the digits with the one before the point
_NEAREST = {"+": "fp.add", "-": "fp.sub", "*": "fp.mul", "/": "fp.div", "fma": "fp.fma", "sqrt": "fp.sqrt"}
_COMPARISONS = {"==": "fp.eq", "<": "fp.lt", "<=": "fp.leq"}
_TO_WHOLE = {"rint": "RNE", "floor": "RTN", "ceil": "RTP", "trunc": "RTZ", "round": "RNA"}


class FloatingPoint:
    """The formulas of one solver; results are kept, so that whoever uses their bits uses them."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self._results: dict[Formula, Formula] = {}

    def value(self, term: FloatTerm, operands: Sequence[Formula], sides: Sides) -> Term:
        """Return the value of a term of operands, which are numbers; `sides` says what its bits are."""
        given = list(operands)
        if isinstance(term.result, Bool):
            if term.operator not in _COMPARISONS:
                raise Unsuitable(f"'{term.operator}' compares no floating-point numbers")
            return Term(self._open().term(_COMPARISONS[term.operator], *given), BOOL)
        if isinstance(term.result, Int):
            width = term.result.width
            assert width is not None
            name = "fp.to_sbv" if term.result.signed else "fp.to_ubv"
            value = self.door.term(name, self._rounding("RTZ"), *given, indices=(width,))
            return Term(value, term.result, term.result.low, term.result.high)
        return self._result(self._apply(term, given, _FORMS[term.result.width]), term.result, sides)

    def _result(self, found: Formula, result: Floating, sides: Sides) -> Term:
        """Return a result as an operand of others."""
        return self.keep(found, result, sides)

    def keep(self, found: Formula, result: Floating, sides: Sides) -> Term:
        """Return the bits of a number, of which `sides` says what they are."""
        type = Int(result.width, False)
        assert type.width is not None
        bits = self.door.variable(f"bits of a result {len(self._results)}", ("BitVec", type.width))
        same = self.door.term("=", self.read(bits, result), found)
        sides.facts.append(
            self.door.term(
                "ite", self.door.term("fp.isNaN", found), self.door.term("=", bits, self._none(result)), same
            )
        )
        self._results[bits] = found
        return Term(bits, type, type.low, type.high)

    def _open(self) -> FloatDoor:
        if not isinstance(self.door, FloatDoor):
            raise Unsuitable(f"{self.door.name} is not asked about floating-point numbers")
        return self.door

    def _rounding(self, mode: str) -> Formula:
        return self._open().rounding(mode)

    def _none(self, type: Floating) -> Formula:
        """Return bits that are no number: those of the exponent are set, and the first behind them."""
        exponent, digits = _FORMS[type.width]
        return self.door.bits(((1 << exponent + 1) - 1) << digits - 2, type.width)

    def read(self, operand: Formula, type: Floating) -> Formula:
        """Return the number that some bits are."""
        if operand in self._results:
            return self._results[operand]
        return self._open().term("to_fp_bits", operand, indices=_FORMS[type.width])

    def _apply(self, term: FloatTerm, given: Sequence[Formula], form: tuple[int, int]) -> Formula:
        nearest = self._rounding("RNE")
        if term.operator == "fabs":
            return self.door.term("fp.abs", *given)
        if term.operator in _NEAREST:
            return self.door.term(_NEAREST[term.operator], nearest, *given)
        if term.operator in _TO_WHOLE:
            return self.door.term("fp.roundToIntegral", self._rounding(_TO_WHOLE[term.operator]), *given)
        if term.operator == "convert":
            kind = (
                "to_fp" if isinstance(term.type, Floating) else "to_fp_signed" if term.type.signed else "to_fp_unsigned"
            )
            return self.door.term(kind, nearest, *given, indices=form)
        raise Unsuitable(f"'{term.operator}' of floating-point numbers is nothing for a solver")


class FloatingNumbers(FloatingPoint):
    """Formulas in which a result is the number that it is: it has bits only where somebody asks for them."""

    def _result(self, found: Formula, result: Floating, sides: Sides) -> Term:
        type = Int(result.width, False)
        return Term(found, type, type.low, type.high, result)
