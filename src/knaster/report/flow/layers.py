"""Layered drawing of a directed graph: ranks, order inside a rank, coordinates.

After Sugiyama, Tagawa and Toda, Methods for Visual Understanding of Hierarchical System Structures (IEEE SMC 1981), in
four steps: edges that close a cycle are set aside; a vertex stands one rank below its lowest predecessor; vertices
of a rank are sorted by the barycentre of their neighbours, sweeping down and up, siblings as their edges are given;
and each rank is moved as close to the
neighbours as the widths allow, by isotonic regression (pool adjacent violators), which is optimal for one rank.

An edge that crosses ranks passes through one *lane* vertex of width 0 in each; edges to the same target share lanes, so
they join like roads and the number of lanes stays small.  Everything is iterative and close to linear in the result.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.records import dataclass

SWEEPS = 6
MAX_LANES = 20_000  # beyond this, long edges are drawn straight


@dataclass(frozen=True, slots=True)
class Size:
    """The extent of a vertex."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Placed:
    """Where everything is.

    `x` and `top` are the centre and the upper side of each vertex; `routes[i]` are the x and rank of the points that
    edge i passes between its ends; `back` are the edges that lead upwards; rank r lies between `upper[r]`, `lower[r]`.
    """

    x: tuple[float, ...]
    top: tuple[float, ...]
    rank: tuple[int, ...]
    routes: tuple[tuple[tuple[float, int], ...], ...]
    back: frozenset[int]
    upper: tuple[float, ...]
    lower: tuple[float, ...]


def place(sizes: Sequence[Size], edges: Sequence[tuple[int, int]], across: float, down: float) -> Placed:
    """Lay out a graph whose vertex 0 is its root; `across` and `down` separate vertices and ranks."""
    back = _back_edges(len(sizes), edges)
    forward = [(index, s, t) for index, (s, t) in enumerate(edges) if index not in back]
    rank = _ranks(len(sizes), [(s, t) for _, s, t in forward])
    widths = [size.width for size in sizes]
    levels = list(rank)
    segments, chains = _lanes(forward, rank, widths, levels)
    layers = _order(levels, _search_order(len(sizes), edges), segments)
    x = _coordinates(layers, segments, widths, across)
    heights = [max((sizes[v].height for v in layer if v < len(sizes)), default=0.0) for layer in layers]
    upper, lower, y = [], [], 0.0
    for height in heights:
        upper.append(y)
        lower.append(y + height)
        y += height + down
    routes = tuple(tuple((x[v], levels[v]) for v in chains.get(index, ())) for index in range(len(edges)))
    top = tuple(upper[rank[v]] for v in range(len(sizes)))
    return Placed(tuple(x[: len(sizes)]), top, tuple(rank), routes, back, tuple(upper), tuple(lower))


def _back_edges(count: int, edges: Sequence[tuple[int, int]]) -> frozenset[int]:
    """Return the edges that a depth-first search finds to lead to a vertex on its stack."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for index, (source, target) in enumerate(edges):
        leaving[source].append((index, target))
    state = [0] * count  # 0 new, 1 on the stack, 2 finished
    back: set[int] = set()
    for root in range(count):
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(leaving[root]))]
        while stack:
            vertex, rest = stack[-1]
            for index, target in rest:
                if state[target] == 1:
                    back.add(index)
                elif state[target] == 0:
                    state[target] = 1
                    stack.append((target, iter(leaving[target])))
                    break
            else:
                state[vertex] = 2
                stack.pop()
    return frozenset(back)


def _ranks(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the length of a longest path to each vertex of an acyclic graph."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    missing = [0] * count
    for source, target in edges:
        leaving[source].append(target)
        missing[target] += 1
    rank = [0] * count
    ready = [vertex for vertex in range(count) if not missing[vertex]]
    while ready:
        vertex = ready.pop()
        for target in leaving[vertex]:
            rank[target] = max(rank[target], rank[vertex] + 1)
            missing[target] -= 1
            if not missing[target]:
                ready.append(target)
    return rank


def _lanes(
    forward: Sequence[tuple[int, int, int]], rank: Sequence[int], widths: list[float], levels: list[int]
) -> tuple[set[tuple[int, int]], dict[int, list[int]]]:
    """Cut long edges into segments from rank to rank; add the lanes to `widths` and `levels`."""
    lanes: dict[tuple[int, int], int] = {}
    segments: set[tuple[int, int]] = set()
    chains: dict[int, list[int]] = {}
    for index, source, target in forward:
        here, chain = source, []
        if len(lanes) + rank[target] - rank[source] <= MAX_LANES:
            for level in range(rank[source] + 1, rank[target]):
                if (target, level) not in lanes:
                    lanes[target, level] = len(widths)
                    widths.append(0.0)
                    levels.append(level)
                chain.append(lanes[target, level])
                segments.add((here, chain[-1]))
                here = chain[-1]
            segments.add((here, target))
        chains[index] = chain
    return segments, chains


def _search_order(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the vertices as a depth-first search meets them that takes edges in their order."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    for source, target in reversed(edges):
        leaving[source].append(target)
    met: dict[int, None] = {}
    for root in range(count):
        stack = [root]
        while stack:
            vertex = stack.pop()
            if vertex not in met:
                met[vertex] = None
                stack += leaving[vertex]
    return list(met)


def _order(levels: Sequence[int], met: Sequence[int], segments: set[tuple[int, int]]) -> list[list[int]]:
    """Return the vertices of each rank from left to right; the search has met the vertices in this order."""
    layers: list[list[int]] = [[] for _ in range(max(levels) + 1)]
    for vertex in (*met, *range(len(met), len(levels))):
        layers[levels[vertex]].append(vertex)
    above, below = _neighbours(len(levels), segments)
    position = [0.0] * len(levels)
    for layer in layers:
        for index, vertex in enumerate(layer):
            position[vertex] = index
    for sweep in range(SWEEPS):
        near = above if sweep % 2 == 0 else below
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            keys = {v: sum(position[n] for n in near[v]) / len(near[v]) for v in layer if near[v]}
            moved = iter(sorted(keys, key=keys.__getitem__))
            layer[:] = [next(moved) if near[v] else v for v in layer]  # whoever has no neighbours there stays
            for index, vertex in enumerate(layer):
                position[vertex] = index
    return layers


def _coordinates(
    layers: Sequence[Sequence[int]], segments: set[tuple[int, int]], widths: Sequence[float], across: float
) -> list[float]:
    """Return the centre of each vertex; neighbours in a rank keep their order and distance."""
    above, below = _neighbours(len(widths), segments)
    x = [0.0] * len(widths)
    for layer in layers:
        _fit(layer, [0.0] * len(layer), widths, across, x)
    for sweep in range(2 * SWEEPS):
        near = above if sweep % 2 == 0 else below
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = [sum(x[n] for n in near[v]) / len(near[v]) if near[v] else x[v] for v in layer]
            _fit(layer, wanted, widths, across, x)
    left = min(x[v] - widths[v] / 2 for layer in layers for v in layer)
    return [value - left for value in x]


def _fit(layer: Sequence[int], wanted: Sequence[float], widths: Sequence[float], across: float, x: list[float]) -> None:
    """Place one rank with the least squared distance to `wanted`, keeping order and distances."""
    offsets, offset, previous = [], 0.0, None
    for vertex in layer:
        if previous is not None:
            offset += (widths[previous] + widths[vertex]) / 2 + across
        offsets.append(offset)
        previous = vertex
    pools: list[tuple[float, int]] = []  # the sum and the number of pooled values
    for want, shift in zip(wanted, offsets, strict=True):
        total, size = want - shift, 1
        while pools and pools[-1][0] * size >= total * pools[-1][1]:
            more, count = pools.pop()
            total, size = total + more, size + count
        pools.append((total, size))
    index = 0
    for total, size in pools:
        for _ in range(size):
            x[layer[index]] = total / size + offsets[index]
            index += 1


def _neighbours(count: int, segments: set[tuple[int, int]]) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for source, target in sorted(segments):
        above[target].append(source)
        below[source].append(target)
    return above, below
