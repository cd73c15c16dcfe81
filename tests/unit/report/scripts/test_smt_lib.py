"""Obligations as scripts: z3 and cvc5 read them and say `unsat` to each; of a wrong proof one is `sat`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.limits import Budget
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.evidence.questions.targets import every_target
from knaster.program.expression import TRUE, Const
from knaster.program.model import Program
from knaster.report.scripts.files import script_of
from knaster.report.scripts.listing import list_chapters, pick_arithmetics
from knaster.report.scripts.smt_lib import describe_place, obligations_to_text
from support.c_proofs import ENDLESS, ENDS, SAFE, both, prove


@pytest.mark.parametrize("name", SAFE)
def test_invariants_hold_for_both_solvers(name: str) -> None:
    result = prove(*SAFE[name])
    assert isinstance(result.proof, Invariants), result.to_text()
    text = script_of(result, "p.smt2", Budget())
    assert set(both(text)) == {"unsat"}
    assert "p.c: reach_error is never reached" in text or "p.c: reach_error" in text


def test_a_measure_decreases_for_both_solvers() -> None:
    result = prove(ENDS, termination=True)
    assert isinstance(result.proof, Ranking), result.to_text()
    text = script_of(result, "p.smt2", Budget())
    assert "---- the invariants hold" in text and "---- the measure decreases" in text
    assert set(both(text)) == {"unsat"}


def test_a_recurrent_set_is_one_for_both_solvers() -> None:
    result = prove(ENDLESS, termination=True)
    text = script_of(result, "p.smt2", Budget())
    assert "a run never ends, once it is in one of these sets" in text
    assert set(both(text)) == {"unsat"}


def wrong_script(proof: object, program: Program) -> str:
    """Return the script of a proof that nobody has checked."""
    targets = every_target(program) if isinstance(proof, Invariants) else ()
    chapters = list(list_chapters(proof, program, targets, Budget()))
    return obligations_to_text(program, [(one, [None] * len(one.obligations)) for one in chapters], "nothing")


@pytest.mark.parametrize("name", ["loop", "array", "recursion"])
def test_a_wrong_invariant_breaks_a_question(name: str) -> None:
    proof = prove(*SAFE[name]).proof
    assert isinstance(proof, Invariants)
    forgotten = replace(proof, at=dict.fromkeys(proof.at, TRUE), requires=dict.fromkeys(proof.requires, TRUE))
    said = both(wrong_script(forgotten, proof.program))
    half = len(said) // 2
    assert "sat" in said[:half] and "sat" in said[half:]


def test_a_wrong_measure_breaks_a_question() -> None:
    proof = prove(ENDS, termination=True).proof
    assert isinstance(proof, Ranking)
    constant = replace(proof, measures={place: (Const(1),) for place in proof.measures})
    said = both(wrong_script(constant, proof.program))
    half = len(said) // 2
    assert "sat" in said[:half] and "sat" in said[half:]


def test_a_question_says_which_line_it_is_about() -> None:
    result = prove(SAFE["loop"][0], "horn")
    assert "'main' (main, line 2)" in script_of(result, "p.smt2", Budget())
    assert describe_place(result.program, ("main", result.program.procedure("main").entry)) == "main, line 2"


def test_the_arithmetic_is_one_in_which_a_solver_answers() -> None:
    result = prove(*SAFE["loop"])
    (chapter,) = list_chapters(result.proof, result.program, every_target(result.program), Budget())
    assert len(pick_arithmetics(chapter, Budget())) == len(chapter.obligations)
