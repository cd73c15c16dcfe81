"""Live variables: whose value at a location can still influence where control goes.

Ball and Rajamani, Bebop (SPIN 2000), section 3.3, across procedures, and in the strong form: a variable that only feeds
dead variables is dead itself.  Whatever values the dead variables of a location are given, the same locations can be
reached from there.

    x := e                  e is read where x is live afterwards, or where the constraint speaks of the new value of x
    constrain c             old values are read; the new value of a variable that is not assigned is its old one
    x := f(e)               e is read where the parameter is live at the entry of f; a global is live before the call
                            where it is live at the entry of f *and* either f may read it (REF) or it is live afterwards
    exit of f               the results and the globals that are live after some call of f; nothing after the outermost
    enforce e               the variables of e are live everywhere in that procedure

One least fixed point over all procedures.  Sets are bit masks as in `effects`; each location changes at most once for
each variable, and a change costs the edges that lead there, so the time is linear in the program for a fixed scope.
Sequential programs only.

Notation: a *node* is a location of the whole program: the offset of the procedure plus the location.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knaster.errors import InternalError
from knaster.program.effects import EffectMasks, Mask, bits_of, constraint_reads, effect_masks, reads, union
from knaster.program.expression import TRUE
from knaster.program.model import Assign, Assume, Call, Edge, Procedure, Program, Return

Node = int
Flow = tuple[Mask, Mask]  # a variable, and the variables that its new value depends on


@dataclass(frozen=True, slots=True)
class _Internal:
    """An internal edge, seen from its target: what survives it, what it reads, what it reads for whom."""

    source: Node
    keep: Mask
    gen: Mask
    flows: tuple[Flow, ...]


@dataclass(frozen=True, slots=True)
class _Call:
    """A call edge: its ends, the ends of the callee, and how values get in and out."""

    source: Node
    target: Node
    entry: Node
    exit: Node
    keep: Mask
    ref: Mask
    arguments: tuple[Flow, ...]  # a parameter of the callee, what the argument reads
    results: tuple[Flow, ...]  # a target in the caller, the callee's result


def live_variables(program: Program) -> dict[str, tuple[Mask, ...]]:
    """Return, for each procedure and location, the variables that are live there, as bits of `Program.scope`."""
    return _Analysis(program).run()


class _Analysis:
    """The edges of all procedures, indexed by the node whose live variables they depend on."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.every_global = (1 << len(program.globals)) - 1
        self.offsets: dict[str, Node] = {}
        self.bits: dict[str, Mapping[str, Mask]] = {}
        size = 0
        for procedure in program.procedures:
            self.offsets[procedure.name] = size
            self.bits[procedure.name] = bits_of(program, procedure)
            size += procedure.size
        self.live: list[Mask] = [0] * size
        self.internal: list[list[_Internal]] = [[] for _ in range(size)]
        self.calls: dict[Node, list[_Call]] = {}  # under the return point and under the callee's entry
        effects = effect_masks(program)
        procedures = {procedure.name: procedure for procedure in program.procedures}
        for procedure in program.procedures:
            self._add_edges(procedure, procedures, effects)

    def run(self) -> dict[str, tuple[Mask, ...]]:
        todo = list(range(len(self.live)))  # the last location first
        waiting = bytearray(b"\1") * len(todo)
        while todo:
            node = todo.pop()
            waiting[node] = 0
            for changed in self._propagate(node):
                if not waiting[changed]:
                    waiting[changed] = 1
                    todo.append(changed)
        return {
            procedure.name: tuple(self.live[start : start + procedure.size])
            for procedure in self.program.procedures
            for start in [self.offsets[procedure.name]]
        }

    def _propagate(self, node: Node) -> list[Node]:
        """Draw every conclusion from what is live at `node`; return the nodes where more is live now."""
        live = self.live
        after = live[node]
        changed = []
        for edge in self.internal[node]:
            before = after & edge.keep | edge.gen
            for variable, read in edge.flows:
                if after & variable:
                    before |= read
            if before & ~live[edge.source]:
                live[edge.source] |= before
                changed.append(edge.source)
        for call in self.calls.get(node, ()):
            for place, mask in ((call.source, self._before(call)), (call.exit, self._at_exit(call))):
                if mask & ~live[place]:
                    live[place] |= mask
                    changed.append(place)
        return changed

    def _before(self, call: _Call) -> Mask:
        """Return what is live before a call."""
        after, entry = self.live[call.target] & call.keep, self.live[call.entry]
        arguments = union(read for parameter, read in call.arguments if entry & parameter)
        return after & ~self.every_global | arguments | self.every_global & entry & (call.ref | after)

    def _at_exit(self, call: _Call) -> Mask:
        """Return what the callee must leave behind for this call."""
        after = self.live[call.target]
        results = union(result for target, result in call.results if after & target)
        return after & call.keep & self.every_global | results

    def _add_edges(
        self, procedure: Procedure, procedures: Mapping[str, Procedure], effects: Mapping[str, EffectMasks]
    ) -> None:
        start = self.offsets[procedure.name]
        bits = self.bits[procedure.name]
        enforced = reads(procedure.enforce, bits)
        if enforced:
            self.live[start : start + procedure.size] = [enforced] * procedure.size
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                callee = procedures[edge.action.procedure]
                call = self._call(start, edge, edge.action, bits, callee, effects[callee.name].ref)
                self.calls.setdefault(call.target, []).append(call)
                self.calls.setdefault(call.entry, []).append(call)
            else:
                self.internal[start + edge.target].append(_internal(start + edge.source, procedure, edge, bits))

    def _call(
        self, start: Node, edge: Edge, call: Call, bits: Mapping[str, Mask], callee: Procedure, ref: Mask
    ) -> _Call:
        offset = self.offsets[callee.name]
        inner = self.bits[callee.name]
        results = tuple(
            (bits[target], inner[result])
            for target, result in zip(call.targets, callee.results, strict=False)
            if target is not None
        )
        return _Call(
            source=start + edge.source,
            target=start + edge.target,
            entry=offset + callee.entry,
            exit=offset + callee.exit,
            keep=~union(target for target, _ in results),
            ref=ref,
            arguments=tuple(
                (inner[parameter], reads(argument, bits))
                for parameter, argument in zip(callee.parameters, call.arguments, strict=True)
            ),
            results=results,
        )


def _internal(source: Node, procedure: Procedure, edge: Edge, bits: Mapping[str, Mask]) -> _Internal:
    match edge.action:
        case Assume(condition):
            return _Internal(source, -1, 0 if condition is TRUE else reads(condition, bits), ())
        case Assign(targets, values, constraint):
            pass
        case Return(values):
            targets, constraint = procedure.results, TRUE
        case _:
            raise InternalError("a call or a thread statement was taken for an internal edge")
    written = union(bits[target] for target in targets)
    gen = constraint_reads(constraint, written, bits)
    constrained = 0 if constraint is TRUE else reads(constraint, bits, primed=True)
    flows = []
    for target, value in zip(targets, values, strict=True):
        read = reads(value, bits)
        if constrained & bits[target]:
            gen |= read
        elif read:
            flows.append((bits[target], read))
    return _Internal(source, ~written, gen, tuple(flows))
