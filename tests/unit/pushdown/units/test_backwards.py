"""Which nodes lie on runs to a target, where the data decide: the caller's locals and what a callee returns count."""

from __future__ import annotations

from knaster.bdd.store import exists
from knaster.pushdown.domains.relations import BddRelation, BddRelations
from knaster.pushdown.flow import FlowProcedure, ProcedureBuilder
from knaster.pushdown.merge import projecting_merge
from knaster.pushdown.units.backwards import Backwards
from knaster.pushdown.units.component import Component


def test_only_the_call_with_the_right_argument_matters() -> None:
    """main: g := *; f(); if g then ERROR.  f: if g then a else b."""
    domain = BddRelations(["g", "x"])
    held, dropped = domain.assume(domain.variable("g")), domain.assume(~domain.variable("g"))
    anything = domain.assign({"x": None})
    project = domain.projection(["x"])
    f: ProcedureBuilder[BddRelation] = ProcedureBuilder(domain, "f", "f0")
    f.edge("f0", "a", held)
    f.edge("f0", "b", dropped)
    f.edge("a", "f1")
    f.edge("b", "f1")
    f.exit("f1")
    main: ProcedureBuilder[BddRelation] = ProcedureBuilder(domain, "main", "m0")
    main.edge("m0", "m1", domain.assign({"g": None}))
    main.call("m1", "f", "m2", anything, merge=projecting_merge(domain, anything, project))
    main.edge("m2", "error", held)
    main.edge("m2", "good", dropped)
    main.exit("good")
    own = domain.store.cube([domain.after["x"]])

    def own_kept(weight: BddRelation) -> BddRelation:
        return domain.relation(exists(weight.function & domain.identity(["x"]), own))

    def solve(
        flow: FlowProcedure[BddRelation], called: dict[str, BddRelation], after: dict[str, BddRelation]
    ) -> tuple[set[object], dict[str, BddRelation]]:
        unit = Component(domain, {flow.name: flow}, called)
        forward = unit.summarize()
        inside = dict.fromkeys(called, domain.zero)
        back = Backwards(unit, domain, ["error"], inside, own_kept)
        back.summarize()
        called |= unit.summaries
        nodes, passed = back.nodes(forward, {flow.name: domain.one}, after)
        return set(nodes), passed

    summaries: dict[str, BddRelation] = {}
    solve(f.build(), summaries, {})
    nodes, after = solve(main.build(), {"f": summaries["f"]}, {})
    assert nodes == {"m0", "m1", "m2", "error"}
    inner, _ = solve(f.build(), {}, after)
    assert inner == {"f0", "a", "f1"}
