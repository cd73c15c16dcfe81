"""What a picture of memory shows at one step of a run of a C program: variables, objects, and where pointers lead.

The program runs again on the inputs of the trace.  Objects of the program and activations are records, and so are those
of the heap to which something leads; a part of an object has the name with which the program uses it (`next`), or
else its offset.  What the step changes is marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knaster.base.errors import UsageError
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.traces.memory_runs import MemoryRun, inputs_of
from knaster.evidence.traces.memory_values import spell
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import NOWHERE, Const, postorder
from knaster.program.memory import Address, Addresses, CellType, Load, Moved, Store, bytes_of, memory_expressions
from knaster.program.model import Program, expressions
from knaster.program.temporaries import is_temporary
from knaster.program.types import Int
from knaster.report.entries import Form, list_entries
from knaster.report.heap.picture import NULL, Box, Picture, Row
from knaster.semantics.memory.machine import Frame, Machine, from_raw
from knaster.semantics.memory.objects import HEAP, LITERAL, Object

_TALLEST = 24  # rows of a record that are shown
_DEEPEST = 12  # activations that are shown, half of them the outermost
_OURS = "__"  # variables of our headers
Parts = dict[tuple[int, int], tuple[str, CellType]]  # name and type, by offset and size


class _Record(NamedTuple):
    """A record as it is before a step: what it is, its values by name, and the object that it is."""

    kind: str
    title: str
    values: dict[str, Any]
    base: int = 0


def picture(program: Program, trace: Trace, step: int | None = None) -> Picture:
    """Return what there is before a step of a trace, counted from 1 as entries are; None is the end of the trace."""
    entries = list(list_entries(program, trace, Form.FULL))
    if step is not None and not 0 < step <= len(entries):
        raise UsageError(f"the trace has {len(entries)} steps; there is no step {step}")
    wanted = {} if step is None else {entries[step - 1].step: step}
    _, found = next(pictures(program, trace, wanted))
    return found


def pictures(program: Program, trace: Trace, wanted: Mapping[int, int]) -> Iterator[tuple[int, Picture]]:
    """Yield what there is before each step that is wanted, with its number, and then what there is at the end.

    Several steps may be one statement, and so one entry; `wanted` has the number of the entry that begins with a step.
    """
    run, names = MemoryRun(program, inputs_of(trace), frozenset()), part_names(program)
    length, count = trace.expanded_length, 0
    while count < length and run.machine.frames:
        line = _line(run.machine)
        now = list(_records(run.machine, names)) if count + 1 in wanted else []
        goes, edge, _ = run.step()
        if not goes:
            break
        count += edge is not None
        if now and edge is not None:
            after = {_key(record): record for record in _records(run.machine, names)}
            yield count, _draw(run.machine, now, after, f"before step {wanted[count]}, line {line}")
    last = list(_records(run.machine, names))
    same = {_key(record): record for record in last}
    caption = f"before step {wanted[count + 1]}, line {_line(run.machine)}" if count + 1 in wanted else "at the end"
    yield count + 1, _draw(run.machine, last, same, caption)


def _line(machine: Machine) -> int:
    frame = machine.frame
    leaving = frame.code.procedure.leaving.get(frame.location, ())
    return leaving[0].span.line if leaving else 0


def part_names(program: Program) -> Parts:
    """Return what parts of objects are called by their offset and size: `next` where the program says `p->next`."""
    found: dict[tuple[int, int], tuple[dict[str, None], CellType]] = {}
    for procedure in program.procedures:
        for edge in procedure.edges:
            action: Any = edge.action
            uses = [(action.address, action.type, action.text)] if isinstance(action, Store) else []
            for expr in (*expressions(action), *memory_expressions(action)):
                uses += [(node.address, node.type, node.text) for node in postorder(expr) if isinstance(node, Load)]
            for address, type, text in uses:
                name = text.rpartition("->")[2] if "->" in text else ""
                if name.isidentifier():
                    found.setdefault((_offset(address), bytes_of(type)), ({}, type))[0][name] = None
    return {place: ("/".join(names), type) for place, (names, type) in found.items()}


def _offset(address: Any) -> int:
    constant = isinstance(address, Moved) and isinstance(address.index, Const) and isinstance(address.index.value, int)
    return address.index.value * address.scale if constant else 0


def _records(machine: Machine, names: Parts) -> Iterator[_Record]:
    """Yield what there is now: objects of the program, activations, and what they lead to in the heap."""
    found: list[_Record] = []
    for declared in machine.layout.objects:
        if not declared.literal and not declared.name.startswith(_OURS):
            base = machine.globals[declared.name].base
            values = {part.suffix or declared.name: machine.part(base, part) for part in declared.parts}
            found.append(_Record("statics", declared.name, values, base))
    for depth, frame in enumerate(machine.frames):
        if not _DEEPEST // 2 <= depth < len(machine.frames) - _DEEPEST // 2:
            found.append(_activation(machine, frame, depth))
    yield from found
    yield from _heap(machine, [value for record in found for value in record.values.values()], names)


def _activation(machine: Machine, frame: Frame, depth: int) -> _Record:
    name = frame.code.procedure.name
    values = {each: value for each, value in frame.registers.items() if not is_temporary(each)}
    for (procedure, local), parts in machine.layout.locals:
        if procedure == name and local in frame.objects:
            values |= {local + part.suffix: machine.part(frame.objects[local], part) for part in parts}
    return _Record("frame", f"{name}" if depth == 0 else f"{name} ({depth + 1})", values)


def _heap(machine: Machine, values: list[Any], names: Parts) -> Iterator[_Record]:
    seen: dict[int, None] = {}
    todo = [value for value in values if isinstance(value, Address)]
    while todo:
        base = todo.pop(0).base
        found = machine.objects.get(base)
        if found is None or base in seen or found.kind not in (HEAP, LITERAL):
            continue
        seen[base] = None
        cells = dict(_part(names, at, size, raw) for at, (size, raw) in sorted(found.cells.items()))
        yield _Record("cell", _title(base, found), cells, base)
        todo += [value for value in cells.values() if isinstance(value, Address)]


def _title(base: int, found: Object) -> str:
    return f"heap#{base}" + ("" if found.alive else " (dead)") if found.kind == HEAP else found.name


def _part(names: Parts, at: int, size: int, raw: Any) -> tuple[str, Any]:
    """Return the name of a part of an object, and its value."""
    name, type = names.get((at, size), (f"+{at}", None))
    plain = isinstance(type, Int | Addresses) and isinstance(raw, int | Address)
    return name, from_raw(raw, type, NOWHERE) if plain else raw


def _key(record: _Record) -> tuple[str, str, int]:
    return record.kind, record.title if not record.base else "", record.base


def _draw(machine: Machine, now: list[_Record], after: dict[Any, _Record], caption: str) -> Picture:
    objects = {record.base for record in now if record.base}
    boxes = []
    for record in now:
        later = after.get(_key(record), record).values
        rows = [_row(machine, name, value, later.get(name), objects) for name, value in record.values.items()]
        if len(rows) > _TALLEST:
            rows[_TALLEST - 1 :] = [Row(f"... {len(rows) - _TALLEST + 1} more")]
        boxes.append(Box(record.kind, record.title, tuple(rows), record.base or None))
    return Picture(tuple(boxes), caption)


def _row(machine: Machine, name: str, value: Any, later: Any, objects: set[int]) -> Row:
    changed = later != value
    if isinstance(value, Address):
        if value.base in objects:
            return Row(name, f"+{value.offset}" if value.offset else "", value.base, changed)
        return Row(name, NULL if value == (0, 0) else str(spell(machine, value)), None, changed)
    shown = spell(machine, value)
    return Row(name, "?" if shown is None else str(int(shown) if isinstance(shown, bool) else shown), None, changed)
