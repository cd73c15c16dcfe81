"""Operations of floating-point numbers with their results: what tests of all translations to solvers compare with."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice, product

from knaster.program.expression import Const
from knaster.program.floating_point import from_bits, term_value, to_bits
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import BOOL, Bool, Int

NUMBERS = (0.0, -0.0, 1.0, -1.5, 2.5, 0.1, 1e-45, 3.4e38, math.inf, -math.inf, math.nan)
SIGNS = ("+", "-", "*", "/")
FUNCTIONS = ("sqrt", "rint", "floor", "ceil", "trunc", "round", "fabs")
COMPARISONS = ("==", "<", "<=")
WHOLE = (0, 1, -1, 16777217, -16777219, 2**31 - 1, -(2**31))


def numbers_of(type: Floating) -> list[int]:
    """Return the bits of some numbers of a type."""
    single = [to_bits(number, Floating(32)) for number in NUMBERS]
    return [to_bits(from_bits(bits, Floating(32)), type) for bits in single]


def cases(width: int, step: int = 1) -> Iterator[tuple[FloatTerm, int]]:
    """Yield terms of constants, and their values; each so many-th of them."""
    return islice(_all_cases(width), 0, None, step)


def _all_cases(width: int) -> Iterator[tuple[FloatTerm, int]]:
    type, other = Floating(width), Floating(96 - width)
    bits = numbers_of(type)
    pairs = list(product(bits, bits))
    for number, sign in enumerate(SIGNS):
        yield from (_case(sign, pair, type, type) for pair in pairs[number :: len(SIGNS)])
    for number, sign in enumerate(COMPARISONS):
        yield from (_case(sign, pair, type, BOOL) for pair in pairs[number :: len(COMPARISONS)])
    for name in FUNCTIONS:
        yield from (_case(name, (one,), type, type) for one in bits)
    yield from (_case("fma", triple, type, type) for triple in islice(product(bits, bits, bits), 0, None, 41))
    yield from (_case("convert", (one,), type, other) for one in bits)
    yield from (_case("convert", (one,), Int(32), type) for one in WHOLE)
    yield from (_case("convert", (one & 0xFFFFFFFF,), Int(32, False), type) for one in WHOLE)
    small = [one for one in bits if abs(from_bits(one, type)) < 100]
    yield from (_case("convert", (one,), type, Int(32)) for one in small)
    yield from (_case("convert", (one,), type, Int(8, False)) for one in small if from_bits(one, type) > -1)


def _case(
    operator: str, raws: tuple[int, ...], type: Floating | Int, result: Floating | Int | Bool
) -> tuple[FloatTerm, int]:
    term = FloatTerm(operator, tuple(map(Const, raws)), type, result)
    return term, term_value(term, list(raws))
