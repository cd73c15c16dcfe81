"""Layouts: from a program, the BDD variable that holds each program variable, in each copy.

Variables live in *slots*.  Globals have a slot each; the locals of all procedures share the remaining slots, so that
the number of BDD variables depends on the largest scope and not on the number of procedures (Bebop, section 4,
expected linear time and did not get it: its substitutions paid for every variable of the program).  With `distinct`
every procedure has slots of its own, as in the paper, for measurement.

Each slot has three copies, interleaved: ENTRY (the value when the procedure was entered), NOW, and NEXT.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum

from knaster.base.named_tuples import NamedTuple
from knaster.program.layout.order import Meetings, Order, affinity, count_meetings, declaration, with_groups_together
from knaster.program.model import Program

Slot = int

_FEW = 6  # the order of so few variables does not matter


class Copy(IntEnum):
    """One of the values that a slot has in a relation."""

    ENTRY = 0
    NOW = 1
    NEXT = 2


COPIES = len(Copy)


class Layout(NamedTuple):
    """The slot of every variable of every procedure, results included."""

    size: int
    slots: Mapping[str, Mapping[str, Slot]]  # procedure -> variable in scope -> slot

    def spread(self, factor: int) -> Layout:
        """Return the layout with `factor` - 1 free slots behind each slot."""
        if factor == 1:
            return self
        known: dict[int, Mapping[str, Slot]] = {}
        for slots in self.slots.values():
            known.setdefault(id(slots), {name: factor * slot for name, slot in slots.items()})
        return Layout(factor * self.size, {name: known[id(slots)] for name, slots in self.slots.items()})

    @property
    def variables(self) -> int:
        """The number of BDD variables."""
        return COPIES * self.size


def variable(slot: Slot, copy: Copy) -> int:
    """Return the BDD variable of a copy of a slot."""
    return COPIES * slot + copy


def shared_slots(program: Program, order: Order = affinity) -> Layout:
    """Return a layout in which the locals of all procedures share slots."""
    if not program.procedures:
        return Layout(0, {})
    largest = max(program.procedures, key=lambda procedure: len(procedure.frame))
    if len(program.scope(largest)) <= _FEW:
        order = declaration
    meeting: dict[frozenset[str], int] = {}
    heeded = program.procedures if len(program.globals) > 1 else (largest,)  # globals heed every procedure
    for procedure in heeded if order is not declaration else ():
        for names, weight in count_meetings(program, procedure).items():
            kept = names if procedure is largest else names.intersection(program.globals)
            if len(kept) > 1:
                meeting[kept] = meeting.get(kept, 0) + weight
    arranged = with_groups_together(order, program.together)(program.scope(largest), meeting)
    place = {name: index for index, name in enumerate(arranged)}
    shared = {name: place[name] for name in program.globals}
    free = sorted(set(place.values()) - set(shared.values()))
    slots: dict[str, Mapping[str, Slot]] = {}
    known: dict[tuple[str, ...], Mapping[str, Slot]] = {}
    for procedure in program.procedures:
        if procedure is largest:
            slots[procedure.name] = place
        elif order is declaration or len(procedure.frame) <= _FEW:  # one mapping for all procedures of the same frame
            frame = procedure.frame
            if frame not in known:
                known[frame] = shared | dict(zip(frame, free, strict=False))
            slots[procedure.name] = known[frame]
        else:
            frame = tuple(order(procedure.frame, count_meetings(program, procedure)))
            slots[procedure.name] = shared | dict(zip(frame, free, strict=False))
    return Layout(len(place), slots)


def distinct_slots(program: Program, order: Order = affinity) -> Layout:
    """Return a layout in which every procedure has slots of its own, as Bebop had."""
    everything: Meetings = {}
    arranged = with_groups_together(order, program.together)(program.globals, everything)
    shared = {name: index for index, name in enumerate(arranged)}
    slots: dict[str, Mapping[str, Slot]] = {}
    size = len(shared)
    for procedure in program.procedures:
        frame = order(procedure.frame, count_meetings(program, procedure))
        slots[procedure.name] = shared | {name: size + index for index, name in enumerate(frame)}
        size += len(frame)
    return Layout(size, slots)


LAYOUTS: Mapping[str, Callable[[Program, Order], Layout]] = {"slots": shared_slots, "distinct": distinct_slots}
