"""MOD and REF: which globals a procedure may write and may read, itself or through the procedures it calls.

Ball and Rajamani, Bebop (SPIN 2000), section 3.3.  A global outside MOD keeps its value in every summary of the
procedure; one outside MOD and REF has no influence on the procedure at all.  Sequential programs only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from knaster.program.accesses import CallTransfer, Mask, Transfer, Transfers, bits_of, reads, transfers, variables_in
from knaster.program.model import Program


class Effects(NamedTuple):
    """What one procedure may do: globals written, globals read, own parameters and locals written by itself."""

    mod: frozenset[str]
    ref: frozenset[str]
    modified_locals: frozenset[str]


class EffectMasks(NamedTuple):
    """MOD and REF of one procedure over the globals, and what it writes itself over its whole scope."""

    mod: Mask
    ref: Mask
    written: Mask


def effects(program: Program, edges: Transfers | None = None) -> dict[str, Effects]:
    """Return the effects of each procedure, those of the procedures that it calls included.

    `edges` are the program's `transfers`, for a caller that has them already.
    """
    sets: dict[Mask, frozenset[str]] = {}

    def globals_in(mask: Mask) -> frozenset[str]:
        if mask not in sets:
            sets[mask] = frozenset(variables_in(mask, program.globals))
        return sets[mask]

    found = {}
    masks = effect_masks(program, edges)
    shared = len(program.globals)
    for procedure in program.procedures:
        mask = masks[procedure.name]
        own = frozenset(variables_in(mask.written >> shared, procedure.parameters + procedure.locals))
        found[procedure.name] = Effects(globals_in(mask.mod), globals_in(mask.ref), own)
    return found


def effect_masks(program: Program, edges: Transfers | None = None) -> dict[str, EffectMasks]:
    """Return the effects of each procedure as bit masks."""
    edges = transfers(program) if edges is None else edges
    every_global = (1 << len(program.globals)) - 1
    written: dict[str, Mask] = {}
    mod: dict[str, Mask] = {}
    ref: dict[str, Mask] = {}
    callers: dict[str, set[str]] = {procedure.name: set() for procedure in program.procedures}
    for procedure in program.procedures:
        writes, read, callees = _own_effects(edges[procedure.name])
        read |= reads(procedure.enforce, bits_of(program, procedure))
        written[procedure.name] = writes
        mod[procedure.name] = writes & every_global
        ref[procedure.name] = read & every_global
        for callee in callees:
            callers[callee].add(procedure.name)
    todo = [procedure.name for procedure in program.procedures]
    waiting = set(todo)
    while todo:
        callee = todo.pop()
        waiting.remove(callee)
        for caller in callers[callee]:
            if mod[callee] & ~mod[caller] or ref[callee] & ~ref[caller]:
                mod[caller] |= mod[callee]
                ref[caller] |= ref[callee]
                if caller not in waiting:
                    waiting.add(caller)
                    todo.append(caller)
    return {name: EffectMasks(mod[name], ref[name], written[name]) for name in written}


def _own_effects(edges: Sequence[Transfer | CallTransfer]) -> tuple[Mask, Mask, set[str]]:
    """Return what the edges of one procedure write and read, and whom they call."""
    writes = read = 0
    callees: set[str] = set()
    for edge in edges:
        writes |= edge.written
        if isinstance(edge, CallTransfer):
            callees.add(edge.callee)
            flows = edge.arguments
        else:
            read |= edge.read
            flows = edge.flows
        for _, needed in flows:
            read |= needed
    return writes, read, callees
