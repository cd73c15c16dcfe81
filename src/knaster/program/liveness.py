"""Live variables: whose value at a location can still influence where control goes.

Ball and Rajamani, Bebop (SPIN 2000), section 3.3, across procedures, and in the strong form: a variable that only feeds
dead variables is dead itself.  Whatever values the dead variables of a location are given, the same locations can be
reached from there.

    x := e                  e is read where x is live afterwards, or where the constraint speaks of the new value of x,
                            or where e may be undefined, because then there is no next step
    constrain c             old values are read; the new value of a variable that is not assigned is its old one
    x := f(e)               e is read where the parameter is live at the entry of f; a global is live before the call
                            where it is live at the entry of f *and* either f may read it (REF) or it is live afterwards
    exit of f               the results and the globals that are live after some call of f; nothing after the outermost
    enforce e               the variables of e are live everywhere in that procedure

One least fixed point over all procedures.  Sets are bit masks as in `transfers`; each location changes at most once for
each variable, and a change costs the edges that lead there, so the time is linear in the program for a fixed scope.
Sequential programs only.

Notation: a *node* is a location of the whole program: the offset of the procedure plus the location.
"""

from __future__ import annotations

from knaster.base.named_tuples import NamedTuple
from knaster.program.effects import CallTransfer, Flow, Mask, Transfers, bits_of, effect_masks, reads, transfers
from knaster.program.model import Program

Node = int
Change = tuple[Mask, Mask, tuple[Flow, ...]]  # what survives an edge, what it reads, and for whom


class _Call(NamedTuple):
    """A call edge: its ends, the ends of the callee, and how values get in and out."""

    source: Node
    target: Node
    entry: Node
    exit: Node
    keep: Mask
    ref: Mask
    arguments: tuple[Flow, ...]
    results: tuple[Flow, ...]
    read: Mask


def live_variables(program: Program, edges: Transfers | None = None) -> dict[str, tuple[Mask, ...]]:
    """Return, for each procedure and location, the variables that are live there, as bits of `Program.scope`.

    `edges` are the program's `transfers`, for a caller that has them already.
    """
    return _Analysis(program, transfers(program) if edges is None else edges).run()


class _Analysis:
    """The edges of all procedures, indexed by the node whose live variables they depend on."""

    def __init__(self, program: Program, edges: Transfers) -> None:
        self.program = program
        self.every_global = (1 << len(program.globals)) - 1
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.effects = effect_masks(program, edges)
        self.offsets: dict[str, Node] = {}
        size = 0
        for procedure in program.procedures:
            self.offsets[procedure.name] = size
            size += procedure.size
        self.live: list[Mask] = [0] * size
        self.internal: list[list[tuple[Node, Change]] | None] = [None] * size  # edges by their targets
        changes: dict[int, Change] = {}
        self.calls: dict[Node, list[_Call]] = {}  # under the return point and under the callee's entry
        for procedure in program.procedures:
            start = self.offsets[procedure.name]
            enforced = reads(procedure.enforce, bits_of(program, procedure))
            self.live[start : start + procedure.size] = [enforced] * procedure.size
            for edge, transfer in zip(procedure.edges, edges[procedure.name], strict=True):
                source, target = start + edge.source, start + edge.target
                if isinstance(transfer, CallTransfer):
                    self._add_call(source, target, transfer)
                    continue
                change = changes.get(id(transfer))
                if change is None:
                    change = changes[id(transfer)] = (~transfer.written, transfer.read, transfer.flows)
                incoming = self.internal[target]
                if incoming is None:
                    self.internal[target] = [(source, change)]
                else:
                    incoming.append((source, change))

    def _add_call(self, source: Node, target: Node, transfer: CallTransfer) -> None:
        callee = self.procedures[transfer.callee]
        inner = self.offsets[callee.name]
        entry, leave, ref = inner + callee.entry, inner + callee.exit, self.effects[callee.name].ref
        call = _Call(
            source, target, entry, leave, ~transfer.written, ref, transfer.arguments, transfer.results, transfer.read
        )
        self.calls.setdefault(target, []).append(call)
        self.calls.setdefault(entry, []).append(call)

    def run(self) -> dict[str, tuple[Mask, ...]]:
        """Draw every conclusion from what is live where, until nothing more is live anywhere."""
        live, internal, calls = self.live, self.internal, self.calls
        todo = list(range(len(live)))  # the last location first
        waiting = bytearray(b"\1") * len(todo)
        while todo:
            node = todo.pop()
            waiting[node] = 0
            after = live[node]
            found = []
            for call in calls.get(node, ()):
                found += [(call.source, self._before(call)), (call.exit, self._at_exit(call))]
            for source, (keep, read, flows) in internal[node] or ():
                before = after & keep | read
                for variable, needed in flows:
                    if after & variable:
                        before |= needed
                found.append((source, before))
            for place, more in found:
                if more & ~live[place]:
                    live[place] |= more
                    if not waiting[place]:
                        waiting[place] = 1
                        todo.append(place)
        return {
            procedure.name: tuple(live[start : start + procedure.size])
            for procedure in self.program.procedures
            for start in [self.offsets[procedure.name]]
        }

    def _before(self, call: _Call) -> Mask:
        """Return what is live before a call."""
        after, entry = self.live[call.target] & call.keep, self.live[call.entry]
        before = after & ~self.every_global | self.every_global & entry & (call.ref | after) | call.read
        for parameter, needed in call.arguments:
            if entry & parameter:
                before |= needed
        return before

    def _at_exit(self, call: _Call) -> Mask:
        """Return what the callee must leave behind for this call."""
        after = self.live[call.target]
        left = after & call.keep & self.every_global
        for target, result in call.results:
            if after & target:
                left |= result
        return left
