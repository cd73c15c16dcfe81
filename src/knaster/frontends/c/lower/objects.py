"""Variables of a whole file of C: globals and static locals, and what they are at the start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.lower.initial import initial_values, text_length
from knaster.frontends.c.names.declarations import vector_of
from knaster.frontends.c.names.scope import Variable, clash
from knaster.frontends.c.names.types import (
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
from knaster.program.expression import Const, Expr
from knaster.program.types import Type

if TYPE_CHECKING:
    from knaster.frontends.c.lower.unit import Unit


class Objects:
    """The variables of one file that live as long as the program, by their names in the model."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.globals: dict[str, Type] = {}
        self.initial: dict[str, Expr] = {}
        self.given: set[str] = set()  # globals with an initial value in the text

    def zero(self, leaf: Leaf) -> Expr:
        """Return the value that a variable of the model has where nothing is said."""
        found: Any = False if isinstance(leaf.scalar, Boolean) else 0
        for length in reversed(leaf.lengths):
            found = (found,) * length
        return Const(found)

    def declared_type(self, node: Any) -> CType:
        """Return the type of a variable that is declared; an initialiser may tell the length of an array."""
        type = self.unit.declarations.type_of(node.type)
        if isinstance(type, Vector) and type.length == 0:
            length = text_length(node.init, self.unit.constant)
            if length:
                return vector_of(type.element, length)
            if "extern" not in node.storage:
                return Foreign("the length of this array is not said", "give it a constant length")
        return type

    def declare_global(self, node: Any, type: CType) -> None:
        """Declare a variable of the whole file; what is only declared is an object only where it is used."""
        known, span = self.unit.scopes.symbols[0].get(node.name), self.unit.text.token(node)
        if clash(known, Variable(node.name, type, True)):
            self.unit.problem(f"'{node.name}' was declared with another type before", span)
        if node.init is not None and node.name in self.given:
            self.unit.problem(f"'{node.name}' is given an initial value twice", span)
        self.given |= {node.name} if node.init is not None else set()
        external = "extern" in node.storage and node.init is None
        if isinstance(known, Variable) and (external or known.type == type) and node.init is None:
            self.unit.scopes.add(node.name, known)
            if not external and known.name in self._pending_names():
                self.define_global(known, None)
            return
        symbol = Variable(node.name, type, True, "const" in node.quals, node.init)
        self.unit.scopes.everywhere(node.name, symbol)
        self.unit.scopes.add(node.name, symbol)
        if not external:
            self.define_global(symbol, node)

    def _pending_names(self) -> set[str]:
        return {symbol.name for symbol in self.unit.scopes.symbols[0].values() if isinstance(symbol, Variable)} - {
            name.split(".")[0] for name in self.initial
        }

    def define_global(self, symbol: Variable, node: Any) -> None:
        """Give a global its initial value."""
        if isinstance(symbol.type, Foreign | Void | Function):
            if isinstance(symbol.type, Foreign):
                span = self.unit.text.token(node) if node is not None else Span(1, 1)
                self.unit.problem(symbol.type.what, span, symbol.type.advice)
                self.unit.said.add((symbol.name, Span(0, 0, 0)))
            return
        parts = list(leaves(symbol.type))
        values = [self.zero(leaf) for leaf in parts]
        if node is not None and node.init is not None:
            reader = Expressions(self.unit, Graph(), "")
            values = list(initial_values(self.unit, reader, symbol.type, node.init))
            if reader.graph.edges or not all(isinstance(value, Const) for value in values):
                self.unit.problem(f"the initial value of '{symbol.name}' is no constant", self.unit.text.token(node))
        for leaf, value in zip(parts, values, strict=True):
            self.initial[symbol.name + leaf.suffix] = value
        self.used(symbol)

    def used(self, symbol: Variable) -> None:
        """Make sure that a global is one of the program's variables."""
        if symbol.is_global:
            for leaf in leaves(symbol.type):
                self.globals[symbol.name + leaf.suffix] = array_of(self.unit.values.model(leaf.scalar), leaf.lengths)

    def declare_static(self, node: Any, type: CType, function: str) -> None:
        """Declare a static local: a global that only its block can name."""
        base, number = f"{function}::{node.name}", 1
        name = base
        while name in self.initial or any(known.startswith(f"{name}.") for known in self.initial):
            number += 1
            name = f"{base}#{number}"
        symbol = Variable(name, type, True, "const" in node.quals, node.init)
        self.unit.declare(node.name, symbol, self.unit.text.token(node))
        self.define_global(symbol, node)
