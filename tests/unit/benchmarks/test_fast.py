"""Generated graphs look like programs, and every family of the benchmark agrees with itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.fast import FAMILIES, METHODS, breadth_first, callees_first, measure, measure_edits
from benchmarks.graphs import generate
from benchmarks.shares import PARTS, REST, main, part_of


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
    row, speed_up = measure(FAMILIES[name], 40, 4)
    assert len(row) == 7 and speed_up > 0


def test_edits_agree() -> None:
    row, speed_up = measure_edits(100, 8, 4)
    assert len(row) == 7 and speed_up > 0


def test_the_best_of_several_runs_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([2.0, 9.0, 8.0, 9.0, 4.0, 9.0, 6.0, 9.0])  # fast, full, callees first, breadth first, twice

    def timed(action: Callable[[], object]) -> tuple[float, object]:
        return next(seconds), action()

    monkeypatch.setattr("benchmarks.fast.timed", timed)
    assert measure(FAMILIES["touching"], 100, 4, repeats=2)[1] == 3


def test_a_wrong_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "breadth first", lambda problem: [])
    with pytest.raises(SystemExit, match="the answers differ"):
        measure(FAMILIES["touching"], 100, 4)


def test_shares_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["touching", "--size", "300", "4"]) == 0
    rows = [line.split("|")[3:-1] for line in capsys.readouterr().out.splitlines() if line.startswith("| touching")]
    assert len(rows) == 2
    for row in rows:
        percent = [int(cell.strip(" %")) for cell in row]
        assert abs(sum(percent) - 100) <= len(percent) / 2 + 1 and percent[0] > 0


def test_parts_are_found_by_module() -> None:
    import knaster.pushdown.fast.evaluate as evaluate

    known: dict[tuple[str, int, str], str] = {}
    assert part_of((evaluate.__file__, 1, "weight"), known) == "evaluation" in PARTS
    assert part_of((__file__, 1, "test"), known) == REST
    assert part_of(("~", 0, "<built-in method builtins.len>"), known) is None
