"""Bit-fields that are wider than int: where gcc computes with their own width, a note says so."""

from __future__ import annotations

import pytest

import knaster

HEAD = "struct s { unsigned long long a: 40, b: 33; unsigned c: 20; unsigned long long d; } x, *p = &x;\n"


@pytest.mark.parametrize(
    ("expression", "bits"),
    [
        ("x.a << 32", 40),
        ("p->a + 1", 40),
        ("x.a * x.b", 40),
        ("x.b - x.c", 33),
        ("-x.b", 33),
        ("~x.a", 40),
        ("1 << x.a", None),
        ("x.a + 1ull", None),
        ("x.a - x.d", None),
        ("x.c * x.c", None),
        ("x.a >> 3", None),
        ("x.a == x.b", None),
        ("(unsigned long long)x.d + 1", None),
    ],
)
def test_what_compilers_compute_differently_is_said(expression: str, bits: int | None) -> None:
    result = knaster.check(f"{HEAD}int main(void) {{ p->a = 1; return {expression} != 0; }}\n", file="a.c")
    said = [note for note in result.notes if "bit-field" in note]
    assert [f"the {bits} bits" in note for note in said] == ([] if bits is None else [True])


def test_nothing_is_said_of_a_function_that_is_never_called() -> None:
    text = f"{HEAD}int f(void) {{ return x.a << 32; }}\nint main(void) {{ p->a = 1; return 0; }}\n"
    assert not any("bit-field" in note for note in knaster.check(text, file="a.c").notes)
