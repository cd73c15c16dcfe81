"""Facts as candidates for invariants: equations and bounds that `knaster facts` finds, as linear forms at cut points.

Lal (PhD thesis, University of Wisconsin, 2009), sections 1.3.1 and 3.5.2.  An equation modulo 2^w is a guess of the
same equation over the integers, with the smallest factors; `houdini` drops what does not hold together, and whoever
uses the rest has it checked.  So nothing depends on the facts but how soon an invariant is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd

from knaster.base.errors import UnsupportedError
from knaster.base.limits import Budget
from knaster.engines.integers.inference.candidates import NEVER
from knaster.engines.integers.inference.houdini import Candidates, Houdini, Key, invariants_of
from knaster.engines.integers.inference.minimize import with_support
from knaster.evidence.answers.facts import Equation, Fact, Range
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.model import Location, Place, Procedure, Program, old
from knaster.semantics.python_code import loop_heads
from knaster.smt.integers import Integers
from knaster.smt.linear import Form
from knaster.smt.solver import Session
from knaster.smt.terms import Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.cut import CutProgram
from knaster.views.weighted.interval_facts import IntervalFacts
from knaster.views.weighted.program_facts import RESULT, AffineFacts

_EDGES = 300  # of a program
_VARIABLES = 12  # at once in equations: weights grow with the fourth power
_FACTOR = 1 << 10  # in an equation
_LARGEST = 1 << 31  # a constant


def invariants_from_facts(cut: CutProgram, targets: Sequence[Place], budget: Budget, units: int) -> Invariants | None:
    """Return facts that exclude all targets, to be checked; None where they do not."""
    points = {name: tuple(own) for name, own in cut.points.items()}
    suggested = fact_candidates(cut.program, points)
    if not suggested:
        return None
    try:
        session = Session(budget, units)
        formulas = cut.formulas(Translation(Integers(session.context)))
    except Unsuitable:
        return None
    for name, own in points.items():
        keys: list[Key] = [name, *((name, location) for location in own)]
        for key in keys:
            suggested[key] = [NEVER, *suggested.get(key, ())]
    houdini = Houdini(formulas, session, suggested)
    kept = houdini.solve()
    if session.left == 0 or any(NEVER not in kept.get(target, ()) for target in targets):
        return None
    needed = with_support(houdini, [(target, NEVER) for target in targets], session)
    return _at_few_places(invariants_of(formulas, needed))


def _at_few_places(proof: Invariants) -> Invariants:
    """Return what a proof says of entries, exits and loop heads: between them the checker sees for itself."""
    program = proof.program
    few = {(own.name, at) for own in program.procedures for at in (own.entry, own.exit, *loop_heads(own))}
    return Invariants(program, proof.requires, {place: claim for place, claim in proof.at.items() if place in few})


def fact_candidates(program: Program, points: Mapping[str, Iterable[Location]]) -> Candidates:
    """Return forms that are at least 0 where facts hold, at cut points and of entry values; none of large programs."""
    if program.size > _EDGES:
        return {}
    try:
        bounds = IntervalFacts(program)
        known: list[IntervalFacts | AffineFacts] = [bounds]
        most = max(len(program.types_in(own)) for own in program.procedures)
        if most <= _VARIABLES:
            known.append(AffineFacts(program, bounds))
    except UnsupportedError:
        return {}
    found: Candidates = {}
    for procedure in program.procedures:
        name = procedure.name
        first = [fact for one in known for fact in one.at((name, procedure.entry)) or ()]
        given = {each: old(each) for each in (*program.globals, *procedure.parameters)}
        found[name] = [form for fact in first for form in _forms(fact, given) if _names(form) <= set(given.values())]
        for location in (at for at in points.get(name, ()) if at < procedure.size):
            facts = [fact for one in known for fact in one.at((name, location)) or ()]
            if location == procedure.exit:
                facts += [fact for one in known for fact in one.summary(procedure) or ()]
            found[name, location] = list(
                dict.fromkeys(form for fact in facts for form in _forms(fact, _results(procedure)))
            )
    return found


def add_facts(found: Candidates, program: Program, points: Mapping[str, Iterable[Location]]) -> Candidates:
    """Return candidates with those of facts behind them."""
    suggested = fact_candidates(program, points)
    return {key: [*found.get(key, ()), *suggested.get(key, ())] for key in {**found, **suggested}}


def fact_equations(program: Program, points: Mapping[str, Iterable[Location]]) -> Iterator[tuple[Place, Form]]:
    """Yield the equations between several variables, place by place."""
    for key, forms in fact_candidates(program, points).items():
        for form in forms:
            first = form.factors[0][1] if len(form.factors) > 1 else 0
            if first > 0 and not isinstance(key, str) and Form(()).plus(form, -1) in forms:
                yield key, form


def _results(procedure: Procedure) -> dict[str, str]:
    """Return how forms call what facts call results."""
    if len(procedure.results) == 1:
        return {RESULT: procedure.results[0]}
    return {f"{RESULT}[{number}]": name for number, name in enumerate(procedure.results)}


def _names(form: Form) -> set[str]:
    return {name for name, _ in form.factors}


def _forms(fact: Fact, names: Mapping[str, str]) -> Iterator[Form]:
    """Yield what a fact says as forms that are at least 0, with some variables by other names."""
    match fact:
        case Range(variable, low, high):
            name = names.get(variable, variable)
            if low is not None and abs(low) <= _LARGEST:
                yield Form(((name, 1),), -low)
            if high is not None and abs(high) <= _LARGEST:
                yield Form(((name, -1),), high)
        case Equation():
            form = _equation(fact, names)
            if form is not None:
                yield form
                yield Form(()).plus(form, -1)


def _equation(fact: Equation, names: Mapping[str, str]) -> Form | None:
    """Return an equation with small factors; None where only a part of the modulus is left, or factors are large."""
    factors, constant = dict(fact.factors), fact.constant
    if fact.bits is not None:
        common = gcd(*factors.values(), constant, 1 << fact.bits)
        if common > 1:
            return None
        half = 1 << fact.bits - 1
        factors = {name: (factor + half) % (2 * half) - half for name, factor in factors.items()}
        constant = (constant + half) % (2 * half) - half
    if any(abs(factor) > _FACTOR for factor in factors.values()) or abs(constant) > _LARGEST:
        return None
    return Form.of({names.get(name, name): factor for name, factor in factors.items()}, constant)
