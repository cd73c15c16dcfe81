"""What Clang's tree has no name for: a conversion is one only where its part is all of the text."""

from __future__ import annotations

import pytest

import knaster

_STRUCT = "#include <stddef.h>\nstruct s { char c; struct { char x; int y; } i[2]; };\n"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("__builtin_types_compatible_p(typeof(y), unsigned)", 1),  # it was read as a conversion of y
        ("__builtin_types_compatible_p(typeof(y), int)", 0),
        ("offsetof(struct s, i[1].y)", 16),
        ("__builtin_choose_expr(1, 4, y)", 4),
        ("__builtin_constant_p(3 + sizeof y)", 1),
        ("__builtin_constant_p(y)", 0),
        ("(int)y", -1),
        ("y ?: 7", 4294967295),
    ],
)
def test_unnamed_expressions(expression: str, value: int) -> None:
    for claim, verdict in ((value, "TRUE"), (value + 1, "FALSE")):
        text = (
            f"{_STRUCT}int main(void) {{ unsigned y = -1; if (({expression}) != {claim}) reach_error(); return 0; }}\n"
        )
        assert knaster.check(text, file="a.c", property="reach").verdict.value == verdict


@pytest.mark.parametrize(
    ("body", "std"),
    [
        ('int x = 7; __asm__ __volatile__("" ::: "memory"); asm("");', "gnu17"),
        ("bool b = true; int *p = nullptr; int x = b + 1'005 - (b ? 999 : 0) + (p != nullptr) + false;", "c2x"),
        ("int x = 6; switch (x) { case 6: [[fallthrough]]; case 8: x++; }", "c2x"),
    ],
)
def test_syntax_of_today(body: str, std: str) -> None:
    for claim, verdict in ((7, "TRUE"), (8, "FALSE")):
        text = f"void reach_error(void); int main(void) {{ {body} if (x != {claim}) reach_error(); return 0; }}\n"
        assert knaster.check(text, file="a.c", property="reach", std=std).verdict.value == verdict
