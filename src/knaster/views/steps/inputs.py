"""Names the choices of a path as inputs, and settles those of which a guard says all that matters."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.records import replace
from knaster.program.algebra import rebuilt, substitute
from knaster.program.expression import (
    TRUE,
    Choice,
    Compare,
    Comparison,
    Const,
    Convert,
    Expr,
    Not,
    Var,
    operands,
    postorder,
    variables,
)
from knaster.program.types import BOOL, Value, belongs
from knaster.views.steps.paths import Input


def name_choices(expr: Expr, inputs: list[Input], position: int) -> Expr:
    """Return an expression whose choices are variables of new inputs."""
    stack: list[Expr] = []
    for node in postorder(expr):
        if isinstance(node, Choice):
            inputs.append(Input(f"?{len(inputs) + 1}", node.type, position))
            stack.append(Var(inputs[-1].name))
            continue
        count = len(operands(node))
        parts = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        stack.append(rebuilt(node, parts) if count else node)
    return stack.pop()


def settle_inputs(
    guard: tuple[Expr, ...], values: Mapping[str, Expr], inputs: tuple[Input, ...]
) -> tuple[tuple[Expr, ...], Mapping[str, Expr], tuple[Input, ...]]:
    """Return a path without the inputs of which its guard says what they are, or which they are not and no more."""
    own = {entry.name: entry for entry in inputs}
    counts: dict[str, int] = {}
    for expr in (*guard, *values.values()):
        for name in variables(expr) & own.keys():
            counts[name] = counts.get(name, 0) + 1
    fixed: dict[str, Value] = {}
    for part in guard:
        said = _value_of(part)
        if said is None or said[0] not in own or not belongs(said[1], own[said[0]].type):
            continue
        if said[2] or counts[said[0]] == 1:
            fixed.setdefault(said[0], said[1])
    if not fixed:
        return guard, values, inputs
    constants = {name: Const(value) for name, value in fixed.items()}
    guard = tuple(part for part in (substitute(part, constants) for part in guard) if part != TRUE)
    values = {name: substitute(value, constants) for name, value in values.items()}
    return guard, values, tuple(replace(entry, value=fixed.get(entry.name)) for entry in inputs)


def _value_of(part: Expr) -> tuple[str, Value, bool] | None:
    """Return the variable that a condition is about, a value with which it holds, and whether it is the only one."""
    match part:
        case Var(name):
            return name, True, True
        case Not(Var(name)):
            return name, False, True
        case Compare(Comparison.EQUAL, Var(name), Const(value)):
            return name, value, True
        case Not(Convert(Var(name), type)) if type == BOOL:
            return name, 0, True
        case Convert(Var(name), type) if type == BOOL:
            return name, 1, False
        case Compare(Comparison.DIFFERENT, Var(name), Const(value)) if isinstance(value, int):
            return name, 0 if value else 1, False
        case _:
            return None
