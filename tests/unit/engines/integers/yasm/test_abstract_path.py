"""Refinement along paths of the may side: predicates that exclude them, or runs."""

from __future__ import annotations

from itertools import pairwise

import pytest

pytest.importorskip("z3")

import knaster
from benchmarks.levels import levels
from knaster.checkers.runs.replay import replay
from knaster.engines.integers.yasm import engine as yasm
from knaster.engines.integers.yasm.abstract_path import abstract_path
from knaster.engines.integers.yasm.concrete_path import concrete_path
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.expression import Compare, Comparison, Const, Var
from knaster.smt.solver import Session
from knaster.views.abstraction.interpolants import Interpolation, Tree, everything
from knaster.views.abstraction.predicates import Placement
from knaster.views.abstraction.relations import Abstraction
from support.exact_abstraction import Sides, example

UNITS = 2_000_000
COUNTS = """
int sum(int n, int m) { if (n <= 0) return m + n; return sum(n - 1, m + 1); }
int main(void) { int got = sum(2, 3); if (got != 5) { ERROR: ; } return 0; }
"""
TWICE = """
int g;
void one(void) { g = g + 1; }
int main(void) { one(); one(); if (g != 2) { ERROR: ; } return 0; }
"""


def _path(text: str, integers: str = "mathematical") -> tuple[Sides, Tree]:
    sides = Sides(text, {}, integers=integers)
    found = sides.over.reach(sides.targets)
    return sides, abstract_path(sides.over, found, frozenset(sides.targets))


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("integers", ["mathematical", "machine"])
@pytest.mark.parametrize("text", [COUNTS, TWICE])
def test_a_path_that_is_no_run_is_excluded(text: str, integers: str, down: bool) -> None:
    """With the atoms of the interpolants the same points are no path any more, so refinement makes progress."""
    sides, path = _path(text, integers)
    assert concrete_path(sides.paths, path, Session(), UNITS) is None
    predicates = Interpolation(sides.paths, Session()).predicates(path, UNITS, False, down)
    assert predicates
    placement = Placement(sides.paths)
    for place, each in predicates:
        placement.add(place, each)
    refined = Sides(text, {}, integers=integers)
    refined.abstraction.predicates = dict(placement.at)
    found = refined.over.reach(refined.targets)
    if refined._starts(found):
        other = abstract_path(refined.over, found, frozenset(refined.targets))
        assert [p[1] for p in other.links] != [p[1] for p in path.links]


def test_a_path_that_is_a_run_is_replayed() -> None:
    text = "int read(void); int half(int n) { return n / 2; }\n"
    text += "int main(void) { int x = read(); int y = half(x); if (y == 21 && x % 2) { ERROR: ; } return 0; }"
    sides, path = _path(text, "machine")
    trace = concrete_path(sides.paths, path, Session(), UNITS)
    assert trace is not None
    replay(sides.program, trace, resolve_targets(sides.program, ["ERROR"])[0])


def test_time_goes_back_on_a_path() -> None:
    sides = Sides(COUNTS, {})
    found = sides.over.reach(sides.targets)
    path = abstract_path(sides.over, found, frozenset(sides.targets))
    point, times = path.start, [found.time[path.start[1:]]]
    while point not in path.ends:
        point = path.links[point][0].target
        times.append(found.time[point[1:]])
    assert all(earlier > later for earlier, later in pairwise(times)) and len(times) > 2


def test_the_whole_program_as_clauses_gives_invariants() -> None:
    text = (
        "int main(void) { int i = 0; int j = 0; while (i < 9) { i++; j += 2; } if (j != 2 * i) { ERROR: ; } return 0; }"
    )
    sides = Sides(text, {})
    predicates = Interpolation(sides.paths, Session()).predicates(
        everything(sides.paths, sides.targets), UNITS, False, False
    )
    assert predicates and {place for place, _ in predicates} <= set(sides.paths.places())


FIBONACCI = """
int f(int n) { if (n < 1) return 0; if (n == 1) return 1; return f(n - 1) + f(n - 2); }
int main(void) { int x = f(3); if (x != 2) { ERROR: ; } return 0; }
"""
LINEAR = """
int read(void);
int main(void) {
  int n = read(); int i = 0; int j = 0;
  if (n < 0 || n > 100) return 0;
  while (i < n) { i++; j += 2; }
  if (j != 2 * n) { ERROR: ; }
  return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "verdict"), [(FIBONACCI, "TRUE"), (FIBONACCI.replace("!=", "=="), "FALSE"), (LINEAR, "TRUE")]
)
def test_paths_decide_what_gaps_do_not(monkeypatch: pytest.MonkeyPatch, text: str, verdict: str) -> None:
    assert knaster.check(text, file="p.c", engine="yasm", integers="mathematical").verdict.value == verdict
    monkeypatch.setattr(yasm._Loop, "_add_interpolants", lambda *_: 0)
    monkeypatch.setattr(yasm, "concrete_path", lambda *_: None)
    monkeypatch.setattr(yasm, "find_may_run", lambda *_: None)
    monkeypatch.setattr(yasm, "suggest_predicates", lambda *_: ())
    assert knaster.check(text, file="p.c", engine="yasm", integers="mathematical").verdict.value == "UNKNOWN"


def test_what_a_new_predicate_does_not_touch_is_not_abstracted_again() -> None:
    text = "int read(void); int f(int n) { while (n > 5) n--; return n; }\n"
    text += "int g(int m) { while (m > 0) m--; return m; }\nint main(void) { return g(f(read())); }"
    sides = Sides(text, {"f": ["n > 0"], "g": ["m > 0"]})

    def asked(abstraction: Abstraction, name: str) -> int:
        before = abstraction.oracle.questions
        for place in sides.paths.places():
            if place[0] == name:
                abstraction.minterms(place)
                for path in sides.paths.leaving[place]:
                    abstraction.after(path)
                if place in sides.paths.calls:
                    abstraction.returns(sides.paths.calls[place])
        return abstraction.oracle.questions - before

    assert all(asked(sides.abstraction, name) for name in ("f", "g", "main"))
    placement = Placement(sides.paths)
    placement.at = dict(sides.abstraction.predicates)
    head = next(path.target for path in sides.paths.leaving[sides.paths.entries["f"]])
    assert placement.add(("f", head), Compare(Comparison.GREATER, Var("n"), Const(7)))
    later = Abstraction(sides.paths, sides.abstraction.oracle, placement.at, sides.abstraction.memory)
    assert asked(later, "f") and not asked(later, "g") and not asked(later, "main")


@pytest.mark.parametrize("text", [COUNTS, TWICE, FIBONACCI, levels(3, False), levels(4, True), example("ex0")])
def test_the_may_sets_themselves_are_a_proof(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(yasm, "MANY", -1)
    result = knaster.check(text, file="p.c", engine="yasm", integers="mathematical")
    assert result.verdict.value == "TRUE" and all(answer.checked for _, answer in result.answers)
