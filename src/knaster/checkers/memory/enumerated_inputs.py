"""Inputs of programs with memory for checkers: every value of each, one after the other, as an odometer counts.

Inputs are split where the program makes a difference (`semantics.memory.unknown`); one that has to be chosen has few
values.  No code of the search is used.
"""

from __future__ import annotations

from typing import Any

from knaster.base.errors import InternalError, Span
from knaster.program.memory import Floating
from knaster.semantics.memory.unknown import ENUMERATED, LateInputs


class EnumeratedInputs(LateInputs):
    """Inputs that are enumerated: the last way that has another one beside it is the next to change."""

    def __init__(self, digits: list[tuple[int, int]] | None = None) -> None:
        super().__init__()
        self.digits = digits if digits is not None else []  # of each choice the number of the way, and how many
        self.position = 0

    def begin(self, ranges: list[tuple[int, int]]) -> None:
        """Go on from what is left of the inputs of a machine."""
        self.ranges, self.order, self.position = list(ranges), [], 0

    def pick(self, count: int) -> int:
        """Return the number of the way to go on."""
        if self.position == len(self.digits):
            self.digits.append((0, count))
        number, ways = self.digits[self.position]
        if ways != count:
            raise InternalError("a run goes on in another way on the same inputs")
        self.position += 1
        return number

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input; one that is a floating-point number has too many values."""
        if isinstance(type, Floating):
            raise InternalError("an input has too many values to be enumerated")
        return super().choose(type, origin, span)

    def candidates(self, low: int, high: int) -> list[int]:
        """Return no numbers before the others: all of them are to be taken."""
        if high - low >= ENUMERATED:
            raise InternalError("an input has too many values to be enumerated")
        return []

    def advance(self) -> bool:
        """Go on to the next combination; tell whether there is one."""
        while self.digits:
            number, ways = self.digits.pop()
            if number + 1 < ways:
                self.digits.append((number + 1, ways))
                return True
        return False
