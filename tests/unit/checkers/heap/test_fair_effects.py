"""Fair effects: one row or effect less, another question or automaton, and a table with a cycle are refused."""

from __future__ import annotations

import pytest

from knaster.automata.automaton import Automaton
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.heap.fair_effects import check_fair_effects, failures
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.heap.effect_table import EffectTable
from knaster.evidence.proofs.heap.fair_effects import FairEffects
from knaster.evidence.questions.properties import property_named
from knaster.evidence.questions.question import Temporal, Termination
from knaster.frontends.zing import parse
from knaster.semantics.heap.failure import ASSERTION, ENDLESS, KINDS
from support.kinds_of_proofs import result_with


def table() -> FairEffects:
    ((_, answer),) = result_with("fair_effects").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairEffects)
    return answer.proof


def refuses(proof: FairEffects) -> None:
    with pytest.raises(InternalError):
        check_fair_effects(proof, proof.program, Budget())


def test_every_row_is_needed() -> None:
    proof = table()
    check_fair_effects(proof, proof.program, Budget())
    roots = proof.table.roots
    for number, root in enumerate(roots):
        for less in (replace(root, paths=root.paths[1:]), replace(root, effects=())):
            if less != root:
                refuses(replace(proof, table=EffectTable(proof.program, (*roots[:number], less, *roots[number + 1 :]))))


def test_every_failure_but_an_assertion_and_a_region_for_ever_would_end_a_run_unasked() -> None:
    assert [target.kind for target in failures()] == [kind for kind in KINDS if kind not in (ASSERTION, ENDLESS)]


def test_models_without_a_product() -> None:
    proof = table()
    for more in ("activate static void second() { }", "static void never() { raise Bad; }"):
        text = proof.program.source.replace("};\n", more + " };\n")
        assert text.count(more) == 1
        program = parse(text, proof.program.file)
        with pytest.raises(InternalError, match="not about such a model"):
            check_fair_effects(replace(proof, program=program), program, Budget())


def test_another_question_is_not_answered() -> None:
    proof = table()
    refuses(replace(proof, question=Termination()))
    refuses(replace(proof, automaton=Automaton(1, (0,), ())))
    opposite = property_named("G !ended").question
    assert isinstance(opposite, Temporal)
    refuses(replace(proof, question=opposite))
