"""A file of C as a whole: its declarations, its functions, and the program that they are."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast as syntax

from knaster.base.errors import Problem, Span
from knaster.base.hints import did_you_mean
from knaster.frontends.c.lower.effects import effect_of
from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.lower.functions import Functions
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.lower.objects import Objects
from knaster.frontends.c.lower.values import Values
from knaster.frontends.c.names.declarations import Declarations
from knaster.frontends.c.names.library import TARGETS
from knaster.frontends.c.names.scope import FunctionName, Scopes, Symbol, TypeName, clash
from knaster.frontends.c.names.types import (
    Foreign,
    Function,
)
from knaster.frontends.c.text.headers import LONG
from knaster.frontends.c.text.parse import Text
from knaster.frontends.text.options import COptions
from knaster.program.algebra import conjunction
from knaster.program.expression import Compare, Comparison, Const, Var, has_choice
from knaster.program.model import Kind, Procedure, Program
from knaster.program.types import Type


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
        self.declarations = Declarations(
            self.scopes, text, options.data_model, problems, self.constant, self.is_changed
        )
        self.defined: dict[str, Any] = {}
        self.targets: dict[str, Span] = {}  # functions whose call is a target and that nobody defines; the first call
        self.undefined: dict[str, Type | None] = {}  # other functions that nobody defines, and what they return
        self.calls: dict[str, set[str]] = {}
        self.file_names: set[str] = set()
        self.tree: Any = None
        self._changed: frozenset[str] | None = None
        self.said: set[tuple[str, Span]] = set()
        self.objects = Objects(self)
        self.functions = Functions(self)

    # Mistakes

    def problem(self, message: str, span: Span, hint: str = "") -> None:
        """Note something that is wrong, once."""
        if (message, span) not in self.said:
            self.said.add((message, span))
            self.problems.append(Problem(message, span, hint))

    def refuse_once(self, name: str, type: Foreign, span: Span) -> None:
        """Note the use of a variable of a type that is not read, unless its declaration was refused."""
        if (name, Span(0, 0, 0)) not in self.said:
            self.said.add((name, Span(0, 0, 0)))
            self.problem(f"{type.what}: '{name}'", span, type.advice)

    def note_undeclared(self, name: str, span: Span) -> None:
        """Note a name that is not declared."""
        known = {found for block in self.scopes.symbols for found in block}
        self.problem(f"'{name}' is not declared", span, did_you_mean(name, known) or "")

    def note_undefined(self, name: str, span: Span) -> None:
        """Remark that a function is an input."""
        message = f"'{name}' is not defined: it returns any value of its type and changes nothing"
        if (message, Span(0, 0, 0)) not in self.said:
            self.said.add((message, Span(0, 0, 0)))
            self.notes.append(Problem(message, span))

    # Constants

    def constant(self, node: Any) -> int | None:
        """Return the value of a constant expression; None where it is none."""
        reader = Expressions(self, Graph(), "")
        before = len(self.problems)
        value = reader.evaluate(node)
        wrong = len(self.problems) > before
        del self.problems[before:]
        if not wrong and isinstance(value.expr, Const) and isinstance(value.expr.value, int) and not reader.graph.edges:
            return int(value.expr.value)
        return None

    def is_changed(self, name: str) -> bool:
        """Tell whether a variable of this name is assigned anywhere in the file."""
        if self._changed is None:
            self._changed = effect_of(self.tree, ()).assigned
        return name in self._changed

    # Declarations

    def declare(self, name: str, symbol: Symbol, span: Span) -> None:
        """Declare a name in the innermost block."""
        if clash(self.scopes.symbols[-1].get(name), symbol):
            self.problem(f"'{name}' is declared twice here", span, "give one of the two another name")
        self.scopes.add(name, symbol)

    def typedef(self, node: Any) -> None:
        """Declare a name for a type."""
        self.declare(node.name, TypeName(self.declarations.type_of(node.type)), self.text.token(node))

    def declare_function(self, node: Any, type: Function) -> None:
        """Declare a function."""
        symbol = FunctionName(node.name, type)
        if clash(self.scopes.symbols[0].get(node.name), symbol):
            hint = "let its declarations and its definition say the same"
            self.problem(f"'{node.name}' was declared with another type before", self.text.token(node), hint)
        self.scopes.everywhere(node.name, symbol)

    # The file

    def read(self, tree: Any) -> list[Procedure]:
        """Read all declarations, then all bodies; return the functions."""
        for node in tree.ext:
            if isinstance(node, syntax.FuncDef):
                if node.decl.name in self.defined:
                    self.problem(f"'{node.decl.name}' is defined twice", self.text.token(node))
                self.defined[node.decl.name] = node
            elif isinstance(node, syntax.Decl) and node.name is not None:
                self.file_names.add(node.name)
        self.tree = tree
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
        type = self.objects.declared_type(node)
        if node.name is None:
            return
        if isinstance(type, Function):
            self.declare_function(node, type)
        else:
            self.objects.declare_global(node, type)

    def bodies(self, nodes: list[Any]) -> list[Procedure]:
        """Read the bodies; a function with problems that main never calls is left out with a remark."""
        found: dict[str, tuple[Procedure | None, list[Problem], Any]] = {}
        for node in nodes:
            before = len(self.problems)
            procedure = self.functions.procedure(node)
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
            procedures.append(Procedure(name, (), (), (), 0, 1, (), ((name, 0),), span=self.targets[name]))
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

    def program(self, procedures: list[Procedure], file: str, source: str) -> Program:
        """Return the program."""
        initial = self.objects.initial
        known = (name for name in self.objects.globals if name in initial)
        init = conjunction(Compare(Comparison.EQUAL, Var(name), initial[name]) for name in known)
        assert not has_choice(init)
        return Program(
            tuple(self.objects.globals),
            tuple(procedures),
            ("main",),
            init,
            file,
            source,
            "c",
            kind=Kind.INTEGERS,
            types=tuple(self.objects.globals.items()),
            errors=(*TARGETS, "ERROR"),
            undefined=tuple(self.undefined.items()),
            reading=(("integers", self.options.integers), ("data_model", self.options.data_model)),
        )
