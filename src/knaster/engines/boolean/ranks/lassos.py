"""The run that a cycle of heads stands for: shortest stem, cycle, and back to the program that was asked about.

The stem is a shortest one to a head of the cycle.  Both together are one run of the product, which is made concrete
as shortest traces are; then steps and variables that the product added are taken away.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.bdd.store import Bdd
from knaster.checkers.runs.lasso import comes_back
from knaster.engines.boolean.ranks.heads import Heads, Sets
from knaster.engines.boolean.ranks.walk import Move, Walk
from knaster.evidence.questions.product import CALLING, ENDED, KEPT, RUN, SEEN, Product
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.recorder import PathRecorder
from knaster.evidence.traces.trace import Path, Trace, inner_first
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Call, Place
from knaster.views.summaries.rings import Hop, Moves, Rings
from knaster.views.summaries.shortest_traces import Explainer

ROUNDS = 6  # of a cycle of heads, until it comes back to what it does not track


def find_lasso(heads: Heads, good: Sets, budget: Budget, formula: str = "") -> Lasso:
    """Return an accepted run.  Requires: some initial head is among the good ones, which begin one.

    Where a bad prefix is enough, the run begins with a shortest one that can go on.  What a procedure does not touch is
    no part of a head, so the cycle of a run may be some rounds of one of heads, after others.
    """
    walk = Walk(heads, good, budget)
    rings = _make_rings(heads, budget)
    prefix = _find_bad_prefix(heads, good, rings)
    if prefix is not None:
        stem, cube, place = prefix
        way, cycle = walk.find_cycle(place, walk.store.assignment(cube))
        more, cube = _follow(walk, way, cube)
        stem = [*stem, *more]
    else:
        _, cycle = walk.find_cycle((RUN, CALLING), heads.symbolic.initial())
        stem, cube, at = _find_stem(heads, walk, cycle, rings)
        cycle = cycle[at:] + cycle[:at]
    explainer, whole, found = Explainer(heads.symbolic, heads.engine, budget), list(stem), list[Lasso]()
    for rounds in range(1, ROUNDS):
        hops, cube = _follow(walk, cycle, cube)
        whole += hops
        paths = explainer.paths(whole, cube)
        for before in reversed(range(rounds)):
            lasso = _back(heads.product, paths, len(stem) + before * len(cycle), cycle[0].place)
            found.append(replace(lasso, formula=formula))
            if lasso.stays or comes_back(heads.product.original, found[-1]):
                return found[-1]
    return found[0]


def _make_rings(heads: Heads, budget: Budget) -> Rings:
    start = (RUN, CALLING), heads.symbolic.initial()
    return Rings(Moves(heads.symbolic), budget, heads.engine.summary, start, enter=True)


def _find_bad_prefix(heads: Heads, good: Sets, rings: Rings) -> tuple[list[Hop], dict[int, bool], Place] | None:
    """Return a shortest way to a good head at which the automaton accepts whatever follows; None where none is inside.

    The end of a run is one step away, over the whole of it, and is no prefix.
    """
    product, store = heads.product, heads.symbolic.store
    if not product.bits or not product.automaton.is_terminal():
        return None
    wanted: dict[Place, Bdd] = {}
    for place, states in good.items():
        slots = heads.symbolic.frames[place[0]].slots
        bits = [variable(slots[bit], Copy.NOW) for bit in product.bits]
        if (
            place != (RUN, ENDED)
            and product.is_original(place)
            and set(bits) <= set(heads.symbolic.now_variables(*place))
        ):
            for sink in sorted(product.automaton.sinks()):
                here = states & store.assignment({index: bool(sink >> at & 1) for at, index in enumerate(bits)})
                wanted[place] = wanted.get(place, store.false) | here
    while True:
        for place, states in wanted.items():
            if place in rings.rings[-1] and rings.rings[-1][place] & states != store.false:
                return *rings.find_way(place, states), place
        if not rings.grow():
            return None


def _find_stem(heads: Heads, walk: Walk, cycle: Sequence[Move], rings: Rings) -> tuple[list[Hop], dict[int, bool], int]:
    """Return a shortest way to a head of a cycle, the state there, and the number of the head."""
    store = heads.symbolic.store
    wanted = [
        (at, move.place, store.assignment(dict(walk.key(move.place, move.cube)[1])))
        for at, move in enumerate(cycle)
        if heads.product.is_original(move.place)
    ]
    while True:
        for at, place, states in wanted:
            if rings.states(place) & states != store.false:
                hops, cube = rings.find_way(place, states)
                return hops, cube, at
        if not rings.grow():
            raise InternalError("a cycle that no run reaches")


def _follow(walk: Walk, cycle: Sequence[Move], cube: dict[int, bool]) -> tuple[list[Hop], dict[int, bool]]:
    """Return the cycle as it goes on from a state of its first head, and the state after it."""
    hops: list[Hop] = []
    for move in cycle:
        hops.append(Hop(move.place, move.step.edge, move.step.enters, cube))
        wanted = _without_bits(walk, move)
        after = move.step.image(walk.store.assignment(cube)) & walk.store.assignment(wanted)
        if after == walk.store.false:
            raise InternalError("a cycle that cannot be repeated")
        cube = walk.pick(move.step.target, after)
    return hops, cube


def _without_bits(walk: Walk, move: Move) -> dict[int, bool]:
    """Return the state after a step, but for what was seen before the cycle: a call forgets that, and sees its own."""
    slots = walk.heads.symbolic.frames[move.step.target[0]].slots
    returns = isinstance(move.step.edge.action, Call) and not move.step.enters
    free = {KEPT} if returns else {KEPT, SEEN}
    open_ = {variable(slots[name], Copy.NOW) for name in free & slots.keys()}
    return {index: value for index, value in move.after.items() if index not in open_}


def _back(product: Product, paths: Sequence[Path], stem: int, place: Place) -> Lasso:
    """Return the run of the original program, whose stem has so many steps of the product."""
    if place == (RUN, ENDED):
        inside = paths[0].steps[0].inside
        assert inside is not None
        main = _originals(product, [inside])[inside]
        return _staying((main,), product.original.procedure(main.procedure).exit)
    number = 0
    while stem > len(paths[number].steps) or (stem == len(paths[number].steps) and number + 1 < len(paths)):
        stem -= len(paths[number].steps)
        number += 1
    whole, location = paths[number], place[1]
    before = Path(whole.procedure, whole.start, whole.steps[:stem], whole.begin)
    behind = Path(whole.procedure, before.end, whole.steps[stem:], location)
    found = _originals(product, [*paths[1:number], before, behind, *paths[number + 1 :]])
    first = tuple(found[path] for path in (*paths[1:number], before))
    if location in product.original.procedure(place[0]).failures:
        return _staying(first, location)
    cycle = tuple(found[path] for path in (behind, *paths[number + 1 :]))
    return Lasso(Trace.sequential(first, location), Trace.sequential(cycle, location), len(cycle) > 1)


def _staying(paths: tuple[Path, ...], location: int) -> Lasso:
    last = paths[-1]
    rest = Path(last.procedure, last.end, (), location)
    return Lasso(Trace.sequential(paths, location), Trace.sequential((rest,), location), stays=True)


def _originals(product: Product, paths: Sequence[Path]) -> dict[Path, Path]:
    """Return the runs of the original program that runs of the product stand for."""
    original = product.original
    found: dict[Path, Path] = {}
    for path in inner_first(paths):
        scope = original.scope(original.procedure(path.procedure))
        recorder = PathRecorder(path.procedure, {name: path.start[name] for name in scope}, path.begin)
        for step in path.steps:
            if step.edge.origin is not None:
                inside = found[step.inside] if step.inside is not None else None
                recorder.step(step.edge.origin, {name: step.after[name] for name in scope}, step.inputs, inside)
        found[path] = recorder.path()
    return found
