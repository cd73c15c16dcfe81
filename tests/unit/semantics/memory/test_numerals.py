"""Floating-point numbers in texts: as C reads them; `tests/differential` has gcc."""

from __future__ import annotations

import math
from random import Random

import pytest

import knaster
from knaster.program.memory import Floating
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.numerals import read_number
from knaster_check.memory.library.numerals import read_real
from knaster_check.memory.values import NULL, Address
from knaster_check.refused import Unsupported
from support.kernel_desk import Desk, at

CASES = [
    ("1.5", 1.5, 3),
    ("  -.5e1x", -5.0, 7),
    ("5.", 5.0, 2),
    ("0x1.8p3", 12.0, 7),
    ("0x", 0.0, 1),
    ("0x.8", 0.5, 4),
    ("1e", 1.0, 1),
    ("1e+", 1.0, 1),
    ("infinity", math.inf, 8),
    ("-Infin", -math.inf, 4),
    ("nan(12)", math.nan, 7),
    ("nan(", math.nan, 3),
    ("", 0.0, 0),
    (" +", 0.0, 0),
    (".", 0.0, 0),
    ("1e400", math.inf, 5),
    ("1e-400", 0.0, 6),
    ("0e99999999999", 0.0, 13),
    ("16777217", 16777217.0, 8),
    ("1e0000000000002", 100.0, 15),
    ("1e-0000000000002x", 0.01, 16),
    ("1e+3", 1000.0, 4),
    ("12.25e-1", 1.225, 8),
    ("0X1P-2", 0.25, 6),
    ("0x1Fp", 31.0, 4),
    ("0xg", 0.0, 1),
    ("0x.p1", 0.0, 1),
    ("-inf", -math.inf, 4),
    ("INFINITY", math.inf, 8),
    ("infinite", math.inf, 3),
    ("nan", math.nan, 3),
    ("NaN(a_9)z", math.nan, 8),
    ("nan(a b)", math.nan, 3),
    ("nan)", math.nan, 3),
    ("\t\n\v\f\r 7", 7.0, 7),
    ("+ 1", 0.0, 0),
    ("-.e1", 0.0, 0),
    ("x1", 0.0, 0),
    ("1..5", 1.0, 2),
    ("1.5.5", 1.5, 3),
    ("2.2250738585072014e-308", 2.0**-1022, 23),
    ("0x1p-1074", 5e-324, 9),
    ("0x1p-1023", 2.0**-1023, 9),
    ("1e999999999", math.inf, 11),
    ("1e9999999999", math.inf, 12),
    ("1e-999999999", 0.0, 12),
    ("0x3p-1075", 1e-323, 9),
]
CASES += [("18014398509481983", 2.0**54, 17), ("-18014398509481983", -(2.0**54), 18)]  # it has a digit more
TROUBLE = ("1e400", "1e-400", "1e999999999", "1e9999999999", "1e-999999999", "0x3p-1075")


@pytest.mark.parametrize(("text", "value", "length"), CASES)
def test_numbers_in_texts(text: str, value: float, length: int) -> None:
    for found, size, trouble in (read_number(text, Floating(64)), read_real(text, 64)):
        assert (found == value or (found != found and value != value)) and size == length
        assert bool(trouble) is (text in TROUBLE)
        assert value != 0 or math.copysign(1.0, found) == 1.0


def test_many_texts_are_read_as_python_reads_them() -> None:
    random = Random(1)
    for _ in range(300):
        digits = "".join(random.choice("0123456789") for _ in range(random.randint(1, 20)))
        at = random.randint(0, len(digits))
        text = random.choice(("", "-", "+")) + random.choice((digits, f"{digits[:at]}.{digits[at:]}"))
        text += random.choice(("", f"e{random.randint(-30, 30)}", f"E+{random.randint(0, 9)}"))
        value, rest = float(text), random.choice(("", " ", "e", "x"))
        if rest == "e" and "e" in text.lower():
            rest = ""
        for found, size, trouble in (read_number(text + rest, Floating(64)), read_real(text + rest, 64)):
            assert (found, size, bool(trouble)) == (value, len(text), False), text


def test_the_least_singles() -> None:
    for text, value, trouble in (
        ("0x1p-126", 2.0**-126, False),
        ("0x1.8p-126", 1.5 * 2.0**-126, False),
        ("0x1p-149", 2.0**-149, False),
        ("0x1.8p-149", 2.0**-148, True),
        ("1e-40", 9.999946101114759e-41, True),
        ("1e-37", 9.99999991097579e-38, False),
    ):
        for found, _, said in (read_number(text, Floating(32)), read_real(text, 32)):
            assert math.isclose(found, value, rel_tol=1e-12) and bool(said) is trouble, text


def test_endless_digits_are_not_read() -> None:
    """Python reads no number of so many digits."""
    for text in ("1" * 5000, "0." + "0" * 5000, "1e" + "0" * 5000 + "1"):
        with pytest.raises(Unclear):
            read_number(text, Floating(64))
        with pytest.raises(Unsupported):
            read_real(text, 64)


def test_the_most_digits_are_read_whatever_the_exponent() -> None:
    assert read_number("1" + "0" * 3998 + "e-3998", Floating(64))[0] == 1.0
    assert read_number("0" * 4000, Floating(64)) == (0.0, 4000, "")
    with pytest.raises(Unclear, match="digits"):
        read_number("0" * 4001, Floating(64))
    for text in (f"0.{'0' * 3000}1e3001", f"0x0.{'0' * 2000}1p8004"):
        assert read_number(text, Floating(64))[0] == 1.0


def test_calls_of_the_kernel() -> None:
    desk = Desk()
    text, end = desk.text(" -2.5e1z"), desk.block(*[None] * 8)
    assert desk.call("strtod", text, end) == -25.0
    assert desk.machine.load(end, ("address", 8), (0, 0)) == Address(text.base, 7)
    assert desk.call("strtod", at(text, 2), NULL) == 25.0 and desk.call("atof", text) == -25.0
    assert desk.call("strtof", desk.text("16777217"), NULL) == 16777216.0
    assert desk.call("strtod", desk.text("1e400"), NULL) == math.inf
    assert "no double" in desk.fault("atof", desk.text("1e400"))
    desk.machine.globals["errno"] = desk.block(0, 0, 0, 0)
    assert "errno" in desk.fault("strtod", desk.text("1e400"), NULL)
    assert desk.call("strtod", text, NULL) == -25.0


def test_singles_are_rounded_once() -> None:
    for text, value in (
        ("16777217", 16777216.0),
        ("1.00000017881393432617187499", 1.0000001192092896),
        ("1e39", math.inf),
    ):
        assert read_number(text, Floating(32))[0] == value == read_real(text, 32)[0]


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ('char *e, t[] = " 2.5e1z"; assert(strtod(t, &e) == 25 && *e == 122 && atof("-.5") == -.5);', "TRUE"),
        ('assert(strtof("0.1", 0) == 0.1f && strtod("0.1", 0) == 0.1 && strtof("0.1", 0) != 0.1);', "TRUE"),
        ('assert(strtod("1e999", 0) > 1e308 && errno == ERANGE);', "TRUE"),
        ('assert(strtod("1e-999", 0) == 0 && errno == 0);', "UNKNOWN"),
        ('assert(strtod("1.5", 0) == 1.5 && errno == 0);', "TRUE"),
        ('assert(strtod("1e999", 0) > 1e308);', "TRUE"),
        ('assert(atof("1e999") > 1);', "UNKNOWN"),
        ("char t[2] = {49, 46}; strtod(t, 0);", "FALSE"),
        ('assert(atoi("2147483647") == 2147483647);', "TRUE"),
        ('assert(atoi("2147483648") != 0);', "UNKNOWN"),
    ],
)
def test_programs(body: str, verdict: str) -> None:
    head = "#include <stdlib.h>\n#include <assert.h>\n#include <errno.h>\n"
    result = knaster.check(f"{head}int main(void) {{ {body} return 0; }}\n", file="a.c")
    assert result.verdict.value == verdict
