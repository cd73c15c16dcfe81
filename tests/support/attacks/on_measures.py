"""Wrong measures of C programs: those that decrease in one arithmetic, in one loop, or only now and then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from knaster.program.model import Program
from support.attacks.attack import Attack
from support.c_attacks import HARD, Said, program_of
from support.kernel import claims, document, measures

LOOP = "int main(void) { int i = read(), j = 0; while (i > 0) { i--; j += 2; } }"
UNSIGNED = "int main(void) { unsigned i = uint(), n = uint(); while (i != n) i += 2; }"
UPWARD = "int main(void) { int i = read(), n = read(); while (i < n) i++; }"
NESTED = "int main(void) { int i = read(), j; while (i > 0) { i--; j = read(); while (j > 0) j--; } }"
RECURSION = "void f(int n) { if (n > 0) { f(n - 1); f(n - 1); } }\nint main(void) { f(read()); }"
IN_LOOP = "void f(int i) { while (i > 0) { f(i); i--; } }\nint main(void) { f(1); }"
MUTUAL = "void g(int n); void f(int n) { if (n > 0) g(n - 1); } void g(int n) { f(n); }\nint main(void) { f(read()); }"
HALF = (
    "int main(void) { int i = read(); while (i > 0) { if (bit()) i = i - 1; else if (i == 77) i = i; else i -= 2; } }"
)
PRODUCT = (
    "int main(void) { unsigned long x = ulong(), y = ulong(); int i = 9;"
    f" while (i > 0) {{ if ({HARD}) ; else i--; }} }}"
)
F = {"f": {"entry": "n == old(n)"}}
Measures = Mapping[str, Mapping[str, Sequence[str]]]


def at_loop(*parts: str) -> list[Measures]:
    """Return measures of one component at the first loop of main."""
    return [{"main": {"0": [part]}} for part in parts]


RANKINGS: dict[str, tuple[str, Said, Measures | None, Sequence[Measures]]] = {  # what is right (if anything), and wrong
    "loop": (
        LOOP,
        {"main": {}},
        {"main": {"0": ["i"]}},
        [
            *at_loop("0", "j", "0 - j", "0 - i", "i - 9", "i % 5", "u8(i)", "i8(i)", "7 // i", "i > 0", "k", "old(i)"),
            *at_loop("i if i < 1000 else 0", "i // 2"),
            *({"main": {"0": one}} for one in ([], ["0", "0"], ["j", "i"])),
            *({}, {"main": {"entry": ["i"]}}),
        ],
    ),
    "unsigned": (
        UNSIGNED,
        {"main": {}},
        None,
        at_loop("n - i", "u32(n - i)", "i", "4294967295 - i", "n", "u32(n - i) // 2", "n + 2 - i"),
    ),
    "upward": (
        UPWARD,
        {"main": {}},
        {"main": {"0": ["n - i"]}},
        at_loop("i - n", "i", "n", "i32(n - i)", "u32(0 - i)", "i32(0 - i)", "(n - i) // 2"),
    ),
    "nested": (
        NESTED,
        {"main": {}},
        {"main": {"0": ["i", "1"], "1": ["i", "j + 2 if j >= 0 else 2"]}},
        [
            *({"main": {"0": ["i"]}}, {"main": {"1": ["j"]}}, {"main": {"0": ["i"], "1": ["j"]}}),
            *({"main": {"0": ["0", "i"], "1": ["j", "i"]}}, {"main": {"0": ["i", "0"], "1": ["i", "0 - j"]}}),
            *({"main": {"0": ["i"], "1": ["i", "j"]}}, {"main": {"0": ["i", "j"], "1": ["i", "j"]}}),
        ],
    ),
    "recursion": (
        RECURSION,
        {"main": {}, **F},
        {"f": {"entry": ["n"]}},
        [{}, {"main": {"entry": ["0"]}}, *({"f": {"entry": [one]}} for one in ("0 - n", "1", "n - 5"))],
    ),
    "recursion in a loop": (
        IN_LOOP,
        {"main": {}, "f": {}},
        None,
        [{"f": {"0": ["i"]}}, {"f": {"0": ["i"], "entry": ["i"]}}, {"f": {"0": ["i", "0"], "entry": ["i", "1"]}}],
    ),
    "mutual": (
        MUTUAL,
        {"main": {}, **F, "g": {"entry": "n == old(n)"}},
        {"f": {"entry": ["n", "0"]}, "g": {"entry": ["n", "1"]}},
        [{"f": {"entry": ["n"]}}, {"g": {"entry": ["n"]}}, {"f": {"entry": ["n"]}, "g": {"entry": ["n"]}}, {}],
    ),
    "a value that stays": (
        HALF,
        {"main": {}},
        None,
        at_loop("i", "i + 2", "i * i", "i if i != 77 else 1000", "i // 2"),
    ),
    "a value that is hard to find": (PRODUCT, {"main": {}}, None, at_loop("i")),
}
MEASURED = [(name, number) for name, group in RANKINGS.items() for number in range(len(group[3]))]


def ranking(program: Program, said: Said, measured: Measures, ahead: bool) -> dict[str, Any]:
    """Return a file with measures."""
    fields = {"invariants": claims(program, said), "measures": measures(program, measured), "ahead": ahead}
    return document(program, {"ranking": fields}, excludes=False)


def attacks() -> Iterator[Attack]:
    """Yield all of them."""
    for name, number in MEASURED:
        text, said, _, wrong = RANKINGS[name]
        yield Attack("measures", f"{name}: {wrong[number]}", partial(_measured, text, said, wrong[number]))


def _measured(text: str, said: Said, one: Measures) -> tuple[Program, dict[str, Any]]:
    program = program_of(text)
    return program, ranking(program, said, one, False)
