"""Expressions as lists: each node after its operands, so that nothing has to follow them into the depth."""

from __future__ import annotations

from typing import Any

from knaster.base.records import dataclass, fields
from knaster.program.expression import Choice, Const, Expr, Self, Var, operands, postorder


@dataclass(frozen=True, slots=True)
class Operation:
    """A node without its operands, which are the last ones that came before it."""

    kind: type
    operands: tuple[tuple[str, int | None], ...]  # the fields that hold them; how many where a field holds several
    others: dict[str, Any]

    @property
    def arity(self) -> int:
        """The number of its operands."""
        return sum(1 if count is None else count for _, count in self.operands)


Row = Expr | Operation


def flat(expr: Expr) -> list[Row]:
    """Return the nodes of an expression in postorder: leaves as they are, the others without their operands."""
    return [_row(node) for node in postorder(expr)]


def build_tree(rows: list[Row]) -> Expr:
    """Return the expression of a list of nodes."""
    stack: list[Expr] = []
    for row in rows:
        if not isinstance(row, Operation):
            stack.append(row)
            continue
        start = len(stack) - row.arity
        taken = iter(stack[start:])
        del stack[start:]
        parts = {n: next(taken) if c is None else tuple(next(taken) for _ in range(c)) for n, c in row.operands}
        stack.append(row.kind(**parts, **row.others))
    return stack.pop()


def _row(node: Expr) -> Row:
    if isinstance(node, Const | Var | Choice | Self):
        return node
    mine = set(map(id, operands(node)))
    names: list[tuple[str, int | None]] = []
    others: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if id(value) in mine:
            names.append((field.name, None))
        elif isinstance(value, tuple) and value and all(id(part) in mine for part in value):
            names.append((field.name, len(value)))
        else:
            others[field.name] = value
    return Operation(type(node), tuple(names), others)
