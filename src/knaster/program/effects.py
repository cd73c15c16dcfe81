"""MOD and REF: which globals a procedure may write and may read, itself or through the procedures it calls.

Ball and Rajamani, Bebop (SPIN 2000), section 3.3.  A global outside MOD keeps its value in every summary of the
procedure; one outside MOD and REF has no influence on the procedure at all.

Sets of variables are bit masks: bit i stands for variable i of `Program.scope`, so the globals have the same bits in
every procedure.  Sequential programs only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knaster.errors import UnsupportedError
from knaster.program.expression import TRUE, Binary, Conditional, Expr, Not, Var
from knaster.program.model import Assign, Assume, Call, Concurrent, Procedure, Program, Return

Mask = int


@dataclass(frozen=True, slots=True)
class Effects:
    """What one procedure may do: globals written, globals read, own parameters and locals written by itself."""

    mod: frozenset[str]
    ref: frozenset[str]
    modified_locals: frozenset[str]


@dataclass(frozen=True, slots=True)
class EffectMasks:
    """MOD and REF of one procedure over the globals, and what it writes itself over its whole scope."""

    mod: Mask
    ref: Mask
    written: Mask


def effects(program: Program) -> dict[str, Effects]:
    """Return the effects of each procedure, those of the procedures that it calls included."""
    sets: dict[Mask, frozenset[str]] = {}

    def globals_in(mask: Mask) -> frozenset[str]:
        if mask not in sets:
            sets[mask] = frozenset(variables_in(mask, program.globals))
        return sets[mask]

    found = {}
    masks = effect_masks(program)
    shared = len(program.globals)
    for procedure in program.procedures:
        mask = masks[procedure.name]
        own = frozenset(variables_in(mask.written >> shared, procedure.parameters + procedure.locals))
        found[procedure.name] = Effects(globals_in(mask.mod), globals_in(mask.ref), own)
    return found


def effect_masks(program: Program) -> dict[str, EffectMasks]:
    """Return the effects of each procedure as bit masks."""
    every_global = (1 << len(program.globals)) - 1
    written: dict[str, Mask] = {}
    mod: dict[str, Mask] = {}
    ref: dict[str, Mask] = {}
    callers: dict[str, set[str]] = {procedure.name: set() for procedure in program.procedures}
    for procedure in program.procedures:
        writes, reads, callees = _own_effects(procedure, bits_of(program, procedure))
        written[procedure.name] = writes
        mod[procedure.name] = writes & every_global
        ref[procedure.name] = reads & every_global
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


def bits_of(program: Program, procedure: Procedure) -> dict[str, Mask]:
    """Return the bit of each variable in the scope of `procedure`."""
    return {name: 1 << index for index, name in enumerate(program.scope(procedure))}


def variables_in(mask: Mask, scope: Sequence[str]) -> tuple[str, ...]:
    """Return the variables of `scope` whose bits are in `mask`, in the order of the scope."""
    return tuple(name for index, name in enumerate(scope) if mask >> index & 1)


def reads(expr: Expr, bits: Mapping[str, Mask], *, primed: bool = False) -> Mask:
    """Return the bits of the unprimed (or of the primed) variables of `expr`."""
    mask = 0
    todo = [expr]
    while todo:
        node = todo.pop()
        match node:
            case Var():
                if node.primed is primed:
                    mask |= bits[node.name]
            case Not():
                todo.append(node.operand)
            case Binary():
                todo += (node.left, node.right)
            case Conditional():
                todo += (node.condition, node.then, node.otherwise)
    return mask


def constraint_reads(constraint: Expr, written: Mask, bits: Mapping[str, Mask]) -> Mask:
    """Return the bits of the variables whose old values an assignment's constraint reads.

    The new value of a variable that is not assigned is its old one.
    """
    if constraint is TRUE:
        return 0
    return reads(constraint, bits) | reads(constraint, bits, primed=True) & ~written


def union(masks: Iterable[Mask]) -> Mask:
    """Return the union of bit masks."""
    result = 0
    for mask in masks:
        result |= mask
    return result


def _own_effects(procedure: Procedure, bits: Mapping[str, Mask]) -> tuple[Mask, Mask, set[str]]:
    """Return what the edges of one procedure write and read, and whom they call."""
    writes = 0
    read = reads(procedure.enforce, bits)
    callees: set[str] = set()
    for edge in procedure.edges:
        match edge.action:
            case Assume(condition):
                if condition is not TRUE:
                    read |= reads(condition, bits)
            case Assign(targets, values, constraint):
                written = union(bits[target] for target in targets)
                writes |= written
                read |= constraint_reads(constraint, written, bits)
                read |= union(reads(value, bits) for value in values)
            case Call(callee, arguments, targets):
                callees.add(callee)
                writes |= union(bits[target] for target in targets if target is not None)
                read |= union(reads(argument, bits) for argument in arguments)
            case Return(values):
                read |= union(reads(value, bits) for value in values)
            case Concurrent(operation):
                raise UnsupportedError(f"'{operation.value}' in the analysis of a sequential program", edge.span)
    return writes, read, callees
