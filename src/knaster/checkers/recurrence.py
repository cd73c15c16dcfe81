"""The check of a recurrent set: from every state in it the run can come back into it, by z3.

A. Gupta, T. A. Henzinger, R. Majumdar, A. Rybalchenko and R.-G. Xu, Proving Non-termination (POPL 2008).  For every
state of the set at its place, with the inputs that the proof gives for each edge that reads some, one of the ways back
to the place can be taken and ends in the set; branches that nothing decides may be taken either way.  A way consists of
edges of one activation and perhaps of a call at its end that is entered; no call is stepped over.

Without given inputs, where that does not show it, the ways from every set to every set are looked at, calls of plain
procedures composed into them (`smt.ways`): for every state of a set there are inputs with which one of the ways can be
taken and ends in a set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.evidence.traces.lasso import Recurrence
from knaster.program.expression import Expr
from knaster.program.model import Place, Program
from knaster.program.types import Value, belongs
from knaster.semantics.compiled import loop_heads
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session, substitute
from knaster.smt.terms import Formula, Sides, State, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.chains import Arc, Composed, Inside, Taken, Way, make_ways, plain_procedures
from knaster.views.steps.chains_steps import Stage, Stages, constants
from knaster.views.steps.formula import Block, Blocks, cut_points, make_blocks

UNITS = 2_000_000
MOST_BRANCHES = 6  # that nothing decides, on one way


def check_recurrence(program: Program, place: Place, found: Recurrence, budget: Budget) -> None:
    """Return where a set is recurrent; raise `InternalError` where it is not, `OutOfBudget` where z3 does not know."""
    for kind in (Bits, Integers):
        session = Session(budget)
        try:
            cuts = cut_points(program, (place, *(other for other, _ in found.others)))
            blocks = make_blocks(program, Translation(kind(session.context)), cuts)
            said = Answer.UNKNOWN if found.others else _closed(blocks, place, found, session)
            if said is not Answer.UNSATISFIABLE and not found.inputs:
                said = _together(blocks, {place: found.set, **dict(found.others)}, session)
        except Unsuitable:
            continue
        if said is Answer.UNSATISFIABLE:
            return
        if said is Answer.SATISFIABLE:
            raise InternalError("the set of states is not recurrent")
    raise OutOfBudget("z3 did not answer whether the set of states is recurrent")


def _closed(blocks: Blocks, place: Place, found: Recurrence, session: Session) -> Answer:
    now = blocks.variables[place[0]]
    entry = blocks.copy(place[0], f"{place[0]}~")
    ways = [way for stage in ways_back(blocks, place) for way in _chosen(blocks, stage, found)]
    solver = session.solver()
    solver.add([*blocks.ranges(now), *blocks.ranges(entry), _formula(blocks, found.set, now)])
    solver.add([z3.Not(z3.Or(*ways)) if ways else z3.BoolVal(True, session.context)])
    return solver.check(units=UNITS)


def _together(blocks: Blocks, sets: Mapping[Place, Expr], session: Session) -> Answer:
    """Tell whether some state of some set has no way into a set."""
    kept = {name: {at for each, at in sets if each == name} for name, _ in sets}
    heads = {name: frozenset(at | loop_heads(blocks.program.procedure(name))) for name, at in kept.items()}
    ways = make_ways(blocks, heads, [name for name in plain_procedures(blocks) if name not in kept], ())
    for place, condition in sets.items():
        now = blocks.variables[place[0]]
        solver = session.solver()
        solver.add([*blocks.ranges(now), _formula(blocks, condition, now)])
        for way in (*ways.inner, *ways.entering):
            if (way.procedure, way.source) == place and not way.calls and _is_exact(way.arcs):
                solver.add([z3.Not(taken) for taken in _taken(blocks, way, sets)])
        said = solver.check(units=UNITS)
        if said is not Answer.UNSATISFIABLE:
            return said
    return Answer.UNSATISFIABLE


def _is_exact(arcs: tuple[Arc, ...]) -> bool:
    todo, found = list(arcs), True
    while todo:
        match todo.pop():
            case Taken(block):
                found = found and block.exact
            case Composed(call, inner):
                found = found and call.exact
                todo += inner
            case Inside():
                return False
    return found


def _taken(blocks: Blocks, way: Way, sets: Mapping[Place, Expr]) -> Iterator[Formula]:
    """Yield that a way can be taken, with some inputs, and ends in the set of its target; nothing without a set."""
    target, state = (way.procedure, way.target), way.state
    if way.entered is not None:
        if not way.entered.call.exact:
            return
        callee = way.entered.call.callee
        target, state = (callee, blocks.program.procedure(callee).entry), way.entered.given
    if target in sets:
        goal = z3.And(*way.guard, _formula(blocks, sets[target], state))
        spoken = {one.get_id() for one in constants(goal)}
        free = [one for one in way.free if one.get_id() in spoken]
        yield z3.Exists(free, goal) if free else goal


def ways_back(blocks: Blocks, place: Place) -> list[Stage]:
    """Return the ways from a place to itself that step over no call and are known exactly."""
    stages = Stages(blocks, (place,), lambda *_: []).all()
    return [stage for stage in stages if all(_direct(stage, number) for number in range(len(stage.way)))]


def _direct(stage: Stage, number: int) -> bool:
    part = stage.way[number]
    last = stage.enters and number == len(stage.way) - 1
    return part.exact and (isinstance(part, Block) or last)


def _chosen(blocks: Blocks, stage: Stage, found: Recurrence) -> Iterator[Formula]:
    """Yield that a way can be taken and ends in the set, with the given inputs, for each choice of branches."""
    given = dict(found.inputs)
    pairs, branches = inputs_of(blocks, stage, given)
    if pairs is None or len(branches) > MOST_BRANCHES:
        return
    whole = z3.And(*stage.formulas, _formula(blocks, found.set, stage.after))
    for chosen in product((True, False), repeat=len(branches)):
        taken = [(one, z3.BoolVal(value, one.ctx)) for one, value in zip(branches, chosen, strict=True)]
        yield substitute(whole, [*pairs, *taken])


def inputs_of(
    blocks: Blocks, stage: Stage, given: Mapping[int, Value]
) -> tuple[list[tuple[Formula, Formula]] | None, list[Formula]]:
    """Return what stands for the inputs of a way, and its branches that nothing decides; None without such inputs."""
    edges = blocks.program.procedure(stage.source[0]).edges
    pairs: list[tuple[Formula, Formula]] = []
    branches: list[Formula] = []
    for part in stage.way:
        reads = {read.variable.get_id(): read for read in part.reads} if isinstance(part, Block) else {}
        for variable in part.free:
            read = reads.get(variable.get_id())
            if read is None:
                branches.append(variable)
                continue
            value = given.get(edges.index(read.edge))
            if value is None or not belongs(value, read.choice.type):
                return None, []
            pairs.append((variable, blocks.translation.numbers.constant(value, read.choice.type).value))
    return (pairs, branches) if all(z3.is_bool(one) for one in branches) else (None, [])


def _formula(blocks: Blocks, expr: Expr, state: State) -> Formula:
    sides = Sides()
    try:
        found = blocks.translation.formula(expr, state, sides)
    except KeyError as name:
        raise InternalError(f"the set speaks of {name}, which is not known at its place") from None
    if sides.inputs or not sides.exact:
        raise InternalError("the set speaks of values that are not known")
    return found
