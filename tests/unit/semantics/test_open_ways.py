"""Open ways: a node inside a section from which every way blocks is closed, one on a cycle is open."""

from __future__ import annotations

from knaster.semantics.open_ways import open_ways

GRAPH = {1: [2, 3], 2: [], 3: [4, 9], 4: [4], 5: [2]}


def test_open_ways() -> None:
    def after(node: int) -> list[int]:
        return GRAPH[node]

    assert open_ways(1, after, lambda node: node < 9) == {1: True, 2: False, 3: True, 4: True}
    assert open_ways(5, after, lambda node: node < 9) == {5: False, 2: False}
