"""Variables of a whole file of C: globals and static locals, and what they are at the start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.lower.initial import initial_values
from knaster.frontends.c.names.types import Boolean, Foreign, Function, Leaf, Void, array_of, leaves
from knaster.frontends.c.tree import nodes
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

    def zero(self, leaf: Leaf) -> Expr:
        """Return the value that a variable of the model has where nothing is said."""
        found: Any = False if isinstance(leaf.scalar, Boolean) else 0
        for length in reversed(leaf.lengths):
            found = (found,) * length
        return Const(found)

    def define(self, found: nodes.Object) -> None:
        """Give a variable its initial value."""
        name, span = self.unit.names[found], self.unit.text.token(found)
        if isinstance(found.type, Foreign | Void | Function):
            if isinstance(found.type, Foreign):
                self.unit.problem(found.type.what, span, found.type.advice)
                self.unit.refused.add(found)
            return
        parts = list(leaves(found.type))
        values = [self.zero(leaf) for leaf in parts]
        if found.initial is not None:
            reader = Expressions(self.unit, Graph(), "")
            before = len(self.unit.problems)
            values = list(initial_values(self.unit, reader, found.type, found.initial))
            plain = not reader.graph.edges and all(isinstance(value, Const) for value in values)
            if not plain and len(self.unit.problems) == before:
                self.unit.problem(f"the initial value of '{found.name}' is no constant", span)
        for leaf, value in zip(parts, values, strict=True):
            self.initial[name + leaf.suffix] = value
        self.used(found)

    def used(self, found: nodes.Object) -> None:
        """Make sure that a variable of the file is one of the program's variables."""
        if found.storage in ("global", "extern", "static"):
            for leaf in leaves(found.type):
                model = array_of(self.unit.values.model(leaf.scalar), leaf.lengths)
                self.globals[self.unit.names[found] + leaf.suffix] = model

    def declare_static(self, found: nodes.Object, function: str) -> None:
        """Declare a static local: a global that only its block can name."""
        base, number = f"{function}::{found.name}", 1
        name = base
        while name in self.initial or any(known.startswith(f"{name}.") for known in self.initial):
            number += 1
            name = f"{base}#{number}"
        self.unit.names[found] = name
        self.define(found)
