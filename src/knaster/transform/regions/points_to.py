"""Which objects each pointer may point to, and at which offsets: the same answer for the whole program.

L. O. Andersen, Program Analysis and Specialization for the C Programming Language (1994): inclusions, as the programs
that are reduced are small (unification, B. Steensgaard, POPL 1996, would merge what an assignment joins in both
directions).  Parts of objects are told apart by their offsets; an object that is indexed by variables is folded to the
greatest common divisor of the steps, its `stride`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import Any

from knaster.base.errors import Span
from knaster.program.checks.static_types import type_of
from knaster.program.expression import Choice, Conditional, Const, Convert, Var, postorder
from knaster.program.memory import (
    Address,
    Addresses,
    AddressOf,
    Begin,
    Chunk,
    Extent,
    Floating,
    Load,
    Moved,
    Snapshot,
    Store,
    bytes_of,
)
from knaster.program.model import Assign, Call, Edge, Procedure, Program, Return
from knaster.program.types import Bool
from knaster.transform.regions.pointer_sets import (
    DEAD,
    FUNCTION,
    NOTHING,
    NULL,
    OBJECT,
    UNSET,
    Base,
    PointerSet,
    join,
)
from knaster.transform.regions.refusal import Refused
from knaster.transform.regions.scopes import Scopes, expressions_of
from knaster.transform.regions.windows import Offsets, Windows, moved

ROUNDS = 200
_FLOATS = "floating-point numbers"
Register = tuple[str, str]  # a procedure and a variable of it


class PointsTo:
    """The pointers of a program, as far as they are known; complete once `solve` has returned."""

    def __init__(
        self,
        program: Program,
        procedures: list[Procedure],
        scopes: Mapping[str, Scopes],
        whole: frozenset[Base] = frozenset(),
        floats: bool = True,
    ) -> None:
        assert program.memory is not None
        self.refused: Any = Chunk if floats else Chunk | Floating  # types of values that are not taken
        self.program = program
        self.pointer_size = program.memory.pointer
        self.procedures = procedures
        self.scopes = scopes
        self.names = {procedure.name: procedure for procedure in procedures}
        self.types = {procedure.name: dict(procedure.types) for procedure in procedures}
        self.declared = {declared.name: declared for declared in program.memory.objects}
        self.functions = {name for name, _ in program.memory.forms} & {each.name for each in program.procedures}
        self.sizes: dict[Base, int] = {
            Base(OBJECT, "", name): declared.size for name, declared in self.declared.items()
        }
        self.read_only = {Base(OBJECT, "", name) for name, declared in self.declared.items() if not declared.writable}
        self.zeroed = {Base(OBJECT, "", name) for name in self.declared}
        self.registers: dict[Register, PointerSet] = {}
        self.cells: dict[tuple[Base, int], PointerSet] = {}
        self.strides: dict[Base, int] = {}
        self.accesses: dict[Base, set[tuple[int, Any]]] = {}
        self.changed = True
        for procedure in procedures:
            for edge in procedure.edges:
                if isinstance(edge.action, Begin):
                    self._note_object(procedure, edge.action, edge.span)
        self.windows = Windows(self._members(whole))
        for root, windows in self.windows.of.items():
            for window in windows:
                self.sizes[window] = self.windows.extents[window].size
            for those in (self.read_only, self.zeroed):
                those |= set(windows) if root in those else set()

    def _members(self, whole: frozenset[Base]) -> dict[Base, tuple[Extent, ...]]:
        """Return the members of the objects that are split."""
        assert self.program.memory is not None
        found: dict[Base, tuple[Extent, ...]] = {}
        for (owner, name), members in self.program.memory.members:
            root = Base(OBJECT, owner, name)
            last = members[-1]
            if root in self.sizes and root not in whole and last.start + last.size <= self.sizes[root]:
                found[root] = members
        return found

    def _note_object(self, procedure: Procedure, begin: Begin, span: Span) -> None:
        base = Base(OBJECT, procedure.name, begin.name)
        size = begin.size.value if isinstance(begin.size, Const) else None
        if type(size) is not int or self.sizes.setdefault(base, size) != size:
            raise Refused("an array has a length that is no constant", span)
        if begin.name in self.scopes[procedure.name].passed_over:
            raise Refused(f"'{begin.name}' may be named where its declaration was passed over", span)
        if not begin.writable:
            self.read_only.add(base)
        if begin.zeroed:
            self.zeroed.add(base)

    def solve(self) -> None:
        """Let everything be known."""
        for procedure in self.procedures:
            for name in self.scopes[procedure.name].unset:
                if isinstance(self.types[procedure.name].get(name), Addresses):
                    self._add_register((procedure.name, name), UNSET)
        for _ in range(ROUNDS):
            if not self.changed:
                return
            self.changed = False
            self._start()
            for procedure in self.procedures:
                for edge in procedure.edges:
                    self._pass(procedure, edge)
        raise Refused("its pointers are too many to be followed")

    # What a pointer may be

    def resolve(self, procedure: str, name: str) -> Base:
        """Return what a name stands for in a procedure."""
        own = Base(OBJECT, procedure, name)
        if own in self.sizes:
            return own
        shared = Base(OBJECT, "", name)
        if shared in self.sizes:
            return shared
        if name in self.functions:
            return Base(FUNCTION, "", name)
        raise Refused(f"the address of '{name}' is used, which is not defined here")

    def pointers(self, expr: Any, procedure: str, span: Span) -> PointerSet:
        """Return what an expression of a pointer type may be."""
        match expr:
            case Var(name):
                return self.registers.get((procedure, name), NOTHING)
            case AddressOf(name):
                base = self.resolve(procedure, name)
                return PointerSet(frozenset((self.windows.at(base, 0)[0],)))
            case Const(Address(0, 0)) | Const(0):
                return PointerSet(frozenset((NULL,)))
            case Choice():
                return UNSET
            case Moved(address, index, scale, _, part):
                before = self.pointers(address, procedure, span)
                return moved(before, constant(index), scale, part, self.windows)
            case Load(address):
                return self.stored(self.pointers(address, procedure, span))
            case Conditional(_, then, otherwise):
                return join(self.pointers(then, procedure, span), self.pointers(otherwise, procedure, span))
            case Convert(operand, Addresses()) if self.is_pointer(operand, procedure) or operand == Const(0):
                return self.pointers(operand, procedure, span)
        raise Refused("a number is made a pointer", span)

    def is_pointer(self, expr: Any, procedure: str) -> bool:
        """Tell whether an expression is a pointer."""
        return isinstance(type_of(expr, self.types[procedure]), Addresses)

    def stored(self, places: PointerSet) -> PointerSet:
        """Return the pointers that may stand at some places."""
        found = NOTHING
        for base in places.objects:
            found = join(found, self.cells.get((base, self.key(base, places.residue)), NOTHING))
        return found

    def key(self, base: Base, offset: int) -> int:
        """Return the part of an object at an offset."""
        stride = self.strides.get(base, 0)
        return offset % stride if stride else offset

    # What changes

    def _add_register(self, register: Register, pointers: PointerSet) -> None:
        before = self.registers.get(register, NOTHING)
        after = join(before, pointers)
        if after != before:
            self.registers[register] = after
            self.changed = True

    def _add_cell(self, base: Base, offset: int, pointers: PointerSet) -> None:
        key = base, self.key(base, offset)
        before = self.cells.get(key, NOTHING)
        after = join(before, pointers)
        if after != before:
            self.cells[key] = after
            self.changed = True

    def _access(self, places: PointerSet, type: Any, span: Span) -> None:
        """Note that some places are used with a type."""
        if isinstance(type, self.refused):
            raise Refused("a struct is copied" if isinstance(type, Chunk) else _FLOATS, span)
        for base in places.objects:
            if base.root in self.declared_elsewhere():
                raise Refused(f"'{base.name}' is defined elsewhere", span)
            self.windows.check_access(
                Offsets(base, places.residue, places.stride), bytes_of(type), self.sizes[base.root]
            )
            stride = gcd(self.strides.get(base, 0), places.stride)
            if stride != self.strides.get(base, 0):
                self._fold(base, stride)
            entry = self.key(base, places.residue), type
            if entry not in self.accesses.setdefault(base, set()):
                self.accesses[base].add(entry)
                self.changed = True
            if isinstance(type, Addresses):
                self._add_cell(base, places.residue, self._initial(base))

    def declared_elsewhere(self) -> set[Base]:
        """Return the objects whose bytes nobody knows."""
        return {Base(OBJECT, "", name) for name, declared in self.declared.items() if declared.unknown}

    def _initial(self, base: Base) -> PointerSet:
        return PointerSet(frozenset((NULL,))) if base in self.zeroed else UNSET

    def _fold(self, base: Base, stride: int) -> None:
        self.strides[base] = stride
        self.changed = True
        self.accesses[base] = {(key % stride, type) for key, type in self.accesses.get(base, ())}
        for (other, key), pointers in list(self.cells.items()):
            if other == base and key != key % stride:
                del self.cells[other, key]
                self._add_cell(base, key, pointers)

    def _start(self) -> None:
        for name, declared in self.declared.items():
            for offset, type, value in declared.cells:
                if isinstance(type, Addresses) and not declared.unknown:
                    found = self.pointers(value, "", Span(0, 0))
                    self._add_cell(*self.windows.at(Base(OBJECT, "", name), offset), found)

    def _pass(self, procedure: Procedure, edge: Edge) -> None:
        action: Any = edge.action
        name, span = procedure.name, edge.span
        for expr in expressions_of(action):
            for node in postorder(expr):
                self._look_at(node, name, span)
        match action:
            case Assign(targets, values):
                for target, value in zip(targets, values, strict=True):
                    self._assign(name, target, value, name, span)
            case Store(address, Const(Snapshot()), Chunk(size)):
                self._store_constant(self.pointers(address, name, span), size, span)
            case Store(address, value, type):
                places = self.pointers(address, name, span)
                self._access(places, type, span)
                if isinstance(type, Addresses):
                    for base in places.objects:
                        self._add_cell(base, places.residue, self.pointers(value, name, span))
            case Call(callee, arguments, targets):
                self._call(procedure, callee, arguments, targets, span)
            case Return(values):
                for target, value in zip(procedure.results, values, strict=False):
                    self._assign(name, target, value, name, span)
        for dying in self.dying(procedure, edge):
            for register in self.registers_left(procedure, edge, dying):
                self._add_register(register, PointerSet(frozenset((DEAD,))))
            for base, key in self.cells_left(procedure, edge, dying):
                self._add_cell(base, key, PointerSet(frozenset((DEAD,))))

    def _store_constant(self, places: PointerSet, size: int, span: Span) -> None:
        """Note that bytes are stored, which may be null pointers."""
        if places.stride or len(places.bases) != 1:
            raise Refused("bytes are stored through a pointer", span)
        for place in places.objects:
            for base in self.windows.all_of(place.root):
                for key, type in list(self.accesses.get(base, ())):
                    if isinstance(type, Addresses):
                        self._add_cell(base, key, PointerSet(frozenset((NULL,))))

    def _look_at(self, node: Any, procedure: str, span: Span) -> None:
        if isinstance(kind := getattr(node, "type", None), Floating) and isinstance(kind, self.refused):
            raise Refused(_FLOATS, span)
        if isinstance(node, Load):
            self._access(self.pointers(node.address, procedure, span), node.type, node.span)
        elif isinstance(node, Convert) and isinstance(node.type, Addresses):
            self.pointers(node, procedure, span)
        elif isinstance(node, Convert) and not isinstance(node.type, Bool) and self.is_pointer(node.operand, procedure):
            raise Refused("a pointer is made a number", span)

    def _assign(self, owner: str, target: str, value: Any, procedure: str, span: Span) -> None:
        kind = self.types[owner].get(target)
        if isinstance(kind, self.refused):
            raise Refused("a struct is a value" if isinstance(kind, Chunk) else _FLOATS, span)
        if isinstance(kind, Addresses):
            self._add_register((owner, target), self.pointers(value, procedure, span))

    def _call(self, caller: Procedure, callee: str, arguments: Any, targets: Any, span: Span) -> None:
        called = self.names[callee]
        if len(arguments) != len(called.parameters):
            raise Refused(f"'{callee}' is called with another number of arguments than it has", span)
        for parameter, argument in zip(called.parameters, arguments, strict=True):
            self._assign(callee, parameter, argument, caller.name, span)
        for target, result in zip(targets, called.results, strict=False):
            if target is not None and isinstance(self.types[caller.name].get(target), self.refused):
                raise Refused("a struct is a value", span)
            if target is not None and isinstance(self.types[caller.name].get(target), Addresses):
                self._add_register((caller.name, target), self.registers.get((callee, result), NOTHING))

    # Objects that die while something points to them

    def dying(self, procedure: Procedure, edge: Edge) -> list[Base]:
        """Return the objects that may end with an edge."""
        alive = self.scopes[procedure.name].alive.get(edge.source, frozenset())
        if isinstance(edge.action, Return):
            names = alive
        elif isinstance(edge.action, Begin):
            names = alive & {edge.action.name, *edge.forgets}
        else:
            names = alive & frozenset(edge.forgets)
        roots = (Base(OBJECT, procedure.name, name) for name in sorted(names))
        return [base for root in roots for base in self.windows.all_of(root)]

    def registers_left(self, procedure: Procedure, edge: Edge, dying: Base) -> list[Register]:
        """Return the variables that may point to an object after an edge with which it ends."""
        names: tuple[str, ...] = procedure.results
        if not isinstance(edge.action, Return):
            names = tuple(name for name in (*procedure.parameters, *procedure.locals) if name not in edge.forgets)
        each = ((procedure.name, name) for name in names)
        return [register for register in each if dying in self.registers.get(register, NOTHING).bases]

    def cells_left(self, procedure: Procedure, edge: Edge, dying: Base) -> list[tuple[Base, int]]:
        """Return the parts of objects that may point to an object after an edge with which it ends."""
        gone = set(self.dying(procedure, edge))
        return [key for key, pointers in sorted(self.cells.items()) if dying in pointers.bases and key[0] not in gone]


def constant(expr: Any) -> int | None:
    """Return the number that an expression is; None where it is no constant."""
    return expr.value if isinstance(expr, Const) and isinstance(expr.value, int) else None
