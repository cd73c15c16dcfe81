"""A proof within a bound for methods for threads that have none: that of the sequential program for the bound.

It says the same as the method by another way: the reduction of A. Lal and T. Reps, Reducing Concurrent Analysis Under a
Context Bound to Sequential Analysis (CAV 2008), and path edges of the sequential program, which are checked.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.threads.sequential_program import check_sequential_program
from knaster.engines.boolean import SummariesOptions
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.contract import Task
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.proofs.threads.sequential_program import SequentialProof
from knaster.evidence.questions.question import Bound, Reach, Target
from knaster.transform.threads.sequentialize import sequentialize


def bounded_proof(task: Task, targets: Sequence[Target], bound: Bound) -> SequentialProof:
    """Return a proof by the sequential program for a bound that excludes the targets; it was checked.

    Raises `InternalError` where the sequential program reaches one of them, `OutOfBudget` where the budget is spent.
    """
    reduction = sequentialize(task.program, Reach(tuple(targets), bound=bound))
    question = reduction.question
    assert isinstance(question, Reach)
    reduced = replace(task, program=reduction.program, question=question, options=SummariesOptions(), _made=[])
    findings = summaries(reduced)
    if findings.unknown is not None and not findings.reached:
        raise findings.unknown.error()
    if findings.reached:
        name = min(reduction.targets[target].name for target in findings.reached)
        raise InternalError(
            f"the engine says that '{name}' is unreachable with {bound}; a sequential program reaches it"
        )
    assert findings.proof is not None
    proof = findings.proof()
    assert isinstance(proof, Certificate)
    found = SequentialProof(task.program, bound, tuple(targets), proof)
    check_sequential_program(found, task.program, targets, task.budget)
    return found
