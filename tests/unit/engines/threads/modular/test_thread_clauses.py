"""The Horn clauses of threads of C: what their relations speak of."""

from __future__ import annotations

import pytest

from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load
from knaster.program.expression import FALSE
from knaster.transform.memory_threads.guaranteed_threads import Guarantees, before, reduce_guaranteed
from support.c_thread_texts import two_threads

pytest.importorskip("clang.cindex")
pytest.importorskip("z3")


def test_in_the_midst_of_a_step_it_is_known_how_that_began() -> None:
    from knaster.engines.threads.modular.thread_clauses import ThreadClauses
    from knaster.smt.horn import Clauses
    from knaster.smt.integers import Integers
    from knaster.smt.solver import Answer, Session
    from knaster.smt.translate import Translation

    program = load(two_threads("int i; for (i = 0; i < 9; i++); x = i;", "assert(x >= 0);"), file="a.c")
    targets, session = default_targets(program), Session()
    threads = reduce_guaranteed(program, targets, Guarantees((FALSE,) * 3))
    clauses = Clauses(session)
    asked = ThreadClauses(threads, targets, Translation(Integers(session.context, False)), clauses, False)
    part = asked.parts[1]
    outside = part.thread.ended | part.thread.idle
    inside = [columns for location, columns in part.columns.items() if location not in outside]
    assert inside and all(before("x") in columns for columns in inside)
    idle = [part.columns[location] for location in part.thread.idle]
    assert idle and not any(before("x") in columns for columns in idle)
    assert clauses.query(asked.goal(), 2_000_000) is Answer.UNSATISFIABLE
    guarantees = asked.guarantees(clauses.model(), FALSE, False)
    assert len(guarantees.steps) == 3 and not guarantees.shows
