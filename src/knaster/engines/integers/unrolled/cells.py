"""Arrays of few elements as one term for each element: reads and writes at unknown places are chains of conditionals.

Solvers are much faster on these than on their own arrays (`../shared/specs/c.md`, section 4); arrays that are longer
than `MOST` are those of the solver.
"""

from __future__ import annotations

from knaster.program.expression import Comparison, IntegerOperator
from knaster.program.types import Array, Int, Reference, Type, Value
from knaster.smt.bits import Bits
from knaster.smt.floats import FloatNumbers
from knaster.smt.library import z3
from knaster.smt.terms import Formula, Sides, Term, Unsuitable
from knaster.smt.translate import Translation

MOST = 128  # elements of an array that has a term for each of them


def has_cells(type: Type) -> bool:
    """Tell whether values of a type are lists of terms."""
    return isinstance(type, Array) and type.length <= MOST


class CellBits(Bits):
    """Bit-vectors, and arrays whose formula is a list of terms."""

    def variable(self, name: str, type: Type) -> Term:
        """Return a variable; of an array a variable for each element."""
        if not isinstance(type, Array) or not has_cells(type):
            return super().variable(name, type)
        return Term([self.variable(f"{name}[{number}]", type.element) for number in range(type.length)], type)

    def constant(self, value: Value, type: Type | None = None) -> Term:
        """Return a constant; of an array a constant for each element."""
        if (
            isinstance(value, tuple)
            and not isinstance(value, Reference)
            and isinstance(type, Array)
            and has_cells(type)
        ):
            return Term([self.constant(part, type.element) for part in value], type)
        return super().constant(value, type)

    def arithmetic(self, operator: IntegerOperator, left: Term, right: Term, type: Int, sides: Sides) -> Term:
        """Return the result of an operator in `type`."""
        _refuse_numbers(left, right)
        return super().arithmetic(operator, left, right, type, sides)

    def compare(self, operator: Comparison, left: Term, right: Term) -> Formula:
        """Return a comparison; numbers of different types are compared by their values."""
        _refuse_numbers(left, right)
        return super().compare(operator, left, right)

    def convert(self, term: Term, type: Type) -> Term:
        """Return an integer or truth value as a value of another scalar type."""
        if term.type != type:
            _refuse_numbers(term)
        return super().convert(term, type)

    def index(self, term: Term) -> Formula:
        """Return an integer as an index; requires that it is a natural number, and not a large one."""
        _refuse_numbers(term)
        return super().index(term)


def _refuse_numbers(*terms: Term) -> None:
    if any(z3.is_fp(term.value) for term in terms):
        raise Unsuitable("the bits of a floating-point number are used")


class CellTranslation(Translation):
    """Expressions as terms, in which short arrays are lists of terms, and results of floating-point numbers no bits."""

    def _make_floats(self) -> FloatNumbers:
        self._numbers = FloatNumbers(self.numbers)
        return self._numbers

    def either(self, condition: Formula, then: Term, otherwise: Term) -> Term:
        """Return one of two terms of the same type."""
        if not isinstance(then.value, list):
            return super().either(condition, *self._numbers.meet(then, otherwise))
        pairs = zip(then.value, otherwise.value, strict=True)
        return Term([self.either(condition, one, other) for one, other in pairs], then.type)

    def _element(self, array: Term, index: Term, sides: Sides) -> Term:
        if not isinstance(array.value, list):
            return super()._element(array, index, sides)
        self._inside(array, index, sides)
        if index.low is not None and index.low == index.high:
            return array.value[min(max(index.low, 0), len(array.value) - 1)]  # type: ignore[no-any-return]
        places = self._places(array, index)
        found: Term = array.value[places[-1]]
        for number in places[-2::-1]:
            found = self.either(self._is(index, number), array.value[number], found)
        return found

    def _update(self, array: Term, index: Term, new: Term, sides: Sides) -> Term:
        if not isinstance(array.value, list):
            new = self._numbers.bits(new, f"bits!{next(self._number)}", sides)
            return super()._update(array, index, new, sides)
        kind = self._inside(array, index, sides)
        if isinstance(kind.element, Int):
            new = self.numbers.convert(new, kind.element)
        cells = list(array.value)
        if index.low is not None and index.low == index.high:
            if 0 <= index.low < len(cells):
                cells[index.low] = new
            return Term(cells, kind)
        for number in self._places(array, index):
            cells[number] = self.either(self._is(index, number), new, cells[number])
        return Term(cells, kind)

    def _places(self, array: Term, index: Term) -> range:
        """Return the places that an index may have, as far as its bounds tell; one at least."""
        last = len(array.value) - 1
        low = min(max(index.low or 0, 0), last)
        high = last if index.high is None else min(max(index.high, low), last)
        return range(low, high + 1)

    def _is(self, index: Term, number: int) -> Formula:
        same = self.numbers.constant(number)
        wide = z3.simplify(self.numbers.index(index) == self.numbers.index(same))
        return wide
