"""Programs as Horn clauses: the proof solves them, a wrong one does not, and z3 finds a solution of its own."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from knaster.base.limits import Budget
from knaster.checkers.c.bit_vectors import BitVectors
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.targets import every_target
from knaster.program.expression import TRUE
from knaster.report.scripts.files import script_of
from knaster.report.scripts.horn_clauses import clauses_to_text
from support.c_proofs import SAFE, both, prove
from support.scripts import answers_of_z3


def alone(text: str) -> str:
    """Return the clauses without their solution, as the head of the file says."""
    lines = [line.removeprefix(";horn ") for line in text.splitlines() if not line.endswith("; solution")]
    return "\n".join(lines)


@pytest.mark.parametrize("name", SAFE)
def test_the_proof_is_a_solution_for_both_solvers(name: str) -> None:
    text = script_of(prove(*SAFE[name]), "p.chc", Budget())
    assert set(both(text)) == {"unsat"}
    clauses = alone(text)
    assert clauses.count("(declare-fun ") == text.count("(define-fun ") and "(define-fun " not in clauses
    assert clauses.count("(assert") == text.count("(assert (not")


def test_the_clauses_alone_are_a_question_for_a_solver_of_clauses() -> None:
    clauses = alone(script_of(prove(*SAFE["loop"]), "p.chc", Budget()))
    assert answers_of_z3(clauses) == ["sat"]


def test_the_clauses_of_a_program_that_can_fail_have_no_solution() -> None:
    text = script_of(prove(*SAFE["loop"]), "p.chc", Budget())
    broken = re.sub(r"\(_ bv18 32\)", "(_ bv16 32)", text)
    assert broken != text and "sat" in both(broken)
    assert answers_of_z3(alone(broken)) == ["unsat"]


@pytest.mark.parametrize("name", ["loop", "array", "recursion"])
def test_a_wrong_proof_is_no_solution(name: str) -> None:
    proof = prove(*SAFE[name]).proof
    assert isinstance(proof, Invariants)
    forgotten = replace(proof, at=dict.fromkeys(proof.at, TRUE), requires=dict.fromkeys(proof.requires, TRUE))
    said = both(clauses_to_text(forgotten, every_target(proof.program), BitVectors, "nothing", Budget()))
    half = len(said) // 2
    assert "sat" in said[:half] and "sat" in said[half:]


def test_variables_with_names_of_smt_lib_are_no_operators_of_it() -> None:
    loop = "int and = 0, store = 0; while (and < 9) { and++; store += 2; }"
    text = f"int main(void) {{ {loop} if (store != 18) reach_error(); }}"
    assert set(both(script_of(prove(text, "horn"), "p.chc", Budget()))) == {"unsat"}
