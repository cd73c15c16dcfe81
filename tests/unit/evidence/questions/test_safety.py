"""Formulas that ask for reachability, and programs in which runs block."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.ltl_parser import parse_ltl
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.questions.safety import can_block, places_to_avoid
from knaster.frontends.languages import load

TEXT = """int main(void) {
  int x = 0;
  while (x < 3) {
    A: x = x + 1;
  }
  if (x == 7) { B: x = 0; }
  C: return x;
}
"""
BLOCKS = "void __VERIFIER_assume(int);\n" + TEXT.replace("  C:", "  __VERIFIER_assume(x == 0);\n  C:")


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        ("G !at(B)", {"at(B)"}),
        ("!F (at(A) | B)", {"at(A)", "B"}),
        ("G (at(A) -> false)", {"at(A)"}),
        ("G (at(A) -> X at(C))", None),
        ("F at(A)", None),
        ("G !ended", None),
    ],
)
def test_which_formulas(formula: str, names: set[str] | None) -> None:
    found = places_to_avoid(load(TEXT, file="p.c"), Temporal(parse_ltl(formula), formula))
    assert (None if found is None else {target.name for target in found}) == names


def test_runs_that_block_are_none() -> None:
    assert not can_block(load(TEXT, file="p.c")) and can_block(load(BLOCKS, file="p.c"))
    assert knaster.check(BLOCKS, file="p.c", property="G !at(A)").verdict.value == "UNKNOWN"


def test_the_answer_about_c() -> None:
    for formula, verdict in {"G !at(B)": "TRUE", "G !at(A)": "FALSE", "G F at(A)": "UNKNOWN"}.items():
        result = knaster.check(TEXT, file="p.c", property=formula)
        assert result.verdict.value == verdict
        assert verdict == "UNKNOWN" or all(answer.checked for _, answer in result.answers)


@pytest.mark.parametrize("place", ["at(B)", "at(main.B)", "at(p.c:7)", "at(7)"])
def test_the_kernel_knows_the_place_by_every_name(place: str) -> None:
    result = knaster.check(TEXT.replace("{ B:", "{\n  B:"), file="p.c", property=f"G !{place}")
    [(target, answer)] = result.answers
    assert target.name == place and isinstance(answer, Unreachable) and answer.kernel


def test_every_run_ends_is_termination() -> None:
    for asked in ("F ended", "!G !ended", "true U ended"):
        result = knaster.check(TEXT, file="p.c", property=asked)
        assert result.verdict.value == "TRUE" and isinstance(result.question, Termination)
    result = knaster.check(TEXT.replace("x < 3", "x < 3 || x > 1"), file="p.c", property="F ended")
    assert result.verdict.value == "FALSE"


def test_exit_ends_a_run() -> None:
    text = "void exit(int);\n" + TEXT.replace("  C:", "  exit(1);\n  C:")
    assert not can_block(load(text, file="p.c"))
    assert knaster.check(text, file="p.c", property="G !at(C)").verdict.value == "TRUE"
