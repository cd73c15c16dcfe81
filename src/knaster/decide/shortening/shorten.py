"""Makes the invariants of a proof short: parts that nothing needs are dropped, others are said in fewer words.

The proof was checked before, and what comes out of this is checked again by the same checker; where it is refused, or
where the units are spent, the proof stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.checked import check_excludes
from knaster.decide.shortening.clauses import Clause, clauses_of, formulas_of, short_form
from knaster.decide.shortening.needs import Key, Needs, NoUnits, Part, with_formulas
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.frontends.languages import spelling_of
from knaster.program.algebra import conjunction
from knaster.program.expression import Expr, postorder
from knaster.program.model import Program, old
from knaster.program.types import Type

UNITS = 40_000  # of `needs`: questions and steps of obligations
MOST_PARTS = 200


def shorten(
    proof: Invariants, targets: Sequence[Target], also: Sequence[Target], budget: Budget, units: int = UNITS
) -> Invariants:
    """Return invariants that say less and exclude the same targets, and what they exclude `also`; or the same ones.

    Those that are new were checked.
    """
    try:
        short = _shorten(proof, [*targets, *also], units, budget)
        if short is None or _length(short) > _length(proof):
            return proof
        check_excludes(short, proof.program, targets, budget)
    except (InternalError, OutOfBudget):
        return proof
    return short


def _length(proof: Invariants) -> int:
    spell = spelling_of(proof.program).expression
    return sum(len(spell(formula)) for formula in (*proof.requires.values(), *proof.at.values()))


def _shorten(proof: Invariants, targets: Sequence[Target], units: int, budget: Budget) -> Invariants | None:
    """Return a shorter proof that is still to be checked; None where the units are spent before there is one."""
    program = proof.program
    types = {one.name: _types(program, one.name) for one in program.procedures}
    parts: list[Part] = []
    shorter: dict[int, list[int]] = {}  # what may stand in the place of a part
    formulas: list[tuple[Key, Expr]] = [*proof.requires.items(), *proof.at.items()]
    for key, formula in formulas:
        for clause in clauses_of(formula, types[_procedure(key)]):
            for each in formulas_of([clause]):
                forms = [each, *_alternatives(clause)]
                shorter[len(parts)] = list(range(len(parts) + 1, len(parts) + len(forms)))
                parts += [Part(len(parts) + place, key, form) for place, form in enumerate(forms)]
    if len(parts) > MOST_PARTS:
        return None
    try:
        needs = Needs(proof, parts, targets, units, budget)
        needs.find(shorter)
    except NoUnits:
        return None
    with suppress(NoUnits):
        _try_less(needs, shorter)
    kept: dict[Key, list[Expr]] = {}
    for number in sorted(needs.used):
        kept.setdefault(parts[number].key, []).append(parts[number].formula)
    return with_formulas(
        proof, [(key, short_form(conjunction(own), types[_procedure(key)])) for key, own in kept.items()]
    )


def _try_less(needs: Needs, shorter: Mapping[int, Sequence[int]]) -> None:
    """Try to do without each part, the longest first, or with less in its place."""
    for number in sorted(needs.used, key=lambda one: -sum(1 for _ in postorder(needs.parts[one].formula))):
        if number in needs.used and not needs.replace(number, None):
            any(needs.replace(number, other) for other in shorter[number])


def _alternatives(clause: Clause) -> list[Expr]:
    """Return clauses that say more in fewer words: one alternative of several, or all but one."""
    if len(clause) < 2:
        return []
    fewer = [clause[:place] + clause[place + 1 :] for place in range(len(clause))] if len(clause) > 2 else []
    return [formula for each in (*((literal,) for literal in clause), *fewer) for formula in formulas_of([each])]


def _procedure(key: Key) -> str:
    return key if isinstance(key, str) else key[0]


def _types(program: Program, name: str) -> dict[str, Type]:
    """Return the types of values now and of values at the entry."""
    types = program.types_in(program.procedure(name))
    return types | {old(each): type for each, type in types.items()}
