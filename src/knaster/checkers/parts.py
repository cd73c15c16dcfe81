"""The check that a part of a program has all of its runs, seen through the variables that it keeps: edge by edge.

Every run of the program is one of the part where each step of the program is one of the part between the same
locations, on the values of the variables that are left.  So what is unreachable in the part is unreachable.  A call
that the part does not make must change nothing that the part keeps, and lead to no target.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from knaster.base.errors import InternalError
from knaster.evidence.questions.question import Target
from knaster.program.algebra import conjuncts
from knaster.program.expression import TRUE, Expr, variables
from knaster.program.model import Action, Assign, Assume, Call, Edge, Procedure, Program, Return, Types, expressions
from knaster.program.types import Type


def check_part(program: Program, part: Program, targets: Iterable[Target]) -> None:
    """Raise `InternalError` unless what is unreachable in a part is unreachable in the program."""
    _Check(program, part, tuple(targets)).run()


class _Check:
    def __init__(self, program: Program, part: Program, targets: tuple[Target, ...]) -> None:
        self.program = program
        self.part = part
        self.targets = targets
        self.kept = {procedure.name for procedure in part.procedures}
        self.shared = frozenset(part.globals)
        self.touched = self._procedures_that_matter()

    def run(self) -> None:
        """Check globals, the start, targets and every procedure."""
        _expect(self.shared <= set(self.program.globals), "it has globals of its own")
        _expect(self.part.threads == self.program.threads, "it starts elsewhere")
        _expect(set(conjuncts(self.part.init)) <= set(conjuncts(self.program.init)), "it starts in fewer states")
        _expect(all(target.procedure in self.kept for target in self.targets), "a target is missing")
        _expect(all(target.condition is None for target in self.targets), "a target has a condition")
        _expect(dict(self.part.types) == _types_of(self.program.types, self.shared), "a global has another type")
        for procedure in self.part.procedures:
            self._procedure(self.program.procedure(procedure.name), procedure)

    def _procedures_that_matter(self) -> frozenset[str]:
        """Return the procedures that may change a global of the part or lead to a target, themselves or by calls."""
        matter = {target.procedure for target in self.targets}
        callers: dict[str, set[str]] = {}
        for procedure in self.program.procedures:
            own = set(procedure.frame)
            for edge in procedure.edges:
                if isinstance(edge.action, Call):
                    callers.setdefault(edge.action.procedure, set()).add(procedure.name)
                if (set(_written(procedure, edge.action)) - own) & self.shared:
                    matter.add(procedure.name)
        todo = list(matter)
        while todo:
            fresh = callers.get(todo.pop(), set()) - matter
            matter |= fresh
            todo += fresh
        return frozenset(matter)

    def _procedure(self, whole: Procedure, part: Procedure) -> None:
        _expect((whole.entry, whole.exit) == (part.entry, part.exit), "a procedure begins or ends elsewhere")
        _expect(whole.enforce == TRUE and part.enforce == TRUE and not whole.handlers, "states are enforced")
        _expect(len(whole.edges) == len(part.edges), "an edge is missing")
        for names, kept in ((whole.parameters, part.parameters), (whole.results, part.results)):
            _expect(tuple(name for name in names if name in kept) == kept, "parameters or results are others")
        _expect(set(part.locals) <= set(whole.locals), "it has locals of its own")
        _expect(dict(part.types) == _types_of(whole.types, set(part.frame)), "a local has another type")
        scope = self.shared | set(part.frame)
        hidden = set(whole.frame) & self.shared
        _expect(not hidden - set(part.frame), "a local that is left out hides a global")
        for one, other in zip(whole.edges, part.edges, strict=True):
            _expect((one.source, one.target) == (other.source, other.target), "an edge leads elsewhere")
            read = {name for expr in expressions(other.action) for name in variables(expr)}
            _expect(read <= scope, "an edge reads what is left out")
            self._edge(whole, one, other, scope)

    def _edge(self, procedure: Procedure, whole: Edge, part: Edge, scope: frozenset[str]) -> None:
        passes = part.action == Assume(TRUE)
        line = f"line {whole.span.line} of '{procedure.name}' does more in the program"
        match whole.action:
            case Assume():
                _expect(passes or part.action == whole.action, line)
            case Assign(targets, values, constraint):
                _expect(constraint == TRUE, line)
                self._assignment(targets, values, part.action, scope, line)
            case Return(values):
                kept = tuple(v for r, v in zip(procedure.results, values, strict=False) if r in scope)
                _expect(part.action == Return(kept), line)
            case Call():
                self._call(procedure, whole.action, part.action, scope, line)
            case _:
                _expect(False, line)

    def _assignment(
        self, targets: tuple[str, ...], values: tuple[Expr, ...], part: Action, scope: frozenset[str], line: str
    ) -> None:
        left = [(target, value) for target, value in zip(targets, values, strict=True) if target in scope]
        done = dict(zip(part.targets, part.values, strict=True)) if isinstance(part, Assign) else {}
        _expect(done == dict(left) and len(done) == len(left), line)
        _expect(isinstance(part, Assign) or part == Assume(TRUE), line)

    def _call(self, caller: Procedure, whole: Call, part: Action, scope: frozenset[str], line: str) -> None:
        callee = self.program.procedure(whole.procedure)
        taken: Mapping[str, str] = {result: target for target, result in whole.results(callee)}
        if part == Assume(TRUE):
            _expect(callee.name not in self.touched and not set(taken.values()) & scope, line)
            return
        _expect(isinstance(part, Call) and part.procedure == whole.procedure and callee.name in self.kept, line)
        assert isinstance(part, Call)
        own = self.part.procedure(callee.name)
        passed = tuple(argument for name, argument in whole.bindings(callee) if name in own.parameters)
        _expect(part.arguments == passed, line)
        wanted = {result: target for result, target in taken.items() if target in scope}
        _expect({result: target for target, result in part.results(own)} == wanted, line)


def _types_of(types: Types, names: Collection[str]) -> dict[str, Type]:
    return {name: type for name, type in types if name in names}


def _written(procedure: Procedure, action: Action) -> tuple[str | None, ...]:
    match action:
        case Assign(targets) | Call(_, _, targets):
            return targets
    return ()


def _expect(holds: bool, why: str) -> None:
    if not holds:
        raise InternalError(f"a part of the program is none of it: {why}")
