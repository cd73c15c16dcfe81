"""Functions of C: their signatures, and their bodies as procedures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast as syntax

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.base.trampoline import run
from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.lower.statements import Statements, undefined_labels
from knaster.frontends.c.names.library import TARGETS
from knaster.frontends.c.names.scope import Names, Variable
from knaster.frontends.c.names.types import (
    INT,
    CType,
    Foreign,
    Void,
    array_of,
    leaves,
)
from knaster.program.expression import Choice, Compare, Comparison, Const, Var
from knaster.program.model import Assign, Assume, Procedure, Return, result_name
from knaster.program.types import Type

if TYPE_CHECKING:
    from knaster.frontends.c.lower.unit import Unit


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call of a function of the program needs to know."""

    result: CType
    parameters: tuple[CType, ...]
    names: tuple[str, ...]


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
        declaration = node.decl.type
        result = self.unit.declarations.type_of(declaration.type)
        old = {parameter.name: parameter for parameter in node.param_decls or ()}
        types: list[CType] = []
        names: list[str] = []
        for parameter in declaration.args.params if declaration.args is not None else ():
            if isinstance(parameter, syntax.EllipsisParam):
                continue
            if isinstance(parameter, syntax.ID):
                parameter = old.get(parameter.name, parameter)
            type: CType = self.unit.declarations.parameter(parameter) if hasattr(parameter, "type") else INT
            if isinstance(type, Void):
                continue
            if name == "main" and isinstance(type, Foreign):
                self.unit.said.discard((parameter.name or "", Span(0, 0, 0)))
                continue
            types.append(type)
            names.append(parameter.name or f"parameter{len(names) + 1}")
        return Signature(result, tuple(types), tuple(names))

    def procedure(self, node: Any) -> Procedure | None:
        """Read a function."""
        name, span = node.decl.name, self.unit.text.token(node)
        signature = self.signature(name)
        graph = Graph()
        jumps = self.unit.text.jumps and _has_goto(node.body)
        names = Names({*self.unit.file_names, *self.unit.objects.globals}, not jumps)
        expressions = Expressions(self.unit, graph, name)
        statements = Statements(self.unit, expressions, names, signature.result)
        self.unit.scopes.open()
        if name == "main":
            self._foreign_parameters(node)
        parameters: dict[str, Type] = {}
        for called, type in zip(signature.names, signature.parameters, strict=True):
            if isinstance(type, Foreign):
                self.unit.problem(type.what, span, type.advice)
            inner, _ = names.fresh(called, type)
            for leaf in leaves(type):
                parameters[inner + leaf.suffix] = array_of(self.unit.values.model(leaf.scalar), leaf.lengths)
            self.unit.declare(called, Variable(inner, type), span)
        expressions.parameters = parameters
        if isinstance(signature.result, Foreign):
            self.unit.problem(signature.result.what, span, signature.result.advice)
        if name == "main":
            self._limit_argc(graph, signature, parameters, span)
        run(statements.statement(node.body))
        for label, where in undefined_labels(statements):
            self.unit.problem(f"there is no label '{label}' in '{name}'", where)
        results = self._finish(statements, name, span)
        self.unit.scopes.close()
        if name in TARGETS:
            graph.labels.append((name, graph.entry))
        entry, leave, edges, labels, failures = graph.finish()
        types = {**parameters, **expressions.locals, **results}
        return Procedure(
            name,
            tuple(parameters),
            tuple(results),
            tuple(expressions.locals),
            entry,
            leave,
            edges,
            labels,
            failures,
            span=span,
            types=tuple(types.items()),
        )

    def _limit_argc(self, graph: Graph, signature: Signature, parameters: dict[str, Type], span: Span) -> None:
        """Let `argc` be a number that C promises, unless the program calls main itself."""
        calls_itself = any("main" in called_names(node) for node in self.unit.defined.values())
        if len(parameters) == 1 and len(signature.names) == 1 and not calls_itself:
            graph.emit(Assume(Compare(Comparison.AT_LEAST, Var(next(iter(parameters))), Const(0))), span)

    def _foreign_parameters(self, node: Any) -> None:
        """Declare `argv`, so that only its use is refused."""
        for parameter in node.decl.type.args.params if node.decl.type.args is not None else ():
            if hasattr(parameter, "type") and parameter.name:
                type = self.unit.declarations.parameter(parameter)
                if isinstance(type, Foreign):
                    self.unit.scopes.add(parameter.name, Variable(parameter.name, type))

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


def called_names(node: Any) -> set[str]:
    """Return the names of the functions that a definition calls."""
    found, todo = set(), [node]
    while todo:
        at = todo.pop()
        if isinstance(at, syntax.FuncCall) and isinstance(at.name, syntax.ID):
            found.add(str(at.name.name))
        todo += [child for _, child in at.children()]
    return found


def _has_goto(node: Any) -> bool:
    todo = [node]
    while todo:
        found = todo.pop()
        if isinstance(found, syntax.Goto | syntax.Switch):
            return True
        todo += [child for _, child in found.children()]
    return False
