"""Functions of programs with memory: which locals are variables of the model, and bodies as procedures."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import run
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.expressions import MemoryExpressions
from knaster.frontends.c.memory.scopes import ScopedGraph
from knaster.frontends.c.memory.statements import MemoryStatements
from knaster.frontends.c.memory.types import cell_of, is_scalar, scalar_parts, size_of
from knaster.frontends.c.names.library import TARGETS
from knaster.frontends.c.names.scope import Names
from knaster.frontends.c.names.types import Foreign, Void
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Compare, Comparison, Const, Var
from knaster.program.memory import AddressOf, Begin, Store
from knaster.program.model import Assume, Procedure, Return, result_name

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
        graph = ScopedGraph()
        self.unit.registers |= _registers(node)
        names = Names({*self.unit.file_names}, not _has_jumps(node.body))
        expressions = MemoryExpressions(self.unit, graph, name)
        expressions.span = span
        statements = MemoryStatements(self.unit, expressions, names, node.result)
        expressions.statements = statements
        parameters = self._parameters(node, names, expressions)
        if isinstance(node.result, Foreign):
            self.unit.problem(node.result.what, span, node.result.advice)
        run(statements.statement(node.body))
        if graph.here is not None:
            graph.emit(Return((Const(0),) if name == "main" else ()), span, graph.exit)
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
        for number, parameter in enumerate(node.parameters, 1):
            type: Any = parameter.type
            if node.name == "main" and self._is_left_out(node, parameter, number):
                self.unit.names[parameter] = parameter.name
                continue
            if isinstance(type, Foreign):
                self.unit.problem(type.what, expressions.span, type.advice)
                continue
            name, _ = names.fresh(parameter.name or f"parameter{number}", type)
            self.unit.names[parameter] = name
            found[name] = cell_of(type)
            if parameter not in self.unit.registers:
                self.unit.local_parts[node.name, name] = tuple(islice(scalar_parts(type), _MOST_PARTS))
                graph.scope |= {name}
                graph.emit(Begin(name, Const(size_of(type))), expressions.span)
                store = Store(AddressOf(name), Var(name), cell_of(type), parameter.name, True)
                graph.emit(store, expressions.span)
            elif node.name == "main":
                graph.emit(Assume(Compare(Comparison.AT_LEAST, Var(name), Const(0))), expressions.span)
        return found

    def _is_left_out(self, node: nodes.Function, parameter: nodes.Object, number: int) -> bool:
        """Tell whether a parameter of main is none: only the number of arguments is an input."""
        if number == 1 and is_scalar(parameter.type) and parameter in self.unit.registers:
            return not _is_used(node, parameter)
        if _is_used(node, parameter):
            what = f"what main is given in '{parameter.name}' is not read"
            self.unit.problem(what, self.unit.text.token(parameter), "use __VERIFIER_nondet_int() and the like")
        return True


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


def _has_jumps(node: nodes.Compound) -> bool:
    return any(isinstance(found, nodes.Goto | nodes.Switch) for found in memory.walk(node))
