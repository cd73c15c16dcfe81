"""Inputs that are chosen as late as possible: a number is an interval until something needs to know more of it.

A comparison with a constant splits the interval and decides for a part; adding a constant moves it; anything else needs
the number itself, which is then chosen.  So an input that a program only compares has as many cases as it makes a
difference, and one that is filtered (`if (x < 0 || x > 3) return 0;`) has few values.  Every choice is `decide`d by
whoever enumerates runs; if all parts of all choices were taken, all runs were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison
from knaster.program.floating_point import round_to
from knaster.program.memory import NULL, WILD, Addresses, Chunk, Floating, Snapshot
from knaster.program.types import Bool, Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.floats import CANDIDATES

ENUMERATED = 300  # values of an interval that are taken one by one
Interval = tuple[int, int]


class Unknown:
    """`sign` times an input plus `offset`, where the input is not chosen yet."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("index", "inputs", "offset", "sign")
    symbolic = False  # a symbol (`symbols`) is one that is never chosen unless it must be

    def __init__(self, inputs: LateInputs, index: int, sign: int = 1, offset: int = 0) -> None:
        self.inputs, self.index, self.sign, self.offset = inputs, index, sign, offset

    @property
    def bounds(self) -> Interval:
        """The smallest and the largest value that it can have."""
        low, high = self.inputs.ranges[self.index]
        if self.sign > 0:  # mutant(>): it is 1 or -1
            return low + self.offset, high + self.offset
        return self.offset - high, self.offset - low

    @property
    def size(self) -> int:
        """How many values it can have."""
        low, high = self.bounds
        return high - low + 1

    def force(self) -> int:
        """Choose the value."""
        return self.sign * self.inputs.force(self.index) + self.offset

    def settled(self) -> Any:
        """Return the number where only one is left, else this."""
        low, high = self.bounds
        return low if low == high else self

    def decide(self, parts: Sequence[Interval]) -> int:
        """Decide for one of several intervals of its values, those that are empty left out; return its number."""
        low, high = self.bounds
        cut = [(number, max(low, first), min(high, last)) for number, (first, last) in enumerate(parts)]
        cut = [part for part in cut if part[1] <= part[2]]
        bases = [self._base(first, last) for _, first, last in cut]
        return cut[self.inputs.narrow(self.index, bases)][0]

    def _base(self, first: int, last: int) -> Interval:
        if self.sign > 0:  # mutant(>): it is 1 or -1
            return first - self.offset, last - self.offset
        return self.offset - last, self.offset - first

    def compare(self, sign: Comparison, number: int) -> bool:
        """Compare with a number, and decide where both is possible."""
        low, high = self.bounds
        below, above = (low, number - 1), (number + 1, high)
        match sign:
            case Comparison.EQUAL:
                return self.decide([(number, number), below, above]) == 0
            case Comparison.DIFFERENT:
                return self.decide([(number, number), below, above]) != 0
            case Comparison.LESS:
                return self.decide([below, (number, high)]) == 0
            case Comparison.AT_MOST:
                return self.decide([(low, number), above]) == 0
            case Comparison.GREATER:
                return self.decide([above, (low, number)]) == 0
            case _:
                return self.decide([(number, high), below]) == 0

    def moved(self, sign: int, offset: int) -> Unknown:
        """Return `sign` times this plus `offset`."""
        return Unknown(self.inputs, self.index, sign * self.sign, sign * self.offset + offset)

    def converted(self, type: Any) -> Any:
        """Return it as a value of a type: of a symbol alone."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return compare(Comparison.EQUAL, self, other)

    def __lt__(self, other: Any) -> bool:
        return compare(Comparison.LESS, self, other)

    def __le__(self, other: Any) -> bool:
        return compare(Comparison.AT_MOST, self, other)

    def __gt__(self, other: Any) -> bool:
        return compare(Comparison.GREATER, self, other)

    def __ge__(self, other: Any) -> bool:
        return compare(Comparison.AT_LEAST, self, other)

    def __bool__(self) -> bool:
        return self.compare(Comparison.DIFFERENT, 0)

    def __rshift__(self, count: int) -> int:
        return self.force() >> count

    def __and__(self, mask: int) -> int:
        return self.force() & mask


def force(value: Any) -> Any:
    """Return a value that is chosen."""
    return value.force() if isinstance(value, Unknown) else value


def is_wide(one: Any, other: Any) -> bool:
    """Tell whether one of two values is an input with more values than are taken one by one."""
    return any(isinstance(value, Unknown) and value.size > ENUMERATED for value in (one, other))


_COMPUTED: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.EQUAL: lambda one, other: one == other,
    Comparison.DIFFERENT: lambda one, other: one != other,
    Comparison.LESS: lambda one, other: one < other,
    Comparison.AT_MOST: lambda one, other: one <= other,
    Comparison.GREATER: lambda one, other: one > other,
    Comparison.AT_LEAST: lambda one, other: one >= other,
}
_TURNED = {
    Comparison.LESS: Comparison.GREATER,
    Comparison.AT_MOST: Comparison.AT_LEAST,
    Comparison.GREATER: Comparison.LESS,
    Comparison.AT_LEAST: Comparison.AT_MOST,
}


def compare(sign: Comparison, one: Any, other: Any) -> bool:
    """Compare two numbers, of which some may not be chosen yet."""
    if isinstance(one, Unknown) and isinstance(other, Unknown):
        if (one.index, one.sign) == (other.index, other.sign):
            return _COMPUTED[sign](one.offset, other.offset)
        if one.inputs.vague and min(one.size, other.size) > ENUMERATED:
            return bool(one.inputs.pick(2))
        if one.size <= other.size:
            one = one.force()
        else:
            other = other.force()
    if isinstance(one, Unknown):
        return one.compare(sign, force(other))
    if isinstance(other, Unknown):
        return other.compare(_TURNED.get(sign, sign), one)
    return _COMPUTED[sign](one, other)


def to_type(value: Unknown, type: Int) -> Any:
    """Return a number as a value of an integer type, into which it wraps."""
    if value.symbolic:
        return value.converted(type)
    low, high = value.bounds
    if type.low is None or type.high is None or (type.low <= low and high <= type.high):
        return value
    whole = 1 << (type.width or 0)
    first, last = (low - type.low) // whole, (high - type.low) // whole
    if last - first > 3:
        return type.wrap(value.force())
    parts = [(type.low + turn * whole, type.high + turn * whole) for turn in range(first, last + 1)]
    turn = first + value.decide(parts)
    return value.moved(1, -turn * whole).settled()


class LateInputs:
    """The inputs of a run that are chosen late; `ranges` has what is left of each.

    Where they are `vague`, what is computed from two of them is any value: there are more runs then than there are.
    """

    vague = False
    frozen = False  # whoever looks at the next step only chooses nothing

    def __init__(self) -> None:
        self.ranges: list[Interval] = []
        self.order: list[tuple[str, Any]] = []  # values in the order of the text: an index into ranges, or a value
        self.complete = True

    def pick(self, count: int) -> int:
        """Return the number of one of several ways to go on; whoever enumerates runs says which."""
        raise NotImplementedError

    def candidates(self, low: int, high: int) -> list[int]:
        """Return numbers of an interval that are worth trying, the simplest first."""
        raise NotImplementedError

    def any_value(self, low: int, high: int) -> Unknown:
        """Return any number of an interval: what is computed from inputs where they are vague."""
        self.ranges.append((low, high))
        self.order.append(("range", len(self.ranges) - 1))
        return Unknown(self, len(self.ranges) - 1)

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input."""
        self._ensure_free()
        match type:
            case Bool():
                return self._add(bool(self.pick(2)))
            case Addresses():
                return self._add((NULL, WILD)[self.pick(2)])
            case Int() if type.low is not None and type.high is not None:  # mutant(and): both or none
                self.ranges.append((type.low, type.high))
                self.order.append(("range", len(self.ranges) - 1))
                return Unknown(self, len(self.ranges) - 1)
            case Floating():
                self.complete = False
                return self._add(round_to(CANDIDATES[self.pick(len(CANDIDATES))], type))
            case Chunk(size):
                return self._add(
                    Snapshot(size, ())
                )  # nothing of it is written: its parts are inputs when they are read
        raise TypeError(f"an input of type {type}")

    def _ensure_free(self) -> None:
        if self.frozen:
            raise Unclear("an input is not chosen yet")

    def _add(self, value: Any) -> Any:
        self.order.append(("value", value))
        return value

    def narrow(self, index: int, parts: Sequence[Interval]) -> int:
        """Decide for one of several parts of a range, the one nearest to 0 first; return its number."""
        if len(parts) == 1:
            self.ranges[index] = parts[0]
            return 0
        self._ensure_free()
        order = sorted(range(len(parts)), key=lambda number: (_nearness(parts[number]), number))
        chosen = order[self.pick(len(parts))]
        self.ranges[index] = parts[chosen]
        return chosen

    def force(self, index: int) -> int:
        """Choose a number of a range; all of them where they are few, else those that are worth trying."""
        low, high = self.ranges[index]
        if low == high:
            return low
        self._ensure_free()
        values = self.candidates(low, high)
        if high - low < ENUMERATED:
            tried = set(values)
            values += [number for number in range(low, high + 1) if number not in tried]
        else:
            self.complete = False
        value = values[self.pick(len(values))]
        self.ranges[index] = value, value
        return value

    @property
    def values(self) -> tuple[Any, ...]:
        """The inputs in the order in which they were read, each number as near to 0 as it can be."""
        return tuple(_nearest(self.ranges[value]) if kind == "range" else value for kind, value in self.order)


def _nearness(part: Interval) -> int:
    return abs(_nearest(part))


def _nearest(part: Interval) -> int:
    low, high = part
    return low if low > 0 else high if high < 0 else 0  # mutant(<, >): 0 is 0
