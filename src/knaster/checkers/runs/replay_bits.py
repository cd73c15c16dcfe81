"""The replay of folded runs whose states are bits: whether every step is one that the concrete semantics allows.

It says yes to what is right beyond doubt: a Boolean program without threads and `enforce`, steps without choice, and
edges of the program itself.  Of everything else, a mistake above all, it says nothing, and `replay_steps` looks at the
run step by step and has the words.
"""

from __future__ import annotations

from knaster.evidence.traces.trace import Path
from knaster.program.bit_state import Bits, BitScope, BitState
from knaster.program.expression import TRUE
from knaster.program.model import Call, Kind, Procedure, Program
from knaster.semantics.bit_steps import BitSteps, Change


class BitReplay:
    """The runs of one program, as far as their states are bits."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self._steps = BitSteps(program)
        self._edges: dict[str, frozenset[int]] = {}  # of each procedure, by identity
        self._scopes: dict[str, BitScope] = {}  # of states of each procedure: the last one that was looked at
        self._is_plain = program.kind is Kind.BOOLEAN and not program.is_threaded

    def is_right(self, path: Path, seen: set[int], todo: list[Path]) -> bool:
        """Tell whether a run from entry to exit is surely right; runs inside it that nobody has `seen` are added."""
        procedure = self.procedures.get(path.procedure)
        if procedure is None or not self._is_plain or path.begin is not None:
            return False
        bits = self._bits(procedure, path.start)
        if bits is None:
            return False
        scope, own, location = path.start.scope, self._own_edges(procedure), procedure.entry  # type: ignore[attr-defined]
        ready, inner = self._steps.ready(procedure.name), []
        for step in path.steps:
            edge, after = step.edge, step.after
            if id(edge) not in own or edge.source != location or step.inputs:
                return False
            if type(after) is not BitState or after.scope is not scope:
                return False
            change = ready.get(id(edge)) or self._steps.change(procedure, edge)
            if change is None or (change.passes is not None and not change.passes(bits)):
                return False
            if change.come_back is not None:
                if step.inside is None or not self._returns(edge.action, change, bits, step.inside, after.bits):
                    return False
                inner.append(step.inside)
            elif step.inside is not None or after.bits != (bits if change.write is None else change.write(bits)):
                return False
            bits, location = after.bits, edge.target
        if location != procedure.exit:
            return False
        new = [inside for inside in inner if id(inside) not in seen]
        todo.extend({id(inside): inside for inside in new}.values())
        seen.update(map(id, new))
        return True

    def _returns(self, call: object, change: Change, bits: Bits, inside: Path, after: Bits) -> bool:
        """Tell whether a call enters `inside` and comes back from its end into `after`."""
        assert isinstance(call, Call) and change.write is not None and change.come_back is not None
        callee = self.procedures[call.procedure]
        if inside.procedure != call.procedure or inside.begin is not None:
            return False
        start, end = self._bits(callee, inside.start), self._bits(callee, inside.end)
        if start is None or end is None:
            return False
        given = (1 << len(self.program.globals) + len(callee.parameters)) - 1  # locals may begin with any value
        return start & given == change.write(bits) and after == change.come_back(bits, end)

    def _bits(self, procedure: Procedure, state: object) -> Bits | None:
        """Return the bits of a state that gives exactly the variables of a procedure a truth value."""
        if type(state) is not BitState or procedure.enforce is not TRUE:
            return None
        scope, bits = state.scope, state.bits
        if scope is not self._scopes.get(procedure.name):
            names = self._steps.scope(procedure.name).names
            if type(scope) is not BitScope or list(scope.bit.items()) != [
                (name, 1 << i) for i, name in enumerate(names)
            ]:
                return None
            self._scopes[procedure.name] = scope
        return bits if type(bits) is int and 0 <= bits < 1 << len(scope.bit) else None

    def _own_edges(self, procedure: Procedure) -> frozenset[int]:
        found = self._edges.get(procedure.name)
        if found is None:
            found = self._edges[procedure.name] = frozenset(map(id, procedure.edges))
        return found
