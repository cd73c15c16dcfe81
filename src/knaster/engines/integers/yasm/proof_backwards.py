"""Makes invariants of may sets themselves: what is outside them never gets inside.

RS is everything from which the may side has a way to a target, and T[f, Q] everything from which f may return in Q. So
outside RS every step stays outside, and a call that does not begin in T[f, Q] does not return in Q. These are
invariants, found without a second, forward solution, which may be too large where a procedure has many predicates.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.engines.integers.yasm.equations import Mixed, Question, Solution
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.algebra import conjunction, disjunction, substitute
from knaster.program.expression import Compare, Comparison, Expr, Var
from knaster.program.model import Place, old
from knaster.program.types import Bool, Int
from knaster.views.abstraction.preimage import NONE, Sets
from knaster.views.abstraction.relations import Abstraction, Minterm


def invariants_outside(over: Mixed, found: Solution) -> Invariants:
    """Return the invariants that a may solution is.  Requires: no run of the program starts in the solution."""
    abstraction = over.pre.abstraction
    tables = _needed_tables(over, found)
    requires: dict[str, Expr] = {}
    at: dict[Place, Expr] = {}
    for name, cuts in abstraction.paths.points.items():
        program, entry = abstraction.paths.program, abstraction.paths.entries[name]
        procedure = program.procedure(name)
        old_values = {each: Var(old(each)) for each in (*program.globals, *procedure.parameters)}
        requires[name] = substitute(_outside(abstraction, entry, found.sets), old_values)
        own = [over.tables[question] for question in tables if question[0] == name]
        types = abstraction.paths.types[name]
        plain = [each for each in old_values if isinstance(types[each], Int | Bool)]
        rigid = [each for each in plain if each in abstraction.paths.rigid[name]]
        for location in cuts:
            place = (name, location)
            if location >= procedure.size:
                continue
            kept = plain if place == entry else rigid
            parts: list[Expr] = [Compare(Comparison.EQUAL, Var(each), old_values[each]) for each in kept]
            parts.append(_outside(abstraction, place, found.sets))
            for table in () if place == entry else own:
                begun = substitute(abstraction.union(entry, table.sets[entry]), old_values)
                parts.append(disjunction([begun, _outside(abstraction, place, table.sets)]))
            at[place] = conjunction(dict.fromkeys(parts))
    return Invariants(abstraction.paths.program, requires, at)


def _outside(abstraction: Abstraction, place: Place, sets: Sets) -> Expr:
    """Return what holds in the states outside a set."""
    return abstraction.union(place, abstraction.minterms(place) - sets.get(place, NONE))


def _needed_tables(over: Mixed, found: Solution) -> list[Question]:
    """Return the tables that say why the minterms outside a solution stay outside, and those that these need."""
    needed: dict[Question, None] = {}

    def ask(procedure: str, exits: frozenset[Minterm]) -> frozenset[Minterm]:
        needed.setdefault((procedure, exits))
        return over.answer(procedure, exits)

    def look(places: Iterable[Place], sets: Sets, inside: Sets) -> None:
        for place in places:
            site = over.paths.calls.get(place)
            for minterm in sorted(over.pre.abstraction.minterms(place) - sets[place]) if site is not None else ():
                assert site is not None
                over.pre.calls(site, minterm, sets, inside, ask)

    look(over.paths.places(), found.sets, found.sets)
    done = 0
    while done < len(needed):
        question = list(needed)[done]
        done += 1
        table = over.tables[question]
        look([(question[0], location) for location in over.paths.points[question[0]]], table.sets, {})
    return list(needed)
