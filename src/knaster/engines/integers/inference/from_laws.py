"""Makes invariants of laws of calls: guessed from runs, and dropped where they do not hold of all calls.

What `from_calls` says number by number, and only of calls that were run, is said here of all numbers where there is a
law (`laws`), so that the calls that matter can be too many to be run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from knaster.base.limits import Budget
from knaster.engines.integers.inference.columns import Columns, columns
from knaster.engines.integers.inference.from_calls import (
    input_free_procedures,
    invariant_places,
    recursive_procedures,
    state_guarantees,
)
from knaster.engines.integers.inference.hard_houdini import keep_inductive
from knaster.engines.integers.inference.houdini import Key
from knaster.engines.integers.inference.law_samples import LawLearner
from knaster.engines.integers.inference.laws import Signature
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.expression import Compare, Comparison, Const, Expr, Var
from knaster.program.model import Program, old
from knaster.program.types import Int
from knaster.semantics.python_code import NotCompiled, compile_program
from knaster.semantics.tabulation import Tabulation
from knaster.views.steps.cut import CutProgram

_NODES = 500  # of runs outside the procedures that laws are about
_STEPS = (300, 3_000, 30_000)  # of a call that is made there: those that are short tell what others do


def invariants_from_laws(cut: CutProgram, budget: Budget) -> Invariants | None:
    """Return laws of the recursive procedures as invariants to be checked; None where there are none."""
    program = cut.program
    if not recursive_procedures(program):
        return None
    try:
        codes = compile_program(program)
    except NotCompiled:
        return None
    known = input_free_procedures(program, codes)
    if not known:
        return None
    kept = invariant_places(cut)
    about = columns(program, kept)
    learning = LawLearner(codes, {name: _signature(program, name, about[name]) for name in known}, budget.check)
    for steps in _STEPS:
        ended = {name: partial(learning.run_call, name, steps) for name in known}
        Tabulation(program, (), budget.check, ended).explore(_NODES)
    guesses: dict[Key, list[Expr]] = {name: list(_natural_arguments(learning, name)) for name in known}
    for name in known:
        exit = program.procedure(name).exit
        guesses[name, exit] = [law.expression(learning.signatures[name]) for law in learning.laws(name)]
    left = keep_inductive(cut, kept, guesses, budget)
    guarantees = {name: left.get((name, program.procedure(name).exit), []) for name in known}
    if not any(guarantees.values()):
        return None
    return state_guarantees(program, kept, guarantees, {name: left.get(name, []) for name in known})


def _signature(program: Program, name: str, own: Columns) -> Signature:
    procedure = program.procedure(name)
    types = {n: type for n, type in program.types_in(procedure).items() if isinstance(type, Int)}
    return Signature(name, own.entry, own.now[procedure.exit], types)


def _natural_arguments(learning: LawLearner, name: str) -> Iterator[Expr]:
    """Yield that calls are given natural numbers, where no others were seen."""
    calls, signature = learning.known[name].calls, learning.signatures[name]
    for position, given in enumerate(signature.given):
        if signature.types[given].low != 0 and all(call[position] >= 0 for call in calls):
            yield Compare(Comparison.AT_LEAST, Var(old(given)), Const(0))
