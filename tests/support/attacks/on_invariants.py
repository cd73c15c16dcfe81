"""Wrong invariants of C programs: what holds at the printed places only, wrong contracts, other texts, no formulas.

Each group has a program, a proof that is right (so that nothing is refused for another reason) and wrong ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from support.attacks.attack import Attack
from support.c_attacks import HARD, Said, invariants, program_of
from support.kernel import document

SUM = "int main(void) { int i = 0, s = 0; while (i < 9) { i++; s += 2; } if (s != 18) reach_error(); }"
WRAP = "int main(void) { unsigned n = uint(), i = 0, s = 0; while (i < n) { i++; s += 2; } if (s == 1) reach_error(); }"
SIGNED = (
    "int main(void) { int x = read(), i; if (x < 0) return 0; for (i = 0; i < 3; i++) x = x + 1;"
    " if (x < i) reach_error(); }"
)
ARRAY = "int a[4]; int main(void) { int i = 0; while (i < 4) { a[i] = 1; i++; } if (a[2] != 1) reach_error(); }"
LATE = (  # only numbers that are hard to find reach the error
    "int main(void) { unsigned long x = ulong(), y = ulong(); int t = 0, i;"
    f" for (i = 0; i < 3; i++) if ({HARD}) t = 1; if (t) reach_error(); }}"
)
BITS = "int main(void) { int s = 3, n = read(); while (n > 0) { s = s ^ 2; n--; } if (s & 4) reach_error(); }"
MAIN = {  # what is said at the first loop of main: right (empty: nothing is), and wrong
    "sum": (
        SUM,
        "s == 2 * i and i <= 9",
        """True
        False
        i <= 9
        s == 2 * i
        s == 18
        s == 2 * i and i < 9
        s == 2 * i and i <= 8
        s % 2 == 0 and i <= 9
        s >= 2 * i and i <= 9
        s <= 2 * i and i <= 9
        s == 2 * i and i != 10
        s == 2 * i or i == 9
        s == 18 or i < 9
        not (s != 2 * i and i == 9)
        u8(s) == u8(2 * i) and i <= 9
        s == 2 * i and i <= 9 and s // (i - i) == 1
        i <= 9 and (s == 2 * i or s % (s - s) == 0)
        s == 2 * i and i <= 9 and i << 9999 == i + 1
        s == 2 * i and i <= 9 and old(i) == 0
        s == 2 * i and j <= 9
        i
        s + i
        s == 2 * i and i
        s == (i <= 9)
        (s == 2 * i) == (i <= 9) + 1""",
    ),
    "wrap": (  # the sum of unsigned numbers wraps: what mathematics says is not so
        WRAP,
        "s % 2 == 0",
        """s == 2 * i
        s >= i
        s == 2 * i and i <= n
        s != 1
        i <= n
        s == u32(2 * i) and s < 4294967294
        s % 3 == 2 * i % 3
        s // 2 == i
        s + s == 4 * i
        u33(s) == u33(2 * i)
        s <= 4294967294 and s != 1""",
    ),
    "signed": (
        SIGNED,
        "",
        """x >= i
        x >= 0
        x >= i and i <= 3
        x + 3 - i >= 0
        i <= 3 and x > i - 1
        x - i >= 0 and i >= 0""",
    ),
    "array": (
        ARRAY,
        "i >= 0 and i <= 4 and (i < 3 or a[2] == 1)",
        """a[2] == 1
        i <= 4
        i <= 4 and (i < 3 or a[3] == 1)
        i >= 0 and i <= 4 and (i < 2 or a[2] == 1)
        i >= 0 and i <= 4 and a[9] == 0
        i >= 0 and i <= 4 and (i < 3 or a[i] == 1)
        a[i - 1] == 1
        a == 1
        i < 3 or a[2] == 1 or i == 9
        i >= 0 and (i < 4 or a[i - 2] == 1)
        a[2][0] == 1
        a[a] == 1""",
    ),
    "late": (LATE, "", "t == 0\nt == 0 and i <= 3\nt == 0 or i == 0"),
    "bits": (
        BITS,
        "s == 3 or s == 1",
        """True
        s == 3
        s <= 3
        (s & 2) == 2
        s >= 0 and s <= 7
        s == 3 or s == 2
        s % 2 == 1
        n >= 0 or s == 3""",
    ),
}
WRONG = [(name, said) for name, (_, _, wrong) in MAIN.items() for said in map(str.strip, wrong.splitlines())]
CALLS = (
    "int g; void up(int n) { g = g + 0; while (n > 0) { g++; n--; } }\n"
    "int main(void) { g = 0; up(2); if (g > 2) reach_error(); up(3); if (g > 5) reach_error(); }"
)
UP = {
    "requires": "old(g) >= 0 and old(g) <= 2 and old(n) >= 0 and old(n) <= 3",
    "entry": "g == old(g) and n == old(n)",
    "0": "g + n == old(g) + old(n) and n >= 0",
    "exit": "g == old(g) + old(n)",
}
CALL_ATTACKS: dict[str, Said] = {
    "nothing about the callee": {"main": {}},
    "nothing about main": {"up": UP},
    "no requirement of anything": {},
    "it requires more than there is": {"main": {}, "up": {**UP, "requires": "old(g) == 0 and old(n) == 2"}},
    "it requires what is false": {"main": {}, "up": {**UP, "requires": "False"}},
    "it requires nothing": {"main": {}, "up": {**UP, "requires": "True"}},
    "it guarantees more": {"main": {}, "up": {**UP, "exit": "g == old(g) + old(n) and g <= 2"}},
    "it guarantees what is false": {"main": {}, "up": {**UP, "exit": "False"}},
    "it guarantees nothing": {"main": {}, "up": {**UP, "exit": "True"}},
    "its loop says more": {"main": {}, "up": {**UP, "0": "g == old(g) + old(n) and n >= 0"}},
    "its loop says nothing": {"main": {}, "up": {**UP, "0": "True"}},
    "its loop is left out": {"main": {}, "up": {**UP, "0": ""}},
    "its entry is left out": {"main": {}, "up": {**UP, "entry": ""}},
    "its exit is left out": {"main": {}, "up": {**UP, "exit": ""}},
    "its entry says more": {"main": {}, "up": {**UP, "entry": "g == old(g) and n == old(n) and n == 2"}},
    "its entry says nothing": {"main": {}, "up": {**UP, "entry": "True"}},
    "it requires something of values now": {"main": {}, "up": {**UP, "requires": "g >= 0 and g <= 2 and n <= 3"}},
    "the entry value of a local": {"main": {"entry": "old(i) == 0"}, "up": UP},
    "main never starts": {"main": {"requires": "False"}, "up": UP},
    "main starts with what it likes": {"main": {"requires": "old(g) == 7"}, "up": UP},
    "main never ends, so nothing is wrong": {"main": {"exit": "False"}, "up": UP},
}
OTHER = {  # texts that fail, and the proof of the text from which they come
    "one step more": ("i < 9", "i < 10"),
    "another step": ("s += 2", "s += 3"),
    "another error": ("s != 18", "s != 19"),
    "another start": ("s = 0", "s = 1"),
    "a step now and then": ("s += 2;", "if (bit()) s += 2;"),
    "another value": ("i++;", "i = read();"),
    "no loop": ("while (i < 9)", "if (i < 9)"),
    "the error at once": ("int i = 0", "reach_error(); int i = 0"),
    "a narrow sum": ("int i = 0, s = 0;", "int i = 0; signed char s = 120;"),
}
FORMS: dict[str, Any] = {  # formulas that are none, or say something about what is not there
    "nothing": [],
    "two values": [["truth", True], ["truth", True]],
    "an operand is missing": [["truth", True], ["logic", "&"]],
    "an unknown operator": [["truth", True], ["truth", True], ["logic", "+"]],
    "an unknown node": [["perhaps"]],
    "a choice": [["choice", ["bool"]]],
    "a next value": [["next", "i"], ["number", "9"], ["compare", "<="]],
    "a number as text": [["variable", "i"], ["number", "nine"], ["compare", "<="]],
    "a number as number": [["variable", "i"], ["number", 9], ["compare", "<="]],
    "a truth value that is a number": [["truth", 1]],
    "no width": [["variable", "i"], ["number", "1"], ["arithmetic", "+", 0, True], ["number", "9"], ["compare", "<="]],
    "a negative width": [
        ["variable", "i"],
        ["number", "1"],
        ["arithmetic", "+", -8, True],
        ["number", "9"],
        ["compare", "<="],
    ],
    "a huge width": [["variable", "i"], ["convert", 10**9, True], ["number", "9"], ["compare", "<="]],
    "a sign that is none": [["variable", "i"], ["convert", 8, 1], ["number", "9"], ["compare", "<="]],
    "a truth value is added": [["truth", True], ["number", "1"], ["arithmetic", "+", 8, True], ["convert", "bool"]],
    "a number is negated": [["number", "1"], ["not"]],
    "an array of nothing": [["value", []], ["value", []], ["compare", "=="]],
    "an array as truth": [["value", [1]]],
    "null": [["value", None]],
    "a reference": [["value", "C#1"], ["value", "C#1"], ["compare", "=="]],
    "a field": [["variable", "i"], ["field", 0, "x"]],
    "the number of the thread": [["self"], ["number", "1"], ["compare", "=="]],
    "a procedure": [["apply", "main", 0]],
    "a new cell": [["new", "main", 0]],
    "no list": {"truth": True},
    "a text": "True",
}


def attacks() -> Iterator[Attack]:
    """Yield all of them."""
    for name, said in WRONG:
        text = MAIN[name][0]
        yield Attack("invariants", f"{name}: {said}", partial(_said, text, {"main": {"0": said}}))
    for name, contract in CALL_ATTACKS.items():
        yield Attack("contracts", name, partial(_said, CALLS, contract))
    for name, change in OTHER.items():
        yield Attack("invariants of another text", name, partial(_of_other_text, change))
    for name, nodes in FORMS.items():
        yield Attack("no formulas", name, partial(_with_formula, nodes))


def _said(text: str, said: Said) -> tuple[Any, dict[str, Any]]:
    program = program_of(text)
    return program, invariants(program, said)


def _of_other_text(change: tuple[str, str]) -> tuple[Any, dict[str, Any]]:
    changed = program_of(SUM.replace(*change))
    proof = invariants(program_of(SUM), {"main": {"0": MAIN["sum"][1]}})
    return changed, {**document(changed, {}), "invariants": proof["invariants"]}


def _with_formula(nodes: Any) -> tuple[Any, dict[str, Any]]:
    program, proof = _said(SUM, {"main": {"0": MAIN["sum"][1]}})
    changed = json.loads(json.dumps(proof))
    changed["invariants"]["at"][-1][2] = nodes
    return program, changed
