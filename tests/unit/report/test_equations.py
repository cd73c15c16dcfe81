"""Equations as people write them."""

from __future__ import annotations

import pytest

from knaster.evidence.answers.facts import Equation
from knaster.program.types import Int, Type
from knaster.report.equations import equation_to_acsl, equation_to_text

TYPES: dict[str, Type] = {"x": Int(32), "y": Int(32), "u": Int(32, signed=False), "l": Int(64)}
MANY = (1 << 32) - 1


@pytest.mark.parametrize(
    ("equation", "text", "acsl"),
    [
        (Equation(-3, (("x", 1),), None), "x == 3", "x == 3"),
        (Equation(-1, (("x", 2), ("y", -3)), None), "2*x == 3*y + 1", "2*x == 3*y + 1"),
        (Equation(4, (("x", 1),), 32), "x == -4", "x == -4"),
        (Equation(4, (("u", 1),), 32), "u == 4294967292", "u == 4294967292"),
        (Equation(4, (("l", 1),), 32), "l == -4 (mod 2^32)", "(l - (-4)) % 4294967296 == 0"),
        (Equation(1, (("x", 1), ("y", MANY - 1)), 32), "x == 2*y - 1 (mod 2^32)", "(x - (2*y - 1)) % 4294967296 == 0"),
        (Equation(0, (("x", 1 << 31),), 32), "x == 0 (mod 2)", "x % 2 == 0"),
        (Equation(0, (("x", 1 << 31), ("y", 1 << 31)), 32), "x == y (mod 2)", "(x - (y)) % 2 == 0"),
        (Equation(1 << 30, (("x", 1 << 30),), 32), "x == 3 (mod 4)", "(x - (3)) % 4 == 0"),
    ],
)
def test_integers(equation: Equation, text: str, acsl: str) -> None:
    assert equation_to_text(equation, TYPES) == text and equation_to_acsl(equation, TYPES) == acsl


@pytest.mark.parametrize(
    ("equation", "text"),
    [
        (Equation(0, (("a", 1),), 1), "a = F"),
        (Equation(1, (("a", 1),), 1), "a = T"),
        (Equation(0, (("a", 1), ("b", 1)), 1), "a = b"),
        (Equation(1, (("a", 1), ("b", 1)), 1), "a = !b"),
        (Equation(1, (("a", 1), ("b", 1), ("c", 1)), 1), "a = !(b ^ c)"),
    ],
)
def test_truth_values(equation: Equation, text: str) -> None:
    assert equation_to_text(equation, {}) == text
