"""Wrong proofs about C with memory: that all runs or paths were tried, of programs some of whose runs are wrong.

The file of such a proof has nothing but numbers, so whoever believes it has to run the program: what is wrong happens
on one input of many, at the end of a chain of pointers, in the last byte, or in a function of the library.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from knaster.frontends.languages import load
from support.attacks.attack import Attack, Forged
from support.kernel import document

HEAD = """#include <stdlib.h>
#include <string.h>
#include <stdio.h>
unsigned char __VERIFIER_nondet_uchar(void); int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void);
struct pair { int a; struct pair *next; char c[3]; };
"""
WRONG = {  # a target, and what main does
    "an input in the middle": ("ERROR", "int n = input, *p = &n; if (*p > 5) if (*p < 7) ERROR: ;"),
    "the largest input": ("ERROR", "int n = input, *p = &n; if (*p == 2147483647) ERROR: ;"),
    "the smallest input": ("ERROR", "int n = input, *p = &n; if (*p == -2147483647 - 1) ERROR: ;"),
    "an input after a sum": ("ERROR", "int n = input, *p = &n; if (*p + 10 == 3) ERROR: ;"),
    "an input after a difference": ("ERROR", "int n = input, *p = &n; if (10 - *p == 3) ERROR: ;"),
    "an input that wraps": (
        "ERROR",
        "int n = input; unsigned u = n, *p = &u; if (*p > 4294967290u && *p != -1u) ERROR: ;",
    ),
    "the second input": ("ERROR", "unsigned char a = byte, b = byte, *p = &b; if (a == 3) if (*p == 4) ERROR: ;"),
    "two inputs together": ("ERROR", "unsigned char a = byte, b = byte, *p = &b; if (a > 250 && a == *p + 1) ERROR: ;"),
    "an input in an array": ("ERROR", "unsigned char v[4] = {1, 2, 3}; v[2] = byte; if (v[2] == 77) ERROR: ;"),
    "a byte of an input": (
        "ERROR",
        "unsigned char v[2]; short s; v[0] = byte; v[1] = 1; memcpy(&s, v, 2); if (s == 300) ERROR: ;",
    ),
    "what nobody wrote": ("ERROR", "int v[2]; v[0] = 1; if (v[1] == 9) ERROR: ;"),
    "a pointer that nobody wrote": ("ERROR", "int *v[2]; v[0] = 0; if (v[1]) ERROR: ;"),
    "a choice": ("ERROR", "int x = 1, *p = &x; if (__VERIFIER_nondet_bool()) *p = 2; if (x == 2) ERROR: ;"),
    "the last of a list": (
        "ERROR",
        "struct pair x = {1}, y = {2, &x}, *p = &y; p->next->a = 7; if (x.a == 7) ERROR: ;",
    ),
    "a text": ("ERROR", 'char s[8]; strcpy(s, "abc"); strcat(s, "d"); if (strlen(s) == 4) ERROR: ;'),
    "a call through a pointer": ("ERROR", "int (*f)(int) = twice; if (f(3) == 6) ERROR: ;"),
    "null": ("null", "int *p = 0; if (byte == 200) *p = 1;"),
    "dead": ("dead", "int *p = malloc(4); free(p); *p = 1;"),
    "the end of a block": ("dead", "int *p; { int x = 1; p = &x; } *p = 2;"),
    "bounds": ("bounds", "int v[4] = {0}; unsigned char i = byte; if (i <= 4) v[i] = 1;"),
    "one byte too far": ("bounds", "char v[4]; memset(v, 0, 5);"),
    "a text without an end": ("bounds", 'char v[3] = "abc"; int n = strlen(v);'),
    "a negative index": ("bounds", "int v[4] = {0}, i = -1; v[i] = 1;"),
    "invalid pointer": ("invalid-pointer", "int *p = (int *)65536; *p = 1;"),
    "invalid free": ("invalid-free", "int *p = malloc(8); free(p + 1);"),
    "freed twice": ("invalid-free", "int *p = malloc(8); free(p); free(p);"),
    "division": ("division", "unsigned char n = byte, *p = &n; int x = 5 / (*p - 200);"),
    "shift": ("shift", "unsigned char n = byte, *p = &n; if (n <= 32) n = 1 << *p;"),
    "overflow": ("overflow", "int n = input, *p = &n; n = *p + 1;"),
    "least by minus one": ("overflow", "int n = input, d = -1, *p = &d; if (n == -2147483647 - 1) n = n / *p;"),
    "pointer": ("pointer", "int v[2], *p = v; p = p + 3;"),
    "pointers of two objects": ("pointer", "int v, w, *p = &v, *q = &w; if (p < q) v = 1;"),
    "read-only": ("read-only", 'char *s = "abc"; s[1] = 0;'),
    "overlap": ("overlap", 'char v[8] = "abcdef"; memcpy(v + 1, v, 3);'),
    "alignment": ("alignment", "char v[8]; int *p = (int *)(v + 1); *p = 3;"),
    "a leak": ("leak", "int *p = malloc(4); *p = 1; if (byte != 9) free(p);"),
    "a lost object": ("lost", "int *p = malloc(4); p = 0;"),
    "an array of no elements": ("length", "int n = byte; if (n > 2) n = 2; int v[n], *p = v;"),
    "an array of less": ("length", "int n = byte; if (n > 2 || n < 1) n = -1; int v[n], *p = v;"),
    "a text that is printed": ("bounds", 'char v[2] = "ab"; puts(v);'),
    "a text in a format": ("bounds", 'char v[2] = "ab"; printf("%d%s", 1, v);'),
    "another result": ("call", "long (*f)(int) = (long (*)(int))twice; f(1);"),
    "no function": ("call", "int x = 1; int (*f)(int) = (int (*)(int))&x; f(1);"),
    "a wrong function": ("call", "int (*f)(int, int) = (int (*)(int, int))twice; f(1, 2);"),
}

OTHERS: dict[str, dict[str, Any]] = {  # proofs about all inputs at once
    "paths": {"paths_of_memory": {"paths": 1, "decisions": [[1], [0]], "strict": ["overflow"], "asked": ["overflow"]}},
    "regions": {"regions": {"asked": [], "proof": {"unrolling": {"depth": 1}}}},
}


def attacks() -> Iterator[Attack]:
    """Yield them all: a proof with the number of runs that a careless one would count, and with others."""
    for name, (target, body) in WRONG.items():
        for runs, strict in ((1, []), (2, [target])) if target != "ERROR" else ((1, []), (5, ["overflow"])):
            fields = {"runs_of_memory": {"runs": runs, "strict": strict}}
            yield Attack("runs of memory", f"{name}, {runs} runs", partial(_forge, target, body, fields))
        for kind, fields in OTHERS.items():
            yield Attack(f"{kind} of memory", name, partial(_forge, target, body, fields))


def _forge(target: str, body: str, fields: dict[str, Any]) -> Forged:
    program = load(text_of(body), file="a.c", objects="always")
    made = document(program, fields, excludes=target == "ERROR")
    if target != "ERROR":
        made["targets"] = [{"name": target, "procedure": "", "location": 0}]
    return program, made


def text_of(body: str) -> str:
    """Return the program that does something."""
    body = body.replace("input", "__VERIFIER_nondet_int()").replace("= byte", "= __VERIFIER_nondet_uchar()")
    body = body.replace("(byte", "(__VERIFIER_nondet_uchar()")
    return f"{HEAD}int twice(int x) {{ return 2 * x; }}\nint main(void) {{ {body} return 0; }}\n"


def right_document(target: str, body: str) -> tuple[Any, dict[str, Any]]:
    """Return a program and the same proof, for programs of which it is true."""
    return _forge(target, body, {"runs_of_memory": {"runs": 1, "strict": []}})


def right_paths(target: str, body: str, kind: str = "paths") -> tuple[Any, dict[str, Any]]:
    """Return a program and a proof of another kind."""
    return _forge(target, body, OTHERS[kind])
