"""What a step does to a state whose variables are the bits of an integer; `sequential` says what that means.

Only steps without choice: a condition is a function that tells whether it holds, an assignment one that returns the
next state, a call one that returns the state at the callee's entry and one that returns into the caller.  Functions are
compiled when the same action has been asked for several times; before that, and where a formula is too large for
Python, it is evaluated node by node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.program.bit_state import Bits, BitScope
from knaster.program.expression import TRUE, Expr, has_choice
from knaster.program.model import Assign, Assume, Call, Edge, Procedure, Program, Return, expressions
from knaster.semantics.formulas import compile_bits, compile_writing
from knaster.semantics.sequential import values

SELDOM = 3  # an action that was asked for less often is not compiled


class Change(NamedTuple):
    """An action as functions on bits.  `passes` is None where it always passes, `write` where nothing is written.

    Of a call, `write` returns the globals and parameters of the callee (its locals are 0), and `come_back` the caller's
    state, from the one before the call and the one at the callee's exit.
    """

    passes: Callable[[Bits], object] | None = None
    write: Callable[[Bits], Bits] | None = None
    come_back: Callable[[Bits, Bits], Bits] | None = None


@dataclass(slots=True)
class _Asked:
    """An action of a scope: how often it was asked for, and what was made of it."""

    action: object  # kept, so that its identity stays its own
    change: Change
    times: int = 0


class BitSteps:
    """The actions of one Boolean program, sequential and without `enforce` where they are asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.shared = (1 << len(program.globals)) - 1
        self._procedures = {procedure.name: procedure for procedure in program.procedures}
        self._same: dict[tuple[str, ...], tuple[BitScope, dict[int, _Asked]]] = {}
        self._scopes: dict[str, tuple[BitScope, dict[int, _Asked]]] = {}
        self._ready: dict[str, dict[int, Change]] = {procedure.name: {} for procedure in program.procedures}

    def ready(self, procedure: str) -> Mapping[int, Change]:
        """Return what is made already of the edges of a procedure, by their identity: a look before `change`."""
        return self._ready[procedure]

    def scope(self, procedure: str) -> BitScope:
        """Return the scope of a procedure; those with the same variables share one."""
        return self._scope(procedure)[0]

    def change(self, procedure: Procedure, edge: Edge) -> Change | None:
        """Return what an edge does; None where it chooses or is no step of a sequential program."""
        action = edge.action
        scope, known = self._scope(procedure.name)
        asked = known.get(id(action))
        if asked is None:
            change = self._walk(procedure, action, scope)
            if change is None:
                return None
            asked = known[id(action)] = _Asked(action, change)
        asked.times += 1
        if asked.times == SELDOM:  # mutant: only when it is compiled
            asked.change = self._compile(procedure, action, scope, asked.change)
        if asked.times >= SELDOM:
            self._ready[procedure.name][id(edge)] = asked.change
        return asked.change

    def _scope(self, name: str) -> tuple[BitScope, dict[int, _Asked]]:
        found = self._scopes.get(name)
        if found is None:
            names = self.program.scope(self._procedures[name])
            if names not in self._same:
                self._same[names] = BitScope(names), {}
            found = self._scopes[name] = self._same[names]
        return found

    def _writing(
        self, procedure: Procedure, action: object, scope: BitScope
    ) -> tuple[Sequence[Expr], list[Bits], Bits]:
        """Return the values that are written, where, and the bits that stay as they were."""
        match action:
            case Assign(targets, written, _):
                bits = [scope.bit[target] for target in targets]
                return written, bits, ~sum(bits)
            case Return(written):
                bits = [scope.bit[target] for target in procedure.results]
                return written, bits, ~sum(bits)
            case Call() as call:
                callee = self._procedures[call.procedure]
                inner = self.scope(callee.name)
                return call.arguments, [inner.bit[name] for name in callee.parameters], self.shared
        raise AssertionError("an action that writes nothing")

    def _walk(self, procedure: Procedure, action: object, scope: BitScope) -> Change | None:
        """Return the functions of an action that evaluate its formulas node by node; None where they cannot."""
        if isinstance(action, Assume | Assign | Return | Call) and any(map(has_choice, expressions(action))):
            return None
        if isinstance(action, Assume):
            return Change() if action.condition is TRUE else Change(_Walked((action.condition,), [1], 0, scope))
        if not isinstance(action, Assign | Return | Call) or (isinstance(action, Assign) and action.constraint != TRUE):
            return None
        if isinstance(action, Assign | Call):
            targets = [target for target in action.targets if target is not None]
            if len(set(targets)) < len(targets):
                return None
        write = _Walked(*self._writing(procedure, action, scope), scope)
        return Change(None, write, self._back(action, scope) if isinstance(action, Call) else None)

    def _compile(self, procedure: Procedure, action: object, scope: BitScope, walked: Change) -> Change:
        if isinstance(action, Assume):
            passes = None if walked.passes is None else compile_bits(action.condition, scope.bit) or walked.passes
            return Change(passes)
        written, targets, kept = self._writing(procedure, action, scope)
        write = compile_writing(written, targets, scope.bit, kept) or walked.write
        return Change(None, write, walked.come_back)

    def _back(self, call: Call, scope: BitScope) -> Callable[[Bits, Bits], Bits]:
        """Return how a call comes back: globals and results from the callee, the rest from the caller."""
        callee = self._procedures[call.procedure]
        inner, shared = self.scope(callee.name), self.shared
        taken = [(scope.bit[target], inner.bit[result]) for target, result in call.results(callee)]
        kept = ~(shared | sum({target for target, _ in taken}))
        globally = shared & ~sum({target for target, _ in taken})  # a result in a global wins

        def come_back(before: Bits, end: Bits) -> Bits:
            after = before & kept | end & globally
            for target, result in taken:
                if end & result:
                    after |= target
            return after

        return come_back


class _Walked:
    """Formulas without choice, evaluated node by node: the bits `kept` of a state and those of the ones that hold."""

    def __init__(self, expressions: Sequence[Expr], targets: Sequence[Bits], kept: Bits, scope: BitScope) -> None:
        self._pairs: Any = tuple(zip(expressions, targets, strict=True))
        self._kept = kept
        self._scope = scope

    def __call__(self, bits: Bits) -> Bits:
        state, after = self._scope.state(bits), bits & self._kept
        for expression, target in self._pairs:
            if values(expression, state)[1]:
                after |= target
        return after
