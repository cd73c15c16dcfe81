"""Runs of threads that never end: found, changed, and drawn by hand where they get deeper."""

from __future__ import annotations

import json
from random import Random

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.checkers.files import examine, proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, read_program
from knaster_check.boolean.thread_steps import Letter
from knaster_check.temporal import thread_lasso
from knaster_check.temporal.thread_graph import Node
from knaster_check.temporal.thread_lasso import _gets_deeper
from knaster_check.work import nothing
from support.changed_proofs import changed_proof
from support.kernel import kernel


def stack(text: str, value: bool = False) -> tuple[Letter, ...]:
    """Return a stack of procedures, the running one first; the last is the lowest."""
    return tuple(Letter(name, 0, (value,), None, at == len(text) - 1) for at, name in enumerate(text))


def node(*stacks: str, shared: bool = False, value: bool = False) -> Node:
    return Node((shared,), tuple(stack(text, value) for text in stacks), 0, False)


START = node("fm", "a", "b")


@pytest.mark.parametrize(
    ("between", "end", "moved", "deeper"),
    [
        ([], node("ffm", "a", "b"), {0}, True),
        ([node("gffm", "a", "b")], node("ffm", "a", "b"), {0}, True),
        ([], node("fffm", "a", "b"), {0}, True),
        ([], node("fm", "a", "b"), {0}, False),  # no deeper
        ([], node("gfm", "a", "b"), {0}, False),  # another activation
        ([], node("ffm", "a", "b", value=True), {0}, False),  # other values
        ([], node("ffm", "a", "b", shared=True), {0}, False),  # other globals
        ([], node("ffm", "c", "b"), {0}, False),  # another thread has moved
        ([], node("ffm", "a", "c"), {0}, False),
        ([node("m", "a", "b")], node("ffm", "a", "b"), {0}, False),  # it was below
        ([], node("ffm", "a", "b"), {0, 1}, False),  # two move
        ([], node("ffm", "a", "b"), set[int](), False),
        ([], node("ffm", "a", "b"), {1}, False),  # the one that moves is no deeper
    ],
)
def test_what_is_deeper(between: list[Node], end: Node, moved: set[int], deeper: bool) -> None:
    assert _gets_deeper([START, *between], end, moved) is deeper


def test_the_second_of_three_gets_deeper() -> None:
    start = node("a", "fm", "b")
    assert _gets_deeper([start], node("a", "ffm", "b"), {1})
    assert not _gets_deeper([start], node("c", "ffm", "b"), {1})
    assert not _gets_deeper([start], node("a", "ffm", "c"), {1})
    assert not _gets_deeper([node("a", "", "b")], node("a", "f", "b"), {1})


ENDLESS = """decl x; init(!x);
void main_1() begin L: x := !x; f(); goto L; end
void f() begin M: skip; end
void main_2() begin skip; end
"""
DEEP = "decl x; init(!x);\nvoid main_1() begin f(); end\n"
DEEP += "void f() begin x := x; f(); end\nvoid main_2() begin skip; end\n"
OVER = "decl x; init(!x);\nvoid main_1() begin f(); end\n"
OVER += "void f() begin skip; end\nvoid main_2() begin start_thread g(); end\n"
OVER += "void g() begin x := F; end_thread; end\n"
NESTED = "decl x; init(!x);\nvoid main_1() begin f(); end\nvoid f() begin decl l; l := F; g(); end\n"
NESTED += "void g() begin decl m, n; m := T; L: x := !x; goto L; end\nvoid main_2() begin skip; end\n"
BACK = "decl x; init(!x);\nvoid main_1() begin assume(x); x := F; end\n"
BACK += "void main_2() begin f(); L: skip; goto L; end\nvoid f() begin x := T; assume(!x); end\n"
ONCE = "decl x; init(x);\nvoid main_1() begin L: x := T; f(); x := F; goto L; end\n"
ONCE += "void f() begin skip; end\nvoid main_2() begin skip; end\n"
LATER = "decl x; init(!x);\nvoid main_1() begin decl k; assume(!x & k); end\n"
LATER += "void main_2() begin decl l; assume(!x & l); end\n"
WAITS = "decl x; init(!x);\nvoid main_1() begin assume(x); end\nvoid main_2() begin decl l; assume(x & l); end\n"
ASKED = [
    (ENDLESS, "termination", "none", "endless"),
    (ENDLESS, "F G {x}", "strong", "violated"),
    (DEEP, "termination", "none", "endless"),
    (OVER, "F {x}", "weak", "violated"),
    (WAITS, "F {x}", "strong", "violated"),
    (NESTED, "termination", "none", "endless"),
    (BACK, "termination", "strong", "endless"),
    (ONCE, "G {x}", "strong", "violated"),
    (LATER, "F {x}", "strong", "violated"),  # where both have begun with values that let them wait
]


@pytest.mark.parametrize(("text", "asked", "fair", "claim"), ASKED)
def test_runs_that_are_found_and_changed(text: str, asked: str, fair: str, claim: str) -> None:
    """What the kernel believes of changed runs, the checker of Knaster believes too."""
    result = knaster.check(text, file="p.bp", property=asked, fair=fair)
    document = json.loads(proof_to_text(result))
    verdict = kernel(result.program, document)
    assert (verdict.claim, verdict.fair) == (claim, fair)
    assert (verdict.answered["replayed"] > 0) is (text not in (WAITS, LATER))
    rng, refused = Random(claim), 0
    for _ in range(50):
        changed = changed_proof(rng, document)
        try:
            kernel(result.program, changed)
        except Refused:
            refused += 1
            continue
        assert examine(json.dumps(changed), result.program, 1 << 10, Budget()), changed
    assert refused > 25
    for name in ("deeper", "stays", "waits"):
        flipped = {**document["run_of_threads"], name: not document["run_of_threads"][name]}
        with pytest.raises(Refused):
            kernel(result.program, {**document, "run_of_threads": flipped})


def test_a_run_that_is_no_refutation() -> None:
    """It goes around, but the other thread can always move; and what holds on it is not broken."""
    result = knaster.check(ENDLESS, file="p.bp", property="termination", engine="explicit")
    document = json.loads(proof_to_text(result))
    own = document["run_of_threads"]
    moved = {thread for thread, _ in own["cycle"]}
    assert moved == {1}
    began = any(thread == 2 for thread, _ in own["stem"])
    for fair in ("weak", "strong"):
        changed = {**document, "run_of_threads": {**own, "fair": fair}}
        if began:
            assert kernel(result.program, changed).claim == "endless"
        else:
            with pytest.raises(Refused, match="does not count"):
                kernel(result.program, changed)
    with pytest.raises(Refused, match="as it should be"):
        kernel(result.program, {**document, "run_of_threads": {**own, "formula": "G F {x}"}})


def test_a_segment_has_a_thread() -> None:
    result = knaster.check(ENDLESS, file="p.bp", property="termination")
    document = json.loads(proof_to_text(result))
    document["run_of_threads"]["stem"][0][0] = 0
    with pytest.raises(Refused, match="no path, or no thread"):
        kernel(result.program, document)


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("p.bp", "decl x; void main() begin L: goto L; end\n", "it is a run of threads"),
        ("p.c", "int main(void) { while (1) ; }", "it is a run of threads"),
    ],
)
def test_other_programs_have_no_such_run(file: str, text: str, reason: str) -> None:
    program = read_program(program_to_kernel(load(text, file=file)))
    with pytest.raises(Refused, match=reason):
        thread_lasso.check(program, {"run_of_threads": {}}, (), nothing)
