"""One run of a sequential program on inputs that somebody chooses, recorded as a trace.

Values are computed as the interpreter computes them.  At each location the first edge is taken that can be, so a
program whose branches exclude each other has one run for its inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.evidence.traces.recorder import Recorder
from knaster.evidence.traces.trace import Trace
from knaster.program.algebra import conjuncts
from knaster.program.evaluate import evaluate
from knaster.program.expression import Choice, Compare, Comparison, Const, Var, postorder
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, expressions
from knaster.program.state import State, Undefined
from knaster.program.types import Type, Value, default
from knaster.semantics.sequential import state_after_return, successor


class RunEnds(Exception):
    """The run ends before it gets where it should."""


class ConcreteRun:
    """A run that goes on; whoever chooses inputs, ways and first values overrides the methods for them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.types = {procedure.name: program.types_in(procedure) for procedure in program.procedures}
        self.recorder = Recorder(program)
        self.procedure: Procedure = program.procedure(program.threads[0])
        self.location: Location = self.procedure.entry
        self.stack: list[tuple[str, Edge, State]] = []
        self.state: State = {}

    def choose(self, edge: Edge, types: list[Type]) -> tuple[Value, ...]:
        """Return the inputs of an edge, of these types: the simplest ones."""
        return tuple(default(type) for type in types)

    def begin(self, name: str, type: Type) -> Value:
        """Return the value that a variable of the activation that begins has, where nobody has given it one."""
        return default(type)

    def ways(self) -> Sequence[Edge]:
        """Return the edges that are tried, in this order."""
        return self.procedure.leaving.get(self.location, ())

    def run(self, target: Place, steps: int) -> Trace:
        """Return the run to a place; raise `RunEnds` where it does not get there in so many steps."""
        name = self.procedure.name
        first = {each: self.begin(each, type) for each, type in self.types[name].items()}
        self.state = {**first, **dict(_equalities(self.program))}
        self.recorder.run(1, self.state)
        for _ in range(steps):
            if (self.procedure.name, self.location) == target:
                return self.recorder.trace()
            if self.location == self.procedure.exit:
                self._come_back()
            else:
                self.step()
        raise RunEnds

    def step(self) -> None:
        """Take the first edge that can be taken."""
        for edge in self.ways():
            if isinstance(edge.action, Call):
                return self._call(edge, edge.action)
            types = [node.type for node in _choices(edge)]
            values = self.choose(edge, types) if types else ()
            after = successor(self.procedure, edge, self.state, values)
            if after is not None:
                self.recorder.step(edge, after, values)
                self.state, self.location = after, edge.target
                return None
        raise RunEnds

    def _call(self, edge: Edge, call: Call) -> None:
        callee = self.program.procedure(call.procedure)
        try:
            passed = [evaluate(argument, self.state, iter(())) for argument in call.arguments]
        except Undefined:
            raise RunEnds from None
        before = self.state
        self.stack.append((self.procedure.name, edge, before))
        self.procedure, self.location = callee, callee.entry
        given = {
            **{name: before[name] for name in self.program.globals},
            **dict(zip(callee.parameters, passed, strict=True)),
        }
        types = self.types[callee.name]
        self.state = {name: given[name] if name in given else self.begin(name, type) for name, type in types.items()}
        self.recorder.call(edge, callee.name, self.state)

    def _come_back(self) -> None:
        if not self.stack:
            raise RunEnds
        name, edge, before = self.stack.pop()
        caller = self.program.procedure(name)
        assert isinstance(edge.action, Call)
        after = state_after_return(self.program, caller, self.procedure, edge.action, before, self.state)
        assert after is not None
        self.recorder.come_back(after)
        self.procedure, self.state, self.location = caller, after, edge.target


def is_test(edge: Edge) -> bool:
    """Tell whether an edge passes only where something holds."""
    return isinstance(edge.action, Assume) and not isinstance(edge.action.condition, Const)


def _choices(edge: Edge) -> Iterator[Choice]:
    """Yield the choices of an edge in the order in which they are evaluated."""
    if isinstance(edge.action, Assign | Assume):
        for expr in expressions(edge.action):
            yield from (node for node in postorder(expr) if isinstance(node, Choice))


def _equalities(program: Program) -> Iterator[tuple[str, Value]]:
    for part in conjuncts(program.init):
        match part:
            case Compare(Comparison.EQUAL, Var(name), Const(value)):
                yield name, value
