"""The terms of a program with memory for pairs of pointers: tracked pointers, and addresses of what they point into.

A pointer is tracked where every change of it is seen: it is a variable of the model, or an object of a pointer's size
that is only read and written by its name.  All procedures share the names of their own terms, `#i` and `&#i`, as in
`flow_graph`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.base.records import dataclass
from knaster.program.expression import Expr, operands
from knaster.program.memory import Addresses, AddressOf, Load, Store, memory_expressions
from knaster.program.model import Procedure, Program, expressions
from knaster.pushdown.domains.term_pairs import OUTSIDE
from knaster.views.weighted.points_to import Object, PointsTo


@dataclass(frozen=True, slots=True, eq=False)
class Pointer:
    """A pointer with a name in some procedure, or in all of them; `term` is empty where it is not tracked."""

    name: str
    term: str
    targets: frozenset[Object]


class PointerTerms:
    """Terms of the domain for what a program has."""

    def __init__(self, program: Program, points: PointsTo) -> None:
        assert program.memory is not None
        self.program, self.points = program, points
        self._escaped = frozenset(_escaped(program, points))
        self.statics = [
            self._pointer("", declared.name)
            for declared in program.memory.objects
            if not declared.literal and _is_pointer(declared.parts)
        ]
        local = dict(program.memory.locals)
        self.results = tuple(dict.fromkeys(name for own in program.procedures for name in self._results(own)))
        self.frames = {own.name: self._frame(own, local) for own in program.procedures}
        self.by_name = {
            own: {each.name: each for each in (*self.statics, *frame)} for own, frame in self.frames.items()
        }
        self._objects = self._addresses()
        shared = [each.term for each in self.statics if each.term]
        addresses = [term for object, term in self._objects.items() if object.sort != "local"]
        self.shared = (*shared, *self.results, *dict.fromkeys(addresses))
        own_ = [each.term for frame in self.frames.values() for each in frame if each.term]
        own_ += [term for object, term in self._objects.items() if object.sort == "local"]
        self.own = tuple(dict.fromkeys(own_))

    def address(self, procedure: str, object: Object) -> str:
        """Return the term of an object's address: outside for a caller's, empty where no tracked pointer has it."""
        if object.sort == "local" and object.procedure != procedure:
            return OUTSIDE
        return self._objects.get(object, "")

    def addresses(self, procedure: str) -> Iterator[tuple[Object, str]]:
        """Yield the objects that have a name in a procedure, with their terms."""
        for object, term in self._objects.items():
            if object.sort != "local" or object.procedure == procedure:
                yield object, term

    def _frame(self, own: Procedure, local: Mapping[tuple[str, str], object]) -> list[Pointer]:
        """Return the pointers of a procedure, with terms in the order of their declarations."""
        types = dict(own.types)
        found = [name for name in (*own.parameters, *own.locals) if isinstance(types.get(name), Addresses)]
        cells = [name for (procedure, name), parts in local.items() if procedure == own.name and _is_pointer(parts)]
        pointers = [Pointer(name, "", self.points.of_variable(own.name, name)) for name in found]
        pointers += [self._pointer(own.name, name) for name in cells if name not in found]
        tracked = [each for each in pointers if each.term or each.name in found]
        numbers = {each.name: f"#{number}" for number, each in enumerate(tracked)}
        return [Pointer(each.name, numbers.get(each.name, ""), each.targets) for each in pointers]

    def _pointer(self, procedure: str, name: str) -> Pointer:
        """Return a pointer that is an object."""
        object = self.points.object_of(procedure, name)
        return Pointer(name, "" if object in self._escaped else name, self.points.of_bytes(object))

    def _results(self, own: Procedure) -> list[str]:
        types = dict(own.types)
        return [name for name in own.results if isinstance(types.get(name), Addresses)]

    def _addresses(self) -> dict[Object, str]:
        """Return terms for what tracked pointers may point into; locals have numbers within their procedure."""
        pointers = [each for frame in (self.statics, *self.frames.values()) for each in frame if each.term]
        results = [
            self.points.of_variable(own.name, name) for own in self.program.procedures for name in self._results(own)
        ]
        objects: set[Object] = set().union(*(each.targets for each in pointers), *results)
        terms: dict[Object, str] = {}
        counts: dict[str, int] = {}
        for object in sorted(objects):
            if object.sort == "local":
                number = counts[object.procedure] = counts.get(object.procedure, -1) + 1
                terms[object] = f"&#{number}"
            else:
                terms[object] = f"&{object.procedure} {object.name}"
        return terms


def _is_pointer(parts: object) -> bool:
    return (
        isinstance(parts, tuple) and len(parts) == 1 and parts[0].suffix == "" and isinstance(parts[0].type, Addresses)
    )


def _escaped(program: Program, points: PointsTo) -> Iterator[Object]:
    """Yield the objects whose address is used otherwise than to read or write a whole pointer there."""
    assert program.memory is not None
    for declared in program.memory.objects:
        for _, _, value in declared.cells:
            yield from _used(points, "", value)
    for own in program.procedures:
        for edge in own.edges:
            for expr in (*expressions(edge.action), *memory_expressions(edge.action)):
                if not (_is_direct(edge.action) and expr is edge.action.address):  # type: ignore[union-attr]
                    yield from _used(points, own.name, expr)


def _is_direct(action: object) -> bool:
    return isinstance(action, Store) and isinstance(action.address, AddressOf) and isinstance(action.type, Addresses)


def _used(points: PointsTo, procedure: str, expr: Expr) -> Iterator[Object]:
    todo = [expr]
    while todo:
        match todo.pop():
            case AddressOf(name):
                yield points.object_of(procedure, name)
            case Load(AddressOf(), Addresses()):
                pass
            case other:
                todo += operands(other)
