"""Moves that concern no other thread: from a configuration, whether that is so of all that a thread can do next.

The interpreter takes the move, with every alternative, on statics and a heap that note what is touched.  Other threads
can ever touch the statics that the texts of their procedures mention, and the cells to which these and their frames
lead.  The move concerns them where it writes what they can touch, or touches what they can write.  A move that fails,
is thrown away, starts a thread or takes long concerns everybody.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.records import dataclass, field
from knaster.checkers.heap.edge_parts import expressions_of, places_of
from knaster.checkers.heap.transactions.protection import reach
from knaster.checkers.heap.transactions.touches import Touch, Touched
from knaster.program.expression import Apply, Field, Index, New, Var, postorder
from knaster.program.model import Call, Concurrent, Edge
from knaster.program.objects import ArrayCell, ClassCell, Join, Send, Update
from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.failure import Fails
from knaster.semantics.heap.interpreter import FailedAssume, Machine

LONGEST = 2_000  # steps of all alternatives of a move


@dataclass(slots=True)
class Reads:
    """What some procedures can do: statics that they mention and write, fields and kinds of cells that they change."""

    mentions: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    fields: set[tuple[int, str]] = field(default_factory=set)
    elements: bool = False
    queues: bool = False


class UnnoticedMoves:
    """Tells of which moves of the threads of one program nobody else takes notice."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._reads: dict[frozenset[str], Reads] = {}
        edges = [edge for procedure in machine.program.procedures for edge in procedure.edges]
        nodes = (node for edge in edges for expr in expressions_of(edge) for node in postorder(expr))
        self._is_clear = not any(isinstance(node, Apply) for node in nodes)  # what waits call is not noted

    def has(self, configuration: Configuration, thread: int) -> bool:
        """Tell whether the next move of a thread concerns no other, whichever alternatives it takes."""
        notes = self.touches(configuration, thread) if self._is_clear else None
        if notes is None:
            return False
        others = [frames for number, frames in enumerate(configuration.threads, start=1) if number != thread]
        reads = self.reads(frozenset(frame.procedure for frames in others for frame in frames))
        held = [value for frames in others for frame in frames for value in frame.values.values()]
        held += [value for name, value in configuration.statics.items() if name in reads.mentions]
        cells = reach(configuration.heap, held)
        return not any(self.concerns(name, writes, reads, cells) for name, writes in notes)

    def concerns(self, name: str | Reference, writes: bool, reads: Reads, cells: set[Reference]) -> bool:
        """Tell whether a touch may matter to whoever can do so much."""
        if not isinstance(name, Reference):
            return name in reads.writes or (writes and name in reads.mentions)
        if name not in cells:
            return False
        cell = self.machine.cells[name.target]
        if writes:
            return True
        if isinstance(cell, ClassCell):
            return any(pair in reads.fields for pair in enumerate(each for each, _ in cell.fields))
        return reads.elements if isinstance(cell, ArrayCell) else reads.queues

    def touches(self, configuration: Configuration, thread: int) -> set[Touch] | None:
        """Return all that the next move of a thread can touch; None where it may concern everybody."""
        machine, notes = self.machine, list[Touch]()
        todo: list[tuple[Configuration, int | None]] = [(_watched(configuration, notes), None)]
        count, threads = 0, len(configuration.threads)
        while todo:
            here, chosen = todo.pop()
            keeps = True
            while keeps:
                count += 1
                if count > LONGEST:
                    return None
                try:
                    many = 1 if chosen is not None else len(machine.alternatives(here, thread))
                    if many > 1:
                        todo += [(_watched(here, notes), alternative) for alternative in range(many)]
                        break
                    keeps = machine.step(here, thread, chosen or 0).keeps
                except (Fails, FailedAssume):
                    return None
                chosen = None
                if len(here.threads) > threads or machine.failure_of(here, thread) is not None:
                    return None
        return set(notes)

    def reads(self, names: frozenset[str]) -> Reads:
        """Return what procedures can do, with all that they call and start."""
        known = self._reads.get(names)
        if known is None:
            known = self._reads[names] = Reads()
            seen, todo = set(names), list(names)
            while todo:
                for edge in self.machine.procedures[todo.pop()].edges:
                    self.note(edge, known)
                    new = {name for name in _begun(edge) if name not in seen}
                    seen |= new
                    todo += new
        return known

    def note(self, edge: Edge, reads: Reads) -> None:
        """Note what an edge can do."""
        todo = list(expressions_of(edge))
        while todo:
            for node in postorder(todo.pop()):
                if isinstance(node, Var):
                    reads.mentions.add(node.name)
                elif isinstance(node, New):
                    cell = self.machine.cells[node.cell]
                    todo += [value for _, value in cell.initial] if isinstance(cell, ClassCell) else []
        for place in places_of(edge):
            if isinstance(place, Var):
                reads.writes.add(place.name)
            elif isinstance(place, Field):
                self.note_field(place, reads)
            elif isinstance(place, Index):
                reads.elements = True
        reads.queues = reads.queues or isinstance(edge.action, Send | Update)
        reads.queues = reads.queues or (isinstance(edge.action, Join) and bool(edge.action.receives))

    def note_field(self, place: Field, reads: Reads) -> None:
        """Note that a field is stored to; without a name it may be one of any class."""
        for cell in self.machine.cells.values():
            if isinstance(cell, ClassCell) and place.index < len(cell.fields):
                name = cell.fields[place.index][0]
                if place.name in ("", name):
                    reads.fields.add((place.index, name))


def _begun(edge: Edge) -> Iterator[str]:
    """Yield the procedures that an edge may call or start."""
    for expr in expressions_of(edge):
        yield from (node.procedure for node in postorder(expr) if isinstance(node, Apply))
    match edge.action:
        case Call(procedure, _, _, _, dispatch):
            yield from [name for _, name in dispatch] or [procedure]
        case Concurrent(_, _, str() as procedure):
            yield procedure


def _watched(configuration: Configuration, notes: list[Touch]) -> Configuration:
    """Return a configuration that changes on its own and notes what is touched."""
    copy = configuration.copy()
    return Configuration(Touched(copy.statics, notes), Touched(copy.heap, notes), copy.threads, copy.made)
