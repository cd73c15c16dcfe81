"""Lock use: from the text of a program, whether something is a lock, and what the edges that mention it do with it.

A lock is a truth value that is false at the start: a static, or the field `m.held` of the cell that a static is made
with and always names.  It is mentioned by edges that wait for its negation, are the only ones to leave where they
begin, and keep on to an edge that nothing else leads to and that sets it; and by edges that clear it.  By no other
edge, no initial value and no field; of one in a cell, the field is mentioned only of such cells.
"""

from __future__ import annotations

from collections.abc import Set
from enum import Enum

from knaster.base.errors import InternalError
from knaster.checkers.heap.edge_parts import changed_variables, expressions_of
from knaster.program.expression import Const, Expr, Field, New, Not, Var, postorder
from knaster.program.model import Edge, Location, Procedure, Program
from knaster.program.objects import ClassCell, Join, Store
from knaster.program.types import BOOL


class Use(Enum):
    """What an edge does with a lock."""

    TEST = "test"
    TAKE = "take"
    RELEASE = "release"


Place = tuple[str, Location]


def uses_of(program: Program, lock: str) -> dict[Place, Use]:
    """Return what the text does with a lock, by place; raise `InternalError` where it is none."""
    assert program.objects is not None
    initial = [value for _, value in program.objects.statics]
    initial += [value for cell in program.objects.cells if isinstance(cell, ClassCell) for _, value in cell.initial]
    if lock in program.globals:
        place: Expr = Var(lock)
        if any(name == lock for name, _ in program.objects.statics) or dict(program.types).get(lock, BOOL) != BOOL:
            _refuse(lock)
    else:
        place = _field(program, lock)
    others = _own_cells(program) - {lock.rpartition(".")[0]}
    if any(_mentions(value, place, others) for value in initial):
        _refuse(lock)
    found: dict[Place, Use] = {}
    for procedure in program.procedures:
        for edge in procedure.edges:
            if any(_mentions(expr, place, others) for expr in expressions_of(edge)):
                found[procedure.name, edge.source] = _use(procedure, edge, place, lock)
    return found


def cell_of(program: Program, lock: str) -> str | None:
    """Return the static that names the cell in which a lock is; None where the lock is a static."""
    return None if lock in program.globals else lock.rpartition(".")[0]


def _own_cells(program: Program) -> set[str]:
    """Return the statics that always name the cell of a class with which each is made."""
    assert program.objects is not None
    classes = {cell.name for cell in program.objects.cells if isinstance(cell, ClassCell)}
    made = {name for name, value in program.objects.statics if isinstance(value, New) and value.cell in classes}
    twice = [name for name, _ in program.objects.statics]
    changed = {name for procedure in program.procedures for edge in procedure.edges for name in changed_variables(edge)}
    return {name for name in made - changed if twice.count(name) == 1}


def _field(program: Program, lock: str) -> Expr:
    """Return the place of a lock in a cell that a static always names, where it is false at first."""
    assert program.objects is not None
    static, _, field = lock.rpartition(".")
    made = dict(program.objects.statics).get(static)
    if static not in _own_cells(program) or not isinstance(made, New):
        _refuse(lock)
    assert isinstance(made, New)
    own = next(cell for cell in program.objects.cells if cell.name == made.cell)
    assert isinstance(own, ClassCell)
    if (field, BOOL) not in own.fields or field in dict(own.initial):
        _refuse(lock)
    return Field(Var(static), own.fields.index((field, BOOL)), field)


def _use(procedure: Procedure, edge: Edge, lock: Expr, name: str) -> Use:
    if edge.action == Store((lock,), Const(False)) and len(procedure.leaving[edge.source]) == 1:
        return Use.RELEASE
    if _is_test(procedure, edge, lock):
        return Use.TEST
    entering = [each for each in procedure.edges if each.target == edge.source]
    if len(entering) != 1 or not _is_test(procedure, entering[0], lock):
        _refuse(name)
    return Use.TAKE  # what follows a test sets the lock


def _is_test(procedure: Procedure, edge: Edge, lock: Expr) -> bool:
    """Tell whether an edge waits for a lock, alone, and keeps on to one that sets it, to which nothing else leads."""
    match edge.action:
        case Join(waits=(Not(place),), receives=()) if place == lock and edge.keeps:
            beside = [each for each in procedure.edges if each.source == edge.source or each.target == edge.target]
            follows = [each.action for each in procedure.leaving.get(edge.target, ())]
            sets = follows == [Store((lock,), Const(True))]
            return sets and len(beside) == 1 and edge.target != procedure.entry
    return False


def _mentions(expr: Expr, lock: Expr, others: Set[str]) -> bool:
    """Tell whether an expression mentions a lock, or what may be it; the cells of `others` are other ones."""
    if not isinstance(lock, Field):
        return any(node == lock for node in postorder(expr))
    fields = [node.object for node in postorder(expr) if isinstance(node, Field) and node.name == lock.name]
    return any(not (isinstance(cell, Var) and cell.name in others) for cell in fields)


def _refuse(lock: str) -> None:
    raise InternalError(f"the table of transactions does not hold: '{lock}' is no lock")
