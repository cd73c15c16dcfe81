"""States of truth values as the bits of one integer: what a dictionary says, at a tenth of its cost.

A `BitState` is a mapping like any other state.  Bit i of its number stands for variable i of its scope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

Bits = int


class BitScope:
    """The variables of a procedure and the bit of each; it hands out one object for each state."""

    __slots__ = ("_states", "bit", "names")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.bit: dict[str, Bits] = {name: 1 << place for place, name in enumerate(names)}
        self._states: dict[Bits, BitState] = {}

    def state(self, bits: Bits) -> BitState:
        """Return the state with these bits."""
        found = self._states.get(bits)
        if found is None:
            found = self._states[bits] = BitState(self, bits)
        return found

    def bits_of(self, state: Mapping[str, object]) -> Bits:
        """Return the bits of a state that gives each variable a truth value."""
        return sum([bit for name, bit in self.bit.items() if state[name]])

    def mask(self, names: tuple[str, ...]) -> Bits:
        """Return the bits of some variables."""
        return sum({self.bit[name] for name in names})


class BitState(Mapping[str, bool]):
    """A truth value for every variable of a scope."""

    __slots__ = ("bits", "scope")

    def __init__(self, scope: BitScope, bits: Bits) -> None:
        self.scope = scope
        self.bits = bits

    def __getitem__(self, name: str) -> bool:
        return self.bits & self.scope.bit[name] != 0

    def __iter__(self) -> Iterator[str]:
        return iter(self.scope.names)

    def __len__(self) -> int:
        return len(self.scope.names)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, BitState) and other.scope is self.scope:
            return self.bits == other.bits
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self.items()))
