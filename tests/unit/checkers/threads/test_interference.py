"""The check of interference: what others do and see, sections, locks, choices, started threads; each left out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, Store
from knaster.checkers.threads.interference import _Checker, check_interference
from knaster.evidence.proofs.threads.interference import Conduct, Interference, Role
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Call, Kind


def two(first: str, second: str = "skip;", shared: str = "decl g; init (!g);") -> str:
    return (
        f"{shared}\nvoid main_1() begin {first} end\nvoid main_2() begin {second} NEVER: assume(F); ERROR: skip; end\n"
    )


def proof_of(text: str) -> Interference:
    result = knaster.check(text, "ERROR", engine="modular")
    assert isinstance(result.proof, Interference), result.reason
    return result.proof


def check(proof: Interference) -> None:
    check_interference(proof, proof.program, (), Budget())


def refused(proof: Interference, message: str) -> None:
    with pytest.raises(InternalError, match=message):
        check(proof)


def changed(proof: Interference, role: str | Role, change: Callable[[Conduct], Conduct]) -> Interference:
    key = Role(role) if isinstance(role, str) else role
    return replace(proof, conducts={**proof.conducts, key: change(proof.conducts[key])})


def without(proof: Interference, role: str | Role, states: Bdd) -> Interference:
    """Return a proof without some states in all the sets of a role."""
    return changed(
        proof,
        role,
        lambda conduct: replace(
            conduct,
            waiting=conduct.waiting & ~states,
            path_edges={name: tuple(own & ~states for own in sets) for name, sets in conduct.path_edges.items()},
        ),
    )


def var(proof: Interference, procedure: str, name: str, copy: Copy = Copy.NOW) -> Bdd:
    return proof.store.var(variable(proof.vocabulary[procedure].slots[name], copy))


def with_sets(conduct: Conduct, sets: Mapping[str, tuple[Bdd, ...]]) -> Conduct:
    return replace(conduct, path_edges={**conduct.path_edges, **sets})


def silent(conduct: Conduct) -> Conduct:
    return replace(conduct, guarantee={})


LOCKED = "decl atomic, g; void init() begin atomic, g := F, F; end\nvoid thread1() begin {} end\nvoid thread2() begin {} NEVER: assume(F); ERROR: skip; end\n"  # noqa: E501
COPY = """decl g; init(!g);
void main() begin decl x; x := F; start_thread goto L; end_thread; L: assume(x); ERROR: skip; end
"""
STARTING = "decl g; init(!g); void main() begin {} end\nvoid f() begin assume(!g); skip; g := T; end\nvoid e() begin assume(F); ERROR: skip; end\n"  # noqa: E501

CALLS = two(
    "decl x; x := f(T, g); h := x; atomic_begin; x := f(x, h); atomic_end;", shared="decl g, h; init (!g & !h);"
)
CALLS += "bool f(a, b) begin decl c; c := a & !b; g := c; h := b; assert(a); return c; end\n"
ENFORCED = two("decl x; enforce(!x); x := f(T); x := f(F);")
ENFORCED += "bool f(a) begin decl b; enforce(a != b); g := a; return b; end\n"


@pytest.mark.parametrize(
    "text",
    [
        two("g := !g;", "g := T;"),
        two("g := T; atomic_begin; g := F; atomic_end; g := T;", "atomic_begin; g := !g; atomic_end;"),
        two("atomic_begin; g := T;"),
        two("g, h := *, *;", shared="decl g, h; init (!g & !h);"),
        LOCKED.format("g := T; atomic := T; g := F; atomic := F;", "g := !g;"),
        LOCKED.format("atomic := *; g := T; g := F; atomic := *;", "g := !g;"),
        LOCKED.format("g := T; atomic_begin; atomic := T; g := F; atomic_end; g := T; atomic := F;", "g := !g;"),
        STARTING.format("while (*) do start_thread f(); od"),
        STARTING.format("start_thread f();"),
        COPY,
        two("atomic_begin; g := T; g := F; atomic_end;"),
        CALLS,
        ENFORCED,
        two("f();", shared="decl g, h; init (!g & !h);") + "void f() begin g := T; h := T; end\n",
    ],
)
def test_proofs_that_hold(text: str) -> None:
    check(proof_of(text))


def test_a_step_outside_of_sections_is_seen() -> None:
    for text in (two("g := !g;"), two("atomic_begin; skip; atomic_end; g := !g;")):
        refused(changed(proof_of(text), "main_1", silent), "a step is not in the guarantee")


def test_a_section_is_seen_where_it_ends() -> None:
    for body in ("atomic_begin; g := !g; atomic_end;", "atomic_begin; g := T;", "atomic_begin; g := T; end_thread;"):
        refused(changed(proof_of(two(body)), "main_1", silent), "a section is not in the guarantee")


def test_a_guarantee_speaks_of_what_it_writes_only() -> None:
    proof = proof_of(two("h := !h;", shared="decl g, h; init (!g & !h);"))
    wrong = {frozenset(["g"]): proof.store.true}
    refused(changed(proof, "main_1", lambda own: replace(own, guarantee=wrong)), "a step is not in the guarantee")


def test_what_others_do_stays_inside() -> None:
    proof = proof_of(two("skip; skip;", "g := T;"))
    refused(without(proof, "main_1", var(proof, "main_1", "g")), "what others do leads out")
    waiting = changed(proof, "main_1", lambda own: replace(own, waiting=own.waiting & ~var(proof, "main_1", "g")))
    refused(waiting, "what others do leads out of 'a thread of 'main_1' that waits'")


def test_each_choice_of_a_step_is_its_own() -> None:
    proof = proof_of(two("g, h := *, *;", shared="decl g, h; init (!g & !h);"))
    unequal = var(proof, "main_1", "g") ^ var(proof, "main_1", "h")
    refused(without(proof, "main_1", unequal), "misses a state")


@pytest.mark.parametrize("start", ["while (*) do start_thread f(); od", "start_thread f();"])
def test_threads_of_one_role_disturb_each_other_where_there_are_several(start: str) -> None:
    """One alone does not see `g` between its look and its own assignment."""
    proof = proof_of(STARTING.format(start))
    sets = proof.conducts[Role("f")].path_edges
    fewer = tuple(own & ~var(proof, "f", "g") if at == 1 else own for at, own in enumerate(sets["f"]))
    alone = changed(proof, "f", lambda own: replace(own, path_edges={**own.path_edges, "f": fewer}))
    if "while" in start:
        refused(alone, "what others do leads out")
    else:
        check(alone)


def test_a_thread_that_is_started_waits() -> None:
    proof = proof_of(STARTING.format("start_thread f();"))
    refused(changed(proof, "f", lambda own: replace(own, waiting=proof.store.false)), "does not wait")
    copy = proof_of(COPY)
    (role,) = (role for role in copy.conducts if role.location is not None)
    refused(changed(copy, role, lambda own: replace(own, waiting=copy.store.false)), "does not wait")


def test_an_initial_state_and_an_entry_are_there() -> None:
    proof = proof_of(two("skip;", "skip;"))
    refused(
        changed(proof, "main_1", lambda own: replace(own, waiting=proof.store.false)), "an initial state is missing"
    )
    main = proof.program.procedure("main_1")
    sets = proof.conducts[Role("main_1")].path_edges
    empty = {
        **sets,
        "main_1": tuple(proof.store.false if at == main.entry else s for at, s in enumerate(sets["main_1"])),
    }
    refused(changed(proof, "main_1", lambda own: replace(own, path_edges=empty)), "the entry of 'main_1' misses")


def test_the_form_of_a_proof() -> None:
    proof = proof_of(two("g := T;", "skip;"))
    spoken, store = proof.vocabulary["main_1"], proof.store

    def with_slots(slots: dict[str, int], name: str = "main_1") -> Interference:
        return replace(proof, vocabulary={**proof.vocabulary, name: replace(proof.vocabulary[name], slots=slots)})

    other = replace(proof.program, kind=Kind.INTEGERS)
    refused(replace(proof, program=other), "misses or invents a procedure")
    refused(with_slots({**spoken.slots, "g": spoken.slots["g"] + 1}, "main_2"), "mixes variables of 'main_2' up")
    end = next(
        slot
        for slot in range(99)
        if variable(slot, Copy.ENTRY) >= store.variables or variable(slot, Copy.NEXT) >= store.variables
    )
    far = {name: replace(own, slots={"g": end}) for name, own in proof.vocabulary.items()}
    refused(replace(proof, vocabulary=far), "is beyond the store")
    negative = {name: replace(own, slots={"g": -1}) for name, own in proof.vocabulary.items()}
    refused(replace(proof, vocabulary=negative), "is beyond the store")
    conduct = proof.conducts[Role("main_1")]
    size = proof.program.procedure("main_1").size
    for location in (size, -1):
        refused(
            replace(proof, conducts={**proof.conducts, Role("main_1", location): conduct}), f"no location {location}"
        )
    nowhere = {name: (store.false,) * len(sets) for name, sets in conduct.path_edges.items()}
    nobody = Conduct(store.false, nowhere, {})
    for location in (0, size - 1):
        check(replace(proof, conducts={**proof.conducts, Role("main_1", location): nobody}))


@pytest.mark.parametrize("text", [CALLS, ENFORCED])
def test_no_state_of_procedures_that_are_called_can_be_missing(text: str) -> None:
    proof = proof_of(text)
    tried = 0
    for name, sets in proof.conducts[Role("main_1")].path_edges.items():
        for location, states in enumerate(sets):
            chosen = proof.store.pick(states)
            if chosen is None:
                continue
            rest = states & ~proof.store.assignment(chosen)
            fewer = {name: (*sets[:location], rest, *sets[location + 1 :])}
            lacking = changed(proof, "main_1", partial(with_sets, sets=fewer))
            refused(lacking, "does not hold")
            tried += 1
    assert tried > 4


def test_targets_are_places_that_no_thread_reaches() -> None:
    proof = proof_of(two("g := T;"))
    program = proof.program
    check_interference(proof, program, resolve_targets(program, "ERROR"), Budget())
    for wrong in (Target("start", "main_1", 0, 1), Target("deadlock", "", 0, 0, "deadlock")):
        with pytest.raises(InternalError, match=f"does not exclude '{wrong.name}'"):
            check_interference(proof, program, [wrong], Budget())


def test_several_threads_of_one_procedure_disturb_each_other() -> None:
    text = (
        "decl g; init(!g);\nvoid f() begin assume(!g); skip; g := T; end\nvoid e() begin assume(F); ERROR: skip; end\n"
    )
    for threads, alone in ((["f", "e"], True), (["f", "f", "e"], False)):
        result = knaster.check(text, "ERROR", engine="modular", threads=threads)
        assert isinstance(result.proof, Interference)
        proof = result.proof
        sets = proof.conducts[Role("f")].path_edges
        fewer = tuple(own & ~var(proof, "f", "g") if at == 1 else own for at, own in enumerate(sets["f"]))
        without_g = changed(proof, "f", partial(with_sets, sets={"f": fewer}))
        if alone:
            check(without_g)
        else:
            refused(without_g, "what others do leads out")


def test_no_result_of_a_call_is_the_lock() -> None:
    proof = proof_of(LOCKED.format("g := f();", "skip;") + "bool f() begin return T; end\n")
    check(proof)
    checker = _Checker(proof, Role("thread1"), Budget())
    (call,) = (e.action for e in proof.program.procedure("thread1").edges if isinstance(e.action, Call))
    now = checker._valuation("thread1", Copy.NOW)
    checker._check_call(proof.store.false, call, now, [], checker._fresh())
    with pytest.raises(InternalError, match="a call with a result for 'atomic'"):
        checker._check_call(proof.store.false, replace(call, targets=("atomic",)), now, [], checker._fresh())


def test_a_vocabulary_has_no_variable_of_its_own() -> None:
    proof = proof_of(two("g := T;", "skip;"))
    spoken, store = proof.vocabulary["main_1"], proof.store
    rigid = replace(spoken, rigid=frozenset(["g"]))
    refused(replace(proof, vocabulary={**proof.vocabulary, "main_1": rigid}), "misses or invents a variable")
    echoing = {name: replace(own, echoed=frozenset(["g"])) for name, own in proof.vocabulary.items()}
    check(replace(proof, vocabulary=echoing))
    wrong = replace(spoken, echoed=frozenset(["g", "h"]))
    refused(replace(proof, vocabulary={**proof.vocabulary, "main_1": wrong}), "has no value at its entry")
    slot = spoken.slots["g"]
    while max(variable(slot, copy) for copy in Copy) < store.variables:
        slot += 1
    last = max(variable(slot, copy) for copy in Copy)
    store.extend(last - store.variables)
    beyond = {name: replace(own, slots={"g": slot}) for name, own in proof.vocabulary.items()}
    assert last == store.variables
    refused(replace(proof, vocabulary=beyond), "is beyond the store")


def test_ghosts_are_known_and_no_variables_of_the_program() -> None:
    proof = proof_of(two("atomic_begin; g := !g; atomic_end;"))
    assert proof.ghosts is not None
    refused(replace(proof, ghosts=None), "does not know what sections do")
    locked = proof_of(LOCKED.format("g := T;", "skip;"))
    refused(replace(locked, ghosts=None), "does not know what sections do")
    for wrong in (
        proof.ghosts._replace(inside="g"),
        proof.ghosts._replace(seen={}),
        proof.ghosts._replace(seen={"g": "g"}),
    ):
        refused(replace(proof, ghosts=wrong), "mixes what was seen up")


def test_conducts_speak_of_the_procedures_of_the_program() -> None:
    proof = proof_of(two("g := T;", "skip;"))
    conduct = proof.conducts[Role("main_1")]
    refused(replace(proof, conducts={**proof.conducts, Role("nobody"): conduct}), "misses or invents a procedure")
    for sets in ({}, {**conduct.path_edges, "nobody": ()}):
        wrong = replace(proof, conducts={**proof.conducts, Role("main_1"): replace(conduct, path_edges=sets)})
        refused(wrong, "misses or invents a procedure")
    foreign = Store(proof.store.variables).true
    for states in (var(proof, "main_1", "g", Copy.NEXT), foreign):
        wrong = replace(proof, conducts={**proof.conducts, Role("main_1"): replace(conduct, waiting=states)})
        refused(wrong, "speaks of something else")
