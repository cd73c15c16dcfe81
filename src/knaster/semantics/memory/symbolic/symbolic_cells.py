"""Cells of an object at offsets that depend on inputs: what was written there last, without deciding where that is.

As long as all cells of an object have one size and stand at multiples of it, two of them are the same or apart.  Then
the object has a *log* of what was written, the last at the end, above the cells that it had before: a read compares its
offset with those of the log, from the end, and then with the cells.  Anything else chooses the offsets and writes the
log down as cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison
from knaster.program.memory import Floating, bytes_of
from knaster.program.types import Bool, Int
from knaster.semantics.memory.arguments import TEXT, refuse_end
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolicInputs, both, compare_symbols, either
from knaster.semantics.memory.unknown import force

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Machine
    from knaster.semantics.memory.objects import Object

MOST = 256  # cells and entries of a log that are compared


def is_loggable(found: Object, offset: Any, size: int, raw: Any = 0) -> bool:
    """Tell whether a cell can be read or written at an offset without choosing it."""
    if not isinstance(raw, int | Symbol) or (isinstance(offset, int) and offset % size):
        return False
    if found.log is not None:
        if found.grain != size or len(found.log) + len(found.base) > MOST:
            return False
    elif len(found.cells) > MOST or not all(_fits(at, cell, size) for at, cell in found.cells.items()):
        return False
    return isinstance(offset, int) or size == 1 or not offset & size - 1


def _fits(at: int, cell: tuple[int, Any], size: int) -> bool:
    return cell[0] == size and at % size == 0 and isinstance(cell[1], int | Symbol)


def write_entry(found: Object, offset: Any, size: int, raw: Any) -> None:
    """Write at an offset that depends on inputs, or into an object with a log."""
    if is_loggable(found, offset, size, raw):
        _begin_log(found, size)
        assert found.log is not None
        found.log.append((offset, raw))
        return
    flatten(found)
    found.write(force(offset), size, raw)


def _begin_log(found: Object, size: int) -> None:
    if found.log is None:
        found.base = {at: raw for at, (_, raw) in found.cells.items()}
        found.cells, found.log, found.grain = {}, [], size


def flatten(found: Object) -> None:
    """Choose the offsets of a log, and write it down as cells."""
    if found.log is None:
        return
    log, grain = found.log, found.grain
    found.cells, found.base, found.log = {at: (grain, raw) for at, raw in found.base.items()}, {}, None
    for offset, raw in log:
        found.write(force(offset), grain, raw)


def load_entry(machine: Machine, found: Object, offset: Any, type: Any, span: Span) -> Any:
    """Return the raw value of a scalar at an offset that depends on inputs, or in an object with a log."""
    size = bytes_of(type)
    bytewise = found.kind == TEXT and size > 1
    if not isinstance(type, Int | Bool | Floating) or bytewise or not is_loggable(found, offset, size):
        flatten(found)
        return None
    ways, default = _ways(found, offset, size)
    if default is None and isinstance(type, Floating):
        flatten(found)
        return None
    value = default
    if default is None:
        value = _choose(machine, found, [test for test, _ in ways], type, span)
    for test, raw in reversed(ways):
        value = either(test, raw, value)
    if default is None:
        _begin_log(found, size)
        assert found.log is not None
        found.log.append((offset, value))
    return value


def _ways(found: Object, offset: Any, size: int) -> tuple[list[tuple[Any, Any]], Any]:
    """Return what can stand at an offset, each with the test for it, the last written first, and what else does."""
    ways: list[tuple[Any, Any]] = []
    cells = {at: raw for at, (_, raw) in found.cells.items()} if found.log is None else found.base
    for other, raw in [*reversed(found.log or ()), *cells.items()]:
        test = _is_same(offset, other)
        if test is True:
            return ways, raw
        if test is not False:
            ways.append((test, raw))
    if found.zeroed:
        return ways, 0
    if isinstance(offset, Symbol) and isinstance(found.size, int) and len(cells) == found.size // size:
        return ways[:-1], ways[-1][1]  # every place has a cell
    return ways, None


def _is_same(one: Any, other: Any) -> Any:
    if isinstance(one, Symbol) or isinstance(other, Symbol):
        return compare_symbols(Comparison.EQUAL, one, other)
    return one == other


def _choose(machine: Machine, found: Object, tests: list[Any], type: Any, span: Span) -> Any:
    """Return an input that is read where no test holds, as it stands in memory."""
    from knaster.semantics.memory.machine import to_raw

    inputs = machine.inputs
    origin = f"{found.name}, not written before"
    none: Any = True
    for test in tests:
        none = both(none, test.negation())
    if none is True:
        chosen = inputs.choose(type, origin, span)
    else:
        assert isinstance(inputs, SymbolicInputs)
        chosen = inputs.choose_if(none, type)
    refuse_end(found, chosen, none)
    return to_raw(chosen, type)
