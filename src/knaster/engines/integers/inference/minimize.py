"""Finds the invariants that a proof needs: those in the reasons why each step decreases, and in reasons of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.engines.integers.inference.houdini import Candidates, Houdini, Key
from knaster.program.model import Place
from knaster.smt.library import z3
from knaster.smt.linear import Form
from knaster.smt.solver import Answer, OutOfUnits, Session
from knaster.smt.terms import Formula
from knaster.views.steps.stretches import Following, Stretch

UNITS = 1_000_000
Origins = dict[int, tuple[Formula, dict[tuple[Key, Form], None]]]  # by id: a formula, and all invariants that it is


def needed_invariants(
    houdini: Houdini,
    stretches: Sequence[Stretch],
    origins: Origins,
    measures: Mapping[Place, Sequence[Form]],
    session: Session,
) -> Candidates:
    """Return the invariants that the steps need, and those that these need."""
    todo: dict[tuple[Key, Form], None] = {}
    for stretch in stretches:
        denied = z3.Not(decrease_formula(houdini, stretch, measures))
        todo |= dict.fromkeys(_reasons(session, [*stretch.formulas, denied], origins, stretch.following))
    return with_support(houdini, todo, session)


def with_support(houdini: Houdini, wanted: Iterable[tuple[Key, Form]], session: Session) -> Candidates:
    """Return some invariants, those that they need, and so on; all where no units are left for it."""
    try:
        return _with_support(houdini, wanted, session)
    except OutOfUnits:
        return houdini.kept


def _with_support(houdini: Houdini, wanted: Iterable[tuple[Key, Form]], session: Session) -> Candidates:
    todo = dict.fromkeys(wanted)
    found: Candidates = {}
    done: set[tuple[Key, Form]] = set()
    while todo:
        key, form = next(iter(todo))
        del todo[key, form]
        if (key, form) in done:
            continue
        done.add((key, form))
        found.setdefault(key, []).append(form)
        for formulas, own in houdini.reasons(key, form):
            todo |= dict.fromkeys(_reasons(session, formulas, own))
    return found


def decrease_formula(houdini: Houdini, stretch: Stretch, measures: Mapping[Place, Sequence[Form]]) -> Formula:
    """Return that a step decreases a tuple lexicographically."""
    context = houdini.session.context
    variables = houdini.formulas.variables[stretch.source[0]]
    kept, ways = [z3.BoolVal(True, context)], []
    for one, other in zip(measures[stretch.source], measures[stretch.target], strict=True):
        before, after = one.term(variables, context), other.term(stretch.after, context)
        ways.append(z3.And(*kept, before >= 0, after < before))
        kept.append(after <= before)
    return z3.Or(*ways) if ways else z3.BoolVal(False, context)


def _reasons(
    session: Session, formulas: Sequence[Formula], origins: Origins, following: Following | None = None
) -> list[tuple[Key, Form]]:
    """Return the invariants among formulas that cannot hold together that are a reason for it.

    One of the formulas may say what is `following`: the invariants in it are told apart, too.
    """
    marks: dict[str, list[tuple[Key, Form]]] = {}
    solver = session.solver()
    assumptions = []

    def mark_invariants(formula: Formula) -> Formula:
        """Return a formula whose invariants hold only where their marks do."""
        if formula.get_id() in origins:
            mark = z3.Bool(f"mark!{len(marks)}", session.context)
            marks[mark.decl().name()] = list(origins[formula.get_id()][1])
            assumptions.append(mark)
            return z3.Implies(mark, formula)
        if following is not None and formula.eq(following.formula):
            return z3.Or(*(z3.And(*map(mark_invariants, way)) for way in following.ways))
        return formula

    for formula in formulas:
        solver.add([mark_invariants(formula)])
    if not marks:
        return []
    if solver.check(assumptions, units=UNITS) is not Answer.UNSATISFIABLE:
        return [one for ones in marks.values() for one in ones]
    return [one for mark in solver.core() for one in marks[mark.decl().name()]]
