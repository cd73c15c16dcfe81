"""Suggests predicates: linear equations of all states that some runs have at a place, and those that `facts` finds.

R. Sharma, S. Gupta, B. Hariharan, A. Aiken, P. Liang and A. V. Nori, A Data Driven Approach for Algebraic Loop
Invariants (ESOP 2013), section 3, for equations of the first degree.  At the exit of a procedure they relate results to
the values at the entry, which says in one predicate what refinement would say number by number.  Nothing depends on
their truth: an equation that does not always hold is a predicate like others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knaster.engines.integers.inference.candidates import samples_of
from knaster.engines.integers.inference.from_facts import fact_equations
from knaster.engines.integers.inference.from_states import linear_equations
from knaster.program.effects import variables_in
from knaster.program.expression import Expr, Var
from knaster.program.liveness import live_variables
from knaster.program.model import Place, old
from knaster.program.types import Int
from knaster.semantics.python_code import NotCompiled
from knaster.semantics.tabulation import Tabulation
from knaster.smt.linear import Form
from knaster.views.abstraction.normal_form import equation
from knaster.views.steps.paths import Paths

NODES = 1_000  # of the tabulation
STATES = 60  # of one place that are looked at
NAMES = 10  # variables of an equation
EDGES = 250  # of a program
MOST = 3  # equations of one place


def suggest_predicates(paths: Paths, check: Callable[[], None]) -> Iterator[tuple[Place, Expr]]:
    """Yield equations between several variables, place by place."""
    if paths.program.size > EDGES:
        return
    points = {name: [at for own, at in paths.places() if own == name] for name, _ in paths.places()}
    for place, form in fact_equations(paths.program, points):
        yield place, _is_zero(form)
    try:
        table = Tabulation(paths.program, (), check)
    except NotCompiled:
        return
    table.explore(NODES)
    samples = samples_of(table, STATES)
    for place in paths.places():
        found = [
            form for form in linear_equations(_names(paths, place), samples.get(place, [])) if len(form.factors) > 1
        ]
        for form in sorted(found, key=lambda form: (len(form.factors), form.factors))[:MOST]:
            yield place, _is_zero(form)


def _names(paths: Paths, place: Place) -> list[str]:
    """Return the numbers that matter at a place, and the values at the entry that are not among them."""
    name, location = place
    procedure = paths.program.procedure(name)
    given = (*paths.program.globals, *procedure.parameters)
    if place == paths.exits[name]:
        changed = [each for each in paths.program.globals if each not in paths.rigid[name]]
        found = [*procedure.results, *changed, *(old(each) for each in given)]
    elif location >= procedure.size or place == paths.entries[name]:
        return []
    else:
        live = live_variables(paths.program)[name][location]
        found = [*variables_in(live, paths.program.scope(procedure))]
        found += [old(each) for each in procedure.parameters if each not in paths.rigid[name]]
    return [each for each in found if isinstance(paths.types[name][each], Int)][:NAMES]


def _is_zero(form: Form) -> Expr:
    """Return the equation that a form says."""
    return equation([(Var(name), factor) for name, factor in form.factors], -form.constant)
