"""Numbers as printf prints them, by the meaning and by the kernel; `tests/differential` has gcc."""

from __future__ import annotations

import math
from random import Random

import pytest

from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.printing import pad, print_float, print_integer
from knaster_check.memory.library.printing import spell_real, spell_whole
from knaster_check.refused import Unsupported

REALS = [
    (0.0, "f", "", 0, None, "0.000000"),
    (-0.0, "f", "", 0, 0, "-0"),
    (2.5, "f", "#", 0, 0, "2."),
    (9.995, "f", "", 8, 2, "    9.99"),
    (9.5, "e", "", 0, 0, "1e+01"),
    (0.0, "E", "+", 0, 1, "+0.0E+00"),
    (99999.96, "g", "", 0, None, "100000"),
    (999999.5, "g", "", 0, None, "1e+06"),
    (1e-5, "G", "", 0, None, "1E-05"),
    (0.0001, "g", "", 0, None, "0.0001"),
    (100.0, "g", "#", 0, None, "100.000"),
    (1.5, "g", "0", 6, 0, "000002"),
    (1e22, "f", " ", 0, 1, " 10000000000000000000000.0"),
    (5e-324, "e", "", 0, 3, "4.941e-324"),
]
WHOLE = [
    (0, "d", "", 0, 0, ""),
    (0, "o", "#", 0, 0, "0"),
    (8, "o", "#", 0, None, "010"),
    (0, "x", "#", 0, None, "0"),
    (255, "X", "#0", 8, None, "0X0000FF"),
    (5, "i", " -", 4, 2, " 05 "),
    (-5, "d", "0", 5, None, "-0005"),
    (5, "d", "0", 5, 2, "   05"),
    (5, "u", "+ ", 0, None, "5"),
    (0, "u", "", 0, None, "0"),
    (0, "d", "+", 0, None, "+0"),
    (0, "i", " ", 0, None, " 0"),
    (8, "o", "#", 0, 3, "010"),
    (8, "o", "#", 0, 2, "010"),
    (64, "o", "#", 0, None, "0100"),
    (8, "o", "", 0, None, "10"),
    (10, "x", "", 0, None, "a"),
    (10, "X", "", 3, None, "  A"),
    (-7, "i", "+", 6, 3, "  -007"),
    (7, "d", "+0", 5, None, "+0007"),
    (7, "d", "-0", 5, None, "7    "),
    (0, "x", "#", 4, 2, "  00"),
    (0, "d", "", 0, 3, "000"),
    (5, "d", "", 0, 0, "5"),
    (1, "d", "", 4096, None, " " * 4095 + "1"),
    (1, "d", "", 0, 4096, "0" * 4095 + "1"),
]


@pytest.mark.parametrize(("number", "kind", "flags", "width", "precision", "shown"), REALS)
def test_reals(number: float, kind: str, flags: str, width: int, precision: int | None, shown: str) -> None:
    assert print_float(number, kind, flags, width, precision) == shown
    assert spell_real(number, kind, flags, width, precision) == shown


def test_reals_are_shown_as_python_shows_them() -> None:
    random = Random(1)
    numbers = [0.0, 0.5, 1.0, 2.5, 9.5, 9.995, 10.0, 99.5, 0.00009995, 0.0001, 100000.0, 999999.5, 1e6, 1e22, 5e-324]
    numbers += [random.uniform(0.5, 1.5) * 10.0 ** random.randint(-12, 12) for _ in range(40)]
    for number in numbers:
        for kind in "fFeEgG":
            for precision in (None, 0, 1, 5, 9):
                flags = "".join(flag for flag in "-+ #0" if random.random() < 0.3)
                width, signed = random.choice((0, 3, 14)), random.choice((number, -number))
                form = f"%{flags}{width or ''}{'' if precision is None else f'.{precision}'}{kind}"
                assert spell_real(signed, kind, flags, width, precision) == form % signed, (form, signed)
                assert print_float(signed, kind, flags, width, precision) == form % signed, (form, signed)


@pytest.mark.parametrize(("number", "kind", "flags", "width", "precision", "shown"), WHOLE)
def test_integers(number: int, kind: str, flags: str, width: int, precision: int | None, shown: str) -> None:
    assert print_integer(number, kind, flags, width, precision) == shown
    assert spell_whole(number, kind, flags, width, precision) == shown


def test_what_is_not_printed() -> None:
    for number in (math.inf, math.nan):
        with pytest.raises(Unclear):
            print_float(number, "f", "", 0, None)
        with pytest.raises(Unsupported):
            spell_real(number, "f", "", 0, None)
    for width, precision in ((9999, None), (0, 9999)):
        with pytest.raises(Unclear):
            print_float(1.0, "f", "", width, precision)
        with pytest.raises(Unclear):
            print_integer(1, "d", "", width, precision)
        with pytest.raises(Unsupported):
            spell_real(1.0, "f", "", width, precision)
        with pytest.raises(Unsupported):
            spell_whole(1, "d", "", width, precision)
    for show in (spell_real, print_float):
        assert len(show(1.0, "f", "", 4096, 4096)) == 4098
    for number in (-1, 0, 1):
        assert spell_whole(number, "d", "", 0, None) == print_integer(number, "d", "", 0, None) == str(number)
    assert pad("a", "-", 3) == "a  " and pad("a", "", 3) == "  a"
