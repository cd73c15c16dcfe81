"""Transition invariants about variables that a block or a `for` declares."""

from __future__ import annotations

import pytest

from knaster.base.limits import Limits
from knaster.competition.inner_variables import inner_integers
from knaster.competition.tokens import TokenText
from knaster.competition.validate import Question, validate
from knaster.competition.witness import read_witness
from support.witnesses import ENDS, invariants

PROGRAM = """\
int a[3];
int main(void) {
  int n = 3;
  for (unsigned char i = 0; i < n; ++i) {
    int k = 0, *p = &n;
    for (int j = i; j < 3; j++) k = k + *p;
    a[i] = k;
  }
  return 0;
}
"""


def ask(line: int, value: str) -> tuple[str, str]:
    text = invariants(("loop_transition_invariant", line, value), specification=ENDS)
    said = validate(Question(PROGRAM, "p.c", {}, Limits()), read_witness(text, "w.yml"), "w.yml")
    return said.verdict, said.reason


@pytest.mark.parametrize(
    ("line", "value", "verdict"),
    [
        (4, "\\\\at(i, AnyPrev) < i", "TRUE"),
        (4, "\\\\at(n - i, AnyPrev) > n - i", "TRUE"),
        (4, "\\\\at(i, LastPrev) + 1 == i", "TRUE"),
        (4, "\\\\at(i, AnyPrev) + 1 == i", "FALSE"),
        (4, "\\\\at((unsigned char)(i - 1), AnyPrev) + 1 <= 255", "FALSE"),  # of the type that i has: 255 + 1
        (6, "\\\\at(j, AnyPrev) < j", "FALSE"),  # the outer loop begins again
        (6, "\\\\at(j, AnyPrev) < j || \\\\at(i, AnyPrev) < i", "TRUE"),
        (6, "\\\\at(a[j], AnyPrev) < j", "UNKNOWN"),
        (6, "\\\\at(*p + j, AnyPrev) < j", "UNKNOWN"),
    ],
)
def test_earlier_values_of_inner_variables(line: int, value: str, verdict: str) -> None:
    assert ask(line, value)[0] == verdict


def test_what_is_not_kept_is_named() -> None:
    assert "memory" in ask(6, "\\\\at(a[j], AnyPrev) < j")[1]


def test_declarations_of_integers() -> None:
    text = TokenText(
        "{ int a, b = f(1, 2), *c; long d; for (const unsigned int e = 0, g; ;) ; int k[2]; int l; { char l; } }"
    )
    expected = {"a": "int", "b": "int", "d": "long", "e": "unsigned int", "g": "unsigned int", "l": ""}
    assert inner_integers(text, 1, len(text.tokens)) == expected


def test_a_name_of_several_types_is_kept_as_a_wide_integer() -> None:
    text = PROGRAM.replace("int k = 0, *p", "int k = 0, i = 0, *p")
    said = {}
    for value in ("\\\\at(i, AnyPrev) < i", "\\\\at((unsigned char)(i - 1), AnyPrev) + 1 <= 255"):
        witness = read_witness(invariants(("loop_transition_invariant", 4, value), specification=ENDS), "w.yml")
        said[value] = validate(Question(text, "p.c", {}, Limits()), witness, "w.yml").verdict
    assert list(said.values()) == ["TRUE", "FALSE"]
