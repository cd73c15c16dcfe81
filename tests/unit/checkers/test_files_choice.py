"""Which proof or run of a result is saved, and why none is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import _check_document, _run_to_save, _why_none, examine, proof_to_save, proof_to_text
from knaster.evidence.answers.answer import Reachable, Unknown, Unreachable
from knaster.evidence.questions.question import Bound, Reach, Target
from knaster.program.expression import TRUE
from knaster.program.model import Kind

ONE, TWO = Bound("switches", 1), Bound("switches", 2)
A, B, C = (Target(name, "main", number, 1) for number, name in enumerate("abc"))
PROGRAM: Any = SimpleNamespace(kind=Kind.BOOLEAN)


def proof(bound: Bound | None = None, program: Any = PROGRAM) -> Any:
    return SimpleNamespace(program=program, bound=bound)


def result(*answers: tuple[Target, Any], program: Any = PROGRAM) -> Any:
    return SimpleNamespace(program=program, answers=answers, question=Reach(tuple(target for target, _ in answers)))


def unreachable(given: Any, bound: Bound | None, checked: bool = True) -> Unreachable:
    return Unreachable(given, bound, checked=checked)


def test_what_holds_without_a_bound_comes_first() -> None:
    bounded, whole = proof(ONE), proof()
    found = result((A, unreachable(bounded, ONE)), (B, unreachable(whole, None)), (C, unreachable(whole, None)))
    assert proof_to_save(found) == (whole, [B, C])
    assert proof_to_save(result((A, unreachable(bounded, ONE)), (B, Unknown("why")))) == (bounded, [A])


def test_an_answer_and_its_proof_have_both_a_bound_or_none() -> None:
    assert proof_to_save(result((A, unreachable(proof(ONE), None)))) == (None, ())
    assert proof_to_save(result((A, unreachable(proof(), ONE)))) == (None, ())


def test_only_what_was_checked_and_is_of_this_program() -> None:
    assert proof_to_save(result((A, unreachable(proof(), None, checked=False)))) == (None, ())
    assert proof_to_save(result((A, unreachable(proof(program=None), None)))) == (None, ())
    assert proof_to_save(result((A, unreachable(None, None)))) == (None, ())


def test_runs_to_places_failures_of_a_heap_and_deadlocks() -> None:
    run: Any = SimpleNamespace()
    reached = Reachable(run, checked=True)
    assert _run_to_save(result((A, reached))) == (run, [A])
    assert _run_to_save(result((A, Reachable(run)))) == (None, ())
    heap: Any = SimpleNamespace(kind=Kind.REFERENCES)
    deadlock = Target("deadlock", "", 0, 0, "deadlock")
    assert _run_to_save(result((A, reached), program=heap)) == (run, [A])
    assert _run_to_save(result((deadlock, reached), program=heap)) == (run, [deadlock])
    assert _run_to_save(result((deadlock, reached))) == (run, [deadlock])
    assert _run_to_save(result((Target("c", "main", 0, 1, condition=TRUE), reached))) == (None, ())


def test_why_there_is_none() -> None:
    other = proof(program=None)
    assert _why_none(result((A, unreachable(other, None)))).startswith("its proof is about another program")
    assert _why_none(result((A, unreachable(None, ONE, checked=False)))) == "no target was proved to be unreachable"
    assert _why_none(result((A, Reachable(None, checked=True)))) == "no target was proved to be unreachable"


def test_any_number_of_threads_needs_a_proof_that_speaks_of_them() -> None:
    text = "decl g; init(!g);\nvoid main_1() begin skip; end\nvoid main_2() begin if (g) then R: skip; fi end\n"
    for engine, holds in (("modular", True), ("states", False)):
        found = knaster.check(text, "R", engine=engine)
        saved = proof_to_text(found)
        assert examine(saved, found.program, 1 << 12, Budget()).targets
        if holds:
            assert examine(saved, found.program, 1 << 12, Budget(), endless=True).targets
        else:
            with pytest.raises(ProofError, match="about 2 threads, not about any number of them"):
                examine(saved, found.program, 1 << 12, Budget(), endless=True)


@pytest.mark.parametrize(("broken", "said"), [("it has no row", "does not hold: it has no row"), ("", "out of range")])
def test_what_is_said_of_a_file_that_is_broken(broken: str, said: str) -> None:
    """A kind that says what a mistake of its reader means is believed; of others the mistake itself is raised."""

    def read(*_: object) -> object:
        raise IndexError("list index out of range")

    kind: Any = SimpleNamespace(from_fields=read, broken=broken, excludes="", reaches="", ends="")
    with pytest.raises(ProofError if broken else IndexError, match=said):
        _check_document(kind, {}, PROGRAM, (), 10, Budget())
