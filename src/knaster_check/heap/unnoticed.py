"""Moves of a thread that concern no other: whatever it takes of its alternatives, nobody else can tell, now or later.

The machine takes the move, with every alternative, in a memory that notes which statics and cells are read and written.
As long as this thread stands still, the others can touch the statics that the texts of their procedures mention, those
of what they call and start too, and the cells to which these statics and their frames lead.  The move concerns them
where it writes what they can touch, or reads what they can write.  One that fails, vanishes, starts a thread or takes
long concerns everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from knaster_check.fitting import formulas
from knaster_check.heap.machine import Machine
from knaster_check.heap.memory import Fails, Memory, Vanishes
from knaster_check.program import (
    Action,
    Call,
    Choose,
    Formula,
    Join,
    Node,
    Reference,
    Send,
    Store,
    Thread,
    Update,
    Value,
)

LONGEST = 2_000  # steps of all alternatives of a move
Touch = tuple[Any, bool]  # the name of a static or a cell, and whether it is written


class Noting(dict[Any, Any]):
    """A dictionary that notes what is read and written."""

    def __init__(self, values: Any, notes: set[Touch]) -> None:
        super().__init__(values)
        self.notes = notes

    def __getitem__(self, name: Any) -> Any:
        """Return a value, and note that it is read."""
        self.notes.add((name, False))
        return super().__getitem__(name)

    def __setitem__(self, name: Any, value: Any) -> None:
        """Set a value, and note that it is written."""
        self.notes.add((name, True))
        super().__setitem__(name, value)


@dataclass(slots=True)
class Ability:
    """What procedures can do: statics that they mention and write, fields, elements and queues that they change."""

    mentions: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    fields: set[tuple[int, str]] = field(default_factory=set)
    elements: bool = False
    queues: bool = False


class Unnoticed:
    """Tells of which moves of one program nobody else takes notice."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.program = machine, machine.program
        self._known: dict[frozenset[str], Ability] = {}
        actions = [edge.action for own in self.program.procedures.values() for edge in own.edges]
        texts = [formula for action in actions for formula in formulas(action)]
        texts += [value for cell in self.program.cells.values() for _, value in cell.initial]
        self._is_clear = all(node[0] != "apply" for formula in texts for node in formula)  # it runs on a copy

    def has(self, memory: Memory, thread: int) -> bool:
        """Tell whether the next move of a thread concerns no other."""
        notes = self._touches(memory, thread) if self._is_clear else None
        if notes is None:
            return False
        others = [frame for number, stack in enumerate(memory.threads, 1) if number != thread for frame in stack]
        ability = self._ability(frozenset(frame.procedure.name for frame in others))
        held = [value for frame in others for value in frame.values.values()]
        held += [value for name, value in memory.statics.items() if name in ability.mentions]
        cells = reach(memory, held)
        return not any(self._concerns(name, writes, ability, cells) for name, writes in notes)

    def _concerns(self, name: str | Reference, writes: bool, ability: Ability, cells: set[Reference]) -> bool:
        if not isinstance(name, Reference):
            return name in ability.writes or (writes and name in ability.mentions)
        if name not in cells:
            return False
        cell = self.program.cells[name.target]
        if cell.form == "class":
            return writes or any((index, each) in ability.fields for index, (each, _) in enumerate(cell.fields))
        return writes or (ability.elements if cell.form == "array" else ability.queues)

    def _touches(self, memory: Memory, thread: int) -> set[Touch] | None:
        """Return all that the next move of a thread can touch; None where it may concern everybody."""
        machine, notes, count = self.machine, set[Touch](), 0
        todo: list[tuple[Memory, int | None]] = [(_watched(memory, notes), None)]
        while todo:
            here, chosen = todo.pop()
            keeps = True
            while keeps:
                count += 1
                try:
                    many = 1 if chosen is not None else len(machine.alternatives(here, thread))
                    if many > 1:
                        todo += [(_watched(here, notes), alternative) for alternative in range(many)]
                        break
                    keeps = machine.step(here, thread, chosen or 0)
                except (Fails, Vanishes):
                    return None
                chosen = None
                starts = len(here.threads) > len(memory.threads)
                # mutant(>): one step more or less
                if starts or count > LONGEST or machine.has_failed(here, thread):
                    return None
        return notes

    def _ability(self, names: frozenset[str]) -> Ability:
        """Return what procedures can do, with all that they call and start."""
        if names not in self._known:
            found = self._known[names] = Ability()
            todo = sorted(names)
            for name in todo:  # grows
                for edge in self.program.procedures[name].edges:
                    self._note(edge.action, found)
                    todo += [each for each in _begun(edge.action) if each not in todo]
        return self._known[names]

    def _note(self, action: Action, ability: Ability) -> None:
        """Note what an action can do."""
        todo = list(formulas(action))
        for formula in todo:  # grows by the initial values of new cells
            ability.mentions |= {node[1] for node in formula if node[0] == "variable"}
            made = {node[1] for node in formula if node[0] == "new"}
            todo += [
                value for name in sorted(made) for _, value in self.program.cells[name].initial if value not in todo
            ]
        for place in _places(action):
            node = next(node for node in reversed(place) if node[0] != "part")
            if node[0] == "variable":
                ability.writes.add(node[1])
            elif node[0] == "field":
                ability.fields |= set(self._fields(node))
            else:
                ability.elements = True
        ability.queues |= isinstance(action, Send | Update) or (isinstance(action, Join) and bool(action.receives))

    def _fields(self, node: Node) -> Iterator[tuple[int, str]]:
        """Yield the fields that a place may be, of whatever class; without a name it may be any at its position."""
        _, index, name = node
        for cell in self.program.cells.values():
            if index < len(cell.fields) and name in ("", cell.fields[index][0]):
                yield index, cell.fields[index][0]


def _places(action: Action) -> list[Formula]:
    match action:
        case Store(places):
            return list(places)
        case Choose(place):
            return [place]
        case Join(_, receives):
            return [place for _, place in receives]
        case Call(_, _, _, places):
            return [place for place in places if place is not None]
    return []


def _begun(action: Action) -> list[str]:
    """Return the procedures that an action may call or start."""
    match action:
        case Call(name, _, _, _, dispatch):
            return [each for _, each in dispatch] or [name]
        case Thread(_, _, str(name), _):
            return [name]
    return []


def _watched(memory: Memory, notes: set[Touch]) -> Memory:
    """Return a memory that changes on its own and notes what is touched."""
    copy = memory.copy()
    return Memory(Noting(copy.statics, notes), Noting(copy.heap, notes), copy.threads, copy.made)


def reach(memory: Memory, values: Iterable[Value]) -> set[Reference]:
    """Return the cells that some values lead to."""
    found: set[Reference] = set()
    todo = list(values)
    while todo:
        value = todo.pop()
        if isinstance(value, Reference):
            if value not in found:
                found.add(value)
                todo.append(memory.heap[value])
        elif isinstance(value, tuple):
            todo += value
    return found
