"""Small programs of C that are proved, and answers of both solvers to scripts about them."""

from __future__ import annotations

from functools import lru_cache

import knaster
from support.scripts import answers_of_cvc5, answers_of_z3

READ = "extern int read(void); extern unsigned char octet(void); extern void reach_error(void);\n"
SAFE = {  # name: program, engine
    "loop": ("int main(void) { int i = 0, s = 0; while (i < 9) { i++; s += 2; } if (s != 18) reach_error(); }", "horn"),
    "bits": (
        "int main(void) { int s = 3, n = read(); while (n > 0) { s = s ^ 2; n--; } if (s & 4) reach_error(); }",
        None,
    ),
    "array": (
        "int a[5]; int main(void) { int i = read(); if (i < 0 || i > 4) return 0; a[i] = 7;"
        " while (read()) { a[i] = a[i] - 1; if (a[i] < 2) a[i] = 7; } if (a[i] > 9) reach_error(); }",
        "horn",
    ),
    "division": (
        "int main(void) { unsigned char c = octet(); int n = 0; while (c) { c = c / 2; n++; if (n > 200) n = 0; }"
        " if (n > 300) reach_error(); }",
        None,
    ),
    "recursion": (
        "int f(int x) { if (x <= 0) return 0; return 1 + f(x - 1); }\n"
        "int main(void) { int k = read(); if (k > 0 && k < 50 && f(k) > 60) reach_error(); }",
        "horn",
    ),
}
ENDS = "int main(void) { int i = read(), j = read(); while (i > 0) { i--; j = read(); while (j > 0) j--; } }"
ENDLESS = "int main(void) { int i = read(); while (i != 0) { if (i > 0) i = i + 1; else i = -1; if (i < 0) i = 5; } }"


@lru_cache
def prove(text: str, engine: str | None = None, termination: bool = False) -> knaster.Result:
    """Return what is known of a program."""
    asked = "termination" if termination else "reach"
    return knaster.check(READ + text, file="p.c", engine=engine, property=asked)


def both(text: str) -> list[str]:
    """Return what z3, and then what cvc5 says to the questions of a script."""
    asked = sum(line == "(check-sat)" or line.startswith(")) (check-sat)") for line in text.splitlines())
    found = answers_of_z3(text), answers_of_cvc5(text)
    assert [len(one) for one in found] == [asked, asked] and asked
    return [answer for one in found for answer in one]
