"""A file of C as a whole: its declarations, its functions, and the program that they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycparser import c_ast as syntax

from knaster.descent import run
from knaster.errors import Problem, Span
from knaster.frontends.c.declarations import Declarations
from knaster.frontends.c.expressions import Expressions
from knaster.frontends.c.graph import Graph
from knaster.frontends.c.headers import LONG
from knaster.frontends.c.initial import initial_values, text_length
from knaster.frontends.c.library import TARGETS
from knaster.frontends.c.parse import Text
from knaster.frontends.c.scope import FunctionName, Names, Scopes, TypeName, Variable
from knaster.frontends.c.statements import Statements, undefined_labels
from knaster.frontends.c.types import (
    INT,
    Boolean,
    CType,
    Foreign,
    Function,
    Leaf,
    Vector,
    Void,
    array_of,
    leaves,
)
from knaster.frontends.c.values import Values
from knaster.frontends.options import COptions
from knaster.hints import did_you_mean
from knaster.program.expression import TRUE, Binary, Choice, Compare, Comparison, Const, Expr, Operator, Var, has_choice
from knaster.program.model import Assign, Assume, Procedure, Program, Return, result_name
from knaster.program.types import Type


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call of a function of the program needs to know."""

    result: CType
    parameters: tuple[CType, ...]
    names: tuple[str, ...]


class Unit:
    """One file while it is read."""

    def __init__(self, text: Text, options: COptions, problems: list[Problem], notes: list[Problem]) -> None:
        self.text = text
        self.options = options
        self.problems = problems
        self.notes = notes
        self.long = LONG[options.data_model]
        self.values = Values(options.integers == "mathematical")
        self.scopes = Scopes()
        self.declarations = Declarations(self.scopes, text, options.data_model, problems, self.constant)
        self.defined: dict[str, Any] = {}
        self.targets: set[str] = set()  # functions whose call is a target and that nobody defines
        self.calls: dict[str, set[str]] = {}
        self.globals: dict[str, Type] = {}
        self.initial: dict[str, Expr] = {}
        self._signatures: dict[str, Signature] = {}
        self._file_names: set[str] = set()
        self._said: set[tuple[str, Span]] = set()

    # Mistakes

    def problem(self, message: str, span: Span, hint: str = "") -> None:
        """Note something that is wrong, once."""
        if (message, span) not in self._said:
            self._said.add((message, span))
            self.problems.append(Problem(message, span, hint))

    def refuse_once(self, name: str, type: Foreign, span: Span) -> None:
        """Note the use of a variable of a type that is not read, unless its declaration was refused."""
        if (name, Span(0, 0, 0)) not in self._said:
            self._said.add((name, Span(0, 0, 0)))
            self.problem(f"{type.what}: '{name}'", span, type.advice)

    def undeclared(self, name: str, span: Span) -> None:
        """Note a name that is not declared."""
        known = {found for block in self.scopes.symbols for found in block}
        self.problem(f"'{name}' is not declared", span, did_you_mean(name, known) or "")

    def note_undefined(self, name: str, span: Span) -> None:
        """Remark that a function is an input."""
        message = f"'{name}' is not defined: it returns any value of its type and changes nothing"
        if (message, Span(0, 0, 0)) not in self._said:
            self._said.add((message, Span(0, 0, 0)))
            self.notes.append(Problem(message, span))

    # Constants

    def constant(self, node: Any) -> int | None:
        """Return the value of a constant expression; None where it is none."""
        reader = Expressions(self, Graph(), "")
        before = len(self.problems)
        value = reader.evaluate(node)
        del self.problems[before:]
        if isinstance(value.expr, Const) and isinstance(value.expr.value, int) and not reader.graph.edges:
            return int(value.expr.value)
        return None

    def zero(self, leaf: Leaf) -> Expr:
        """Return the value that a variable of the model has where nothing is said."""
        found: Any = False if isinstance(leaf.scalar, Boolean) else 0
        for length in reversed(leaf.lengths):
            found = (found,) * length
        return Const(found)

    # Declarations

    def typedef(self, node: Any) -> None:
        """Declare a name for a type."""
        self.scopes.add(node.name, TypeName(self.declarations.type_of(node.type)))

    def declared_type(self, node: Any) -> CType:
        """Return the type of a variable that is declared; an initialiser may tell the length of an array."""
        type = self.declarations.type_of(node.type)
        if isinstance(type, Vector) and type.length == 0:
            length = text_length(node.init)
            if length:
                return Vector(type.element, length)
            if "extern" not in node.storage:
                return Foreign("the length of this array is not said", "give it a constant length")
        return type

    def declare_function(self, node: Any, type: Function) -> None:
        """Declare a function."""
        self.scopes.everywhere(node.name, FunctionName(node.name, type))

    def declare_global(self, node: Any, type: CType) -> None:
        """Declare a variable of the whole file; what is only declared is an object only where it is used."""
        known = self.scopes.symbols[0].get(node.name)
        external = "extern" in node.storage and node.init is None
        if isinstance(known, Variable) and (external or known.type == type) and node.init is None:
            self.scopes.add(node.name, known)
            if not external and known.name in self._pending_names():
                self.define_global(known, None)
            return
        symbol = Variable(node.name, type, True)
        self.scopes.everywhere(node.name, symbol)
        self.scopes.add(node.name, symbol)
        if not external:
            self.define_global(symbol, node)

    def _pending_names(self) -> set[str]:
        return {symbol.name for symbol in self.scopes.symbols[0].values() if isinstance(symbol, Variable)} - {
            name.split(".")[0] for name in self.initial
        }

    def define_global(self, symbol: Variable, node: Any) -> None:
        """Give a global its initial value."""
        if isinstance(symbol.type, Foreign | Void | Function):
            if isinstance(symbol.type, Foreign):
                span = self.text.token(node) if node is not None else Span(1, 1)
                self.problem(symbol.type.what, span, symbol.type.advice)
                self._said.add((symbol.name, Span(0, 0, 0)))
            return
        parts = list(leaves(symbol.type))
        values = [self.zero(leaf) for leaf in parts]
        if node is not None and node.init is not None:
            reader = Expressions(self, Graph(), "")
            values = list(initial_values(self, reader, symbol.type, node.init))
            if reader.graph.edges or not all(isinstance(value, Const) for value in values):
                self.problem(f"the initial value of '{symbol.name}' is no constant", self.text.token(node))
        for leaf, value in zip(parts, values, strict=True):
            self.initial[symbol.name + leaf.suffix] = value
        self.used(symbol)

    def used(self, symbol: Variable) -> None:
        """Make sure that a global is one of the program's variables."""
        if symbol.is_global:
            for leaf in leaves(symbol.type):
                self.globals[symbol.name + leaf.suffix] = array_of(self.values.model(leaf.scalar), leaf.lengths)

    def declare_static(self, node: Any, type: CType, function: str) -> None:
        """Declare a static local: a global that only its block can name."""
        base, number = f"{function}::{node.name}", 1
        name = base
        while name in self.initial or any(known.startswith(f"{name}.") for known in self.initial):
            number += 1
            name = f"{base}#{number}"
        symbol = Variable(name, type, True)
        self.scopes.add(node.name, symbol)
        self.define_global(symbol, node)

    # The file

    def read(self, tree: Any) -> list[Procedure]:
        """Read all declarations, then all bodies; return the functions."""
        for node in tree.ext:
            if isinstance(node, syntax.FuncDef):
                if node.decl.name in self.defined:
                    self.problem(f"'{node.decl.name}' is defined twice", self.text.token(node))
                self.defined[node.decl.name] = node
            elif isinstance(node, syntax.Decl) and node.name is not None:
                self._file_names.add(node.name)
        bodies: list[tuple[Any, int]] = []
        for node in tree.ext:
            match node:
                case syntax.FuncDef():
                    type = self.declarations.type_of(node.decl.type)
                    assert isinstance(type, Function)
                    self.declare_function(node.decl, type)
                    bodies.append((node, len(bodies)))
                case syntax.Typedef():
                    self.typedef(node)
                case syntax.Decl():
                    self.declare_file_level(node)
                case _:
                    pass
        return self.bodies([node for node, _ in bodies])

    def declare_file_level(self, node: Any) -> None:
        """Read a declaration outside of functions."""
        type = self.declared_type(node)
        if node.name is None:
            return
        if isinstance(type, Function):
            self.declare_function(node, type)
        else:
            self.declare_global(node, type)

    def bodies(self, nodes: list[Any]) -> list[Procedure]:
        """Read the bodies; a function with problems that main never calls is left out with a remark."""
        found: dict[str, tuple[Procedure | None, list[Problem], Any]] = {}
        for node in nodes:
            before = len(self.problems)
            procedure = self.procedure(node)
            found[node.decl.name] = (procedure, self.problems[before:], node)
            del self.problems[before:]
        needed = self.reachable("main") if "main" in found else set(found)
        procedures = []
        for name, (made, problems, node) in found.items():
            if name in needed or not problems:
                self.problems += problems
                procedures += [made] if made is not None else []
            else:
                self.notes.append(
                    Problem(f"'{name}' is never called and left out: {problems[0].message}", self.text.token(node))
                )
        for name in sorted(self.targets):
            procedures.append(Procedure(name, (), (), (), 0, 1, (), ((name, 0),)))
        return procedures

    def reachable(self, start: str) -> set[str]:
        """Return the functions that a function calls, directly or not, and itself."""
        found, todo = {start}, [start]
        while todo:
            for name in self.calls.get(todo.pop(), ()):
                if name not in found:
                    found.add(name)
                    todo.append(name)
        return found

    def signature(self, name: str) -> Signature:
        """Return the result and the parameters of a function of the program."""
        if name not in self._signatures:
            self._signatures[name] = self._read_signature(name)
        return self._signatures[name]

    def _read_signature(self, name: str) -> Signature:
        node = self.defined[name]
        declaration = node.decl.type
        result = self.declarations.type_of(declaration.type)
        old = {parameter.name: parameter for parameter in node.param_decls or ()}
        types: list[CType] = []
        names: list[str] = []
        for parameter in declaration.args.params if declaration.args is not None else ():
            if isinstance(parameter, syntax.EllipsisParam):
                continue
            if isinstance(parameter, syntax.ID):
                parameter = old.get(parameter.name, parameter)
            type: CType = self.declarations.parameter(parameter) if hasattr(parameter, "type") else INT
            if isinstance(type, Void):
                continue
            if name == "main" and isinstance(type, Foreign):
                self._said.discard((parameter.name or "", Span(0, 0, 0)))
                continue
            types.append(type)
            names.append(parameter.name or f"parameter{len(names) + 1}")
        return Signature(result, tuple(types), tuple(names))

    def procedure(self, node: Any) -> Procedure | None:
        """Read a function."""
        name, span = node.decl.name, self.text.token(node)
        signature = self.signature(name)
        graph = Graph()
        names = Names(set(self._file_names | set(self.globals)), not _has_goto(node.body))
        expressions = Expressions(self, graph, name)
        statements = Statements(self, expressions, names, signature.result)
        self.scopes.open()
        if name == "main":
            self._foreign_parameters(node)
        parameters: dict[str, Type] = {}
        for called, type in zip(signature.names, signature.parameters, strict=True):
            if isinstance(type, Foreign):
                self.problem(type.what, span, type.advice)
            inner, _ = names.fresh(called, type)
            for leaf in leaves(type):
                parameters[inner + leaf.suffix] = array_of(self.values.model(leaf.scalar), leaf.lengths)
            self.scopes.add(called, Variable(inner, type))
        expressions.parameters = parameters
        if isinstance(signature.result, Foreign):
            self.problem(signature.result.what, span, signature.result.advice)
        if name == "main":
            self._counted(graph, signature, parameters, span)
        run(statements.statement(node.body))
        for label, where in undefined_labels(statements):
            self.problem(f"there is no label '{label}' in '{name}'", where)
        results = self._finish(statements, name, span)
        self.scopes.close()
        if name in TARGETS:
            graph.labels.append((name, graph.entry))
        entry, leave, edges, labels, failures = graph.finished()
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

    def _counted(self, graph: Graph, signature: Signature, parameters: dict[str, Type], span: Span) -> None:
        """Let `argc` be a number that C promises, unless the program calls main itself."""
        calls_itself = any("main" in called_names(node) for node in self.defined.values())
        if len(parameters) == 1 and len(signature.names) == 1 and not calls_itself:
            graph.emit(Assume(Compare(Comparison.AT_LEAST, Var(next(iter(parameters))), Const(0))), span)

    def _foreign_parameters(self, node: Any) -> None:
        """Declare `argv`, so that only its use is refused."""
        for parameter in node.decl.type.args.params if node.decl.type.args is not None else ():
            if hasattr(parameter, "type") and parameter.name:
                type = self.declarations.parameter(parameter)
                if isinstance(type, Foreign):
                    self.scopes.add(parameter.name, Variable(parameter.name, type))

    def _finish(self, statements: Statements, name: str, span: Span) -> dict[str, Type]:
        """Let control that reaches the end of a body return; return the results of the function."""
        graph, result = statements.graph, statements.result
        results: dict[str, Type] = {}
        for index, leaf in enumerate(leaves(result)):
            results[result_name(index)] = array_of(self.values.model(leaf.scalar), leaf.lengths)
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

    def program(self, procedures: list[Procedure], file: str, source: str) -> Program:
        """Return the program."""
        init: Expr = TRUE
        for name in self.globals:
            if name in self.initial:
                equal = Compare(Comparison.EQUAL, Var(name), self.initial[name])
                init = equal if init == TRUE else Binary(Operator.AND, init, equal)
        assert not has_choice(init)
        return Program(
            tuple(self.globals),
            tuple(procedures),
            ("main",),
            init,
            file,
            source,
            "c",
            types=tuple(self.globals.items()),
            errors=(*TARGETS, "ERROR"),
            reading=(("integers", self.options.integers), ("data_model", self.options.data_model)),
        )


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
