"""Invariants that runs suggest: equations of states, a proof where they are enough, none where a target is reached."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.checkers.invariants import check_invariants
from knaster.engines.integers.horn import engine as horn
from knaster.engines.integers.inference import from_states as module
from knaster.engines.integers.inference.from_states import congruences, invariants_from_states, linear_equations
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.smt.linear import Form
from knaster.views.steps.cut import cut_program

DECLARED = "int __VERIFIER_nondet_int(void); void reach_error(void);\n"
TOGETHER = """
int main() {
  int n = __VERIFIER_nondet_int(), i = 0, k = 3, j = 0;
  if (n < 0 || n > 1000) return 0;
  while (i < n) { i++; k = k + 2; j--; }
  if (k - 3 != 2 * n || i + j != 0) reach_error();
}
"""


def suggested(text: str, integers: str = "machine") -> tuple[Program, Invariants | None]:
    """Return a program, and the invariants that its runs suggest."""
    program = load(DECLARED + text, file="test.c", integers=integers)
    places = [target.place for target in resolve_targets(program, None)]
    return program, invariants_from_states(cut_program(program, places), places, Budget(), 5_000_000)


def test_equations_are_a_basis() -> None:
    states = [{"x": a, "y": 2 * a + 3, "z": b, "w": a - b} for a in range(4) for b in range(3)]
    found = list(linear_equations(("x", "y", "z", "w"), states))
    assert len(found) == 2
    assert all(form.value(state) == 0 for form in found for state in states)
    assert list(linear_equations(("x", "z"), states)) == []


def test_remainders_are_those_of_all_states() -> None:
    states = [{"x": 4 * a + 1, "y": 6 * a, "z": a} for a in range(5)]
    found = list(congruences(("x", "y", "z"), states))
    assert {(form.factors[0][0], form.modulus) for form in found} == {("x", 4), ("y", 6), ("y", 2)}
    assert all(form.value(state) == 0 for form in found for state in states)
    assert [form.value({"x": 3, "y": 3, "z": 0}) for form in found] == [-2, -3, -1]
    assert list(congruences(("x",), states[:3])) == []


def test_parity_is_an_invariant() -> None:
    text = "int main() { unsigned x = 0; while (__VERIFIER_nondet_int()) { x += 2; if (x == 7) reach_error(); } }"
    program, found = suggested(text)
    assert found is not None and check_invariants(found, program, resolve_targets(program, None), Budget())
    assert suggested(text.replace("+= 2", "+= 3"))[1] is None  # after it has wrapped


def test_few_states_and_large_numbers_tell_nothing() -> None:
    assert list(linear_equations(("x", "y"), [{"x": 1, "y": 1}, {"x": 2, "y": 2}])) == []
    assert list(linear_equations(("x",), [{"x": 1 << 40}] * 9)) == []
    assert list(linear_equations(("x",), [{"x": 7}] * 9)) in ([Form((("x", 1),), -7)], [Form((("x", -1),), 7)])


@pytest.mark.parametrize("integers", ["machine", "mathematical"])
def test_equations_prove_what_they_imply(integers: str) -> None:
    program, proof = suggested(TOGETHER, integers)
    assert proof is not None
    check_invariants(proof, program, resolve_targets(program, None), Budget())


@pytest.mark.parametrize(("old", "new"), [("2 * n", "n + n + 1"), ("j != 0", "j != 1"), ("n > 1000", "n > 999")])
def test_a_target_that_can_be_reached_is_not_excluded(old: str, new: str) -> None:
    _, proof = suggested(TOGETHER.replace(old, new))
    assert (proof is not None) == (old == "n > 1000")


def test_equations_that_hold_in_short_runs_only_are_left_out() -> None:
    text = "int main() { int n = __VERIFIER_nondet_int(), i = 0, k = 0; while (i < n) { i++; if (i != 4999) k++; }"
    assert suggested(text + " if (i != k) reach_error(); }\n")[1] is None


def test_only_what_is_needed_is_kept() -> None:
    text = TOGETHER.replace(" || i + j != 0", "")
    _, proof = suggested(text)
    assert proof is not None and not any("j" in str(expr) for expr in proof.at.values())


def test_the_engine_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horn, "SLICE", 1_000)
    assert knaster.check(DECLARED + TOGETHER, file="test.c", engine="horn", units=300_000).verdict.value == "TRUE"


@pytest.mark.parametrize("limit", ["_EDGES", "_CANDIDATES"])
def test_large_programs_are_left_alone(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, limit, 3)
    assert suggested(TOGETHER)[1] is None
