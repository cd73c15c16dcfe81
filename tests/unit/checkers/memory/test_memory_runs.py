"""All runs of a program with memory are run again: a proof of another number, or over a target, is refused."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.memory.memory_runs import check_ending, check_memory_runs
from knaster.evidence.proofs.memory.memory_runs import MemoryRuns
from knaster.evidence.questions.memory_targets import memory_targets, overflow_targets
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load

TEXT = """int __VERIFIER_nondet_int(void);
int main(void) { int a[3] = {0}, i = __VERIFIER_nondet_int(); if (i < 0 || i > %s) return 0; a[i] = 1;
if (a[i] != 1) { ERROR: ; } return 0; }
"""


def test_a_proof_holds() -> None:
    program = load(TEXT % 2, file="a.c", objects="always")
    targets = (*default_targets(program), *memory_targets(program))
    check_memory_runs(MemoryRuns(program, 5), program, targets, Budget())  # below, above, and three indices
    check_ending(MemoryRuns(program, 5), program, Budget())


def test_wrong_proofs_are_refused() -> None:
    program = load(TEXT % 2, file="a.c", objects="always")
    with pytest.raises(InternalError, match="the program has 5 runs, not 4"):
        check_memory_runs(MemoryRuns(program, 4), program, default_targets(program), Budget())
    with pytest.raises(InternalError, match="pass over undefined steps"):
        check_memory_runs(MemoryRuns(program, 5), program, overflow_targets(program), Budget())
    wrong = load(TEXT % 3, file="a.c", objects="always")
    with pytest.raises(InternalError, match="undefined step at line 2"):
        check_memory_runs(MemoryRuns(wrong, 6), wrong, memory_targets(wrong), Budget())
    reached = load((TEXT % 2).replace("!= 1", "== 1"), file="a.c", objects="always")
    with pytest.raises(InternalError, match="a run reaches a target"):
        check_memory_runs(MemoryRuns(reached, 5), reached, default_targets(reached), Budget())
    wide = load(
        "int f(void); int main(void) { int x = f() * 3; if (x == 5) { ERROR: ; } return 0; }\n",
        file="a.c",
        objects="always",
    )
    with pytest.raises(InternalError, match="too many values"):
        check_memory_runs(MemoryRuns(wide, 1), wide, default_targets(wide), Budget())


def test_a_site_that_is_asked_for_ends_runs() -> None:
    text = "int main(void) { int x = 2147483647, *p = &x; *p = *p + 1; return 0; }"
    program = load(text, file="a.c", objects="always")
    check_memory_runs(MemoryRuns(program, 1), program, (), Budget())
    with pytest.raises(InternalError, match="undefined step at line 1"):
        check_memory_runs(MemoryRuns(program, 1), program, overflow_targets(program), Budget())
