"""When evaluating an expression is undefined because of its order (C17 6.5): by reads, writes, and what is before what.

An expression is evaluated from left to right with concrete addresses.  Each read and each write is an event; C says
which ones come before others.  Two events without an order clash where they are about one place and one is a write.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from support.generators.c_operands import SIZE, Node

Place = tuple[str, int]  # an object and an element of it


class Ended(Exception):
    """A run that ends early: something else is undefined."""


class Evaluated:
    """The value of an expression and its events: all of them, and those that are over when the value is known."""

    def __init__(self, value: Any, events: set[int] | None = None, over: set[int] | None = None) -> None:
        self.value, self.events, self.over = value, events or set(), over or set()


class Oracle:
    """A state of the variables, and the events of the expression that is evaluated."""

    def __init__(self, state: dict[str, Any], memory: bool) -> None:
        self.cells: dict[Place, Any] = {("i", 0): state["i"], ("j", 0): state["j"]}
        for name in "ab":
            self.cells |= {(name, at): value for at, value in enumerate(state[name])}
        for name in "sr" if memory else "s":
            self.cells |= {(f"{name}.x", 0): 1, (f"{name}.y", 0): 2}
            self.cells |= {(f"{name}.d", at): at for at in range(SIZE)}
        if memory:
            self.cells |= {(name, 0): _address(state[name]) for name in "pq"} | {("t", 0): state["t"]}
        self.events: list[tuple[Place, bool]] = []
        self.before: set[tuple[int, int]] = set()

    def clashes(self, node: Node) -> bool:
        """Evaluate an expression as a statement; tell whether its order is undefined."""
        self.events, self.before = [], set()
        self.value(node)
        pairs = combinations(range(len(self.events)), 2)
        return any(self._clash(one, other) for one, other in pairs if (one, other) not in self.before)

    def _clash(self, one: int, other: int) -> bool:
        return self.events[one][0] == self.events[other][0] and (self.events[one][1] or self.events[other][1])

    def event(self, place: Place, writes: bool, after: set[int]) -> int:
        """Return a new event, which comes after others and all before them."""
        number = len(self.events)
        self.events.append((place, writes))
        earlier = after | {first for first, second in self.before if second in after}
        self.before |= {(first, number) for first in earlier}
        return number

    def follow(self, first: set[int], second: set[int]) -> None:
        """Let a sequence point be between events."""
        self.before |= {(one, other) for one in first for other in second}

    def read(self, place: Place) -> Any:
        """Return what stands at a place."""
        if place not in self.cells:
            raise Ended
        return self.cells[place]

    def value(self, node: Node) -> Evaluated:
        """Evaluate an expression for its value."""
        match node:
            case ("number", number):
                return Evaluated(number)
            case ("read", inner):
                place = self.place(inner)
                number = self.event(place.value, False, place.over)
                return Evaluated(self.read(place.value), place.events | {number}, place.over | {number})
            case ("step", sign, after, inner):
                place = self.place(inner)
                return self._change(place, Evaluated(1 if sign == "++" else -1), "+=", after)
            case ("assign", sign, inner, right):
                place = self.place(inner)
                return self._change(place, self.value(right), sign, False)
            case ("not", inner):
                operand = self.value(inner)
                return Evaluated(int(not operand.value), operand.events, operand.over)
            case ("&&" | "," | "choice", *_):
                return self._in_order(node)
            case (sign, left, right):
                one, other = self.value(left), self.value(right)
                results = {"+": one.value + other.value, "&": one.value & other.value}
                value = results.get(sign, int(one.value < other.value))
                events = one.events | other.events
                return Evaluated(value, events, events if sign == "call" else one.over | other.over)
        raise AssertionError(node)

    def _change(self, place: Evaluated, value: Evaluated, sign: str, after: bool) -> Evaluated:
        over, events = place.over | value.over, place.events | value.events
        old = self.read(place.value)
        if sign != "=":
            number = self.event(place.value, False, place.over)
            over, events = over | {number}, events | {number}
        new = value.value if sign == "=" else _moved(old, value.value)
        write = self.event(place.value, True, over)
        self.cells[place.value] = new
        return Evaluated(old if after else new, events | {write}, over)

    def _in_order(self, node: Node) -> Evaluated:
        first = self.value(node[1])
        start = len(self.events)
        if node[0] == "&&":
            rest = self.value(node[2]) if first.value else Evaluated(0)
            value = int(bool(first.value and rest.value))
        else:
            rest = self.value(node[2] if node[0] == "," or first.value else node[3])
            value = rest.value
        self.follow(first.events, set(range(start, len(self.events))))
        return Evaluated(value, first.events | rest.events, first.events | rest.over)

    def place(self, node: Node) -> Evaluated:
        """Find out where something stands."""
        match node:
            case ("name", "p++"):
                moved = self.value(("step", "++", True, ("name", "p")))
                return moved
            case ("name", "*p" | "*q" as name):
                return self.value(("read", ("name", name[1])))
            case ("name", "t->x" | "t->y" as name):
                base = self.value(("read", ("name", "t")))
                return Evaluated((f"{base.value}.{name[-1]}", 0), base.events, base.over)
            case ("name", name):
                return Evaluated((name, 0))
            case ("element", name, index):
                return self._element(name, index)
        raise AssertionError(node)

    def _element(self, name: str, index: Node) -> Evaluated:
        base = Evaluated((name, 0))
        if name in ("p", "t->d"):
            base = self.value(("read", ("name", name[0])))
        at = self.value(index)
        whole, first = (f"{base.value}.d", 0) if name == "t->d" else base.value
        found = (whole, first + at.value)
        if found not in self.cells:
            raise Ended
        return Evaluated(found, base.events | at.events, base.over | at.over)


def _moved(value: Any, number: int) -> Any:
    return (value[0], value[1] + number) if isinstance(value, tuple) else value + number


def _address(text: str) -> Place:
    name, _, index = text.removesuffix("]").partition("[")
    return (name, int(index or 0))
