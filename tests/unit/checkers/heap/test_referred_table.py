"""The check of a table of a reference model: it proves something about the Boolean program that it was made of."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError, ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import _reduced_proof_to_save, check_proof_text, proof_to_text
from knaster.checkers.heap.referred_table import check_referred_table, find_referred_proof
from knaster.evidence.answers.answer import Result, Unreachable
from knaster.evidence.proofs.heap.referred_table import ReferredTable, refer
from knaster.evidence.questions.question import Bound, Reach
from knaster.evidence.questions.targets import every_target
from knaster.frontends.boolean import parse
from support.kinds_of_proofs import result_with

THREADS = """decl m, g; init (!m & !g);
void main_1() begin take(); g := T; g := F; m := F; end
void main_2() begin decl l; take(); l := g; m := F; if (l) then ERROR: skip; fi end
void take() begin if (*) then take(); else atomic_begin; assume(!m); m := T; atomic_end; fi end
"""


def answer(engine: str = "transactions") -> Result:
    return knaster.check(parse(THREADS, "a.bp"), "ERROR", engine=engine)


def proof() -> ReferredTable:
    result = answer()
    found = find_referred_proof(result.program, tuple(target for target, _ in result.answers), result.proof)
    assert found is not None and "TransactionTable" in repr(found)
    return found


def test_a_proof_about_threads_is_saved_and_read() -> None:
    text = proof_to_text(answer())
    program = parse(THREADS, "a.bp")
    (target,) = check_proof_text(text, program, 10_000, Budget())
    assert target.name == "ERROR"
    with pytest.raises(ProofError, match="another program"):
        check_proof_text(text, parse(THREADS.replace("g := F;", "skip;"), "a.bp"), 10_000, Budget())


def test_each_target_is_excluded_by_the_table_itself() -> None:
    program = parse(THREADS.replace("l := g;", "l := g; HERE: skip;"), "a.bp")
    asked = tuple(target for target in every_target(program) if target.name in ("ERROR", "HERE"))
    error, here = sorted(asked, key=lambda target: target.name)
    reduction = refer(program, asked)
    (own,) = (target for target, original in reduction.targets.items() if original == error)
    table = knaster.check(reduction.program, Reach((own,)), engine="transactions").proof
    given = ReferredTable(program, asked, table)
    check_referred_table(given, program, (error,), Budget())
    for targets in ((here,), asked):
        with pytest.raises(InternalError, match="does not exclude"):
            check_referred_table(given, program, targets, Budget())


def test_a_table_of_a_bounded_answer_is_not_saved_as_one_without_a_bound() -> None:
    result = answer()
    ((target, given),) = result.answers
    assert isinstance(given, Unreachable)
    found, targets = _reduced_proof_to_save(result, [(target, given.proof, None)])
    assert isinstance(found, ReferredTable) and targets == [target]
    assert _reduced_proof_to_save(result, [(target, given.proof, Bound("switches", 1))]) == (None, ())


def test_what_is_no_proof_about_a_boolean_program() -> None:
    given = proof()
    path_edges = result_with("path_edges")
    for program, table in (
        (given.table.program, given.table),  # a model
        (given.program, "no table"),
        (path_edges.program, path_edges.proof),
        (parse(THREADS.replace("g := F;", "skip;"), "a.bp"), given.table),
    ):
        assert find_referred_proof(program, given.asked, table) is None


def test_a_changed_table_is_refused() -> None:
    given = proof()
    fewer = replace(given.table, rows=given.table.rows[1:], held=given.table.held[1:])
    with pytest.raises(InternalError, match="does not hold"):
        check_referred_table(replace(given, table=fewer), given.program, given.asked, Budget())
    with pytest.raises(InternalError, match="other targets"):
        check_referred_table(replace(given, asked=()), given.program, given.asked, Budget())
    with pytest.raises(InternalError, match="another program"):
        check_referred_table(given, parse(THREADS.replace("g := F;", "skip;"), "a.bp"), given.asked, Budget())
    other = replace(given.table, program=given.program)
    with pytest.raises(InternalError, match="another program with references"):
        check_referred_table(replace(given, table=other), given.program, given.asked, Budget())
