"""Runs of threads, changed in one place each: who is started where and with what, where threads go on and return to."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, check, read_program
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


def said_of(text: str, proof: dict[str, Any], **changes: Any) -> str:
    """Return what the kernel says of a run, of a program whose text may be changed."""
    data = {**json.loads(program_to_kernel(load(text, file="a.bp"))), **changes}
    try:
        return check(read_program(json.dumps(data)), json.dumps(proof)).claim
    except Refused as refused:
        return str(refused)


LOCKED = """decl lock, g; init(!lock & !g);
void main_1() begin lock := T; g := T; lock := F; end
void main_2() begin assume(g); R: skip; end
"""


def cut(proof: dict[str, Any], segment: int, steps: int) -> dict[str, Any]:
    """Return a run in which the path of a segment has its first steps only."""
    found = deepcopy(proof)
    (number,) = found["run"]["segments"][segment][1]
    found["run"]["paths"][number][3] = found["run"]["paths"][number][3][:steps]
    return found


def test_nobody_runs_while_the_lock_is_held() -> None:
    _, proof = run_of(LOCKED)
    assert [thread for thread, _ in proof["run"]["segments"]] == [1, 2]
    (number,) = proof["run"]["segments"][0][1]
    assert len(proof["run"]["paths"][number][3]) == 2  # the shortest run leaves while `lock` is true
    assert said_of(LOCKED, proof) == "reachable"
    assert said_of(LOCKED, proof, atomic="lock") == "others are kept from running"
    result = knaster.check(LOCKED.replace("assume(g)", "assume(g & !lock)"), "R", file="a.bp", engine="explicit")
    free = LOCKED.replace("assume(g)", "assume(g & !lock)")
    assert said_of(free, json.loads(proof_to_text(result)), atomic="lock") == "reachable"


THREE = """decl g; init(!g);
void main_1() begin assume(g); R: skip; end
void main_2() begin g := T; end
void main_3() begin skip; end
"""
STARTED = """decl g; init(!g);
void main() begin start_thread a(); start_thread b(); start_thread c(); assume(g); R: skip; end
void a() begin skip; end
void b() begin g := T; end
void c() begin skip; end
"""


@pytest.mark.parametrize(("text", "who"), [(THREE, 2), (STARTED, 3)])
def test_the_second_of_three_runs(text: str, who: int) -> None:
    result, proof = run_of(text)
    threads = [thread for thread, _ in proof["run"]["segments"]]
    assert who in threads
    for other in {1, 2, 3, 4} - set(threads):
        forged = deepcopy(proof)
        forged["run"]["segments"][threads.index(who)][0] = other
        with pytest.raises(Refused):
            kernel(result.program, forged)


def test_a_started_thread_begins_where_it_is_sent() -> None:
    text = "decl g; init(!g);\nvoid main() begin start_thread goto L; assume(g); R: skip; end_thread;\n"
    text += "L: skip; g := T; end\n"
    result, proof = run_of(text)
    (at,) = [index for index, row in enumerate(proof["run"]["paths"]) if row[1] is not None and len(row[3]) > 1]
    forged = deepcopy(proof)
    row = forged["run"]["paths"][at]
    row[1], row[3] = result.program.procedure("main").edges[row[3][0][0]].target, row[3][1:]
    with pytest.raises(Refused, match="begins elsewhere"):
        kernel(result.program, forged)


RETURNS = """decl h, g, a; init(!h & !g & !a);
void main_1() begin decl x; x := T; f(); assume(a & x); R: skip; end
void f() begin decl y; y := T; h := y; assume(g); a := T; end
void main_2() begin assume(h); g := T; end
"""


def test_a_call_that_others_interrupt_returns_to_its_caller() -> None:
    result, proof = run_of(RETURNS)
    assert any(len(numbers) > 1 for _, numbers in proof["run"]["segments"][1:])
    verdict = kernel(result.program, proof)
    assert verdict.answered["replayed"] == sum(len(row[3]) for row in proof["run"]["paths"])
    believed = []
    for name, changed in changes(proof):
        try:
            kernel(result.program, changed)
        except Refused:
            continue
        believed.append(name)
    assert not [name for name in believed if not name.startswith("value")], believed
    (last,) = [numbers for _, numbers in proof["run"]["segments"] if len(numbers) > 1 and numbers[0] > 1]
    forged = deepcopy(proof)
    forged["run"]["paths"][last[0]][3].pop()  # `a` is not set yet
    with pytest.raises(Refused, match="without a call or a return"):
        kernel(result.program, forged)


SECTION = """decl g, h; init(!g & !h);
void main_1() begin enter(); g := T; leave(); h := T; end
void enter() begin atomic_begin; end
void leave() begin atomic_end; end
void main_2() begin assume(g & h); R: skip; end
"""


def test_sections_that_calls_open_and_end() -> None:
    result, proof = run_of(SECTION)
    assert [thread for thread, _ in proof["run"]["segments"]] == [1, 2]
    with pytest.raises(Refused, match="inside a section"):
        kernel(result.program, cut(proof, 0, 2))


def test_a_thread_statement_keeps_what_is_enforced() -> None:
    """Another thread changes what is enforced before a section begins; in the state of that nobody may step."""
    text = "decl g, h; init(!g & !h);\nvoid main_1() begin h := T;\natomic_begin;\nassume(g); R: skip; end\n"
    text += "void main_2() begin assume(h); g := T; end\n"
    _, proof = run_of(text)
    data = json.loads(program_to_kernel(load(text, file="a.bp")))
    (own,) = (one for one in data["procedures"] if one["name"] == "main_1")
    assert said_of(text, proof, procedures=data["procedures"]) == "reachable"
    own["enforce"] = [["variable", "g"], ["not"]]
    assert said_of(text, proof, procedures=data["procedures"]).startswith("'main_1', line 3: 'main_1' enforces")


def test_a_refusal_says_where() -> None:
    result, proof = run_of(THREE)
    forged = deepcopy(proof)
    forged["run"]["paths"][0][0] = "nobody"
    with pytest.raises(Refused, match="path 0"):
        kernel(result.program, forged)
    for row in proof["run"]["paths"]:
        for step in row[3]:
            if step[3]:
                step[3][0][1] = not step[3][0][1]
    with pytest.raises(Refused, match="line 3"):
        kernel(result.program, proof)
