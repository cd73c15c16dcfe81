"""post* and pre* by the compiled kernel: systems over integers, without weights or with lengths.

The productions are those of `saturation/productions.py`; transitions come as flat columns of the kernel's own memory,
one derivation for each.  Lengths are natural numbers below 2**61; longer ones are left to the reference, which has no
bound.
"""

from __future__ import annotations

import ctypes
import weakref
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from knaster.base.errors import InternalError
from knaster.base.records import dataclass
from knaster.pushdown import kernel
from knaster.pushdown.numbering import NumberedAutomaton, RuleTable, columns, own_column
from knaster.pushdown.tick import Tick

LONGEST = 2**61 - 1

SOLVED, NO_MEMORY, TOO_LONG, RUNNING = range(4)

SLICE = 1 << 17  # transitions that the kernel makes before Python is asked again: some hundredths of a second


@dataclass(frozen=True, eq=False)
class Columns:
    """Transitions and their derivations, by column; `middle` holds p' << 32 | g' of every state that post* added."""

    source: Sequence[int]
    symbol: Sequence[int]
    target: Sequence[int]
    length: Sequence[int] | None
    rule: Sequence[int]
    first: Sequence[int]
    second: Sequence[int]
    middle: Sequence[int]

    def __getstate__(self) -> dict[str, Any]:
        return {name: own_column(column) for name, column in vars(self).items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


def is_available() -> bool:
    """Tell whether the kernel was compiled for this machine."""
    return kernel.load() is not None


def saturate(
    table: RuleTable,
    automaton: NumberedAutomaton[Any],
    *,
    backward: bool,
    lengths: array[int] | None = None,
    edge_lengths: array[int] | None = None,
    tick: Tick | None = None,
) -> Columns | None:
    """Return the transitions of post* or, `backward`, of pre*; None where there is no kernel or a length is too large.

    With `lengths` (of the rules) and `edge_lengths` (of the automaton's edges), both 64-bit and both or none given,
    every transition has the least length with which it can be made.  `tick` is called before every slice of the work
    and stops it by raising; Ctrl-C acts between two slices.
    """
    library = kernel.load()
    if library is None or any(max(each, default=0) > LONGEST for each in (lengths, edge_lengths) if each is not None):
        return None
    problem = kernel.Problem(
        automaton.controls,
        len(automaton.states.names),
        len(automaton.symbols.names),
        len(table),
        len(automaton.source),
        int(lengths is not None),
        *(_pointer(column, ctypes.c_int32) for column in columns(table)),
        _pointer(lengths, ctypes.c_int64),
        *(_pointer(column, ctypes.c_int32) for column in (automaton.source, automaton.symbol, automaton.target)),
        _pointer(edge_lengths, ctypes.c_int64),
    )
    work = library.knaster_open(ctypes.byref(problem), int(backward))
    if not work:
        raise MemoryError
    status = RUNNING
    try:
        while status == RUNNING:
            if tick is not None:
                tick()
            status = library.knaster_step(work, SLICE)
    finally:
        outcome = library.knaster_close(work)
        if status == RUNNING:  # interrupted
            library.knaster_free(outcome)
    if not outcome:
        raise MemoryError
    if status != SOLVED:
        library.knaster_free(outcome)
        if status == TOO_LONG:
            return None
        if status == NO_MEMORY:
            raise MemoryError
        raise InternalError(f"the kernel ended with status {status}")
    return _read(library, outcome)


def _pointer(column: array[int] | None, kind: type[ctypes.c_int32] | type[ctypes.c_int64]) -> Any:
    if column is None:
        return None
    return ctypes.cast(column.buffer_info()[0], ctypes.POINTER(kind))


def _read(library: ctypes.CDLL, outcome: Any) -> Columns:
    """Return views of the kernel's memory, which is given back when no column is in use any more."""
    found = outcome.contents
    owner = _Owner()
    weakref.finalize(owner, library.knaster_free, outcome)
    transitions = _view(owner, found.transitions, "i", 4 * found.count)
    derivations = _view(owner, found.derivations, "i", 3 * found.count)
    return Columns(
        source=transitions[0::4],
        symbol=transitions[1::4],
        target=transitions[2::4],
        length=_view(owner, found.lengths, "q", found.count) if found.lengths else None,
        rule=derivations[0::3],
        first=derivations[1::3],
        second=derivations[2::3],
        middle=_view(owner, found.middle, "Q", found.middles),
    )


class _Owner:
    """Keeps the kernel's memory alive: every view refers to one of these."""


def _view(owner: _Owner, address: int | None, letter: Literal["i", "q", "Q"], count: int) -> memoryview[int]:
    """Return `count` integers at `address`, whose size is that of the array type `letter`."""
    size = count * array(letter).itemsize
    if not address or not size:
        return memoryview(array(letter))
    values: Any = _block(size.bit_length()).from_address(address)
    values.owner = owner
    return memoryview(values).cast("B")[:size].cast(letter)


@cache
def _block(bits: int) -> Any:
    """Return the type of blocks of 2**bits bytes, of which only the beginning is used.

    There are few of these, and they are kept: nothing but the collector gives a type back.
    """
    return ctypes.c_char * (1 << bits)
