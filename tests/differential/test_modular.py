# ruff: noqa: E501  # tables of programs, one a line
"""Proofs of one thread at a time: nothing that a run reaches is ever excluded, and no part of a proof can be missing."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError, UsageError
from knaster.base.limits import Budget
from knaster.checkers.threads.interference import check_interference
from knaster.decide.conclusions import second_look
from knaster.engines.threads.modular import ghosts
from knaster.evidence.answers.answer import Reachable, Unknown, Unreachable, Verdict
from knaster.evidence.proofs.threads.interference import Conduct, Ghosts, Interference, Role
from knaster.evidence.questions.question import Target
from knaster.frontends.languages import load
from knaster.program.expression import FALSE
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Action, Assign, Concurrent, Edge, Program
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from support.generators.threaded_programs import Crowd, threaded_text

PROGRAMS = 4 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
CROWDS = {
    "plain": Crowd(sections=0.0),
    "sections": Crowd(),
    "locked": Crowd(lock=1.0, sections=0.0),
    "locked sections": Crowd(lock=1.0, sections=0.4),
    "starting": Crowd(threads=(1, 2), starts=0.3, calls=0.2),
}
LOCK = "atomic_begin; assume(!lock); lock := T; atomic_end;"


@pytest.mark.parametrize("crowd", CROWDS)
def test_every_target_of_random_programs(crowd: str) -> None:
    seed = done = proved = reached = 0
    while done < PROGRAMS:
        seed += 1
        program = load(threaded_text(Random(f"modular {crowd} {seed}"), CROWDS[crowd]))
        try:
            oracle = explore_threads(program, "switches", 4, keep=3, depth=4, limit=6_000)
        except TooManyStates:
            continue
        try:
            result = knaster.check(program, "all-labels", engine="modular")
        except UsageError as refused:
            assert "takes the result of a call for 'atomic'" in str(refused)
            continue
        done += 1
        for target, answer in result.answers:
            if target.place in oracle.least:
                assert isinstance(answer, Unknown), (seed, target)
                reached += 1
            elif isinstance(answer, Unreachable):
                assert answer.checked and answer.bound is None, seed
                proved += 1
    assert reached > PROGRAMS and proved > PROGRAMS / 2


LOCK_IN_SECTION = """decl atomic, g;
void init() begin g := T; atomic := F; end
void thread1() begin atomic_begin; atomic := F; g := F; atomic_end; end
void thread2() begin if (!g) then R: skip; fi end
"""


def test_a_section_goes_on_whatever_becomes_of_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine and its checker once forgot what others saw last, where a section opens the lock."""
    monkeypatch.setenv("KNASTER_STRICT", "1")
    monkeypatch.setattr(second_look, "EDGES", 0)  # so that the kernel does not help
    assert isinstance(knaster.check(LOCK_IN_SECTION, "R", file="a.bp", engine="modular").answers[0][1], Unknown)

    def forgets(program: Program, edge: Edge, known: Ghosts | None) -> Action:
        action = own(program, edge, known)
        if isinstance(action, Assign) and known is not None and "atomic" in action.targets:
            pairs = zip(action.targets, action.values, strict=True)
            return replace(
                action, values=tuple(FALSE if name in known.seen.values() else value for name, value in pairs)
            )
        return action

    own = ghosts._action
    monkeypatch.setattr(ghosts, "_action", forgets)
    with pytest.raises(InternalError):
        knaster.check(LOCK_IN_SECTION, "R", file="a.bp", engine="modular")


def two(first: str, second: str, more: str = "", shared: str = "decl g, h; init (!g & !h);") -> str:
    return f"{shared}\nvoid main_1() begin {first} end\nvoid main_2() begin {second} end\n{more}"


RECURSIVE = "void rec() begin if (*) then rec(); fi {} end\n"
CASES = [
    ("recursion", two("rec(); assume(h & !h); ERROR: skip;", "assume(g); h := T;", RECURSIVE.format("g := T; g := F;")), True),
    ("what is never written", two("rec();", "assume(h); ERROR: skip;", RECURSIVE.format("g := T;")), True),
    ("a section is one step for others", two("rec();", "assume(g); ERROR: skip;", RECURSIVE.format("atomic_begin; g := T; g := F; atomic_end;")), True),
    ("a section in a callee", two("rec();", "assume(g); ERROR: skip;", RECURSIVE.format("atomic_begin; f(); atomic_end;") + "void f() begin g := T; g := F; end\n"), True),
    ("a section that a callee ends", two("rec();", "assume(g & !h); ERROR: skip;", RECURSIVE.format("atomic_begin; g := T; f(); g := F; h := F;") + "void f() begin h := T; atomic_end; end\n"), True),
    ("the end of a thread ends a section", two("rec(); atomic_begin; g := T;", "assume(g); ERROR: skip;", RECURSIVE.format("")), False),
    ("end_thread ends a section", two("rec();", "assume(g); ERROR: skip;", RECURSIVE.format("atomic_begin; g := T; end_thread;")), False),
    ("a result for a global", two("g := f();", "assume(g); ERROR: skip;", "bool f() begin if (*) then f(); fi return F; end\n"), True),
    ("a result for a global is seen", two("g := f();", "assume(g); ERROR: skip;", "bool f() begin if (*) then f(); fi return T; end\n"), False),
    ("another runs before the result is assigned", two("g := f(); h := T;", "g := T; assume(h & !g); ERROR: skip;", "bool f() begin if (*) then f(); fi return g; end\n"), False),
    ("an owner", two("rec1();", "rec2();", f"void rec1() begin {LOCK} if (*) then lock := F; rec1(); else own := F; x := T; if (!x) then ERROR: skip; fi x := F; lock := F; fi end\nvoid rec2() begin {LOCK.replace('lock := T;', 'lock, own := T, T;')} x := F; lock, own := F, F; rec2(); end\n", "decl lock, own, x; init(!lock & !own & !x);"), True),
    ("a lock that does not say whose", two("w();", "w();", f"void w() begin {LOCK} x := T; if (!x) then ERROR: skip; fi x := F; lock := F; if (*) then w(); fi end\n", "decl lock, x; init(!lock & !x);"), None),
    ("a started thread", "decl g; init(!g); void main() begin start_thread f(g); rec(); g := T; end\nvoid f(a) begin assume(a); ERROR: skip; end\n" + RECURSIVE.format(""), True),
    ("a started thread is seen", "decl g; init(!g); void main() begin start_thread f(T); rec(); end\nvoid f(a) begin assume(a); ERROR: skip; end\n" + RECURSIVE.format(""), False),
    ("started and called with a parameter that it writes", "decl g; init(!g); void main() begin start_thread f(T); f(F); rec(); assume(F); ERROR: skip; end\nvoid f(p) begin p := !p; g := p; end\n" + RECURSIVE.format(""), True),
    ("any number of started threads", "decl g; init(!g); void main() begin while (*) do start_thread f(); od end\nvoid f() begin atomic_begin; g := T; g := F; atomic_end; assume(g); ERROR: skip; end\n", True),
    ("started in a section", "decl g; init(!g); void main() begin while (*) do atomic_begin; g := T; start_thread f(); g := F; atomic_end; od end\nvoid f() begin assume(g); ERROR: skip; end\n", True),
    ("a copy of the activation", "decl g; init(!g); void main() begin decl x; x := F; while (*) do start_thread goto L; od end_thread; L: assume(x); ERROR: skip; end\n", True),
    ("a copy that is started in a section", "decl g; init(!g); void main() begin decl x; x := F; while (*) do atomic_begin; g := T; start_thread goto L; g := F; atomic_end; od end_thread; L: assume(g); ERROR: skip; end\n", True),
    ("no switch while atomic is 1", "decl atomic, g; void init() begin atomic, g := F, F; end\nvoid thread1() begin rec(); end\nvoid thread2() begin assume(g); ERROR: skip; end\n" + RECURSIVE.format("atomic := T; g := T; g := F; atomic := F;"), True),
    ("a switch where atomic is 0 again", "decl atomic, g; void init() begin atomic, g := F, F; end\nvoid thread1() begin rec(); end\nvoid thread2() begin assume(g); ERROR: skip; end\n" + RECURSIVE.format("atomic := T; g := T; atomic := F;"), False),
    ("atomic takes any value", "decl atomic, g; void init() begin atomic, g := F, F; end\nvoid thread1() begin rec(); end\nvoid thread2() begin assume(g); ERROR: skip; end\n" + RECURSIVE.format("atomic := *; g := T; g := F; atomic := *;"), False),
    ("a failed assertion ends the run", two("rec();", "assume(g); ERROR: skip;", RECURSIVE.format("atomic_begin; g := T; assert(F); atomic_end;")), True),
    ("what a procedure enforces", two("rec();", "assume(g); ERROR: skip;", RECURSIVE.format("").replace("begin", "begin enforce(!g);")), True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "proved"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_proved(text: str, proved: bool | None) -> None:
    result = knaster.check(text, "ERROR", engine="modular")
    assert result.verdict is (Verdict.TRUE if proved else Verdict.UNKNOWN)
    if proved:
        answer = result.answers[0][1]
        assert isinstance(answer, Unreachable) and answer.checked and isinstance(answer.proof, Interference)
        copy = pickle.loads(pickle.dumps(answer.proof))
        check_interference(copy, copy.program, [result.answers[0][0]], Budget())
        assert knaster.check(text, "ERROR").engine in ("modular", "states")


def test_the_default_for_recursive_threads() -> None:
    """First the proof, then a method that decides what is left; the one that answered is named."""
    text = two("rec(); A: assume(h & !h); B: skip;", "assume(g); h := T;", RECURSIVE.format("g := T; g := F;"))
    result = knaster.check(text, ["A", "B"])
    assert result.engine == "stacks" and result.stats["modular_proved"] == 1
    first, second = (answer for _, answer in result.answers)
    assert isinstance(first, Reachable) and isinstance(second, Unreachable)
    assert second.bound is None and second.checked
    assert knaster.check(text, ["B"]).engine == "modular"
    bounded = knaster.check(text, ["B"], switches=1)
    assert (bounded.engine, bounded.verdict) == ("modular", Verdict.TRUE)
    assert bounded.bound is not None and (bounded.bound.asked, bounded.bound.covered) == (1, 1)


def test_any_number_of_threads() -> None:
    safe = two("atomic_begin; g := T; g := F; atomic_end;", "assume(g); ERROR: skip;")
    result = knaster.check(safe, threads=["main_1*", "main_2*"])
    assert (result.engine, result.verdict) == ("modular", Verdict.TRUE)
    needs_two = two("if (!g) then g := T; else if (g) then h := T; fi fi", "assume(h); ERROR: skip;")
    assert knaster.check(needs_two).verdict is Verdict.TRUE
    several = knaster.check(needs_two, threads=["main_1*", "main_2"])
    assert several.verdict is Verdict.FALSE
    assert isinstance(several.answers[0][1], Reachable) and several.answers[0][1].least == 2


PROVED = [case for case in CASES if case[2] and case[0] in ("recursion", "a section in a callee", "a started thread", "a result for a global", "a copy of the activation", "no switch while atomic is 1")]  # fmt: skip


@pytest.mark.parametrize("text", [case[1] for case in PROVED], ids=[case[0] for case in PROVED])
def test_no_part_of_a_proof_can_be_missing(text: str) -> None:
    """A state that is taken away is missed, unless nothing is lost without it: a copy of the proof is then closed too."""
    result = knaster.check(text, "ERROR", engine="modular")
    proof, target = result.proof, result.answers[0][0]
    assert isinstance(proof, Interference)
    missed = kept = 0
    for role, conduct in proof.conducts.items():
        for smaller in _smaller(proof, conduct):
            wrong = replace(proof, conducts={**proof.conducts, role: smaller})
            try:
                check_interference(wrong, result.program, [target], Budget())
                kept += 1
            except InternalError:
                missed += 1
    assert missed > 4 and kept <= missed / 4


WRITING = [case for case in CASES if case[2] and case[0] in ("recursion", "an owner", "a section that a callee ends", "a started thread", "any number of started threads", "started in a section", "a copy that is started in a section")]  # fmt: skip


@pytest.mark.parametrize("text", [case[1] for case in WRITING], ids=[case[0] for case in WRITING])
def test_what_others_see_and_who_is_started_cannot_be_missing(text: str) -> None:
    """Without a guarantee nobody would be disturbed, and without waiting threads nobody would be started."""
    result = knaster.check(text, "ERROR", engine="modular")
    proof, target = result.proof, result.answers[0][0]
    assert isinstance(proof, Interference)
    none, refused = proof.store.false, 0
    starting = {edge.action.procedure for p in result.program.procedures for edge in p.edges if isinstance(edge.action, Concurrent)}  # fmt: skip
    for role, conduct in proof.conducts.items():
        wrong = []
        if _changes_something(proof, conduct):
            silent: dict[frozenset[str], Any] = {}
            wrong.append((replace(conduct, guarantee=silent), "not in the guarantee"))
        if role.location is not None or (role.procedure in starting and role.procedure not in result.program.threads):
            wrong.append((replace(conduct, waiting=none), "does not wait"))
        for changed, message in wrong:
            with pytest.raises(InternalError, match=message):
                check_interference(
                    replace(proof, conducts={**proof.conducts, role: changed}), result.program, [target], Budget()
                )
            refused += 1
    assert refused
    if any(role.location is not None for role in proof.conducts):
        fewer = {role: conduct for role, conduct in proof.conducts.items() if role.location is None}
        with pytest.raises(InternalError, match="no role for threads started"):
            check_interference(replace(proof, conducts=fewer), result.program, [target], Budget())


def _changes_something(proof: Interference, conduct: Conduct) -> bool:
    slots, var = proof.vocabulary["main_1" if "main_1" in proof.vocabulary else "main"].slots, proof.store.var
    for written, pairs in conduct.guarantee.items():
        for name in written:
            if (
                pairs & (var(variable(slots[name], Copy.NOW)) ^ var(variable(slots[name], Copy.NEXT)))
                != proof.store.false
            ):
                return True
    return False


def _smaller(proof: Interference, conduct: Conduct) -> list[Conduct]:
    found = []
    for name, sets in conduct.path_edges.items():
        for location, states in enumerate(sets):
            chosen = proof.store.pick(states)
            if chosen is not None:
                rest = states & ~proof.store.assignment(chosen)
                fewer = (*sets[:location], rest, *sets[location + 1 :])
                found.append(replace(conduct, path_edges={**conduct.path_edges, name: fewer}))
    for written, pairs in conduct.guarantee.items():
        chosen = proof.store.pick(pairs)
        if chosen is not None:
            fewer_pairs = pairs & ~proof.store.assignment(chosen)
            found.append(replace(conduct, guarantee={**conduct.guarantee, written: fewer_pairs}))
    chosen = proof.store.pick(conduct.waiting)
    if chosen is not None:
        found.append(replace(conduct, waiting=conduct.waiting & ~proof.store.assignment(chosen)))
    return found


def test_proofs_of_another_form_are_refused() -> None:
    text = CASES[3][1]
    result = knaster.check(text, "ERROR", engine="modular")
    proof, target, program = result.proof, result.answers[0][0], result.program
    assert isinstance(proof, Interference) and proof.ghosts is not None
    check_interference(proof, program, [target], Budget())
    role, conduct = next(iter(proof.conducts.items()))
    spoken = proof.vocabulary["main_1"]
    true = proof.store.true
    wrong: list[tuple[Interference, str]] = [
        (replace(proof, program=replace(program)), "another program"),
        (replace(proof, ghosts=None), "what sections do"),
        (replace(proof, ghosts=Ghosts("g", proof.ghosts.seen)), "what was seen"),
        (replace(proof, vocabulary={}), "a procedure"),
        (replace(proof, vocabulary={**proof.vocabulary, "main_1": replace(spoken, slots={**spoken.slots, "g": 99})}), "mixes variables|beyond"),
        (replace(proof, vocabulary={**proof.vocabulary, "main_1": replace(spoken, slots={})}), "misses or invents a variable"),
        (replace(proof, conducts={}), "no role for some thread"),
        (replace(proof, conducts={role: conduct}), "no role for some thread"),
        (replace(proof, conducts={**proof.conducts, role: replace(conduct, path_edges={})}), "a procedure"),
        (replace(proof, conducts={**proof.conducts, role: replace(conduct, guarantee={frozenset(["z"]): true})}), "not shared"),
        (replace(proof, conducts={**proof.conducts, Role("main_1", 99): conduct}), "no location 99"),
        (replace(proof, conducts={**proof.conducts, role: replace(conduct, guarantee={frozenset(): proof.store.var(0)})}), "something else"),
    ]  # fmt: skip
    for changed, message in wrong:
        with pytest.raises(InternalError, match=message):
            check_interference(changed, program, [target], Budget())
    with pytest.raises(InternalError, match="does not exclude"):
        check_interference(proof, program, [Target("f", "f", 0, 5)], Budget())
    with pytest.raises(InternalError, match="does not exclude"):
        check_interference(proof, program, [Target("deadlock", "", 0, 0, "deadlock")], Budget())


def test_it_gives_up_after_so_many_steps() -> None:
    result = knaster.check(CASES[0][1], "ERROR", engine="modular", visits=3)
    assert result.verdict is Verdict.UNKNOWN
    assert "given up after 3 steps" in result.reason
