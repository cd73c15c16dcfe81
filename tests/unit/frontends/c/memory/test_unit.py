"""C with pointers: what programs mean, by their verdicts; each pitfall of C is one of them."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.evidence.answers.answer import Reachable
from knaster.program.model import Kind

HEAD = """#include <stdlib.h>
#include <string.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
"""


def verdict(body: str, before: str = "", property: str = "safety") -> str:
    """Return the verdict about a program whose main has these statements, and the kind of undefined step."""
    text = f"{HEAD}{before}\nint main(void) {{ {body} return 0; }}\n"
    result = knaster.check(text, file="a.c", property=property, objects="always")
    assert result.program.kind is Kind.MEMORY
    failures = [
        answer.failure for _, answer in result.answers if isinstance(answer, Reachable) and answer.failure is not None
    ]
    return f"{result.verdict.value} {failures[0].kind}" if failures else result.verdict.value


HOLDS = [
    ("int f$1 = 5, x = 1; int r = f(&x) + 1; assert(f$1 == 5 && r == 2);", "int f(int *p) { return *p; }"),
    ("int x = 1, y = 2, *p = &x; *p = y; assert(x == 2);", ""),
    ("int x = 3; f(&x, &x); assert(x == 6);", "void f(int *a, int *b) { *a += *b; }"),
    ("int a[3]; int *e = &a[3], *p = a; int n = 0; while (p != e) { *p++ = n++; } assert(a[2] == 2);", ""),
    (
        "assert(deep(3) == 7);",
        "int g(int *p, int n) { int own = n; if (!n) return *p; return own + g(&own, n - 1); }"
        "int deep(int n) { int z = 0; return g(&z, n); }",
    ),
    (
        "struct s a = f(4); assert(a.x == 4 && f(5).x == 5);",
        "struct s { int x, y; }; struct s f(int n) { struct s r = {n}; return r; }",
    ),
    ("int a[2][3] = {{1, 2, 3}, {4}}; int (*r)[3] = a; assert(r[1][0] == 4 && sizeof a == 24);", ""),
    (
        "struct v *p = malloc(sizeof *p + 3 * sizeof(int)); p->d[2] = 7; assert(p->d[2] == 7); free(p);",
        "struct v { int n; int d[]; };",
    ),
    ("int *p = malloc(4); *p = 5; p = realloc(p, 80); assert(*p == 5); free(p);", ""),
    ("union { int i; unsigned char b[4]; } u; u.i = 258; assert(u.b[0] == 2 && u.b[1] == 1);", ""),
    ("struct { unsigned a : 3; int b : 5; } s = {7, -3}; s.a++; assert(s.a == 0 && s.b == -3);", ""),
    ("int (*t[2])(int) = {f, 0}; assert(t[0](2) == 3 && t[1] == 0);", "int f(int x) { return x + 1; }"),
    ("void *v = 0; long n = (long)&v; assert((void **)n == &v);", ""),
    ('char s[] = "abc"; assert(sizeof s == 4 && s[3] == 0);', ""),
    ("int n = 3; int a[n]; a[n - 1] = 1; assert(sizeof a == 12);", ""),
    ("int *l = (int[]){1, 2}; assert(l[1] == 2);", ""),
    (
        "assert(sum(3, 1, 2, 3) == 6);",
        "#include <stdarg.h>\nint sum(int n, ...) { va_list l; va_start(l, n); int s = 0;"
        "while (n--) s += va_arg(l, int); va_end(l); return s; }",
    ),
    (
        'char b[9]; strcpy(b, "ab"); strcat(b, "c"); assert(!strcmp(b, "abc") && strchr(b, 99) == b + 2);',
        "",
    ),
    ('char b[9]; assert(sprintf(b, "%d-%s", 7, "x") == 3 && !strcmp(b, "7-x"));', "#include <stdio.h>"),
    ("int r; assert(__builtin_add_overflow(2147483647, 1, &r) && r < 0 && __builtin_clz(1) == 31);", ""),
    ("struct __attribute__((packed)) { char c; int i; } s = {1, 2}; assert(s.i == 2);", ""),
    ("float f = 0.1f; double d = 0.1; assert(f != d && (float)d == f && (int)2.9 == 2 && -0.0 == 0.0);", ""),
    ("double n = 0.0; n = n / n; assert(n != n && !(n < 1) && !(n >= 1));", ""),
    ("union { float f; unsigned u; } u; u.f = 1; assert(u.u == 0x3f800000);", ""),
    ("free(NULL); int *p = malloc(0); assert(p); free(p);", ""),
    ("int i = 1; switch (i) { int k; case 1: k = 2; assert(k == 2); }", ""),
    ("struct node a = {1}, b; b = a; assert(b.v == 1 && !b.next);", ""),
    ("const int x = 1, *c[2] = {0}; const int **p = c; p[1] = &x; assert(*c[1] == 1);", ""),
    ("int x = __VERIFIER_nondet_int(); int a[4] = {0}; if (x < 0 || x > 3) return 0; a[x] = 1; assert(a[x]);", ""),
]
FAILS = [
    ("int *p = 0; *p = 1;", "", "null"),
    ("struct node *p = 0; *p;", "", "null"),
    ("int *p = malloc(4); free(p); *p = 1;", "", "dead"),
    ("int *p = malloc(4); free(p); free(p);", "", "invalid-free"),
    ("int *p = malloc(8); free(p + 1);", "", "invalid-free"),
    ("int a[3]; int i = 3; a[i] = 1;", "", "bounds"),
    ("int *p = f(); *p = 1;", "int *f(void) { int x; int *p = &x; return p; }", "dead"),
    ("int *p; { int x = 1; p = &x; } return *p;", "", "dead"),
    ("char *s = \"abc\"; s[0] = 'x';", "", "read-only"),
    ("const int c = 1; int *p = (int *)&c; *p = 2;", "", "read-only"),
    ("const int c[2] = {1, 2}; int *p = (int *)c; *p = 2;", "", "read-only"),
    ("int *p = (int *)c; p[3] = 2;", "const int c[2][2] = {{1}};", "read-only"),
    ("int *p = (int *)c; *p = 2;", "typedef int pair[2]; const pair c;", "read-only"),
    ("*(char **)(void *)c = 0;", "char *const c[2];", "read-only"),
    ("int a[4] = {0}; memcpy(a, a + 1, 12);", "", "overlap"),
    ("int x = 0; return 1 / x;", "", "division"),
    ("int x = 40; return 1 << x;", "", "shift"),
    ("int a[2], b[2]; return a < b;", "", "pointer"),
    ("void (*f)(void) = 0; f();", "", "null"),
    ("int (*f)(int) = (int (*)(int))g; f(1);", "void g(void) { }", "call"),
    ("int n = __VERIFIER_nondet_int(); int a[3]; if (n < 0 || n > 3) return 0; a[n] = 1;", "", "bounds"),
    ("struct node *p = malloc(sizeof *p); p->next = 0; return p->next->v;", "", "null"),
    ("char b[9]; int *p = (int *)(b + 1); *p = 1;", "", "alignment"),
    ("double d = 1e20; int i = (int)d;", "", "value"),
    ('char b[3]; strcpy(b, "abc");', "", "bounds"),
    ("int *p; if (__VERIFIER_nondet_int()) { int x; p = &x; } *p = 1;", "", ""),
]


@pytest.mark.parametrize(("body", "before"), HOLDS)
def test_what_holds(body: str, before: str) -> None:
    assert verdict(body, before) == "TRUE"


@pytest.mark.parametrize(("body", "before", "kind"), FAILS)
def test_what_is_undefined(body: str, before: str, kind: str) -> None:
    assert verdict(body, before).startswith(f"FALSE {kind}")


def test_properties() -> None:
    assert verdict("int x = 2147483647; x++;", property="overflow") == "FALSE overflow"
    assert verdict("int x = 2147483647; x++;", property="safety") == "TRUE"
    assert verdict("int *p = malloc(4);", property="leak") == "FALSE lost"
    assert verdict("g = malloc(4);", "int *g;", property="leak") == "FALSE leak"
    assert verdict("int *p = malloc(4); free(p);", property="leak") == "TRUE"
    assert verdict("int *p = 0; assert(*p);", property="reach") == "TRUE"
    assert verdict("int x, *p = &x; *p = 0; while (*p < 9) ++*p;", property="termination") == "TRUE"


def test_temporaries_take_no_name_of_the_user() -> None:
    before = "int f(void) { return 5; } int g(int *p) { return *p; } "
    body = "int f$1 = 7, literal$0 = 3; int x = f() + g(&literal$0) + *(int[]){1}; assert(f$1 == 7 && literal$0 == 3);"
    assert verdict(body, before, property="reach") == "TRUE"


def test_a_note_says_where_a_run_ended_that_was_not_asked_about() -> None:
    result = knaster.check(
        f"{HEAD}int main(void) {{ int *p = 0; assert(1); *p = 1; return 0; }}\n", file="a.c", property="reach"
    )
    assert any("a null pointer is used in some run" in note for note in result.notes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { int *p; long double f; return p == 0; }", "'long double' is not read"),
        ("int main(int n, char **v, char **e) { return e[0][0]; }", "what main is given in 'e' is not read"),
        ("int main(void) { int *p = 0; long q = &&L - &&L; L: return !p; }", "arithmetic with labels is not read"),
        (
            "volatile struct { int x; } s; int main(void) { struct { int x; } t = {s.x}; s = s; return t.x; }",
            "a volatile struct as a whole is not read",
        ),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        knaster.check(text + "\n", file="a.c")


@pytest.mark.parametrize(
    ("before", "body", "why"),
    [
        ("typedef int v __attribute__((vector_size(16))); union u { v x; int i[4]; };", "union u a = {{1}};", "vector"),
        ("typedef int v __attribute__((vector_size(16)));", "int k = 1; v *p = 0; *p = *(v *)&k;", "vector"),
        ("struct s { long double x; }; int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); "
         "__builtin_va_arg(l, struct s); return 0; }", "f(1);", "'long double' is not read"),
        ("int f(int n, ...) { return n; } _Complex int c;", "f(1, c);", "floating-point numbers are not read"),
        ("typedef int v __attribute__((vector_size(16))); v g(void);", "int *p = (int[4]){g()[0]};", "vector"),
    ],
)  # fmt: skip
def test_a_value_of_a_type_that_is_not_read_is_refused_by_name(before: str, body: str, why: str) -> None:
    text = f"{before}\nint main(void) {{ int x; int *q = &x; {body} return *q; }}\n"
    with pytest.raises(SourceError, match=why):
        knaster.check(text, file="a.c", property="reach")


def test_who_calls_what_is_left_out_is_left_out_too() -> None:
    text = """int doit(int x) { void *t[] = {&&one, &&two}; asm("nop"); goto *t[x]; one: return 1; two: return 2; }
int caller(void) { return doit(0); }
int (*pointer(void))(void) { return caller; }
int alone(void) { return 3; }
int main(void) { int x = 1, *p = &x; if (*p != 1) reach_error(); return 0; }
"""
    found = knaster.check(text, file="a.c", property="reach")  # it was an internal error
    assert found.verdict.value == "TRUE"
    assert {one.name for one in found.program.procedures} == {"main", "alone", "reach_error"}
