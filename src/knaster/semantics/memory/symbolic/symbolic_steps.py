"""What operators of C do with symbols: the same as `evaluate` does with numbers, undefined steps included.

That a signed result overflows is decided only where somebody asks for it; elsewhere it wraps, and whoever sums up runs
says that it was not looked at (`SymbolicInputs.wraps`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison, IntegerOperator
from knaster.program.types import Int
from knaster.semantics.memory.failure import DIVISION, OVERFLOW, SHIFT, Fault
from knaster.semantics.memory.symbolic.symbols import (
    Symbol,
    SymbolicInputs,
    as_numbers,
    calculate,
    compare_symbols,
    either,
    exactly,
    is_inside,
    join_bytes,
    outside,
    shift_exactly,
)

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Machine

_EXACT = (IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY)


def asked_by(machine: Machine) -> Collection[str]:
    """Return the kinds of undefined steps that are decided although a run may go on after them."""
    assert isinstance(machine.inputs, SymbolicInputs)
    return machine.inputs.asked


def operate(machine: Machine, sign: IntegerOperator, one: Any, other: Any, type: Int, span: Span) -> Any:
    """Return a sum, difference, product, or what is computed bit by bit."""
    if type.signed and sign in _EXACT:
        exact = exactly(sign, one, other)
        if OVERFLOW in asked_by(machine):
            if outside(exact, type):
                machine.lapse(OVERFLOW, span)
        elif not is_inside(exact, type):
            machine.inputs.wraps[span.line] = None  # type: ignore[attr-defined]
    return calculate(sign, one, other, type)


def divide_symbols(machine: Machine, sign: IntegerOperator, one: Any, other: Any, type: Int, span: Span) -> Any:
    """Return a quotient or a remainder."""
    if other == 0:
        raise Fault(DIVISION, span)
    if type.signed and OVERFLOW in asked_by(machine) and one == type.low and other == -1:
        machine.lapse(OVERFLOW, span)
    return calculate(sign, one, other, type)


def shift_symbols(machine: Machine, sign: IntegerOperator, one: Any, other: Any, type: Int, span: Span) -> Any:
    """Return a number shifted by so many bits."""
    one, other = as_numbers(one, other)
    width = type.width or 0
    if other < 0 or other >= width:
        raise Fault(SHIFT, span)
    asked = sign is IntegerOperator.LEFT and type.signed and OVERFLOW in asked_by(machine)
    if asked and (one < 0 or outside(shift_exactly(one, other, width), type)):
        machine.lapse(OVERFLOW, span)
    return calculate(sign, one, other, type)


def _bits_of(value: Symbol, width: int) -> list[Any]:
    return [value >> index & 1 for index in range(width)]


def count_bits(value: Symbol, width: int) -> Any:
    """Return how many bits are 1."""
    total: Any = 0
    for bit in _bits_of(value, width):
        total = total + bit
    return total.converted(Int(32))


def first_bit(value: Symbol, width: int) -> Any:
    """Return the number of the lowest bit that is 1, from 1 on; 0 where none is."""
    found: Any = 0
    for index, bit in reversed(list(enumerate(_bits_of(value, width), 1))):
        found = either(compare_symbols(Comparison.EQUAL, bit, 1), index, found)
    return found


def leading_zeros(value: Symbol, width: int) -> Any:
    """Return how many bits above the highest one that is 1 are 0."""
    found: Any = width
    for index, bit in enumerate(_bits_of(value, width)):
        found = either(compare_symbols(Comparison.EQUAL, bit, 1), width - 1 - index, found)
    return found


def reverse_bytes(value: Symbol, width: int) -> Any:
    """Return the bytes in the other order."""
    found = [(value >> 8 * index & 255).converted(Int(8, False)) for index in range(width // 8)]
    return join_bytes(found[::-1])
