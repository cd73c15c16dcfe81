"""Interprocedural analysis with local variables after Knoop and Steffen, as a graph with merge functions.

Lal (PhD thesis, University of Wisconsin, 2009), section 3.3.  Statements sit at nodes: [n] is the transformer of node
n.  A call node pushes [n](top of the stack of dataflow values); at the return node n_R the two topmost values c_call
and c_ret become R_n(c_call, [n_R](c_ret)).  The encoding:

    edge (n, m)                f = [n], or 1 where n is a return node
    call n, return node n_R    f = [n], g(a, b) = R_n(a, a · [n] · b · [n_R]), R_n applied pointwise
    exit n                     f = [n]

Repaired: [n_R] is in the merge function, so the rules that leave n_R must not apply it again.  The value at a node is
what holds before its own statement, at a return node after it.  These merge functions need not have path extension:
post* answers, pre* refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from knaster.base.errors import UsageError
from knaster.pushdown.flow import FlowCall, FlowEdge, FlowExit, FlowProcedure, Node
from knaster.pushdown.icfg import FlowGraph
from knaster.pushdown.merge import Merge
from knaster.pushdown.semiring import Semiring

W = TypeVar("W")


def knoop_steffen(
    shape: FlowGraph[Any],
    domain: Semiring[W],
    transformers: Mapping[Any, W],
    returning: Callable[[Node, W, W], W],
) -> FlowGraph[W]:
    """Return the graph whose join over all valid paths is LJOP.

    `shape` gives nodes, edges and calls; its own weights are ignored.  Nodes without a transformer do nothing.
    `returning(n, a, b)` is λc. R_n(a(c), b(c)) for the call node n: the caller's weight first, 0 where one of them is.
    """
    unknown = [node for node in transformers if node not in shape.procedure_of]
    if unknown:
        raise UsageError(f"there is no node {unknown[0]!r}")
    sites = {call.return_site for procedure in shape.procedures.values() for call in procedure.calls}

    def effect(node: Node) -> W:
        return transformers.get(node, domain.one)

    def effect_after(node: Node) -> W:
        return domain.one if node in sites else effect(node)

    def call(given: FlowCall[Any]) -> FlowCall[W]:
        if given.source in sites:
            raise UsageError(f"{given.source!r} is both a return node and a call node; put a node in between")

        def merge(caller: W, callee: W) -> W:
            through = caller
            for weight in (effect(given.source), callee, effect(given.return_site)):
                through = domain.extend(through, weight)
            return returning(given.source, caller, through)

        merging = Merge(merge, path_extension=False)
        return FlowCall(given.source, given.callee, given.return_site, effect(given.source), merging)

    return FlowGraph.of(
        domain,
        (
            FlowProcedure(
                procedure.name,
                procedure.entry,
                tuple(FlowExit(each.node, effect_after(each.node)) for each in procedure.exits),
                tuple(FlowEdge(edge.source, edge.target, effect_after(edge.source)) for edge in procedure.edges),
                tuple(call(each) for each in procedure.calls),
            )
            for procedure in shape.procedures.values()
        ),
        shape.main.name,
    )
