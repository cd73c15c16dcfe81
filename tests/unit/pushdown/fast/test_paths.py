"""Path expressions against fixed points on random graphs, reducible or not; dominators against their definition."""

from __future__ import annotations

import os
import random

from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.fast.dominators import ABSENT, analyze_flow
from knaster.pushdown.fast.evaluate import Evaluator
from knaster.pushdown.fast.expression import EMPTY, Expressions
from knaster.pushdown.fast.paths import PathExpressions
from knaster.pushdown.fast.regions import ROOT, Edge

GRAPHS = 300 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
DOMAIN = BitRelations(range(3))

Arrow = tuple[int, int, BitRelation[int]]


def random_arrows(rng: random.Random) -> tuple[int, list[Arrow]]:
    """Return a number of vertices and arrows between them; the source ROOT starts a path."""
    count = rng.randint(1, 12)
    arrows = []
    for _ in range(rng.randint(1, 3 * count)):
        pairs = [(a, b) for a in range(3) for b in range(3) if rng.random() < 0.4]
        source = ROOT if rng.random() < 0.15 else rng.randrange(count)
        arrows.append((source, rng.randrange(count), DOMAIN.relation(pairs)))
    return count, arrows


def fixed_point(count: int, arrows: list[Arrow]) -> list[BitRelation[int]]:
    weights = [DOMAIN.zero] * count
    changed = True
    while changed:
        changed = False
        for source, target, weight in arrows:
            path = weight if source == ROOT else DOMAIN.extend(weights[source], weight)
            new = DOMAIN.combine(weights[target], path)
            changed |= new != weights[target]
            weights[target] = new
    return weights


def test_path_expressions_equal_the_fixed_point() -> None:
    reached = tops = 0
    for seed in range(GRAPHS):
        rng = random.Random(f"paths {seed}")
        count, arrows = random_arrows(rng)
        graph: Expressions[BitRelation[int]] = Expressions(DOMAIN.one)
        paths = PathExpressions(graph, graph.product)
        paths.solve(range(count), [(source, target, graph.weight(weight)) for source, target, weight in arrows])
        evaluator = Evaluator(DOMAIN, graph)
        expected = fixed_point(count, arrows)
        order = list(range(count))
        rng.shuffle(order)
        for vertex in order:
            expression = paths.expression(vertex)
            assert evaluator.weight(expression) == expected[vertex], (seed, vertex)
            reached += expression != EMPTY
        tops += sum(paths.regions.top[vertex] == vertex for vertex in order)
    assert reached > 2 * GRAPHS and tops > GRAPHS


class ShortWords:
    """Sets of words of edges, cut off beyond a length: path expressions must describe exactly the paths."""

    longest = 5
    zero: frozenset[tuple[int, ...]] = frozenset()
    one: frozenset[tuple[int, ...]] = frozenset({()})

    def combine(
        self, first: frozenset[tuple[int, ...]], second: frozenset[tuple[int, ...]]
    ) -> frozenset[tuple[int, ...]]:
        return first | second

    def extend(
        self, first: frozenset[tuple[int, ...]], second: frozenset[tuple[int, ...]]
    ) -> frozenset[tuple[int, ...]]:
        return frozenset(a + b for a in first for b in second if len(a) + len(b) <= self.longest)


def test_path_expressions_describe_exactly_the_paths() -> None:
    words = ShortWords()
    for seed in range(GRAPHS):
        rng = random.Random(f"words {seed}")
        count = rng.randint(2, 6)
        arrows = [(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(count, 2 * count))]
        entry = rng.randrange(count)
        graph: Expressions[frozenset[tuple[int, ...]]] = Expressions(words.one)
        edges = [(s, t, graph.weight(frozenset({(number,)}))) for number, (s, t) in enumerate(arrows)]
        paths = PathExpressions(graph, graph.product)
        paths.solve(range(count), [*edges, (ROOT, entry, graph.weight(words.one))])
        evaluator = Evaluator(words, graph)
        expected: list[set[tuple[int, ...]]] = [set() for _ in range(count)]
        layer: set[tuple[int, tuple[int, ...]]] = {(entry, ())}
        while layer:
            for vertex, word in layer:
                expected[vertex].add(word)
            layer = {
                (t, (*word, number))
                for vertex, word in layer
                if len(word) < words.longest
                for number, (s, t) in enumerate(arrows)
                if s == vertex
            }
        for vertex in range(count):
            assert evaluator.weight(paths.expression(vertex)) == expected[vertex], (seed, vertex)


def test_dominators_are_what_every_path_goes_through() -> None:
    for seed in range(GRAPHS):
        rng = random.Random(f"dominators {seed}")
        count = rng.randint(1, 10)
        successors = [[rng.randrange(count) for _ in range(rng.randint(0, 3))] for _ in range(count)]
        flow = analyze_flow(successors)
        reached = reachable(successors, None)
        assert set(flow.order) == reached and flow.order[0] == 0
        for vertex in range(count):
            if vertex not in reached or vertex == 0:
                assert flow.dominator[vertex] == ABSENT
                continue
            dominators = {d for d in reached if d != vertex and vertex not in reachable(successors, d)}
            dominators |= {0}
            chain = set()
            above = flow.dominator[vertex]
            while above != ABSENT:
                chain.add(above)
                above = flow.dominator[above]
            assert chain == dominators, (seed, vertex)


def reachable(successors: list[list[int]], without: int | None) -> set[int]:
    if without == 0:
        return set()
    seen, todo = {0}, [0]
    while todo:
        for target in successors[todo.pop()]:
            if target not in seen and target != without:
                seen.add(target)
                todo.append(target)
    return seen


def test_long_chains_and_deep_loops_need_no_recursion() -> None:
    count = 30_000
    graph: Expressions[int] = Expressions(0)
    edges: list[Edge] = [(vertex - 1, vertex, graph.weight(1)) for vertex in range(count)]  # ROOT is -1
    edges += [(count - 1 - vertex, vertex, graph.weight(2)) for vertex in range(count // 2)]  # heads of nested loops
    paths = PathExpressions(graph, graph.product)
    paths.solve(range(count), edges)
    assert ROOT == -1 and len(graph) < 20 * count
    assert paths.expression(count - 1) != EMPTY
