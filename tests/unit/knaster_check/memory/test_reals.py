"""Floating-point numbers of the kernel: rounding to single numbers, division, conversions, and how they are stored."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from random import Random

import pytest

from knaster_check.memory.faults import Undefined
from knaster_check.memory.reals import bits_of, from_bits, nearest_real, operate, rounded, to_bits, to_integer, to_real
from knaster_check.refused import Unsupported

INF, NAN = math.inf, math.nan


def single(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def test_rounding() -> None:
    assert rounded(0.1, 64) == 0.1 and rounded(0.1, 32) == single(0.1) != 0.1
    assert rounded(1e39, 32) == INF and rounded(-1e39, 32) == -INF and rounded(INF, 32) == INF
    assert math.isnan(rounded(NAN, 32)) and rounded(1e39, 64) == 1e39


def test_operations() -> None:
    assert operate("+", 0.1, 0.2, 64) == 0.1 + 0.2 and operate("-", 1.0, 0.1, 32) == single(0.9)
    assert operate("*", 3.0, 0.5, 64) == 1.5 and operate("/", 1.0, 3.0, 32) == single(1 / 3)
    assert operate("/", 1.0, 0.0, 64) == operate("/", -1.0, -0.0, 64) == INF
    assert operate("/", -1.0, 0.0, 64) == operate("/", 1.0, -0.0, 64) == -INF
    assert math.isnan(operate("/", 0.0, 0.0, 64)) and math.isnan(operate("/", NAN, 0.0, 64))


def test_whole_numbers_are_rounded_once() -> None:
    assert to_real(3, 64) == 3.0 and to_real(-5, 32) == -5.0 and to_real(0.1, 32) == single(0.1)
    random = Random(1)
    for bits in (*range(20, 64), 64):
        for value in [random.getrandbits(bits) for _ in range(20)] + [(1 << bits - 1) + (1 << max(bits - 25, 0))]:
            for sign in (1, -1):
                found = to_real(sign * value, 32)
                unit = max(1, 1 << max(value.bit_length() - 24, 0))
                assert found == single(found) and abs(abs(found) - value) * 2 <= unit
                assert abs(abs(found) - value) * 2 < unit or int(abs(found)) // unit % 2 == 0
    tie = (1 << 60) + (1 << 36) + 1  # as a double it is the middle of two single numbers, and it is not
    assert to_real(tie, 32) == float((1 << 60) + (1 << 37)) and to_real(tie - 1, 32) == float(1 << 60)
    assert to_real(-tie, 32) == -float((1 << 60) + (1 << 37))
    with pytest.raises(Unsupported):
        to_real((1, 2), 64)


@pytest.mark.parametrize(("width", "digits", "least", "end"), [(64, 53, -1074, 1024), (32, 24, -149, 128)])
def test_fractions_are_rounded_once(width: int, digits: int, least: int, end: int) -> None:
    random = Random(width)
    cases = [Fraction(0), Fraction(1), Fraction(1, 3), *(Fraction(2) ** power for power in (least, -digits, end - 1))]
    cases += [Fraction(2) ** (power + 1) - Fraction(2) ** (power - digits - 2) for power in (0, 60, -60)]
    cases += [Fraction(random.getrandbits(90), 2 ** random.randint(0, 90)) for _ in range(50)]
    cases += [Fraction(random.getrandbits(60)) * Fraction(2) ** random.randint(least - 10, -70) for _ in range(50)]
    cases += [Fraction(10) ** power for power in (-30, -7, 0, 7, 22, 30)]
    for exact in cases:
        found = nearest_real(exact, width)
        unit = Fraction(2) ** max(math.frexp(found)[1] - digits, least)
        error = abs(Fraction(found) - exact)
        assert found == nearest_real(-exact, width) * -1 and found == rounded(found, width)
        assert error * 2 <= unit and (error * 2 < unit or found / float(unit) % 2 == 0)
    largest = Fraction(2) ** end - Fraction(2) ** (end - digits)
    middle = Fraction(2) ** end - Fraction(2) ** (end - digits - 1)
    assert nearest_real(largest, width) == nearest_real(middle - 1, width) == float(largest)
    assert nearest_real(middle, width) == nearest_real(Fraction(2) ** end, width) == INF
    assert nearest_real(-middle, width) == -INF and math.copysign(1.0, nearest_real(Fraction(0), width)) == 1.0


@pytest.mark.parametrize(
    ("value", "type", "whole"),
    [
        *[(127.9, ("int", 8, True), 127), (-128.9, ("int", 8, True), -128), (255.5, ("int", 8, False), 255)],
        *[(-0.9, ("int", 8, False), 0), (2147483647.0, ("int", 32, True), 2147483647)],
    ],
)
def test_fractions_are_cut(value: float, type: tuple[str, int, bool], whole: int) -> None:
    assert to_integer(value, type, (1, 1)) == whole


@pytest.mark.parametrize(
    ("value", "type"),
    [
        *[(128.0, ("int", 8, True)), (-129.0, ("int", 8, True)), (256.0, ("int", 8, False)), (-1.0, ("int", 8, False))],
        *[(INF, ("int", 64, True)), (NAN, ("int", 64, True))],
    ],
)
def test_what_does_not_fit_is_undefined(value: float, type: tuple[str, int, bool]) -> None:
    with pytest.raises(Undefined) as found:
        to_integer(value, type, (1, 1))
    assert found.value.kind == "value"


def test_how_numbers_stand_in_memory() -> None:
    assert to_bits(1.5, 8) == struct.pack("<d", 1.5) and to_bits(1.5, 4) == struct.pack("<f", 1.5)
    assert from_bits(int.from_bytes(struct.pack("<d", -0.1), "little"), 8) == -0.1
    assert from_bits(int.from_bytes(struct.pack("<f", 2.5), "little"), 4) == 2.5
    assert bits_of(NAN, 64) == 0x7FF8 << 48 and bits_of(NAN, 32) == 0x7FC0 << 16
    assert bits_of(-0.0, 64) == 1 << 63 and bits_of(1.5, 32) == 0x3FC0 << 16
