"""Unrolling: runs that replay, depths that are proofs, and honest words where neither is found."""

from __future__ import annotations

import pytest

import knaster
from knaster.engines.integers.unrolled import cells
from knaster.evidence.answers.answer import Reachable, Result, Terminates, Unknown, Unreachable, Verdict
from knaster.evidence.proofs.unrolling import Unrolling, to_words

HEAD = "int in(void);\nunsigned uin(void);\n"
SORT = """int main(void) {
  int a[3], i, j;
  for (i = 0; i < 3; i++) a[i] = in();
  for (i = 0; i < 3; i++)
    for (j = 0; j + 1 < 3 - i; j++)
      if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  assert(a[0] <= a[1] && a[1] <= a[2]);
  return 0;
}
"""
COUNT = """int main(void) {
  int i = 0, n = in();
  while (i < n) i = i + 1;
  assert(i != LIMIT);
  return 0;
}
"""
RECURSION = """int f(int n) { if (n <= 0) return 0; return 2 + f(n - 1); }
int main(void) { int x = in(); if (x < 0 || x > 5) return 0; assert(f(x) == 2 * x); assert(f(x) != 8); return 0; }
"""
BITS = """int main(void) {
  unsigned x = uin(), y = x, n = 0, i;
  for (i = 0; i < 8; i++) { n += y & 1; y >>= 1; }
  assert(n <= 8);
  assert((x & 255) != 170 || n != 4);
  return 0;
}
"""


def ask(text: str, **options: object) -> Result:
    return knaster.check(HEAD + text, file="x.c", engine="unrolled", **options)  # type: ignore[arg-type]


def test_sorting_is_proved_by_its_depth() -> None:
    result = ask(SORT, property="reach")
    assert result.verdict is Verdict.TRUE
    answer = result.answers[0][1]
    assert isinstance(answer, Unreachable) and answer.checked and isinstance(answer.proof, Unrolling)
    assert answer.proof.depth == 16  # 3 + 3 + 3 repetitions, and the depth doubles
    assert "at most 16 times" in "".join(to_words(answer.proof, result.program, False))


def test_long_arrays_are_those_of_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MOST", 0)
    text = "int main(void) { int a[3], i = in(); a[0] = 1; a[1] = 2; a[2] = 3; if (i < 0 || i > 2) return 0; "
    assert ask(text + "assert(a[i] == i + 1); return 0; }\n").verdict is Verdict.TRUE
    assert ask(text + "assert(a[i] != 2); return 0; }\n").verdict is Verdict.FALSE


def test_a_run_is_found_as_deep_as_it_is() -> None:
    result = ask(COUNT.replace("LIMIT", "20"))
    answer = result.answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked and answer.trace is not None
    assert [step.inputs for step in answer.trace.paths[0].steps if step.inputs] == [(20,)]


def test_what_is_not_decided_says_how_far_was_looked() -> None:
    result = ask(COUNT.replace("LIMIT", "-3"), depth=16)
    answer = result.answers[0][1]
    assert isinstance(answer, Unknown) and "holds up to 16 iterations of the loop at line 5" in answer.reason
    deep = ask(
        "int f(int n) { return n == 0 ? 0 : f(n - 1); }\nint main(void) { assert(f(in()) == 0); return 0; }\n", depth=4
    )
    reason = deep.answers[0][1]
    assert isinstance(reason, Unknown) and "holds up to 4 calls inside each other of 'f'" in reason.reason


def test_recursion_and_several_targets() -> None:
    result = ask(RECURSION)
    kinds = [type(answer) for _, answer in result.answers]
    assert kinds == [Unreachable, Reachable] and all(answer.checked for _, answer in result.answers)


def test_bits_are_exact() -> None:
    kinds = [type(answer) for _, answer in ask(BITS).answers]
    assert kinds == [Unreachable, Reachable]


def test_a_place_after_the_exit_in_the_order_is_not_forgotten() -> None:
    """A loop that goes on for ever beside a way out: runs need more."""
    result = ask(
        "int main(void) { while (in()) { if (in()) return 0; } assert(1); assert(in() != 5); return 0; }\n", depth=4
    )
    assert not isinstance(result.answers[0][1], Unreachable) and isinstance(result.answers[1][1], Reachable)


def test_mathematical_integers_are_nothing_for_bits() -> None:
    result = ask(COUNT.replace("LIMIT", "20"), integers="mathematical")
    assert result.verdict is Verdict.UNKNOWN


def test_recursion_without_an_end_is_looked_at_as_far_as_the_stack_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.engines.integers.unrolled.evaluation.NESTED", 6)
    result = ask("int f(int n) { return f(n + 1); }\nint main(void) { int n = f(0); assert(n == 1); return 0; }\n")
    answer = result.answers[0][1]
    assert isinstance(answer, Unknown) and "more than 6 deep are not looked at" in answer.reason


BITWISE = """int main(void) { int b = 30, x = in(); while (x > 0) { b = b | (b + 1); x = x - b; } return 0; }
"""


def test_every_run_ends_where_none_needs_more() -> None:
    result = ask(BITWISE, property="termination")
    answer = result.answers[0][1]
    assert isinstance(answer, Terminates) and answer.checked and answer.kernel
    assert isinstance(answer.proof, Unrolling) and answer.proof.depth == 32


def test_a_run_that_may_go_on_is_not_said_to_end() -> None:
    result = ask("int main(void) { int x = in(); while (x) x -= 2; return 0; }\n", property="termination", depth=8)
    assert result.verdict is Verdict.UNKNOWN and "may need more than 8 iterations of the loop at line" in result.reason
