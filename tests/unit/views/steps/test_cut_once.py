"""A program is cut once for a task, whatever engines are asked and however often they ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from knaster import check
from knaster.base.limits import Budget
from knaster.checkers import invariants
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.program.model import Program
from knaster.views.steps import cut

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "c"
DECLARED = "void reach_error(void); int __VERIFIER_nondet_int(void);\n"
PROGRAMS = {
    "a loop": """
        int twice(int n) { return n + n; }
        int main(void) {
          int i = 0, j = 0, n = __VERIFIER_nondet_int();
          if (n < 0 || n > 1000) return 0;
          while (i < n) {
            i++;
            j += 2;
          }
          if (j != twice(i)) reach_error();
          return 0;
        }
    """,
    "small": """
        void check(int condition) { if (!condition) reach_error(); }
        int main(void) {
          int x = 0, steps = __VERIFIER_nondet_int();
          while (steps) {
            if (x < 100) x++;
            else x = 0;
            steps = __VERIFIER_nondet_int();
          }
          check(x >= 0 && x <= 100);
          return 0;
        }
    """,
    "recursion": """
        int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
        int main(void) {
          int n = __VERIFIER_nondet_int();
          if (n < 0 || n > 20) return 0;
          if (sum(n) < n) reach_error();
          return 0;
        }
    """,
}
ENDING = """
    int main(void) {
      int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
      while (x > 0 && y > 0) { if (__VERIFIER_nondet_int()) x--; else { x = __VERIFIER_nondet_int(); y--; } }
      return 0;
    }
"""


@pytest.fixture(name="cuts")
def cuts_of_a_check(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[str]]:
    """Return a list that gets, for each time that a program is cut, which procedures were inlined."""
    cuts: list[frozenset[str]] = []
    original = cut.CutProgram.__init__

    def counted(self: cut.CutProgram, program: object, points: object, inlined: frozenset[str] = frozenset()) -> None:
        cuts.append(frozenset(inlined))
        original(self, program, points, inlined)  # type: ignore[arg-type]

    monkeypatch.setattr(cut.CutProgram, "__init__", counted)
    return cuts


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_cut_once_for_a_task(name: str, cuts: list[frozenset[str]]) -> None:
    result = check(DECLARED + PROGRAMS[name], file="test.c")
    assert result.verdict.value == "TRUE" and result.stats["method"] == "horn"
    assert cuts == [frozenset()]


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_proof_is_checked_twice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guess that does not hold is a proof of its own; `small` needs three: true everywhere, what clauses say, and a
    shorter one."""
    checks: list[Invariants] = []
    original = invariants.check_invariants

    def counted(proof: Invariants, program: Program, targets: Sequence[Target], budget: Budget) -> str:
        checks.append(proof)
        return original(proof, program, targets, budget)

    monkeypatch.setattr(invariants, "check_invariants", counted)
    result = check(DECLARED + PROGRAMS[name], file="test.c")
    assert result.verdict.value == "TRUE" and checks[-1] is result.proof
    assert len({id(proof) for proof in checks}) == len(checks) and (name != "small" or len(checks) <= 3)


@pytest.mark.parametrize("name", ["ackermann", "ex1", "shift"])
def test_no_cut_is_made_twice(name: str, cuts: list[frozenset[str]]) -> None:
    check((EXAMPLES / f"{name}.c").read_text("utf-8"), file=f"{name}.c", property="termination")
    assert len(cuts) == len(set(cuts)) <= 2


def test_the_engines_about_termination_share_a_cut(cuts: list[frozenset[str]]) -> None:
    result = check(DECLARED + ENDING, file="test.c", property="termination")
    assert result.verdict.value == "TRUE"
    assert cuts == [frozenset()]
