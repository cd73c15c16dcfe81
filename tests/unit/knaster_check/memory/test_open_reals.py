"""Floating-point numbers that depend on inputs: what a run notes of one is so of its input, and not of others."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest

from knaster_check.c.nodes import INTEGER, Node, all_of, apply, negate
from knaster_check.c.solvers import Solvers
from knaster_check.memory.faults import Undefined
from knaster_check.memory.open_reals import RealInputs
from knaster_check.memory.symbols import Nodes
from knaster_check.memory.values import OpenReal
from knaster_check.program import Type
from knaster_check.refused import Unsupported
from knaster_check.work import nothing
from support.kernel_desk import Desk

pytest.importorskip("bitwuzla")
INF, NAN = math.inf, math.nan
BYTE, SIGNED = ("int", 8, False), ("int", 8, True)


def bits(value: float) -> int:
    return int.from_bytes(struct.pack("<d", value), "little")


class Table(Desk):
    """A desk with one input that is a double."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.inputs = RealInputs(Nodes(), {f"i0.0.{(1 << 64) - 1}": bits(value)}, ("value",))
        self.machine.inputs = self.inputs
        self.input = self.inputs.choose(("floating", 64))

    def is_possible(self, value: float, *more: Node) -> bool:
        """Tell whether all that is noted may be so where the input is a number."""
        real = apply(("real_of_bits", 64), Node(("number", bits(value)), INTEGER))
        return self.find(*self.inputs.trail, same(self.input.node, real), *more)

    def find(self, *nodes: Node) -> bool:
        return Solvers(nothing).find(all_of([*self.inputs.nodes.facts, *nodes])) is not None


def same(one: Node, other: Node) -> Node:
    """Return that two numbers are one, or both none."""
    none = apply(("logic", "&"), *(apply(("real_test", "isnan"), each) for each in (one, other)))
    return apply(("logic", "|"), none, apply(("real_compare", "=="), one, other))


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        *[("fabs", -1.5, 1.5), ("fabs", 2.5, 2.5), ("floor", -1.5, -2.0), ("ceil", -1.5, -1.0), ("trunc", -1.5, -1.0)],
        *[("round", 2.5, 3.0), ("rint", 2.5, 2.0), ("nearbyint", 3.5, 4.0), ("sqrt", 2.25, 1.5)],
    ],
)
def test_functions_of_one_number(name: str, value: float, result: float) -> None:
    table = Table(value)
    found = table.call(name, table.input)
    assert isinstance(found, OpenReal) and found.value == result
    expected = apply(("real_of_bits", 64), Node(("number", bits(result)), INTEGER))
    assert table.is_possible(value, same(found.node, expected))
    assert not table.is_possible(value, negate(same(found.node, expected)))


def test_the_size_of_zero_has_no_sign() -> None:
    for zero in (0.0, -0.0):
        table = Table(zero)
        found = table.call("fabs", table.input)
        assert math.copysign(1.0, found.value) == 1.0


@pytest.mark.parametrize("name", ["isnan", "isinf", "isfinite"])
def test_tests(name: str) -> None:
    holds = {"isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite}[name]
    numbers = (1.5, INF, -INF, NAN)
    for value in numbers:
        table = Table(value)
        assert table.call(name, table.input) == int(holds(value))
        for other in numbers:
            # what is noted is so of all for which the test says the same, or of fewer
            assert not table.is_possible(other) or holds(other) == holds(value)
        assert table.is_possible(value)


@pytest.mark.parametrize("type", [BYTE, SIGNED])
def test_integers(type: Type) -> None:
    low, end = (-128, 128) if type[2] else (0, 256)
    fits = (low - 0.5, float(low), 1.5, end - 0.5)
    too_far = (low - 1.0, float(end), 2.0 * end, INF, NAN)
    for value in (*fits, *too_far):
        table = Table(value)
        try:
            found: Any = table.inputs.to_integer(table.input, type, (1, 1))
        except Undefined:
            found = None
        assert (found is None) == (value in too_far)
        assert table.is_possible(value)
        assert not any(table.is_possible(other) for other in (too_far if value in fits else fits))
        if found is not None:
            assert found.value == math.trunc(value)
            wrong = apply(("compare", "!="), found.node, Node(("number", math.trunc(value)), INTEGER))
            assert not table.is_possible(value, wrong)


def test_what_is_not_known_of_inputs() -> None:
    table = Table(1.5)
    for name, *values in (("fmin", table.input, 1.0), ("fmin", 1.0, table.input), ("logb", table.input)):
        with pytest.raises(Unsupported, match=r"of inputs|of an input"):
            table.call(str(name), *values)
    with pytest.raises(Unsupported, match="signbit"):
        table.call("signbit", table.input)
    table.machine.globals["errno"] = table.block(0, 0, 0, 0)
    with pytest.raises(Unsupported, match="of inputs"):
        table.call("sqrt", table.input)
