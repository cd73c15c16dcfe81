"""Volatile objects: each read is an input, unless somebody says that they are plain."""

from __future__ import annotations

import pytest

from knaster import check

HEAD = "#include <assert.h>\nvolatile int x; struct s { volatile unsigned r; int p; volatile unsigned b : 3; };\n"
BODIES = {  # what main does: the verdict where reads are inputs, and where they are plain
    "x = 1; assert(x == 1);": ("FALSE", "TRUE"),
    "x = 1; int y = x; assert(y == y);": ("TRUE", "TRUE"),
    "int y = (x = 4); assert(y == 4);": ("TRUE", "TRUE"),
    "x = 1; x++; assert(x == 2 || x != 2);": ("FALSE", "TRUE"),
    "x = 1; x += 2; int *p = (int *)&x; assert(*p == 3);": ("FALSE", "TRUE"),
    "struct s a = {1, 2, 3}; assert(a.p == 2);": ("TRUE", "TRUE"),
    "struct s a = {1, 2, 3}; assert(a.b < 8 && a.b >= 0);": ("TRUE", "TRUE"),
    "struct s a = {1, 2, 3}; assert(a.b != 6);": ("FALSE", "TRUE"),
    "volatile int a[2] = {1, 2}; assert(a[1] != 7);": ("FALSE", "TRUE"),
    "int z = 3; volatile int *q = &z; assert(*q == 3);": ("FALSE", "TRUE"),
    "int z = 3; volatile int *q = &z; assert(z == 3);": ("TRUE", "TRUE"),
    "volatile int y = 0; if (y == 1 && y == 2) assert(y != 3);": ("FALSE", "TRUE"),
    "x = 1; if (!x) return 0; assert(x != 0 ? 1 : x == x);": ("FALSE", "TRUE"),
}


@pytest.mark.parametrize("body", BODIES)
def test_a_volatile_read(body: str) -> None:
    text = f"{HEAD}int main(void) {{ {body} return 0; }}\n"
    given, plain = BODIES[body]
    assert check(text, file="a.c").verdict.value == given
    assert check(text, file="a.c", volatile="plain").verdict.value == plain


def test_a_verdict_says_what_it_needs() -> None:
    said = check(f"{HEAD}int main(void) {{ x = 1; assert(x == 1); }}\n", file="a.c").to_text()
    assert "can fail if x, which is volatile, changes by itself (" in said and "Inputs: x (volatile) = 0" in said
    said = check(f"{HEAD}int main(void) {{ x = 1; assert(x == 1); }}\n", file="a.c", volatile="plain").to_text()
    assert "LP64, volatile: plain," in said


def test_what_is_read_must_be_there() -> None:
    text = "int main(void) { volatile int *p = 0; return *p; }\n"
    assert check(text, file="a.c", property="memory").verdict.value == "FALSE"


def test_threads_change_what_they_share() -> None:
    text = HEAD + "#include <pthread.h>\nvoid *f(void *p) { x = 1; return p; }\n"
    text += "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int y = x; assert(%s); return 0; }\n"
    assert check(text % "y == 0 || y == 1", file="a.c").verdict.value == "TRUE"
    assert check(text % "y == 0 || y == 1", file="a.c", volatile="input").verdict.value == "FALSE"
