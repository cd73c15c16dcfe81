"""What both sides of an abstraction say that does not decide the question: proofs by may alone, and what is known.

Where the greatest may set, NT, is empty at the start, every run ends: a minterm is taken out of NT when all that can
follow it is out, so the time at which that happens decreases with every step, and is a measure.  Where neither side
decides, the must sets say from where it certainly happens, and the complements of the may sets from where it does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.abstraction.abstract import Minterm
from knaster.abstraction.preimage import NONE
from knaster.abstraction.ways import Map
from knaster.engines.excluding import excluding
from knaster.engines.mixed import Mixed, Solution
from knaster.frontends.languages import spelling_of
from knaster.graphs import components
from knaster.program.compiled import loop_heads
from knaster.program.expression import FALSE, TRUE, Conditional, Const, Expr, postorder
from knaster.program.model import Place
from knaster.results.ranking import Ranking

MOST_PLACES = 3  # of which something is said
MOST_NODES = 40  # of a condition that is said


def measured(over: Mixed, nothing: Solution) -> Ranking:
    """Return why every run ends.  Requires: no run of the program starts in NT."""
    abstraction = over.pre.abstraction
    measures: dict[Place, tuple[Expr, ...]] = {}
    for place in _points(abstraction.map):
        stages: dict[int, set[Minterm]] = {}
        for minterm in sorted(abstraction.minterms(place) - nothing.sets[place]):
            stages.setdefault(nothing.time.get((place, minterm), 0), set()).add(minterm)
        found: Expr = Const(0)
        for time, minterms in sorted(stages.items()):
            found = _either(abstraction.union(place, minterms), Const(time), found)
        measures[place] = (found,)
    return Ranking(abstraction.map.program, excluding(over, nothing), measures)


def _points(map: Map) -> Iterator[Place]:
    """Yield the loop heads, and the entries of procedures that call themselves: every cycle passes one."""
    calls = {name: [site.callee for place, site in map.sites.items() if place[0] == name] for name in map.cuts}
    parts = components(calls, calls.__getitem__)
    recursive = {name for part in parts for name in part if len(part) > 1 or name in calls[name]}
    for procedure in map.program.procedures:
        heads = {*loop_heads(procedure), *([procedure.entry] if procedure.name in recursive else ())}
        yield from ((procedure.name, location) for location in sorted(heads))


def _either(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return then if condition == TRUE else otherwise if condition == FALSE else Conditional(condition, then, otherwise)


def known(over: Mixed, may: Solution, must: Solution, what: str) -> str:
    """Return from where something certainly happens and from where it certainly does not; empty where nothing is known.

    `what` is said of the former; the conditions are written as in the program.
    """
    return "; ".join(part for _, part in zip(range(MOST_PLACES), _parts(over, may, must, what), strict=False))


def _parts(over: Mixed, may: Solution, must: Solution, what: str) -> Iterator[str]:
    abstraction = over.pre.abstraction
    program = abstraction.map.program
    spell = spelling_of(program).expression
    for place in abstraction.map.places():
        lines = [edge.span.line for edge in program.procedure(place[0]).edges if edge.source == place[1]]
        if not lines or not must.sets.get(place, NONE) < abstraction.minterms(place):
            continue
        yes = abstraction.union(place, must.sets.get(place, NONE))
        no = abstraction.union(place, abstraction.minterms(place) - may.sets[place])
        said = []
        if yes not in (TRUE, FALSE) and _is_short(yes):
            said.append(f"with {spell(yes)} {what}")
        if no not in (TRUE, FALSE) and _is_short(no):
            said.append(f"with {spell(no)} {'it does not' if said else 'it is excluded that ' + what}")
        if said:
            yield f"at line {min(lines)} of '{place[0]}', {', and '.join(said)}"


def _is_short(expr: Expr) -> bool:
    return sum(1 for _ in postorder(expr)) <= MOST_NODES
