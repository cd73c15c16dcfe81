"""Equations as people write them: `j == 2*i + 1 (mod 2^32)` in C, `a = !b` in Boolean programs, and as ACSL."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import gcd

from knaster.evidence.answers.facts import CALLERS, Alias, Equation, Fact, Range
from knaster.program.types import Int, Type


def range_to_text(fact: Range) -> str:
    """Return bounds as C and ACSL write them, joined."""
    low, high = (None if bound is None else str(bound) for bound in (fact.low, fact.high))
    if low is not None and high is not None:
        return f"{low} <= {fact.variable} <= {high}"
    return f"{fact.variable} >= {low}" if low is not None else f"{fact.variable} <= {high}"


def alias_to_text(fact: Alias) -> str:
    """Return `p == &a` where that is always so, `*p ~ a` where both may name the same object."""
    if fact.always:
        return f"{fact.left} == {fact.right}"
    other = fact.right if fact.right == CALLERS else fact.right[1:] if fact.right.startswith("&") else f"*{fact.right}"
    return f"*{fact.left} ~ {other}"


def equation_to_text(equation: Fact, types: Mapping[str, Type]) -> str:
    """Return an equation, solved for its first variable, with its modulus where it matters; or bounds, or aliases."""
    if isinstance(equation, Alias):
        return alias_to_text(equation)
    if isinstance(equation, Range):
        return range_to_text(equation)
    if equation.bits == 1:
        return _boolean(equation)
    left, right, bits = _sides(equation, types.get(equation.factors[0][0]))
    return f"{left} == {right}" if bits is None else f"{left} == {right} (mod {_power(bits)})"


def equation_to_acsl(equation: Fact, types: Mapping[str, Type]) -> str:
    """Return an equation, or bounds, as a predicate of ACSL, whose integers have no bound; empty for may-aliases."""
    if isinstance(equation, Alias):
        return alias_to_text(equation).replace("== 0", "== \\null") if equation.always else ""
    if isinstance(equation, Range):
        return range_to_text(equation)
    left, right, bits = _sides(equation, types.get(equation.factors[0][0]))
    if bits is None:
        return f"{left} == {right}"
    difference = left if right == "0" else f"({left} - ({right}))"
    return f"{difference} % {1 << bits} == 0"


def _boolean(equation: Equation) -> str:
    (first, _), *others = equation.factors
    if not others:
        return f"{first} = {'T' if equation.constant % 2 else 'F'}"
    right = " ^ ".join(name for name, _ in others)
    if equation.constant % 2:
        right = f"!{right}" if len(others) == 1 else f"!({right})"
    return f"{first} = {right}"


@lru_cache(maxsize=1 << 12)  # the same equations hold at many lines
def _sides(equation: Equation, type: Type | None) -> tuple[str, str, int | None]:
    """Return both sides and the exponent of the modulus; None where the equation holds as it stands.

    `type` is that of the first variable.
    """
    bits = equation.bits
    factors, constant = dict(equation.factors), equation.constant
    if bits is not None:
        common = gcd(*factors.values(), constant, 1 << bits)
        bits -= common.bit_length() - 1
        factors = {name: _signed(factor // common, bits) for name, factor in factors.items()}
        constant = _signed(constant // common, bits)
    first, *others = factors
    if bits is not None and not others and factors[first] == 1:
        if isinstance(type, Int) and type.width is not None and type.width <= bits:
            return first, str(type.wrap(-constant)), None
        constant = -(-constant % (1 << bits)) if bits < 31 else constant
    terms = [(-factor if bits is None else _signed(-factor, bits), name) for name, factor in factors.items()][1:]
    return _term(factors[first], first), _sum(terms, -constant), bits


def _signed(value: int, bits: int) -> int:
    value %= 1 << bits
    return value - (1 << bits) if value > 1 << bits - 1 else value


def _term(factor: int, name: str) -> str:
    return name if factor == 1 else f"-{name}" if factor == -1 else f"{factor}*{name}"


def _sum(terms: list[tuple[int, str]], constant: int) -> str:
    parts = [_term(factor, name) for factor, name in terms if factor]
    if constant or not parts:
        parts.append(str(constant))
    return " + ".join(parts).replace("+ -", "- ")


def _power(bits: int) -> str:
    return str(1 << bits) if bits <= 8 else f"2^{bits}"
