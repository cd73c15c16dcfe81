"""Inputs of runs with memory: one run for each value, or for all values up to the first at which something changes.

A run computes with one value of each input.  Numbers that are an input plus or minus a constant are followed
(`Following`): wherever the run asks something of one, the largest value of the input is noted up to which the answer is
the same, the other inputs being as they are.  What cannot be followed is `pinned`: the answer is for this value alone.

So each run takes the same way for every choice of inputs between its own values and the noted ones.  `Cover` counts
upwards as an odometer does: after all runs with one value of an input, the next value is the first beyond what all of
these runs have noted.  Whoever has run on all of them has run on all inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from knaster_check.memory.following import compare_following, follow_into, follow_sum
from knaster_check.memory.numbers import compute_plain
from knaster_check.memory.reals import from_bits, to_real
from knaster_check.memory.values import NULL, WILD, Following, Image, range_of
from knaster_check.program import Type
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.faults import Place
    from knaster_check.memory.machine import Machine

MOST = 1_000  # values that are tried one by one


class Inputs:
    """The inputs of one run; the first have the values that are `given`, the others begin with their lowest."""

    def __init__(self, given: Sequence[int] = ()) -> None:
        self.given = given
        self.values: list[int] = []
        self.reach: list[int] = []  # the largest value of each up to which the run is the same
        self.last: list[int] = []  # of its type

    heeds_alignment = True  # whether it makes a difference where a value stands that is out of bounds

    def choose(self, type: Type) -> Any:
        """Return an input of a type."""
        match type:
            case ("bool",):
                return bool(self.pinned(self.between(0, 1)))
            case ("address", _):
                return (NULL, WILD)[self.pinned(self.between(0, 1))]
            case ("bytes", size):
                return Image(size, {})  # its parts are inputs when they are read
            case ("int", int(), _):
                bounds = range_of(type)
                assert bounds is not None
                return self.between(*bounds)
        raise Unsupported(f"an input of the type '{type[0]}' has too many values")

    def between(self, low: int, high: int) -> Following:
        """Return an input from an interval."""
        number = len(self.values)
        self.values.append(self.given[number] if number < len(self.given) else low)
        self.reach.append(high)
        self.last.append(high)
        return Following(self.values[number], number, 1)

    def keep(self, value: Following, low: int, high: int) -> None:
        """Note that a run depends on a number staying between two bounds."""
        way = high - value.value if value.sign > 0 else value.value - low  # mutant(>): no sign is 0
        self.reach[value.number] = min(self.reach[value.number], self.values[value.number] + way)

    def room(self, value: Following) -> int:
        """Return for how many more values of its input the run has been the same so far."""
        return self.reach[value.number] - self.values[value.number]

    def compute(self, machine: Machine, sign: str, one: Any, other: Any, type: Type, place: Place) -> Any:
        """Return the result of an operator, of whose operands one at least depends on inputs."""
        if sign in "+-":
            return follow_sum(machine, sign, one, other, type, place)
        return compute_plain(machine, sign, self.pinned(one), self.pinned(other), type, place)

    def compare(self, sign: str, one: Any, other: Any) -> bool:
        """Tell how two numbers compare, of which one at least depends on inputs."""
        return compare_following(self, sign, one, other)

    def fitted(self, value: Any, type: Type) -> Any:
        """Return a number that depends on inputs as one of a type, into which it wraps."""
        return follow_into(self, value, type)

    def real_from_bits(self, raw: Any, width: int) -> Any:
        """Return the floating-point number that some bits are."""
        return from_bits(self.pinned(raw), width // 8)

    def to_real(self, value: Any, width: int) -> Any:
        """Return a number that depends on inputs as a floating-point number."""
        return to_real(self.pinned(value), width)

    def to_integer(self, value: Any, type: Type, place: Place) -> Any:
        """Return a floating-point number that depends on inputs without its fraction."""
        raise Unsupported("a floating-point number depends on inputs")

    def compare_reals(self, sign: str, one: Any, other: Any) -> bool:
        """Tell how two floating-point numbers compare, of which one at least depends on inputs."""
        raise Unsupported("a floating-point number depends on inputs")

    def operate(self, sign: str, one: Any, other: Any, width: int) -> Any:
        """Return a sum, difference, product or quotient of such numbers."""
        raise Unsupported("a floating-point number depends on inputs")

    def test_real(self, name: str, value: Any) -> bool:
        """Tell what such a number is."""
        raise Unsupported("a floating-point number depends on inputs")

    def call_real(self, name: str, value: Any, found: float) -> Any:
        """Return what a function of math.h says of such a number, `found` in this run."""
        raise Unsupported("a floating-point number depends on inputs")

    def byte_of(self, value: Any, at: int) -> Any:
        """Return a byte of a number that depends on inputs."""
        return self.pinned(value) >> 8 * at & 255

    def joined(self, bytes: list[Any]) -> Any:
        """Return the number that some bytes are together; numbers all of them, and some may depend on inputs."""
        return int.from_bytes(bytes, "little")

    def moved(self, offset: Any, count: Any, scale: int) -> Any:
        """Return the place in an object that is so many elements further, which depends on inputs."""
        return self.pinned(offset) + self.pinned(count) * scale

    def pinned(self, value: Any) -> Any:
        """Return a number as it is in this run, which now stands for this value of its input alone."""
        if value.__class__ is not Following:
            return value
        if self.room(value) > MOST:
            raise Unsupported(f"an input has more than {MOST:,} values that make a difference")
        self.reach[value.number] = self.values[value.number]
        return value.value


class Cover:
    """All inputs of a program: iterate, run on each `Inputs`, and ask for the next one after the run."""

    def __init__(self, make: type[Inputs] = Inputs) -> None:
        self.make = make
        self.rows: list[list[int]] = []  # of each input its value, how far the runs with it reach, and the last one

    def __iter__(self) -> Iterator[Inputs]:
        while True:
            inputs = self.make([value for value, _, _ in self.rows])
            yield inputs
            if not self._advance(inputs):
                return

    def _advance(self, inputs: Inputs) -> bool:
        """Go on after a run; tell whether there is another one."""
        if len(inputs.values) < len(self.rows):
            raise Unsupported("a run reads fewer inputs than before")
        for number, (value, reach, last) in enumerate(zip(inputs.values, inputs.reach, inputs.last, strict=True)):
            if number == len(self.rows):
                self.rows.append([value, reach, last])
            row = self.rows[number]
            if (row[0], row[2]) != (value, last):
                raise Unsupported("a run reads other inputs than before")
            row[1] = min(row[1], reach)
        while self.rows and self.rows[-1][1] >= self.rows[-1][2]:
            self.rows.pop()
        if not self.rows:
            return False
        top = self.rows[-1]
        top[0], top[1] = top[1] + 1, top[2]
        return True
