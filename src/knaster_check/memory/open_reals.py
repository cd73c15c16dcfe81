"""Floating-point numbers that depend on inputs: a number of this run, and a node that says how it comes from them.

What a run asks of one is a condition of its trail (`symbols`), in the theory of floating-point numbers of IEEE 754.
What is no number is one value there; nobody gets to see its bits.
"""

from __future__ import annotations

import math
from typing import Any

from knaster_check.c.nodes import Node
from knaster_check.memory.faults import Place, Undefined
from knaster_check.memory.numbers import ORDERS
from knaster_check.memory.reals import bits_of, from_bits, operate, rounded, to_integer, to_real
from knaster_check.memory.symbols import Symbol, SymbolicInputs
from knaster_check.memory.values import OpenReal
from knaster_check.program import Type
from knaster_check.refused import Unsupported

FUNCTIONS = ("floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt")


class RealInputs(SymbolicInputs):
    """Inputs as terms, floating-point numbers among them."""

    def choose(self, type: Type) -> Any:
        """Return an input of a type; a floating-point number is any bits."""
        if type[0] != "floating":
            return super().choose(type)
        return self.real_from_bits(self.between(0, (1 << type[1]) - 1), type[1])

    def real_from_bits(self, raw: Any, width: int) -> Any:
        """Return the number that some bits are."""
        if not isinstance(raw, Symbol):
            return super().real_from_bits(raw, width)
        return OpenReal(from_bits(raw.value, width // 8), width, self.nodes.node(("real_of_bits", width), raw.node))

    def _node(self, value: Any, width: int) -> Node:
        if isinstance(value, OpenReal):
            return value.node  # type: ignore[no-any-return]
        return self.nodes.node(("real_of_bits", width), self.nodes.number(bits_of(float(value), width)))

    def operate(self, sign: str, one: Any, other: Any, width: int) -> Any:
        """Return a sum, a difference, a product or a quotient."""
        node = self.nodes.node(("real_arithmetic", sign, width), self._node(one, width), self._node(other, width))
        return OpenReal(operate(sign, _plain(one), _plain(other), width), width, node)

    def compare_reals(self, sign: str, one: Any, other: Any) -> bool:
        """Tell how two numbers compare; the answer is noted."""
        width = one.width if isinstance(one, OpenReal) else other.width
        condition = self.nodes.node(("real_compare", sign), self._node(one, width), self._node(other, width))
        return self.decide(condition, ORDERS[sign](_plain(one), _plain(other)))

    def test_real(self, name: str, value: OpenReal) -> bool:
        """Tell whether a number is none (`isnan`), infinite or finite; the answer is noted."""
        if name == "isfinite":
            return not self.test_real("isnan", value) and not self.test_real("isinf", value)
        tests = {"isnan": math.isnan, "isinf": math.isinf}
        if name not in tests:
            raise Unsupported(f"the kernel does not know '{name}' of an input")
        return self.decide(self.nodes.node(("real_test", name), value.node), tests[name](value.value))

    def call_real(self, name: str, value: OpenReal, found: float) -> Any:
        """Return what a function of one number says, which is `found` in this run."""
        if name == "fabs":
            negative = self.compare_reals("<", value, 0.0)
            # without its sign where it is 0, too: 0 - -0 is 0
            return (
                self.operate("-", 0.0, value, value.width) if negative else self.operate("+", 0.0, value, value.width)
            )
        if name not in FUNCTIONS:
            raise Unsupported(f"the kernel does not know '{name}' of an input")
        return OpenReal(found, value.width, self.nodes.node(("real_function", name, value.width), value.node))

    def to_real(self, value: Any, width: int) -> Any:
        """Return a number that depends on inputs, whole or not, as one of so many bits."""
        if isinstance(value, OpenReal):
            node = value.node if value.width == width else self.nodes.node(("real_of_real", width), value.node)
            return OpenReal(rounded(value.value, width), width, node)
        return OpenReal(to_real(value.value, width), width, self.nodes.node(("real_of_integer", width), value.node))

    def to_integer(self, value: Any, type: Type, place: Place) -> Any:
        """Return a number without its fraction; undefined where the type does not hold it, which is noted."""
        _, bits, signed = type
        low, end = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
        whole = self.nodes.node(("real_function", "trunc", value.width), value.node)
        least, most = (self._node(to_real(bound, value.width), value.width) for bound in (low, end))
        inside = self.nodes.node(
            ("logic", "&"),
            self.nodes.node(("real_compare", ">="), whole, least),
            self.nodes.node(("real_compare", "<"), whole, most),
        )
        if not self.decide(inside, math.isfinite(value.value) and low <= math.trunc(value.value) < end):
            raise Undefined("value", place)
        return Symbol(to_integer(value.value, type, place), self.nodes.node(("integer_of_real", type), value.node))


def _plain(value: Any) -> float:
    return value.value if isinstance(value, OpenReal) else float(value)
