"""Finds operands in no fixed order, one of which changes what another one uses: undefined, or left to the compiler.

C17 6.5 paragraph 2: a change of an object that is unsequenced relative to another change or to a use of it is
undefined.  Function calls are not interleaved (6.5.2.2), nor are initial values in braces (6.7.9): there the order is
unspecified, and Knaster's is from left to right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from typing import Any

from knaster.base.graphs import components
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
    direct = {function.name: _own_uses(function) for function in file.functions}
    callees = {
        function.name: sorted(
            {node.name for node in memory.walk(function.body) if isinstance(node, nodes.Call) and node.name in direct}
        )
        for function in file.functions
    }
    found: dict[str, Uses] = {}
    for component in components(direct, callees.__getitem__):  # callees first; who calls each other does the same
        total = NOTHING
        for name in component:
            total = total.join(direct[name])
            for callee in callees[name]:
                total = total.join(found.get(callee, NOTHING))
        found.update(dict.fromkeys(component, total))
    return found


def _own_uses(function: nodes.Function) -> Uses:
    """Return what a function does itself that others know."""
    walk, total = Walk({}), NOTHING
    for expression in full_expressions(function.body):
        total = total.join(run(walk.value(expression)))
    reads, writes = total.reads | total.inner_reads, total.writes | total.inner_writes
    return Uses(inner_reads=_shared(reads), inner_writes=_shared(writes))


def _shared(places: Accesses) -> Accesses:
    """Return what others know of some places; of what pointers of one type point to, one stands for all."""
    pointed = {place.type: place for place in sorted(places, key=_text) if place.root is None}
    named = [place for place in places if place.root is not None and place.root.storage not in _OWN]
    return frozenset((*named, *pointed.values()))


def _text(place: Access) -> str:
    return place.text


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
    for writes, used in ((one.writes, other.reads), (one.writes, other.writes), (other.writes, one.reads)):
        for place, same in _common(writes, used, escaping):
            yield place.text, same


def _inner_meetings(one: Uses, other: Uses, escaping: Collection[nodes.Object]) -> Iterator[str]:
    """Yield what a function that one operand calls writes and the other one uses, or the other way round."""
    for caller, rest in ((one, other), (other, one)):
        pairs = [(caller.inner_writes, used) for used in (rest.reads, rest.writes, rest.inner_reads, rest.inner_writes)]
        for writes, used in (*pairs, (rest.writes, caller.inner_reads)):
            for place, _ in _common(writes, used, escaping):
                yield place.text
                break


def _common(writes: Accesses, used: Accesses, escaping: Collection[nodes.Object]) -> Iterator[tuple[Access, Same]]:
    """Yield the places that are written and that others use, and whether they are surely the same."""
    if not writes or not used:
        return
    by_root = _by_root(used)
    pointed = by_root.get(None, ())
    for place in sorted(writes, key=_text):
        others = used if place.root is None else (*by_root.get(place.root, ()), *pointed)
        same = max((compare(place, other, escaping) for other in others), default=Same.NO)
        if same is not Same.NO:
            yield place, same


def _by_root(used: Accesses) -> dict[nodes.Object | None, tuple[Access, ...]]:
    found: dict[nodes.Object | None, tuple[Access, ...]] = {}
    for access in used:
        found[access.root] = (*found.get(access.root, ()), access)
    return found
