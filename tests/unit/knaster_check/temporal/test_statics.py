"""Conditions over statics: read with the operators' strength, and not decided where they are not understood."""

from __future__ import annotations

from itertools import product

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.zing import parse
from knaster_check import read_program
from knaster_check.evaluate import can_be
from knaster_check.refused import Unsupported
from knaster_check.temporal.statics import read_condition

TEXT = "class C { };\nclass Main { static bool b; static int n; static C c; activate static void main() { } };\n"
PROGRAM = read_program(program_to_kernel(parse(TEXT, "m.zing")))


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("Main.b", "b"),
        ("!Main.b", "not b"),
        ("Main.n == 1", "n == 1"),
        ("Main.n != 1 && Main.b", "n != 1 and b"),
        ("Main.b || Main.n > 0 && Main.n < 2", "b or (n > 0 and n < 2)"),
        ("(Main.b || Main.n >= 1) && Main.n <= 1", "(b or n >= 1) and n <= 1"),
        ("Main.b == Main.n < 1", "b == (n < 1)"),
        ("Main.b != true", "b != True"),
        ("!(Main.b == false) || !!Main.b", "(not (b == False)) or b"),
        ("true && 0 < Main.n", "0 < n"),
    ],
)
def test_conditions(text: str, python: str) -> None:
    formula = read_condition(PROGRAM, text)
    for b, n in product((False, True), (0, 1, 2)):
        state = {"Main.b": b, "Main.n": n, "Main.c": None}
        assert can_be(formula, True, state, None) is bool(eval(python, {"b": b, "n": n}))


@pytest.mark.parametrize(
    "text",
    [
        *("", "Main.n", "Main.c", "Main.c == null", "Main.n + 1 > 1", "(Main.b", "Main.b)", "Main.b Main.b", "nobody"),
        *("Main.b && 1", "1 || Main.b", "Main.b < Main.b", "Main.b == 1", "!Main.n", "Main.n < 1 < 2", "0x10 == 1"),
        *("Main.b &&", "|| Main.b", "&& " * 2_000),
    ],
)
def test_what_is_not_understood_is_not_decided(text: str) -> None:
    with pytest.raises(Unsupported):
        read_condition(PROGRAM, text)
