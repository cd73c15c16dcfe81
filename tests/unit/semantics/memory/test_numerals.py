"""Floating-point numbers in texts: as C reads them; `tests/differential` has gcc."""

from __future__ import annotations

import math

import pytest

import knaster
from knaster.program.memory import Floating
from knaster.semantics.memory.numerals import read_number
from knaster_check.memory.library.numerals import read_real

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
]


@pytest.mark.parametrize(("text", "value", "length"), CASES)
def test_numbers_in_texts(text: str, value: float, length: int) -> None:
    for found, size, trouble in (read_number(text, Floating(64)), read_real(text, 64)):
        assert (found == value or (found != found and value != value)) and size == length
        assert bool(trouble) is (text in ("1e400", "1e-400"))


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
