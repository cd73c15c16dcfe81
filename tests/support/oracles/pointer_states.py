"""What pointers are in every state that some path of a C program reaches, by explicit enumeration.

Conditions are not looked at.  An object is a name and a number, new for each time that it begins to live; the
numbers of objects that nobody names any more are made small again, so that loops have finitely many states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from knaster.program.expression import Choice, Const, Var, variables
from knaster.program.memory import Addresses, AddressOf, Begin, Library, Load, Store, memory_expressions
from knaster.program.model import Assign, Call, Edge, Place, Procedure, Program, Return, expressions

Value = tuple[str, int] | None  # an object; None is null
WILD = "wild"  # the name of what a pointer points to that nobody set


@dataclass(frozen=True)
class Activation:
    """A procedure, where it stands, its pointers and its objects; `target` takes the caller's result."""

    procedure: str
    location: int
    values: tuple[tuple[str, Value], ...]
    objects: tuple[tuple[str, int], ...]
    target: str | None = None


@dataclass(frozen=True)
class PointerState:
    """Global pointers, and activations, the innermost last."""

    statics: tuple[tuple[str, Value], ...]
    stack: tuple[Activation, ...]


class TooMany(Exception):
    """There are more states than were asked for."""


def reached_states(program: Program, depth: int, limit: int) -> Iterator[PointerState]:
    """Yield every state with at most so many activations, once."""
    assert program.memory is not None
    statics = {}
    for declared in program.memory.objects:
        if len(declared.parts) == 1 and isinstance(declared.parts[0].type, Addresses):
            initial = [value for _, _, value in declared.cells]
            statics[declared.name] = _static(initial[0]) if initial else None
    main = program.procedure(program.threads[0])
    todo = [_settle(PointerState(tuple(statics.items()), (_enter(main, {}, None),)))]
    seen = set(todo)
    while todo:
        state = todo.pop()
        yield state
        for after in _steps(program, state, depth):
            small = _settle(after)
            if small not in seen:
                seen.add(small)
                todo.append(small)
        if len(seen) > limit:
            raise TooMany


def _static(expr: Any) -> Value:
    return (expr.name, 0) if isinstance(expr, AddressOf) else None


def _enter(own: Procedure, arguments: dict[str, Value], target: str | None) -> Activation:
    return Activation(own.name, own.entry, tuple(sorted(arguments.items())), (), target)


def _steps(program: Program, state: PointerState, depth: int) -> Iterator[PointerState]:
    top = state.stack[-1]
    own = program.procedure(top.procedure)
    if top.location == own.exit:
        if len(state.stack) > 1:
            yield _leave(own, state)
        return
    for edge in own.leaving.get(top.location, ()):
        yield from _step(program, state, own, edge, depth)


def _leave(own: Procedure, state: PointerState) -> PointerState:
    *below, caller, top = state.stack
    values = dict(caller.values)
    if top.target is not None:
        values[top.target] = dict(top.values).get(own.results[0], (WILD, _new(state, WILD)))
    back = Activation(caller.procedure, caller.location, tuple(sorted(values.items())), caller.objects, caller.target)
    return PointerState(state.statics, (*below, back))


def _step(program: Program, state: PointerState, own: Procedure, edge: Edge, depth: int) -> Iterator[PointerState]:
    top, action = state.stack[-1], edge.action
    statics, values, objects = dict(state.statics), dict(top.values), dict(top.objects)
    for number, name in enumerate(
        name for each in (*expressions(action), *memory_expressions(action)) for name in variables(each)
    ):
        values.setdefault(name, (WILD, _new(state, WILD) + number))
    for value in _choices(state, edge, statics, values, objects):
        shared, locals_, own_objects = dict(statics), dict(values), dict(objects)
        called: tuple[Activation, ...] = ()
        match action:
            case Assign((name,), _) | Library(target=str(name)):
                locals_[name] = value
            case Store(AddressOf(name), _, Addresses()):
                shared[name] = value
            case Begin(name):
                own_objects[name] = _new(state, name)
            case Return() if own.results:
                locals_[own.results[0]] = value
            case Call(procedure, arguments, targets):
                if len(state.stack) >= depth:
                    continue
                callee = program.procedure(procedure)
                given = {
                    name: _read(argument, statics, values, objects)
                    for name, argument in zip(callee.parameters, arguments, strict=True)
                }
                called = (_enter(callee, given, targets[0] if targets else None),)
        for name in edge.forgets:
            locals_.pop(name, None)
            own_objects.pop(name, None)
        after = Activation(
            own.name, edge.target, tuple(sorted(locals_.items())), tuple(sorted(own_objects.items())), top.target
        )
        yield PointerState(tuple(shared.items()), (*state.stack[:-1], after, *called))


def _choices(state: PointerState, edge: Edge, statics: Any, values: Any, objects: Any) -> list[Value]:
    """Return the values that an action may give to a pointer."""
    match edge.action:
        case Assign(_, (value,)) | Store(_, value) | Return((value,)):
            return [_read(value, statics, values, objects)]
        case Library("malloc"):
            name = f"malloc@{edge.span.line}"
            return [(name, _new(state, name))]
    return [None]


def _read(expr: Any, statics: Any, values: Any, objects: Any) -> Value:
    match expr:
        case Var(name):
            return values[name]  # type: ignore[no-any-return]
        case Load(AddressOf(name), Addresses()):
            return statics[name]  # type: ignore[no-any-return]
        case AddressOf(name):
            return (name, objects.get(name, 0))
        case Const() | Choice():
            return None
    raise AssertionError(expr)


def _new(state: PointerState, name: str) -> int:
    """Return a number that no object of this name has."""
    used = [value[1] for _, value in _values(state) if value is not None and value[0] == name]
    used += [number for each in state.stack for known, number in each.objects if known == name]
    return max([0, *used]) + 1


def _values(state: PointerState) -> Iterator[tuple[str, Value]]:
    yield from state.statics
    for activation in state.stack:
        yield from activation.values


def _settle(state: PointerState) -> PointerState:
    """Return a state with small numbers."""
    numbers: dict[tuple[str, int], tuple[str, int]] = {}
    counts: dict[str, int] = {}

    def small(value: Value) -> Value:
        if value is None or value[1] == 0:
            return value
        if value not in numbers:
            counts[value[0]] = counts.get(value[0], 0) + 1
            numbers[value] = (value[0], counts[value[0]])
        return numbers[value]

    statics = tuple((name, small(value)) for name, value in state.statics)
    stack = tuple(
        Activation(
            each.procedure,
            each.location,
            tuple((name, small(value)) for name, value in each.values),
            tuple((name, small((name, number))[1]) for name, number in each.objects),  # type: ignore[index]
            each.target,
        )
        for each in state.stack
    )
    return PointerState(statics, stack)


def states_by_place(program: Program, depth: int, limit: int) -> dict[Place, list[PointerState]]:
    """Return the states that stand at each place."""
    found: dict[Place, list[PointerState]] = {}
    for state in reached_states(program, depth, limit):
        top = state.stack[-1]
        found.setdefault((top.procedure, top.location), []).append(state)
    return found
