"""Generated graphs look like programs, and every family of the benchmark agrees with itself."""

from __future__ import annotations

import pytest

from benchmarks.fast import FAMILIES, breadth_first, callees_first, measure, measure_edits
from benchmarks.graphs import generate


def test_graphs_are_as_large_as_asked_and_fully_reachable() -> None:
    graph = generate(2_000, 30)
    assert graph == generate(2_000, 30) != generate(2_000, 30, seed=2)
    assert len(graph.bodies) == 30 and 1_000 < graph.nodes < 4_000
    assert set(breadth_first(graph)) == set(callees_first(graph)) == set(range(graph.nodes))
    calls = [(n, arrow.callee) for n, body in enumerate(graph.bodies) for arrow in body.arrows if arrow.kind == "call"]
    assert any(callee <= caller for caller, callee in calls)
    assert len(graph.branches()) > 100


def test_every_node_has_one_way_out_or_is_a_branch() -> None:
    graph = generate(500, 5)
    for body in graph.bodies:
        leaving: dict[int, list[str]] = {}
        for arrow in body.arrows:
            leaving.setdefault(arrow.source, []).append(arrow.kind)
        assert set(leaving) == set(range(body.entry, body.exit))
        assert all(kinds in (["step"], ["call"], ["branch", "branch"]) for kinds in leaving.values())


@pytest.mark.parametrize("name", FAMILIES)
def test_families_agree(name: str) -> None:
    row, speed_up = measure(FAMILIES[name], 300, 4)
    assert len(row) == 7 and speed_up > 0


def test_edits_agree() -> None:
    row, speed_up = measure_edits(400, 8, 4)
    assert len(row) == 7 and speed_up > 0
