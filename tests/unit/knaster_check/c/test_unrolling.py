"""A depth: one that is enough is believed, a smaller one and another program are not; planted mistakes are noticed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.frontends.languages import load
from knaster_check import Refused
from knaster_check.c import unrolling
from knaster_check.c.nodes import FALSE
from knaster_check.c.unrolling import Unrolling
from knaster_check.c.walk import Arrival, Walk
from knaster_check.program import Edge
from knaster_check.refused import Unsupported
from support.kernel import document, kernel

TEXT = """int in(void);
int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }
int main(void) {
  int x = in(), i;
  if (x < 0 || x > 2) return 0;
  for (i = 0; i < 3; i++) x = x;
  assert(f(x) == x);
  return 0;
}
"""
NESTED = """int in(void);
int main(void) {
  int n = in(), i = 0, s = 0;
  if (n < 0 || n > 2) return 0;
  while (i < n) { int j = 0; while (j < 2) { j++; s++; } i++; }
  assert(s == 2 * n);
  return 0;
}
"""
MUTUAL = """int in(void);
int odd(int n);
int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main(void) { int x = in(); if (x < 0 || x > 3) return 0; assert(even(x) != odd(x)); return 0; }
"""
STRAIGHT = "int in(void);\nint main(void) { int x = in(); if (x > 3) { assert(x > 2); } return 0; }\n"


def is_believed(text: str, depth: object) -> bool:
    program = load(text, file="x.c")
    try:
        verdict = kernel(program, document(program, {"unrolling": {"depth": depth}}))
    except Refused:
        return False
    return verdict.claim == "unreachable" and verdict.bound is None


@pytest.mark.parametrize(("text", "least"), [(TEXT, 3), (NESTED, 6), (MUTUAL, 3), (STRAIGHT, 0)])
def test_the_least_depth(text: str, least: int) -> None:
    assert is_believed(text, least) and is_believed(text, least + 1)
    for depth in range(max(0, least - 2), least):
        assert not is_believed(text, depth)


WRONG = [
    (TEXT, "== x", "< 2", 4),
    (TEXT, "x > 2", "x > 9", 4),
    (TEXT, "i < 3", "i < 30", 4),
    (TEXT, "i++", "i--", 4),
    (NESTED, "j++", "j = j", 6),
    (NESTED, "2 * n", "3", 6),
    (MUTUAL, "even(n - 1)", "even(n)", 4),
    (STRAIGHT, "x > 2", "x > 4", 0),
]


@pytest.mark.parametrize(("text", "old", "new", "depth"), WRONG)
def test_what_is_not_so_is_refused(text: str, old: str, new: str, depth: int) -> None:
    assert old in text and not is_believed(text.replace(old, new), depth)


@pytest.mark.parametrize("depth", [-1, True, "3", 2.0, None, [3]])
def test_what_is_no_depth(depth: object) -> None:
    assert not is_believed(STRAIGHT, depth)


def test_proofs_of_the_engine_and_what_they_exclude() -> None:
    result = knaster.check(TEXT, file="x.c", engine="unrolled", evidence=knaster.Evidence(proofs=True))
    proof = json.loads(proof_to_text(result))
    assert "unrolling" in proof and kernel(result.program, proof).claim == "unreachable"
    with pytest.raises(Refused):
        kernel(result.program, {**proof, "targets": [{"name": "deadlock", "procedure": "", "location": 0}]})


@pytest.mark.parametrize(("text", "least"), [(TEXT, 3), (NESTED, 6), (MUTUAL, 3), (STRAIGHT, 0)])
def test_of_no_targets_a_depth_says_that_every_run_ends(text: str, least: int) -> None:
    program = load(text, file="x.c")
    verdict = kernel(program, document(program, {"unrolling": {"depth": least}}, excludes=False))
    assert verdict.claim == "ends" and not verdict.targets
    for depth in range(max(0, least - 2), least):
        with pytest.raises(Refused):
            kernel(program, document(program, {"unrolling": {"depth": depth}}, excludes=False))


@pytest.mark.parametrize(
    "body",
    ["while (in()) ;", "for (;;) ;", "int x = 3; while (x) x -= 2;", "L: if (in() != 3) goto L;"],
)
def test_a_run_without_an_end_needs_more_than_every_depth(body: str) -> None:
    program = load(f"int in(void);\nint main(void) {{ {body} return 0; }}\n", file="x.c")
    for depth in (0, 1, 4, 9):
        with pytest.raises(Refused):
            kernel(program, document(program, {"unrolling": {"depth": depth}}, excludes=False))


def test_what_is_too_large_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load(TEXT, file="x.c")
    for name in ("MOST_EDGES", "MOST_CALLS"):
        with monkeypatch.context() as patch, pytest.raises(Unsupported):
            patch.setattr(unrolling, name, 1)
            kernel(program, document(program, {"unrolling": {"depth": 3}}))
    deep = load(TEXT.replace("x > 2", "x > 500"), file="x.c")
    with pytest.raises(Unsupported):
        kernel(deep, document(deep, {"unrolling": {"depth": 1_000}}))


def nothing_is_asked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(unrolling, "any_of", lambda nodes: FALSE)


def the_last_edge_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    ways = Walk.ways

    def wrong(self: Walk, arrival: Arrival) -> Iterator[tuple[Arrival, Edge]]:
        found = list(ways(self, arrival))
        return iter(found[:1])

    patch.setattr(Walk, "ways", wrong)


def recursion_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Unrolling, "_call", lambda *_: iter(()))


@pytest.mark.parametrize("plant", [nothing_is_asked, the_last_edge_is_forgotten, recursion_is_forgotten])
def test_a_planted_mistake_is_noticed(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(is_believed(text.replace(old, new), depth) for text, old, new, depth in WRONG)
