"""Runs of the kernel and of `semantics/memory` on the same inputs: the same way, the same end, the same lapses."""

from __future__ import annotations

from random import Random

import pytest

from knaster.frontends.languages import load
from support.attacks.on_memory import WRONG, text_of
from support.kernel_memory import Kernel, difference, tell_ours

BODIES = [
    "union { int i; unsigned char b[4]; float f; } u; u.f = 1.5f; int x = u.b[3] + u.i;",
    "struct pair a = {1, &a, {1, 2}}, b; b = a; memset(&a, 0, sizeof a); if (b.next == &a) return b.c[1];",
    'char v[16]; sprintf(v, "%d-%03d|%s|%c|%-4x|", -5, 7, "ab", 65, 255); return v[4] + strlen(v);',
    'char v[2] = "ab"; printf("%.*s", 2, v); int n = byte; return printf("%-*d|%.1s", n % 9 - 4, n, v);',
    'char v[2] = "ab"; printf("%d %s", input, v); return 1;',
    'char v[2] = "ab"; printf("%f %.*s", 1.5, -1, v); return 1;',
    'int n = byte; char v[2] = "ab", *p = n > 9 ? v : "c"; puts(p); return 1;',
    'int n = byte; char *p = n > 9 ? 0 : "c"; perror(p); fprintf(stderr, p); return fputs(p, stdout) > 3;',
    'char v[3] = "ab"; int n = printf("%5s%%%c%x", v, v[0]); return n;',
    'int x = 1, n = scanf("%2d", &x); return n * 1000 + x;',
    'unsigned x = 1; scanf("%2u", &x); unsigned y = 1; scanf("%1x%3o", &x, &y); return x + y;',
    "int n = input; unsigned char k = n; short s = n; return (k & 3) + (s > n) + (n >> 3);",
    "int v[3][2] = {{1, 2}, {3}}, (*p)[2] = v; p++; return (*p)[0] + (p - v) + (*(p + 1) - &v[0][0]);",
    "int *p = malloc(8); p[0] = input; p = realloc(p, 16); if (p[3] == 4) p[0] = 1; int x = p[0]; free(p); return x;",
    'char *s = strdup("a,b"), *t = strchr(s, 44); *t++ = 0; int x = strcmp(s, t) + (t - s) + atoi(" -12x"); free(s);',
    "double d = input; float f = d / 3; int x = f > 1 ? 2.7 * 10 : -1.5f; return x;",
    "int n = byte; int v[n % 5 + 1]; v[n % 5] = n; return v[n % 5] + sizeof v;",
    "struct { unsigned a : 3; int b : 5; } s = {5, -3}; s.b += 20; return s.a * 100 + s.b;",
    "int (*f)(int) = byte > 100 ? twice : 0; return f(2);",
    "unsigned long a = (unsigned long)&twice; return ((int (*)(int))a)(4);",
    'int n = byte; char a[9], b[9] = "xyz"; for (int i = 0; i < 9; i++) a[i] = b[i]; return memcmp(a, b, 9) + a[n];',
    "int *p, x = 1; { int y = 2; p = &x; if (byte > 9) p = &y; } return *p;",
]


@pytest.mark.parametrize("body", BODIES + [body.replace("ERROR: ;", "return 7;") for _, body in WRONG.values()])
def test_a_run_is_the_same(body: str) -> None:
    program = load(text_of(body), file="a.c", objects="always")
    kernel = Kernel(program)
    for seed in range(4):
        assert not difference(program, kernel, seed)


def test_what_differs_is_seen() -> None:
    program, other = (load(text_of(f"int x = {n}; return *&x;"), file="a.c", objects="always") for n in (1, 2))
    assert "'end'" in difference(program, Kernel(other), 0)
    assert tell_ours(program, Random(0), 100)[0]["end"] == ("end", 1, "")


def test_nothing_is_returned() -> None:
    """What a function without a value returns is any value, also where it has returned one before."""
    text = "int f(int a) { if (a == 0) return 5; }\nint main(void) { int s, *p = &s;"
    text += "for (int i = 0; i < 2; i++) s = f(i); return *p; }\n"
    program = load(text, file="a.c", objects="always")
    ends = {tell_ours(program, Random(seed), 100)[0]["end"][1] for seed in range(6)}
    assert len(ends) > 1
    assert not any(difference(program, Kernel(program), seed) for seed in range(6))
