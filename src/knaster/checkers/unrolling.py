"""The check of a depth: the program unrolled to it is a copy, and no run of the copy reaches a target or needs more.

That it is a copy is looked at here, edge by edge: from every copy of a location all edges lead on, to a copy of where
they lead, or to a place where a run needs more.  The runs of the copy are walked through edge by edge
(`checkers.c.walk`) and asked about.  Nothing of the engines is used.  The walk refuses a copy with a cycle, so where no
run needs more, every run ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.c.bit_vectors import RealVectors
from knaster.checkers.c.names import any_of
from knaster.checkers.c.obligations import Fact, Kind, Obligation
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.c.walk import Arc, Claims, Node, Region, Walk
from knaster.evidence.proofs.unrolling import Unrolling
from knaster.evidence.questions.question import Target
from knaster.program.expression import TRUE
from knaster.program.floating_point import has_floats
from knaster.program.model import Assume, Call, Edge, Place, Procedure, Program
from knaster.program.unrolling import TooLarge, Unrolled, unroll
from knaster.smt.door import EASY, HARD

PLAIN = EASY, HARD  # how much work a question is worth
WITH_FLOATS = EASY, 50 * HARD  # the same with floating-point numbers


def check_unrolling(proof: Unrolling, program: Program, targets: Sequence[Target], budget: Budget) -> str:
    """Return which solvers have answered; raise `InternalError` where the proof does not hold.

    Where no solver answers, or the copy is too large, `OutOfBudget` says so.
    """
    if proof.program != program:
        raise InternalError("the proof is of another program")
    if program.is_threaded or not all(target.has_place and target.condition is None for target in targets):
        raise InternalError("a depth excludes places of a sequential program")
    return _prove(proof, program, {target.place for target in targets}, budget)


def check_ending(proof: Unrolling, program: Program, budget: Budget) -> str:
    """Return which solvers have answered; raise `InternalError` where the proof does not show that every run ends."""
    if proof.program != program or program.is_threaded:
        raise InternalError("the proof is of another program")
    return _prove(proof, program, set(), budget)


def _prove(proof: Unrolling, program: Program, wanted: set[Place], budget: Budget) -> str:
    try:
        unrolled = unroll(program, proof.depth)
    except TooLarge as large:
        raise OutOfBudget(str(large)) from None
    check_copy(program, unrolled)
    places = {place for place, origin in unrolled.origins.items() if origin in wanted} | set(unrolled.more)
    walk = Walk(unrolled.program, Claims(), budget)
    works = WITH_FLOATS if has_floats(program) else PLAIN
    return Solvers(walk.names.types, budget, RealVectors).prove(_obligations(walk, unrolled.program, places), works)


def _obligations(walk: Walk, program: Program, places: set[Place]) -> Iterator[Obligation]:
    """Yield that no run comes to one of some places, and that every call was walked through."""
    main = program.procedure(program.threads[0])
    state = walk.state(main.name)
    begun = Fact(TRUE, walk.names.rename(program.init, state), Kind.HOLDS)
    region: Region = walk.region(Node((main.name, main.entry), TRUE, state, steps=(begun,)), {main.exit})
    if region.calls:
        raise OutOfBudget("a procedure of the unrolled program is too large to be walked through")
    bad = [node for node in (*region.nodes, *region.ends) if node.place in places]
    if bad:
        together = Node(bad[0].place, any_of([node.at for node in bad]), {}, tuple(Arc(node, ()) for node in bad))
        why = "no run comes to a target or needs more"
        yield Obligation(together.place, why, together.history(), (), walk.names.types)


def check_copy(program: Program, unrolled: Unrolled) -> None:
    """Raise `InternalError` unless every run of a program is one of the unrolled one until it needs more."""
    copy = unrolled.program
    _expect(copy.globals == program.globals and copy.types == program.types and copy.init == program.init, "globals")
    _expect(unrolled.origins.get(_entry(copy)) == _entry(program), "the start")
    for procedure in copy.procedures:
        _check_procedure(program, procedure, unrolled)


def _entry(program: Program) -> Place:
    return program.threads[0], program.procedure(program.threads[0]).entry


def _check_procedure(program: Program, copy: Procedure, unrolled: Unrolled) -> None:
    name = unrolled.origins[copy.name, copy.entry][0]
    origin = program.procedure(name)
    same = (copy.parameters, copy.results, copy.locals, copy.types, copy.enforce)
    _expect(same == (origin.parameters, origin.results, origin.locals, origin.types, origin.enforce), "variables")
    ends = (unrolled.origins.get((copy.name, copy.entry)), unrolled.origins.get((copy.name, copy.exit)))
    _expect(ends == ((name, origin.entry), (name, origin.exit)), "entry and exit")
    for location in range(copy.size):
        place = copy.name, location
        if place in unrolled.more:
            continue
        at = unrolled.origins[place]
        leaving = copy.leaving.get(location, ())
        _expect(at[1] != origin.exit or location == copy.exit, "another exit")
        for edge in origin.leaving.get(at[1], ()):
            _expect(any(_is_copy(copy, edge, each, unrolled) for each in leaving), f"line {edge.span.line}")


def _is_copy(copy: Procedure, edge: Edge, each: Edge, unrolled: Unrolled) -> bool:
    """Tell whether an edge of the copy lets a run do what an edge of the program does, or says that it needs more."""
    target = copy.name, each.target
    if target in unrolled.more and each.action == Assume(TRUE):
        return True
    leads = target in unrolled.more or unrolled.origins[target] == (
        unrolled.origins[copy.name, copy.entry][0],
        edge.target,
    )
    if not isinstance(edge.action, Call) or not isinstance(each.action, Call):
        return leads and each.action == edge.action
    called = unrolled.program.procedure(each.action.procedure)
    other = unrolled.origins[called.name, called.entry][0]
    same = (each.action.arguments, each.action.targets) == (edge.action.arguments, edge.action.targets)
    return leads and same and other == edge.action.procedure


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise InternalError(f"the unrolled program is no copy of the program: {what}")
