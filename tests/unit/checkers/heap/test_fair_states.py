"""Fair states: one row less, another question or automaton are refused."""

from __future__ import annotations

import pytest

from knaster.automata.automaton import Automaton
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.heap.fair_states import check_fair_states
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.heap.fair_states import FairStates
from knaster.evidence.questions.question import Termination
from support.kinds_of_proofs import result_with


def table() -> FairStates:
    ((_, answer),) = result_with("fair_states").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairStates)
    return answer.proof


def test_every_row_is_needed() -> None:
    proof = table()
    check_fair_states(proof, proof.program, Budget())
    for at in range(0, len(proof.rows), 5):
        less = replace(proof, rows=proof.rows[:at] + proof.rows[at + 1 :])
        with pytest.raises(InternalError):
            check_fair_states(less, proof.program, Budget())


def test_another_question_is_not_answered() -> None:
    proof = table()
    for wrong in (replace(proof, question=Termination()), replace(proof, automaton=Automaton(1, (0,), ()))):
        with pytest.raises(InternalError):
            check_fair_states(wrong, wrong.program, Budget())
