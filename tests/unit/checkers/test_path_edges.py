"""The checker accepts what the engine proves and refuses every certificate that was tampered with."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Store
from knaster.checkers.path_edges import check_path_edges
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Task
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.questions.question import Reach, Target
from knaster.frontends.boolean import parse
from knaster.program.expression import Compare, Comparison, Var
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Action, Assume, Concurrent, Program, ThreadOperation
from knaster.program.types import Int
from support.generators.boolean_programs import random_program

Kept = TypeVar("Kept")


def prove(program: Program) -> tuple[Certificate, list[Target]]:
    """Return the certificate and the targets that it excludes."""
    places = tuple(
        Target(f"{p.name}:{location}", p.name, location, 0) for p in program.procedures for location in range(p.size)
    )
    findings = summaries(Task(program, Reach(places), Budget(), SymbolicOptions(), 1 << 14))
    assert findings.proof is not None
    proof = findings.proof()
    assert isinstance(proof, Certificate)
    return proof, [target for target in places if target not in findings.reached]


def check(certificate: Certificate, targets: list[Target]) -> None:
    check_path_edges(certificate, certificate.program, targets, Budget())


def certificates(count: int = 25) -> Iterator[tuple[Certificate, list[Target]]]:
    for seed in range(count):
        yield prove(random_program(Random(seed)))


def test_accepts_what_was_proved() -> None:
    for certificate, targets in certificates():
        check(certificate, targets)


def test_refuses_a_set_from_which_any_reachable_state_was_taken() -> None:
    """The sets are least fixed points, so taking any path edge away leaves something that does not hold."""
    for certificate, targets in certificates():
        store = certificate.store
        for name, sets in certificate.path_edges.items():
            for location, states in enumerate(sets):
                taken = store.pick(states)
                if taken is None:
                    continue
                smaller = (*sets[:location], states & ~store.assignment(taken), *sets[location + 1 :])
                with pytest.raises(InternalError):
                    check(replace(certificate, path_edges={**certificate.path_edges, name: smaller}), targets)


def test_refuses_a_target_that_is_not_excluded() -> None:
    refused = 0
    for certificate, _ in certificates():
        if certificate.path_edges["main"][0] != certificate.store.false:
            with pytest.raises(InternalError, match="does not exclude"):
                check(certificate, [Target("start", "main", 0, 0)])
            refused += 1
    assert refused > 15


def test_refuses_a_variable_that_is_called_rigid_and_written() -> None:
    refused = 0
    for certificate, targets in certificates():
        for name, spoken in certificate.vocabulary.items():
            if spoken.echoed:
                lie = replace(spoken, rigid=spoken.rigid | spoken.echoed)
                with pytest.raises(InternalError, match="rigid"):
                    check(replace(certificate, vocabulary={**certificate.vocabulary, name: lie}), targets)
                refused += 1
    assert refused > 10


def test_refuses_entry_values_that_were_forgotten() -> None:
    """Without the ENTRY copy a summary relates every entry to every exit: more than what was proved, and not closed."""
    refused = 0
    for certificate, targets in certificates(100):
        store = certificate.store
        for name, spoken in certificate.vocabulary.items():
            cube = store.cube(variable(spoken.slots[x], Copy.ENTRY) for x in spoken.echoed)
            sets, leaves = certificate.path_edges[name], certificate.program.procedure(name).exit
            wider = sets[leaves].exists(cube)
            if wider == sets[leaves]:
                continue
            changed = list(sets)
            changed[leaves] = wider
            try:
                check(replace(certificate, path_edges={**certificate.path_edges, name: tuple(changed)}), targets)
            except InternalError:
                refused += 1
    assert refused > 3


def recursive() -> tuple[Certificate, list[Target]]:
    """Return a certificate in which a parameter and a global are echoed and a parameter is rigid."""
    source = """decl g;
void main() begin decl x; x := g; f(x, T); if (g != x) then R: skip; fi end
void f(p, q) begin if (*) then p, g := !p, !g; f(p, q); g := !g; fi assume(p | q); if (!q) then Q: skip; fi end
"""
    program = parse(source, "recursive.bp")
    certificate, targets = prove(program)
    assert certificate.vocabulary["f"].echoed == {"p", "g"} and certificate.vocabulary["f"].rigid == {"q"}
    return certificate, targets


def spoken(certificate: Certificate, procedure: str, **changes: object) -> Certificate:
    changed = replace(certificate.vocabulary[procedure], **changes)  # type: ignore[arg-type]
    return replace(certificate, vocabulary={**certificate.vocabulary, procedure: changed})


def slots(certificate: Certificate, **changes: object) -> Certificate:
    return spoken(certificate, "f", slots={**certificate.vocabulary["f"].slots, **changes})


def with_sets(certificate: Certificate, sets: object) -> Certificate:
    return replace(certificate, path_edges={**certificate.path_edges, "f": sets})  # type: ignore[dict-item]


def without(mapping: Mapping[str, Kept], key: str) -> dict[str, Kept]:
    return {other: value for other, value in mapping.items() if other != key}


def mentioning(certificate: Certificate, index: int) -> Certificate:
    """Return a certificate whose set at f's entry is split by a variable, without losing a state."""
    first, *rest = certificate.path_edges["f"]
    store = certificate.store
    return with_sets(certificate, (first & store.var(index) | first & ~store.var(index) & store.var(index - 1), *rest))


LIES: Mapping[str, tuple[Callable[[Certificate], Certificate], str]] = {
    "of another program": (lambda c: replace(c, program=replace(c.program)), "another program"),
    "no vocabulary": (lambda c: replace(c, vocabulary=without(c.vocabulary, "f")), "a procedure"),
    "no sets": (lambda c: replace(c, path_edges=without(c.path_edges, "f")), "a procedure"),
    "an invented procedure": (lambda c: replace(c, path_edges={**c.path_edges, "h": ()}), "a procedure"),
    "a shared slot": (lambda c: slots(c, p=c.vocabulary["f"].slots["g"]), "share a slot"),
    "a missing variable": (lambda c: spoken(c, "f", slots=without(c.vocabulary["f"].slots, "p")), "a variable"),
    "an invented variable": (lambda c: slots(c, z=1), "a variable"),
    "a negative slot": (lambda c: slots(c, p=-1), "from 0 on"),
    "a slot that is no number": (lambda c: slots(c, p=True), "from 0 on"),
    "a slot too large": (lambda c: slots(c, p=c.store.variables // 3), "beyond the store"),
    "rigid and unknown": (lambda c: spoken(c, "f", rigid=frozenset({"z"})), "rigid or echoed"),
    "echoed and unknown": (lambda c: spoken(c, "f", echoed=frozenset({"z"})), "rigid or echoed"),
    "an echoed local": (lambda c: spoken(c, "main", echoed=frozenset({"x"})), "rigid or echoed"),
    "not echoed": (lambda c: spoken(c, "f", echoed=frozenset({"p"})), "mentions"),
    "a missing set": (lambda c: with_sets(c, c.path_edges["f"][:-1]), "sets for"),
    "a set too many": (lambda c: with_sets(c, (*c.path_edges["f"], c.store.false)), "sets for"),
    "a set that is none": (lambda c: with_sets(c, (None, *c.path_edges["f"][1:])), "store"),
    "a set of another store": (
        lambda c: with_sets(c, (Store(c.store.variables, 1 << 10).true, *c.path_edges["f"][1:])),
        "store",
    ),
    "another store": (lambda c: replace(c, store=Store(c.store.variables, 1 << 10)), "store"),
    "no store": (lambda c: replace(c, store=None), "no store"),  # type: ignore[arg-type]
    "the next value": (lambda c: mentioning(c, variable(0, Copy.NEXT)), "mentions"),
    "no slot": (lambda c: mentioning(c, c.store.extend(3)[1]), "mentions"),
}


@pytest.mark.parametrize("lie", LIES)
def test_refuses_what_has_not_the_form_of_a_certificate(lie: str) -> None:
    certificate, targets = recursive()
    change, message = LIES[lie]
    check(certificate, targets)
    with pytest.raises(InternalError, match=message):
        check_path_edges(change(certificate), certificate.program, targets, Budget())


@pytest.mark.parametrize("place", [("f", 99), ("f", -1), ("nowhere", 0)])
def test_refuses_a_target_that_is_no_place(place: tuple[str, int]) -> None:
    certificate, _ = recursive()
    with pytest.raises(InternalError, match="no place"):
        check(certificate, [Target("T", *place, 1)])


def test_refuses_threads_and_numbers() -> None:
    certificate, targets = recursive()
    for other in (
        replace(certificate.program, threads=("main", "main")),
        replace(certificate.program, types=(("g", Int(8, True)),)),
    ):
        with pytest.raises(InternalError, match="no certificate covers"):
            check_path_edges(replace(certificate, program=other), other, targets, Budget())


def test_refuses_actions_and_expressions_that_it_does_not_know() -> None:
    certificate, _ = recursive()
    main = certificate.program.procedure("main")
    strange: tuple[Action, ...] = (
        Concurrent(ThreadOperation.ATOMIC_BEGIN),
        Assume(Compare(Comparison.EQUAL, Var("g"), Var("x"))),
    )
    for action in strange:
        edges = (replace(main.edges[0], action=action), *main.edges[1:])
        others = tuple(replace(p, edges=edges) if p is main else p for p in certificate.program.procedures)
        other = replace(certificate.program, procedures=others)
        with pytest.raises(InternalError, match="no certificate covers"):
            check_path_edges(replace(certificate, program=other), other, [], Budget())


def test_what_a_callee_says_of_a_parameter_that_it_keeps_is_known_after_the_call() -> None:
    text = "decl g; void main() begin f(F); f(T); if (!g) then R: skip; fi end void f(x) begin g := x; end\n"
    program = parse(text)
    certificate, excluded = prove(program)
    assert certificate.vocabulary["f"].rigid == {"x"}
    (place,) = (at for label, at in program.procedure("main").labels if label == "R")
    assert ("main", place) in {target.place for target in excluded}
    check_path_edges(certificate, program, excluded, Budget())


def test_the_last_variable_of_a_slot_is_in_the_store() -> None:
    program = parse("decl g; void main() begin skip; end\n")
    certificate, _ = prove(program)
    store, slot = certificate.store, 0
    while variable(slot, Copy.NEXT) < store.variables:
        slot += 1
    store.extend(variable(slot, Copy.NEXT) - store.variables)
    moved = {"main": replace(certificate.vocabulary["main"], slots={"g": slot})}
    sets = {"main": tuple(store.true for _ in certificate.path_edges["main"])}
    wrong = replace(certificate, vocabulary=moved, path_edges=sets)
    with pytest.raises(InternalError, match="beyond the store"):
        check_path_edges(wrong, program, (), Budget())
    store.extend(1)
    check_path_edges(wrong, program, (), Budget())
