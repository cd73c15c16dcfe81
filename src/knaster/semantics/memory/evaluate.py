"""Expressions of programs with memory as functions of a machine and an activation: what C computes, step by step.

`meaning(expr)` is made once for each expression.  Numbers are Python's, in the range of their type; truth values are
bool; a pointer is an `Address`, a struct a `Snapshot`.  An integer that was made from a pointer is still an `Address`:
it compares, moves and converts back, and any other arithmetic on it is `Unclear`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster.base.errors import InternalError, Span
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
)
from knaster.program.floating_point import compute as compute_float
from knaster.program.floating_point import from_number, round_to
from knaster.program.memory import (
    Address,
    Addresses,
    AddressOf,
    Chunk,
    Distance,
    Floating,
    FloatOperation,
    Fragment,
    Load,
    Moved,
    bytes_of,
)
from knaster.program.types import Bool, Int
from knaster.semantics.memory.failure import DIVISION, OVERFLOW, POINTER, SHIFT, Fault, Unclear
from knaster.semantics.memory.floats import OPEN_BITS, NotANumber, to_number
from knaster.semantics.memory.symbolic.float_symbols import (
    FloatSymbol,
    compare_floats,
    compute_float_symbol,
    to_float_type,
    to_integer_type,
)
from knaster.semantics.memory.symbolic.symbolic_steps import divide_symbols, operate, shift_symbols
from knaster.semantics.memory.symbolic.symbols import Symbol, compare_symbols, quotient
from knaster.semantics.memory.unknown import Unknown, compare, force, is_wide, to_type

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine

Meaning = Callable[["Machine", "Frame"], Any]

_ORDER: dict[Comparison, Callable[[Any, Any], bool]] = {
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.GREATER: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}
_PLAIN: dict[IntegerOperator, Callable[[Any, Any], Any]] = {
    IntegerOperator.ADD: operator.add,
    IntegerOperator.SUBTRACT: operator.sub,
    IntegerOperator.MULTIPLY: operator.mul,
    IntegerOperator.AND: operator.and_,
    IntegerOperator.OR: operator.or_,
    IntegerOperator.XOR: operator.xor,
}


_new_address: Callable[..., Any] = tuple.__new__  # half the price of calling the class


def meaning(expr: Any) -> Meaning:
    """Return the function that evaluates an expression."""
    match expr:
        case Const(value):
            return lambda machine, frame: value
        case Var(name):
            return _variable(name)
        case Choice(type, span, origin):
            return lambda machine, frame: machine.choose(type, origin, span)
        case AddressOf(name):
            return lambda machine, frame: machine.address_of(frame, name)
        case Load(address, type, span, _, packed):
            return _load(meaning(address), type, span, packed)
        case Moved(address, index, scale, span, part):
            return _moved(meaning(address), meaning(index), scale, span, part)
        case Distance(left, right, scale, width, span):
            return _distance(meaning(left), meaning(right), scale, Int(width), span)
        case Arithmetic(sign, left, right, type, span):
            return _arithmetic(sign, meaning(left), meaning(right), type, span)
        case FloatOperation(sign, left, right, type):
            return _float_operation(sign, meaning(left), meaning(right), type)
        case Compare(sign, left, right):
            return _compare(sign, meaning(left), meaning(right))
        case Convert(operand, type):
            return _convert(meaning(operand), type, expr.span)
        case Not(operand):
            return _not(meaning(operand))
        case Binary(sign, left, right):
            return _connective(sign, meaning(left), meaning(right))
        case Conditional(condition, then, otherwise):
            test, first, second = meaning(condition), meaning(then), meaning(otherwise)
            return lambda machine, frame: (first if test(machine, frame) else second)(machine, frame)
    raise InternalError(f"an expression of a program with memory has no meaning: {expr.__class__.__name__}")


def _not(operand: Meaning) -> Meaning:
    def negate(machine: Machine, frame: Frame) -> Any:
        value = operand(machine, frame)
        return value.negation() if isinstance(value, Symbol) else not value

    return negate


def _variable(name: str) -> Meaning:
    def read(machine: Machine, frame: Frame) -> Any:
        try:
            return frame.registers[name]
        except KeyError:
            return machine.choose_variable(frame, name)

    return read


def _load(address: Meaning, type: Any, span: Span, packed: bool) -> Meaning:
    size, mask = bytes_of(type), misfit(type, packed)
    if isinstance(type, Int):
        half, whole = (1 << 8 * size - 1, 1 << 8 * size) if type.signed else (0, 0)

        def load_number(machine: Machine, frame: Frame) -> Any:
            place = address(machine, frame)
            if place[1].__class__ is not int:
                machine.check_place(place, size, mask, span)
                return machine.load(place, type, span)
            if place[1] & mask:
                machine.check_alignment(place, size, span)
            cell = machine.usable(place, size, span).cells.get(place[1])
            if cell is not None and cell[0] == size and cell[1].__class__ is int:
                return cell[1] - whole if cell[1] >= half else cell[1]
            return machine.load(place, type, span)

        return load_number

    def load(machine: Machine, frame: Frame) -> Any:
        place = address(machine, frame)
        if place[1].__class__ is not int:  # mutant: the same checks in another order
            machine.check_place(place, size, mask, span)
        elif place[1] & mask:
            machine.check_alignment(place, size, span)
        return machine.load(place, type, span)

    return load


def misfit(type: Any, packed: bool) -> int:
    """Return the bits of an offset that must be 0 where a value of a type stands."""
    if packed or isinstance(type, Chunk):
        return 0
    size = bytes_of(type)
    return size - 1 if size & (size - 1) == 0 else 0


def _moved(address: Meaning, index: Meaning, scale: int, span: Span, part: bool) -> Meaning:
    def move(machine: Machine, frame: Frame) -> Any:
        base, offset = address(machine, frame)
        distance = index(machine, frame)
        if distance.__class__ is not int or offset.__class__ is not int:
            if isinstance(distance, Symbol) or isinstance(offset, Symbol):
                return machine.move(base, offset, distance, scale, span, part)
            distance = force(distance)
            if not isinstance(distance, int):
                raise Unclear("a pointer is moved by a number that was made from a pointer")
        moved = _new_address(Address, (base, offset + distance * scale))
        if (base <= 0 or not 0 <= moved[1] <= machine.objects[base].size) and distance:
            machine.check_moved(moved, span, part)
        return moved

    return move


def _distance(left: Meaning, right: Meaning, scale: int, type: Int, span: Span) -> Meaning:
    def subtract(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if one[0] != other[0]:
            machine.lapse(POINTER, span, "pointers into different objects are subtracted")
            return machine.choose(type, "a difference of pointers", span)
        difference = one[1] - other[1]
        if isinstance(difference, Symbol):
            return quotient(difference, max(1, scale)).converted(type)
        return type.wrap(abs(difference) // max(1, scale) * (1 if difference >= 0 else -1))  # mutant(>=): 0 is -0

    return subtract


def _arithmetic(sign: IntegerOperator, left: Meaning, right: Meaning, type: Int, span: Span) -> Meaning:
    if sign in (IntegerOperator.DIVIDE, IntegerOperator.REMAINDER):
        return _division(sign, left, right, type, span)
    if sign in (IntegerOperator.LEFT, IntegerOperator.RIGHT):
        return _shift(sign, left, right, type, span)
    low, high, wrap, compute = type.low, type.high, type.wrap, _PLAIN[sign]
    signed = type.signed

    def calculate(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if not (isinstance(one, int) and isinstance(other, int)):
            if isinstance(one, Symbol) or isinstance(other, Symbol):
                return operate(machine, sign, one, other, type, span)
            if isinstance(one, Unknown) or isinstance(other, Unknown):
                moved = _moved_input(machine, sign, one, other, type, span)
                if moved is not None:
                    return moved
                if machine.inputs.vague and low is not None and high is not None and is_wide(one, other):
                    return machine.inputs.any_value(low, high)
                one, other = force(one), force(other)
            if not (isinstance(one, int) and isinstance(other, int)):
                return _opaque(sign, one, other)
        value = compute(one, other)
        if low is None or high is None or low <= value <= high:
            return value
        if signed:
            machine.lapse(OVERFLOW, span)
        return wrap(value)

    return calculate


def _moved_input(machine: Machine, sign: IntegerOperator, one: Any, other: Any, type: Int, span: Span) -> Any:
    """Return the sum or difference of a constant and an input that is not chosen yet; None where it must be chosen."""
    if sign is IntegerOperator.SUBTRACT and isinstance(other, Unknown) and isinstance(one, int):
        found = other.moved(-1, one)
    elif sign is IntegerOperator.SUBTRACT and isinstance(one, Unknown) and isinstance(other, int):
        found = one.moved(1, -other)
    elif sign is IntegerOperator.ADD and isinstance(one, Unknown) and isinstance(other, int):
        found = one.moved(1, other)
    elif sign is IntegerOperator.ADD and isinstance(other, Unknown) and isinstance(one, int):
        found = other.moved(1, one)
    else:
        return None
    low, high = found.bounds
    if type.signed and type.width is not None:
        assert type.low is not None and type.high is not None
        inside = (type.low, type.high)
        if found.decide([inside, (low, type.low - 1), (type.high + 1, high)]):
            machine.lapse(OVERFLOW, span)
    return to_type(found, type)


def _float_operation(sign: str, left: Meaning, right: Meaning, type: Floating) -> Meaning:
    def operate(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if isinstance(one, FloatSymbol) or isinstance(other, FloatSymbol):
            return compute_float_symbol(sign, one, other, type)
        return compute_float(sign, one, other, type)

    return operate


def _opaque(sign: IntegerOperator, one: Any, other: Any) -> Any:
    """Return what arithmetic on an integer gives that was made from a pointer."""
    if isinstance(one, Address) and isinstance(other, int) and sign in (IntegerOperator.ADD, IntegerOperator.SUBTRACT):
        return Address(one.base, one.offset + (other if sign is IntegerOperator.ADD else -other))
    if isinstance(other, Address) and isinstance(one, int) and sign is IntegerOperator.ADD:
        return Address(other.base, other.offset + one)
    same = isinstance(one, Address) and isinstance(other, Address) and one.base == other.base
    if same and sign is IntegerOperator.SUBTRACT:
        return one.offset - other.offset
    if isinstance(one, Address) and isinstance(other, int) and sign is IntegerOperator.AND and 0 <= other < 8:
        return one.offset & other  # objects begin at multiples of 16
    raise Unclear("a number that was made from a pointer is computed with")


def _division(sign: IntegerOperator, left: Meaning, right: Meaning, type: Int, span: Span) -> Meaning:
    def divide(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if isinstance(one, Symbol) or isinstance(other, Symbol):
            return divide_symbols(machine, sign, one, other, type, span)
        one, other = force(one), force(other)
        if not (isinstance(one, int) and isinstance(other, int)):
            return _opaque(sign, one, other)
        if other == 0:
            raise Fault(DIVISION, span)
        quotient = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)  # mutant(<): 0 is -0
        if type.signed and not type.holds(quotient):
            machine.lapse(OVERFLOW, span)
        return type.wrap(quotient if sign is IntegerOperator.DIVIDE else one - quotient * other)

    return divide


def _shift(sign: IntegerOperator, left: Meaning, right: Meaning, type: Int, span: Span) -> Meaning:
    def shift(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if isinstance(one, Symbol) or isinstance(other, Symbol):
            return shift_symbols(machine, sign, one, other, type, span)
        one, other = force(one), force(other)
        if not (isinstance(one, int) and isinstance(other, int)):
            return _opaque(sign, one, other)
        if not 0 <= other < (type.width or 1 << 16):
            raise Fault(SHIFT, span)
        if sign is IntegerOperator.RIGHT:
            return one >> other
        value = one << other
        if type.signed and (one < 0 or not type.holds(value)):
            machine.lapse(OVERFLOW, span)
        return type.wrap(value)

    return shift


def _compare(sign: Comparison, left: Meaning, right: Meaning) -> Meaning:
    if sign in (Comparison.EQUAL, Comparison.DIFFERENT):
        same = sign is Comparison.EQUAL

        def equal(machine: Machine, frame: Frame) -> Any:
            one, other = left(machine, frame), right(machine, frame)
            if _meet(one, other):
                return compare_symbols(sign, one, other)
            if one.__class__ is not other.__class__ or one.__class__ is Fragment:
                return _equal(one, other) is same
            return bool(one == other) is same

        return equal
    compute = _ORDER[sign]

    def order(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if isinstance(one, int | float) and isinstance(other, int | float):
            return compute(one, other)
        if _meet(one, other):
            return compare_symbols(sign, one, other)
        if isinstance(one, int | Unknown) and isinstance(other, int | Unknown):
            return compare(sign, one, other)
        if isinstance(one, Address) and isinstance(other, Address):
            if one.base != other.base:
                machine.lapse(POINTER, machine.span, "pointers into different objects are compared")
                return bool(machine.choose(Bool(), "a comparison of pointers", machine.span))
            return compute(one.offset, other.offset)
        if isinstance(one, FloatSymbol) or isinstance(other, FloatSymbol):
            return compare_floats(sign, one, other)
        raise Unclear("a number that was made from a pointer is compared")

    return order


def _meet(one: Any, other: Any) -> bool:
    """Tell whether a symbol is compared with a number."""
    if isinstance(one, Symbol):
        return isinstance(other, int | Unknown)
    return isinstance(other, Symbol) and isinstance(one, int)


def _equal(one: Any, other: Any) -> bool:
    """Tell whether two values of different classes, or two bytes of something, are equal."""
    if isinstance(one, Fragment) and isinstance(other, Fragment):
        if one != other and (isinstance(one.address, NotANumber) or isinstance(other.address, NotANumber)):
            raise Unclear(OPEN_BITS)
        return one == other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    if isinstance(one, FloatSymbol) or isinstance(other, FloatSymbol):
        return bool(compare_floats(Comparison.EQUAL, one, other))
    if isinstance(one, Unknown | int) and isinstance(other, Unknown | int):
        return compare(Comparison.EQUAL, one, other)
    one, other = force(one), force(other)
    pointer, number = (one, other) if isinstance(other, int) else (other, one)
    if isinstance(pointer, Fragment) or not isinstance(number, int):
        raise Unclear("a part of a pointer is compared")
    if number == 0 or pointer.base == 0:
        return bool(pointer.base == 0 and pointer.offset == number)
    raise Unclear("a number that was made from a pointer is compared with another number")


def _convert(operand: Meaning, type: Any, span: Span) -> Meaning:
    if isinstance(type, Bool):
        return lambda machine, frame: is_true(operand(machine, frame))
    if isinstance(type, Addresses):
        return lambda machine, frame: to_pointer(operand(machine, frame))
    if isinstance(type, Chunk):
        return operand
    if isinstance(type, Floating):
        return lambda machine, frame: to_float(operand(machine, frame), type)
    wrap, low, high, width = type.wrap, type.low, type.high, type.width

    def convert(machine: Machine, frame: Frame) -> Any:
        value = operand(machine, frame)
        if isinstance(value, int):
            return +value if low is None or low <= value <= high else wrap(value)  # mutant(<=): only speed at the ends
        if isinstance(value, Address):
            if value.base == 0:
                return wrap(value.offset)
            size = 8 * machine.layout.pointer
            return value if width == size else Fragment(value, 0 if width == 8 else -width, size // 8)
        if isinstance(value, Unknown):
            return to_type(value, type)
        if isinstance(value, float):
            return to_number(value, type, span)
        if isinstance(value, FloatSymbol):
            return to_integer_type(value, type, span)
        if isinstance(value, Fragment) and width == 8:
            return value
        raise Unclear("a part of a pointer is made another number")

    return convert


def is_true(value: Any) -> Any:
    """Tell whether a value is different from 0; of a symbol, without deciding."""
    if isinstance(value, Symbol):
        return value.is_true()
    if isinstance(value, FloatSymbol):
        return compare_floats(Comparison.DIFFERENT, value, 0.0)
    if isinstance(value, Address):
        return value.base != 0 or value.offset != 0
    if isinstance(value, Fragment):
        raise Unclear("a part of a pointer is used as a truth value")
    return bool(value)  # an input that is not chosen yet decides


def to_float(value: Any, type: Floating) -> Any:
    """Return a value as a floating-point number."""
    if isinstance(value, FloatSymbol | Symbol):
        return to_float_type(value, type)
    value = force(value)
    if isinstance(value, int):
        return from_number(int(value), type)
    if not isinstance(value, float):
        raise Unclear("a number that was made from a pointer is made a floating-point number")
    return round_to(value, type)


def to_pointer(value: Any) -> Any:
    """Return a value as a pointer."""
    value = force(value)
    return Address(0, int(value) & (1 << 64) - 1) if isinstance(value, int) else value


def _connective(sign: Operator, left: Meaning, right: Meaning) -> Meaning:
    if sign is Operator.AND:
        return lambda machine, frame: left(machine, frame) and right(machine, frame)
    if sign is Operator.OR:
        return lambda machine, frame: left(machine, frame) or right(machine, frame)
    raise InternalError(f"'{sign}' has no meaning in programs with memory")


__all__ = ["Expr", "Meaning", "is_true", "meaning", "to_pointer"]
