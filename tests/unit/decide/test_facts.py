"""Facts of a program: which domains and lines, each equation once."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.answers.facts import Equation, Range

TEXT = "char c = 5;\nint main(void) { int x = 3;\nif (c) { x = 3; }\nreturn x; }\nvoid f(void) { c = 1; }\n"


def test_a_constant_is_said_once() -> None:
    [row] = knaster.facts(TEXT, at=[4], file="t.c").lines
    assert row.equations is not None
    assert sorted(each.factors for each in row.equations if isinstance(each, Equation)) == [(("c", 1),), (("x", 1),)]
    assert len(knaster.facts(TEXT, "constants", at=[4], file="t.c").at(4)) == 2


def test_summaries_only_where_every_line_is_asked_for() -> None:
    assert [own.procedure for own in knaster.facts(TEXT, file="t.c").summaries] == ["f"]
    assert not knaster.facts(TEXT, at=[4], file="t.c").summaries


def test_what_is_too_much_for_one_domain_leaves_the_other() -> None:
    many = ", ".join(f"x{n} = {n}" for n in range(30))
    facts = knaster.facts(f"int main(void) {{ int {many};\nreturn x7; }}\n", file="t.c")
    assert (
        facts.domains == ("constants", "intervals") and len(facts.at(2)) == 30 and "24 variables at most" in facts.note
    )


def test_another_entry() -> None:
    facts = knaster.facts(TEXT, file="t.c", entry="f")
    assert {row.procedure: row.equations is not None for row in facts.lines} == {"main": False, "f": True}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"domain": "afine"}, "there is no domain 'afine'; did you mean 'affine'"),
        ({"domain": "xyz"}, "there are affine, constants, intervals, aliases and all"),
        ({"at": [77]}, "no statement begins on line 77 of t.c"),
    ],
)
def test_what_there_is_not(options: dict[str, object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        knaster.facts(TEXT, file="t.c", **options)  # type: ignore[arg-type]


def test_bounds_help_the_others() -> None:
    text = "int main(void) {\n  int i = 0, j = 0;\n  while (i < 9) {\n    i++;\n    j += 2;\n  }\n  return j;\n}\n"
    assert Range("i", 0, 9) in knaster.facts(text, "intervals", file="t.c").at(3)
    assert [
        (each.factors, each.constant) for each in knaster.facts(text, file="t.c").at(7) if isinstance(each, Equation)
    ] == [
        ((("j", 1),), 2**32 - 18),
        ((("i", 1),), 2**32 - 9),
    ]


def test_a_domain_that_does_not_fit_is_refused_with_those_that_do() -> None:
    with pytest.raises(
        UsageError, match=r"t\.c has no pointers; the domains that fit are affine, constants, intervals"
    ):
        knaster.facts(TEXT, "aliases", file="t.c")
    with pytest.raises(UsageError, match="the domains that fit are affine"):
        knaster.facts("void main() begin skip; end\n", "aliases")
    with pytest.raises(UsageError, match=r"has pointers, .*; the domains that fit are aliases and all"):
        knaster.facts("int main(void) { int x, *p = &x; return *p; }\n", "affine", file="t.c")


def test_the_end_of_a_function_is_not_its_first_line() -> None:
    text = "int *g, v;\nvoid f(int *p) {\n  g = p;\n}\nint main(void) {\n  f(&v);\n  return *g;\n}\n"
    assert [row.line for row in knaster.facts(text, file="t.c").lines] == [3, 6, 7]
