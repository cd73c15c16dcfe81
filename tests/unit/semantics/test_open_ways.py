"""Open ways: a node inside a section from which every way blocks is closed, one on a cycle is open."""

from __future__ import annotations

import pytest

from knaster.base.limits import OutOfBudget
from knaster.semantics.open_ways import open_ways

GRAPH = {1: [2, 3], 2: [], 3: [4, 9], 4: [4], 5: [2]}


def test_open_ways() -> None:
    def after(node: int) -> list[int]:
        return GRAPH[node]

    assert open_ways(1, after, lambda node: node < 9, lambda _: 1) == {1: True, 2: False, 3: True, 4: True}
    assert open_ways(5, after, lambda node: node < 9, lambda _: 1) == {5: False, 2: False}


def test_a_section_without_end_is_left_open() -> None:
    with pytest.raises(OutOfBudget, match="recurses"):
        open_ways(0, lambda node: [node + 1], lambda _: True, lambda node: node)
