"""Races: what functions of the library use counts, byte by byte."""

from __future__ import annotations

import pytest

from knaster import check

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
char s[8], d[4]; char *h; int g; int __VERIFIER_nondet_int(void);
"""
CALLS = {  # what a thread calls, what main does meanwhile, and what is to be said
    "a byte that is copied is written": ("memcpy(d, s, 4);", "s[2] = 1;", "FALSE"),
    "a byte that is written by a copy is read": ("memcpy(d, s, 4);", "g = d[3];", "FALSE"),
    "a byte that is copied is read": ("memcpy(d, s, 4);", "g = s[2];", "TRUE"),
    "a byte behind what is copied": ("memcpy(d, s, 4);", "s[5] = 1;", "TRUE"),
    "a text is read up to its end": ("g = strlen(s);", "s[0] = 1;", "FALSE"),
    "a text is not read behind its end": ("g = strlen(s);", "s[1] = 1;", "TRUE"),
    "a text that is printed": ("puts(s);", "s[0] = 1;", "FALSE"),
    "two threads print": ('puts("a");', 'puts("b");', "TRUE"),
    "two calls of the library": ("memset(s, 1, 8);", "memcpy(d, s, 4);", "FALSE"),
    "what is given back is written": ("free(h);", "g = h[0];", "FALSE"),
}


def said(text: str) -> str:
    return check(text, file="p.c", property="race").verdict.name


@pytest.mark.parametrize("name", CALLS)
def test_calls_of_the_library_use_bytes(name: str) -> None:
    inside, meanwhile, verdict = CALLS[name]
    text = f"void *f(void *a) {{ {inside} return 0; }}\nint main() {{ pthread_t t; h = malloc(4); h[0] = 0;\n"
    text += f" pthread_create(&t, 0, f, 0); {meanwhile} pthread_join(t, 0); return 0; }}\n"
    assert said(HEAD + text) == verdict


@pytest.mark.parametrize(("at", "verdict"), [(0, "FALSE"), (1, "FALSE"), (2, "TRUE")])
def test_how_many_bytes_are_used_may_be_an_input(at: int, verdict: str) -> None:
    text = "void *f(void *a) { memset(s, 0, g); return 0; }\nint main() { pthread_t t; g = __VERIFIER_nondet_int();\n"
    text += f" if (g < 0 || g > 2) return 0; pthread_create(&t, 0, f, 0); s[{at}] = 2; pthread_join(t, 0); return 0; }}"
    assert said(HEAD + text + "\n") == verdict


def test_a_call_that_reads_what_nobody_has_chosen_leaves_it_open_or_is_a_race() -> None:
    text = "void *f(void *a) { g = strlen(h); return 0; }\nint main() { pthread_t t; h = malloc(2); h[1] = 0;\n"
    text += " pthread_create(&t, 0, f, 0); h[1] = 2; pthread_join(t, 0); return 0; }\n"
    found = check(HEAD + text, file="p.c", property="race", engine="explicit", states=200)
    assert found.verdict.name in ("FALSE", "UNKNOWN")  # it is one where h[0] is not 0
