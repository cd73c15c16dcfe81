"""Values and places of programs with references: what an expression is, what a store changes, and what fails."""

from __future__ import annotations

import pytest

from knaster.frontends.zing import parse
from knaster.program.expression import IntegerOperator
from knaster.semantics.heap.evaluate import number, replace_part
from knaster.semantics.heap.explore import explore
from knaster.semantics.heap.failure import DIVISION, INDEX, NULL, OVERFLOW, Fails
from knaster.semantics.heap.interpreter import Machine
from support.zing_text import model, read


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
        ("A a; a = new A[3]; a[2] = 7; a[1] = 5; assert(sizeof(a) == 3 && a[0] == 0 && a[1] == 5 && a[2] == 7);", None),
        ("A a; a = new A[3]; a[2] = 7; a[0] = 5; assert(sizeof(a) == 3 && a[0] == 5 && a[1] == 0 && a[2] == 7);", None),
        ("int k; k = 2; assert(8 == k + (k + (k + k)) && 2 == (k + k + k) - (k + k));", None),
        ("bool b; bool c; b = true; assert((b ^ c) && !(b ^ b) && !(c ^ c));", None),
        ("bool b; bool c; b = true; assert((b | c) && !(c | c) && (b & b) && !(b & c));", None),
        ("D d; d = new D; d.s.x = 4; d.k = 2; d.s.y = true; assert(d.s.x == 4 && d.s.y && d.k == 2);", None),
        ("D d; S s; d = new D; s.x = 4; d.s = s; s.x = 5; assert(d.s.x == 4 && s.x == 5);", None),
        ("T t; S s; t = new T; t[1].x = 4; t[1].y = true; assert(t[1].x == 4 && t[1].y && t[0].x == 0);", None),
        ("T t; S s; t = new T; s.x = 4; t[1] = s; s.x = 5; assert(t[1].x == 4 && s.x == 5);", None),
    ],
)
def test_references(body: str, kind: str | None) -> None:
    program = parse("class D { S s; int k; };\narray T[2] S;\n" + model(body))
    assert {failure.kind for failure in explore(program).failures} == ({kind} if kind else set())


def test_cells_are_counted_by_class() -> None:
    machine = Machine(read("C c; c = new C; B b; b = new B; c = new C;"))
    here = machine.start()
    while here.threads[0]:
        machine.step(here, 1)
    assert sorted((cell.target, cell.number) for cell in here.heap) == [("B", 1), ("C", 1), ("C", 2)]
