"""Units of a control-flow graph: the weights are those of post*."""

from __future__ import annotations

from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.icfg import GraphBuilder
from knaster.pushdown.units.component import Component


def test_a_recursive_unit_has_the_weights_of_the_whole_graph() -> None:
    domain = MinPath()
    builder = GraphBuilder(domain)
    main = builder.procedure("main", "m0", "m2")
    main.edge("m0", "m1", 1)
    main.call("m1", "f", "m2", 2)
    own = builder.procedure("f", "f0", "f3")
    own.edge("f0", "f3", 9)
    own.edge("f0", "f1", 1)
    own.call("f1", "f", "f2", 1)
    own.edge("f2", "f3", 1)
    graph = builder.build("main")
    whole = graph.jovp()
    unit = Component(domain, {"f": graph.procedures["f"]}, {})
    unit.summarize()
    assert unit.summaries["f"] == whole.summary("f") == 9
    top = Component(domain, {"main": graph.procedures["main"]}, {"f": unit.summaries["f"]})
    weights, passed = top.enter({"main": 0})
    assert passed == {"f": 3} and weights.at("m2") == whole.at("m2") == 12
    inside, more = unit.enter(passed)
    assert more == {} and all(inside.at(node) == whole.at(node) for node in ("f0", "f1", "f2", "f3"))
