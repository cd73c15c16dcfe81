"""All paths of a program with memory are gone through again; a proof that leaves one out is refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.memory.memory_paths import FLOATS, NUMBERS, check_ending, check_memory_paths
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.memory.memory_paths import MemoryPaths
from knaster.evidence.questions.memory_targets import overflow_targets
from knaster.evidence.questions.question import Target
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
    assert check_memory_paths(found, found.program, targets, Budget()) not in ("", "runs")
    check_ending(found, found.program, Budget())
    alone = load("int main(void) { int x = 1, *p = &x; return *p; }", file="a.c", objects="always")
    assert check_memory_paths(MemoryPaths(alone, 1, ()), alone, (), Budget()) == "runs"


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


def test_each_of_several_decisions_has_no_other_value() -> None:
    text = "unsigned f(void); int main(void) { unsigned x = f(), y = f(), *p = &x; "
    text += "if (*p * 2 == 1) return 1; p = &y; if (*p == 7) { ERROR: ; } return 0; }"
    program = load(text, file="a.c", objects="always")
    targets = default_targets(program)
    with pytest.raises(InternalError, match="no other branch is possible"):
        check_memory_paths(MemoryPaths(program, 1, ((0,), (0,))), program, targets, Budget())
    safe = load(text.replace("*p == 7", "*p * 2 == 5"), file="a.c", objects="always")
    check_memory_paths(MemoryPaths(safe, 1, ((0,), (0,))), safe, default_targets(safe), Budget())


def test_all_values_of_a_number_are_named() -> None:
    text = 'unsigned any(void); int main(void) { unsigned i = any(); char *t[3] = {"a", "b", "c"}; '
    program = load(text + "if (i > 2) return 0; if (*t[i] > 99) { ERROR: ; } return 0; }", file="a.c")
    found = knaster.check(program, engine="paths").proof
    assert isinstance(found, MemoryPaths)
    *before, values = found.decisions
    assert len(values) == 3
    for left_out in values:
        less = (*before, tuple(value for value in values if value != left_out))
        with pytest.raises(InternalError, match="no other branch is possible"):
            check_memory_paths(replace(found, decisions=less), program, default_targets(program), Budget())


def test_all_values_of_the_first_number_are_named() -> None:
    """What is asked about a decision is asked of runs that have not decided it."""
    text = "#include <string.h>\nunsigned any(void); int main(void) { char s[4]; memset(s, 1, any() % 3 + 1);"
    program = load(text + " if (*s > 1) { ERROR: ; } return 0; }", file="a.c")
    targets = default_targets(program)
    check_memory_paths(MemoryPaths(program, 3, ((1, 2, 3),)), program, targets, Budget())
    for values in ((1, 2), (1, 3), (2, 3)):
        with pytest.raises(InternalError, match="no other branch is possible"):
            check_memory_paths(MemoryPaths(program, 2, (values,)), program, targets, Budget())


def test_undefined_steps_that_are_asked_for_end_runs() -> None:
    text = "int main(void) { int x = 2147483647, *p = &x; *p = *p + 1; return 0; }"
    program = load(text, file="a.c", objects="always")
    every = Target("overflow", "", 0, 0, "overflow")
    for targets in ([every], overflow_targets(program)):
        with pytest.raises(InternalError, match="comes to an undefined step"):
            check_memory_paths(
                MemoryPaths(program, 1, (), strict=("overflow",), asked=("overflow",)), program, targets, Budget()
            )
    with pytest.raises(InternalError, match="comes to an undefined step"):  # the site itself is strict
        check_memory_paths(
            MemoryPaths(program, 1, (), asked=("overflow",)), program, overflow_targets(program), Budget()
        )
    with pytest.raises(InternalError, match="pass over undefined steps"):
        check_memory_paths(MemoryPaths(program, 1, (), asked=("overflow",)), program, [every], Budget())


@pytest.mark.parametrize(("type", "works"), [("unsigned", NUMBERS), ("float", FLOATS)])
def test_floating_point_numbers_are_worth_more_work(
    type: str, works: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        f"{type} any(void); int main(void) {{ {type} x = any(), *p = &x; if (*p * 2 == 5) {{ ERROR: ; }} return 0; }}"
    )
    program = load(text, file="a.c", objects="always")
    asked: list[tuple[int, ...]] = []
    monkeypatch.setattr(Solvers, "prove", lambda self, obligations, works: asked.append(works))
    check_memory_paths(MemoryPaths(program, 1, ((0,),)), program, default_targets(program), Budget())
    assert asked == [works]
