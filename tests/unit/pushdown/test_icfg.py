"""Control-flow graphs: building them, refusing nonsense, contexts, recursion, several exits."""

from __future__ import annotations

from math import inf

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import ANY, Automaton
from knaster.pushdown.domains.genkill import GenKill
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.icfg import CONTROL, FlowGraph, GraphBuilder
from knaster.pushdown.merge import Merge
from knaster.pushdown.semiring import star_by_differences, star_by_squaring


def _recursive() -> FlowGraph[Length]:
    """main calls f, f calls itself or leaves by one of two exits; every rule has length 1."""
    builder = GraphBuilder(MinPath())
    main, f = builder.procedure("main", "m0"), builder.procedure("f", "f0")
    main.call("m0", "f", "m1", 1)
    main.edge("m1", "m2", 1)
    main.exit("m2", 1)
    f.edge("f0", "f1", 1)
    f.call("f1", "f", "f2", 1)
    f.edge("f0", "f3", 1)
    f.exit("f2", 5)
    f.exit("f3", 1)
    return builder.build("main")


def test_distances_and_contexts() -> None:
    graph = _recursive()
    solution = graph.jovp()
    assert solution.everywhere() == {"m0": 0, "m1": 3, "m2": 4, "f0": 1, "f1": 2, "f3": 2, "f2": 5}
    assert solution.by_context("f0") == {("m1",): 1, ("f2",): 3}
    assert solution.by_context("f0", depth=2) == {("m1",): 1, ("f2", "m1"): 3, ("f2", "f2"): 5}
    assert solution.by_context("f0", depth=0) == {(): 1}
    assert solution.by_context("m2", depth=3) == {(): 4}
    assert solution.summary("f") == 2
    assert solution.summary("main") == inf
    assert solution.exactly("f3", ["f2", "m1"]) == 4
    assert solution.exactly("f3", ["f2"]) == inf
    assert solution.at("f3", ["f2"]) == 4
    odd = Automaton[Length].of([(CONTROL, "f0", 0), (0, "f2", 1), (1, "f2", 0), (0, "m1", "end")], ["end"], [CONTROL])
    assert solution.within(odd) == 1
    assert solution.within(Automaton.of([(CONTROL, ANY, 0), (0, ANY, 0)], [0], [CONTROL])) == 0


def test_a_start_weight_comes_first() -> None:
    assert _recursive().jovp(10).at("m2") == 14
    assert _recursive().jop(10)["m2"] == 14


def test_all_paths_are_shorter() -> None:
    graph = _recursive()
    assert graph.jop() == {"m0": 0, "m1": 3, "m2": 4, "f0": 1, "f1": 2, "f3": 2, "f2": 3}  # f3 returns to f2 uncalled


def test_unreachable_nodes_have_weight_zero() -> None:
    facts = GenKill(["seen"])
    builder = GraphBuilder(facts)
    main, f = builder.procedure("main", "m0", "m1"), builder.procedure("f", "f0", "f1")
    main.edge("m0", "m1", facts.transformer(gen=["seen"]))
    f.edge("f0", "f1")
    solution = builder.build("main").jovp()
    assert solution.at("m1").apply([]) == frozenset({"seen"})
    assert solution.at("f1") == facts.zero
    assert solution.by_context("f1") == {}


def test_what_is_no_graph() -> None:
    builder = GraphBuilder(MinPath())
    first, second = builder.procedure("f", "n0"), builder.procedure("f", "n0")
    first.call("n0", "g", "n1")
    second.edge("n0", "n1")
    with pytest.raises(UsageError) as caught:
        builder.build("main")
    message = str(caught.value)
    assert "two procedures are called 'f'" in message
    assert "no procedure 'main' to start in" in message
    assert "the call at 'n0' is to 'g', which does not exist" in message
    shared = GraphBuilder(MinPath())
    shared.procedure("f", "n0")
    shared.procedure("g", "n0")
    with pytest.raises(UsageError, match="node 'n0' is in 'f' and in 'g'"):
        shared.build("f")


def test_what_makes_no_sense() -> None:
    graph = _recursive()
    solution = graph.jovp()
    with pytest.raises(UsageError, match="no node 'x'"):
        solution.at("x")
    with pytest.raises(UsageError, match="no node 'y'"):
        solution.at("f0", ["y"])
    with pytest.raises(UsageError, match="no node 'x'"):
        solution.by_context("x")
    with pytest.raises(UsageError, match="no procedure 'h'"):
        solution.summary("h")
    builder = GraphBuilder(MinPath())
    main = builder.procedure("main", "m0", "m1")
    merge: Merge[Length] = Merge(lambda a, b: a + b)
    with pytest.raises(UsageError, match="both a projection and a merge"):
        main.call("m0", "main", "m1", project=lambda weight: weight, merge=merge)
    main.call("m0", "main", "m1", merge=merge)
    with pytest.raises(UsageError, match="only valid paths have a weight"):
        builder.build("main").jop()
    wrong = GraphBuilder(MinPath())
    wrong.procedure("main", "m0").edge("m0", "m1", -1)
    with pytest.raises(UsageError, match="no weight of the domain MinPath"):
        wrong.build("main").jovp()


def test_a_long_procedure_is_no_problem() -> None:
    builder = GraphBuilder(MinPath())
    main = builder.procedure("main", 0, 20_000)
    for node in range(20_000):
        main.edge(node, node + 1, 1)
    assert builder.build("main").jovp().at(20_000) == 20_000


class Growing:
    """Natural numbers under maximum and addition: an endless ascending chain."""

    zero = -1
    one = 0

    def combine(self, a: int, b: int) -> int:
        return max(a, b)

    def extend(self, a: int, b: int) -> int:
        return -1 if -1 in (a, b) else a + b


def test_an_endless_chain_is_reported() -> None:
    builder = GraphBuilder(Growing())
    main = builder.procedure("main", "m0")
    main.edge("m0", "m0", 1)
    with pytest.raises(UsageError, match="infinite ascending chain"):
        builder.build("main").jop()
    with pytest.raises(UsageError, match="infinite ascending chain"):
        builder.build("main").jovp()
    for closure in (star_by_differences, star_by_squaring):
        with pytest.raises(UsageError, match="the domain Growing is not bounded"):
            closure(Growing(), 1)
