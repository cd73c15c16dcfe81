"""Single steps of programs without references, on states: what an edge, an entry, a return and a start allow.

A step into a state that violates the `enforce` of its procedure does not exist.  A state gives a value to every
variable in scope.  Choices take `inputs` in order where there are some, and then all of them are used;
else they are free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from knaster_check.evaluate import UNDEFINED, State, belongs, can_be, outcomes, same
from knaster_check.program import TRUE, Assign, Assume, Call, Edge, Formula, Procedure, Program, Return, Value
from knaster_check.refused import Refused, expect

Inputs = Sequence[Value]


def writes(procedure: Procedure, action: Assign | Return) -> tuple[tuple[str, ...], tuple[Formula, ...], Formula]:
    """Return what an action writes, the values, and its constraint."""
    return action if isinstance(action, Assign) else (procedure.results, action.values, TRUE)


def take(
    program: Program, procedure: Procedure, edge: Edge, before: State, inputs: Inputs, said: State | None
) -> State:
    """Return the state after an internal edge; `said` has the values that the run gives to what is written."""
    rest, after, action = iter(inputs) if inputs else None, before, edge.action
    if isinstance(action, Assume):
        expect(not said, "a condition writes nothing")
        expect(can_be(action.condition, True, before, rest), "the condition does not hold")
    elif isinstance(action, Assign | Return):
        targets, values, constraint = writes(procedure, action)
        expect(said is None or said.keys() == set(targets), "the run says of something else what is written")
        written: dict[str, Value] = {}
        for target, value in zip(targets, values, strict=True):
            written[target] = _value(value, before, rest, said, target)
            known = belongs(written[target], type_of(program, procedure, target))
            expect(known, f"{written[target]!r} is no value of '{target}'")
        after = {**before, **written}
        expect(can_be(constraint, True, before, rest, after), "the constraint does not hold")
    else:
        raise Refused("a call or a thread statement is taken for an internal step")
    expect(can_be(procedure.enforce, True, after, rest), f"'{procedure.name}' enforces something else")
    expect(rest is None or not list(rest), "there are more inputs than choices")
    return after


def _value(formula: Formula, before: State, rest: Any, said: State | None, target: str) -> Value:
    if said is not None:
        expect(can_be(formula, said[target], before, rest), f"'{target}' does not become {said[target]!r}")
        return said[target]
    found = outcomes(formula, before, rest)
    expect(len(found) == 1 and UNDEFINED not in found, f"it is not determined what '{target}' becomes")
    return next(iter(found))


def check_entry(
    program: Program, callee: Procedure, arguments: Sequence[Formula], caller: State, start: State, inputs: Inputs
) -> None:
    """Refuse where a call in the state `caller` does not begin in the state `start`."""
    rest = iter(inputs) if inputs else None
    expect(agree(caller, start, program.globals), "a call changes the globals")
    for name, argument in zip(callee.parameters, arguments, strict=True):
        expect(can_be(argument, start[name], caller, rest), f"'{name}' is not what is passed")
    expect(rest is None or not list(rest), "there are more inputs than choices")
    expect(can_be(callee.enforce, True, start, None), f"'{callee.name}' enforces something else")


def state_after_return(
    program: Program, caller: Procedure, callee: Procedure, call: Call, waiting: State, end: State
) -> State:
    """Return the state of the caller after a call whose callee stopped at its exit in the state `end`."""
    after = {**waiting, **{name: end[name] for name in program.globals}}
    for target, result in zip(call.targets, callee.results, strict=False):
        if target is not None:
            after[target] = end[result]
            expect(belongs(end[result], type_of(program, caller, target)), f"'{target}' takes no such value")
    expect(can_be(caller.enforce, True, after, None), f"'{caller.name}' enforces something else")
    return after


def check_start(program: Program, procedure: Procedure, state: State, first: bool) -> None:
    """Refuse where a thread cannot begin in a state; the first one begins where `init` holds."""
    expect(not first or can_be(program.init, True, state, None), "the run starts in no initial state")
    expect(can_be(procedure.enforce, True, state, None), f"'{procedure.name}' enforces something else")


def agree(left: State, right: State, names: Iterable[str]) -> bool:
    """Tell whether two states have the same values of some variables."""
    return all(same(left[name], right[name]) for name in names)


def type_of(program: Program, procedure: Procedure, name: str) -> Any:
    """Return the type of a variable in scope."""
    return procedure.types[name] if name in procedure.types else program.types[name]


def state_of(program: Program, procedure: Procedure, values: Sequence[Value]) -> State:
    """Return the state with these values of all variables in scope, each of its type."""
    scope = program.scope(procedure)
    expect(len(values) == len(scope), "there are not as many values as variables", f"'{procedure.name}'")
    for name, value in zip(scope, values, strict=True):
        expect(belongs(value, type_of(program, procedure, name)), f"{value!r} is no value of '{name}'")
    return dict(zip(scope, values, strict=True))
