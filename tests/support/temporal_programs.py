"""Small recursive programs with formulas and what is true of them, each for one way to be wrong."""

from __future__ import annotations

CASES: tuple[tuple[str, str, dict[str, bool]], ...] = (
    (
        "a step inside a call that returns is accepting",
        "decl g; void main() begin while (1) do C: f(); od end void f() begin if (g) then L: skip; fi end",
        {"F G !L": False, "G F L": False, "G F C": True, "F G in(main)": False},
    ),
    (
        "the step of the call itself is accepting",
        "void main() begin W: while (1) do C: f(); od end void f() begin E: skip; end",
        {"F G !C": False, "G F C": True, "G (C -> X E)": True, "G (E -> X C)": False, "G (E -> X W)": True},
    ),
    (
        "what the caller saw does not count inside the callee",
        "void main() begin L: skip; while (1) do N: f(); od end void f() begin M: skip; if (*) then f(); fi end",
        {"F G !L": True, "G F M": True, "termination": False, "(F N) -> F G !L": True},
    ),
    (
        "what one call saw does not count for the next one",
        "decl g := 1; void main() begin f(); g := 0; while (1) do f(); od end "
        "void f() begin if (g) then L: skip; fi end",
        {"F G !L": True, "F L": True, "G F {!g}": True, "F G {!g}": True},
    ),
    (
        "the stack grows for ever",
        "void main() begin down(); A: skip; end void down() begin L: skip; down(); B: skip; end",
        {"G F L": True, "termination": False, "F ended": False, "G !A": True, "F G in(down)": True, "G F B": False},
    ),
    (
        "the stack grows and shrinks for ever",
        "void main() begin M: while (1) do walk(); od end "
        "void walk() begin U: skip; while (*) do walk(); od D: skip; end",
        {"G F U": True, "G F M": False, "(G F U) -> G F D": False, "(G F D) -> G F U": True, "termination": False},
    ),
    (
        "a run that ends stays in its last state",
        "decl x; void main() begin x := 1; R: skip; end",
        {
            "G F R": False,
            "F G ended": True,
            "G F {x}": True,
            "termination": True,
            "G (R -> X ended)": True,
            "G (ended -> X ended)": True,
        },
    ),
    (
        "a run that blocks is none",
        "void main() begin if (*) then L: skip; assume(0); fi R: skip; end",
        {"G !L": True, "F R": True, "termination": True, "F ended": True},
    ),
    (
        "a run that blocks late is none either",
        "decl g := 0; void main() begin if (*) then L: g := 1; d(1); fi R: d(1); end "
        "void d(again) begin if (again) then d(0); fi assume(!g); end",
        {"G !L": True, "F R": True, "F ended": True},
    ),
    (
        "an assertion that fails ends the run",
        "decl g; void main() begin f(); A: skip; while (1) do skip; od end void f() begin assert(g); end",
        {
            "F ended": False,
            "{!g} -> F ended": True,
            "{g} -> G F !ended": True,
            "{!g} -> G !A": True,
            "G (A -> {g})": True,
        },
    ),
    (
        "only one of the initial states has an infinite run",
        "decl g; void main() begin while (g) do L: skip; od end",
        {"G F {g}": False, "F G {g} | F G {!g}": True, "{g} -> G F L": True, "{!g} -> F ended": True},
    ),
    (
        "letters at calls and returns",
        "decl g := 1; void main() begin C: g := f(); A: e(); E: skip; end bool f() begin B: skip; Q: return 0; end "
        "void e() begin end",
        {
            "G (C -> X B)": True,
            "G (B -> X Q)": True,
            "G (Q -> X A)": True,
            "G (A -> X E)": True,
            "G (E -> X ended)": True,
            "G (Q -> {g}) & G (A -> {!g})": True,
            "F (C & X X X A)": True,
        },
    ),
    (
        "two cycles, of which only the far one is accepting",
        "decl a := 0; void main() begin while (*) do N: skip; od while (1) do F2: a := !a; od end",
        {"F G !F2": False, "G (F2 -> G !N)": True, "G F N | F F2": True, "F G {!a}": False},
    ),
    (
        "main calls itself",
        "decl g := 0; void main() begin L: skip; if (!g) then g := 1; main(); fi R: skip; end",
        {
            "F ended": True,
            "G (R -> X (R | ended))": True,
            "G (L -> F R)": True,
            "termination": True,
            "F (R & X ended)": True,
        },
    ),
)


def questions() -> list[tuple[str, str, str, bool]]:
    """Return each program with each property, the case's name and whether it holds."""
    return [(name, text, asked, true) for name, text, table in CASES for asked, true in table.items()]
