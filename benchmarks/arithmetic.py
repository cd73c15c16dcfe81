"""Numbers as tuples of Boolean variables: the text of sums, comparisons and constants.

Notation: a number `n` of k bits is the names n0 .. n(k-1), lowest bit first.  Every expression mentions a carry once,
so its length is linear in the number of bits.
"""

from __future__ import annotations

from collections.abc import Sequence

Bits = Sequence[str]


def number(name: str, bits: int) -> tuple[str, ...]:
    """Return the variables that hold a number, lowest bit first."""
    return tuple(f"{name}{index}" for index in range(bits))


def constant(value: int, bits: int) -> tuple[str, ...]:
    """Return the bits of `value` modulo 2^bits as constants."""
    return tuple(str(value >> index & 1) for index in range(bits))


def plus(number: Bits, value: int) -> tuple[str, ...]:
    """Return the bits of `number + value`, modulo its range."""
    total: list[str] = []
    carry = "0"
    for index, bit in enumerate(number):
        one = value >> index & 1
        total.append(_xor(f"!{bit}" if one else bit, carry))
        carry = _or(bit, carry) if one else _and(bit, carry)
    return tuple(total)


def minus(number: Bits, value: int) -> tuple[str, ...]:
    """Return the bits of `number - value`, modulo its range."""
    return plus(number, -value % (1 << len(number)))


def equals(number: Bits, value: int) -> str:
    """Return the condition `number = value`."""
    literals = [bit if value >> index & 1 else f"!{bit}" for index, bit in enumerate(number)]
    return "(" + " & ".join(literals) + ")"


def exceeds(number: Bits, value: int) -> str:
    """Return the condition `number > value`."""
    condition = "0"
    for index, bit in enumerate(number):
        condition = _and(bit, condition) if value >> index & 1 else _or(bit, condition)
    return condition


def _and(bit: str, rest: str) -> str:
    return {"0": "0", "1": bit}.get(rest, f"({bit} & {rest})")


def _or(bit: str, rest: str) -> str:
    return {"0": bit, "1": "1"}.get(rest, f"({bit} | {rest})")


def _xor(bit: str, rest: str) -> str:
    return {"0": bit, "1": f"!{bit}".removeprefix("!!")}.get(rest, f"({bit} ^ {rest})")
