"""Texts: from a program, what each procedure can read and write, by itself and by whatever it calls or starts.

Statics are told apart by their slots.  Cells are not told apart; which classes can be changed is told by the names of
fields that are stored to, and by whether elements, channels or sets are changed at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import Apply, Expr, Field, Index, New, Part, Var, postorder
from knaster.program.model import Call, Concurrent, Edge
from knaster.program.objects import ArrayCell, Choose, ClassCell, Join, Send, Store, Update
from knaster.views.heap.memory_layout import Layout
from knaster.views.heap.mentions import expressions


class Text(NamedTuple):
    """What is read and written: slots of statics, and numbers of classes whose cells can be changed."""

    reads: frozenset[int]
    writes: frozenset[int]
    changes: frozenset[int]


NOTHING = Text(frozenset(), frozenset(), frozenset())


def join(texts: Iterable[Text]) -> Text:
    """Return all that several texts can read and write."""
    found = NOTHING
    for text in texts:
        found = Text(found.reads | text.reads, found.writes | text.writes, found.changes | text.changes)
    return found


def texts_of(layout: Layout) -> list[Text]:
    """Return what each procedure can read and write, with what it calls and starts."""
    own, after = [], []
    for each in layout.procedures:
        own.append(join(_text_of_edge(layout, edge) for edge in each.procedure.edges))
        names = {name for edge in each.procedure.edges for name in _begun(edge)}
        after.append({layout.procedure_numbers[name] for name in names})
    found = []
    for number in range(len(own)):
        seen, todo = {number}, [number]
        while todo:
            new = after[todo.pop()] - seen
            seen |= new
            todo += new
        found.append(join(own[each] for each in sorted(seen)))
    return found


def _begun(edge: Edge) -> list[str]:
    """Return the procedures that an edge can call or start."""
    action = edge.action
    found = [node.procedure for expr in expressions(edge) for node in postorder(expr) if isinstance(node, Apply)]
    if isinstance(action, Call):
        found += [name for _, name in action.dispatch] or [action.procedure]
    if isinstance(action, Concurrent) and action.procedure is not None:
        found.append(action.procedure)
    return found


def _text_of_edge(layout: Layout, edge: Edge) -> Text:
    places = _places(edge)
    roots = [_root(place) for place in places]
    writes = {layout.statics[root.name] for root in roots if isinstance(root, Var) and root.name in layout.statics}
    mentioned = [*expressions(edge)]
    mentioned += [value for expr in mentioned for value in _initial_values(layout, expr)]
    reads = {
        layout.statics[node.name]
        for expr in mentioned
        for node in postorder(expr)
        if isinstance(node, Var) and node.name in layout.statics
    }
    changes = {each.number for each in layout.classes if _changes(edge, roots, each.cell)}
    return Text(frozenset(reads), frozenset(writes), frozenset(changes))


def _places(edge: Edge) -> list[Expr]:
    """Return the places to which an edge stores."""
    match edge.action:
        case Store(places):
            return list(places)
        case Choose(place):
            return [place]
        case Join(_, receives):
            return [place for _, place in receives]
        case Call(_, _, _, places):
            return [place for place in places if place is not None]
        case _:
            return []


def _root(place: Expr) -> Expr:
    while isinstance(place, Part):
        place = place.struct
    return place


def _changes(edge: Edge, roots: Iterable[Expr], cell: object) -> bool:
    """Tell whether an edge can change a cell of a class that others know."""
    if isinstance(cell, ClassCell):
        names = [name for name, _ in cell.fields]
        return any(isinstance(root, Field) and _is_field(names, root) for root in roots)
    if isinstance(cell, ArrayCell):
        return any(isinstance(root, Index) for root in roots)
    return isinstance(edge.action, Send | Update) or (isinstance(edge.action, Join) and bool(edge.action.receives))


def _is_field(names: list[str], field: Field) -> bool:
    return field.index < len(names) and (not field.name or names[field.index] == field.name)


def _initial_values(layout: Layout, expr: Expr) -> list[Expr]:
    """Return the initial values of the cells that an expression makes."""
    made = [node.cell for node in postorder(expr) if isinstance(node, New)]
    found: list[Expr] = []
    for name in made:
        cell = layout.classes[layout.class_numbers[name]].cell
        if isinstance(cell, ClassCell):
            found += [value for _, value in cell.initial]
    return found
