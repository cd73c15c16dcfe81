"""Which steps may leave C: what types exclude is not asked for, and what is asked is asked of the right step."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

import knaster
from knaster.evidence.answers.answer import Verdict
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.undefined_steps import (
    DIVISION,
    INDEX,
    KINDS,
    OVERFLOW,
    SHIFT,
    Lapses,
    undefined_steps,
)
from knaster.frontends.languages import load
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Operator,
    Var,
    has_choice,
)
from knaster.program.model import Assign, Edge, Kind, Procedure, Program
from knaster.program.types import Int

INT = Int(32)

DECLARED = "int nd(void); unsigned char byte(void);\nint a[4]; int m, k; unsigned char b; unsigned u; long l;\n"


def found(step: str, integers: str = "machine") -> list[str]:
    text = f"{DECLARED}int main(void) {{ m = nd(); b = byte(); u = nd(); l = nd();\n{step}\nreturn 0; }}\n"
    program = load(text, file="t.c", integers=integers)
    return [lapse.what for lapse in Lapses(program).all() if lapse.line == 4]


@pytest.mark.parametrize(
    "step",
    [
        "k = b + b;", "k = b * b;", "k = -b;", "k = m / 2;", "k = m % 7;", "k = m / (b + 1);",
        "u = u + u;", "k = m & 7;", "k = 1 << (m & 15);", "k = m >> 3;", "k = a[m & 3];", "a[b & 1] = 1;",
        "k = (m & 255) + (b ? 1 : b);", "l = (long)m * 3;", "k = (m > 3) + 1;", "l = (long)m + u;",
    ],
)  # fmt: skip
def test_types_exclude_it(step: str) -> None:
    assert found(step) == []


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ("k = m + 1;", [OVERFLOW]), ("k = -m;", [OVERFLOW]), ("k = m * b;", [OVERFLOW]), ("k = b << 24;", [OVERFLOW]),
        ("k = m / b;", [DIVISION]), ("k = m % m;", [DIVISION, OVERFLOW]), ("k = b << b;", [SHIFT, OVERFLOW]),
        ("k = 1u >> b;", [SHIFT]), ("k = a[b];", [INDEX]), ("a[m] = b;", [INDEX]), ("l = l + 1;", [OVERFLOW]),
        ("k = m / -1;", [OVERFLOW]), ("k = m++ + 1;", [OVERFLOW, OVERFLOW]), ("if (m + 1 > b) k = 1;", [OVERFLOW]),
    ],
)  # fmt: skip
def test_types_do_not_exclude_it(step: str, what: list[str]) -> None:
    assert sorted(found(step)) == sorted(what)


def test_mathematical_integers_do_not_overflow() -> None:
    assert found("k = m * m + 1; k = m / b;", integers="mathematical") == [DIVISION]


def test_steps_of_a_callee_that_is_seen_through_are_told_apart() -> None:
    text = (
        "int nd(void);\nint two(int n) {\n int a = n + 1;\n int b = n - 1;\n return a + b == n; }\n"
        "int main(void) {\n int n = nd(), r = 0;\n if (n < 0) { r = two(n); }\n assert(r == 0 || r == 1); }\n"
    )
    result = knaster.check(text, file="t.c", engine="horn")
    assert result.verdict is Verdict.TRUE
    assert [note.split(": ")[0] for note in result.notes if "overflow" in note] == ["t.c:4"]
    assert "likewise at line 5" in result.notes[-1]


def targets(step: str) -> list[Target]:
    text = f"{DECLARED}int main(void) {{ m = nd(); b = byte(); u = nd(); l = nd();\n{step}\nreturn 0; }}\n"
    return [target for target in undefined_steps(load(text, file="t.c")) if target.line == 4]


def test_undefined_steps_are_targets_with_kinds_and_conditions() -> None:
    (division,) = targets("k = m / b;")
    assert (division.name, division.kind, division.has_place) == ("division:4", "division", True)
    assert division.condition == Compare(Comparison.EQUAL, Convert(Var("b"), INT), Const(0))
    assert str(division) == "division:4"


def test_several_on_a_line_are_told_apart_by_their_columns() -> None:
    assert [target.name for target in targets("k = a[b] + a[m];")] == ["overflow:4", "bounds:4:12", "bounds:4:5"]


def steps_of(value: Expr) -> tuple[Target, ...]:
    edges = (Edge(0, Assign(("x",), (value,)), 1),)
    main = Procedure("main", (), (), ("x", "p"), 0, 1, edges, types=(("x", INT),))
    return undefined_steps(Program((), (main,), kind=Kind.INTEGERS))


def test_the_condition_of_an_operand_holds_where_it_is_evaluated() -> None:
    quotient = Arithmetic(IntegerOperator.DIVIDE, Const(1), Var("x"), INT)
    zero = Compare(Comparison.EQUAL, Var("x"), Const(0))
    (always,) = steps_of(quotient)
    (sometimes,) = steps_of(Conditional(Var("p"), quotient, Const(0)))
    assert always.condition == zero and sometimes.condition == Binary(Operator.AND, Var("p"), zero)


def test_an_input_of_the_step_stays_in_its_condition() -> None:
    (overflow,) = steps_of(Arithmetic(IntegerOperator.ADD, Choice(INT), Const(1), INT))
    assert overflow.condition is not None and has_choice(overflow.condition)


def test_every_target_is_a_lapse_of_its_place() -> None:
    text = f"{DECLARED}int main(void) {{ m = nd(); k = a[m] / m + (m << k); return k * nd(); }}\n"
    program = load(text, file="t.c")
    lapses = Lapses(program)
    every = undefined_steps(program)
    assert {target.place for target in every} == {lapse.place for lapse in lapses.all()}
    for target in every:
        assert target.kind in {KINDS[lapse.what] for lapse in lapses.at(target.place)}
