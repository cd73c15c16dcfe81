"""Patterns: from what a call has read of its entry, in order, a trie that finds the calls that would read the same.

A pattern never names addresses: cells are numbered as its values mention them.  So a caller matches exactly if walking
along the pattern through its own memory gives the same tokens; the walk is injective by itself, null is never an
address, and classes and lengths of arrays are compared.  A pattern grows at its end only, and then its root moves one
level down.

Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), section 6, figure 7.
"""

from __future__ import annotations

from typing import Any

from knaster.base.records import dataclass, field
from knaster.views.heap.derivation import Root
from knaster.views.heap.memory_layout import Layout, Number, SequenceShape, Shape
from knaster.views.heap.mentions import used_parameters
from knaster.views.heap.overlay import Location, Overlay

FORMAL = -1  # the address of a location (FORMAL, parameter)
Token = Any


@dataclass(slots=True)
class Trie:
    """A set of patterns; `root` is the call whose pattern ends here."""

    below: dict[Location, dict[Token, Trie]] = field(default_factory=dict)
    root: Root | None = None


class Numbering:
    """Cells in the order in which a pattern mentions them."""

    def __init__(self, memory: Overlay) -> None:
        self.memory = memory
        self.order: list[int] = []
        self.index: dict[int, int] = {}

    def copy(self) -> Numbering:
        """Return a numbering that goes on by itself."""
        copy = Numbering(self.memory)
        copy.order, copy.index = list(self.order), dict(self.index)
        return copy

    def token(self, value: Number, shape: Shape) -> Token:
        """Return a value without addresses; cells that it mentions first get their numbers."""
        if shape is True:
            return self._reference(value)
        if not shape:
            return value
        if type(shape) is SequenceShape:
            return tuple([self.token(part, shape.element) for part in value])
        return tuple([self.token(part, inner) for part, inner in zip(value, shape, strict=True)])

    def _reference(self, address: int) -> Token:
        if not address:
            return None
        known = self.index.get(address)
        if known is not None:
            return known
        self.index[address] = len(self.order)
        self.order.append(address)
        shell = self.memory.shell(address)
        is_array = shell[0] not in self.memory.queues and not self.memory.layout.classes[shell[0]].is_instance
        return "new", shell[0], len(shell) if is_array else 0

    def name_of(self, location: Location) -> Location:
        """Return a location of the memory as a pattern names it."""
        address, slot = location
        return (self.index[address] + 1, slot) if address > 0 else location

    def location_of(self, location: Location) -> Location:
        """Return a location of a pattern as the memory names it."""
        number, slot = location
        return (self.order[number - 1], slot) if number > 0 else location


@dataclass(slots=True)
class Pattern:
    """The pattern of one root: what it has read, and where it hangs in the trie."""

    numbering: Numbering
    place: Trie
    read: dict[Location, None] = field(default_factory=dict)  # in the names of the root


class Patterns:
    """The patterns of all roots of a program."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.tries: dict[tuple[int, bool], Trie] = {}
        self.patterns: dict[int, Pattern] = {}
        self.used = [used_parameters(frame.procedure) for frame in layout.procedures]

    def begin(self, root: Root) -> None:
        """Give a new root its first pattern: the parameters that its procedure uses."""
        trie = self.tries.setdefault((root.procedure, root.base), Trie())
        numbering = Numbering(Overlay(self.layout, root.entry))
        self.patterns[root.number] = Pattern(numbering, trie)
        trie.root = trie.root or root
        for slot in self.used[root.procedure]:
            self.grow(root, (FORMAL, slot))

    def grow(self, root: Root, location: Location) -> bool:
        """Add a location that a root has read; tell whether it is new."""
        pattern = self.patterns[root.number]
        if location in pattern.read:
            return False
        named = pattern.numbering.name_of(location)
        token = pattern.numbering.token(*self._entry(root, location))
        pattern.read[location] = None
        if pattern.place.root is root:
            pattern.place.root = None
        pattern.place = pattern.place.below.setdefault(named, {}).setdefault(token, Trie())
        pattern.place.root = pattern.place.root or root
        return True

    def _entry(self, root: Root, location: Location) -> tuple[Number, Shape]:
        address, slot = location
        if address == FORMAL:
            return root.formals[slot], self._formal(root.procedure, slot)
        if not address:
            return root.entry.statics[slot], self.layout.static_shape[slot]
        cell = root.entry.cells[address - 1]
        return cell[slot], self.layout.classes[cell[0]].shape(slot)

    def _formal(self, procedure: int, slot: int) -> Shape:
        return next((shape for number, shape in self.layout.procedures[procedure].parameters if number == slot), False)

    def match(
        self, procedure: int, base: bool, arguments: tuple[Number, ...], memory: Overlay
    ) -> tuple[Root, dict[int, int]] | None:
        """Return the root with the longest pattern that fits a call, and how its entry cells are called there."""
        trie = self.tries.get((procedure, base))
        best: tuple[int, Root, Numbering] | None = None
        todo = [(0, trie, Numbering(memory))] if trie is not None else []
        while todo:
            depth, here, numbering = todo.pop()
            if here.root is not None and (best is None or depth > best[0]):
                best = depth, here.root, numbering
            for location, ways in here.below.items():
                following = numbering.copy() if len(here.below) > 1 or here.root is not None else numbering
                token = following.token(*self._value(procedure, following.location_of(location), arguments, memory))
                if token in ways:
                    todo.append((depth + 1, ways[token], following))
        if best is None:
            return None
        _, root, numbering = best
        own = self.patterns[root.number].numbering.order
        return root, dict(zip(own, numbering.order, strict=False))

    def _value(
        self, procedure: int, location: Location, arguments: tuple[Number, ...], memory: Overlay
    ) -> tuple[Number, Shape]:
        """Return what a location holds at a call, without reading it."""
        address, slot = location
        if address == FORMAL:
            return arguments[slot], self._formal(procedure, slot)
        if not address:
            return memory.written.get((0, slot), memory.entry.statics[slot]), self.layout.static_shape[slot]
        shell = memory.shell(address)
        shape = self.layout.classes[shell[0]].shape(slot)
        return memory.written.get((address, slot), shell[slot]), shape
