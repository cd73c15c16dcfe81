"""Inputs as terms: a run computes with one value of each input, and notes beside it what the value is made of.

A `Symbol` is a number of this run and a node (`c.nodes`) that says how it comes from the inputs.  Wherever the run asks
something of one, the answer is written into its `trail`: a condition on the inputs that holds in this run.  Whatever
satisfies all conditions of the trail goes the same way.  What has no node is `pinned`: that it has this value is a
condition, too.

The nodes of all runs are made by one `Nodes`, which makes each once: conditions are compared by identity.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from knaster_check.c.nodes import INTEGER, Node, apply
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.numbers import ORDERS, compute_plain, wrap
from knaster_check.memory.values import Open, range_of
from knaster_check.program import Node as Head
from knaster_check.program import Type
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.faults import Place
    from knaster_check.memory.machine import Machine

EXACT: Type = ("int", None, True)
BYTE: Type = ("int", 8, False)


class Symbol(Open):
    """A number of this run, and how it comes from the inputs."""

    __slots__ = ("node",)

    def __init__(self, value: int, node: Node) -> None:
        self.value, self.node = value, node


class Nodes:
    """Nodes that are made once each, for all runs; `facts` is what is so of the inputs."""

    def __init__(self) -> None:
        self._made: dict[Any, Node] = {}
        self.facts: list[Node] = []

    def node(self, head: Head, *parts: Node) -> Node:
        """Return an operator on nodes."""
        if head == ("not",) and parts[0].head == ("not",):
            return parts[0].operands[0]
        key = head, *map(id, parts)
        if key not in self._made:
            self._made[key] = apply(head, *parts)
        return self._made[key]

    def number(self, value: int) -> Node:
        """Return a constant."""
        return self._made.setdefault(value, Node(("number", value), INTEGER))

    def input(self, number: int, low: int, high: int) -> Node:
        """Return the input of a number, which is any number of an interval."""
        key = "input", number, low, high
        if key not in self._made:
            # mutant(>=): an interval from 0 has a bit anyway
            width = max((low if low >= 0 else ~low).bit_length(), high.bit_length()) + (low < 0)
            type: Type = ("int", max(width, 1), low < 0)
            self._made[key] = found = Node(("name", f"i{number}.{low}.{high}", type), INTEGER)
            self.facts += [] if range_of(type) == (low, high) else [self.within(found, low, high)]
        return self._made[key]

    def compare(self, sign: str, one: Node, other: Node) -> Node:
        """Return a comparison."""
        return self.node(("compare", sign), one, other)

    def compute(self, sign: str, type: Type, one: Node, other: Node) -> Node:
        """Return the result of an operator in a type."""
        return self.node(("arithmetic", sign, type), one, other)

    def within(self, node: Node, low: int, high: int) -> Node:
        """Return that a number is in an interval."""
        return self.node(
            ("logic", "&"), self.compare("<=", self.number(low), node), self.compare("<=", node, self.number(high))
        )


class SymbolicInputs(Inputs):
    """The inputs of one run, by the bits that their names have; those without are 0, or nearest to it."""

    def __init__(self, nodes: Nodes, bits: Mapping[str, int], kinds: Collection[str]) -> None:
        super().__init__()
        self.nodes, self.bits = nodes, bits
        self.overflows, self.heeds_alignment = "overflow" in kinds, "alignment" in kinds
        self.count = 0
        self.trail: list[Node] = []
        self._noted: set[Node] = set()

    def between(self, low: int, high: int) -> Any:
        """Return an input from an interval."""
        node = self.nodes.input(self.count, low, high)
        self.count += 1
        _, name, type = node.head
        return Symbol(min(max(wrap(self.bits.get(name, 0), type), low), high), node)

    def decide(self, condition: Node, holds: bool) -> bool:
        """Note whether a condition holds in this run."""
        kept, contrary = condition, self.nodes.node(("not",), condition)
        if not holds:
            kept, contrary = contrary, kept
        if contrary in self._noted:
            raise Unsupported("a condition holds and does not hold in one run")
        if kept not in self._noted:
            self._noted.add(kept)
            self.trail.append(kept)
        return holds

    def node_of(self, value: Any) -> Node:
        """Return the node of a number."""
        return value.node if isinstance(value, Symbol) else self.nodes.number(int(value))

    def pinned(self, value: Any) -> Any:
        """Return a number as it is in this run, which now goes on for this value alone."""
        if not isinstance(value, Symbol):
            return value
        self.decide(self.nodes.compare("==", value.node, self.nodes.number(value.value)), True)
        return value.value

    def compare(self, sign: str, one: Any, other: Any) -> bool:
        """Tell how two numbers compare; the answer is noted."""
        condition = self.nodes.compare(sign, self.node_of(one), self.node_of(other))
        return self.decide(condition, ORDERS[sign](_value(one), _value(other)))

    def fitted(self, value: Any, type: Type) -> Any:
        """Return a number as one of a type, into which it wraps."""
        return Symbol(wrap(value.value, type), self.nodes.node(("convert", type), value.node))

    def byte_of(self, value: Any, at: int) -> Any:
        """Return a byte of a number."""
        shifted = self.nodes.compute(">>", EXACT, value.node, self.nodes.number(8 * at))
        return self.fitted(Symbol(value.value >> 8 * at, shifted), BYTE)

    def joined(self, bytes: list[Any]) -> Any:
        """Return the number that some bytes are together."""
        if all(isinstance(byte, int) for byte in bytes):
            return int.from_bytes(bytes, "little")
        value, node = 0, self.nodes.number(0)
        for at, byte in enumerate(bytes):
            part = self.nodes.compute("*", EXACT, self.node_of(byte), self.nodes.number(1 << 8 * at))
            value, node = value + (_value(byte) << 8 * at), self.nodes.compute("+", EXACT, node, part)
        return Symbol(value, node)

    def moved(self, offset: Any, count: Any, scale: int) -> Any:
        """Return the place in an object that is so many elements further."""
        way = self.nodes.compute("*", EXACT, self.node_of(count), self.nodes.number(scale))
        node = self.nodes.compute("+", EXACT, self.node_of(offset), way)
        return Symbol(_value(offset) + _value(count) * scale, node)

    def compute(self, machine: Machine, sign: str, one: Any, other: Any, type: Type, place: Place) -> Any:
        """Return the result of an operator; note whether it is undefined, and where that is asked for, too large."""
        left, right, nodes = self.node_of(one), self.node_of(other), self.nodes
        a, b = _value(one), _value(other)
        if sign in ("/", "%"):
            self.decide(nodes.compare("==", right, nodes.number(0)), b == 0)
        if sign in ("<<", ">>"):
            last = (1 << 16 if type[1] is None else type[1]) - 1
            self.decide(nodes.within(right, 0, last), 0 <= b <= last)
        if self.overflows and type[2] and type[1] is not None:
            self._note_overflow(sign, left, right, a, b, type)
        return Symbol(compute_plain(machine, sign, a, b, type, place), nodes.compute(sign, type, left, right))

    def _note_overflow(self, sign: str, left: Node, right: Node, a: int, b: int, type: Type) -> None:
        """Note whether the exact result is none of a signed type; that the operator is defined was noted before."""
        nodes, bounds = self.nodes, range_of(type)
        assert bounds is not None
        low, high = bounds
        if sign in _EXACT:
            exact = nodes.compute(sign, EXACT, left, right)
            self.decide(nodes.within(exact, low, high), low <= _EXACT[sign](a, b) <= high)
        if sign == "<<" and b >= 0 and not self.decide(nodes.compare("<", left, nodes.number(0)), a < 0):
            most = nodes.compute(">>", EXACT, nodes.number(high), right)
            self.decide(nodes.compare("<=", left, most), a <= high >> b)
        if sign in ("/", "%"):
            self.decide(nodes.compare("==", left, nodes.number(low)), a == low)
            self.decide(nodes.compare("==", right, nodes.number(-1)), b == -1)


_EXACT = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


def _value(number: Any) -> int:
    return number.value if isinstance(number, Symbol) else int(number)
