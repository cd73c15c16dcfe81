"""Facts of a program: which domains and lines, each equation once."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError

TEXT = "char c = 5;\nint main(void) { int x = 3;\nif (c) { x = 3; }\nreturn x; }\nvoid f(void) { c = 1; }\n"


def test_a_constant_is_said_once() -> None:
    [row] = knaster.facts(TEXT, at=[4], file="t.c").lines
    assert row.equations is not None and [each.factors for each in row.equations] == [(("c", 1),), (("x", 1),)]
    assert len(knaster.facts(TEXT, "constants", at=[4], file="t.c").at(4)) == 2


def test_summaries_only_where_every_line_is_asked_for() -> None:
    assert [own.procedure for own in knaster.facts(TEXT, file="t.c").summaries] == ["f"]
    assert not knaster.facts(TEXT, at=[4], file="t.c").summaries


def test_what_is_too_much_for_one_domain_leaves_the_other() -> None:
    many = ", ".join(f"x{n} = {n}" for n in range(30))
    facts = knaster.facts(f"int main(void) {{ int {many};\nreturn x7; }}\n", file="t.c")
    assert facts.domains == ("constants",) and len(facts.at(2)) == 30 and "24 variables at most" in facts.note


def test_another_entry() -> None:
    facts = knaster.facts(TEXT, file="t.c", entry="f")
    assert {row.procedure: row.equations is not None for row in facts.lines} == {"main": False, "f": True}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"domain": "afine"}, "there is no domain 'afine'; did you mean 'affine'"),
        ({"domain": "xyz"}, "there are affine, constants and all"),
        ({"at": [77]}, "no statement begins on line 77 of t.c"),
    ],
)
def test_what_there_is_not(options: dict[str, object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        knaster.facts(TEXT, file="t.c", **options)  # type: ignore[arg-type]
