"""Lock use: from the text of a program, whether something is a lock, and what the edges that mention it do with it.

A lock is a truth value that is false at the start: a static, or the field `m.held` of the cell that a static is made
with and always names.  It is mentioned by edges that wait for its negation, are the only ones to leave where they
begin, and keep on to an edge that nothing else leads to and that sets it; and by edges that clear it.  By no other
edge, no initial value and no field; of one in a cell, the field is mentioned only of such cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from enum import Enum

from knaster.base.errors import InternalError
from knaster.program.expression import Const, Expr, Field, New, Not, Part, Var, postorder
from knaster.program.model import Assume, Call, Concurrent, Edge, Location, Procedure, Program, Return
from knaster.program.objects import Choose, ClassCell, Join, Print, Send, Store, Update
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
    alone = len(procedure.leaving[edge.source]) == 1
    match edge.action:
        case Join(waits=(Not(place),), receives=()) if place == lock and alone and edge.keeps:
            follows = procedure.leaving.get(edge.target, ())
            entering = [each for each in procedure.edges if each.target == edge.target]
            if len(follows) == 1 and len(entering) == 1 and edge.target != procedure.entry and _sets(follows[0], lock):
                return Use.TEST
        case Store((place,), Const(False)) if place == lock and alone:
            return Use.RELEASE
        case Store((place,), Const(True)) if place == lock and alone and edge.source != procedure.entry:
            entering = [each for each in procedure.edges if each.target == edge.source]
            if len(entering) == 1 and _use(procedure, entering[0], lock, name) is Use.TEST:
                return Use.TAKE
    _refuse(name)
    raise AssertionError


def _sets(edge: Edge, lock: Expr) -> bool:
    return isinstance(edge.action, Store) and edge.action == Store((lock,), Const(True))


def _mentions(expr: Expr, lock: Expr, others: Set[str]) -> bool:
    """Tell whether an expression mentions a lock, or what may be it; the cells of `others` are other ones."""
    for node in postorder(expr):
        if isinstance(lock, Field):
            if isinstance(node, Field) and node.name == lock.name:
                return not (isinstance(node.object, Var) and node.object.name in others)
        elif node == lock:
            return True
    return False


def expressions_of(edge: Edge) -> Iterator[Expr]:
    """Yield every expression of an edge."""
    match edge.action:
        case Assume(condition):
            yield condition
        case Store(places, value):
            yield from (*places, value)
        case Choose(place, _, collection):
            yield from (place,) if collection is None else (place, collection)
        case Send(channel, value):
            yield from (channel, value)
        case Update(target, _, operand):
            yield from (target, operand)
        case Join(waits, receives):
            yield from (*waits, *(each for pair in receives for each in pair))
        case Return(values) | Print(_, values):
            yield from values
        case Call(_, arguments, _, places):
            yield from (*arguments, *(place for place in places if place is not None))
        case Concurrent(_, _, _, arguments):
            yield from arguments


def changed_variables(edge: Edge) -> list[str]:
    """Return the names of variables that an edge changes."""
    places: list[Expr] = []
    match edge.action:
        case Store(given):
            places = list(given)
        case Call(_, _, _, results):
            places = [place for place in results if place is not None]
        case Choose(place):
            places = [place]
        case Join(_, receives):
            places = [place for _, place in receives]
    found = []
    for place in places:
        while isinstance(place, Part):
            place = place.struct
        if isinstance(place, Var):
            found.append(place.name)
    return found


def _refuse(lock: str) -> None:
    raise InternalError(f"the table of transactions does not hold: '{lock}' is no lock")
