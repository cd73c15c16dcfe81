"""X2 and X7: Boolean programs as relations, explicit and symbolic, with shortest traces and with locals."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from knaster.pushdown.automaton import Automaton, Middle, single
from knaster.pushdown.domains.bitmatrix import BitRelations
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.domains.relations import BddRelations
from knaster.pushdown.domains.shortest import ShortestPaths
from knaster.pushdown.domains.weighted_relations import WeightedRelations
from knaster.pushdown.icfg import CONTROL, FINAL, FlowGraph, GraphBuilder
from knaster.pushdown.merge import Merge
from knaster.pushdown.solve import pre_star
from knaster.pushdown.system import Configuration

STATES = list(product(range(8), repeat=2))  # (x, y)
EXPLICIT = BitRelations(STATES)
W1, W2 = EXPLICIT.function(lambda s: (3, s[1])), EXPLICIT.function(lambda s: (7, s[1]))
W3 = EXPLICIT.function(lambda s: (s[0], s[0]))
W4, W5 = EXPLICIT.extend(W1, W3), EXPLICIT.extend(W2, W3)
W6 = EXPLICIT.combine(W4, W5)


def figure_2_11(domain: Any, x3: Any, x7: Any, copy: Any, other: Any) -> FlowGraph[Any]:
    """Return the graph of Figure 2.2, as reconstructed: foo sets x to 3 or 7 and calls bar, which copies x to y."""
    builder: GraphBuilder[Any] = GraphBuilder(domain)
    foo, bar = builder.procedure("foo", "n1"), builder.procedure("bar", "n7")
    foo.edge("n1", "n2", x3)
    foo.edge("n1", "n3", x7)
    foo.call("n2", "bar", "n4", other)
    foo.call("n3", "bar", "n5", other)
    foo.edge("n4", "n6", other)
    foo.edge("n5", "n6", other)
    bar.edge("n7", "n8", copy)
    bar.exit("n8", other)
    return builder.build("foo")


def test_sizes_of_the_weights() -> None:
    assert [len(weight) for weight in (W1, W2, W3, W4, W5)] == [64] * 5
    assert len(W6) == 128
    x3, y7 = W1, EXPLICIT.function(lambda s: (s[0], 7))
    equal = EXPLICIT.assume(lambda s: s[0] == s[1])
    assert EXPLICIT.extend(EXPLICIT.extend(x3, y7), equal) == EXPLICIT.zero


def test_figure_2_11() -> None:
    solution = figure_2_11(EXPLICIT, W1, W2, W3, EXPLICIT.one).jovp()
    middle = Middle(CONTROL, "n7")
    one = EXPLICIT.one
    weights = {(t.source, t.symbol, t.target): t.weight for t in solution.answer.transitions()}
    assert weights == {
        (CONTROL, "n1", FINAL): one,
        (CONTROL, "n2", FINAL): W1,
        (CONTROL, "n3", FINAL): W2,
        (CONTROL, "n4", FINAL): W4,
        (CONTROL, "n5", FINAL): W5,
        (CONTROL, "n6", FINAL): W6,
        (CONTROL, "n7", middle): one,
        (CONTROL, "n8", middle): W3,
        (CONTROL, None, middle): W3,
        (middle, "n4", FINAL): W1,
        (middle, "n5", FINAL): W2,
    }
    assert solution.at("n6").image() == {(3, 3), (7, 7)} == solution.at("n8").image()
    assert solution.exactly("n8", ["n4"]) == W4
    assert solution.exactly("n8", ["n5"]) == W5


def test_figure_2_11_backwards() -> None:
    answer = pre_star(figure_2_11(EXPLICIT, W1, W2, W3, EXPLICIT.one).system, single(CONTROL, "n6"))
    weights = {(t.symbol, t.target == CONTROL): t.weight for t in answer.transitions()}
    expected = {("n1", False): W6, ("n2", False): W3, ("n3", False): W3, ("n7", True): W3, ("n8", True): EXPLICIT.one}
    assert weights == expected | {(node, False): EXPLICIT.one for node in ("n4", "n5", "n6")}
    assert answer.weight_of(Configuration(CONTROL, ("n8", "n4"))) == EXPLICIT.one


def test_weighted_questions() -> None:
    graph = figure_2_11(EXPLICIT, W1, W2, W3, EXPLICIT.one)
    only = EXPLICIT.assume(lambda s: s[0] == 3)
    target = Automaton.of([(CONTROL, "n6", "acc", only)], ["acc"], [CONTROL])
    assert pre_star(graph.system, target).weight_of(Configuration(CONTROL, ("n1",))) == W4
    start = EXPLICIT.relation([((0, 0), (0, 0))])
    assert set(graph.jovp(start).at("n6")) == {((0, 0), (3, 3)), ((0, 0), (7, 7))}


def test_shortest_traces() -> None:
    domain = WeightedRelations(STATES, MinPath())
    steps = [domain.lift(weight, 1) for weight in (W1, W2, W3, EXPLICIT.one)]
    weight = figure_2_11(domain, *steps).jovp().at("n6")
    assert domain.at(weight, (0, 0), (3, 3)) == 5 == domain.at(weight, (0, 0), (7, 7))
    assert len(weight) == 128
    words = ShortestPaths()
    both = figure_2_11(words, *map(words.step, ["x=3", "x=7", "y=x", "."])).jovp().at("n6")
    assert (both.length, words.count(both)) == (5, 2)


def test_the_same_with_diagrams() -> None:
    domain = BddRelations(["x2", "x1", "x0", "y2", "y1", "y0"])

    def constant(value: int) -> Any:
        return domain.assign({f"x{bit}": bool(value >> bit & 1) for bit in range(3)})

    copy = domain.assign({f"y{bit}": domain.variable(f"x{bit}") for bit in range(3)})
    weight = figure_2_11(domain, constant(3), constant(7), copy, domain.one).jovp().at("n6")
    everything = list(domain.before.values()) + list(domain.after.values())
    assert domain.store.count(weight.function, everything) == 128
    three = domain.store.assignment({domain.after[f"{v}{b}"]: bool(3 >> b & 1) for v in "xy" for b in range(3)})
    seven = domain.store.assignment({domain.after[f"{v}{b}"]: True for v in "xy" for b in range(3)})
    assert weight.function == three | seven


LOCAL_STATES = [(g, local) for g in (0, 1) for local in (0, 1)]


def _split(state: tuple[int, int]) -> tuple[int, int]:
    return state


def _reachable(domain: Any, call: Any, make: Callable[[Callable[[Any], Any]], Any], merge: Any, project: Any) -> Any:
    """Return the weight at m2 of main `l := 0; call c`, where c is `g := l` with an uninitialised l."""
    builder: GraphBuilder[Any] = GraphBuilder(domain)
    main, c = builder.procedure("main", "m0"), builder.procedure("c", "c0")
    main.edge("m0", "m1", make(lambda state: (state[0], 0)))
    main.call("m1", "c", "m2", call, merge=merge, project=project)
    c.edge("c0", "c1", make(lambda state: (state[1], state[1])))
    c.exit("c1", call)
    return builder.build("main").jovp().at("m2")


def test_uninitialised_locals_of_a_callee() -> None:
    """The project of the thesis ties them to the caller's locals and misses g = 1."""
    domain = BitRelations(LOCAL_STATES)
    call = domain.relation((s, t) for s in LOCAL_STATES for t in LOCAL_STATES if s[0] == t[0])
    right = _reachable(domain, call, domain.function, None, domain.projection(_split))
    assert right.image() == {(0, 0), (1, 0)}

    def printed(caller: Any, callee: Any) -> Any:
        tied = domain.relation({(s, (t[0], s[1])) for s, t in callee})
        return domain.extend(caller, tied)

    assert _reachable(domain, call, domain.function, Merge(printed), None).image() == {(0, 0)}


@pytest.mark.parametrize("steps", [0, 1])
def test_shortest_traces_count_the_call(steps: int) -> None:
    domain = WeightedRelations(LOCAL_STATES, MinPath())
    pairs = [(s, t) for s in LOCAL_STATES for t in LOCAL_STATES if s[0] == t[0]]
    call = domain.lift(pairs, steps)
    lift = lambda f: domain.lift([(s, f(s)) for s in LOCAL_STATES], 1)  # noqa: E731
    weight = _reachable(domain, call, lift, None, domain.projection(_split))
    assert domain.at(weight, (0, 0), (1, 0)) == 2 + 2 * steps  # l := 0, the call, g := l, the return
