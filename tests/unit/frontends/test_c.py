"""The front end of C: what is read means what C says, and what is not read is refused by name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.base.errors import Problem, SourceError, UsageError
from knaster.evidence.answers.answer import Verdict
from knaster.frontends.c.clang.library import load_library
from knaster.frontends.languages import load
from knaster.program.validate import validate
from support import ROOT


def holds(text: str, **options: Any) -> Verdict:
    """Return what running a program says about its asserts: FALSE where one fails."""
    program = load(text, file="test.c", **options)
    assert validate(program) == []
    return knaster.check(program, engine="search").verdict


DENY = "#define deny(...) assert(!(__VA_ARGS__))\n"


def claim(claims: str, before: str = "", **options: Any) -> None:
    """Check that asserts hold in C, and that the negation of the last one is found to be wrong."""
    assert holds(f"{before}\nint main(void) {{ {claims} return 0; }}\n", **options) is not Verdict.FALSE
    first, _, last = claims.rpartition("assert(")
    denied = f"{DENY}{before}\nint main(void) {{ {first}deny({last} return 0; }}\n"
    assert holds(denied, **options) is Verdict.FALSE


@pytest.mark.parametrize(
    "expression",
    [
        "-7 / 2 == -3 && -7 % 2 == -1",
        "2147483647 + 1 == -2147483647 - 1",
        "4294967295u + 1u == 0",
        "-1 > 0u",
        "(unsigned char)300 == 44 && (signed char)200 == -56",
        "(_Bool)256 == 1",
        "(1 ? -1 : 0u) > 0",
        "sizeof(int) == 4 && sizeof(long) == 8",
        "~5 == -6 && (6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5",
        "1 << 31 < 0 && -8 >> 1 == -4",
        "'a' == 97 && '\\n' == 10 && '\\x41' == 'A'",
        "0x10 == 16 && 010 == 8 && 10L == 10",
        "(3, 4) == 4",
        "!0 == 1 && !5 == 0",
        "abs(-5) == 5",
    ],
)
def test_expressions(expression: str) -> None:
    claim(f"assert({expression});")


def test_the_data_model_decides_how_large_long_is() -> None:
    claim("long x = 2147483647; assert(x + 1 > 0);")
    claim("long x = 2147483647; assert(x + 1 < 0);", data_model="ILP32")
    claim("assert(sizeof(long) == 4);", data_model="ILP32")


def test_mathematical_integers_do_not_wrap_but_unsigned_ones_do() -> None:
    claim("int x = 2147483647; assert(x + 1 > x);", integers="mathematical")
    claim("int x = 2147483647; assert(x + 1 < x);")
    claim("unsigned x = 0; x--; assert(x == 4294967295u);", integers="mathematical")


@pytest.mark.parametrize(
    ("statements", "before"),
    [
        (
            "int i, s = 0; for (i = 0; i < 4; i++) { if (i == 1) continue; if (i == 3) break; s += i; }assert(s == 2);",
            "",
        ),
        ("int s = 0; do { s++; } while (s < 3); assert(s == 3);", ""),
        (
            "int x = 2; switch (x) { case 1: x = 9; case 2: x = 5; case 3: x++; break; default: x = 0; }"
            "assert(x == 6);",
            "",
        ),
        ("int x = 7; switch (x) { case 1: x = 9; } assert(x == 7);", ""),
        ("int x = 0; goto in; while (x < 3) { in: x++; } assert(x == 3);", ""),
        ("int x = 1; { int x = 2; x++; } assert(x == 1);", ""),
        ("int x = 3; int y = x++ + 1; assert(x == 4 && y == 4);", ""),
        ("int x = 3; int y = --x * 2; assert(x == 2 && y == 4);", ""),
        ("int a[3] = {1, 2}; int i = 0; a[i++] = 5; a[i] += 3; assert(a[0] == 5 && a[1] == 5 && a[2] == 0);", ""),
        ("int m[2][2] = {1, 2, 3, 4}; m[1][0]++; assert(m[1][0] == 4 && m[0][1] == 2);", ""),
        ("char t[] = \"ab\"; assert(sizeof(t) == 3 && t[1] == 'b' && t[2] == 0);", ""),
        ("f(); f(); assert(f() == 3);", "int f(void) { static int n; return ++n; }"),
        ("assert(g == 0); int r = g + set(); assert(r == 5);", "int g; int set(void) { g = 5; return 5; }"),
        ("assert(x == 0 && (x || set()) && x == 5);", "int x; int set(void) { x = 5; return 1; }"),
        (
            "int a = 0; a && set(); assert(x == 0); int b = a ? set() : 7; assert(x == 0 && b == 7);",
            "int x; int set(void) { x = 5; return 1; }",
        ),
        (
            "struct p q = make(3); struct p r = q; r.y[1] = 9; assert(q.x == 3 && q.y[1] == 0 && r.y[1] == 9);",
            "struct p { int x; char y[2]; }; struct p make(int v) { struct p r = {v, {1}}; return r; }",
        ),
        (
            "struct p a[2] = {{1}, {2}}; a[0] = a[1]; assert(sum(a[0]) == 2);",
            "struct p { int x; int y; }; int sum(struct p s) { s.x += s.y; return s.x; }",
        ),
        ("enum c { RED, GREEN = 5, BLUE } c = BLUE; assert(c == 6 && RED == 0);", ""),
        ("byte b = 255; b++; assert(b == 0);", "typedef unsigned char byte;"),
        (
            "assert(MAX(2, 3) == 3 && N == 2 && STR == 1);",
            "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define N (1 + 1)\n"
            "#ifdef N\n#define STR 1\n#else\n#define STR 0\n#endif",
        ),
        ("assert(INT_MAX == 2147483647 && flag);", "#include <limits.h>\n#include <stdbool.h>\nbool flag = true;"),
        (
            "assert(odd(5));",
            "int even(int); int odd(int n) { return n ? even(n - 1) : 0; }"
            " int even(int n) { return n ? odd(n - 1) : 1; }",
        ),
        ("assert(old(3) == 4);", "int old(a) int a; { return a + 1; }"),
    ],
)
def test_statements(statements: str, before: str) -> None:
    claim(statements, before)


def test_a_failing_assert_is_found_after_each_statement() -> None:
    assert holds("int main() { int x = 3; x--; assert(x == 3); }\n") is Verdict.FALSE


@pytest.mark.parametrize(
    "end",
    [
        "abort();",
        "exit(1);",
        "__VERIFIER_assume(0);",
        "assume(0);",
        "assume_abort_if_not(0);",
        "int z = 0; z = 1 / z;",
        "int a[2]; int i = 2; a[i] = 0;",
        "int s = 32; s = 1 << s;",
    ],
)
def test_what_ends_a_run(end: str) -> None:
    assert holds(f"int main() {{ {end} assert(0); }}\n") is not Verdict.FALSE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main() { int x; int *p = &x; }", "pointers are not read"),
        ("int f(int *p) { return *p; } int main() { return f(0); }", "pointers are not read"),
        ("int f(int a[]) { return a[0]; } int main() { return f(0); }", "an array as a parameter is a pointer"),
        ("double d; int main() { }", "floating-point numbers are not read"),
        ("int main() { return 1.5; }", "floating-point numbers are not read"),
        ("int main() { int n = 3; n++; int a[n]; }", "the length of this array is not a constant"),
        ("union u { int a; char b; } v; int main() { }", "unions are not read"),
        ("struct s { int a : 3; } v; int main() { }", "bit-fields are not read"),
        ("int main() { malloc(4); }", "memory that is allocated at run time is not read"),
        ("int main() { pthread_create(); }", "threads are not read"),
        ("int main() { setjmp(1); }", "setjmp and longjmp are not read"),
        ('int main() { __asm__("nop"); }', "assembly is not read"),
        ("int g(void) { return 1; } int main() { int x = g; }", "is used without being called"),
        ("int main() { return y; }", "use of undeclared identifier 'y'"),
        ("int f(int a) { return a; } int main() { return f(1, 2); }", "too many arguments"),
        ("int f() { return 1; } int f() { return 2; } int main() { }", "redefinition of 'f'"),
        ("int main() { goto L; }", "use of undeclared label 'L'"),
        ("int main() { break; }", "'break' statement not in loop or switch statement"),
        ("int main() { int 3x; }", "expected identifier or '('"),
        ("int main() { /* }", "unterminated /* comment"),
        ("#include <windows.h>\nint main() { }", "the header 'windows.h' is not known"),
        ('#include "nowhere.h"\nint main() { }', "the header 'nowhere.h' is not known"),
        ("#if\nint main() { }\n#endif", "expected value in expression"),
        ("int f(void); int x = f(); int main() { }", "initializer element is not a compile-time constant"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError) as error:
        load(text + "\n", file="test.c", objects="never")
    found = [problem for problem in error.value.problems if message in problem.message]
    assert found and found[0].span.line >= 1
    assert "test.c:" in str(error.value) and "^" in str(error.value)


def test_all_errors_of_clang_are_said_in_one_run() -> None:
    text = "int main() {\n  goto L;\n  int x = y;\n  x = ;\n  return z;\n}\n"
    with pytest.raises(SourceError) as error:
        load(text, file="test.c")
    assert [problem.span.line for problem in error.value.problems] == [2, 3, 4, 5]


def test_everything_that_is_refused_is_said_in_one_run() -> None:
    text = "int main() {\n  int *p;\n  float f;\n  int a;\n  return &a == p;\n}\n"
    with pytest.raises(SourceError) as error:
        load(text, file="test.c", objects="never")
    assert [problem.span.line for problem in error.value.problems] == [2, 3, 5, 5]


def test_what_is_only_mentioned_is_not_refused() -> None:
    text = (
        "extern void *malloc(unsigned long); extern int printf(const char *, ...); typedef struct f { int *p; } F;\n"
        'static int never(int *p) { return *p; }\nint main(int argc, char **argv) { printf("x"); return 0; }\n'
    )
    notes: list[Problem] = []
    assert [procedure.name for procedure in load(text, "default", notes, "test.c").procedures] == ["main"]
    assert notes[0].message.startswith("'never' is never called and left out: pointers are not read")


def test_functions_that_nobody_defines_are_inputs_and_remarked() -> None:
    notes: list[Problem] = []
    load("int f(void);\nint main() { int x = f(), y = __VERIFIER_nondet_int(); return x; }\n", "default", notes, "t.c")
    assert [note.message for note in notes] == [
        "'f' is not defined: it returns any value of its type and changes nothing"
    ]


def test_line_markers_are_heeded() -> None:
    markers = '# 1 "a.c"\n# 1 "<built-in>"\n# 1 "a.c"\n# 1 "x.h" 1\nint f(void);\n# 7 "a.c" 2\n'
    text = markers + "int main() {\n  assert(0);\n}\n"
    program = load(text, file="a.i")
    assert [edge.span.line for edge in program.procedure("main").edges] == [8, 8, 7]
    assert program.source.split("\n")[7].strip() == "assert(0);"


def test_a_header_is_read_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "limit.h").write_text("#ifndef LIMIT\n#define LIMIT 3\nint twice(int x) { return 2 * x; }\n#endif\n")
    path = tmp_path / "main.c"
    path.write_text('#include "limit.h"\n#include "limit.h"\nint main() { assert(twice(LIMIT) == 6); }\n')
    assert knaster.check(path, engine="search").verdict is not Verdict.FALSE


def test_deep_and_long_texts() -> None:
    claim(f"int x = {'(' * 1000}1{')' * 1000}; assert(x == 1);")
    claim(f"int x = {'1 + ' * 1000}1; assert(x == 1001);")
    claim(f"int x = 0; {'if (x) x = 2; else ' * 400} x = 3; assert(x == 3);")
    text = "int main() { int x = 0;\n" + "x = x + 1;\n" * 2000 + "assert(x == 2000); }\n"
    assert holds(text) is not Verdict.FALSE


@pytest.mark.parametrize("text", ["\n", "int x;\n", "int f() { return 1; }\n"])
def test_without_main_there_is_a_message(text: str) -> None:
    with pytest.raises(SourceError, match="there is no procedure 'main' to start with"):
        knaster.check(text, file="test.c")


def test_a_boolean_program_needs_neither_parser_nor_solver() -> None:
    example = ROOT / "examples" / "figure1.bp"
    script = (
        "import sys, knaster; knaster.check(sys.argv[1], 'R').to_text();"
        "sys.exit(any(name.split('.')[0] in ('clang', 'z3') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script, str(example)]).returncode == 0


def test_without_the_parser_the_command_to_type_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    load_library.cache_clear()
    for name in [name for name in sys.modules if name.startswith("clang")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "clang", None)
    with pytest.raises(UsageError, match=r"pip install 'knaster\[c\]'"):
        load("int main() { }\n", file="test.c")
