"""Where C puts the values of a list in braces: each program's assertion holds, as gcc says too."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError

_NESTED = "struct p { int x, y; }; struct q { struct p a[3]; int t; char n[8]; };"
_HIDDEN = "struct n { int v; struct { int a; union { int b; char c; }; }; int d; };"
HOLDS = [
    (
        "goes on behind an inner part",
        _NESTED,
        "struct q z = {.a[1].y = 5, .a[0] = {1, 2}, 7, .t = 9};",
        "z.a[1].x == 7",
    ),
    (
        "keeps what elided braces do not name",
        _NESTED,
        "struct q z = {.a[1].y = 5, .a[0] = {1, 2}, 7};",
        "z.a[1].y == 5",
    ),
    ("goes on inside", _NESTED, "struct q z = {.a[0].y = 1, 2, 3, 4};", "z.a[1].x == 2 && z.a[2].x == 4"),
    ("a list replaces a part", _NESTED, "struct q z = {.a[0].x = 1, .a[0] = {.y = 2}};", "z.a[0].x == 0"),
    (
        "a letter replaces one of a text",
        _NESTED,
        'struct q z = {.n = "ab", .n[1] = 67};',
        "z.n[0] == 97 && z.n[1] == 67",
    ),
    ("an empty list is an element", _NESTED, "struct p z[] = {{1}, {}};", "sizeof z == 16 && z[1].x == 0"),
    ("indices of inner arrays", "", "int h[2][3] = {[1][2] = 5, [0][1] = 4, 6, 7};", "h[0][2] == 6 && h[1][0] == 7"),
    (
        "ranges",
        "enum { K = 2 };",
        "int g[6] = {[0 ... 1] = 9, [K ... 4] = 4, 5};",
        "g[1] == 9 && g[4] == 4 && g[5] == 5",
    ),
    ("members without a name", _HIDDEN, "struct n z = {.b = 3, 4};", "z.d == 4 && z.c == 3 && z.a == 0"),
    ("the last member of a union", _HIDDEN, "struct n z = {.b = 300, .c = 1};", "z.b == 1"),
]


@pytest.mark.parametrize("where", ["outside", "inside"])
@pytest.mark.parametrize(("about", "types", "declared", "condition"), HOLDS, ids=[row[0] for row in HOLDS])
def test_values_are_where_c_puts_them(about: str, types: str, declared: str, condition: str, where: str) -> None:
    outside, inside = (declared, "") if where == "outside" else ("", declared)
    for claim, verdict in ((condition, "TRUE"), (f"!({condition})", "FALSE")):
        text = f"#include <assert.h>\n{types}\n{outside}\nint main(void) {{ {inside} assert({claim}); return 0; }}\n"
        assert knaster.check(text, file="a.c", property="reach").verdict.value == verdict, text


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(SourceError, match="more initial values than parts"):
        knaster.check("struct p { int x; }; int main(void) { struct p z = {1, 2}; return z.x; }", file="a.c")
    with pytest.raises(SourceError, match="initial value as a whole"):
        knaster.check(
            "struct p { int x; }; struct q { struct p a; int b; };"
            "int main(void) { struct p y = {1}; struct q z = {.a = y, .a.x = 2}; return z.b; }",
            file="a.c",
        )
