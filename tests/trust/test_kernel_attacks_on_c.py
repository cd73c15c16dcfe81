"""Proofs about C that are wrong, each in its own way, and made by hand: the kernel believes none of them.

Each group has a program, a proof that is right (so that nothing is refused for another reason) and wrong ones.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.attacks.on_invariants import CALL_ATTACKS, CALLS, FORMS, MAIN, OTHER, SIGNED, SUM, UP, WRONG
from support.c_attacks import invariants, program_of, refuses
from support.kernel import document, formula, kernel


@pytest.mark.parametrize(("name", "said"), WRONG)
def test_wrong_invariants(name: str, said: str) -> None:
    program = program_of(MAIN[name][0])
    refuses(program, invariants(program, {"main": {"0": said}}))


@pytest.mark.parametrize("name", MAIN)
def test_the_right_ones_are_believed(name: str) -> None:
    program, right = program_of(MAIN[name][0]), MAIN[name][1]
    if right:
        assert kernel(program, invariants(program, {"main": {"0": right}})).claim == "unreachable"
    else:  # the error is reachable, so nothing is right
        refuses(program, invariants(program, {"main": {}}))


def test_what_holds_of_mathematical_integers_is_none_of_machine_integers() -> None:
    text = SIGNED
    mathematical = program_of(text, "mathematical")
    proof = invariants(mathematical, {"main": {"0": "x >= i"}})
    assert kernel(mathematical, proof).claim == "unreachable"
    machine = program_of(text)
    refuses(machine, proof)
    refuses(machine, {**proof, "reading": dict(machine.reading)})
    refuses(machine, {**proof, "reading": dict(machine.reading), "program": document(machine, {})["program"]})


@pytest.mark.parametrize("name", CALL_ATTACKS)
def test_wrong_contracts(name: str) -> None:
    program = program_of(CALLS)
    assert kernel(program, invariants(program, {"main": {}, "up": UP})).claim == "unreachable"
    refuses(program, invariants(program, CALL_ATTACKS[name]))


@pytest.mark.parametrize("name", OTHER)
def test_the_proof_of_another_text(name: str) -> None:
    text, right = SUM, MAIN["sum"][1]
    program, changed = program_of(text), program_of(text.replace(*OTHER[name]))
    proof = invariants(program, {"main": {"0": right}})
    refuses(changed, proof)
    forged = {**document(changed, {}), "invariants": proof["invariants"]}
    refuses(changed, forged)
    refuses(changed, invariants(changed, {"main": {"0": right}}))


@pytest.mark.parametrize("name", FORMS)
def test_what_is_no_formula(name: str) -> None:
    program = program_of(SUM)
    proof = invariants(program, {"main": {"0": MAIN["sum"][1]}})
    for row in proof["invariants"]["at"]:
        changed = json.loads(json.dumps(proof))
        changed["invariants"]["at"][proof["invariants"]["at"].index(row)][2] = FORMS[name]
        refuses(program, changed)
    changed = {**proof, "invariants": {**proof["invariants"], "requires": [["main", FORMS[name]]]}}
    refuses(program, changed)


def test_places_and_targets_that_are_none() -> None:
    program = program_of(SUM)
    proof = invariants(program, {"main": {"0": MAIN["sum"][1]}})
    (target,) = proof["targets"]
    rows = proof["invariants"]["at"]
    true = formula("True")
    for said in ([*rows, ["main", 10_000, true]], [*rows, ["main", -1, true]], [*rows, ["main", True, true]]):
        refuses(program, {**proof, "invariants": {**proof["invariants"], "at": said}})
    for said in ([*rows, rows[-1]], [*rows, ["nobody", 0, true]], [*rows, ["main", "0", true]], rows[:-1], rows[1:]):
        refuses(program, {**proof, "invariants": {**proof["invariants"], "at": said}})
    others: list[dict[str, Any]] = [
        {**target, "location": 1},
        {**target, "procedure": "main"},
        {**target, "name": "x"},
        {},
    ]
    for other in others:
        refuses(program, {**proof, "targets": [other]})
    refuses(program, {**proof, "targets": []})
    changes: list[dict[str, Any]] = [{"entry": "f"}, {"version": 2}, {"format": "proof"}, {"more": 1}, {"reading": {}}]
    for change in changes:
        refuses(program, {**proof, **change})
