"""The control-flow graphs of Lal (2009) that several tests use."""

from __future__ import annotations

from typing import TypeVar

from knaster.pushdown.domains.constants import TOP, ConstantTransformer, CopyConstants
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.icfg import FlowGraph, GraphBuilder
from knaster.pushdown.merge import Merge
from knaster.pushdown.semiring import Semiring

W = TypeVar("W")

CONSTANTS = CopyConstants("yab")


def figure_2_1(domain: Semiring[W], weights: dict[tuple[str, str], W], default: W) -> FlowGraph[W]:
    """Return the graph of Figure 2.1 with the given weights on edges, `default` on all other rules."""
    builder = GraphBuilder(domain)
    main, f = builder.procedure("main", "em"), builder.procedure("f", "ef")
    for procedure, edges in [
        (main, "em-n1 n1-n2 n2-n3 n4-n5 n5-n6 n5-n9 n6-n7 n8-n9 n9-xm"),
        (f, "ef-n10 n10-n11 n11-n12 n11-n13 n12-xf n13-xf"),
    ]:
        for edge in edges.split():
            source, target = edge.split("-")
            procedure.edge(source, target, weights.get((source, target), default))
    main.call("n3", "f", "n4", default)
    main.call("n7", "f", "n8", default)
    main.exit("xm", default)
    f.exit("xf", default)
    return builder.build("main")


def constants_2_1() -> FlowGraph[ConstantTransformer]:
    """Return Figure 2.1 for copy-constant propagation; a, b and y are global."""
    assign = CONSTANTS.assign
    weights = {
        ("n1", "n2"): assign({"a": 5}),
        ("n2", "n3"): assign({"y": 1}),
        ("n6", "n7"): assign({"a": 2}),
        ("n10", "n11"): assign({"b": "a"}),
        ("n12", "xf"): assign({"y": 2}),
        ("n13", "xf"): assign({"y": "b"}),
    }
    return figure_2_1(CONSTANTS, weights, CONSTANTS.one)


def steps_2_1() -> FlowGraph[Length]:
    """Return Figure 2.1 with the length 1 on every rule."""
    return figure_2_1(MinPath(), {}, 1)


CALL_3_1 = CONSTANTS.assign({"a": TOP, "b": "a"})


def constants_3_1(merge: Merge[ConstantTransformer] | None) -> FlowGraph[ConstantTransformer]:
    """Return Figure 3.1: y is global, a a local of main, b the formal of f; without a merge, a plain system."""
    assign = CONSTANTS.assign
    builder = GraphBuilder(CONSTANTS)
    main, f = builder.procedure("main", "em", "xm"), builder.procedure("f", "ef", "xf")
    main.edge("em", "n1")
    main.edge("n1", "n2", assign({"a": 5}))
    main.edge("n2", "n3", assign({"y": 1}))
    main.call("n3", "f", "n4", CALL_3_1, merge=merge)
    main.edge("n4", "n5")
    main.edge("n5", "n6")
    main.edge("n5", "n9")
    main.edge("n6", "n7", assign({"a": 2}))
    main.call("n7", "f", "n8", CALL_3_1, merge=merge)
    main.edge("n8", "n9")
    main.edge("n9", "xm")
    f.edge("ef", "n10")
    f.edge("n10", "n11")
    f.edge("n10", "n12")
    f.edge("n11", "xf", assign({"y": 2}))
    f.edge("n12", "xf", assign({"y": "b"}))
    return builder.build("main")
