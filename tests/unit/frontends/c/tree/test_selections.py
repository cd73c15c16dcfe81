"""`_Generic`: the part is chosen that gcc chooses, and where that cannot be told, it is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.frontends.c.tree.selections import types_of_selections

_BEFORE = """typedef unsigned long size; typedef struct { int x; } nameless; struct s { int a; }; enum e { ONE };
typedef int f(int); int g_int(int x) { return x + 1; } int g_long(int x) { return x + 2; }
#define KIND(v) _Generic((v), char: 1, int: 2, size: 3, struct s: 4, struct s *: 5, char *: 6, \\
  const char *: 7, nameless: 8, int (*)[3]: 9, f *: 10, _Bool: 11, unsigned: 12, signed char: 13, default: 0)
#define CALL(v) _Generic(v, int: g_int, long: g_long)(v)
"""
_LOCALS = """int i = 3; char c = 1; size z = 0; struct s s = {1}; const char *t = "x"; const int k = 4;
nameless n = {2}; int a[3]; int m[2][3]; volatile short h = 5; long l = 6; struct s *ps = &s;"""
_CASES = [
    ("KIND(i)", 2),
    ("KIND(c)", 1),
    ("KIND(+c)", 2),
    ("KIND(z)", 3),
    ("KIND(sizeof i)", 3),
    ("KIND(s)", 4),
    ("KIND(&s)", 5),
    ("KIND(ps)", 5),
    ("KIND(*ps)", 4),
    ('KIND("ab")', 6),
    ("KIND(t)", 7),
    ("KIND(n)", 8),
    ("KIND(k)", 2),
    ("KIND(a)", 0),
    ("KIND(&a)", 9),
    ("KIND(m)", 9),
    ("KIND(g_int)", 10),
    ("KIND((_Bool)1)", 11),
    ("KIND((enum e)ONE)", 12),
    ("KIND((signed char)1)", 13),
    ("KIND(h)", 0),
    ("KIND((const int)3)", 2),
    ("CALL(i)", 4),
    ("CALL(l)", 8),
    ("_Generic(i ? i : 1, long: 7, int: i ? 5 : 6, default: 9)", 5),
    ('_Generic(i, char *: ",int: 1)", int: _Generic(l, default: 1, long: 2))', 2),
    ("_Generic(i, int: i, char: c) + sizeof(_Generic(i, int: l, default: c))", 11),
    ("(_Generic(i, int: i, char: c) = 9, i)", 9),
    ("(_Generic(c, int: i, char: c)++, i + c)", 5),
    ("__builtin_constant_p(_Generic(i, int: 3, default: i))", 1),
]


def test_gcc_chooses_the_same(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    lines = "".join(f"{{ {_LOCALS} if (({case}) != {value}) return {1 + at}; }}" for at, (case, value) in _numbered())
    source = tmp_path / "a.c"
    source.write_text(f"{_BEFORE}int main(void) {{ {lines} return 0; }}\n")
    subprocess.run(["gcc", "-w", "-O0", str(source), "-o", str(tmp_path / "a")], check=True)
    assert subprocess.run([str(tmp_path / "a")], check=False).returncode == 0


def _numbered() -> list[tuple[int, tuple[str, int]]]:
    return list(enumerate(_CASES))


def test_the_same_is_chosen_here() -> None:
    lines = "".join(f"{{ {_LOCALS} if (({case}) != {value}) return {1 + at}; }}" for at, (case, value) in _numbered())
    text = f"{_BEFORE}int test(void) {{ {lines} return 0; }}\nint main(void) {{ int r = test(); %s }}\n"
    assert knaster.check(text % "if (r) reach_error();", file="a.c", property="reach").verdict.value == "TRUE"
    assert knaster.check(text % "if (!r) reach_error();", file="a.c", property="reach").verdict.value == "FALSE"


@pytest.mark.parametrize("objects", ["never", "always"])
def test_both_readings_choose(objects: str) -> None:
    text = (
        "#define K(v) _Generic(v, int: 1, long: 2, default: 3)\nlong g = K(4L);\n"
        "int main(void) { int i = 1; char c = 1; if (K(i) != 1 || K(c) != 3 || g != 2) reach_error(); return 0; }\n"
    )
    found = knaster.check(text, file="a.c", property="reach", objects=objects)
    assert found.verdict.value == "TRUE"


@pytest.mark.parametrize(
    "body",
    [
        "typedef long T; long x = 1; return _Generic(x, T: 1, default: 2);",  # the name is another one outside
        "struct s { long b; } x = {1}; return _Generic(x, struct s: 1, default: 2);",
        "int v = 1; return _Generic(v, __typeof__(v): 1, default: 2);",
        "struct { long b; } x = {1}; return _Generic(x, int: 1, default: 2);",  # it has no name to ask by
    ],
)
def test_local_types_are_refused(body: str) -> None:
    text = f"typedef int T; struct s {{ int a; }}; long v;\nint main(void) {{ {body} }}\n"
    with pytest.raises(SourceError, match="which part of '_Generic' is chosen cannot be told"):
        knaster.check(text, file="a.c", property="reach")


def test_a_macro_with_the_name_of_a_type_does_not_matter() -> None:
    text = (
        "typedef long T;\nint f(void) { long x = 1; return _Generic(x, T: 1, default: 2); }\n"
        "#define T int\n#define long char\nint main(void) { if (f() != 1) reach_error(); return 0; }\n"
    )
    assert knaster.check(text, file="a.c", property="reach").verdict.value == "TRUE"


def test_a_local_name_that_no_type_speaks_of_does_not_matter() -> None:
    text = (
        "struct s { int a; };\nint main(void) { struct s s = {1}; if (_Generic(s, struct s: 1, default: 2) != 1)"
        " reach_error(); return 0; }\n"
    )
    assert knaster.check(text, file="a.c", property="reach").verdict.value == "TRUE"


def test_types_of_selections() -> None:
    text = "x = _Generic(a ? b : c, int (*)(int, char): \"_Generic(,:\", struct s *: _Generic(y, default: 1), T: ',');"
    first, second = types_of_selections(text)
    assert [" ".join(type) for type in first] == ["int ( * ) ( int , char )", "struct s *", "T"]
    assert second == [["default"]]
