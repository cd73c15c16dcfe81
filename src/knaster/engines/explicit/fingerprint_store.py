"""Fingerprints: 64 bits instead of a state, in native storage; a state is new where its fingerprint is.

G. J. Holzmann, Design and Validation of Computer Protocols (1991), and P. Wolper and D. Leroy, Reliable Hashing without
Collision Detection (CAV 1993): hash compaction.  A table with open addressing holds numbers of states; beside it each
state has its fingerprint and the number of the state that it was reached from: 12 bytes, and 6 to 12 in the table.
"""

from __future__ import annotations

from array import array
from hashlib import blake2b

_EMPTY = 0xFFFFFFFF


def fingerprint(data: bytes) -> int:
    """Return 64 bits that depend on all of some bytes, the same in every run."""
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def collision_probability(states: int) -> float:
    """Return a bound on the probability that two of so many states have the same fingerprint."""
    return states * (states - 1) / 2 / 2**64


class FingerprintStore:
    """The fingerprints of states, in the order in which they were added, each with where it came from."""

    def __init__(self) -> None:
        self.fingerprints = array("Q")
        self.parents = array("I")
        self._table = array("I", [_EMPTY]) * 1024

    def __len__(self) -> int:
        return len(self.fingerprints)

    def add(self, value: int, parent: int) -> bool:
        """Add the fingerprint of a state that was reached from another one (its number); tell whether it is new."""
        table, known = self._table, self.fingerprints
        mask = len(table) - 1
        at = value & mask
        while (number := table[at]) != _EMPTY:
            if known[number] == value:
                return False
            at = (at + 1) & mask
        table[at] = len(known)
        known.append(value)
        self.parents.append(parent)
        if 3 * len(known) > 2 * len(table):
            self._grow()
        return True

    def _grow(self) -> None:
        size = 2 * len(self._table)
        self._table = table = array("I", [_EMPTY]) * size
        mask = size - 1
        for number, value in enumerate(self.fingerprints):
            at = value & mask
            while table[at] != _EMPTY:
                at = (at + 1) & mask
            table[at] = number

    def chain(self, number: int) -> list[int]:
        """Return the fingerprints on the way from the first state to one."""
        found = [self.fingerprints[number]]
        while number:
            number = self.parents[number]
            found.append(self.fingerprints[number])
        return found[::-1]

    @property
    def size_in_bytes(self) -> int:
        """How much memory it takes."""
        parts = (self.fingerprints, self.parents, self._table)
        return sum(len(part) * part.itemsize for part in parts)
