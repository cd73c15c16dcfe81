"""Labels as values, of GNU C: `&&label` and `goto *p`; and operands of assembly that have an address.

The address of a label is that of an object that nobody else has, and a jump compares: one edge for each label of the
function whose address is taken.  A jump to anything else is undefined, as a call of what is no function is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Pointer
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.statements import Statements
from knaster.program.expression import Compare, Comparison, Const, Var
from knaster.program.memory import AddressOf, Form, Invoke, ObjectDeclaration
from knaster.program.types import Int

if TYPE_CHECKING:
    from knaster.frontends.c.memory.expressions import MemoryExpressions
    from knaster.frontends.c.memory.statements import MemoryStatements
    from knaster.frontends.c.memory.unit import MemoryUnit

_BYTE = Int(8, False)


class JumpStatements(Statements):
    """The statements of one file, with jumps to values."""

    def __init__(self, reader: Any) -> None:
        super().__init__(reader)
        self._ways["INDIRECT_GOTO_STMT"] = self.jump

    def jump(self, cursor: Any) -> Steps[nodes.Node]:
        """Read a jump to a value."""
        target = yield self.reader.expressions.read(self.cursors.below(cursor)[-1])
        return memory.JumpTo(target, self.unit.start(cursor))  # type: ignore[return-value]

    def place_of(self, cursor: Any) -> Steps[nodes.Node]:
        """Read an operand of assembly that stays where it is: only its address is computed."""
        found: Any = yield self.reader.expressions.read(cursor)
        inner = found.operand if isinstance(found, memory.Volatile) else found
        if isinstance(inner, nodes.Name):
            return nodes.Empty(inner.at)
        return memory.AddressOf(inner, Pointer(1, self.reader.types.pointer), inner.at)  # type: ignore


def label_object(unit: MemoryUnit, function: str, label: str) -> str:
    """Return the object that stands for a label of a function."""
    name = f"{function}::&&{label}"
    unit.objects.declared.setdefault(name, ObjectDeclaration(name, 1, ((0, _BYTE, Const(0)),), False))
    return name


def jump_to(statements: MemoryStatements, expressions: MemoryExpressions, node: memory.JumpTo) -> None:
    """Add the edges of a jump to a value."""
    graph, span, labels = expressions.graph, expressions.span, statements.labels_taken
    target = expressions.temporary(expressions.unit.addresses)
    expressions.assign(target, expressions.evaluate(node.operand).expr)
    for label in labels:
        place = AddressOf(label_object(expressions.unit, expressions.function, label))
        other = graph.new()
        graph.branch(Compare(Comparison.EQUAL, Var(target), place), statements.label(label), other, span)
        graph.place(other)
    wrong = expressions.temporary(expressions.unit.addresses)
    expressions.assign(wrong, AddressOf(label_object(expressions.unit, expressions.function, "")))
    graph.emit(Invoke(Var(wrong), (), (None,), Form("VOID", None)), span)
    graph.stop(span)


def labels_taken(function: nodes.Function) -> tuple[str, ...]:
    """Return the labels of a function whose addresses are taken, in the order of the text."""
    found = [node for node in memory.walk(function.body) if isinstance(node, memory.LabelAddress)]
    return tuple(dict.fromkeys(node.name for node in sorted(found, key=lambda node: node.at)))
