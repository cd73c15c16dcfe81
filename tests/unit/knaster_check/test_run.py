"""Runs of threads, changed in one place each: who is started where and with what, where threads go on and return to."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster_check import Refused
from support.kernel import kernel

STARTS = """decl g; init(!g);
void main() begin decl l; l := T; start_thread late(l, !l); start_thread goto L; g := F; end_thread; L: g := l; end
void late(p, q) begin assume(g); if (p & !q) then R: skip; fi end
"""
TURNS = """decl turn; init(!turn);
void main_1() begin decl x; x := F; f(); x := T; assume(turn & x); R: skip; end
void f() begin decl y; y := T; turn := y; turn := F; atomic_begin; skip; atomic_end; skip; end
void main_2() begin decl z; z := T; turn := z; end
"""


def run_of(text: str) -> tuple[knaster.Result, dict[str, Any]]:
    result = knaster.check(text, "R", file="a.bp", engine="explicit")
    proof = json.loads(proof_to_text(result))
    assert kernel(result.program, proof).claim == "reachable"
    return result, proof


def changes(proof: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return runs that are changed where a path begins, in its values or in the order of its threads."""
    found = []
    for at, (name, begin, start, _) in enumerate(proof["run"]["paths"]):
        for change, place, value in (
            *((f"value {number}", (2, number), not one) for number, one in enumerate(start)),
            ("begin", (1,), 0 if begin is None else None),
            ("begin later", (1,), 1 if begin is None else begin + 1),
            ("procedure", (0,), "main" if name != "main" else "late"),
        ):
            own = deepcopy(proof)
            row = own["run"]["paths"][at]
            for key in place[:-1]:
                row = row[key]
            row[place[-1]] = value
            found.append((f"{change} of path {at}", own))
    segments = proof["run"]["segments"]
    for at, (thread, _) in enumerate(segments):
        for other in {1, 2, 3, 4} - {thread}:
            own = deepcopy(proof)
            own["run"]["segments"][at][0] = other
            found.append((f"thread {other} instead of {thread} in segment {at}", own))
        if at + 1 < len(segments):
            own = deepcopy(proof)
            own["run"]["segments"][at : at + 2] = segments[at + 1], segments[at]
            found.append((f"segments {at} and {at + 1} exchanged", own))
    return found


@pytest.mark.parametrize("text", [STARTS, TURNS])
def test_no_path_begins_otherwise(text: str) -> None:
    result, proof = run_of(text)
    assert len(proof["run"]["segments"]) > 2 or text == TURNS
    believed = []
    for name, changed in changes(proof):
        try:
            kernel(result.program, changed)
        except Refused:
            continue
        believed.append(name)
        assert check_proof_text(json.dumps(changed), result.program, 1 << 12, Budget())  # a local begins with any value
    assert len(believed) <= 3 and all(name.startswith("value 1 of path") for name in believed)
