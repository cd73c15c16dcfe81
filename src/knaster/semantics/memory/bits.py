"""Builtins of gcc that compute with bits and say whether a result overflows; exact for the width in their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.types import Int
from knaster.semantics.memory.failure import VALUE, Fault
from knaster.semantics.memory.library import Does
from knaster.semantics.memory.symbolic.symbolic_steps import count_bits, first_bit, leading_zeros, reverse_bytes
from knaster.semantics.memory.symbolic.symbols import Symbol

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine


def _bits(compute: Callable[[int, int], int], width: int, partial: bool, symbolic: Callable[[Any, int], Any]) -> Does:
    def call(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        value = given[0] & (1 << width) - 1
        if partial and value == 0:
            raise Fault(VALUE, span, "the first bit of 0 is asked for")
        if isinstance(value, Symbol):
            return symbolic(value.converted(Int(width, False)), width)
        return compute(value, width)

    return call


def _trailing(value: int, width: int) -> int:
    return (value & -value).bit_length() - 1  # mutant(&): `x | -x` is `-(x & -x)`, which has as many bits


def _reversed(value: int, width: int) -> int:
    return int.from_bytes(value.to_bytes(width // 8, "little"), "big")


_ALL: dict[str, tuple[Callable[[int, int], int], bool, Callable[[Any, int], Any]]] = {
    "clz": (
        lambda value, width: width - value.bit_length(),
        True,
        leading_zeros,
    ),
    "ctz": (_trailing, True, lambda value, width: first_bit(value, width) - 1),
    "popcount": (lambda value, width: value.bit_count(), False, count_bits),
    "parity": (lambda value, width: value.bit_count() & 1, False, lambda value, width: count_bits(value, width) & 1),
    # mutant(&): `x | -x` is `-(x & -x)`, which has as many bits
    "ffs": (lambda value, width: (value & -value).bit_length(), False, first_bit),
}


def builtins(long: int) -> dict[str, Does]:
    """Return the builtins where `long` has so many bits."""
    found = {}
    for name, (compute, partial, symbolic) in _ALL.items():
        for suffix, width in (("", 32), ("l", long), ("ll", 64)):
            found[f"__builtin_{name}{suffix}"] = _bits(compute, width, partial, symbolic)
    found |= {name: found[f"__builtin_{name}"] for name in ("ffs", "ffsl", "ffsll")}
    for width in (16, 32, 64):
        found[f"__builtin_bswap{width}"] = _bits(_reversed, width, False, reverse_bytes)
    return found


_SIGNS: dict[str, Callable[[int, int], int]] = {
    "add": lambda one, other: one + other,
    "sub": lambda one, other: one - other,
    "mul": lambda one, other: one * other,
}


def overflows(sign: str, type: Int) -> Does:
    """Return the builtin that writes a result of a type, and says whether it is another number than the exact one."""
    compute = _SIGNS[sign]

    def call(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        exact = compute(given[0], given[1])
        wrapped = exact.converted(type) if isinstance(exact, Symbol) else type.wrap(exact)
        machine.store(given[2], type, wrapped, span)
        return exact != wrapped

    return call


def width_of(name: str) -> int:
    """Return how many bits a builtin of `OVERFLOWS` writes."""
    return int(name.rpartition(" ")[2][1:])


BITS = builtins(64)
OVERFLOWS = {
    f"overflow {sign} {'s' if signed else 'u'}{width}": overflows(sign, Int(width, signed))
    for sign in _SIGNS
    for signed in (True, False)
    for width in (8, 16, 32, 64)
}
