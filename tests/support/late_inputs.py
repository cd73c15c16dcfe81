"""Inputs that are chosen late, in all ways: a computation is done again for each, as long as a choice is left."""

from __future__ import annotations

from knaster.semantics.memory.unknown import LateInputs


class Ways(LateInputs):
    """All ways of a computation, one after the other."""

    def __init__(self, digits: list[tuple[int, int]]) -> None:
        super().__init__()
        self.digits, self.position = digits, 0

    def pick(self, count: int) -> int:
        """Return the next choice of this way; the first one where it is new."""
        if self.position == len(self.digits):
            self.digits.append((0, count))
        self.position += 1
        return self.digits[self.position - 1][0]

    def candidates(self, low: int, high: int) -> list[int]:
        """Return no values that are tried first."""
        return []
