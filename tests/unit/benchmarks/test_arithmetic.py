from __future__ import annotations

import pytest

from benchmarks.arithmetic import constant, equals, exceeds, minus, number, plus

BITS = 4
N = number("n", BITS)


def value_of(expression: str, n: int) -> bool:
    """Evaluate an expression over the bits of n, by Python's own connectives; !a ^ b is !(a ^ b), which is the same."""
    python = expression.replace("!", " not ").replace("&", " and ").replace("|", " or ").replace("^", " != ")
    return bool(eval(python.replace("( not", "(not"), {}, {name: bool(n >> bit & 1) for bit, name in enumerate(N)}))


def number_of(expressions: tuple[str, ...], n: int) -> int:
    return sum(value_of(f"({expression})", n) << bit for bit, expression in enumerate(expressions))


@pytest.mark.parametrize("n", range(1 << BITS))
def test_sums_and_comparisons_agree_with_python(n: int) -> None:
    for value in range(1 << BITS):
        assert number_of(constant(value, BITS), n) == value
        assert number_of(plus(N, value), n) == (n + value) % (1 << BITS)
        assert number_of(minus(N, value), n) == (n - value) % (1 << BITS)
        assert value_of(equals(N, value), n) == (n == value)
        assert value_of(exceeds(N, value), n) == (n > value)


def test_a_sum_is_taken_modulo_the_range() -> None:
    assert plus(("n0",), 1) == ("!n0",)
    assert plus(("n0", "n1"), 1) == ("!n0", "(n1 ^ n0)")
    assert minus(("n0", "n1"), 1) == plus(("n0", "n1"), 3)
