"""Delta debugging of programs: the smallest program that we can find on which something still fails.

Generated programs have no text, so `shrink` works on the model.  It tries, greedily and again and again until nothing
helps: drop a procedure, an edge, a variable, a label; make an action a skip; skip over a skip; simplify an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Choice, Conditional, Const, Expr, Not, postorder
from knaster.program.model import Action, Assign, Assume, Call, Edge, Location, Procedure, Program, Return, result_name

Item = TypeVar("Item")
SKIP = Assume(TRUE)


def shrink(program: Program, fails: Callable[[Program], bool]) -> Program:
    """Return a program no larger than `program` on which `fails` holds too, and on none of whose reductions it does.

    Requires: `fails(program)`.
    """
    progress = True
    while progress:
        progress = False
        for candidate in reductions(program):
            if cost(candidate) < cost(program) and fails(candidate):
                program = candidate
                progress = True
                break
    return program


def cost(program: Program) -> int:
    """Return a number that gets smaller with every reduction worth making."""
    total = 20 * len(program.globals) + _weight(program.init)
    for procedure in program.procedures:
        total += 100 + 20 * len(procedure.frame) + _weight(procedure.enforce)
        total += 5 * procedure.size + len(procedure.labels)
        for edge in procedure.edges:
            total += 10 + 2 * (edge.action != SKIP) + sum(map(_weight, _expressions(edge.action)))
            if isinstance(edge.action, Call):
                total += sum(1 for target in edge.action.targets if target is not None)
            if isinstance(edge.action, Assign):
                total += len(edge.action.targets)
    return total


def reductions(program: Program) -> Iterator[Program]:
    """Yield programs that are a little smaller than `program`, the most promising first."""
    for procedure in program.procedures:
        if procedure.name not in program.threads:
            yield _without_procedure(program, procedure.name)
    for procedure in program.procedures:
        for smaller in _procedure_reductions(procedure):
            yield _put(program, smaller)
    for name in program.globals:
        yield _without_variable(replace(program, globals=_without(program.globals, name)), None, name)
    for procedure in program.procedures:
        for name in procedure.locals:
            smaller = replace(procedure, locals=_without(procedure.locals, name))
            yield _without_variable(_put(program, smaller), procedure.name, name)
        for index in range(len(procedure.parameters)):
            yield _without_parameter(program, procedure, index)
        if procedure.results:
            yield _without_last_result(program, procedure)
    for init in _simpler(program.init):
        yield replace(program, init=init)


def _procedure_reductions(procedure: Procedure) -> Iterator[Procedure]:
    edges = procedure.edges
    step = len(edges) // 2
    while step:
        for start in range(0, len(edges), step):
            yield _compact(replace(procedure, edges=edges[:start] + edges[start + step :]))
        step //= 2
    for index, edge in enumerate(edges):
        if edge.action != SKIP and not isinstance(edge.action, Return):
            yield _with_edge(procedure, index, replace(edge, action=SKIP))
    for edge in edges:
        alone = sum(other.source == edge.source for other in edges) == 1
        leaves = edge.target >= procedure.exit and edge.source == procedure.entry
        if edge.action == SKIP and edge.source != edge.target and alone and not leaves:
            yield _compact(_skip_over(procedure, edge))
    for index in range(len(procedure.labels)):
        yield _compact(replace(procedure, labels=procedure.labels[:index] + procedure.labels[index + 1 :]))
    for enforce in _simpler(procedure.enforce):
        yield replace(procedure, enforce=enforce)
    for index, edge in enumerate(edges):
        for action in _simpler_actions(edge.action):
            yield _with_edge(procedure, index, replace(edge, action=action))


def _simpler_actions(action: Action) -> Iterator[Action]:
    match action:
        case Assume(condition):
            for simple in _simpler(condition):
                yield Assume(simple)
        case Assign(targets, values, constraint):
            for index in range(len(targets)):
                if len(targets) > 1:
                    yield Assign(_drop(targets, index), _drop(values, index), constraint)
                for simple in _simpler(values[index]):
                    yield Assign(targets, _swap(values, index, simple), constraint)
            for simple in _simpler(constraint):
                yield Assign(targets, values, simple)
        case Call(name, arguments, results):
            for index, argument in enumerate(arguments):
                for simple in _simpler(argument):
                    yield Call(name, _swap(arguments, index, simple), results)
            for index in range(len(results)):
                yield Call(name, arguments, _swap(results, index, None))
        case Return(values):
            for index, value in enumerate(values):
                for simple in _simpler(value):
                    yield Return(_swap(values, index, simple))


def _simpler(expr: Expr) -> Iterator[Expr]:
    """Yield constants, a choice, the operands, and the same operator over simpler operands."""
    yield from (TRUE, FALSE, CHOICE)
    match expr:
        case Not(operand):
            yield operand
            yield from (Not(simple) for simple in _simpler(operand))
        case Binary(operator, left, right):
            yield from (left, right)
            yield from (Binary(operator, simple, right) for simple in _simpler(left))
            yield from (Binary(operator, left, simple) for simple in _simpler(right))
        case Conditional(condition, then, otherwise):
            yield from (condition, then, otherwise)
            yield from (Conditional(simple, then, otherwise) for simple in _simpler(condition))
            yield from (Conditional(condition, simple, otherwise) for simple in _simpler(then))
            yield from (Conditional(condition, then, simple) for simple in _simpler(otherwise))


def _weight(expr: Expr) -> int:
    return sum(1 if isinstance(node, Const) else 2 if isinstance(node, Choice) else 3 for node in postorder(expr))


def _expressions(action: Action) -> tuple[Expr, ...]:
    match action:
        case Assume(condition):
            return (condition,)
        case Assign(_, values, constraint):
            return (*values, constraint)
        case Call(_, arguments, _):
            return arguments
        case Return(values):
            return values
    return ()


def _skip_over(procedure: Procedure, skip: Edge) -> Procedure:
    """Return the procedure without this only edge of its source; whoever led there leads to its target."""
    moved = {skip.source: skip.target}
    edges = [replace(edge, target=moved.get(edge.target, edge.target)) for edge in procedure.edges if edge is not skip]
    labels = tuple((label, moved.get(location, location)) for label, location in procedure.labels)
    entry = moved.get(procedure.entry, procedure.entry)
    return replace(procedure, edges=tuple(edges), labels=labels, entry=entry)


def _compact(procedure: Procedure) -> Procedure:
    """Return the procedure without the locations that nothing mentions, the entry being 0 again."""
    used = {location for edge in procedure.edges for location in (edge.source, edge.target)}
    used |= {location for _, location in procedure.labels}
    inner = sorted((used | {procedure.entry}) - {procedure.exit, *procedure.failures})
    if procedure.entry in inner:
        inner.remove(procedure.entry)
        inner.insert(0, procedure.entry)
    failures = [location for location in procedure.failures if location in used]
    new: dict[Location, Location] = {old: index for index, old in enumerate([*inner, procedure.exit, *failures])}
    edges = [replace(edge, source=new[edge.source], target=new[edge.target]) for edge in procedure.edges]
    return replace(
        procedure,
        edges=tuple(sorted(edges, key=lambda edge: edge.source)),
        labels=tuple((label, new[location]) for label, location in procedure.labels),
        entry=new[procedure.entry],
        exit=new[procedure.exit],
        failures=tuple(new[location] for location in failures),
    )


def _without_procedure(program: Program, name: str) -> Program:
    """Return the program without a procedure, its calls being skips."""
    kept = [procedure for procedure in program.procedures if procedure.name != name]
    skipped = [
        replace(procedure, edges=tuple(_skip_call(edge, name) for edge in procedure.edges)) for procedure in kept
    ]
    return replace(program, procedures=tuple(skipped))


def _skip_call(edge: Edge, name: str) -> Edge:
    called = isinstance(edge.action, Call) and edge.action.procedure == name
    return replace(edge, action=SKIP) if called else edge


def _without_variable(program: Program, procedure: str | None, name: str) -> Program:
    """Return the program with every use of a variable (in one procedure, or in all) read as false and never written."""
    procedures = tuple(
        _forget(other, name) if procedure in (None, other.name) else other for other in program.procedures
    )
    init = _substitute(program.init, name) if procedure is None else program.init
    return replace(program, procedures=procedures, init=init)


def _forget(procedure: Procedure, name: str) -> Procedure:
    edges = tuple(replace(edge, action=_forget_in(edge.action, name)) for edge in procedure.edges)
    return replace(procedure, edges=edges, enforce=_substitute(procedure.enforce, name))


def _forget_in(action: Action, name: str) -> Action:
    match action:
        case Assume(condition):
            return Assume(_substitute(condition, name))
        case Assign(targets, values, constraint):
            kept = [(target, _substitute(value, name)) for target, value in zip(targets, values, strict=True)]
            kept = [pair for pair in kept if pair[0] != name]
            constraint = _substitute(constraint, name)
            if not kept and constraint == TRUE:
                return SKIP
            return Assign(tuple(pair[0] for pair in kept), tuple(pair[1] for pair in kept), constraint)
        case Call(callee, arguments, targets):
            kept_targets = tuple(None if target == name else target for target in targets)
            return Call(callee, tuple(_substitute(argument, name) for argument in arguments), kept_targets)
        case Return(values):
            return Return(tuple(_substitute(value, name) for value in values))
    return action


def _substitute(expr: Expr, name: str) -> Expr:
    """Return `expr` with false for a variable."""
    match expr:
        case Not(operand):
            return Not(_substitute(operand, name))
        case Binary(operator, left, right):
            return Binary(operator, _substitute(left, name), _substitute(right, name))
        case Conditional(condition, then, otherwise):
            return Conditional(_substitute(condition, name), _substitute(then, name), _substitute(otherwise, name))
        case _:
            return FALSE if getattr(expr, "name", None) == name else expr


def _without_parameter(program: Program, procedure: Procedure, index: int) -> Program:
    name = procedure.parameters[index]
    smaller = _forget(replace(procedure, parameters=_drop(procedure.parameters, index)), name)

    def call(action: Call) -> Call:
        return replace(action, arguments=_drop(action.arguments, index))

    return _with_calls(_put(program, smaller), procedure.name, call)


def _without_last_result(program: Program, procedure: Procedure) -> Program:
    count = len(procedure.results) - 1
    edges = tuple(
        replace(edge, action=Return(edge.action.values[:count])) if isinstance(edge.action, Return) else edge
        for edge in procedure.edges
    )
    smaller = replace(procedure, results=tuple(map(result_name, range(count))), edges=edges)

    def call(action: Call) -> Call:
        return replace(action, targets=action.targets[:count])

    return _with_calls(_put(program, smaller), procedure.name, call)


def _with_calls(program: Program, callee: str, change: Callable[[Call], Call]) -> Program:
    for procedure in program.procedures:
        edges = tuple(
            replace(edge, action=change(edge.action))
            if isinstance(edge.action, Call) and edge.action.procedure == callee
            else edge
            for edge in procedure.edges
        )
        program = _put(program, replace(procedure, edges=edges))
    return program


def _with_edge(procedure: Procedure, index: int, edge: Edge) -> Procedure:
    return replace(procedure, edges=(*procedure.edges[:index], edge, *procedure.edges[index + 1 :]))


def _put(program: Program, procedure: Procedure) -> Program:
    procedures = tuple(procedure if old.name == procedure.name else old for old in program.procedures)
    return replace(program, procedures=procedures)


def _drop(items: tuple[Item, ...], index: int) -> tuple[Item, ...]:
    return items[:index] + items[index + 1 :]


def _swap(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _without(items: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(item for item in items if item != name)
