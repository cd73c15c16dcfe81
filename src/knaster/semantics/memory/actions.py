"""Actions of programs with memory as functions of a machine and an activation, made once for each program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from knaster.base.errors import InternalError
from knaster.base.records import dataclass
from knaster.program.expression import Const, Expr
from knaster.program.memory import (
    Address,
    Begin,
    CellType,
    Invoke,
    Library,
    MemoryLayout,
    ObjectDeclaration,
    Store,
    bytes_of,
)
from knaster.program.model import Assign, Assume, Call, Edge, Location, Procedure, Program, Return
from knaster.program.types import Bool, Int, Type
from knaster.semantics.memory.bits import BITS, OVERFLOWS, builtins
from knaster.semantics.memory.characters import CHARACTERS, CLASSES
from knaster.semantics.memory.environment import ENVIRONMENT, uninterpreted
from knaster.semantics.memory.evaluate import Meaning, meaning, misfit
from knaster.semantics.memory.failure import CALL, LENGTH, NULL, Fault, Unclear
from knaster.semantics.memory.formats import FORMATS, UNSEEN
from knaster.semantics.memory.library import LIBRARY, Does
from knaster.semantics.memory.machine import Frame, Machine
from knaster.semantics.memory.mathematics import MATHEMATICS, WITH_POINTERS
from knaster.semantics.memory.numerals import NUMERALS
from knaster.semantics.memory.streams import STREAMS
from knaster.semantics.memory.strings import STRINGS
from knaster.semantics.memory.symbolic.symbols import Symbol
from knaster.semantics.memory.threads.operations import SECTIONS, THREADS
from knaster.semantics.memory.unknown import force

FUNCTIONS: dict[str, Does] = {
    **LIBRARY,
    **STRINGS,
    **CHARACTERS,
    **BITS,
    **OVERFLOWS,
    **FORMATS,
    **SECTIONS,
    **THREADS,
    **ENVIRONMENT,
    **STREAMS,
    **MATHEMATICS,
    **WITH_POINTERS,
    **NUMERALS,
}
UNINTERPRETED = "__CPROVER_uninterpreted_"
_ANY_NUMBERS = """malloc calloc alloca __builtin_alloca strchr strrchr toupper tolower sprintf snprintf asprintf usleep
difftime fdopen fseek fseeko main_arguments"""
ANY_NUMBERS = {*_ANY_NUMBERS.split(), *BITS, *OVERFLOWS}
Act = Callable[[Machine, Frame], None]
CompiledStep = tuple[Edge, Meaning | None, Act, tuple[str, ...]]  # mutant: a type


@dataclass(slots=True, eq=False)
class Code:
    """A procedure that can be run: the steps from each location."""

    procedure: Procedure
    types: dict[str, Type]
    steps: dict[Location, tuple[CompiledStep, ...]]


class Codes:
    """The procedures of a program, each made when it is first entered."""

    def __init__(self, program: Program) -> None:
        assert program.memory is not None
        self.program = program
        self.layout: MemoryLayout = program.memory
        self.nothing = Code(Procedure("", (), (), (), 0, 1, ()), {}, {})
        self.forms = dict(self.layout.forms)
        names = (procedure.name for procedure in program.procedures)
        self.functions = {name: Address(-number, 0) for number, name in enumerate(names, 1)}
        self.names = {address.base: name for name, address in self.functions.items()}
        self._codes: dict[str, Code] = {}
        self._initial: dict[str, list[tuple[int, CellType, Meaning]]] = {}
        self._images: dict[str, dict[int, tuple[int, int]] | None] = {}
        self._sizes = {
            (procedure.name, edge.action.name): edge.action.size
            for procedure in program.procedures
            for edge in procedure.edges
            if isinstance(edge.action, Begin)
        }

    def initial(self, declared: ObjectDeclaration) -> list[tuple[int, CellType, Meaning]]:
        """Return the initial values of an object."""
        if declared.name not in self._initial:
            self._initial[declared.name] = [(at, type, meaning(value)) for at, type, value in declared.cells]
        return self._initial[declared.name]

    def image(self, declared: ObjectDeclaration) -> dict[int, tuple[int, int]] | None:
        """Return the cells of an object whose initial values are numbers; None where some are something else."""
        if declared.name not in self._images:
            self._images[declared.name] = _constant_image(declared)
        return self._images[declared.name]

    def is_local(self, procedure: str, name: str) -> bool:
        """Tell whether a procedure declares a local object of this name."""
        return (procedure, name) in self._sizes

    def local_size(self, procedure: str, name: str) -> int:
        """Return the size of a local object whose declaration a jump has passed over."""
        size = meaning(self._sizes[procedure, name])(None, None)  # type: ignore[arg-type]
        return int(size)

    def code(self, name: str) -> Code:
        """Return a procedure that can be run."""
        if name not in self._codes:
            procedure = self.program.procedure(name)
            steps = {at: self._compile_all(edges) for at, edges in procedure.leaving.items()}
            self._codes[name] = Code(procedure, dict(procedure.types), steps)
        return self._codes[name]

    def function(self, name: str) -> Does:
        """Return what a function of the library does."""
        if name in BITS and self.layout.pointer == 4:
            return builtins(32)[name]
        return uninterpreted(name) if name.startswith(UNINTERPRETED) else FUNCTIONS[name]

    def _compile_all(self, edges: tuple[Edge, ...]) -> tuple[CompiledStep, ...]:
        """Return the steps of one location: where it has several, one condition holds, so the last is not evaluated."""
        found = [self._compile(edge) for edge in edges]
        if len(found) > 1 and all(step[1] is not None for step in found):
            found[-1] = found[-1][0], None, _nothing, found[-1][3]
        return tuple(found)

    def _compile(self, edge: Edge) -> CompiledStep:
        action = edge.action
        if isinstance(action, Assume):
            return edge, meaning(action.condition), _nothing, edge.forgets
        return edge, None, self._act(edge), edge.forgets

    def _act(self, edge: Edge) -> Act:
        action: Any = edge.action
        match action:
            case Assign((target,), (value,)):
                return _assign(target, meaning(value))
            case Store(address, value, type, _, initial, packed):
                return _store(meaning(address), meaning(value), type, edge, initial, packed)
            case Begin(name, size, zeroed, writable):
                return _begin(name, size, zeroed, writable, edge)
            case Return(values):
                return _leave(tuple(map(meaning, values)))
            case Call(procedure, arguments, targets):
                return self._call(procedure, tuple(map(meaning, arguments)), targets, edge)
            case Invoke():
                return self._invoke(action, edge)
            case Library(name, arguments, target, type):
                return _library(name, self.function(name), tuple(map(meaning, arguments)), target, edge)
        raise InternalError(f"an action of a program with memory has no meaning: {action.__class__.__name__}")

    def _call(self, name: str, arguments: tuple[Meaning, ...], targets: tuple[str | None, ...], edge: Edge) -> Act:
        count = len(self.program.procedure(name).parameters)

        def call(machine: Machine, frame: Frame) -> None:
            values = tuple([argument(machine, frame) for argument in arguments])
            machine.enter(self.code(name), values, targets, edge.target, values[count:])

        return call

    def _invoke(self, action: Invoke, edge: Edge) -> Act:
        function, arguments = meaning(action.function), tuple(map(meaning, action.arguments))

        def invoke(machine: Machine, frame: Frame) -> None:
            base, offset = function(machine, frame)
            if base == 0 and offset == 0:
                raise Fault(NULL, edge.span, "a null pointer is called")
            name = self.names.get(base) if offset == 0 else None
            if machine.is_function_elsewhere(base):
                raise Unclear("a function is called through a pointer that nobody defines")
            if name is None:
                raise Fault(CALL, edge.span)
            if not agree(self.forms[name], action.form):
                raise Fault(CALL, edge.span, f"'{name}' is called as a function of another type")
            values = tuple([argument(machine, frame) for argument in arguments])
            code = self.code(name)
            count = len(code.procedure.parameters)
            if len(values) < count:
                raise Fault(CALL, edge.span, f"'{name}' is called with too few arguments")
            machine.enter(code, values, action.targets, edge.target, values[count:])

        return invoke


def agree(own: Any, form: Any) -> bool:
    """Tell whether a function may be called as one of a form."""
    if own == form:
        return True
    if own.result != form.result or own.variadic != (form.variadic and form.parameters is not None):
        return own.result == form.result and form.parameters is None
    return own.parameters is None or form.parameters is None or own.parameters == form.parameters


def _nothing(machine: Machine, frame: Frame) -> None:
    pass


def _assign(target: str, value: Meaning) -> Act:
    def assign(machine: Machine, frame: Frame) -> None:
        frame.registers[target] = value(machine, frame)

    return assign


def _store(address: Meaning, value: Meaning, type: Any, edge: Edge, initial: bool, packed: bool) -> Act:
    size, mask = bytes_of(type), misfit(type, packed)
    whole = (1 << 8 * size) - 1

    def store(machine: Machine, frame: Frame) -> None:
        place = address(machine, frame)
        if place[1].__class__ is not int:  # mutant: the same checks in another order
            machine.check_place(place, size, mask, edge.span)
        elif place[1] & mask:
            machine.check_alignment(place, size, edge.span)
        written = value(machine, frame)
        if written.__class__ is not int:
            machine.store(place, type, written, edge.span, initial)
            return
        found = machine.usable(place, size, edge.span)
        if not found.writable and not initial:
            machine.refuse_write(found, edge.span)
        found.write(place[1], size, written & whole)

    return store


def _constant_image(declared: ObjectDeclaration) -> dict[int, tuple[int, int]] | None:
    found: dict[int, tuple[int, int]] = {}
    end = 0
    for offset, type, value in declared.cells:
        number = value.value if isinstance(value, Const) else None
        if not isinstance(type, Int | Bool) or not isinstance(number, int) or offset < end:
            return None
        size = bytes_of(type)
        found[offset] = size, int(number) & (1 << 8 * size) - 1
        end = offset + size
    return found


def _begin(name: str, size: Expr, zeroed: bool, writable: bool, edge: Edge) -> Act:
    measure, least = meaning(size), 0 if isinstance(size, Const) else 1  # a length that is computed is positive

    def begin(machine: Machine, frame: Frame) -> None:
        length = measure(machine, frame)
        if not isinstance(length, Symbol):
            length = force(length)
        if not isinstance(length, int | Symbol) or length < least:
            raise Fault(LENGTH, edge.span)
        machine.begin(frame, name, length, zeroed, writable)

    return begin


def _leave(values: tuple[Meaning, ...]) -> Act:
    def leave(machine: Machine, frame: Frame) -> None:
        frame.results = tuple([value(machine, frame) for value in values])

    return leave


def _library(name: str, does: Does, arguments: tuple[Meaning, ...], target: str | None, edge: Edge) -> Act:
    take: Callable[[Any], Any] = force
    if name in ANY_NUMBERS or name.startswith(UNINTERPRETED):
        take = _keep_symbol
    elif name in UNSEEN and target is None:
        take, does = _leave_open, UNSEEN[name]
    elif name in CLASSES:
        take = _leave_open

    def call(machine: Machine, frame: Frame) -> None:
        result = does(machine, frame, tuple([take(argument(machine, frame)) for argument in arguments]), edge.span)
        if target is not None:
            frame.registers[target] = result

    return call


def _keep_symbol(value: Any) -> Any:
    return value if isinstance(value, Symbol) else force(value)


def _leave_open(value: Any) -> Any:
    """Return a value that is not chosen yet where it is an input: nobody needs the number itself."""
    return value


def steps_of(code: Code) -> Iterator[Edge]:
    """Yield the edges of a procedure that can be run."""
    for steps in code.steps.values():
        for step in steps:
            yield step[0]


__all__ = ["Act", "Code", "Codes", "bytes_of", "steps_of"]
