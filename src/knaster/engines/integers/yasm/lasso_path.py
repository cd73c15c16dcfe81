"""Finds lassos of the may side, and runs along them whose cycle ends in the state in which it began.

NT of the may side has a stem to every place that a run can come back to, and a way around; whether a state is the same
afterwards is one question about all the inputs and the state at the start.  Calls are entered, not stepped over, but
those of inlined procedures, which are parts of paths.  What is found is executed and replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from knaster.base.errors import InternalError
from knaster.checkers.runs.lasso import replay_lasso
from knaster.engines.integers.yasm.concrete_path import concrete_lasso
from knaster.engines.integers.yasm.equations import Mixed, Solution
from knaster.evidence.traces.lasso import Lasso
from knaster.program.effects import variables_in
from knaster.program.liveness import live_variables
from knaster.program.model import Place
from knaster.semantics.python_code import loop_heads
from knaster.smt.solver import Session
from knaster.views.abstraction.interpolants import Link, Point, Tree
from knaster.views.abstraction.preimage import NONE
from knaster.views.abstraction.relations import Minterm
from knaster.views.steps.paths import CallPath, StepPath

MOST = 12  # lassos that are tried
SEARCHED = 60  # nodes from which a way around is looked for
UNITS = 300_000  # of z3 for each
Node = tuple[Place, Minterm]
Before = dict[Node, tuple[Node, StepPath | CallPath]]


def guess_lasso(over: Mixed, may: Solution, session: Session) -> Lasso | None:
    """Return a run that comes back to a state along a lasso of the may side; None where none is found."""
    program = over.paths.program
    live = live_variables(program)
    for tree, middle in islice(lassos(over, may), MOST):
        name, location = middle[1]
        names = variables_in(live[name][location], program.scope(program.procedure(name)))
        lasso = concrete_lasso(over.paths, tree, middle, names, session, UNITS)
        if lasso is not None:
            try:
                replay_lasso(program, lasso)
            except InternalError:
                continue
            return lasso
    return None


def lassos(over: Mixed, may: Solution) -> Iterator[tuple[Tree, Point]]:
    """Yield lassos, and the points at which their cycles begin; the shortest stems first."""
    entry = over.paths.entries[over.paths.main]
    starts = [(entry, minterm) for minterm in sorted(may.sets[entry] & over.pre.abstraction.initial())]
    stems, order = _search(over, may, starts)
    heads = {(p.name, location) for p in over.paths.program.procedures for location in loop_heads(p)}
    heads |= {(p.name, p.entry) for p in over.paths.program.procedures if p.name in over.paths.points}
    for node in islice((node for node in order if node[0] in heads), SEARCHED):
        back, reached = _search(over, may, [node], node[0])
        if reached and reached[-1][0] == node[0] and reached[-1] in back:
            yield _tree(starts, stems, node, back, reached[-1])


def _successors(over: Mixed, may: Solution, node: Node) -> Iterator[tuple[Node, StepPath | CallPath]]:
    """Yield what follows a node in NT, over paths and into calls."""
    place, minterm = node
    abstraction, site = over.pre.abstraction, over.paths.calls.get(place)
    if site is not None:
        entry = over.paths.entries[site.callee]
        for after in sorted(abstraction.entries(site).get(minterm, NONE) & may.sets[entry]):
            yield (entry, after), site
    for path in over.paths.leaving[place]:
        target = (place[0], path.target)
        for after in sorted(abstraction.after(path).get(minterm, NONE) & may.sets[target]):
            yield (target, after), path


def _search(over: Mixed, may: Solution, starts: list[Node], until: Place | None = None) -> tuple[Before, list[Node]]:
    """Return from where each node is reached first, and the nodes in that order; with a place, up to it."""
    before: Before = {}
    order = list(starts)
    seen = set(starts) if until is None else set()
    for node in order:
        for after, by in _successors(over, may, node):
            if after not in seen:
                seen.add(after)
                before[after] = (node, by)
                order.append(after)
                if after[0] == until:
                    return before, order
    return before, order


def _tree(starts: list[Node], stems: Before, node: Node, back: Before, end: Node) -> tuple[Tree, Point]:
    stem, around = _path(stems, node, starts), _path(back, end, [node])
    links: dict[Point, tuple[Link, ...]] = {}
    middle: Point = (None, *node)
    for source, by, target in stem:
        links[None, *source] = (Link(by, (None, *target)),)
    here = middle
    for _, by, target in around:
        links[here] = (Link(by, ("again", *target)),)
        here = ("again", *target)
    first: Node = stem[0][0] if stem else node
    return Tree((None, *first), (here,), links), middle


def _path(before: Before, end: Node, starts: list[Node]) -> list[tuple[Node, StepPath | CallPath, Node]]:
    """Return the steps that lead to a node; at least one where it is a start and has one before it."""
    steps: list[tuple[Node, StepPath | CallPath, Node]] = []
    node = end
    while node in before and (node not in starts or not steps):
        source, by = before[node]
        steps.append((source, by, node))
        node = source
    return steps[::-1]
