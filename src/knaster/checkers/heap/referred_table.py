"""The check of a table of a reference model as a proof about a Boolean program: the model is made again, and its table.

That the program with references reaches what the Boolean program reaches is the reduction's promise
(`transform.reference_models`), which tests compare with the interpreter of threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knaster.base.errors import InternalError
from knaster.base.lazy import load_named
from knaster.base.limits import Budget
from knaster.evidence.proofs.heap.referred_table import TABLES, ReferredTable, refer
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.question import Target
from knaster.program.kind import Kind
from knaster.program.model import Program


def check_referred_table(proof: ReferredTable, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` where a proof does not show that no target is reachable."""
    if proof.program != program:
        raise InternalError("the proof is of another program")
    excluded = set(targets)
    if not excluded <= set(proof.asked):
        raise InternalError("the proof is about other targets")
    reduction, kind = refer(program, proof.asked), kind_of(proof.table)
    if kind is None or kind.name not in TABLES or proof.table.program != reduction.program:
        raise InternalError("the proof is of another program with references")
    own = [target for target, original in reduction.targets.items() if original in excluded]
    load_named(kind.excludes)(proof.table, proof.table.program, own, budget)


def find_referred_proof(program: Program, asked: tuple[Target, ...], table: Any) -> ReferredTable | None:
    """Return the proof about a Boolean program that a table of its reference model is; None where it is of another."""
    kind = kind_of(table)
    if program.kind is not Kind.BOOLEAN or kind is None or kind.name not in TABLES:
        return None
    return ReferredTable(program, asked, table) if refer(program, asked).program == table.program else None
