"""Truly recursive families over numbers of k bits: unfolding the calls is hopeless, summaries are small.

Each function returns the text of one program with the label ERROR, whose answer is known: with `reachable` it asks for
what the function does return on a large argument, otherwise for what it never returns.
"""

from __future__ import annotations

from benchmarks.arithmetic import constant, equals, exceeds, minus, number, plus


def even_odd(bits: int, reachable: bool) -> str:
    """Return even and odd, each calling the other on n - 1; even(n) holds iff the lowest bit of n is 0."""
    n = number("n", bits)
    largest = (1 << bits) - 1
    condition = f"{equals(n, largest)} & !e" if reachable else "e = n0"
    return "\n".join(
        [
            *_main([*n, "e"], [f"e := even({', '.join(n)});"], condition),
            *_countdown("even", n, "odd", "1"),
            *_countdown("odd", n, "even", "0"),
            "",
        ]
    )


def mccarthy(bits: int, reachable: bool) -> str:
    """Return M(n) = n > A ? n - B : M(M(n + B + 1)), which is A - B + 1 for all n <= A; A, B = 100, 10 for 7 bits.

    Requires: at least 4 bits, so that no sum overflows.
    """
    limit, step = (100 << bits) >> 7, max(1, (10 << bits) >> 7)
    n, r = number("n", bits), number("r", bits)
    call = f"{', '.join(r)} := M({', '.join(n)});"
    value = equals(r, limit - step + 1)
    small = f"!({exceeds(n, limit)})"
    return "\n".join(
        [
            *_main([*n, *r], [call], f"{equals(n, 0)} & {value}" if reachable else f"{small} & !{value}"),
            f"bool<{bits}> M({', '.join(n)})",
            "begin",
            f"  decl {', '.join(r)};",
            f"  if ({exceeds(n, limit)}) then",
            f"    return {', '.join(minus(n, step))};",
            "  fi",
            f"  {', '.join(r)} := M({', '.join(plus(n, step + 1))});",
            f"  {', '.join(r)} := M({', '.join(r)});",
            f"  return {', '.join(r)};",
            "end",
            "",
        ]
    )


def ackermann(bits: int, reachable: bool) -> str:
    """Return Ackermann's function on two numbers of `bits` bits, its successor taken modulo 2^bits."""
    m, n, r = number("m", bits), number("n", bits), number("r", bits)
    top = (1 << bits) - 1
    value = equals(r, ackermann_value(bits, top, top))
    condition = f"{equals(m, top)} & {equals(n, top)} & {value if reachable else f'!{value}'}"
    result = ", ".join(r)
    return "\n".join(
        [
            *_main([*m, *n, *r], [f"{result} := A({', '.join(m + n)});"], condition),
            f"bool<{bits}> A({', '.join(m + n)})",
            "begin",
            f"  decl {result};",
            f"  if ({equals(m, 0)}) then",
            f"    return {', '.join(plus(n, 1))};",
            "  fi",
            f"  if ({equals(n, 0)}) then",
            f"    {result} := A({', '.join(minus(m, 1) + constant(1, bits))});",
            "  else",
            f"    {result} := A({', '.join(m + minus(n, 1))});",
            f"    {result} := A({', '.join(minus(m, 1) + r)});",
            "  fi",
            f"  return {result};",
            "end",
            "",
        ]
    )


def ackermann_value(bits: int, m: int, n: int) -> int:
    """Return Ackermann's function at (m, n), its successor taken modulo 2^bits."""
    size = 1 << bits
    row = [(argument + 1) % size for argument in range(size)]
    for _ in range(m):
        above = row
        row = [above[1]]
        for _ in range(size - 1):
            row.append(above[row[-1]])
    return row[n]


def tree_walk(bits: int, reachable: bool) -> str:
    """Return a walk over a full binary tree of depth up to 2^bits - 1, each leaf flipping a global flag.

    A node above the leaves visits both subtrees, so it leaves the flag as it was.
    """
    d = number("d", bits)
    below = ", ".join(minus(d, 1))
    condition = f"{equals(d, (1 << bits) - 1)} & flag = before" if reachable else "flag != before"
    return "\n".join(
        [
            "decl flag;",
            *_main(
                [*d, "before"],
                ["before := flag;", f"assume !{equals(d, 0)};", f"walk({', '.join(d)});"],
                condition,
            ),
            f"void walk({', '.join(d)})",
            "begin",
            f"  if ({equals(d, 0)}) then",
            "    flag := !flag;",
            "  else",
            f"    walk({below});",
            f"    walk({below});",
            "  fi",
            "end",
            "",
        ]
    )


def mutual(bits: int, reachable: bool) -> str:
    """Return zero, one and two, each calling both others on n - 1; zero(n) holds iff n is a multiple of 3."""
    n = number("n", bits)
    largest = (1 << bits) - 1
    remainder = [
        f"low, high := ({bit} & !low & !high) | (!{bit} & high), (!{bit} & low) | ({bit} & high);"  # 2 * old + bit
        for bit in reversed(n)
    ]
    check = ["low, high := 0, 0;", *remainder]
    condition = f"{equals(n, largest - largest % 3)} & z & !low & !high" if reachable else "z != (!low & !high)"
    return "\n".join(
        [
            *_main([*n, "z", "low", "high"], [f"z := zero({', '.join(n)});", *check], condition),
            *_fork("zero", n, "two", "one", "1"),
            *_fork("one", n, "zero", "two", "0"),
            *_fork("two", n, "one", "zero", "0"),
            "",
        ]
    )


def _main(variables: list[str], body: list[str], condition: str) -> list[str]:
    return [
        "void main()",
        "begin",
        f"  decl {', '.join(variables)};",
        *(f"  {line}" for line in body),
        f"  if ({condition}) then",
        "    ERROR: skip;",
        "  fi",
        "end",
        "",
    ]


def _countdown(name: str, n: tuple[str, ...], other: str, at_zero: str) -> list[str]:
    return [
        f"bool {name}({', '.join(n)})",
        "begin",
        "  decl r;",
        f"  if ({equals(n, 0)}) then",
        f"    return {at_zero};",
        "  fi",
        f"  r := {other}({', '.join(minus(n, 1))});",
        "  return r;",
        "end",
        "",
    ]


def _fork(name: str, n: tuple[str, ...], holds: str, fails: str, at_zero: str) -> list[str]:
    return [
        f"bool {name}({', '.join(n)})",
        "begin",
        "  decl r, s;",
        f"  if ({equals(n, 0)}) then",
        f"    return {at_zero};",
        "  fi",
        f"  r := {holds}({', '.join(minus(n, 1))});",
        f"  s := {fails}({', '.join(minus(n, 1))});",
        "  return r & !s;",
        "end",
        "",
    ]
