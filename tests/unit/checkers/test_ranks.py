"""The check of ranks: it accepts those of the engine, and refuses every damaged one."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.automata.automaton import Automaton
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.ranks import check_ranks
from knaster.evidence.proofs.ranks import Ranks
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.properties import property_named
from knaster.evidence.questions.question import Temporal, Termination
from support.temporal_programs import questions

TRUE = [(text, asked) for _, text, asked, true in questions() if true]
COUNT = """void main() begin count(1, 1); R: skip; end
void count(x, y) begin L: skip; if (x | y) then count(x & y, x & !y); fi end"""


def ranks_of(text: str, asked: str) -> Ranks:
    result = knaster.check(text + "\n", property=asked)
    assert isinstance(result.proof, Ranks)
    return result.proof


def refuse(proof: Ranks, match: str) -> None:
    with pytest.raises(InternalError, match=match):
        check_ranks(proof, proof.program, Budget())


@pytest.mark.parametrize(("text", "asked"), TRUE[::4])
def test_ranks_of_the_engine_hold(text: str, asked: str) -> None:
    proof = ranks_of(text, asked)
    check_ranks(proof, proof.program, Budget())


def test_a_set_that_is_left_out_is_missed() -> None:
    proof = ranks_of(COUNT, "termination")
    assert proof.highest > 2
    seen = 0
    for place, sets in proof.sets.items():
        if sets:
            seen += 1
            refuse(replace(proof, sets={**proof.sets, place: sets[:-1]}), "grows|does not fall")
    assert seen > 3


def test_a_set_that_is_too_large_is_missed() -> None:
    proof = ranks_of(COUNT, "termination")
    for place, sets in proof.sets.items():
        if sets and place[0] == "count":
            everything = (*sets, *(proof.certificate.store.true for _ in range(5)))
            refuse(replace(proof, sets={**proof.sets, place: everything}), "grows|does not fall")
            break


def test_ranks_may_not_grow_over_a_call() -> None:
    text = "void main() begin f(); end void f() begin f(); end"
    proof = ranks_of("void main() begin f(); end void f() begin skip; end", "termination")
    from knaster.frontends.boolean import parse

    other = parse(text + "\n", "<text>", "default", None)
    refuse(replace(proof, program=other), "certificate|grows|fall|slot|locations|variable")


def test_the_program_the_question_and_the_automaton_belong_together() -> None:
    proof = ranks_of(COUNT, "termination")
    with pytest.raises(InternalError, match="another program"):
        check_ranks(proof, ranks_of(COUNT, "F ended").program, Budget())
    empty = Automaton(1, (0,), ())
    refuse(replace(proof, automaton=empty), "not the one of termination")
    formula = property_named("G !L").question
    assert isinstance(formula, Temporal)
    for automaton in (empty, EVERYTHING):
        refuse(
            replace(proof, question=formula, automaton=automaton), "misses|certificate|rank|locations|procedure|slot"
        )
    assert isinstance(proof.question, Termination)


def test_path_edges_have_to_hold_too() -> None:
    proof = ranks_of(COUNT, "termination")
    none = proof.certificate.store.false
    edges = {name: tuple(none for _ in sets) for name, sets in proof.certificate.path_edges.items()}
    refuse(replace(proof, certificate=replace(proof.certificate, path_edges=edges)), "initial state")
