"""The environment, the time, printing with lists and files: what C says of them, on all runs or on one."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import KnasterError

HEAD = """#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>
int in(void);
_Bool __CPROVER_uninterpreted_f(int, int);
static int wrap(char *to, unsigned long n, const char *format, ...) {
  va_list list; va_start(list, format); int r = vsnprintf(to, n, format, list); va_end(list); return r; }
"""
HOLDS = {
    "vsnprintf": 'char b[9]; if (wrap(b, 9, "%d-%s", 42, "x") != 4 || strcmp(b, "42-x")) { ERROR: ; }',
    "digits of an input": 'char b[20]; int n = in(), r = sprintf(b, "%d", n); '
    "if (r > 11 || (n > 9 && n < 100 && r != 2)) { ERROR: ; }",
    "asprintf": 'char *p; int r = asprintf(&p, "a%d", 7); if (r != 2 || p[1] != 55) { ERROR: ; } free(p);',
    "gmtime": "time_t t = 951782400; struct tm b; gmtime_r(&t, &b); "
    "if (b.tm_year != 100 || b.tm_mon != 1 || b.tm_mday != 29 || b.tm_wday != 2 || b.tm_yday != 59) { ERROR: ; }",
    "mktime": "time_t t = 86400; struct tm *b = localtime(&t); if (mktime(b) != t) { ERROR: ; }",
    "asctime": "time_t t = 0; struct tm b; gmtime_r(&t, &b); "
    'if (strcmp(asctime(&b), "Thu Jan  1 00:00:00 1970\\n")) { ERROR: ; }',
    "ctime": "time_t t = 0; char b[26]; if (strlen(ctime(&t)) != 24 + 1 || ctime_r(&t, b) != b || b[24] != 10)"
    " { ERROR: ; }",
    "clock": "if (clock() < -1) { ERROR: ; }",
    "difftime": "if (difftime(5, 3) != 2.0 || difftime(3, 5) != -2.0) { ERROR: ; }",
    "difftime of one input": "time_t t = time(0); if (difftime(t, t) != 0) { ERROR: ; }",
    "usleep": "int r = usleep(5); if (r != 0 && r != -1) { ERROR: ; }",
    "ranges": "time_t t = time(0); struct tm b; gmtime_r(&t, &b); if (b.tm_hour > 23 || b.tm_hour < 0) { ERROR: ; }",
    "a precision": 'char a[2] = "ab", b[9]; if (sprintf(b, "%.*s|%*d", 2, a, 3, 7) != 6 || b[5] != 55) { ERROR: ; }',
    "a width of scanf": 'int x = 0; if (scanf("%2d", &x) == 1 && (x > 99 || x < -9)) { ERROR: ; }',
    "an unsigned width": 'unsigned x = 0; if (scanf("%2x", &x) == 1 && x > 255 && x < 4294967281u) { ERROR: ; }',
    "one function": "int x = in(), y = in(); if (x == y && __CPROVER_uninterpreted_f(x, 1) != "
    "__CPROVER_uninterpreted_f(y, 1)) { ERROR: ; }",
    "a line": 'char b[4]; FILE *f = fopen("a", "r"); '
    "if (f && fgets(b, 4, f) && (b[0] == 10 ? b[1] : b[1] == 10 && b[2])) { ERROR: ; }",
    "fgets": 'char b[3]; FILE *f = fopen("a", "r"); if (!f) return 0; char *p = fgets(b, 3, f); '
    "if (p && (p != b || (b[2] && b[1]))) { ERROR: ; } fclose(f);",
}
FAILS = {
    "getenv": 'char *p = getenv("HOME"); if (!p) { ERROR: ; }',
    "two functions": "if (__CPROVER_uninterpreted_f(1, 2) != __CPROVER_uninterpreted_f(2, 1)) { ERROR: ; }",
    "a clock that fails": "if (clock() == -1) { ERROR: ; }",
    "a clock": "if (clock() == 77) { ERROR: ; }",
    "difftime of two inputs": "time_t s = in(), t = in(); if (s > 0 && s < 3 && t == 5 && difftime(s, t) == -4)"
    " { ERROR: ; }",
    "usleep as long": "if (!usleep(5)) { ERROR: ; }",
    "usleep cut short": "if (usleep(5)) { ERROR: ; }",
    "a local hour": "time_t t = 0; if (localtime(&t)->tm_hour == 5) { ERROR: ; }",
    "scanf": 'char w[4]; if (scanf("%3s", w) == 1 && w[0] == 65 && w[2] == 67) { ERROR: ; }',
    "two letters": 'char b[4]; FILE *f = fopen("a", "r"); '
    "if (f && fgets(b, 4, f) && b[0] == 65 && b[1] == 0 && b[2] == 10) { ERROR: ; }",
    "a sign in scanf": 'int x = 0; if (scanf("%2d", &x) == 1 && x == -9) { ERROR: ; }',
    "a digit in scanf": 'unsigned x = 0; if (scanf("%1o", &x) == 1 && x == 7) { ERROR: ; }',
    "fgetc": 'FILE *f = fopen("a", "r"); if (f && fgetc(f) == 200) { ERROR: ; }',
}


def verdict(body: str, property: str = "reach") -> str:
    """Return what is said of a program."""
    text = f"{HEAD}int main(void) {{ {body} return 0; }}\n"
    return knaster.check(text, file="a.c", property=property).verdict.value


@pytest.mark.parametrize("name", HOLDS)
def test_it_holds(name: str) -> None:
    assert verdict(HOLDS[name]) == "TRUE"


@pytest.mark.parametrize("name", FAILS)
def test_it_fails(name: str) -> None:
    assert verdict(FAILS[name]) == "FALSE"


def test_a_copy_far_beyond_the_object_is_found() -> None:
    assert verdict('char b[4]; strncpy(b, "ab", (unsigned long)-1);', "memory") == "FALSE"


def test_what_has_no_meaning_is_refused() -> None:
    for call in ('printf("a%n", &x);', 'x = fprintf(stderr, "a%n", &x);'):
        with pytest.raises(KnasterError, match="%n"):
            verdict(f"int x = 0; {call} if (x) {{ ERROR: ; }}")
    format = 'char b[5] = "a%n"; int x = 0; printf(b, &x); if (x) { ERROR: ; }'
    assert verdict(format) == "UNKNOWN" and verdict(format.replace("printf(b", "printf(b + 3")) == "TRUE"
    with pytest.raises(KnasterError, match="fmemopen"):
        verdict('char b[4]; FILE *f = fmemopen(b, 4, "r"); if (f) { ERROR: ; }')


def test_undefined_uses_are_found() -> None:
    for body in ("getenv(0);", "localtime(0);", 'char *p = getenv("A"); if (p) *p = 1;', "asctime(0);"):
        assert verdict(body, "safety") == "FALSE"
    texts = ('printf("%s", b);', "puts(b);", "fputs(b, stdout);", "perror(b);", 'fprintf(stderr, "%d%s", 1, b);')
    for call in (
        *texts,
        'printf("%.3s", b);',
        'printf("%.*s", 3, b);',
        'printf("%f%*d%s", 1.0, 4, 2, b);',
        "printf(b);",
    ):
        assert verdict(f'char b[2] = "ab"; {call}', "safety") == "FALSE", call
        assert verdict(f'char b[3] = "ab"; {call}', "safety") == "TRUE", call
    assert verdict('char b[2] = "ab"; printf("%.2s%%%d", b, 7); perror(0);', "safety") == "TRUE"
    assert verdict("char *p = 0; puts(p);", "safety") == "FALSE"
    assert verdict('int n = in(); char b[3] = "ab"; printf("%d%s", n, b);', "safety") == "TRUE"
    assert verdict('FILE *f = fopen("a", "r"); if (f) { fclose(f); fgetc(f); }', "memory") == "FALSE"
    assert verdict('FILE *f = fopen("a", "r"); if (f) fclose(f);', "safety") == "TRUE"
