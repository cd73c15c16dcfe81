"""What a picture of the heap shows at one step of a trace: records and references.

Statics, the frames of every thread and the cells are records; a struct is a row for each of its parts.  What the step
changes is marked; garbage is not there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.checkers.runs.replay_heap import steps_of
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.program.objects import ClassCell
from knaster.program.types import Reference, Struct, Type, Value
from knaster.report.heap.values import Shown, visible
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.interpreter import Machine

NULL = "∅"
_TALLEST = 24  # rows of a record that are shown
_DEEPEST = 12  # frames of a stack that are shown, half of them the outermost


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a record: a name and a value, or the cell to which it refers, and whether the step changes it."""

    name: str
    text: str = ""
    target: Hashable = None
    changed: bool = False

    @property
    def shown(self) -> str:
        """What is written."""
        return f"{self.name} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Box:
    """A record; `cell` is what references call it."""

    kind: str  # "statics", "frame", "cell"
    title: str
    rows: tuple[Row, ...]
    cell: Hashable = None

    @property
    def changed(self) -> bool:
        """Tell whether the step changes a row."""
        return any(row.changed for row in self.rows)


@dataclass(frozen=True, slots=True)
class Picture:
    """Records, and what they show."""

    boxes: tuple[Box, ...]
    caption: str

    def links(self) -> list[tuple[int, int, int]]:
        """Return each reference: the record and the row that hold it, and the record that it leads to."""
        places = {box.cell: number for number, box in enumerate(self.boxes) if box.cell is not None}
        return [
            (number, index, places[row.target])
            for number, box in enumerate(self.boxes)
            for index, row in enumerate(box.rows)
            if row.target in places
        ]


def picture(program: Program, trace: Trace, step: int | None = None) -> Picture:
    """Return what there is before a step of a trace, counted from 1; None is the end of the trace."""
    wanted = {} if step is None else {step: step}
    found = None
    for number, found in pictures(program, trace, wanted):
        if number == step:
            return found
    if step is not None:
        raise UsageError(f"the trace has {number - 1} steps; there is no step {step}")
    assert found is not None
    return found


def pictures(program: Program, trace: Trace, wanted: Mapping[int, int]) -> Iterator[tuple[int, Picture]]:
    """Yield what there is before each step that is wanted, with its number, and then what there is at the end.

    `wanted` has the number of the entry of each such step: where calls are folded, some steps have no entry.
    """
    machine, show = Machine(program), Shown(program)
    now, count = machine.start(), 0
    for count, (thread, taken) in enumerate(steps_of(trace), start=1):
        values = list(machine.alternatives(now, thread))
        after = now.copy() if count in wanted else now
        machine.step(after, thread, values.index(taken.inputs[0]) if taken.inputs else 0)
        if count in wanted:
            who = f", thread {thread}" if len(now.threads) > 1 else ""
            yield count, _draw(show, now, after, f"before step {wanted[count]}, line {taken.edge.span.line}{who}")
        now = after
    yield count + 1, _draw(show, now, None, f"after {count} {'step' if count == 1 else 'steps'}")


def _draw(show: Shown, now: Configuration, after: Configuration | None, caption: str) -> Picture:
    boxes = []
    if now.statics:
        new = after.statics if after else now.statics
        boxes.append(Box("statics", "statics", tuple(_variables(show, "", now.statics, new))))
    values: list[Value] = list(now.statics.values())
    hidden = 0
    for number, frames in enumerate(now.threads, start=1):
        later = after.threads[number - 1] if after else frames
        for depth, frame in enumerate(frames):
            if _DEEPEST // 2 <= depth < len(frames) - _DEEPEST // 2:
                hidden += 1
                continue
            boxes.append(_frame(show, now, number, frame, later[depth] if depth < len(later) else frame))
            values += frame.values.values()
    boxes += [_cell(show, reference, now, after) for reference in visible(values, now.heap)]
    left_out = f"; {hidden} frames are left out" if hidden else ""
    return Picture(tuple(boxes), caption + left_out)


def _frame(show: Shown, now: Configuration, thread: int, frame: Frame, later: Frame) -> Box:
    title = f"{frame.procedure}, thread {thread}" if len(now.threads) > 1 else frame.procedure
    new = later.values if later.procedure == frame.procedure else frame.values
    return Box("frame", title, tuple(_variables(show, frame.procedure, frame.values, new)))


def _variables(show: Shown, procedure: str, values: Mapping[str, Value], new: Mapping[str, Value]) -> Iterator[Row]:
    for name, value in values.items():
        yield from rows(show, show.name(name), value, show.type(name, procedure), new.get(name, value))


def _cell(show: Shown, reference: Reference, now: Configuration, after: Configuration | None) -> Box:
    slots, cell = now.heap[reference], show.cells[reference.target]
    new = after.heap[reference] if after is not None else slots
    fields = cell.fields if isinstance(cell, ClassCell) else [(str(i), cell.element) for i in range(len(slots))]
    found = [
        row
        for index, (name, type) in enumerate(fields)
        for row in rows(show, name, slots[index], type, new[index] if index < len(new) else None)
    ]
    if len(new) > len(slots) and not isinstance(cell, ClassCell):
        found.append(Row(f"... {len(slots)}", changed=True))  # a channel or a set is about to grow
    if len(found) > _TALLEST:
        found[_TALLEST - 1 :] = [Row(f"... {len(found) - _TALLEST + 1} more", changed=any(r.changed for r in found))]
    return Box("cell", f"{reference.target}#{reference.number}", tuple(found), reference)


def rows(show: Shown, name: str, value: Value, type: Type, new: Value) -> Iterator[Row]:
    """Yield the row of a value, or one for each part of a struct."""
    if isinstance(type, Struct) and isinstance(value, tuple) and not isinstance(value, Reference):
        parts = new if isinstance(new, tuple) and not isinstance(new, Reference) else value
        for (part, kind), old, later in zip(type.fields, value, parts, strict=False):
            yield from rows(show, f"{name}.{part}", old, kind, later)
        return
    if isinstance(value, Reference):
        yield Row(name, "", value, new != value)
    else:
        yield Row(name, NULL if value is None else show.text(value, type), None, new != value)
