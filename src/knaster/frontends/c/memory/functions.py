"""Functions of programs with memory: which locals are variables of the model, and bodies as procedures."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import run
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.arithmetic import is_pointer
from knaster.frontends.c.memory.expressions import MemoryExpressions
from knaster.frontends.c.memory.jumps import labels_taken
from knaster.frontends.c.memory.scopes import ScopedGraph
from knaster.frontends.c.memory.statements import MemoryStatements
from knaster.frontends.c.memory.types import UnreadValueError, cell_of, is_scalar, scalar_parts, size_of
from knaster.frontends.c.names.library import TARGETS
from knaster.frontends.c.names.scope import Names
from knaster.frontends.c.names.types import Foreign, Void
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Compare, Comparison, Const, Expr, Var
from knaster.program.memory import AddressOf, Begin, Library, Store
from knaster.program.model import Assume, Procedure, result_name

if TYPE_CHECKING:
    from knaster.frontends.c.memory.unit import MemoryUnit

_MOST_PARTS = 12


class MemoryFunctions:
    """The functions of one file."""

    def __init__(self, unit: MemoryUnit) -> None:
        self.unit = unit

    def procedure(self, node: nodes.Function) -> Procedure | None:
        """Read a function."""
        name, span = node.name, self.unit.text.token(node)
        graph = ScopedGraph(_goes_back(node.body))
        self.unit.registers |= _registers(node) - self.unit.reader.volatile
        names = Names({*self.unit.file_names}, not _has_jumps(node.body))
        expressions = MemoryExpressions(self.unit, graph, name)
        expressions.span = span
        statements = MemoryStatements(self.unit, expressions, names, node.result)
        expressions.statements = statements
        statements.labels_taken = labels_taken(node)
        parameters = self._parameters(node, names, expressions)
        if isinstance(node.result, Foreign):
            self.unit.problem(node.result.what, span, node.result.advice)
        try:
            for parameter in node.parameters:
                expressions.measure(self.unit.reader.lengths.get(parameter, ()))
            run(statements.statement(node.body))
        except UnreadValueError as error:
            self.unit.problem(error.type.what, expressions.span, error.type.advice)
            return None
        statements.check_labels(node)
        if graph.here is not None:
            statements.leave((Const(0),) if name == "main" else (), span)
        if name in TARGETS:
            graph.labels.append((name, graph.entry))
        results = () if isinstance(node.result, Void) else (result_name(0),)
        types: dict[str, Any] = {**parameters, **expressions.locals}
        if results and not isinstance(node.result, Foreign):
            types[results[0]] = cell_of(node.result)
        entry, leave, edges, labels, failures = graph.finish()
        local = tuple(local for local in expressions.locals if local not in parameters)
        return Procedure(
            name, tuple(parameters), results, local, entry, leave, edges, labels, failures, span=span,
            types=tuple(types.items()),
        )  # fmt: skip

    def _parameters(self, node: nodes.Function, names: Names, expressions: MemoryExpressions) -> dict[str, Any]:
        """Return the parameters as variables of the model; those that are objects begin to live."""
        found: dict[str, Any] = {}
        graph = expressions.graph
        main = node.name == "main" and not self.unit.called_main
        needs_count = main and any(_is_used(node, parameter) for parameter in node.parameters[1:2])
        for number, parameter in enumerate(node.parameters, 1):
            type: Any = parameter.type
            if node.name == "main" and self._is_left_out(node, parameter, number, needs_count):
                self.unit.names[parameter] = parameter.name
                continue
            if main and number == 2:
                self._arguments(parameter, names, expressions, next(iter(found)))
                continue
            if isinstance(type, Foreign):
                self.unit.problem(type.what, expressions.span, type.advice)
                continue
            name, _ = names.fresh(parameter.name or f"parameter{number}", type)
            self.unit.names[parameter] = name
            found[name] = cell_of(type)
            if parameter in self.unit.registers:
                self.unit.note_shown(node.name, name, parameter)
            if main:
                graph.emit(Assume(self._count(Var(name))), expressions.span)
            if parameter not in self.unit.registers:
                shown = self.unit.reader.shown.get(parameter, "")
                self.unit.local_parts[node.name, name] = tuple(islice(scalar_parts(type, shown=shown), _MOST_PARTS))
                self.unit.note_members(node.name, name, type)
                graph.declare(name)
                graph.emit(Begin(name, Const(size_of(type))), expressions.span)
                store = Store(AddressOf(name), Var(name), cell_of(type), parameter.name, True)
                graph.emit(store, expressions.span)
        return found

    def _count(self, count: Expr) -> Expr:
        """Return what is known of the number of arguments."""
        given = self.unit.options.argc
        return Compare(Comparison.EQUAL if given else Comparison.AT_LEAST, count, Const(int(given or 0)))

    def _arguments(self, parameter: nodes.Object, names: Names, expressions: MemoryExpressions, count: str) -> None:
        """Let `argv` be a local that points to the arguments of main."""
        type: Any = parameter.type
        name, _ = names.fresh(parameter.name, type)
        self.unit.names[parameter] = name
        graph = expressions.graph
        if parameter in self.unit.registers:
            expressions.locals[name] = cell_of(type)
            graph.emit(Library("main_arguments", (Var(count),), name, cell_of(type)), expressions.span)
            return
        made = expressions.temporary(cell_of(type), parameter.name)
        graph.emit(Library("main_arguments", (Var(count),), made, cell_of(type)), expressions.span)
        self.unit.local_parts[expressions.function, name] = tuple(islice(scalar_parts(type), _MOST_PARTS))
        graph.declare(name)
        graph.emit(Begin(name, Const(size_of(type))), expressions.span)
        graph.emit(Store(AddressOf(name), Var(made), cell_of(type), parameter.name, True), expressions.span)

    def _is_left_out(self, node: nodes.Function, parameter: nodes.Object, number: int, needs_count: bool) -> bool:
        """Tell whether a parameter of main is none: nobody uses it, and no other needs it."""
        if number == 1 and is_scalar(parameter.type):
            return not needs_count and not _is_used(node, parameter)
        if number == 2 and not self.unit.called_main and is_pointer(parameter.type):
            return not _is_used(node, parameter)
        if _is_used(node, parameter):
            what = f"what main is given in '{parameter.name}' is not read"
            self.unit.problem(what, self.unit.text.token(parameter), "use __VERIFIER_nondet_int() and the like")
        return True


def calls_main(file: nodes.File) -> bool:
    """Tell whether a program calls main itself, or hands it on."""
    found = (part for function in file.functions for part in memory.walk(function.body))
    return any(isinstance(part, nodes.Call | memory.FunctionName) and part.name == "main" for part in found)


def _is_used(node: nodes.Function, wanted: nodes.Object) -> bool:
    return any(isinstance(found, nodes.Name) and found.object is wanted for found in memory.walk(node.body))


def _registers(node: nodes.Function) -> set[nodes.Object]:
    """Return the scalars of a function whose address nobody takes."""
    scalars = {parameter for parameter in node.parameters if is_scalar(parameter.type)}
    taken: set[nodes.Object] = set()
    for found in memory.walk(node.body):
        if isinstance(found, nodes.Declaration) and found.object.storage == "local" and is_scalar(found.object.type):
            scalars.add(found.object)
        elif isinstance(found, memory.AddressOf) and isinstance(found.operand, nodes.Name):
            taken.add(found.operand.object)
    return scalars - taken


def _goes_back(node: nodes.Compound) -> bool:
    """Tell whether a jump, or the next turn of a loop, may go back before an object begins that goes on to live."""
    return any(isinstance(found, nodes.Goto | memory.JumpTo | memory.Literal) for found in memory.walk(node))


def _has_jumps(node: nodes.Compound) -> bool:
    return any(isinstance(found, nodes.Goto | nodes.Switch) for found in memory.walk(node))
