"""What functions read and write that their callers can notice: globals, statics, what pointers point to."""

from __future__ import annotations

from knaster.base.graphs import components
from knaster.base.trampoline import run
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.order.accesses import Access
from knaster.frontends.c.order.uses import NOTHING, Accesses, Uses, Walk, full_expressions
from knaster.frontends.c.tree import nodes

_OWN = ("local", "parameter")


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
