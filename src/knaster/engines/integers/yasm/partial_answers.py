"""Partial answers of YASM: a termination measure from the may side, and the conditions under which each side decides.

Where the greatest may set, NT, is empty at the start, every run ends: a minterm is taken out of NT when all that can
follow it is out, so the time at which that happens decreases with every step, and is a measure.  Where neither side
decides, the must sets say from where it certainly happens, and the complements of the may sets from where it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knaster.base.graphs import components
from knaster.base.records import dataclass
from knaster.engines.integers.yasm.conditions import condition
from knaster.engines.integers.yasm.equations import Mixed, Solution
from knaster.engines.integers.yasm.proof_backwards import invariants_outside
from knaster.evidence.proofs.ranking import Ranking
from knaster.frontends.languages import spelling_of
from knaster.program.expression import FALSE, TRUE, Conditional, Const, Expr, postorder
from knaster.program.model import Place
from knaster.semantics.python_code import loop_heads
from knaster.views.abstraction.preimage import NONE
from knaster.views.abstraction.relations import Minterm
from knaster.views.steps.paths import Paths

MOST_PLACES = 3  # of which something is said
MOST_NODES = 40  # of a condition that is said


def termination_measure(over: Mixed, nothing: Solution) -> Ranking:
    """Return why every run ends.  Requires: no run of the program starts in NT."""
    abstraction = over.pre.abstraction
    measures: dict[Place, tuple[Expr, ...]] = {}
    for place in _points(abstraction.paths):
        stages: dict[int, set[Minterm]] = {}
        for minterm in sorted(abstraction.minterms(place) - nothing.sets[place]):
            stages.setdefault(nothing.time.get((place, minterm), 0), set()).add(minterm)
        found: Expr = Const(0)
        for time, minterms in sorted(stages.items()):
            found = _either(abstraction.union(place, minterms), Const(time), found)
        measures[place] = (found,)
    return Ranking(abstraction.paths.program, invariants_outside(over, nothing), measures)


def _points(paths: Paths) -> Iterator[Place]:
    """Yield the loop heads, and the entries of procedures that call themselves: every cycle passes one."""
    calls = {name: [site.callee for place, site in paths.calls.items() if place[0] == name] for name in paths.points}
    parts = components(calls, calls.__getitem__)
    recursive = {name for part in parts for name in part if len(part) > 1 or name in calls[name]}
    for procedure in paths.program.procedures:
        heads = {*loop_heads(procedure), *([procedure.entry] if procedure.name in recursive else ())}
        yield from ((procedure.name, location) for location in sorted(heads))


def _either(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return then if condition == TRUE else otherwise if condition == FALSE else Conditional(condition, then, otherwise)


def decided_conditions(over: Mixed, may: Solution, must: Solution, what: str) -> str:
    """Return from where something certainly happens and from where it certainly does not; empty where nothing is known.

    `what` is said of the former; the conditions are written as in the program, those of its first procedure first, and
    the shortest.
    """
    parts = list(dict.fromkeys(_parts(over, may, must, what)))
    main = over.pre.abstraction.paths.program.threads[0]
    best = sorted(parts, key=lambda part: (part.procedure != main, len(part.text)))[:MOST_PLACES]
    return "; ".join(part.text for part in parts if part in best)


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known at a place of a procedure."""

    procedure: str
    text: str


def _parts(over: Mixed, may: Solution, must: Solution, what: str) -> Iterator[_Part]:
    abstraction = over.pre.abstraction
    program = abstraction.paths.program
    spell = spelling_of(program).expression
    for place in sorted(abstraction.paths.places(), key=lambda place: place[0] != program.threads[0]):
        lines = [edge.span.line for edge in program.procedure(place[0]).leaving.get(place[1], ())]
        possible = abstraction.minterms(place)
        happens, excluded = must.sets.get(place, NONE), possible - may.sets[place]
        if not lines or not happens < possible:
            continue
        yes, no = (_spell(condition(some, possible, abstraction.at(place)), spell) for some in (happens, excluded))
        said = _sentence(yes, no, happens | excluded == possible, what)
        if said:
            yield _Part(place[0], f"at line {min(lines)} of '{place[0]}', {said}")


def _spell(expr: Expr | None, spell: Callable[[Expr], str]) -> str:
    """Return a condition as text; empty where it says nothing or is too long to be read."""
    if expr is None or expr in (TRUE, FALSE) or sum(1 for _ in postorder(expr)) > MOST_NODES:
        return ""
    return spell(expr)


def _sentence(yes: str, no: str, whole: bool, what: str) -> str:
    if yes and whole:
        return f"with {yes}, and only then, {what}"
    if yes:
        return f"with {yes} {what}" + (f", and with {no} that is excluded" if no else "")
    return f"with {no} it is excluded that {what}" if no else ""
