"""Safety formulas about C: as those of a Boolean program with the same statements, with expressions, ends and `X`."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.automata.ltl_parser import parse_ltl
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Temporal
from knaster.frontends.languages import load
from knaster.report.sentence import sentence
from knaster.transform.formula_product import watch_formula

FORMULAS = (
    "G !at(A)",
    "!at(B) W at(A)",
    "G (at(A) -> G !at(B))",
    "G (at(A) -> (!at(B) W at(C)))",
    "!at(C) W (at(A) & in(main))",
    "G !(at(B) & in(f))",
    "(!at(A) W at(B)) | G !at(C)",
    "at(C) R !at(B)",
    "G {x}",
    "G ({x} -> X {x})",
    "G ({y} | !at(B))",
    "{x} R {!y}",
    "G (at(A) -> X (at(C) | {y}))",
    "X X !in(f)",
    "X X X (in(main) | {x & y})",
    "G (ended -> {x})",
    "G ({y} -> X !ended)",
    "!ended W (at(A) | at(B))",
    "G (in(f) -> X X {!y})",
    "G !ended",
)


def random_step(random: Random) -> tuple[str, str]:
    name, value = random.choice("xy"), random.choice(["0", "1", "!x", "!y", "x", "y", "x && y"])
    return f"{name} = {value};", f"{name} := {value.replace('&&', '&').replace('0', 'F').replace('1', 'T')};"


def random_body(random: Random, labels: list[str], depth: int = 0) -> tuple[str, str]:
    """Return some statements in C and as a Boolean program; each label is used once."""
    ours, theirs = "", ""
    for _ in range(random.randrange(1, 4)):
        kind = random.choice(["label", "label", "if", "while", "call"] if depth < 2 else ["label"])
        one, other = random_step(random)
        if kind == "label" and labels:
            name = labels.pop()
            ours, theirs = ours + f"{name}: {one} ", theirs + f"{name}: {other} "
        elif kind == "call":
            ours, theirs = ours + "f(); ", theirs + "f(); "
        elif kind in ("if", "while"):
            test, same = random.choice([("nondet()", "*"), ("x", "x"), ("!y", "!y"), ("nondet() && x", "* & x")])
            inner, outer = random_body(random, labels, depth + 1)
            ours += f"{kind} ({test}) {{ {one} {inner} }} "
            theirs += (
                f"if ({same}) then {other} {outer} fi " if kind == "if" else f"while ({same}) do {other} {outer} od "
            )
    return ours, theirs


def random_programs(random: Random) -> tuple[str, str]:
    labels = random.sample("ABC", 3)
    name = f"{labels.pop()}: " if random.random() < 0.5 else ""
    one, other = random_step(random)
    f, g = f"if (nondet()) {{ {name}{one} x = 1; }}", f"if (*) then {name}{other} x := T; fi"
    ours, theirs = random_body(random, labels)
    left = "".join(f"if (nondet()) {{ {name}: x = 0; }} " for name in labels)
    right = "".join(f"if (*) then {name}: x := F; fi " for name in labels)
    stop, end = random.choice([("", ""), ("if (x) exit(1); ", "if (x) then assert(F); fi ")])
    c = f"int x, y; int nondet(void); void exit(int); void f(void) {{ {f} }}\n"
    c += f"int main(void) {{ x = 0; {ours}{stop}{left}return 0; }}\n"
    bp = f"decl x := 0, y := 0; void main() begin x := F; {theirs}{end}{right}return; end void f() begin {g} end\n"
    return c, bp


def compare(random: Random) -> str:
    c, bp = random_programs(random)
    asked = random.choice(FORMULAS)
    expected = knaster.check(bp, property=asked).verdict
    result = knaster.check(c, file="p.c", property=asked)
    assert result.verdict is expected, (c, bp, asked)
    ((_, answer),) = result.answers
    assert getattr(answer, "checked", True) and (not isinstance(answer, Reachable) or answer.trace is not None)
    return expected.value


def test_as_a_boolean_program() -> None:
    random = Random("formulas about C")
    assert {compare(random) for _ in range(4)} == {"TRUE", "FALSE"}


@pytest.mark.slow
def test_many_as_boolean_programs() -> None:
    random = Random("many formulas about C")
    assert {compare(random) for _ in range(400)} == {"TRUE", "FALSE"}


def test_what_never_is_holds() -> None:
    text = "int x; int main(void) { A: x = 1; B: x = 2; return 0; }\n"
    question = Temporal(parse_ltl("G !(at(A) & at(B))"))
    assert len(watch_formula(load(text, file="p.c"), question).targets) == 1
    assert knaster.check(text, file="p.c", property="G !(at(A) & at(B))").verdict.value == "TRUE"


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        ("G {a == b}", "TRUE"),  # nobody sees the middle of a statement
        ("G (in(f) -> X {a == 1})", "TRUE"),  # the way back into the caller takes no letter
        ("G (at(L) -> X in(f))", "TRUE"),
        ("G (at(L) -> X X !in(f))", "FALSE"),
        ("X at(L)", "TRUE"),
        ("X X X X X ended", "TRUE"),
        ("X X X X ended", "FALSE"),
    ],
)
def test_letters_are_read_before_statements(asked: str, verdict: str) -> None:
    text = (
        "int a, b; int f(int k) { return k + 1; }\nint main(void) { a = b = 1; L: b = a = f(0) + f(-1); return 0; }\n"
    )
    assert knaster.check(text, file="p.c", property=asked).verdict.value == verdict


def test_where_a_run_ends() -> None:
    text = "void abort(void); int x, n; int main(void) { if (x) { x = 2; }\n"
    text += " n = 1;\n if (n) abort();\n n = 0; return 0; }\n"
    result = knaster.check(text, file="p.c", property="G (ended -> {n == 0})")
    assert "where it ends, at line 3" in sentence(result) and result.verdict.value == "FALSE"
    assert knaster.check(text, file="p.c", property="G (ended -> {n == 1})").verdict.value == "TRUE"
    again = "int n; int main(void) { n = n + 1; if (n < 2) main(); return 0; }\n"
    result = knaster.check(again, file="p.c", property="G !ended")
    assert result.verdict.value == "UNKNOWN" and "'main' calls itself" in result.reason
