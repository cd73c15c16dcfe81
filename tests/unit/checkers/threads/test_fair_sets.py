"""The check of fair sets: it accepts those of the engine and refuses every damaged one."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.automaton import Automaton
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.threads.fair_sets import check_fair_sets
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.threads.fair_sets import FairSets, Removal
from knaster.evidence.questions.question import Termination
from knaster.program.layout.lanes import make_lanes
from support.thread_questions import QUESTIONS

TRUE = [(text, asked, fair) for text, asked, fair, true in QUESTIONS if true]


def sets_of(text: str, asked: str, fair: str) -> FairSets:
    ((_, answer),) = knaster.check(text, property=asked, fair=fair, engine="states").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairSets)
    return answer.proof


def refuse(proof: FairSets) -> None:
    with pytest.raises(InternalError):
        check_fair_sets(proof, proof.program, Budget())


@pytest.mark.parametrize(("text", "asked", "fair"), TRUE)
def test_every_part_is_needed(text: str, asked: str, fair: str) -> None:
    proof = sets_of(text, asked, fair)
    check_fair_sets(proof, proof.program, Budget())
    for site, states in proof.reached.items():
        less = {each: part for each, part in proof.reached.items() if each != site}
        refuse(replace(proof, reached=less))
        one = proof.store.assignment(proof.store.pick(states) or {})
        refuse(replace(proof, reached={**proof.reached, site: states & ~one}))
    if proof.removals:
        refuse(replace(proof, removals=proof.removals[:-1]))
        refuse(
            replace(proof, removals=(Removal("accepts", 0, {}),))
            if len(proof.removals) > 1
            else replace(proof, removals=())
        )


def test_what_is_kept_is_needed() -> None:
    seen = 0
    for text, asked, fair in TRUE:
        proof = sets_of(text, asked, fair)
        for number, removal in enumerate(proof.removals):
            for site in removal.kept:
                kept = {each: states for each, states in removal.kept.items() if each != site}
                less = removal._replace(kept=kept)
                refuse(replace(proof, removals=(*proof.removals[:number], less, *proof.removals[number + 1 :])))
                seen += 1
    assert seen > 3


def test_another_question_is_not_answered() -> None:
    text, asked, fair = next(each for each in TRUE if each[2] == "strong" and each[1] == "F R")
    proof = sets_of(text, asked, fair)
    for other in ("none", "weak"):
        refuse(replace(proof, question=replace(proof.question, fair=other)))
    refuse(replace(proof, question=Termination(fair=fair)))
    refuse(replace(proof, automaton=Automaton(1, (), ())))
    refuse(replace(proof, lanes=make_lanes(proof.program, 0, True)))
    with pytest.raises(InternalError):
        check_fair_sets(proof, knaster.parse(text), Budget())
