"""A table of stacks: sections and locks that others cannot see, and transitions of sets that are needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.threads.stack_table import check_stack_table
from knaster.evidence.proofs.threads.stack_table import StackSet, StackTable

SECTIONS = """decl g; init(!g);
void one() begin rec(); end
void rec() begin if (*) then rec(); fi atomic_begin; g := T; g := F; atomic_end; end
void two() begin enforce(!g); if (g) then ERROR: skip; fi end
"""
LOCKED = """decl atomic, g; void init() begin atomic, g := F, F; end
void thread1() begin rec(); end
void rec() begin if (*) then rec(); fi atomic := T; g := T; g := F; atomic := F; end
void thread2() begin if (g) then ERROR: skip; fi end
"""

FAILING = """decl g; init(!g);
void one() begin rec(); end
void rec() begin if (*) then rec(); fi g := *; assert(!g); g := F; end
void two() begin skip; NEVER: assume(F); ERROR: skip; end
"""


def table_of(text: str, *threads: str) -> StackTable:
    given = {"threads": list(threads)} if threads else {}
    result = knaster.check(text, "ERROR", engine="stacks", **given)  # type: ignore[arg-type]
    assert isinstance(result.proof, StackTable), result.reason
    return result.proof


@pytest.mark.parametrize(
    ("text", "threads"),
    [(SECTIONS, ("one", "two")), (LOCKED, ()), (FAILING, ("one", "two"))],
    ids=["sections", "lock", "failures"],
)
def test_what_others_cannot_see_has_no_rows(text: str, threads: tuple[str, ...]) -> None:
    proof = table_of(text, *threads)
    check_stack_table(proof, proof.program, (), Budget())


def test_transitions_of_sets_of_stacks_are_needed() -> None:
    proof = table_of(SECTIONS, "one", "two")
    said: set[str] = set()
    tried = kept = 0
    for number, row in enumerate(proof.rows):
        for moment, stacks in row.reached.items():
            for smaller in smaller_sets(stacks):
                changed = replace(row, reached={**row.reached, moment: smaller})
                rows = (*proof.rows[:number], changed, *proof.rows[number + 1 :])
                tried += 1
                try:
                    check_stack_table(replace(proof, rows=rows), proof.program, (), Budget())
                    kept += 1
                except InternalError as refusal:
                    said.add(str(refusal).split(": ")[-1].split(" leads")[0])
    assert tried - kept >= 50, (kept, tried)  # of 90; what another row covers is not needed
    assert {"a step of thread 1", "a step of thread 2", "a switch from thread 1"} <= said, said


def smaller_sets(stacks: StackSet) -> Iterator[StackSet]:
    for state, moves in enumerate(stacks.moves):
        for letter in moves:
            fewer = {other: target for other, target in moves.items() if other != letter}
            yield replace(stacks, moves=(*stacks.moves[:state], fewer, *stacks.moves[state + 1 :]))
