"""What is observed of calls: a proof where it is enough, nothing where a call may do something else next time."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.invariants import check_invariants
from knaster.engines.integers.horn import engine as horn
from knaster.engines.integers.inference.from_calls import invariants_from_calls, recursive_procedures
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.views.steps.cut import cut_program

DECLARED = "int __VERIFIER_nondet_int(void); void reach_error(void);\n"
FIBONACCI = """
int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
int main() { int x = __VERIFIER_nondet_int(); if (5 <= x && x <= 40 && fib(x) != 5 && fib(x) < 8) reach_error(); }
"""
COUNTED = """
int g;
void count(int n) { if (n > 0) { g = g + n; count(n - 1); count(n - 2); } }
int main() { count(5); if (g != 26) reach_error(); }
"""
READS = """
int f(int n) { if (n <= 0) return __VERIFIER_nondet_int(); return f(n - 1); }
int main() { if (f(3) == 7) reach_error(); }
"""
LOOPS = """
int f(int n) { int i = 0; while (i < n) i++; if (n <= 0) return i; return f(n - 1); }
int main() { if (f(3) == 7) reach_error(); }
"""


def seen(text: str) -> tuple[Program, Invariants | None]:
    """Return a program, and what was observed of its calls."""
    program = load(DECLARED + text, file="test.c")
    return program, invariants_from_calls(
        cut_program(program, [target.place for target in resolve_targets(program, None)]), Budget()
    )


@pytest.mark.parametrize("text", [FIBONACCI, COUNTED])
def test_what_was_observed_is_a_proof(text: str) -> None:
    program, proof = seen(text)
    assert proof is not None
    check_invariants(proof, program, resolve_targets(program, None), Budget())


@pytest.mark.parametrize("text", [FIBONACCI.replace("< 8", "< 9"), COUNTED.replace("26", "25")])
def test_it_proves_nothing_that_does_not_hold(text: str) -> None:
    program, proof = seen(text)
    assert proof is not None
    with pytest.raises(InternalError, match="is not reached"):
        check_invariants(proof, program, resolve_targets(program, None), Budget())


@pytest.mark.parametrize("text", [READS, LOOPS, "int main() { while (__VERIFIER_nondet_int()); }"])
def test_nothing_is_observed_of_inputs_loops_and_what_is_not_recursive(text: str) -> None:
    assert seen(text)[1] is None


def test_without_loops_the_checker_sees_bits() -> None:
    text = "int main() { unsigned x = __VERIFIER_nondet_int(), y = x * x; if (y & 2) reach_error(); }"
    program, proof = seen(text)
    assert proof is not None
    check_invariants(proof, program, resolve_targets(program, None), Budget())
    program, proof = seen(text.replace("& 2", "& 4"))
    assert proof is not None
    with pytest.raises(InternalError, match="is not reached"):
        check_invariants(proof, program, resolve_targets(program, None), Budget())


def test_an_input_that_nobody_can_read_does_not_count() -> None:
    text = FIBONACCI.replace("return n; return", "{ return n; } else return")  # falls off its end as far as C tells
    assert seen(text)[1] is not None


def test_the_engine_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horn, "SLICE", 1_000)
    assert knaster.check(DECLARED + FIBONACCI, file="test.c", engine="horn", units=20_000).verdict.value == "TRUE"


def test_procedures_that_call_each_other_are_recursive() -> None:
    text = "int a(int n); int b(int n) { return a(n); } int a(int n) { return n ? b(n - 1) : 0; }"
    assert recursive_procedures(load(f"{text} int main() {{ return a(1); }}\n", file="test.c")) == {"a", "b"}
