"""Open ways: a node inside a section from which every way blocks is closed, one on a cycle is open."""

from __future__ import annotations

import pytest

from knaster.base.limits import OutOfBudget
from knaster.semantics import open_ways as ways
from knaster.semantics.open_ways import DEEPEST, open_ways

GRAPH = {1: [2, 3], 2: [], 3: [4, 9], 4: [4], 5: [2]}


def test_open_ways() -> None:
    def after(node: int) -> list[int]:
        return GRAPH[node]

    assert open_ways(1, after, lambda node: node < 9, lambda _: 1) == {1: True, 2: False, 3: True, 4: True}
    assert open_ways(5, after, lambda node: node < 9, lambda _: 1) == {5: False, 2: False}


def test_how_deep_and_how_large_a_section_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def length(last: int, depth: bool) -> int:
        """Follow a chain out of a section; tell how many nodes are inside."""
        return len(open_ways(0, lambda n: [n + 1], lambda n: n <= last, lambda n: n if depth else 0))

    assert length(DEEPEST, True) == DEEPEST + 1
    with pytest.raises(OutOfBudget):
        length(DEEPEST + 1, True)
    monkeypatch.setattr(ways, "MOST", 5)
    assert length(5, False) == 6
    with pytest.raises(OutOfBudget):
        length(6, False)


def test_a_section_without_end_is_left_open() -> None:
    with pytest.raises(OutOfBudget, match="recurses"):
        open_ways(0, lambda node: [node + 1], lambda _: True, lambda node: node)
