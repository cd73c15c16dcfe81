"""Fair tables: one with a row less, or of another question, is refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.automaton import Automaton
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.fair_table import check_fair_table
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.fair_table import FairTable
from knaster.evidence.questions.question import Termination

BUSY = "decl x := 0; void main_1() begin while (!x) do skip; od end void main_2() begin x := 1; end\n"


def table(asked: str, fair: str) -> FairTable:
    ((_, answer),) = knaster.check(BUSY, property=asked, fair=fair, engine="explicit").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairTable)
    return answer.proof


@pytest.mark.parametrize("asked", ["termination", "F ended"])
def test_every_row_is_needed(asked: str) -> None:
    proof = table(asked, "weak")
    check_fair_table(proof, proof.program, Budget())
    for at in range(len(proof.rows)):
        less = replace(proof, rows=proof.rows[:at] + proof.rows[at + 1 :])
        with pytest.raises(InternalError):
            check_fair_table(less, proof.program, Budget())


def test_another_question_is_not_answered() -> None:
    proof = table("termination", "weak")
    for wrong in (
        replace(proof, question=Termination()),
        replace(proof, automaton=Automaton(1, (), ())),
        replace(table("F ended", "weak"), automaton=Automaton(1, (0,), ())),
    ):
        with pytest.raises(InternalError):
            check_fair_table(wrong, wrong.program, Budget())
    other = knaster.parse(BUSY)
    with pytest.raises(InternalError):
        check_fair_table(proof, other, Budget())
