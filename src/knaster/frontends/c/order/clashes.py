"""Finds operands in no fixed order, one of which changes what another one uses: undefined, or left to the compiler.

C17 6.5 paragraph 2: a change of an object that is unsequenced relative to another change or to a use of it is
undefined.  Function calls are not interleaved (6.5.2.2), nor are initial values in braces (6.7.9): there the order is
unspecified, and Knaster's is from left to right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.trampoline import run
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.order.accesses import Access, Same, compare
from knaster.frontends.c.order.uses import NOTHING, Accesses, Operands, Uses, Walk, full_expressions
from knaster.frontends.c.tree import nodes


class Order(Enum):
    """What C says of a clash."""

    UNDEFINED = "undefined"
    UNDEFINED_WHERE_SAME = "undefined where both are the same object"
    UNSPECIFIED = "unspecified"


class Clash(NamedTuple):
    """An operator whose operands clash, in a function, over a place."""

    function: str
    node: Any
    order: Order
    place: str


def find_clashes(file: nodes.File) -> list[Clash]:
    """Return the clashes of a file, in the order of its text; one for an operator."""
    candidates = [
        (function.name, expression)
        for function in file.functions
        for expression in full_expressions(function.body)
        if _may_clash(expression)
    ]
    if not candidates:
        return []
    summaries, escaping = summarise(file), _escaping(file)
    found: list[Clash] = []
    for name, expression in candidates:
        walk = Walk(summaries)
        run(walk.braces(expression) if isinstance(expression, nodes.Braces) else walk.value(expression))
        for operands in walk.operands:
            worst = max(_clashes(operands, escaping), key=lambda clash: _RANK[clash[0]], default=None)
            if worst is not None:
                found.append(Clash(name, operands.node, *worst))
    return found


def summarise(file: nodes.File) -> dict[str, Uses]:
    """Return what each function may read and write that others know: globals, statics, what pointers point to."""
    known = {function.name: NOTHING for function in file.functions}
    direct: dict[str, Uses] = {}
    callers: dict[str, set[str]] = {}
    for function in file.functions:
        walk, total = Walk({}), NOTHING
        for expression in full_expressions(function.body):
            if not isinstance(expression, nodes.Braces):
                total = total.join(run(walk.value(expression)))
        direct[function.name] = Uses(
            inner_reads=_shared(total.reads | total.inner_reads),
            inner_writes=_shared(total.writes | total.inner_writes),
        )
        for node in memory.walk(function.body):
            if isinstance(node, nodes.Call) and node.name in known:
                callers.setdefault(node.name, set()).add(function.name)
    todo = list(known)
    known = direct
    while todo:
        name = todo.pop()
        for caller in sorted(callers.get(name, ())):
            joined = known[caller].join(known[name])
            if joined != known[caller]:
                known[caller] = joined
                todo.append(caller)
    return known


def _shared(places: Accesses) -> Accesses:
    return frozenset(place for place in places if place.root is None or place.root.storage not in _OWN)


_OWN = ("local", "parameter")
_RANK = {Order.UNSPECIFIED: 0, Order.UNDEFINED_WHERE_SAME: 1, Order.UNDEFINED: 2}
_EFFECTS = nodes.Assign | nodes.Step | nodes.Call | memory.Invocation | nodes.Block


def _may_clash(expression: Any) -> bool:
    """Tell whether an expression does something in one of its operands; `x = f(y)` has one thing to do at a time."""
    if isinstance(expression, nodes.Assign) and expression.op == "=" and isinstance(expression.target, nodes.Name):
        expression = expression.value
    while isinstance(expression, nodes.Convert):
        expression = expression.operand
    if isinstance(expression, nodes.Assign | nodes.Step):
        return True
    todo = list(memory.parts(expression))
    while todo:
        node = todo.pop()
        if isinstance(node, _EFFECTS):
            return True
        todo += memory.parts(node)
    return False


def _escaping(file: nodes.File) -> set[nodes.Object]:
    """Return the variables to which pointers may lead: whose address is taken, or that become pointers."""
    found: set[nodes.Object] = set()
    bodies = [*(function.body for function in file.functions), *file.objects]
    for node in (node for body in bodies for node in memory.walk(body)):
        if isinstance(node, memory.AddressOf | memory.Decay):
            place = node.operand
            while isinstance(place, nodes.Field | nodes.Subscript | memory.Decay | memory.Volatile):
                place = memory.parts(place)[0]
            if isinstance(place, nodes.Name):
                found.add(place.object)
    return found


def _clashes(operands: Operands, escaping: Collection[nodes.Object]) -> Iterator[tuple[Order, str]]:
    """Yield how operands clash with one another, and with the write for which they are evaluated."""
    before = NOTHING
    for number, uses in enumerate(operands.uses):
        if number:
            for place, same in _meetings(uses, before, escaping):
                yield (Order.UNSPECIFIED if operands.one_by_one else _UNDEFINED[same]), place
            for place in _inner_meetings(uses, before, escaping):
                yield Order.UNSPECIFIED, place
        before = before.join(uses)
    if operands.own is not None:
        for other in before.pending:
            if (same := compare(operands.own, other, escaping)) is not Same.NO:
                yield _UNDEFINED[same], other.text


_UNDEFINED = {Same.YES: Order.UNDEFINED, Same.MAYBE: Order.UNDEFINED_WHERE_SAME}


def _meetings(one: Uses, other: Uses, escaping: Collection[nodes.Object]) -> Iterator[tuple[str, Same]]:
    """Yield what one operand writes and the other one uses, by themselves."""
    for writes, used in ((one.writes, other.reads | other.writes), (other.writes, one.reads)):
        for place, same in _common(writes, used, escaping):
            yield place.text, same


def _inner_meetings(one: Uses, other: Uses, escaping: Collection[nodes.Object]) -> Iterator[str]:
    """Yield what a function that one operand calls writes and the other one uses."""
    for caller, rest in ((one, other), (other, one)):
        used = rest.reads | rest.writes | rest.inner_reads | rest.inner_writes
        for place, _ in _common(caller.inner_writes, used, escaping):
            yield place.text
        for place, _ in _common(caller.inner_reads, rest.writes, escaping):
            yield place.text


def _common(writes: Accesses, used: Accesses, escaping: Collection[nodes.Object]) -> Iterator[tuple[Access, Same]]:
    for place in sorted(writes, key=lambda access: access.text):
        for other in used:
            if (same := compare(place, other, escaping)) is not Same.NO:
                yield place, same
                break
