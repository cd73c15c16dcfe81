"""The steps of a program with memory that C may leave undefined: each with its kind and where it stands in the text.

What the shape of an expression excludes is left out: a variable that is read by its name is there, a constant index is
inside its array or not.  A run that comes to an undefined step which is not listed here is not believed by anybody
(`Sites.why_unlisted`), so that a step that was forgotten is UNKNOWN and never TRUE.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.program.checks.static_types import range_of, type_of
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, Convert, IntegerOperator, postorder
from knaster.program.memory import (
    Address,
    Addresses,
    AddressOf,
    Begin,
    CellType,
    Chunk,
    Distance,
    Floating,
    Invoke,
    Library,
    Load,
    Moved,
    Store,
    bytes_of,
    memory_expressions,
)
from knaster.program.model import Call, Edge, Procedure, Program, expressions
from knaster.program.types import Bool, Int
from knaster.semantics.memory.characters import CHARACTERS, DOMAIN
from knaster.semantics.memory.evaluate import misfit
from knaster.semantics.memory.failure import (
    ALIGNMENT,
    BOOLEAN,
    BOUNDS,
    CALL,
    DEAD,
    DIVISION,
    LENGTH,
    MESSAGES,
    NULL,
    OVERFLOW,
    POINTER,
    READ_ONLY,
    SHIFT,
    VALUE,
    WILD,
)
from knaster.semantics.memory.library_sites import library_kinds, points_inside, used_arguments

_DIVISIONS = (IntegerOperator.DIVIDE, IntegerOperator.REMAINDER)
_SHIFTS = (IntegerOperator.LEFT, IntegerOperator.RIGHT)
_BITWISE = (IntegerOperator.AND, IntegerOperator.OR, IntegerOperator.XOR)
_THROUGH_POINTER = (NULL, DEAD, BOUNDS, WILD)
_EQUALITIES = (Comparison.EQUAL, Comparison.DIFFERENT)


class Site(NamedTuple):
    """A kind of undefined step at a place of the text."""

    kind: str
    line: int
    column: int


def site_at(kind: str, span: Span) -> Site:
    """Return the site of an undefined step that a run came to."""
    return Site(kind, span.line, span.column)


class Sites:
    """The sites of a program, each once, in the order of its procedures."""

    def __init__(self, program: Program) -> None:
        assert program.memory is not None
        self.program = program
        self.procedures = reachable_procedures(program)
        self.sizes = {declared.name: declared.size for declared in program.memory.objects}
        self.read_only = {declared.name for declared in program.memory.objects if not declared.writable}
        self.escaping: set[str] = set()  # objects whose address is kept somewhere
        self.steps: set[int] = set()  # byte distances by which pointers are moved, not only to be used at once
        self._list: dict[Site, str] | None = None
        for procedure in self.procedures:
            for edge in procedure.edges:
                self._note(edge)

    def all(self) -> Mapping[Site, str]:
        """Return the sites, and the procedure of each."""
        if self._list is None:
            self._list = {}
            for procedure in self.procedures:
                for site in _Walk(self, procedure).sites():
                    if site.line > 0:
                        self._list.setdefault(site, procedure.name)
        return self._list

    def is_listed(self, kind: str, span: Span) -> bool:
        """Tell whether an undefined step that a run came to is one of the sites."""
        return site_at(kind, span) in self.all()

    def why_unlisted(self, kinds: Collection[str], steps: Iterable[tuple[str, Span]]) -> str:
        """Say which of some undefined steps is of these kinds and not listed; empty where none is.

        A pointer that leaves its object and is used at once is wrong where it is used.
        """
        for kind, span in steps:
            if kind in kinds and kind != POINTER and not self.is_listed(kind, span):
                return f"line {span.line}: {MESSAGES[kind]}, and no target stands for it"
        return ""

    def _note(self, edge: Edge) -> None:
        """Note what an edge says about objects and about how pointers move."""
        action: Any = edge.action
        if isinstance(action, Begin):
            value: Any = action.size.value if isinstance(action.size, Const) else 0
            size = int(value)
            self.sizes[action.name] = min(self.sizes.get(action.name, size), size)
            if not action.writable:
                self.read_only.add(action.name)
        if isinstance(action, Library) and points_inside(action.name):
            self.steps.add(1)
        used = addresses_in(action)
        for expr in expressions_of(action):
            for node in postorder(expr):
                if isinstance(node, Moved) and id(node) not in used:
                    self.steps.add(step_of(node))
                elif isinstance(node, AddressOf) and id(node) not in used:
                    self.escaping.add(node.name)
                elif isinstance(node, Convert) and isinstance(node.type, Addresses):
                    self.steps.add(1)


class _Walk:
    """The sites of one procedure."""

    def __init__(self, sites: Sites, procedure: Procedure) -> None:
        self.of = sites
        self.procedure = procedure
        self.types = dict(procedure.types)

    def sites(self) -> Iterator[Site]:
        """Yield them in the order of the edges."""
        for edge in self.procedure.edges:
            used = addresses_in(edge.action)
            for expr in expressions_of(edge.action):
                for node in postorder(expr):
                    yield from self._of_node(node, edge, used)
            yield from self._of_action(edge)

    def _of_action(self, edge: Edge) -> Iterator[Site]:
        action: Any = edge.action
        kinds: tuple[str, ...] = ()
        match action:
            case Store():
                kinds = tuple(self._of_use(action.address, action.type, action.packed))
                if not action.initial and self._may_be_read_only(action.address):
                    kinds = (*kinds, READ_ONLY)
            case Begin(_, size) if not isinstance(size, Const):
                kinds = (LENGTH,)
            case Invoke(function) if not isinstance(function, AddressOf):
                kinds = (NULL, CALL)
            case Invoke():
                kinds = (CALL,)
            case Library(name, arguments):
                kinds = library_kinds(name, len(arguments), bool(self.of.read_only))
                if name in CHARACTERS and _is_inside(range_of(arguments[0], self.types), DOMAIN):
                    kinds = ()
                if kinds and (used := used_arguments(name)) and all(self._is_there(arguments, at) for at in used):
                    kinds = tuple(kind for kind in kinds if kind not in _THROUGH_POINTER)
        yield from (site_at(kind, edge.span) for kind in kinds)

    def _of_node(self, node: Any, edge: Edge, used: set[int]) -> Iterator[Site]:
        kinds: tuple[str, ...] = ()
        span = getattr(node, "span", edge.span)
        match node:
            case Load(address, type, _, _, packed):
                kinds = tuple(self._of_use(address, type, packed))
                kinds += (BOOLEAN,) if isinstance(type, Bool) and not self._is_own(address) else ()
            case Moved(_, index, _, _, part) if id(node) not in used and not part:
                inside = self._room(node, 0) is True
                kinds = () if inside or (isinstance(index, Const) and not index.value) else (POINTER,)
            case Distance():
                kinds = (POINTER,)
            case Compare(sign, left, right) if sign not in _EQUALITIES and self._are_pointers(left, right):
                kinds, span = (POINTER,), edge.span
            case Convert(operand, Int()) if isinstance(type_of(operand, self.types), Floating):
                kinds = (VALUE,)
            case Arithmetic():
                kinds = tuple(self._of_arithmetic(node))
        yield from (site_at(kind, span) for kind in kinds)

    def _of_use(self, address: Any, type: CellType, packed: bool) -> Iterator[str]:
        """Yield what may be wrong with the use of an address."""
        size = bytes_of(type)
        room = self._room(address, size)
        if room is None:
            yield from _THROUGH_POINTER
        elif not room:
            yield BOUNDS
        mask = 0 if isinstance(type, Chunk) else misfit(type, packed)
        moves = self._moves(address)
        if room is None:
            moves |= self.of.steps
        if mask and any(step & mask for step in moves):
            yield ALIGNMENT

    def _room(self, address: Any, size: int) -> bool | None:
        """Tell whether bytes at an address are surely inside the object that it names; None where it names none."""
        low, high, known = 0, 0, True  # offsets, as far as types tell
        while isinstance(address, Moved):
            index = range_of(address.index, self.types)
            known = known and index is not None
            if index is not None:
                low, high = low + index[0] * address.scale, high + index[1] * address.scale
            address = address.address
        if not isinstance(address, AddressOf) or address.name not in self.of.sizes:
            return None
        return known and low >= 0 and high + size <= self.of.sizes[address.name]

    def _is_there(self, arguments: tuple[Any, ...], at: int) -> bool:
        """Tell whether an argument of a word of threads names an object, or is null where that is allowed."""
        null = at > 0 and isinstance(arguments[at], Const) and arguments[at].value in (Address(0, 0), 0)
        return null or self._room(arguments[at], 1) is True

    def _is_own(self, address: Any) -> bool:
        """Tell whether an address is that of an object of one byte which is used by its name alone."""
        named = isinstance(address, AddressOf) and address.name not in self.of.escaping
        return named and self.of.sizes.get(address.name) == 1

    def _moves(self, address: Any) -> set[int]:
        found = set()
        while isinstance(address, Moved):
            found.add(step_of(address))
            address = address.address
        return found

    def _may_be_read_only(self, address: Any) -> bool:
        while isinstance(address, Moved):
            address = address.address
        if isinstance(address, AddressOf) and address.name in self.of.sizes:
            return address.name in self.of.read_only
        return bool(self.of.read_only)

    def _are_pointers(self, left: Any, right: Any) -> bool:
        return any(isinstance(type_of(side, self.types), Addresses) for side in (left, right))

    def _of_arithmetic(self, node: Arithmetic) -> Iterator[str]:
        left, right = range_of(node.left, self.types), range_of(node.right, self.types)
        if node.operator in _DIVISIONS and (right is None or right[0] <= 0 <= right[1]):
            yield DIVISION
        bits = node.type.width or 1 << 16  # mutant: types of C have a width
        if node.operator in _SHIFTS and (right is None or right[0] < 0 or right[1] >= bits):
            yield SHIFT
        if not node.type.signed or node.type.low is None or node.operator is IntegerOperator.RIGHT:
            return
        if node.operator in _BITWISE:
            return
        if node.operator in _DIVISIONS:
            least = left is None or left[0] <= node.type.low
            if least and (right is None or right[0] <= -1 <= right[1]):
                yield OVERFLOW
            return
        if range_of(node, self.types, wrapped=False) is None or self._may_shift_sign(node):
            yield OVERFLOW

    def _may_shift_sign(self, node: Arithmetic) -> bool:
        left = range_of(node.left, self.types)
        return node.operator is IntegerOperator.LEFT and (left is None or left[0] < 0)


def _is_inside(values: tuple[int, int] | None, domain: tuple[int, int]) -> bool:
    return values is not None and domain[0] <= values[0] and values[1] <= domain[1]


def constant_step(node: Moved) -> int | None:
    """Return by how many bytes a pointer is moved; None where that is no constant."""
    index: Any = node.index
    return index.value * node.scale if isinstance(index, Const) and isinstance(index.value, int) else None


def step_of(node: Moved) -> int:
    """Return a number of which the bytes that a pointer is moved by are a multiple."""
    constant = constant_step(node)
    return node.scale if constant is None else constant


def expressions_of(action: Any) -> tuple[Any, ...]:
    """Return what an action evaluates."""
    return (*expressions(action), *memory_expressions(action))


def addresses_in(action: Any) -> set[int]:
    """Return the ids of the addresses that are used at once: what is wrong with them is wrong with the use."""
    found: set[int] = set()
    places = [action.address] if isinstance(action, Store) else []
    for expr in expressions_of(action):
        places += [node.address for node in postorder(expr) if isinstance(node, Load)]
    for place in places:
        while isinstance(place, Moved):
            found.add(id(place))
            place = place.address
        found.add(id(place))
    return found


def reachable_procedures(program: Program) -> list[Procedure]:
    """Return the procedures that a run may enter: those that are called, and those whose address is taken."""
    assert program.memory is not None
    own = {procedure.name: procedure for procedure in program.procedures}
    todo = [name for name in program.threads if name in own]
    initial = [value for declared in program.memory.objects for _, _, value in declared.cells]
    todo += [node.name for value in initial for node in postorder(value) if isinstance(node, AddressOf)]
    found: dict[str, None] = {}
    while todo:
        name = todo.pop()
        if name not in own or name in found:
            continue
        found[name] = None
        for edge in own[name].edges:
            if isinstance(edge.action, Call):
                todo.append(edge.action.procedure)
            for expr in expressions_of(edge.action):
                todo += [node.name for node in postorder(expr) if isinstance(node, AddressOf)]
    return [procedure for procedure in program.procedures if procedure.name in found]
