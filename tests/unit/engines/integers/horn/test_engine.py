"""Horn clauses: what is proved holds for machine integers, what is found replays, a changed proof fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, Limits
from knaster.checkers.invariants import check_invariants
from knaster.evidence.answers.answer import Unreachable, Verdict
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.expression import FALSE, TRUE
from knaster.smt.interrupt import Watcher

DECLARED = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n"
LOOP = """
int main() {
  int n = __VERIFIER_nondet_int(), x = 0;
  if (n < 0) return 0;
  while (x < n) x++;
  if (x != n) reach_error();
}
"""
SUM = """
int id(int n) { if (n <= 0) return 0; return 1 + id(n - 1); }
int main() {
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && id(n) != n) reach_error();
}
"""
GLOBALS = """
int g, mode = 2;
void flip(int by) { if (by > 0) { g = 1 - g; flip(by - mode); } }
int main() {
  flip(__VERIFIER_nondet_int());
  if (g != 0 && g != 1) reach_error();
}
"""
WRAPS = "int main() { int x = __VERIFIER_nondet_int(); if (x > 0 && x + 1 < 0) reach_error(); }"
UNSIGNED = "int main() { unsigned x = __VERIFIER_nondet_uint(); if (x - 1 > x) reach_error(); }"
NEVER_NEGATIVE = "int main() { int x = 0; while (__VERIFIER_nondet_int()) x++; if (x < 0) reach_error(); }"
DEEP = """
int check(int x) { if (x == 77) reach_error(); return x; }
int twice(int x) { return check(x) + x; }
int main() { int y = twice(__VERIFIER_nondet_int()); if (y == 10) check(77); }
"""


def ask(text: str, **options: object) -> knaster.Result:
    return knaster.check(DECLARED + text, file="test.c", engine="horn", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "integers", "verdict"),
    [
        (LOOP, "machine", "TRUE"),
        (LOOP, "mathematical", "TRUE"),
        (SUM, "machine", "TRUE"),
        (GLOBALS, "machine", "TRUE"),
        (WRAPS, "machine", "FALSE"),
        (WRAPS, "mathematical", "TRUE"),
        (UNSIGNED, "machine", "FALSE"),
        (UNSIGNED, "mathematical", "FALSE"),
        (NEVER_NEGATIVE, "mathematical", "TRUE"),
        (DEEP, "machine", "FALSE"),
        (GLOBALS.replace("g != 1", "g != 3"), "machine", "FALSE"),
    ],
)
def test_answers_have_evidence(text: str, integers: str, verdict: str) -> None:
    result = ask(text, integers=integers)
    assert result.verdict.value == verdict, result.reason
    assert all(answer.checked for _, answer in result.answers if answer is not None or verdict == "TRUE")


def test_an_overflow_that_cannot_be_reached_soon_is_no_proof() -> None:
    """Over all integers x is never negative; as a machine integer it is in the end, and nobody says TRUE."""
    assert ask(NEVER_NEGATIVE, units=200_000).verdict is Verdict.UNKNOWN


def test_two_runs_say_the_same() -> None:
    first, second = (ask(SUM) for _ in range(2))
    assert isinstance(first.proof, Invariants) and isinstance(second.proof, Invariants)
    assert (first.proof.requires, first.proof.at) == (second.proof.requires, second.proof.at)
    assert first.stats["units"] == second.stats["units"]


def proof_of(text: str) -> tuple[Invariants, list[object]]:
    result = ask(text)
    proof = result.proof
    assert isinstance(proof, Invariants)
    return proof, [target for target, answer in result.answers if isinstance(answer, Unreachable)]


@pytest.mark.parametrize("text", [LOOP, SUM, GLOBALS])
def test_a_proof_that_was_changed_does_not_hold(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.engines.integers.horn.engine.FACTS", 0)  # Spacer's proof says nothing that is needless
    proof, targets = proof_of(text)
    program = proof.program

    def refuse(changed: Invariants) -> None:
        with pytest.raises(InternalError):
            check_invariants(changed, program, targets, Budget())  # type: ignore[arg-type]

    check_invariants(proof, program, targets, Budget())  # type: ignore[arg-type]
    for place in proof.at:
        refuse(replace(proof, at={**proof.at, place: FALSE}))
        refuse(replace(proof, at={key: value for key, value in proof.at.items() if key != place}))
    refuse(replace(proof, at=dict.fromkeys(proof.at, TRUE), requires=dict.fromkeys(proof.requires, TRUE)))
    for name in proof.requires:
        refuse(replace(proof, requires={**proof.requires, name: FALSE}))
        kept = {key: value for key, value in proof.requires.items() if key != name}
        refuse(replace(proof, requires=kept, at={key: value for key, value in proof.at.items() if key[0] != name}))


HARD = """
int main() {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  if (a > 1 && b > 1 && c > 1 && a < 30000 && b < 30000 && c < 30000)
    if (a * a * a + b * b * b == c * c * c) reach_error();
}
"""


def test_the_clock_stops_z3(monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[bool] = []
    watch = Watcher.__init__
    monkeypatch.setattr(Watcher, "__init__", lambda self, stop: watch(self, lambda: stops.append(bool(stop()))))
    monkeypatch.setattr("knaster.base.limits.clock", lambda: 100.0 if stops else 0.0)  # only z3 takes time
    result = ask(HARD, limits=Limits(seconds=1.0))
    assert result.verdict is Verdict.UNKNOWN and "time limit" in result.reason
    assert stops  # it would take minutes


UNREACHED = "int main() { int x = 0; while (1) { if (x > 5) { while (x < 3) x--; reach_error(); } } }"


def test_a_place_that_nothing_depends_on_needs_no_invariant() -> None:
    assert ask(UNREACHED).verdict is Verdict.TRUE


def test_the_proof_that_says_nothing_is_tried_first() -> None:
    """The target is excluded by the step that leads to it, whatever happens before."""
    text = (
        "int main() { int x = __VERIFIER_nondet_int(); while (x * x != 7) x = x * x + 1; if (x != x) reach_error(); }"
    )
    result = knaster.check(DECLARED + text, file="x.c", engine="horn", units=1)
    answer = result.answers[0][1]
    assert isinstance(answer, Unreachable) and answer.checked and isinstance(answer.proof, Invariants)
    assert {formula for (name, _), formula in answer.proof.at.items() if name == "main"} == {TRUE}
