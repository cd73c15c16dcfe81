"""Depth-first search and strongly connected components against their definitions, on random graphs."""

from __future__ import annotations

import os
import random

from knaster.base.graphs import components, depth_first, postorder, shortest_way

GRAPHS = 300 * int(os.environ.get("KNASTER_EXAMPLES", "1"))

Graph = list[list[int]]


def random_graph(rng: random.Random) -> Graph:
    count = rng.randint(1, 12)
    return [[rng.randrange(count) for _ in range(rng.randint(0, 2))] for _ in range(count)]


def reached_from(graph: Graph, start: int) -> set[int]:
    seen: set[int] = set()
    todo = [start]
    while todo:
        for target in graph[todo.pop()]:
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def test_components_are_classes_of_mutual_reachability_and_come_after_what_they_lead_to() -> None:
    for seed in range(GRAPHS):
        graph = random_graph(random.Random(f"components {seed}"))
        found = list(components(range(len(graph)), graph.__getitem__))
        assert sorted(vertex for component in found for vertex in component) == list(range(len(graph)))
        place = {vertex: number for number, component in enumerate(found) for vertex in component}
        closure = [reached_from(graph, vertex) for vertex in range(len(graph))]
        for one in range(len(graph)):
            assert all(place[target] <= place[one] for target in graph[one])
            for other in range(len(graph)):
                together = other in closure[one] and one in closure[other]
                assert (place[one] == place[other]) == (together or one == other)


def test_members_of_a_component_are_in_the_order_in_which_they_are_found() -> None:
    assert list(components("ad", {"a": "bc", "b": "a", "c": "bd", "d": ""}.__getitem__)) == [["d"], ["a", "b", "c"]]
    assert list(components("a", {"a": "b", "b": ""}.__getitem__)) == [["b"], ["a"]]  # only what the roots reach


def test_a_depth_first_search_is_a_tree_of_edges_whose_back_edges_lead_to_ancestors() -> None:
    """Of any edge, the target is left before the source, unless it is the source or an ancestor of it."""
    for seed in range(GRAPHS):
        rng = random.Random(f"search {seed}")
        graph = random_graph(rng)
        roots = [rng.randrange(len(graph)) for _ in range(2)]
        parent, order = depth_first(roots, graph.__getitem__)
        assert set(parent) == set(order) == set(roots).union(*(reached_from(graph, root) for root in roots))
        entered = {vertex: number for number, vertex in enumerate(parent)}
        left = {vertex: number for number, vertex in enumerate(order)}
        for vertex, above in parent.items():
            assert vertex in roots if above is None else vertex in graph[above] and entered[above] < entered[vertex]
            for target in graph[vertex]:
                ancestors = {vertex}
                while (up := parent[min(ancestors, key=entered.__getitem__)]) is not None:
                    ancestors.add(up)
                assert left[target] < left[vertex] or target in ancestors


def test_successors_are_looked_at_in_their_order() -> None:
    graph = {"a": "cb", "b": "", "c": "d", "d": ""}
    parent, order = depth_first("a", graph.__getitem__)
    assert (list(parent), order) == (["a", "c", "d", "b"], ["d", "c", "b", "a"])


def test_long_chains_need_no_recursion() -> None:
    count = 30_000
    chain = [[vertex + 1] for vertex in range(count - 1)]
    assert postorder([0], [*chain, []].__getitem__) == list(range(count))[::-1]
    assert [len(each) for each in components([0], [*chain, [0]].__getitem__)] == [count]


def test_a_shortest_way_ends_with_a_wanted_arc() -> None:
    arcs = {0: [(1, "a"), (2, "b")], 1: [(3, "c")], 2: [(3, "d"), (0, "e")], 3: [(4, "f")], 4: [(0, "g")]}
    assert shortest_way(0, arcs.__getitem__, lambda here, arc: arc == "f") == [(0, "a"), (1, "c"), (3, "f")]
    assert shortest_way(0, arcs.__getitem__, lambda here, arc: arc == "e") == [(0, "b"), (2, "e")]  # back to the start
    assert shortest_way(0, arcs.__getitem__, lambda here, arc: False) == []
