"""Proves that every run ends: measures that decrease at loop heads and entries, supported by linear invariants.

The invariants are linear and found by leaving out candidates (`houdini`, `candidates`); the measures are synthesised on
the steps between loop heads and entries (`measures`).  At the end only those invariants are kept that something needs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from knaster.base.graphs import components
from knaster.engines.contract import Findings, Spent, Task, Undecided
from knaster.engines.integers.inference.candidates import Samples, make_candidates, samples_of
from knaster.engines.integers.inference.from_facts import add_facts
from knaster.engines.integers.inference.houdini import Candidates, Houdini, Key, invariants_of
from knaster.engines.integers.inference.minimize import Origins, needed_invariants
from knaster.engines.integers.ranking import RankingOptions
from knaster.engines.integers.ranking.measures import USUAL, MeasureSearch, Tuple
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.program.expression import TRUE, Expr
from knaster.program.liveness import live_variables
from knaster.program.model import Call, Place, Program
from knaster.semantics.python_code import NotCompiled, loop_heads
from knaster.semantics.tabulation import Tabulation
from knaster.smt.integers import Integers
from knaster.smt.linear import numbers
from knaster.smt.solver import OutOfUnits, Session
from knaster.smt.terms import Formula, State, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.formulas import Formulas
from knaster.views.steps.stretches import Stretches, TooManyStretches, cycles, point_graph

_LARGE = 1 << 66  # more than every bound of a type
_SAMPLED = 1_000  # nodes of runs that refute candidates
_EDGE, _ATOM = 100, 20  # resource units for the formula of an edge, and for writing down a part of an invariant


def ranking(task: Task) -> Findings:
    """Look for a proof that every run ends."""
    started = time.perf_counter()
    options = task.options
    units = options.units if isinstance(options, RankingOptions) else RankingOptions().units
    session = Session(task.budget, units)
    try:
        proof = _find_proof(task, session)
        unknown = Undecided(session.reason or "no measure was found that decreases")
    except Unsuitable as error:
        proof, unknown = None, Undecided.because(error)
    except TooManyStretches:
        proof, unknown = None, Undecided("there are too many ways through the program")
    except OutOfUnits as error:
        proof, unknown = None, Undecided.because(error)
    spent = Spent(units=units - (session.left or 0), exhausted=not session.left)
    statistics = {"ranking_seconds": time.perf_counter() - started, "units": units - (session.left or 0)}
    if proof is None:
        return Findings(frozenset(), unknown, statistics, spent=spent)
    return Findings(frozenset(), None, statistics, ends=Terminates(proof), spent=spent)


def _find_proof(task: Task, session: Session) -> Ranking | None:
    program = task.program
    if ending := _proof_without_cycles(program):
        return ending
    session.work(_EDGE * program.size)
    formulas = task.cut().formulas(Translation(Integers(session.context)))
    suggested = make_candidates(formulas, _samples(task), session.work)
    houdini = Houdini(formulas, session, add_facts(suggested, program, formulas.points))
    known = _Knowledge(houdini, houdini.solve())
    points = _points(formulas)
    making = Stretches(formulas, points, known, work=session.work)
    stretches = making.all()
    speaking = {point: _live_numbers(formulas, point) for point in points}
    for ahead in (False, True):
        counted = making.with_next(stretches) if ahead else stretches
        found = MeasureSearch(session, speaking, _LARGE if ahead else USUAL).find_tuples(counted, stretches)
        if found is not None:
            known.adopt(making.copies)
            kept = needed_invariants(houdini, counted, known.origins, found, session)
            return Ranking(program, invariants_of(formulas, kept), _measures(found), ahead)
    return None


def _proof_without_cycles(program: Program) -> Ranking | None:
    """Return the proof of a program without loops and recursion, which needs no measure; None where it has some."""
    calls = {
        procedure.name: [edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)]
        for procedure in program.procedures
    }
    reached = list(components(program.threads[:1], calls.__getitem__))
    if any(len(part) > 1 or part[0] in calls[part[0]] or loop_heads(program.procedure(part[0])) for part in reached):
        return None
    procedures = [program.procedure(part[0]) for part in reached]
    at = {(p.name, location): TRUE for p in procedures for location in (p.entry, p.exit)}
    return Ranking(program, Invariants(program, {p.name: TRUE for p in procedures}, at), {})


def _samples(task: Task) -> Samples:
    try:
        table = Tabulation(task.program, (), task.budget.check)
    except NotCompiled:
        return {}
    table.explore(_SAMPLED)
    return samples_of(table)


class _Knowledge:
    """The invariants of each place as formulas; `origins` says which invariant a formula is."""

    def __init__(self, houdini: Houdini, kept: Candidates) -> None:
        self.houdini = houdini
        self.kept = kept
        self.origins: Origins = {}

    def __call__(self, place: Place, entry: State, now: State) -> list[Formula]:
        """Return what holds at a place."""
        found = []
        key: Key
        for key, state in ((place, self.houdini.state(entry, now)), (place[0], self.houdini.state(entry, {}))):
            for form in self.kept.get(key, ()):
                self.houdini.session.work(_ATOM * (1 + len(form.factors)))
                formula = form.term(state, self.houdini.session.context) >= 0
                self.origins.setdefault(formula.get_id(), (formula, {}))[1][key, form] = None
                found.append(formula)
        return found

    def adopt(self, copies: Mapping[int, tuple[Formula, list[Formula]]]) -> None:
        """Take formulas for the invariants that they are copies of."""
        for number, (copy, sources) in copies.items():
            invariants = {key: None for one in sources for key in self.origins.get(one.get_id(), (one, {}))[1]}
            if invariants:
                self.origins.setdefault(number, (copy, {}))[1].update(invariants)


def _points(formulas: Formulas) -> list[Place]:
    """Return the loop heads, and the entries of procedures that call each other."""
    program = formulas.program
    wanted = {(p.name, head) for p in program.procedures for head in loop_heads(p)}
    wanted |= {(p.name, p.entry) for p in program.procedures}
    return sorted(place for part in cycles(point_graph(formulas)) for place in part if place in wanted)


def _live_numbers(formulas: Formulas, point: Place) -> State:
    """Return the numbers that the measure of a point may speak of: those that are live there."""
    program = formulas.program
    procedure = program.procedure(point[0])
    live, scope = live_variables(program)[point[0]][point[1]], program.scope(procedure)
    given = (*program.globals, *procedure.parameters)
    return {
        name: term
        for name, term in numbers(formulas.variables[point[0]]).items()
        if live >> scope.index(name) & 1 and (point[1] != procedure.entry or name in given)
    }


def _measures(found: Tuple) -> dict[Place, tuple[Expr, ...]]:
    """Return the measures as expressions, without components that are the same constant at all points."""
    length = len(next(iter(found.values()), ()))
    useful = [n for n in range(length) if len({one[n] for one in found.values()}) > 1 or _speaks(found, n)]
    return {point: tuple(one[n].expression() for n in useful) for point, one in found.items()}


def _speaks(found: Tuple, number: int) -> bool:
    return any(one[number].factors for one in found.values())
