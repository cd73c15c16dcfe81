"""Procedures of programs with memory that can be run: the ways out of each location, made when first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from knaster_check.memory.expressions import Meaning, address_of, alignment_of, meaning_of
from knaster_check.memory.faults import Undefined
from knaster_check.memory.values import Address, size_of
from knaster_check.program import (
    Assign,
    Assume,
    Begin,
    Call,
    Edge,
    Form,
    Formula,
    Invoke,
    Library,
    Procedure,
    Program,
    Return,
    Type,
    Write,
)
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.machine import Frame, Machine

Act = Callable[["Machine", "Frame"], None]
_FLIPPED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Way(NamedTuple):
    """An edge: the condition under which it is taken, what it does, or that it is taken where no other is."""

    edge: Edge
    condition: Meaning | None
    act: Act | None
    otherwise: bool = False


class Code(NamedTuple):
    """A procedure that can be run; `sizes` has its local objects whose size is a number."""

    procedure: Procedure
    ways: dict[int, list[Way]]
    sizes: dict[str, int]


class Codes:
    """The procedures of a program with memory, each made when it is first entered."""

    def __init__(self, program: Program) -> None:
        assert program.layout is not None
        self.program, self.layout = program, program.layout
        names = dict.fromkeys((*program.procedures, *self.layout.forms))
        self.functions = {name: Address(-number, 0) for number, name in enumerate(names, 1)}
        self.names = {address.base: name for name, address in self.functions.items()}
        self.nothing = Code(next(iter(program.procedures.values())), {}, {})
        self._codes: dict[str, Code] = {}
        self._cells = {declared.name: declared.cells for declared in self.layout.objects}
        self._initial: dict[str, list[tuple[int, Type, Meaning]]] = {}

    def initial(self, name: str) -> list[tuple[int, Type, Meaning]]:
        """Return the initial values of an object."""
        if name not in self._initial:
            self._initial[name] = [(at, type, meaning_of(value)) for at, type, value in self._cells[name]]
        return self._initial[name]

    def code(self, name: str) -> Code:
        """Return a procedure that can be run."""
        if name not in self._codes:
            procedure = self.program.procedures[name]
            ways: dict[int, list[Way]] = {}
            for edge in procedure.edges:
                ways.setdefault(edge.source, []).append(self._way(edge))
            begins = [edge.action for edge in procedure.edges if isinstance(edge.action, Begin)]
            objects = {begin.name for begin in begins}
            for edge in procedure.edges:
                ends = isinstance(edge.action, Call | Invoke) and not objects.isdisjoint(edge.forgets)
                if ends:
                    raise Unsupported("an object ends with a call that may use it", f"line {edge.line}")
            sizes = {begin.name: _constant_of(begin.size) for begin in begins}
            self._codes[name] = Code(procedure, {at: _decide_once(own) for at, own in ways.items()}, sizes)
        return self._codes[name]

    def _way(self, edge: Edge) -> Way:
        action = edge.action
        if isinstance(action, Assume):
            return Way(edge, None if action.condition == (("truth", True),) else meaning_of(action.condition), None)
        return Way(edge, None, self._act(edge))

    def _act(self, edge: Edge) -> Act:
        place = edge.line, edge.column
        match edge.action:
            case Assign((target,), (value,), (("truth", True),)):
                return _assign(target, meaning_of(value))
            case Write(address, value, type, initial, packed):
                return _write(address_of(address), meaning_of(value), type, initial, packed, place)
            case Begin(name, size, zeroed, writable):
                return _begin(name, size, zeroed, writable, place)
            case Return(values):
                return _return([meaning_of(value) for value in values])
            case Call(name, arguments, targets):
                return self._call(name, [meaning_of(value) for value in arguments], targets, edge.target)
            case Invoke():
                return self._invoke(edge.action, edge.target, place)
            case Library(name, arguments, target):
                return _library(name, [meaning_of(value) for value in arguments], target, place)
        raise Unsupported(f"'{edge.action.__class__.__name__}' in a program with memory", f"line {edge.line}")

    def _call(self, name: str, arguments: list[Meaning], targets: tuple[str | None, ...], after: int) -> Act:
        def call(machine: Machine, frame: Frame) -> None:
            values = tuple([argument(machine, frame) for argument in arguments])
            machine.enter(self.code(name), values, targets, after)

        return call

    def _invoke(self, action: Invoke, after: int, place: tuple[int, int]) -> Act:
        function, arguments = meaning_of(action.function), [meaning_of(value) for value in action.arguments]

        def invoke(machine: Machine, frame: Frame) -> None:
            where = function(machine, frame)
            if where == (0, 0):
                raise Undefined("null", place)
            name = self.names.get(where[0]) if where[1] == 0 else None
            unknown = where[0] > 0 and machine.objects[where[0]].kind == "function"
            if unknown or (name is not None and name not in self.program.procedures):
                raise Unsupported("a function is called through a pointer that nobody defines", f"line {place[0]}")
            if name is None or not _agree(self.layout.forms.get(name), action.form):
                raise Undefined("call", place)
            values = tuple([argument(machine, frame) for argument in arguments])
            code = self.code(name)
            if len(values) < len(code.procedure.parameters):
                raise Undefined("call", place)
            machine.enter(code, values, action.targets, after)

        return invoke


def _agree(own: Form | None, taken: Form) -> bool:
    """Tell whether a function may be called as one of a form: result and parameters agree, where both are said."""
    if own is None or own.result != taken.result:
        return False
    if taken.parameters is None:
        return True
    if own.variadic != taken.variadic:
        return False
    return own.parameters is None or own.parameters == taken.parameters


def _constant_of(formula: Formula) -> int:
    """Return the number that a formula is; 0 where it is none."""
    return int(formula[0][1]) if len(formula) == 1 and formula[0][0] == "number" else 0


def _decide_once(ways: list[Way]) -> list[Way]:
    """Return the ways out of one location: where the second condition is the contrary of the first, it is no test."""
    formulas = [way.edge.action.condition for way in ways if isinstance(way.edge.action, Assume)]
    if len(formulas) == len(ways) == 2 and _are_contrary(*formulas):
        ways[1] = ways[1]._replace(otherwise=True)
    return ways


def _are_contrary(one: Formula, other: Formula) -> bool:
    """Tell whether one of two conditions holds and the other does not, as far as their text shows; none may choose."""
    if any(node[0] == "choice" for node in one):
        return False
    if one[:-1] == other[:-1] and one[-1][0] == other[-1][0] == "compare":
        return bool(one[-1][1] == _FLIPPED[other[-1][1]])
    return other == (*one, ("not",))


def _assign(target: str, value: Meaning) -> Act:
    def assign(machine: Machine, frame: Frame) -> None:
        frame.values[target] = value(machine, frame)

    return assign


def _write(address: Meaning, value: Meaning, type: Type, initial: bool, packed: bool, place: tuple[int, int]) -> Act:
    fit = alignment_of(type, packed)

    def write(machine: Machine, frame: Frame) -> None:
        where = address(machine, frame)
        if where[1].__class__ is not int:
            where = machine.settled(where, size_of(type))
        if where[1] % fit:
            machine.check_alignment(where, type, place)
        machine.store(where, type, value(machine, frame), place, initial)

    return write


def _begin(name: str, size: Formula, zeroed: bool, writable: bool, place: tuple[int, int]) -> Act:
    meaning, least = meaning_of(size), 0 if size[-1][0] == "number" else 1  # a length that is computed is none of 0

    def begin(machine: Machine, frame: Frame) -> None:
        length = machine.inputs.pinned(meaning(machine, frame))
        if not isinstance(length, int):
            raise Unsupported("the length of an array was made from a pointer")
        if length < least:
            raise Undefined("length", place)
        machine.begin(frame, name, length, zeroed, writable)

    return begin


def _return(values: list[Meaning]) -> Act:
    def leave(machine: Machine, frame: Frame) -> None:
        frame.results = tuple([value(machine, frame) for value in values])

    return leave


def _library(name: str, arguments: list[Meaning], target: str | None, place: tuple[int, int]) -> Act:
    def call(machine: Machine, frame: Frame) -> None:
        from knaster_check.memory.library import function_of
        from knaster_check.memory.library.characters import CLASSES
        from knaster_check.memory.library.formats import UNSEEN

        values = [argument(machine, frame) for argument in arguments]
        if name not in CLASSES and (target is not None or name not in UNSEEN):
            values = [machine.inputs.pinned(value) for value in values]
        result = function_of(name, machine.pointer, target is None)(machine, frame, values, place)
        if target is not None:
            frame.values[target] = result

    return call
