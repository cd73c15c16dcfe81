"""Safety formulas about C: as those of a Boolean program with the same ways through its places."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.automata.ltl_parser import parse_ltl
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Temporal
from knaster.frontends.languages import load
from knaster.transform.formula_monitor import watch_formula, why_no_monitor

FORMULAS = (
    "G !at(A)",
    "!at(B) W at(A)",
    "G (at(A) -> G !at(B))",
    "G (at(A) -> (!at(B) W at(C)))",
    "!at(C) W (at(A) & in(main))",
    "G !(at(B) & in(f))",
    "(!at(A) W at(B)) | G !at(C)",
    "at(C) R !at(B)",
)


def random_body(random: Random, labels: list[str], depth: int = 0) -> tuple[str, str]:
    """Return some statements in C and as a Boolean program; each label is used once."""
    ours, theirs = "", ""
    for _ in range(random.randrange(1, 4)):
        kind = random.choice(["label", "label", "if", "while", "call"] if depth < 2 else ["label"])
        if kind == "label" and labels:
            name = labels.pop()
            ours, theirs = ours + f"{name}: x = 0; ", theirs + f"{name}: skip; "
        elif kind == "call":
            ours, theirs = ours + "f(); ", theirs + "f(); "
        elif kind in ("if", "while"):
            one, other = random_body(random, labels, depth + 1)
            ours += f"{kind} (nondet()) {{ x = 1; {one} }} "
            theirs += f"if (*) then skip; {other} fi " if kind == "if" else f"while (*) do skip; {other} od "
    return ours, theirs


def random_programs(random: Random) -> tuple[str, str]:
    labels = random.sample("ABC", 3)
    inside = [labels.pop()] if random.random() < 0.5 else []
    f = f"if (nondet()) {{ {''.join(f'{name}: x = 0; ' for name in inside)} x = 1; }}"
    g = f"if (*) then {''.join(f'{name}: skip; ' for name in inside)} skip; fi"
    ours, theirs = random_body(random, labels)
    left = "".join(f"if (nondet()) {{ {name}: x = 0; }} " for name in labels)
    right = "".join(f"if (*) then {name}: skip; fi " for name in labels)
    c = f"int x; int nondet(void); void f(void) {{ {f} }} int main(void) {{ x = 0; {ours}{left}return 0; }}\n"
    bp = f"void main() begin skip; {theirs}{right}return; end void f() begin {g} end\n"
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
    random = Random("safety formulas about C")
    assert {compare(random) for _ in range(8)} == {"TRUE", "FALSE"}


@pytest.mark.slow
def test_many_as_boolean_programs() -> None:
    random = Random("many formulas about C")
    assert {compare(random) for _ in range(200)} == {"TRUE", "FALSE"}


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("G (at(A) -> X at(B))", "'X' counts"),
        ("G {x < 5}", "only at(...)"),
        ("G !ended", "only at(...)"),
        ("F at(B)", "no prefix"),
        ("G in(main)", "the end of a run"),
        ("G !at(A)", ""),
    ],
)
def test_what_is_not_decided_is_said(asked: str, why: str) -> None:
    text = "int x; int main(void) { A: x = 1; B: x = 2; return 0; }\n"
    program, question = load(text, file="p.c"), Temporal(parse_ltl(asked), asked)
    found = why_no_monitor(program, question)
    assert why in found and bool(why) == bool(found)
    if asked != "G !at(A)":
        result = knaster.check(text, file="p.c", property=asked)
        assert result.verdict.value == "UNKNOWN" and why in result.reason


def test_what_never_is_holds() -> None:
    text = "int x; int main(void) { A: x = 1; B: x = 2; return 0; }\n"
    question = Temporal(parse_ltl("G !(at(A) & at(B))"))
    reduction = watch_formula(load(text, file="p.c"), question)
    assert reduction is not None and len(reduction.targets) == 1
    assert knaster.check(text, file="p.c", property="G !(at(A) & at(B))").verdict.value == "TRUE"
