"""Values and places of programs with references: what an expression is, what a store changes, and what fails."""

from __future__ import annotations

import pytest

from knaster.program.expression import IntegerOperator
from knaster.semantics.heap.evaluate import number, replace_part
from knaster.semantics.heap.explore import explore
from knaster.semantics.heap.failure import DIVISION, INDEX, NULL, OVERFLOW, Fails
from support.zing_text import read


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        (IntegerOperator.ADD, 2, 3, 5),
        (IntegerOperator.DIVIDE, -7, 2, -3),
        (IntegerOperator.REMAINDER, -7, 2, -1),
        (IntegerOperator.LEFT, 1, 33, 2),  # as in C#
        (IntegerOperator.LEFT, 1, 31, -(2**31)),
        (IntegerOperator.RIGHT, -8, 1, -4),
    ],
)
def test_numbers(operator: IntegerOperator, left: int, right: int, expected: int) -> None:
    assert number(operator, left, right) == expected


def test_numbers_that_fail() -> None:
    for operator, left, right, kind in (
        (IntegerOperator.ADD, 2**31 - 1, 1, OVERFLOW),
        (IntegerOperator.DIVIDE, 1, 0, DIVISION),
    ):
        with pytest.raises(Fails) as fails:
            number(operator, left, right)
        assert fails.value.kind == kind


def test_a_part_of_a_struct() -> None:
    assert replace_part((1, (2, 3)), [1, 0], 9) == (1, (9, 3)) and replace_part(1, [], 9) == 9


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("C c; c = null; c.f = 1;", NULL),
        ("B b; b = new B; b[2] = 1;", INDEX),
        ("B b; b = new B; b[1] = 1; assert(b[0] == 0 && b[1] == 1);", None),
        ("C c; C d; c = new C; d = c; d.f = 4; assert(c.f == 4);", None),
        ("C c; C d; c = new C; d = new C; d.f = 4; assert(c.f == 0);", None),
        ("S s; S t; s.x = 1; t = s; t.x = 2; assert(s.x == 1 && t.x == 2);", None),
        ("A a; a = new A[3]; assert(sizeof(a) == 3);", None),
    ],
)
def test_references(body: str, kind: str | None) -> None:
    assert {failure.kind for failure in explore(read(body)).failures} == ({kind} if kind else set())
