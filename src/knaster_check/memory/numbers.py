"""Arithmetic, comparisons and conversions of programs with memory, as C has them on two's complement numbers.

A signed result that its type does not hold is noted as an overflow and wraps.  What is done with numbers that depend on
inputs is said by those (`inputs`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place, Undefined
from knaster_check.memory.reals import to_integer, to_real
from knaster_check.memory.values import Address, Open, OpenReal, Piece
from knaster_check.program import Type
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.machine import Machine

_WHOLE: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def wrap(value: int, type: Type) -> int:
    """Return the number of a type that is congruent to a number."""
    _, width, signed = type
    if width is None:
        return value
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> width - 1 else value


def compute(machine: Machine, sign: str, one: Any, other: Any, type: Type, place: Place) -> Any:
    """Return the result of an operator in a type."""
    if isinstance(one, Address | Piece) or isinstance(other, Address | Piece):
        return _compute_with_address(machine, sign, one, other)
    if isinstance(one, Open) or isinstance(other, Open):
        return machine.inputs.compute(machine, sign, one, other, type, place)
    return compute_plain(machine, sign, one, other, type, place)


def compute_plain(machine: Machine, sign: str, one: int, other: int, type: Type, place: Place) -> int:
    """Return the result of an operator on two numbers."""
    if sign in _WHOLE:
        return _fit(machine, _WHOLE[sign](one, other), type, place)
    if sign in ("/", "%"):
        return _divide(machine, sign, one, other, type, place)
    return _shift(machine, sign, one, other, type, place)


def _fit(machine: Machine, exact: int, type: Type, place: Place) -> int:
    found = wrap(exact, type)
    if found != exact and type[2]:
        machine.note("overflow", place)
    return found


def _divide(machine: Machine, sign: str, one: int, other: int, type: Type, place: Place) -> int:
    if other == 0:
        raise Undefined("division", place)
    quotient = abs(one) // abs(other)
    if (one < 0) != (other < 0):  # mutant(<): a quotient of 0 has no sign, and no divisor is 0
        quotient = -quotient
    fitting = _fit(machine, quotient, type, place)  # the least number by -1: its remainder is undefined, too
    return fitting if sign == "/" else wrap(one - quotient * other, type)


def _shift(machine: Machine, sign: str, one: int, other: int, type: Type, place: Place) -> int:
    width = type[1]
    if other < 0 or other >= (1 << 16 if width is None else width):
        raise Undefined("shift", place)
    if sign == ">>":
        return one >> other
    if type[2] and one < 0:
        machine.note("overflow", place)
        return wrap(one << other, type)
    return _fit(machine, one << other, type, place)


def _compute_with_address(machine: Machine, sign: str, one: Any, other: Any) -> Any:
    """Return what an operator makes of an integer that was made from a pointer; objects begin at multiples of 16."""
    one, other = machine.inputs.pinned(one), machine.inputs.pinned(other)
    match sign, one, other:
        case "+", Address(base, offset), int():
            return Address(base, offset + other)
        case "+", int(), Address(base, offset):
            return Address(base, offset + one)
        case "-", Address(base, offset), int():
            return Address(base, offset - other)
        case "-", Address(base, offset), Address(second, start) if base == second:
            return offset - start
        case "&", Address(base, offset), int() if 0 <= other < 8:
            return offset & other
    raise Unsupported("a number that was made from a pointer is computed with")


def compare(machine: Machine, sign: str, one: Any, other: Any) -> bool:
    """Tell how two values compare; pointers have an order inside one object only."""
    if isinstance(one, OpenReal) or isinstance(other, OpenReal):
        return machine.inputs.compare_reals(sign, one, other)
    if isinstance(one, float) or isinstance(other, float):
        return ORDERS[sign](machine.inputs.pinned(one), machine.inputs.pinned(other))
    if isinstance(one, Address | Piece) or isinstance(other, Address | Piece):
        return _compare_addresses(machine, sign, machine.inputs.pinned(one), machine.inputs.pinned(other))
    if isinstance(one, Open) or isinstance(other, Open):
        return machine.inputs.compare(sign, one, other)
    return ORDERS[sign](one, other)


def _compare_addresses(machine: Machine, sign: str, one: Any, other: Any) -> bool:
    if isinstance(one, Address) and isinstance(other, Address):
        if sign in ("==", "!="):
            return (one == other) is (sign == "==")
        if one.base == other.base:
            return ORDERS[sign](one.offset, other.offset)
        machine.note("pointer", machine.place)
        return bool(machine.inputs.choose(("bool",)))
    address, number = (one, other) if isinstance(one, Address) else (other, one)
    plain = isinstance(address, Address) and isinstance(number, int) and sign in ("==", "!=")
    if not plain or (number != 0 and address.base != 0):
        raise Unsupported("a number that was made from a pointer is compared with another number")
    return (address == Address(0, number)) is (sign == "==")


def is_true(machine: Machine, value: Any) -> bool:
    """Tell whether a value is different from 0."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Address):
        return value != (0, 0)
    return compare(machine, "!=", value, 0)


def is_within(machine: Machine, value: Any, last: int) -> bool:
    """Tell whether a number is one of 0 to a last one."""
    return compare(machine, ">=", value, 0) and compare(machine, "<=", value, last)


def cast(machine: Machine, value: Any, type: Type, place: Place) -> Any:
    """Return a value as one of another type."""
    match type[0]:
        case "bool":
            return is_true(machine, value)
        case "address":
            return to_address(machine, value)
        case "bytes":
            return value
        case "floating":
            if isinstance(value, OpenReal | Open):
                return machine.inputs.to_real(value, type[1])
            return to_real(value, type[1])
    if value.__class__ is int or value.__class__ is bool:
        return wrap(int(value), type)
    if isinstance(value, Open):
        return machine.inputs.fitted(value, type)
    if isinstance(value, OpenReal):
        return machine.inputs.to_integer(value, type, place)
    if value.__class__ is float:
        return to_integer(value, type, place)
    if isinstance(value, Address):
        if value.base == 0:
            return wrap(value.offset, type)
        if type[1] == 8 * machine.pointer:
            return value
        if type[1] == 8:
            return Piece(value, 0, machine.pointer)
    if isinstance(value, Piece) and type[1] == 8:
        return value
    raise Unsupported("a part of a pointer is made a number")


def to_address(machine: Machine, value: Any) -> Any:
    """Return a value as a pointer."""
    value = machine.inputs.pinned(value)
    if isinstance(value, int):
        return Address(0, value & (1 << 8 * machine.pointer) - 1)
    if isinstance(value, Address):
        return value
    raise Unsupported("a part of a pointer is made a pointer")
