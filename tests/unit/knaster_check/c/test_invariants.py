"""The kernel's check of invariants: what Knaster proves of C is accepted, what is changed or left out is refused."""

from __future__ import annotations

import json

import pytest

from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.c import parse
from knaster_check import Refused, check, read_program
from support.c_proofs import READ, SAFE, prove
from support.kernel import claims, document, kernel, kernel_of


@pytest.mark.parametrize("name", SAFE)
def test_what_is_proved_is_accepted(name: str) -> None:
    result = prove(*SAFE[name])
    assert isinstance(result.proof, Invariants)
    verdict = kernel_of(result)
    assert verdict.claim == "unreachable" and verdict.targets and sum(verdict.answered.values()) > 3


SUM = parse(READ + "int main(void) { int i = 0, s = 0; while (i < 9) { i++; s += 2; } if (s != 18) reach_error(); }")


@pytest.mark.parametrize(
    "said", ["s == 2 * i and i <= 9", "s == i + i and i < 10", "i <= 9 and s // 2 == i and s % 2 == 0"]
)
def test_invariants_by_hand(said: str) -> None:
    assert kernel(SUM, document(SUM, {"invariants": claims(SUM, {"main": {"0": said}})})).claim == "unreachable"


@pytest.mark.parametrize(
    "said", ["True", "s == 2 * i", "i <= 9", "s == 2 * i and i <= 8", "s == 18", "s", "i + 1", "False", ""]
)
def test_what_is_no_invariant_is_refused(said: str) -> None:
    with pytest.raises(Refused):
        kernel(SUM, document(SUM, {"invariants": claims(SUM, {"main": {"0": said}})}))


CALLS = parse(
    READ + "int g; void up(int n) { g = g + n; }\n"
    "void twice(int n) { up(n); up(n); }\n"
    "int main(void) { g = 0; for (int i = 0; i < 3; i++) { g = 0; twice(1); } if (g > 2) reach_error(); }"
)


def test_a_procedure_of_which_nothing_is_said_is_walked_through() -> None:
    said = {"main": {"0": "g <= 2"}}
    assert kernel(CALLS, document(CALLS, {"invariants": claims(CALLS, said)})).claim == "unreachable"


def test_a_procedure_is_stepped_over_by_what_is_said() -> None:
    up = {"requires": "old(n) == 1", "entry": "n == 1 and g == old(g)", "exit": "g == old(g) + 1 or g < 0"}
    said = {"main": {"0": "g <= 2"}, "up": up}
    with pytest.raises(Refused, match="invariant at location"):
        kernel(CALLS, document(CALLS, {"invariants": claims(CALLS, {**said, "up": {**up, "exit": "g == old(g)"}})}))
    assert kernel(CALLS, document(CALLS, {"invariants": claims(CALLS, said)})).claim == "unreachable"
    other = {**up, "requires": "old(n) == 2", "entry": "True", "exit": "False"}
    with pytest.raises(Refused):
        kernel(CALLS, document(CALLS, {"invariants": claims(CALLS, {**said, "up": other})}))


LOOPS = "int g; void f(void) { while (g > 0) g--; }\nint main(void) { g = 3; f(); if (g != 0) reach_error(); }"


def test_a_procedure_with_a_loop_of_which_nothing_is_said_must_not_be_called() -> None:
    program = parse(READ + LOOPS)
    with pytest.raises(Refused, match="'f'"):
        kernel(program, document(program, {"invariants": claims(program, {"main": {}})}))


def test_a_proof_without_targets_is_none() -> None:
    with pytest.raises(Refused, match="no target"):
        kernel(SUM, document(SUM, {"invariants": claims(SUM, {"main": {}})}, excludes=False))


def test_a_loop_of_which_nothing_is_said_is_named() -> None:
    with pytest.raises(Refused, match="which is in a cycle"):
        kernel(SUM, document(SUM, {"invariants": claims(SUM, {"main": {"0": ""}})}))


def test_an_argument_that_has_a_value_is_defined() -> None:
    text = "int g; void f(int n) { g = n; }\nint main(void) { int x = read(); f(10 / x); if (x == 0) reach_error(); }"
    program = parse(READ + text)
    assert kernel(program, document(program, {"invariants": claims(program, {"main": {}})})).claim == "unreachable"


def test_a_target_at_the_exit_of_a_procedure_that_is_walked_through() -> None:
    program = parse(READ + "int g; void f(void) { g = 1; }\nint main(void) { f(); if (g != 1) reach_error(); }")
    data = json.loads(program_to_kernel(program))
    (own,) = [procedure for procedure in data["procedures"] if procedure["name"] == "f"]
    own["labels"] = [["L", own["exit"]]]
    proof = document(program, {"invariants": claims(program, {"main": {}})})
    assert check(read_program(json.dumps(data)), json.dumps(proof)).claim == "unreachable"
    proof["targets"] = [{"name": "L", "procedure": "f", "location": own["exit"]}]
    with pytest.raises(Refused, match="L may be reached"):
        check(read_program(json.dumps(data)), json.dumps(proof))


RECURSIVE = (
    "int g; void f(int n); void h(int n) { f(n - 1); } void f(int n) { if (n > 0) h(n); else g = 1; }\n"
    "int main(void) { f(3); if (g != 1) reach_error(); }"
)


def test_procedures_that_call_each_other_are_not_walked_through() -> None:
    program = parse(READ + RECURSIVE)
    with pytest.raises(Refused, match="requires may not hold"):
        kernel(program, document(program, {"invariants": claims(program, {"main": {}})}))
