"""What statements of Boolean programs do, as gates of a circuit: what must be true for a step, and what it writes."""

from __future__ import annotations

from collections.abc import Iterable

from knaster_check.boolean.circuit import Circuit, Literal, Valuation
from knaster_check.program import Assign, Assume, Call, Procedure, Return
from knaster_check.steps import writes


def step(
    circuit: Circuit, procedure: Procedure, action: Assume | Assign | Return, now: Valuation
) -> tuple[Literal, dict[str, Literal]]:
    """Return the condition or constraint of a step inside a procedure, and the new values of what it writes."""
    if isinstance(action, Assume):
        return circuit.value(action.condition, now), {}
    targets, values, constraint = writes(procedure, action)
    changes = dict(zip(targets, [circuit.value(value, now) for value in values], strict=True))
    return circuit.value(constraint, now, {**now, **changes}), changes


def entry_values(
    circuit: Circuit, callee: Procedure, call: Call, now: Valuation, shared: Iterable[str]
) -> dict[str, Literal]:
    """Return what a callee is given: values that are shared, and the arguments."""
    arguments = [circuit.value(argument, now) for argument in call.arguments]
    return {name: now[name] for name in shared} | dict(zip(callee.parameters, arguments, strict=True))


def result_values(call: Call, callee: Procedure, end: Valuation) -> dict[str, Literal]:
    """Return what the caller takes of the results of a call that ends so."""
    pairs = zip(call.targets, callee.results, strict=False)
    return {target: end[result] for target, result in pairs if target is not None}
