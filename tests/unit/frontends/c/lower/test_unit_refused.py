"""What is not read as C means it is refused by name, and never read as something else."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError

START = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"
MAIN = "int main(void) { if (%s) reach_error(); return 0; }"


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "int main(void) { switch (2) { case SEEK_END: reach_error(); } return 0; }",
            "undeclared identifier 'SEEK_END'",
        ),
        (
            "int g; __attribute__((constructor)) static void f(void) { g = 1; }" + MAIN % "g",
            "'constructor' is not read",
        ),
        ("int g; void f(void) __attribute__((__constructor__(101)));" + MAIN % "g", "'constructor' is not read"),
        ("#define BEFORE __attribute__((constructor))\nBEFORE void f(void) { }" + MAIN % "1", "'constructor' is not"),
        ("#define unused __attribute__((constructor))\nunused void f(void) { }" + MAIN % "1", "'constructor' is not"),
        (
            "void c(int *p); int main(void) { __attribute__((cleanup(c))) int x = 0; return x; }",
            "'cleanup' is not read",
        ),
        ('int g(void); int f(void) __attribute__((alias("g")));' + MAIN % "f()", "'alias' of 'f' is not read"),
        ('struct __attribute__((scalar_storage_order("big-endian"))) S { int a; };' + MAIN % "1", "_storage_order'"),
        ("typedef int V __attribute__((vector_size(16))); V v;" + MAIN % "v[0]", "vector_size"),
        ("_Atomic int v;" + MAIN % "v", "_Atomic(int)' is not read"),
        ("volatile int v;" + MAIN % "v != v", "volatile variables are not read"),
        ("typedef __volatile__ int T; T v[2];" + MAIN % "v[0]", "volatile variables are not read"),
        ("struct { volatile int f; } v;" + MAIN % "v.f", "volatile variables are not read"),
        ("int g; int main(void) { __CPROVER_ASYNC_1: g = 1; reach_error(); return 0; }", "threads are not read"),
        ("char d[] = __DATE__;" + MAIN % "d[0]", "not reproducible"),
        ('asm("nop");' + MAIN % "1", "assembly is not read"),
        ('int main(void) { asm("nop" : : ); return 0; }', "assembly is not read"),
        ("int main(void) { void *p = &&L; goto *p; L: return 0; }", "a jump to a value is not read"),
        (MAIN % "__builtin_clz(1)", "'__builtin_clz' is a function of the C library that is not read"),
        ("#include <ctype.h>\n" + MAIN % "isalpha('a')", "'isalpha' is a function of the C library that is not read"),
        ("int isalpha(int);" + MAIN % "isalpha('a')", "'isalpha' is a function of the C library that is not read"),
        ("struct S { int a; };" + MAIN % "((struct S){1}).a", "compound literal expr"),
        ("int x; " + MAIN % "__builtin_choose_expr(1, x, 3)", "this expression is not read"),
        ("int f(void); int main(void) { int a[4] = {[1 ... 2] = f()}; return a[0]; }", "this range of indices"),
        ("int main(void) { int a[200000] = {[0 ... 199999] = 3}; return a[0]; }", "this range of indices"),
        (
            "#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); return va_arg(l, int); }"
            + MAIN % "f(1, 2)",
            "",
        ),
    ],
)
def test_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(SourceError) as refused:
        knaster.check(START + text, file="a.c", objects="never")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "enum { LIM = (int)1e3 };" + MAIN % "LIM == 1000",
        "#include <stdio.h>\nint main(void) { switch (2) { case SEEK_END: reach_error(); } return 0; }",
        "int a[4] = {[2] = 5, 6, [0] = 1};" + MAIN % "a[0] == 1 && a[1] == 0 && a[2] == 5 && a[3] == 6",
        "struct S { char a; int b; } __attribute__((packed));" + MAIN % "sizeof(struct S) == 5",
        "struct S { char a; } __attribute__((aligned(16)));" + MAIN % "sizeof(struct S) == 16",
        "#pragma pack(1)\nstruct S { char a; int b; };" + MAIN % "sizeof(struct S) == 5",
        "struct S { int a : 3; int b : 4; };" + MAIN % "sizeof(struct S) == 4",
        "struct S { int a; char *b; int c; };" + MAIN % "sizeof(struct S) == 24",
        "struct S { char a; long long b; };" + MAIN % "_Alignof(struct S) == 8 && sizeof(long double) == 16",
        "struct S { char a; int b[3]; };" + MAIN % "__builtin_offsetof(struct S, b) == 4",
        MAIN % "sizeof(float) == 4",
        "#ifdef __GNUC__\nint g = 1;\n#else\nint g;\n#endif\n" + MAIN % "g",
        "#ifdef __LP64__\nint g = 1;\n#else\nint g;\n#endif\n" + MAIN % "g",
        "#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_INT__ == 4\nint g = 1;\n#else\nint g;\n#endif\n"
        + MAIN % "g",
        "#if -1 > 0u\nint g = 1;\n#else\nint g;\n#endif\n" + MAIN % "g",
        "enum { BIG = 4294967295u };" + MAIN % "BIG > 0",
        "enum E { A, B }; enum E e;" + MAIN % "e - 1 > 0",
        "enum E { M = -1, N }; enum E e;" + MAIN % "e - 1 < 0",
        "#ifndef __MY_TYPE__\n#define __MY_TYPE__\n#endif\n" + MAIN % "1",
        "#if __STDC_VERSION__ >= 199901L\nint g;\n#endif\n" + MAIN % "g == 0",
        "extern int f(volatile int *p) __attribute__((nonnull));" + MAIN % "1",
        "int index, read; " + MAIN % "index == read",
        'int main(void) { __ESBMC_assert(0, "no"); return 0; }',
        "int main(void) { int x = __VERIFIER_nondet_int(); __ESBMC_assume(x == 3); "
        + '__ESBMC_assert(x != 3, ""); return 0; }',
        "#include <assert.h>\nint main(void) { assert(4294967296l); assert(!4294967296l); return 0; }",
        '#include <stdio.h>\nint main(void) { if (printf("x") == 1) reach_error(); return 0; }',
        "#include <stdlib.h>\nint main(void) { int x = rand(); assert(x >= 0); assert(x != 5); return 0; }",
        "int main(void) { int x = 0, y = 0; for (; x < 3;) x++; for (x = 5; ; x++) { if (x > 7) break; y++; } "
        + "assert(x == 8 && y == 3); assert(0); return 0; }",
        "#define EACH for (;; n++)\nint main(void) { int n = 0; EACH { if (n == 4) reach_error(); } return 0; }",
        "int f(void) { return 5; } int main(void) { int x = f() ?: 1; int y = (x - 5) ?: 7; "
        "if (x == 5 && y == 7) reach_error(); return 0; }",
        "int main(void) { int x = ({ int y = 2; y + 1; }); if (x == 3) reach_error(); return 0; }",
        "int main(void) { int x = 7; switch (x) { case 1 ... 5: return 0; case 6 ... 9: reach_error(); } return 0; }",
        "int a[3] = {1, 2, 3};" + MAIN % "1[a] == 2",
        "int x = 5; int f(void) { int x = 3; { extern int x; return x; } }" + MAIN % "f() == 5",
        "typedef unsigned long size_t; struct S { _Bool b; } s = {2};" + MAIN % "s.b == 1",
    ],
)
def test_read_as_c_means_it(text: str) -> None:
    assert knaster.check(START + text, file="a.c", engine="search").verdict.value == "FALSE"


@pytest.mark.parametrize("integers", ["machine", "mathematical"])
@pytest.mark.parametrize(
    "type, value, label", [("unsigned", "4294967295u", "-1"), ("int", "-1", "4294967295u"), ("char", "-1", "-1")]
)
def test_labels_of_cases_are_converted(type: str, value: str, label: str, integers: str) -> None:
    text = f"int main(void) {{ {type} x = {value}; switch (x) {{ case {label}: reach_error(); }} return 0; }}"
    assert knaster.check(START + text, file="a.c", integers=integers).verdict.value == "FALSE"
