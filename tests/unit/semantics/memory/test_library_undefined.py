"""Uses of the library that C17 and POSIX leave undefined are targets of safety, and what is next to them is none."""

from __future__ import annotations

from typing import Any

import pytest

from knaster import check

HEAD = """#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
char __VERIFIER_nondet_char(void);
int order(const void *one, const void *other) { return 0; }
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *run(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
"""
START = "pthread_t t; pthread_create(&t, 0, run, 0);"
UNDEFINED = [
    ("value", "return isalpha(300);"),
    ("value", "char c = __VERIFIER_nondet_char(); return isalpha(c) ? 1 : 0;"),
    ("value", "int c = __VERIFIER_nondet_int(); return c >= -1 && c <= 256 ? tolower(c) : 0;"),
    ("value", 'char *s = "a\\xe4"; return toupper(s[1]);'),
    ("overlap", 'char b[9] = "ab"; sprintf(b, "%s!", b);'),
    ("overlap", 'char b[9] = "ab"; sprintf(b + 2, "%s!", b);'),
    ("overlap", 'char b[9] = "ab"; snprintf(b, 2, "%s", b + 1);'),
    ("overlap", 'char b[9] = "ab%d"; sprintf(b, b, 1);'),
    ("overlap", 'char b[9] = "ab"; sprintf(b + 2, b);'),
    ("overlap", 'char b[9] = "abcd"; sprintf(b, "12%s", b + 3);'),
    ("overlap", 'char b[9] = "abcd"; sprintf(b + 1, "%.2s", b);'),
    ("overlap", 'char b[9] = "abcd"; snprintf(b, 3, "1234%s", b + 2);'),
    ("null", 'return strtok(0, ",") != 0;'),
    ("null", "char b[2]; memcpy(0, b, 0);"),
    ("null", "char b[2]; memmove(b, 0, 0);"),
    ("null", "memset(0, 1, 0);"),
    ("null", "char b[2]; return memcmp(b, 0, 0);"),
    ("null", "return memchr(0, 1, 0) != 0;"),
    ("null", 'return strncmp(0, "a", 0);'),
    ("null", "char b[2]; strncpy(b, 0, 0);"),
    ("null", 'char b[2] = ""; strncat(b, 0, 0);'),
    ("null", "qsort(0, 0, 4, order);"),
    ("null", "int k; return bsearch(&k, 0, 0, 4, order) != 0;"),
    ("dead", "char *p = malloc(1), b[1]; free(p); memcpy(b, p, 0);"),
    ("lock", f"{START} pthread_join(t, 0); pthread_join(t, 0);"),
    ("lock", f"{START} pthread_join(t, 0); pthread_detach(t);"),
    ("lock", f"{START} pthread_detach(t); pthread_join(t, 0);"),
    ("lock", f"{START} pthread_mutex_destroy(&m); pthread_join(t, 0);"),
    ("lock", f"{START} pthread_join(pthread_self(), 0);"),
]
DEFINED = [
    'char b[9] = "ab"; sprintf(b + 3, b);',
    'char b[9] = "abcd"; sprintf(b + 5, "%s", b + 2);',
    'char b[9] = "abcd"; sprintf(b, "1%s", b + 3);',
    'char b[9] = "abcd"; snprintf(b, 2, "1234%s", b + 2);',
    "char c = __VERIFIER_nondet_char(); return isalpha((unsigned char)c) ? 1 : 0;",
    "return isalpha(EOF) + toupper(EOF) + toupper('a') + toupper(255);",
    "int c = __VERIFIER_nondet_int(); return c >= -1 && c <= 255 ? tolower(c) : 0;",
    'char b[9] = "ab"; sprintf(b + 3, "%s!", b);',
    'char b[9] = "abc"; snprintf(b, 2, "%s", b + 2);',
    'char b[9] = "abcd"; sprintf(b + 2, "%.2s", b);',
    'char b[9] = "abcd"; snprintf(b, 0, "%s", b);',
    'char b[9] = ",a"; assert(strtok(b, ",") == b + 1); assert(!strtok(0, ",")); assert(!strtok(0, ","));',
    "char b[2]; memcpy(b + 2, b, 0); memmove(b, b + 2, 0); memset(b + 2, 0, 0); return memcmp(b + 2, b + 2, 0);",
    "char *p = malloc(0), b[1]; memcpy(p, b, 0); free(p);",
    'return snprintf(0, 0, "%d", 5) - 1;',
    f"{START} pthread_join(t, 0); pthread_mutex_destroy(&m);",
]


def text(body: str) -> str:
    return f"{HEAD}int main(void) {{ {body} return 0; }}\n"


@pytest.mark.parametrize(("kind", "body"), UNDEFINED)
def test_what_is_undefined_is_found(kind: str, body: str) -> None:
    found = check(text(body), file="a.c")
    assert found.verdict.value == "FALSE" and _is_about(found, kind)


def _is_about(found: Any, kind: str) -> bool:
    said = found.to_text().splitlines()
    return (
        any(line.strip().startswith(f"reachable:   {kind}:") for line in said) or f"{kind} at line" in said[0].lower()
    )


@pytest.mark.parametrize("body", DEFINED)
def test_what_is_defined_is_true(body: str) -> None:
    found = check(text(body), file="a.c")
    assert found.verdict.value == "TRUE"
