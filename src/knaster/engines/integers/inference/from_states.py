"""Makes invariants of states that were seen: equations that all of them satisfy, and of those the inductive ones.

States at the loop heads of some runs (`semantics.tabulation`) give the linear equations that all of them satisfy, and
the remainders that variables have (`x % 4 == 1`); together with the bounds and orders of `candidates` these are the
candidates of `houdini`.  That no run comes to a target is a candidate too: where it is left over, the target is
excluded, and what it needs is the proof.  R. Sharma, S. Gupta, B. Hariharan, A. Aiken, P. Liang and A. V. Nori, A Data
Driven Approach for Algebraic Loop Invariants (ESOP 2013), section 3, for equations of the first degree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from knaster.base.limits import Budget
from knaster.engines.integers.inference.candidates import NEVER, Samples, make_candidates, samples_of
from knaster.engines.integers.inference.houdini import Candidates, Houdini, invariants_of
from knaster.engines.integers.inference.minimize import with_support
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.liveness import live_variables
from knaster.program.model import Place
from knaster.program.types import Int, Value
from knaster.semantics.python_code import NotCompiled
from knaster.semantics.tabulation import Tabulation
from knaster.smt.congruences import Congruence
from knaster.smt.integers import Integers
from knaster.smt.linear import Form
from knaster.smt.solver import Session
from knaster.smt.terms import Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.cut import CutProgram
from knaster.views.steps.formulas import Formulas

_NODES = 2_000  # of the tabulation
_STATES = 60  # of one place that are looked at
_NAMES = 10  # variables of an equation
_EDGES = 250  # of a program
_CANDIDATES = 4_000  # for all of its places
_SMALL = 1 << 20  # numbers beyond may have wrapped
_FACTOR = 1 << 10  # in an equation
_VALUES = 4  # of a variable, before anything is said about remainders


def invariants_from_states(cut: CutProgram, targets: Sequence[Place], budget: Budget, units: int) -> Invariants | None:
    """Return invariants that exclude all targets, to be checked; None where those that were tried do not."""
    program = cut.program
    if program.size > _EDGES:
        return None
    try:
        table = Tabulation(program, (), budget.check)
        table.explore(_NODES)
        samples = samples_of(table, _STATES)
        session = Session(budget, units)
        formulas = cut.formulas(Translation(Integers(session.context)))
    except (NotCompiled, Unsuitable):
        return None
    suggested = _candidates(formulas, samples)
    if sum(map(len, suggested.values())) > _CANDIDATES:
        return None
    houdini = Houdini(formulas, session, suggested)
    kept = houdini.solve()
    if session.left == 0 or any(NEVER not in kept.get(target, ()) for target in targets):
        return None
    return invariants_of(formulas, with_support(houdini, [(target, NEVER) for target in targets], session))


def _candidates(formulas: Formulas, samples: Samples) -> Candidates:
    """Return the usual candidates, and the equations of the states that were seen, as two inequalities each."""
    program, live = formulas.program, live_variables(formulas.program)
    found = make_candidates(formulas, samples)
    for procedure in program.procedures:
        types, scope = program.types_in(procedure), program.scope(procedure)
        for cut in formulas.points[procedure.name]:
            mask, place = live[procedure.name][cut], (procedure.name, cut)
            names = [n for bit, n in enumerate(scope) if mask >> bit & 1 and isinstance(types[n], Int)]
            for form in linear_equations(names[:_NAMES], samples.get(place, [])):
                found[place] += [form, Form(()).plus(form, -1)]
            found[place] += congruences(names[:_NAMES], samples.get(place, []))
    return found


def congruences(names: Sequence[str], states: Sequence[Mapping[str, Value]]) -> Iterator[Congruence]:
    """Yield what all states say of the remainders of a variable, and of its remainders by a power of two."""
    for name in names:
        values = sorted({int(value) for state in states if isinstance(value := state[name], int)})
        if len(values) < _VALUES:
            continue  # too few to tell
        step = gcd(*(value - values[0] for value in values))
        for modulus in dict.fromkeys((step, step & -step)):  # numbers that wrap keep the latter
            if 1 < modulus <= _FACTOR:
                yield Congruence.that(Form(((name, 1),), -values[0]), modulus)


def linear_equations(names: Sequence[str], states: Sequence[Mapping[str, Value]]) -> Iterator[Form]:
    """Yield forms that are 0 in all states of small numbers, and from which all others that are follow."""
    rows = [[Fraction(v) for n in names if isinstance(v := state[n], int) and abs(v) < _SMALL] for state in states]
    small = [row for row in rows if len(row) == len(names)]
    if len(small) <= len(names):
        return  # too few to tell
    for vector in _null_space([[*row, Fraction(1)] for row in small]):
        scale = lcm(*(number.denominator for number in vector))
        numbers = [int(number * scale) for number in vector]
        common = gcd(*numbers)
        numbers = [number // common for number in numbers]
        if all(abs(number) <= _FACTOR for number in numbers[:-1]):
            yield Form.of(dict(zip(names, numbers, strict=False)), numbers[-1])


def _null_space(matrix: list[list[Fraction]]) -> Iterator[list[Fraction]]:
    """Yield a basis of the vectors that a matrix maps to 0."""
    width = len(matrix[0])
    pivots: dict[int, list[Fraction]] = {}  # rows with a leading 1, by its column; reduced by each other
    for given in matrix:
        row = list(given)
        for column, known in pivots.items():
            if row[column]:
                factor = row[column]
                row = [a - factor * b for a, b in zip(row, known, strict=True)]
        lead = next((column for column in range(width) if row[column]), None)
        if lead is None:
            continue
        row = [a / row[lead] for a in row]
        for column, known in pivots.items():
            if known[lead]:
                factor = known[lead]
                pivots[column] = [a - factor * b for a, b in zip(known, row, strict=True)]
        pivots[lead] = row
    for free in range(width):
        if free not in pivots:
            vector = [Fraction(int(column == free)) for column in range(width)]
            for column, known in pivots.items():
                vector[column] = -known[free]
            yield vector
