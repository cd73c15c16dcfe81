"""All paths of a program with memory are gone through again: a proof that leaves one out is refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.memory.memory_paths import check_ending, check_memory_paths
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.memory.memory_paths import MemoryPaths
from knaster.evidence.questions.memory_targets import overflow_targets
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load

TEXT = """unsigned any(void);
int main(void) { int a[8] = {0}, *p = a; unsigned i = any(); char *t[2] = {"a", "b"};
if (i > 1) return 0; p[i * 3 % 8] = 1; if (*t[i] != 97 + (int)i || p[3] > 1) { ERROR: ; } return 0; }
"""


def proof() -> MemoryPaths:
    """Return the proof of the text."""
    result = knaster.check(TEXT, file="a.c", engine="paths")
    (_, answer), *_ = result.answers
    assert isinstance(answer, Unreachable) and isinstance(answer.proof, MemoryPaths)
    return answer.proof


def test_a_proof_holds() -> None:
    found = proof()
    targets = default_targets(found.program)
    assert check_memory_paths(found, found.program, targets, Budget())
    check_ending(found, found.program, Budget())


def test_a_branch_that_is_possible_is_not_left_out() -> None:
    text = "int f(void); int main(void) { int x = f(), *p = &x; if (*p == 7) { ERROR: ; } return 0; }"
    program = load(text, file="a.c")
    targets = default_targets(program)
    with pytest.raises(InternalError, match="no other branch is possible"):
        check_memory_paths(MemoryPaths(program, 1, ((0,),)), program, targets, Budget())
    with pytest.raises(InternalError, match="a run reaches a target"):
        check_memory_paths(MemoryPaths(program, 2, ((0, 1),)), program, targets, Budget())


def test_a_proof_that_leaves_something_out_is_refused() -> None:
    found = proof()
    targets = default_targets(found.program)
    several = [at for at, values in enumerate(found.decisions) if len(values) > 1]
    assert several
    for at in several:
        for kept in found.decisions[at]:
            decisions = (*found.decisions[:at], (kept,), *found.decisions[at + 1 :])
            with pytest.raises(InternalError):
                check_memory_paths(replace(found, decisions=decisions), found.program, targets, Budget())
    for wrong in (replace(found, paths=found.paths + 1), replace(found, decisions=found.decisions[:-1])):
        with pytest.raises(InternalError):
            check_memory_paths(wrong, found.program, targets, Budget())
    with pytest.raises(InternalError, match="pass over undefined steps"):
        check_memory_paths(found, found.program, overflow_targets(found.program), Budget())
