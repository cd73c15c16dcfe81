"""Finds operands in no fixed order, one of which changes what another one uses: undefined, or left to the compiler.

C17 6.5 paragraph 2: a change of an object that is unsequenced relative to another change or to a use of it is
undefined.  Function calls are not interleaved (6.5.2.2), nor are initial values in braces (6.7.9): there the order is
unspecified, and Knaster's is from left to right.

A first look passes over what cannot clash; an exact one tells which uses clash, and whether surely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.trampoline import run
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.order.accesses import Access
from knaster.frontends.c.order.comparing import Comparing, Same
from knaster.frontends.c.order.summaries import summarise
from knaster.frontends.c.order.uses import NOTHING, Accesses, Operands, Uses, Walk, full_expressions
from knaster.frontends.c.tree import nodes


class Order(Enum):
    """What C says of a clash."""

    UNDEFINED = "undefined"
    UNDEFINED_WHERE_SAME = "undefined where both are the same object"
    UNSPECIFIED = "unspecified"


_RANK = {Order.UNDEFINED: 0, Order.UNDEFINED_WHERE_SAME: 1, Order.UNSPECIFIED: 2}


class Use(NamedTuple):
    """Where a place is used; not `sure` where the operand that uses it is not always evaluated."""

    node: Any
    sure: bool


class Pair(NamedTuple):
    """Two uses that clash where both are evaluated and use the same object."""

    one: Use
    other: Use


class Clash(NamedTuple):
    """An operator whose operands clash, in a function, over a place; `pairs` say when, where that is not always."""

    function: str
    node: Any
    order: Order
    place: str
    pairs: tuple[Pair, ...] = ()


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
    summaries, comparing = summarise(file), Comparing(file)
    found: list[Clash] = []
    for name, expression in candidates:
        first = _walk(summaries, expression, False)
        if any(next(_hits(operands, comparing.at_first), None) is not None for operands in first.operands):
            exact = _walk(summaries, expression, True)
            by_node: dict[Any, Clash] = {}
            for operands in exact.operands:
                for clash in _clash(name, operands, exact, comparing):
                    by_node[clash.node] = _worse(by_node[clash.node], clash) if clash.node in by_node else clash
            found += by_node.values()
    return found


def _worse(one: Clash, other: Clash) -> Clash:
    """Return what two clashes of one operator are together."""
    first, second = sorted((one, other), key=lambda clash: _RANK[clash.order])
    return first._replace(pairs=(*first.pairs, *second.pairs)) if first.pairs else first


def _walk(summaries: dict[str, Uses], expression: Any, exact: bool) -> Walk:
    walk = Walk(summaries, exact)
    run(walk.braces(expression) if isinstance(expression, nodes.Braces) else walk.value(expression))
    return walk


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


class _Hit(NamedTuple):
    """A place that is written in one operand and used in another one, or in both."""

    order: Order
    place: Access
    other: Access


_Compare = Callable[[Access, Access], Same]
_UNDEFINED = {Same.YES: Order.UNDEFINED, Same.MAYBE: Order.UNDEFINED_WHERE_SAME}


def _clash(function: str, operands: Operands, walk: Walk, comparing: Comparing) -> Iterator[Clash]:
    """Yield the clash of some operands, if there is one: what is always undefined, else what may be, else the rest."""
    changed = [place.unnumbered() for uses in operands.uses for place in (*uses.writes, *uses.inner_writes)]

    def compare(one: Access, other: Access) -> Same:
        return comparing.exactly(one, other, changed)

    hits = list(_hits(operands, compare))
    always = [hit for hit in hits if hit.order is Order.UNDEFINED and hit.place.sure and hit.other.sure]
    some = [hit for hit in hits if hit.order is not Order.UNSPECIFIED]
    if always:
        yield Clash(function, operands.node, Order.UNDEFINED, always[0].place.text)
    elif some:
        pairs = {frozenset((hit.place.number, hit.other.number)): _pair(hit, walk) for hit in some}
        where = Order.UNDEFINED_WHERE_SAME
        yield Clash(function, operands.node, where, some[0].place.text, tuple(pairs.values()))
    elif hits:
        yield Clash(function, operands.node, Order.UNSPECIFIED, hits[0].place.text)


def _pair(hit: _Hit, walk: Walk) -> Pair:
    uses = (Use(walk.nodes[place.number], place.sure) for place in (hit.place, hit.other))
    return Pair(*uses)


def _hits(operands: Operands, compare: _Compare) -> Iterator[_Hit]:
    """Yield how operands clash with one another, and with the write or the read for which they are evaluated."""
    before = NOTHING
    for number, uses in enumerate(operands.uses):
        if number:
            for place, other, same in _meetings(uses, before, compare):
                yield _Hit(Order.UNSPECIFIED if operands.one_by_one else _UNDEFINED[same], place, other)
            for place, other in _inner_meetings(uses, before, compare):
                yield _Hit(Order.UNSPECIFIED, place, other)
        before = before.join(uses)
    if operands.own is not None:
        for other in sorted(before.pending, key=_text):
            if (same := compare(operands.own, other)) is not Same.NO:
                yield _Hit(_UNDEFINED[same], other, operands.own)


def _meetings(one: Uses, other: Uses, compare: _Compare) -> Iterator[tuple[Access, Access, Same]]:
    """Yield what one operand writes and the other one uses, by themselves."""
    for writes, used in ((one.writes, other.reads), (one.writes, other.writes), (other.writes, one.reads)):
        yield from _common(writes, used, compare)


def _inner_meetings(one: Uses, other: Uses, compare: _Compare) -> Iterator[tuple[Access, Access]]:
    """Yield what a function that one operand calls writes and the other one uses, or the other way round."""
    for caller, rest in ((one, other), (other, one)):
        pairs = [(caller.inner_writes, used) for used in (rest.reads, rest.writes, rest.inner_reads, rest.inner_writes)]
        for writes, used in (*pairs, (rest.writes, caller.inner_reads)):
            for place, met, _ in _common(writes, used, compare):
                yield place, met
                break


def _common(writes: Accesses, used: Accesses, compare: _Compare) -> Iterator[tuple[Access, Access, Same]]:
    """Yield the places that are written, each with those that others use and that may be the same."""
    if not writes or not used:
        return
    by_root = _by_root(used)
    pointed = by_root.get(None, ())
    for place in sorted(writes, key=_text):
        others = used if place.root is None else (*by_root.get(place.root, ()), *pointed)
        for other in sorted(others, key=_text):
            if (same := compare(place, other)) is not Same.NO:
                yield place, other, same


def _text(place: Access) -> tuple[str, int]:
    return place.text, place.number


def _by_root(used: Accesses) -> dict[nodes.Object | None, tuple[Access, ...]]:
    found: dict[nodes.Object | None, tuple[Access, ...]] = {}
    for access in used:
        found[access.root] = (*found.get(access.root, ()), access)
    return found
