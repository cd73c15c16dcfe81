"""What each edge reads and writes, and MOD and REF: which globals a procedure may write and may read.

Ball and Rajamani, Bebop (SPIN 2000), section 3.3.  A procedure writes and reads what it does itself or through the
procedures it calls.  A global outside MOD keeps its value in every summary of the procedure; one outside MOD and REF
has no influence on the procedure at all.

Sets of variables are bit masks: bit i stands for variable i of `Program.scope`, so the globals have the same bits in
every procedure.  Sequential programs only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.errors import UnsupportedError
from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import TRUE, Binary, Const, Expr, Not, Var, may_be_undefined, operands
from knaster.program.model import Assign, Assume, Call, Edge, Procedure, Program, Return, word_of

Mask = int
Flow = tuple[Mask, Mask]  # a variable, and the variables that its new value depends on


class Transfer(NamedTuple):
    """An internal edge: what it writes, what it reads in any case, and what it reads for the sake of what it writes."""

    written: Mask
    read: Mask
    flows: tuple[Flow, ...]


class CallTransfer(NamedTuple):
    """A call: the targets; (parameter of the callee, what its argument reads); (target, result of the callee).

    Arguments that may be undefined are read in any case.
    """

    callee: str
    written: Mask
    arguments: tuple[Flow, ...]
    results: tuple[Flow, ...]
    read: Mask = 0  # in any case


Transfers = Mapping[str, Sequence[Transfer | CallTransfer]]  # by procedure, in the order of its edges
PASS = Transfer(0, 0, ())


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


def transfers(program: Program) -> Transfers:
    """Return what each edge of each procedure reads and writes."""
    scopes = {procedure.name: program.scope(procedure) for procedure in program.procedures}
    bits = {scope: _bits(scope) for scope in scopes.values()}
    made: dict[tuple[str, ...], dict[int, Transfer | CallTransfer]] = {scope: {} for scope in bits}  # by action
    callees = {procedure.name: (procedure, bits[scopes[procedure.name]]) for procedure in program.procedures}
    found: dict[str, list[Transfer | CallTransfer]] = {}
    for procedure in program.procedures:
        scope = scopes[procedure.name]
        own, same = bits[scope], made[scope]
        edges = found[procedure.name] = []
        for edge in procedure.edges:
            transfer = same.get(id(edge.action))  # equal statements of a long text are one action
            if transfer is None:
                transfer = same[id(edge.action)] = _transfer(procedure, edge, own, callees)
            edges.append(transfer)
    return found


def _transfer(
    procedure: Procedure,
    edge: Edge,
    own: Mapping[str, Mask],
    callees: Mapping[str, tuple[Procedure, Mapping[str, Mask]]],
) -> Transfer | CallTransfer:
    """Return what an edge reads and writes; the names of its procedure have the bits `own`."""
    action = edge.action
    if isinstance(action, Assume):
        return PASS if action.condition is TRUE else Transfer(0, reads(action.condition, own), ())
    if isinstance(action, Assign):
        return _assignment(action.targets, action.values, action.constraint, own)
    if isinstance(action, Return):
        return _assignment(procedure.results, action.values, TRUE, own)
    if isinstance(action, Call):
        callee, inner = callees[action.procedure]
        return _call(action, callee, own, inner)
    raise UnsupportedError(f"'{word_of(action)}' in the analysis of a sequential program", edge.span)


def _bits(scope: Sequence[str]) -> dict[str, Mask]:
    return {name: 1 << index for index, name in enumerate(scope)}


def bits_of(program: Program, procedure: Procedure) -> dict[str, Mask]:
    """Return the bit of each variable in the scope of `procedure`."""
    return _bits(program.scope(procedure))


def variables_in(mask: Mask, scope: Sequence[str]) -> tuple[str, ...]:
    """Return the variables of `scope` whose bits are in `mask`, in the order of the scope."""
    return tuple(name for index, name in enumerate(scope) if mask >> index & 1)


def reads(expr: Expr, bits: Mapping[str, Mask], *, primed: bool = False) -> Mask:
    """Return the bits of the unprimed (or of the primed) variables of `expr`."""
    if isinstance(expr, Const):
        return 0
    mask = 0
    todo: list[Expr] = [expr]
    while todo:
        node = todo.pop()
        if isinstance(node, Var):
            if node.primed is primed:
                mask |= bits[node.name]
        elif isinstance(node, Not):
            todo.append(node.operand)
        elif isinstance(node, Binary):
            todo += (node.left, node.right)
        elif not isinstance(node, Const):
            todo += operands(node)
    return mask


def _assignment(targets: Sequence[str], values: Sequence[Expr], constraint: Expr, bits: Mapping[str, Mask]) -> Transfer:
    """Return the transfer of an assignment.

    What may be undefined decides whether there is a next step, so its variables are read in any case.  A new value that
    the constraint speaks of matters in any case; the new value of a variable that is not assigned is its old one.
    """
    written = 0
    for target in targets:
        written |= bits[target]
    read = constrained = 0
    if constraint is not TRUE:
        constrained = reads(constraint, bits, primed=True)
        read = reads(constraint, bits) | constrained & ~written
    flows = []
    for target, value in zip(targets, values, strict=True):
        needed = reads(value, bits)
        if constrained & bits[target] or (needed and may_be_undefined(value)):
            read |= needed
        elif needed:
            flows.append((bits[target], needed))
    return Transfer(written, read, tuple(flows))


def _call(call: Call, callee: Procedure, own: Mapping[str, Mask], inner: Mapping[str, Mask]) -> CallTransfer:
    results = [(own[target], inner[result]) for target, result in call.results(callee)]
    written = 0
    for target, _ in results:
        written |= target
    arguments = [(inner[parameter], reads(argument, own)) for parameter, argument in call.bindings(callee)]
    read = 0
    for (_, needed), argument in zip(arguments, call.arguments, strict=True):
        read |= needed if needed and may_be_undefined(argument) else 0
    return CallTransfer(callee.name, written, tuple(arguments), tuple(results), read)


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
    for edge in {id(edge): edge for edge in edges}.values():
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
