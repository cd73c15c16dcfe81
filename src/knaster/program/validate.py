"""Well-formedness of the model, for programs from any front end or built in Python; problems are returned as data.

A program without problems keeps every promise of `model`: locations are in range, names are in scope, of one
line and never those of results, calls and returns have the right numbers of values, `Return` leads to the exit, and
every value has the type of its place (`typed`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from knaster.base.errors import Problem, Span
from knaster.base.records import dataclass
from knaster.program.expression import Expr, Var, postorder
from knaster.program.model import (
    Assign,
    Assume,
    Call,
    Concurrent,
    Edge,
    Kind,
    Procedure,
    Program,
    Return,
    ThreadOperation,
    result_name,
)
from knaster.program.types import Array, Bool, Int, Type

_START = Span(1, 1)
_TYPES: dict[Kind, tuple[type[Type], ...]] = {Kind.BOOLEAN: (), Kind.INTEGERS: (Bool, Int)}  # inside arrays


def validate(program: Program, entry: str | None = None) -> list[Problem]:
    """Return everything that is wrong with `program`; nothing where it is well formed and has its entry."""
    procedures = {procedure.name: procedure for procedure in program.procedures}
    problems = validate_entry(program, entry)
    problems += _names(program.globals, "global", _START)
    problems += _names([procedure.name for procedure in program.procedures], "procedure", _START)
    shared = frozenset(program.globals)
    if program.atomic is not None and program.atomic not in shared:
        problems.append(Problem(f"'{program.atomic}' is no global", _START))
    problems += _expression(program.init, _Scope(shared), False, _START)
    for procedure in program.procedures:
        problems += _Checker(procedure, shared, procedures).problems()
    if (misfit := why_unfit(program)) is not None:
        problems.append(Problem(misfit, _START))
    if not problems and program.kind is Kind.INTEGERS:
        from knaster.program.typecheck import type_problems  # only programs over other types pay for it

        problems += type_problems(program)
    return problems


def validate_entry(program: Program, entry: str | None = None) -> list[Problem]:
    """Return a problem for each procedure that should run from the start and does not exist; cheap."""
    names = [procedure.name for procedure in program.procedures]
    wanted = program.threads if entry is None else (entry,)
    problems = [] if wanted else [Problem("no thread runs from the start", _START)]
    for name in wanted:
        if name not in names:
            problems.append(Problem(f"there is no procedure '{name}' to start with", _START, _candidates(names, name)))
    if program.kind is Kind.REFERENCES and not problems:
        problems += _needing_arguments(program, wanted)
    return problems


def why_unfit(program: Program) -> str | None:
    """Return why the variables of a program are not those of its kind; None where they are."""
    if (program.objects is not None) is not (program.kind is Kind.REFERENCES):
        without = "no heap is declared" if program.objects is None else "a heap is declared"
        return f"the program is one of kind '{program.kind.value}', and {without}"
    if program.kind not in _TYPES:
        return None
    for types in (program.types, *(procedure.types for procedure in program.procedures)):
        for name, type in types:
            if not isinstance(_innermost(type), _TYPES[program.kind]):
                return f"the program is one of kind '{program.kind.value}', and '{name}' has another type"
    return None


def _innermost(type: Type) -> Type:
    while isinstance(type, Array):
        type = type.element
    return type


def _needing_arguments(program: Program, wanted: Iterable[str]) -> Iterator[Problem]:
    """Yield the procedures with which a program with references cannot start: nobody gives them arguments."""
    free = [procedure.name for procedure in program.procedures if not procedure.parameters]
    for name in wanted:
        if name not in free:
            hint = f"start with a static method without parameters: {', '.join(free[:5])}" if free else ""
            yield Problem(f"'{name}' cannot be started, it has parameters", _START, hint)


def _candidates(names: list[str], wanted: str) -> str:
    from knaster.base.hints import did_you_mean  # only a wrong name pays for the import

    if hint := did_you_mean(wanted, names[:2000]):
        return hint
    if not names:
        return "the program has no procedure at all"
    return f"name one of its procedures as the entry: {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"


def _names(names: Iterable[str], kind: str, span: Span) -> Iterator[Problem]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield Problem(f"the {kind} '{name}' is there twice", span)
        if not _is_name(name):
            yield Problem(f"{name!r} cannot be the name of a {kind}", span)
        seen.add(name)


def _is_name(text: str) -> bool:
    """Tell whether anything may be called `text`: how a language spells its names is left to its front end."""
    return text.isprintable() and not text.isspace() and text != "" and not text.startswith("@")


@dataclass(frozen=True, slots=True)
class _Scope:
    """The variables that an expression may read; the globals are shared by all scopes."""

    shared: frozenset[str]
    local: frozenset[str] = frozenset()

    def __contains__(self, name: str | None) -> bool:
        return name in self.local or name in self.shared


def _expression(expr: Expr, scope: _Scope, primes: bool, span: Span) -> Iterator[Problem]:
    for node in postorder(expr):
        if isinstance(node, Var):
            if node.name not in scope:
                yield Problem(f"'{node.name}' is not in scope", span)
            elif node.primed and not primes:
                yield Problem(f"the new value of '{node.name}' is known only in the constraint of an assignment", span)


class _Checker:
    """Checks one procedure."""

    def __init__(self, procedure: Procedure, shared: frozenset[str], procedures: Mapping[str, Procedure]) -> None:
        self._procedure = procedure
        self._procedures = procedures
        self._ends = frozenset((procedure.exit, *procedure.failures))
        self._scope = _Scope(shared, frozenset(procedure.parameters + procedure.locals))

    def problems(self) -> Iterator[Problem]:
        """Yield everything that is wrong with the procedure."""
        yield from self._variables()
        yield from self._locations()
        yield from _expression(self._procedure.enforce, self._scope, False, self._procedure.span)
        previous = -1
        for edge in self._procedure.edges:
            if edge.source < previous:
                yield self._at(edge, "edges are not sorted by their source")
            previous = edge.source
            yield from self._edge(edge)

    def _at(self, edge: Edge, message: str) -> Problem:
        span = edge.span if edge.span.line else self._procedure.span
        return Problem(f"in '{self._procedure.name}' at location {edge.source}: {message}", span)

    def _variables(self) -> Iterator[Problem]:
        procedure = self._procedure
        yield from _names(procedure.parameters + procedure.locals, f"variable of '{procedure.name}'", procedure.span)
        for name in procedure.parameters + procedure.locals:
            if name in self._scope.shared:
                yield Problem(f"'{name}' of '{procedure.name}' hides a global", procedure.span)
        expected = tuple(result_name(index) for index in range(len(procedure.results)))
        if procedure.results != expected:
            yield Problem(f"the results of '{procedure.name}' must be called {expected}", procedure.span)

    def _locations(self) -> Iterator[Problem]:
        procedure = self._procedure
        if procedure.entry < 0 or procedure.exit < 0:
            yield Problem(f"the entry or the exit of '{procedure.name}' is no location", procedure.span)
        ends = (procedure.exit, *procedure.failures)
        if len(set(ends)) < len(ends) or min(ends) < 0 or procedure.entry in procedure.failures:
            yield Problem(f"the failures of '{procedure.name}' must be locations of their own", procedure.span)
        for name, location in procedure.labels:
            if not 0 <= location < procedure.size or location in procedure.failures:
                yield Problem(f"the label '{name}' of '{procedure.name}' is on no location", procedure.span)
            if not _is_name(name):
                yield Problem(f"{name!r} cannot be a label", procedure.span)

    def _edge(self, edge: Edge) -> Iterator[Problem]:
        procedure = self._procedure
        if edge.source < 0 or edge.source in self._ends:
            yield self._at(edge, "an edge leaves the exit, a failure, or no location")
        if edge.target < 0:
            yield self._at(edge, f"an edge leads to {edge.target}, which is no location")
        match edge.action:
            case Assume(condition):
                yield from self._values(edge, condition)
            case Assign():
                yield from self._assign(edge, edge.action)
            case Call():
                yield from self._call(edge, edge.action)
            case Return(values):
                yield from self._values(edge, *values)
                if len(values) != len(procedure.results):
                    yield self._at(edge, f"{len(values)} results are returned, there are {len(procedure.results)}")
                if edge.target != procedure.exit:
                    yield self._at(edge, "a return does not lead to the exit")
            case Concurrent():
                yield from self._concurrent(edge, edge.action)

    def _values(self, edge: Edge, *values: Expr) -> Iterator[Problem]:
        for value in values:
            for problem in _expression(value, self._scope, False, edge.span):
                yield self._at(edge, problem.message)

    def _targets(self, edge: Edge, targets: Iterable[str | None]) -> Iterator[Problem]:
        seen: set[str] = set()
        for target in targets:
            if target is None:
                continue
            if target in seen:
                yield self._at(edge, f"'{target}' gets two values at once")
            if target not in self._scope:
                yield self._at(edge, f"'{target}' is not in scope")
            seen.add(target)

    def _assign(self, edge: Edge, action: Assign) -> Iterator[Problem]:
        yield from self._targets(edge, action.targets)
        yield from self._values(edge, *action.values)
        if len(action.targets) != len(action.values):
            yield self._at(edge, f"{len(action.targets)} variables but {len(action.values)} values")
        for problem in _expression(action.constraint, self._scope, True, edge.span):
            yield self._at(edge, problem.message)

    def _call(self, edge: Edge, action: Call) -> Iterator[Problem]:
        yield from self._targets(edge, action.targets)
        yield from self._values(edge, *action.arguments)
        callee = self._procedures.get(action.procedure)
        if callee is None:
            yield self._at(edge, f"there is no procedure '{action.procedure}'")
            return
        if len(action.arguments) != len(callee.parameters):
            counts = f"{len(callee.parameters)} arguments, not {len(action.arguments)}"
            yield self._at(edge, f"'{callee.name}' takes {counts}")
        if len(action.targets) != len(callee.results):
            yield self._at(edge, f"'{callee.name}' has {len(callee.results)} results, not {len(action.targets)}")

    def _concurrent(self, edge: Edge, action: Concurrent) -> Iterator[Problem]:
        starts = action.operation is ThreadOperation.START
        places = (action.location is not None) + (action.procedure is not None)
        yield from self._values(edge, *action.arguments)
        if places != starts or (action.arguments and action.procedure is None):
            yield self._at(edge, "a thread starts at one location or in one procedure; other operations name none")
        if action.location is not None and not 0 <= action.location < self._procedure.size:
            yield self._at(edge, f"a thread starts at {action.location}, which is no location")
        if action.procedure is not None:
            callee = self._procedures.get(action.procedure)
            if callee is None:
                yield self._at(edge, f"there is no procedure '{action.procedure}'")
            elif len(action.arguments) != len(callee.parameters):
                counts = f"{len(callee.parameters)} arguments, not {len(action.arguments)}"
                yield self._at(edge, f"'{callee.name}' takes {counts}")
        if action.operation is ThreadOperation.END and edge.target != self._procedure.exit:
            yield self._at(edge, "the end of a thread does not lead to the exit")
