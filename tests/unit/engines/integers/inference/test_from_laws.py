"""Proofs by laws of calls: products, powers and counters; what does not hold of all calls is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.invariants import check_invariants
from knaster.engines.integers.horn import engine as horn
from knaster.engines.integers.inference import law_samples as learned
from knaster.engines.integers.inference.from_calls import invariant_places, invariants_from_calls
from knaster.engines.integers.inference.from_laws import invariants_from_laws
from knaster.engines.integers.inference.hard_houdini import keep_inductive
from knaster.engines.integers.inference.houdini import Key
from knaster.engines.integers.inference.law_samples import LawLearner
from knaster.engines.integers.inference.laws import Signature
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import load
from knaster.program.expression import Binary, Compare, Comparison, Const, Expr, Operator, Var
from knaster.program.model import Program, old
from knaster.program.types import Int, Value
from knaster.semantics.python_code import compile_program
from knaster.semantics.tabulation import Tabulation
from knaster.views.steps.cut import cut_program

DECLARED = "int __VERIFIER_nondet_int(void); void reach_error(void);\n"
AREA = """
int area(int a, int b) { if (b == 0) return 0; return area(a, b - 1) + a; }
int main() {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 0 || y < 0) return 0;
  if (area(x, y) != area(y, x)) reach_error();
}
"""
SQUARE = """
unsigned square(unsigned n) { if (n == 0) return 0; return square(n - 1) + 2 * n - 1; }
int main() { unsigned x = __VERIFIER_nondet_int(); if (square(x) != x * x) reach_error(); }
"""
TIMES = """
int times(int a, int b) { if (b < 0) return times(a, -b); if (b == 0) return 0; return a + times(a, b - 1); }
int main() {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y >= 0 && times(x, y) != y * x) reach_error();
}
"""
STEPS = """
unsigned steps;
void walk(int n, int here, int there) {
  if (n > 0) { walk(n - 1, there, here); steps = steps + 2; walk(n - 1, here, there); }
}
int main() {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 12) return 0;
  walk(n, 1, 2);
  if (steps % 2) reach_error();
  if (n == 12 && steps != 8190) reach_error();
}
"""
GROWS = """
int grow(int k, int n) { if (k == 0) return n + 3; if (n == 0) return 1; return grow(k - 1, grow(k, n - 1)); }
int main() {
  int n = __VERIFIER_nondet_int();
  if (n < 4 || n > 20) return 0;
  if (grow(1, n) != 3 * n + 1) reach_error();
}
"""
PROVED = {"area": AREA, "square": SQUARE, "times": TIMES, "steps": STEPS, "grows": GROWS}
LATE = """
int slow(int n) { if (n <= 0) return 0; if (n == 60000) return slow(n - 1) + 2; return slow(n - 1) + 1; }
int main() { int x = __VERIFIER_nondet_int(); if (x < 0) return 0; if (slow(x) != x) reach_error(); }
"""


def proved(text: str, integers: str = "machine") -> tuple[Program, Invariants | None]:
    """Return a program, and the laws of its calls."""
    program = load(DECLARED + text, file="test.c", integers=integers)
    return program, invariants_from_laws(
        cut_program(program, [target.place for target in resolve_targets(program, None)]), Budget()
    )


@pytest.mark.parametrize("name", PROVED)
def test_laws_are_proofs(name: str) -> None:
    program, proof = proved(PROVED[name])
    assert proof is not None
    check_invariants(proof, program, resolve_targets(program, None), Budget())


def test_what_was_observed_of_single_calls_is_none() -> None:
    program, proof = proved(GROWS.replace("> 20", "> 20000"))
    targets = resolve_targets(program, None)
    seen = invariants_from_calls(cut_program(program, [target.place for target in targets]), Budget())
    assert seen is not None and proof is not None
    with pytest.raises(InternalError, match="does not hold"):
        check_invariants(seen, program, targets, Budget())
    check_invariants(proof, program, targets, Budget())


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("area", "a;", "a + (a == 77);"),
        ("square", "x * x", "x * x + (x == 1000)"),
        ("times", "y >= 0 && ", ""),
        ("steps", "8190", "8192"),
        ("grows", "3 * n + 1", "3 * n + (n != 17)"),
    ],
)
def test_they_prove_nothing_that_does_not_hold(name: str, right: str, wrong: str) -> None:
    program, proof = proved(PROVED[name].replace(right, wrong))
    if proof is not None:
        with pytest.raises(InternalError, match="does not hold"):
            check_invariants(proof, program, resolve_targets(program, None), Budget())


def test_a_law_of_mathematical_integers() -> None:
    program, proof = proved(AREA, "mathematical")
    assert proof is not None
    check_invariants(proof, program, resolve_targets(program, None), Budget())


def test_a_law_that_holds_of_all_calls_that_were_seen_is_left_out() -> None:
    program, proof = proved(LATE)
    learning = LawLearner(compile_program(program), {"slow": signature(program)}, lambda: None)
    for n in range(40):
        learning.run_call("slow", 1_000, (n,))
    assert [law.expression(signature(program)) for law in learning.laws("slow")] == [SLOW]
    assert proof is None or str(proof.at["slow", program.procedure("slow").exit]) != str(SLOW)


SLOW = Compare(Comparison.EQUAL, Var("@0"), Var(old("n")))


def signature(program: Program) -> Signature:
    return Signature("slow", ("n",), program.procedure("slow").results, {"n": Int(32), "@0": Int(32)})


def test_what_is_left_out_takes_with_it_what_needs_it() -> None:
    program = load(
        "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main() { return f(3); }\n", file="test.c"
    )
    exit = program.procedure("f").exit

    def returns(n: int, result: int) -> Expr:
        given = Compare(Comparison.EQUAL, Var(old("n")), Const(n))
        return Binary(Operator.IMPLIES, given, Compare(Comparison.EQUAL, Var("@0"), Const(result)))

    cut = cut_program(program)
    kept = invariant_places(cut)
    right = [returns(0, 0), returns(1, 1), returns(2, 2)]
    guesses: dict[Key, list[Expr]] = {("f", exit): [*right, returns(6, 7), returns(7, 8), returns(8, 9)]}
    assert keep_inductive(cut, kept, guesses, Budget()) == {("f", exit): right}
    at_least = [Compare(Comparison.AT_LEAST, Var(old("n")), Const(number)) for number in (-1, 0, 1)]
    assert keep_inductive(cut, kept, {"f": at_least}, Budget()) == {"f": at_least[:2]}


def test_calls_that_are_run_do_what_the_tabulation_says() -> None:
    text = """
    int g;
    int twice(int n) { return n + n; }
    int count(int n) { if (n <= 0) return g; g = g + n; count(n - 1); g = g - 1; return twice(count(n - 2)) + g; }
    int main() { return count(6); }
    """
    program = load(text, file="test.c")
    table = Tabulation(program, (), lambda: None)
    assert table.explore(10_000)
    types = {"g": Int(32), "n": Int(32), "@0": Int(32)}
    own = Signature("count", ("g", "n"), ("g", *program.procedure("count").results), types)
    calls = [call for (name, _), call in table.calls.items() if name == "count"]
    assert len(calls) > 10
    for call in calls:
        learning = LawLearner(table.codes, {"count": own}, lambda: None)  # knows nothing yet
        ended = learning.run_call("count", 10_000, call.arguments)
        assert ended is not None
        names = dict(zip(call.code.scope, ended, strict=True))
        right = dict(zip(call.code.scope, call.exits[0].values, strict=True))
        assert [names[name] for name in own.left] == [right[name] for name in own.left]


def test_a_tabulation_asks_how_calls_end() -> None:
    program = load("int f(int n) { return f(n) + n; } int main() { int r = f(2); return r; }\n", file="test.c")
    asked: list[tuple[Value, ...]] = []

    def run_call(values: tuple[Value, ...]) -> tuple[Value, ...] | None:
        asked.append(values)
        scope = table.codes["f"].scope
        return tuple(7 if name == "@0" else 0 for name in scope) if knows else None

    for knows in (True, False):
        table = Tabulation(program, (), lambda: None, {"f": run_call})
        assert table.explore(100)
        assert asked == [(2,)] * (1 if knows else 2)
        last = [dict(zip(n.call.code.scope, n.values, strict=True)) for n in table.calls["main", ()].exits]
        assert [state["r"] for state in last] == ([7] if knows else [])


def test_calls_that_never_end_tell_nothing() -> None:
    _, proof = proved("int f(int n) { return f(n) + 1; } int main() { if (f(1)) reach_error(); }")
    assert proof is None


def test_a_guess_that_a_later_call_refutes_is_forgotten() -> None:
    text = (
        "int slow(int n) { if (n <= 0) return 0; return slow(n - 1) + 1 + (n == 18); } int main() { return slow(3); }"
    )
    program = load(text + "\n", file="test.c")
    learning = LawLearner(compile_program(program), {"slow": signature(program)}, lambda: None)
    assert learning.run_call("slow", 1_000, (16,)) is not None
    assert [law.held for law in learning.laws("slow")] == [()]
    learning.known["slow"].laws[()] = replace(learning.laws("slow")[0], held=((0, 16),))  # speaks of one call only
    assert learning.run_call("slow", 1_000, (20,)) is not None
    assert () not in learning.known["slow"].laws


def test_calls_are_not_run_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "_STEPS", 50)
    program = load(DECLARED + LATE, file="test.c")
    learning = LawLearner(compile_program(program), {"slow": signature(program)}, lambda: None)
    assert learning.run_call("slow", 1_000, (30,)) is None
    assert learning.run_call("slow", 1_000, (0,)) is None


def test_numbers_do_not_grow_for_ever() -> None:
    squares = "int f(int n, int x) { if (n <= 0) return x; return f(n - 1, x * x); }"
    assert proved(squares + " int main() { if (f(64, 3)) reach_error(); }", "mathematical")[1] is None


def test_the_engine_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horn, "SLICE", 1_000)
    assert knaster.check(DECLARED + AREA, file="test.c", engine="horn", units=50_000).verdict.value == "TRUE"
