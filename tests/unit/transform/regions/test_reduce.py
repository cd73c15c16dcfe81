"""A program with memory as one over integers: its targets, its variables, and what is refused by name."""

from __future__ import annotations

import pytest

import knaster
from knaster.program.model import Kind
from knaster.program.validate import validate
from knaster.transform.regions.refusal import Refused
from support.regions import compare_with_memory, reduce_text

SWAP = """void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) { int x = 1, y = 2; swap(&x, &y); if (x != 2) { ERROR: ; } return 0; }
"""
RECURSIVE = "int f(int n, int *r) { int t = n; return n ? f(n - 1, &t) : *r; } "
REFUSED = {
    "a struct is copied": "struct s { int a; }; int main(void) { struct s x = {1}, y, *p = &x; y = *p; return y.a; }",
    "library is not made variables": "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; return *p; }",
    "invoke is not made variables": "int f(int x) { return x; }\nint main(void) { int (*p)(int) = f; return p(1); }",
    "bytes of 'x' are used in several ways": "int main(void) { int x = 1; char *p = (char *)&x; return *p + x; }",
    "which is recursive": RECURSIVE + "int main(void) { int x = 1; return f(2, &x); }",
    "a pointer is made a number": "int main(void) { int x = 1, *p = &x; return (int)((long)p & 7); }",
    "a length that is no constant": "int main(void) { int n = 3; int a[n]; int *p = a; p[1] = 1; return *(p + 1); }",
}


def test_pointers_vanish() -> None:
    reduced = reduce_text(SWAP)
    assert reduced.program.kind is Kind.INTEGERS and not validate(reduced.program)
    swap = reduced.program.procedure("swap")
    assert swap.parameters == () and swap.locals == ("t",)
    assert sorted(reduced.program.globals) == ["x", "y"]
    assert [original for _, original in reduced.targets] == [target for target, _ in reduced.targets]


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_fit_is_refused_by_name(what: str) -> None:
    text = REFUSED[what].replace("int main(void) {", "int main(void) { if (0) { ERROR: ; }", 1)
    with pytest.raises(Refused, match=what):
        reduce_text(text)


def test_undefined_steps_are_places() -> None:
    text = "int main(void) { int a[3] = {1}, i = 2; int *p = a; p[i + 1] = 1; return a[0]; }"
    reduced = reduce_text(text, "safety")
    assert {original.kind for _, original in reduced.targets if original is not None} >= {"bounds", "null"}
    agree, reached = compare_with_memory(text, "safety")
    assert agree and reached == 1


def test_a_pointer_to_a_dead_object_is_noticed() -> None:
    text = "int main(void) { int *p, x = 1; { int y = 2; p = &y; x += *p; } return *p + x; }"
    assert compare_with_memory(text, "memory")[1] == 1
    text = "int *f(int n) { int own = n; int *p = &own; return p; } int main(void) { int *p = f(3); return *p; }"
    assert compare_with_memory(text, "memory")[1] == 1


def test_null_and_a_part_of_null_are_told_apart() -> None:
    head = "struct s { int a, b; }; int main(void) { struct s x = {1, 2}, *p = x.a ? 0 : &x; return p->"
    assert compare_with_memory(head + "a; }", "memory")[1] == 1
    assert compare_with_memory(head + "b; }", "memory")[1] == 1


def test_what_is_evaluated_under_a_condition_stops_no_run() -> None:
    text = "int main(void) { int a[2] = {1, 1}, i = 5, z = 0; int *p = a; int r = i < 2 && p[i] > 0 && 3 / z; "
    text += "if (i > 4 ? !r : p[i]) { ERROR: ; } return 0; }"
    assert compare_with_memory(text, "reach")[1] == 1


def test_one_object_for_each_activation() -> None:
    text = "int f(int n) { int own = n, *p = &own; if (n) { int r = f(n - 1); *p += r; } return own; } "
    text += "int main(void) { if (f(3) == 6) { ERROR: ; } return 0; }"
    assert compare_with_memory(text, "reach")[1] == 1


def test_a_pointer_that_may_be_anywhere_is_not_taken_for_one_that_is_known() -> None:
    text = "int any(void); int main(void) { int a[2] = {0}, *q = a, n = any(); for (;;) { q += n; "
    reduced = reduce_text(text + "if (q == a + 1 && n > 1) { ERROR: ; } } }")
    assert [target.name for target, original in reduced.targets if original is None] == ["unclear:main"]


def test_pointers_that_only_another_procedure_has_are_left_alone() -> None:
    text = "int g, *gp = &g; void keep(void) { int own = 2; gp = &own; } "
    text += "int main(void) { int x = 1, *p = &x, **pp = &p; keep(); *pp = gp; return *p; }"
    assert compare_with_memory(text, "memory")[1] == 1


def test_a_function_that_ends_without_a_value() -> None:
    head = "int nondet_int(void);\nint f(int *p) { if (*p > 3) return 1; *p = 3; }\n"
    unwanted = "int main(void) { int x = nondet_int(); f(&x); __CPROVER_assert(x >= 3); return 0; }"
    assert knaster.check(head + unwanted, file="a.c", property="reach").verdict.value == "TRUE"
    wrong = unwanted.replace("x >= 3", "x > 3")
    assert knaster.check(head + wrong, file="a.c", property="reach").verdict.value == "FALSE"
    with pytest.raises(Refused, match="may return no value"):
        reduce_text(head + unwanted.replace("f(&x);", "x = f(&x);"))
