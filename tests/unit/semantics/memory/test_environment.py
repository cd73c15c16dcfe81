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
    "ranges": "time_t t = time(0); struct tm b; gmtime_r(&t, &b); if (b.tm_hour > 23 || b.tm_hour < 0) { ERROR: ; }",
    "one function": "int x = in(), y = in(); if (x == y && __CPROVER_uninterpreted_f(x, 1) != "
    "__CPROVER_uninterpreted_f(y, 1)) { ERROR: ; }",
    "fgets": 'char b[3]; FILE *f = fopen("a", "r"); if (!f) return 0; char *p = fgets(b, 3, f); '
    "if (p && (p != b || (b[2] && b[1]))) { ERROR: ; } fclose(f);",
}
FAILS = {
    "getenv": 'char *p = getenv("HOME"); if (!p) { ERROR: ; }',
    "two functions": "if (__CPROVER_uninterpreted_f(1, 2) != __CPROVER_uninterpreted_f(2, 1)) { ERROR: ; }",
    "a local hour": "time_t t = 0; if (localtime(&t)->tm_hour == 5) { ERROR: ; }",
    "scanf": 'char w[4]; if (scanf("%3s", w) == 1 && w[0] == 65 && w[2] == 67) { ERROR: ; }',
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
    with pytest.raises(KnasterError, match="fmemopen"):
        verdict('char b[4]; FILE *f = fmemopen(b, 4, "r"); if (f) { ERROR: ; }')


def test_undefined_uses_are_found() -> None:
    for body in ("getenv(0);", "localtime(0);", 'char *p = getenv("A"); if (p) *p = 1;', "asctime(0);"):
        assert verdict(body, "safety") == "FALSE"
    assert verdict('FILE *f = fopen("a", "r"); if (f) { fclose(f); fgetc(f); }', "memory") == "FALSE"
    assert verdict('FILE *f = fopen("a", "r"); if (f) fclose(f);', "safety") == "TRUE"
