"""Simpler expressions and actions: what can stand in the place of one and is a little smaller; and their weight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from knaster.program.expression import CHOICE, FALSE, TRUE, Choice, Const, Expr, Var, postorder
from knaster.program.flat import Operation, Row, build_tree, flat
from knaster.program.model import Action, Assign, Assume, Call, Return

Item = TypeVar("Item")
SKIP = Assume(TRUE)


def simpler_expressions(expr: Expr) -> Iterator[Expr]:
    """Yield the expression with one node replaced by a constant, a choice or one of its operands, the root first."""
    rows = flat(expr)
    sizes: list[int] = []  # of the expression that ends with each row
    children: list[list[tuple[int, int]]] = []  # where the operands of each row are: first and last
    for index, row in enumerate(rows):
        found: list[tuple[int, int]] = []
        last = index - 1
        for _ in range(row.arity if isinstance(row, Operation) else 0):
            found.append((last - sizes[last] + 1, last))
            last -= sizes[last]
        sizes.append(index - last)
        children.append(found)
    for index in range(len(rows) - 1, -1, -1):
        first = index - sizes[index] + 1
        smaller: list[list[Row]] = [[TRUE], [FALSE], [CHOICE]]
        smaller += [rows[start : end + 1] for start, end in reversed(children[index])]
        for part in smaller:
            yield build_tree(rows[:first] + part + rows[index + 1 :])


def simpler_actions(action: Action) -> Iterator[Action]:
    """Yield the action with one expression simpler, or with one assignment or result less."""
    match action:
        case Assume(condition):
            yield from (Assume(simple) for simple in simpler_expressions(condition))
        case Assign(targets, values, constraint):
            for index in range(len(targets)):
                if len(targets) > 1:
                    yield Assign(drop(targets, index), drop(values, index), constraint)
                for simple in simpler_expressions(values[index]):
                    yield Assign(targets, swap(values, index, simple), constraint)
            yield from (Assign(targets, values, simple) for simple in simpler_expressions(constraint))
        case Call(name, arguments, results):
            for index, argument in enumerate(arguments):
                for simple in simpler_expressions(argument):
                    yield Call(name, swap(arguments, index, simple), results)
            yield from (Call(name, arguments, swap(results, index, None)) for index in range(len(results)))
        case Return(values):
            for index, value in enumerate(values):
                yield from (Return(swap(values, index, simple)) for simple in simpler_expressions(value))


def weight(expr: Expr) -> int:
    """Return the size of an expression; a constant is smaller than a choice, a choice than anything else."""
    return sum(1 if isinstance(node, Const) else 2 if isinstance(node, Choice) else 3 for node in postorder(expr))


def without_variable(expr: Expr, name: str) -> Expr:
    """Return the expression with false for a variable."""
    return build_tree([FALSE if isinstance(row, Var) and row.name == name else row for row in flat(expr)])


def forget(action: Action, name: str) -> Action:
    """Return the action with a variable read as false and never written."""
    match action:
        case Assume(condition):
            return Assume(without_variable(condition, name))
        case Assign(targets, values, constraint):
            pairs = zip(targets, values, strict=True)
            kept = [(target, without_variable(value, name)) for target, value in pairs if target != name]
            constraint = without_variable(constraint, name)
            if not kept and constraint == TRUE:
                return SKIP
            return Assign(tuple(pair[0] for pair in kept), tuple(pair[1] for pair in kept), constraint)
        case Call(callee, arguments, targets):
            kept_targets = tuple(None if target == name else target for target in targets)
            return Call(callee, tuple(without_variable(argument, name) for argument in arguments), kept_targets)
        case Return(values):
            return Return(tuple(without_variable(value, name) for value in values))
    return action


def drop(items: tuple[Item, ...], index: int) -> tuple[Item, ...]:
    """Return a tuple without one item."""
    return items[:index] + items[index + 1 :]


def swap(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """Return a tuple with another item in one place."""
    return (*items[:index], item, *items[index + 1 :])
