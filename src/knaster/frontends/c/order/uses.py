"""What evaluating an expression of C reads and writes, from its tree, part by part.

`writes` and `reads` are done by the expression itself: nothing orders them against those of another operand.  `inner`
ones are done by functions that it calls, which run one after the other, in an order that C leaves open.  `pending`
writes need not be finished when the value is known: `i++` changes i whenever it likes before the next sequence point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.trampoline import Steps
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.order.accesses import Access, access_to
from knaster.frontends.c.tree import nodes

Accesses = frozenset[Access]
_NONE: Accesses = frozenset()


class Uses(NamedTuple):
    """What an expression reads and writes."""

    reads: Accesses = _NONE
    writes: Accesses = _NONE
    pending: Accesses = _NONE
    inner_reads: Accesses = _NONE
    inner_writes: Accesses = _NONE

    def join(self, other: Uses) -> Uses:
        """Return what both do together."""
        return Uses(*map(_union, self, other))

    def finish(self) -> Uses:
        """Return the same after a sequence point."""
        return self._replace(pending=_NONE)

    def perhaps(self) -> Uses:
        """Return the same of an operand that is not always evaluated."""
        return Uses(*(frozenset(place._replace(sure=False) for place in places) for places in self))

    def write(self, place: Access) -> Uses:
        """Return the same with a write that comes last."""
        return self._replace(writes=self.writes | {place}, pending=self.pending | {place})

    def read(self, place: Access) -> Uses:
        """Return the same with a read."""
        return self._replace(reads=self.reads | {place})


def _union(one: Accesses, other: Accesses) -> Accesses:
    """Return the union; where one is empty the other one itself, which others may have looked at already."""
    return one | other if one and other else one or other


NOTHING = Uses()


class Operands(NamedTuple):
    """Operands that are evaluated in no fixed order, and the place that is then written, or read, if there is one."""

    node: Any
    uses: tuple[Uses, ...]
    own: Access | None = None
    one_by_one: bool = False  # in no fixed order, but one after the other: lists in braces


class Walk:
    """Goes through expressions; `operands` is what it has met, innermost first.

    An exact walk tells one use of a place from another one: `nodes` are their nodes, by the numbers of accesses.
    """

    def __init__(self, summaries: Mapping[str, Uses], exact: bool = False) -> None:
        self.summaries = summaries  # of the functions that the file defines: what others can notice
        self.exact = exact
        self.nodes: list[Any] = []
        self.operands: list[Operands] = []

    def access(self, node: Any) -> Access | None:
        """Return the place that an expression names, as it is used there."""
        found = access_to(node, self.exact)
        if found is None or not self.exact:
            return found
        self.nodes.append(node)
        return found._replace(number=len(self.nodes) - 1)

    def rest(self, uses: Uses) -> Uses:
        """Return the uses of an operand that is not always evaluated."""
        return uses.perhaps() if self.exact else uses

    def value(self, node: Any) -> Steps[Uses]:
        """Return the uses of evaluating an expression for its value."""
        match node:
            case nodes.Name() | nodes.Subscript() | nodes.Field() | memory.Dereference() | memory.Volatile():
                found: Uses = yield self.place(node)
                access = self.access(node)
                if access is not None and found.pending:
                    self.operands.append(Operands(node, (found,), access))
                return found.read(access) if access is not None else found
            case nodes.Binary(op="&&" | "||" | ","):
                left: Uses = yield self.value(node.left)
                right: Uses = yield self.value(node.right)
                return left.finish().join(right if node.op == "," else self.rest(right))
            case nodes.Binary():
                found = yield self.together(node, (node.left, node.right))
                return found
            case nodes.Assign():
                found = yield self.assignment(node)
                return found
            case nodes.Step():
                inside: Uses = yield self.place(node.operand)
                own = self.access(node.operand)
                self.operands.append(Operands(node, (inside,), own))
                return inside if own is None else inside.read(own).write(own)
            case nodes.Conditional() | nodes.Elvis():
                found = yield self.chosen(node)
                return found
            case nodes.Call() | memory.Invocation():
                found = yield self.call(node)
                return found
            case nodes.Block():
                found = yield self.block(node)
                return found
        total = NOTHING
        for part in memory.parts(node):  # conversions, operators of one operand, addresses, braces
            within: Uses = yield (self.place(part) if isinstance(node, _OF_PLACES) else self.value(part))
            total = total.join(within)
        return total

    def place(self, node: Any) -> Steps[Uses]:
        """Return the uses of finding out where something stands, without reading it."""
        match node:
            case nodes.Name():
                return NOTHING
            case nodes.Field():
                found: Uses = yield self.place(node.record)
                return found
            case nodes.Subscript(array=memory.Decay() as array):
                first: Uses = yield self.place(array.operand)
            case nodes.Subscript():
                first = yield (self.value(node.array) if access_to(node.array) is None else self.element_of(node.array))
            case memory.Dereference():
                found = yield self.value(node.operand)
                return found
            case memory.Volatile():
                found = yield self.place(node.operand)
                return found
            case _:
                found = yield self.value(node)
                return found
        second: Uses = yield self.value(node.index)
        self.operands.append(Operands(node, (first, second)))
        return first.join(second)

    def element_of(self, array: Any) -> Steps[Uses]:
        """Return the uses of an array that is indexed: a pointer is read, an array is not."""
        is_array = access_to(nodes.Subscript(array, nodes.Number(0, array.type, array.at), array.type, array.at))
        found: Uses = yield (self.place(array) if is_array is not None and is_array.root else self.value(array))
        return found

    def together(self, node: Any, parts: tuple[Any, ...]) -> Steps[Uses]:
        """Return the uses of operands in no fixed order."""
        found: list[Uses] = []
        for part in parts:
            found.append((yield self.value(part)))
        self.operands.append(Operands(node, tuple(found)))
        total = NOTHING
        for uses in found:
            total = total.join(uses)
        return total

    def assignment(self, node: nodes.Assign) -> Steps[Uses]:
        """Return the uses of an assignment: its write comes after both values are known."""
        own = self.access(node.target)
        target: Uses = yield self.place(node.target)
        if own is not None and node.op != "=":
            target = target.read(own)
        value: Uses = yield self.value(node.value)
        self.operands.append(Operands(node, (target, value), own))
        both = target.join(value)
        return both if own is None else both.write(own)

    def chosen(self, node: Any) -> Steps[Uses]:
        """Return the uses of `?:`: the condition is finished before the rest begins."""
        first, *rest = memory.parts(node)
        total: Uses = yield self.value(first)
        total = total.finish()
        for part in rest:
            total = total.join(self.rest((yield self.value(part))))
        return total

    def call(self, node: Any) -> Steps[Uses]:
        """Return the uses of a call: its arguments are finished before it begins."""
        found: Uses = yield self.together(node, tuple(memory.parts(node)))
        summary = self.summaries.get(node.name, NOTHING) if isinstance(node, nodes.Call) else NOTHING
        return found.finish().join(summary)

    def block(self, node: nodes.Block) -> Steps[Uses]:
        """Return the uses of `({ ... })`: its statements are finished one after the other."""
        total = NOTHING
        for expression in full_expressions(node.body):
            total = total.join((yield self.value(expression)))
        return Uses(inner_reads=total.reads | total.inner_reads, inner_writes=total.writes | total.inner_writes)

    def braces(self, node: nodes.Braces) -> Steps[None]:
        """Go through a list of initial values, which are computed one by one in no fixed order."""
        found: list[Uses] = []
        for item in node.items:
            if isinstance(item.value, nodes.Braces):
                yield self.braces(item.value)
            found.append((yield self.value(item.value)))
        self.operands.append(Operands(node, tuple(found), None, True))


_OF_PLACES = memory.AddressOf | memory.Decay
_STATEMENTS = (
    nodes.Compound | nodes.Declarations | nodes.If | nodes.While | nodes.DoWhile | nodes.For | nodes.Switch
    | nodes.Case | nodes.Label | nodes.Return | nodes.Declaration | nodes.Object
)  # fmt: skip


def full_expressions(node: Any) -> Iterator[Any]:
    """Yield the expressions and lists in braces of a statement that belong to no larger one."""
    todo = [node]
    while todo:
        found = todo.pop()
        if isinstance(found, _STATEMENTS):
            todo += reversed(memory.parts(found))
        else:
            yield found
