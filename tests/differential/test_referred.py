"""Boolean programs by the methods for references: a few programs of `tests/fuzz.py referred`, and the rules by hand.

`KNASTER_EXAMPLES=500 pytest tests/differential/test_referred.py` compares 2,000 of each kind.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.answers.answer import Reachable, Verdict
from knaster.evidence.proofs.heap.transaction_table import TransactionTable
from support import ROOT
from support.fuzz.referred import KINDS, problems, program_of

PROGRAMS = 2 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
LOCK = "atomic_begin; assume(!m); m := T; atomic_end;"
DIVE = "void dive() begin if (*) then dive(); else {} fi end\n"


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str) -> None:
    count: Counter[str] = Counter()
    number = 0
    while count["compared"] < PROGRAMS:
        number += 1
        found = problems(kind, program_of(kind, number), count)
        assert found == [], f"python tests/fuzz.py referred --kind {kind} --first {number} --programs 1"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_programs(kind: str) -> None:
    count: Counter[str] = Counter()
    for number in range(1000, 1120):
        assert problems(kind, program_of(kind, number), count) == [], number


@pytest.mark.parametrize("name", ["par-recursion", "par-recursion-bad"])
def test_threads_that_recurse(name: str) -> None:
    result = knaster.check((ROOT / "examples" / "threads" / f"{name}.bp").read_text(), engine="transactions")
    ((_, answer),) = result.answers
    assert answer.checked
    if name == "par-recursion":
        assert result.verdict is Verdict.TRUE and isinstance(result.proof, TransactionTable)
    else:
        assert isinstance(answer, Reachable)


def two(first: str, second: str, more: str = "", shared: str = "decl m, g, h; init (!m & !g & !h);") -> str:
    return f"{shared}\nvoid main_1() begin {first} end\nvoid main_2() begin {second} end\n{more}"


CASES = {
    "a global without a lock": (two("dive(); g := F;", "assume(g); X: skip;", DIVE.format("g := T;")), True),
    "a section is one step": (
        two("dive();", "assume(g); X: skip;", DIVE.format("atomic_begin; g := T; g := F; atomic_end;")),
        False,
    ),
    "a lock keeps others out": (
        two(
            f"dive(); {LOCK} if (g) then X: skip; fi m := F;", "dive();", DIVE.format(f"{LOCK} g := T; g := F; m := F;")
        ),
        False,
    ),
    "somebody without the lock": (
        two(f"{LOCK} g := T; g := F; m := F; if (g) then X: skip; fi", f"{LOCK} g := T; g := F; m := F;"),
        True,
    ),
    "the end of a thread ends a section": (two("atomic_begin; g := T;", "assume(g); X: skip;"), True),
    "end_thread ends a section": (two("atomic_begin; g := T; end_thread;", "assume(g); X: skip;"), True),
    "a thread that waits keeps nobody": (two("g := T; assume(h);", "assume(g); X: skip;"), True),
    "nobody runs where a section waits": (
        two("atomic_begin; g := T; assume(h); atomic_end;", "assume(g); X: skip;"),
        False,
    ),
    "values change places at once": (
        two("g := T; g, h := h, g; assume(!g & h); X: skip;", "skip;"),
        True,
    ),
    "and nobody sees between": (two("g := T; g, h := h, g;", "assume(g); assume(!g & !h); X: skip;"), False),
    "another runs before they do": (two("g := T; g, h := h, g; X: assume(m);", "assume(g); m := T;"), True),
    "and then they do": (two("g := T; g, h := h, g; assume(m); X: skip;", "assume(g); m := T;"), True),
    "a constraint": (two("g, h := *, * constrain ('g = !'h); assume(g = h); X: skip;", "skip;"), False),
    "another runs before a result is assigned": (
        two("g := f(); h := T;", "g := T; assume(h & !g); X: skip;", "bool f() begin return g; end\n"),
        True,
    ),
    "any value at the start": (two("assume(g & !h); X: skip;", "skip;", shared="decl m, g, h; init (g | h);"), True),
    "but none that is excluded": (
        two("assume(!g & !h); X: skip;", "skip;", shared="decl m, g, h; init (g | h);"),
        False,
    ),
    "any value of a local of a callee": (
        two("f();", "skip;", "void f() begin decl l; assume(l); X: skip; end\n"),
        True,
    ),
    "any value of a local": (two("decl l; assume(l); X: skip;", "skip;"), True),
    "a thread that is started": (
        two("start_thread f(T);", "assume(g); X: skip;", "void f(a) begin g := a; end\n"),
        True,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_threads_do(name: str) -> None:
    text, reached = CASES[name]
    result = knaster.check(text, "X", engine="transactions")
    ((_, answer),) = result.answers
    assert (result.verdict is Verdict.FALSE) is reached and answer.checked


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (two("f(); atomic_end;", "X: skip;", "void f() begin atomic_begin; end\n"), "leaves an atomic section"),
        (two("if (*) then atomic_begin; fi g := T;", "X: skip;"), "only some runs"),
        (two("atomic_begin; f(); atomic_end;", "X: skip;", "void f() begin atomic_end; end\n"), "inside a section"),
        (two("L: g := T; start_thread goto L;", "X: skip;"), "'start_thread' here"),
        ("void main() begin X: skip; end\n", "those with threads"),
    ],
)
def test_what_is_refused_says_why(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        knaster.check(text, "X", engine="transactions")


def test_a_deadlock_is_not_asked_of_it() -> None:
    with pytest.raises(UsageError, match="which places are reached"):
        knaster.check(two("assume(g);", "skip;"), "deadlock", engine="transactions")
