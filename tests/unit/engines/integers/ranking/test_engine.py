"""Termination by measures: what is proved, what must not be, and proofs that were changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.ranking import check_ranking
from knaster.evidence.answers.answer import Result, Verdict
from knaster.evidence.proofs.ranking import Ranking
from knaster.program.expression import FALSE, TRUE, Const
from knaster.smt.linear import Form
from support.machines import CallCount

MATHEMATICAL = "mathematical"


def asked(body: str, functions: str = "", engine: str = "ranking", **options: Any) -> Result:
    start = "int x = nondet(), y = nondet(), z = nondet();"
    text = f"int nondet(void);\n{functions}\nint main(void) {{ {start} {body} }}\n"
    return knaster.check(text, property="termination", engine=engine, file="t.c", **options)


def measures(result: Result) -> list[list[str]]:
    document = __import__("json").loads(result.to_json())
    return [one["decreases"] for one in document["proof"]["ranking"]]


ACKERMANN = (
    "int a(int m, int n) { if (m <= 0) return n + 1; if (n <= 0) return a(m - 1, 1); return a(m - 1, a(m, n - 1)); }"
)
CASES = {
    "count down": ("while (x > 0) x--;", ""),
    "count up": ("while (x < y) x++;", ""),
    "steps": ("if (y < 1) return 0; while (x >= 0) x = x - y;", ""),
    "nested": ("for (int i = 0; i < x; i++) for (int j = i; j < y; j++) z = j;", ""),
    "lexicographic": ("while (x > 0 && y > 0) if (nondet()) { x--; y = nondet(); } else y--;", ""),
    "unsigned": ("unsigned u = nondet(); while (u > 0) u = u / 2;", ""),
    "gcd": ("while (x > 0 && y > 0) { z = x; while (z >= y) z = z - y; x = y; y = z; }", ""),
    "two loops": ("while (x > 0) x--; while (y < 10) y++;", ""),
    "recursion": ("f(x);", "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }"),
    "mutual recursion": (
        "odd(x);",
        "int odd(int); int even(int n) { if (n <= 0) return 1; return odd(n - 1); }"
        " int odd(int n) { if (n <= 0) return 0; return even(n - 1); }",
    ),
    "ackermann": ("a(x, y);", ACKERMANN),
    "mccarthy": (
        "if (x > 1000) return 0; if (x < -1000) return 0; f(x);",
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }",
    ),
    "a guarantee": ("while (x > 0) x = x - step(y);", "int step(int n) { if (n < 1) return 1; return n; }"),
    "never called": (
        "if (x > 0 && x < 0) f(); else if (x >= 0) x = h(x);",
        "int h(int n) { while (n < 0); return n; } void f(void) { for (;;); }",
    ),
    "a global": ("g = x; while (g > 0) down();", "int g; void down(void) { g = g - 1; }"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_proved(name: str) -> None:
    result = asked(*CASES[name])
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked, result.reason
    assert isinstance(result.proof, Ranking)


@pytest.mark.parametrize(
    ("body", "functions"),
    [
        ("while (x != 0) x = x - 2;", ""),
        ("while (x >= 0) x = x + y;", ""),
        ("while (x < y) x = x + z;", ""),
        ("f(x);", "int f(int n) { if (n == 7) return 0; return f(n - 2) + 1; }"),
        ("f(x);", "int f(int n) { if (n <= 0) return nondet(); return f(f(n - 1)); }"),
        ("unsigned u = nondet(); while (u >= 0) u--;", ""),
        ("while (x > 0) { y = x; while (y > 0) y = nondet(); x--; }", ""),
        ("while (nondet()) x--;", ""),
    ],
)
def test_what_is_not_proved(body: str, functions: str) -> None:
    assert asked(body, functions).verdict is Verdict.UNKNOWN


def test_a_measure_may_decrease_on_a_part_of_a_step_only() -> None:
    assert asked("while (x > 0) { x = x + y; y--; }", integers="mathematical").verdict is Verdict.TRUE


def test_the_reading_of_integers_matters() -> None:
    """Without bounds x can grow for ever; the number of steps is no reason to stop."""
    assert asked("while (x > 0) x++;", integers="mathematical").verdict is Verdict.UNKNOWN
    assert asked("while (x > 0) x--;", integers="mathematical").verdict is Verdict.TRUE


@pytest.mark.parametrize(
    "body",
    [
        "unsigned char c = x; while (c > 5) c++;",
        "while (x > 0) x++;",
        "while (x > 0 && y < 1000) { x = x + y; y--; }",
    ],
)
def test_a_last_step_that_wraps_does_not_count(body: str) -> None:
    result = asked(body)
    assert result.verdict is Verdict.TRUE
    assert isinstance(result.proof, Ranking)
    if "y--" not in body:
        assert result.proof.ahead
        with pytest.raises(InternalError):
            check_ranking(replace(result.proof, ahead=False), result.program, Budget())


def test_what_only_the_next_step_needs_is_kept() -> None:
    """That x stays above 0 shows that doubling it increases it; it is used of the step that follows alone."""
    result = asked("if (x == 0) return 0; if (x >= 0) while (x < 1073741824) { y++; x = x << 1; }")
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked
    assert isinstance(result.proof, Ranking) and result.proof.ahead


def test_what_decreases_is_said() -> None:
    result = asked("while (x > 0) x--;")
    assert measures(result) in ([["x"]], [["x - 1"]])
    assert "decreases" in result.to_text()
    nested = asked(*CASES["nested"])
    assert sorted(map(len, measures(nested))) == [1, 2] and ", then " in nested.to_text()


def test_where_no_run_comes_nothing_decreases() -> None:
    result = asked(*CASES["never called"])
    assert result.to_text().count("nothing: no run comes there") == 1
    assert asked("if (x > 0) f();", "void f(void) { for (;;); }").verdict is Verdict.UNKNOWN


def proof_of(name: str) -> Ranking:
    proof = asked(*CASES[name]).proof
    assert isinstance(proof, Ranking)
    check_ranking(proof, proof.program, Budget())
    return proof


@pytest.mark.parametrize("name", ["count down", "mutual recursion"])
def test_a_proof_without_a_point_is_refused(name: str) -> None:
    proof = proof_of(name)
    with pytest.raises(InternalError):
        check_ranking(replace(proof, measures={}), proof.program, Budget())


@pytest.mark.parametrize("name", ["count down", "steps", "recursion", "ackermann", "a guarantee"])
def test_a_measure_that_does_not_decrease_is_refused(name: str) -> None:
    proof = proof_of(name)
    constant = {place: tuple(Const(7) for _ in one) for place, one in proof.measures.items()}
    with pytest.raises(InternalError):
        check_ranking(replace(proof, measures=constant), proof.program, Budget())


def transferred(proof: Ranking, body: str) -> Ranking:
    """Return a proof as one of another program with the same locations."""
    program = asked(body, engine="search", integers=MATHEMATICAL, runs=10).program
    return replace(proof, program=program, invariants=replace(proof.invariants, program=program))


def test_a_measure_without_a_bound_is_refused() -> None:
    proof = asked("while (x > 0) x--;", integers=MATHEMATICAL).proof
    assert isinstance(proof, Ranking)
    check_ranking(transferred(proof, "while (x > 0) x--;"), proof.program, Budget())
    endless = transferred(proof, "while (x != 0) x--;")
    with pytest.raises(InternalError, match="does not hold"):
        check_ranking(endless, endless.program, Budget())


def test_a_second_component_is_no_use_while_the_first_increases() -> None:
    body = "while (x > 0 && y > 0) { x++; y--; }"
    proof = asked(body, integers=MATHEMATICAL).proof
    assert isinstance(proof, Ranking)
    head = next(iter(proof.measures))
    x, y = (Form(((name, 1),)).expression() for name in "xy")
    for measure in ((y,), (y, x)):
        check_ranking(replace(proof, measures={head: measure}), proof.program, Budget())
    for measure in ((x,), (x, y)):
        with pytest.raises(InternalError, match="does not hold"):
            check_ranking(replace(proof, measures={head: measure}), proof.program, Budget())


def test_invariants_are_checked_too() -> None:
    proof = proof_of("steps")
    assert any(expr != TRUE for expr in proof.invariants.at.values())
    without = replace(proof.invariants, at=dict.fromkeys(proof.invariants.at, TRUE))
    with pytest.raises(InternalError):
        check_ranking(replace(proof, invariants=without), proof.program, Budget())
    wrong = replace(proof.invariants, at=dict.fromkeys(proof.invariants.at, FALSE))
    with pytest.raises(InternalError):
        check_ranking(replace(proof, invariants=wrong), proof.program, Budget())


def test_a_proof_of_another_program_is_refused() -> None:
    with pytest.raises(InternalError):
        check_ranking(proof_of("count down"), proof_of("count up").program, Budget())


def test_no_loop_needs_no_measure() -> None:
    result = asked("x = y;")
    assert result.verdict is Verdict.TRUE and isinstance(result.proof, Ranking)
    assert result.proof.measures == {} and "no loop" in result.to_text()


def test_auto_names_the_engine_that_answered() -> None:
    cases = {
        "while (x > 0) x--;": ("ranking", Verdict.TRUE),
        "while (1) x = 0;": ("search", Verdict.FALSE),
        "while (x > 0) x++;": ("recurrence", Verdict.FALSE),
    }
    for body, expected in cases.items():
        result = asked(body, engine="auto", integers="mathematical")
        assert (result.stats["method"], result.verdict) == expected


def test_procedures_without_cycles_need_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is never called may have a loop, and what is called often takes no longer."""
    functions = "".join(f"void f{n}(void) {{ f{n - 1}(); f{n - 1}(); }}\n" for n in range(1, 30))
    functions = "void f0(void) { }\nvoid never(void) { for (;;); }\n" + functions
    monkeypatch.setattr("knaster.views.steps.cut.CutProgram.formulas", None)
    result = asked("f29();", functions)
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked, result.reason
    assert isinstance(result.proof, Ranking) and not result.proof.measures
    assert "never" not in result.proof.invariants.requires


def test_all_work_is_counted() -> None:
    """Writing down the steps between many calls took a minute of which z3 knew nothing."""
    names = ("f", "g", "h")
    functions = "".join(f"int {name}(int a, unsigned char b);\n" for name in names)
    for number, name in enumerate(names):
        calls = (f"if (nondet() > {n}) s = s + {names[(number + n) % 3]}(a - {n}, b + s);" for n in range(5))
        functions += (
            f"int {name}(int a, unsigned char b) {{ int s = 0; if (a < b) return s; {' '.join(calls)} return s; }}\n"
        )
    with CallCount() as counting:
        result = asked("f(x, y);", functions, units=100_000)
    assert result.verdict is Verdict.UNKNOWN and "units are spent" in str(result.reason)
    assert counting.calls < 5_000_000  # it takes a fifth
