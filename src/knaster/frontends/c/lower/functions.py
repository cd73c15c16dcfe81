"""Functions of C: their signatures, and their bodies as procedures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.base.trampoline import run
from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.lower.statements import Statements
from knaster.frontends.c.names.library import TARGETS
from knaster.frontends.c.names.scope import Names
from knaster.frontends.c.names.types import (
    CType,
    Foreign,
    array_of,
    leaves,
)
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Choice, Compare, Comparison, Const, Var
from knaster.program.model import Assign, Assume, Procedure, Return, result_name
from knaster.program.thread_liveness import live_locals
from knaster.program.types import Type

if TYPE_CHECKING:
    from knaster.frontends.c.lower.unit import Unit


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call of a function of the program needs to know."""

    result: CType
    parameters: tuple[CType, ...]
    objects: tuple[nodes.Object, ...]


class Functions:
    """The functions of one file."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._signatures: dict[str, Signature] = {}

    def signature(self, name: str) -> Signature:
        """Return the result and the parameters of a function of the program."""
        if name not in self._signatures:
            self._signatures[name] = self._read_signature(name)
        return self._signatures[name]

    def _read_signature(self, name: str) -> Signature:
        node = self.unit.defined[name]
        found = node.parameters
        if name == "main":  # of `argv` only its use is refused
            found = tuple(parameter for parameter in found if not isinstance(parameter.type, Foreign))
        return Signature(node.result, tuple(parameter.type for parameter in found), found)

    def procedure(self, node: nodes.Function) -> Procedure | None:
        """Read a function."""
        name, span = node.name, self.unit.text.token(node)
        signature = self.signature(name)
        graph = Graph()
        jumps = _has_goto(node.body)
        names = Names({*self.unit.file_names, *self.unit.objects.globals}, not jumps)
        expressions = Expressions(self.unit, graph, name)
        statements = Statements(self.unit, expressions, names, signature.result)
        expressions.blocks.statements = statements
        parameters: dict[str, Type] = {}
        for number, parameter in enumerate(signature.objects, 1):
            type = parameter.type
            if isinstance(type, Foreign):
                self.unit.problem(type.what, span, type.advice)
            inner, _ = names.fresh(parameter.name or f"parameter{number}", type)
            for leaf in leaves(type):
                parameters[inner + leaf.suffix] = array_of(self.unit.values.model(leaf.scalar), leaf.lengths)
            self.unit.names[parameter] = inner
        expressions.parameters = parameters
        if isinstance(signature.result, Foreign):
            self.unit.problem(signature.result.what, span, signature.result.advice)
        if name == "main":
            self._limit_argc(graph, signature, parameters, span)
        run(statements.statement(node.body))
        statements.check_labels(node)
        results = self._finish(statements, name, span)
        if name in TARGETS:
            graph.labels.append((name, graph.entry))
        types = {**parameters, **expressions.locals, **results}
        found = _procedure(name, parameters, results, expressions.locals, types, graph, span)
        if jumps and (unset := self._unset(found)):
            for variable in unset:
                choice = Choice(types[variable], span, variable)
                graph.enter(Assign((variable,), (choice,)), span)
            found = _procedure(name, parameters, results, expressions.locals, types, graph, span)
        return found

    def _unset(self, procedure: Procedure) -> list[str]:
        """Return the locals that are read where a jump has passed over their declaration: they are inputs."""
        live = live_locals(procedure)[procedure.entry]
        return [name for name in procedure.locals if name in live]

    def _limit_argc(self, graph: Graph, signature: Signature, parameters: dict[str, Type], span: Span) -> None:
        """Let `argc` be a number that C promises, unless the program calls main itself."""
        if len(parameters) != 1 or len(signature.objects) != 1:
            return
        if not any("main" in called_names(node) for node in self.unit.defined.values()):
            given = self.unit.options.argc
            known = Comparison.EQUAL if given else Comparison.AT_LEAST
            graph.emit(Assume(Compare(known, Var(next(iter(parameters))), Const(int(given or 0)))), span)

    def _finish(self, statements: Statements, name: str, span: Span) -> dict[str, Type]:
        """Let control that reaches the end of a body return; return the results of the function."""
        graph, result = statements.graph, statements.result
        results: dict[str, Type] = {}
        for index, leaf in enumerate(leaves(result)):
            results[result_name(index)] = array_of(self.unit.values.model(leaf.scalar), leaf.lengths)
        if graph.here is None:
            return results
        if not results:
            graph.jump(graph.exit)
        elif name == "main":
            graph.emit(Return((Const(0),)), span, graph.exit)
        else:
            variables = []
            for type in results.values():
                variables.append(statements.expressions.temporary(type))
                choice = Choice(type, span, f"what {name} returns")
                graph.emit(Assign((variables[-1],), (choice,)), span)
            graph.emit(Return(tuple(Var(variable) for variable in variables)), span, graph.exit)
        graph.here = None
        return results


def _procedure(
    name: str,
    parameters: Mapping[str, Type],
    results: Mapping[str, Type],
    local: Mapping[str, Type],
    types: Mapping[str, Type],
    graph: Graph,
    span: Span,
) -> Procedure:
    entry, leave, edges, labels, failures = graph.finish()
    return Procedure(
        name,
        tuple(parameters),
        tuple(results),
        tuple(local),
        entry,
        leave,
        edges,
        labels,
        failures,
        span=span,
        types=tuple(types.items()),
    )


def called_names(node: nodes.Function) -> set[str]:
    """Return the names of the functions that a definition calls."""
    found: set[str] = set()
    todo: list[Any] = [node.body]
    while todo:
        at = todo.pop()
        if isinstance(at, nodes.Call):
            found.add(at.name)
        todo += nodes.parts(at)
    return found


def _has_goto(node: nodes.Compound) -> bool:
    todo: list[Any] = [node]
    while todo:
        found = todo.pop()
        if isinstance(found, nodes.Goto | nodes.Switch):
            return True
        todo += nodes.parts(found)
    return False
