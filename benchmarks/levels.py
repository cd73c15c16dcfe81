"""The templates T1(n) and T2(n) of Gurfinkel, Wei and Chechik (ATVA 2008), Figure 3, as C.

Each of n functions calls the next one twice; the last one negates g (T1) or calls itself twice (T2).  Over the
mathematical integers ERROR is reachable in T1(n) for even n only, and in T2(n) never; T2(n) need not end.  The
paper's g is arbitrary, so main reads it.  Of the machine integers one is its own negation, and ERROR is reachable in
T2(n) too.
"""

from __future__ import annotations

NEGATES = "g = -1 * g;"


def levels(count: int, recursive: bool) -> str:
    """Return T2(count), or T1(count) where the last level is not recursive."""
    lines = ["extern int read(void);", "int g;", *(f"void level_{i}(void);" for i in range(1, count + 1))]
    for i in range(1, count + 1):
        following = f"level_{min(i + 1, count)}();"
        inner = NEGATES if i == count and not recursive else f"{following} {NEGATES} {following}"
        branch = f"if (g <= 0) {{ t = t + 1; }} else {{ {inner} }}"
        lines.append(f"void level_{i}(void) {{ int t = 0; {NEGATES} {branch} {NEGATES} }}")
    lines.append("int main(void) { g = read(); level_1(); if (g < 0) { ERROR: ; } return 0; }")
    return "\n".join(lines) + "\n"
