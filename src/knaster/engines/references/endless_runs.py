"""Infinite runs of models of one thread: from a cycle in the graph of a table of effects, its lasso.

A way through the graph is expanded, each call that returns by a shortest way to its effect, into the alternatives of a
run of the product; the interpreter takes that run, and what are steps of the model is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.base.graphs import shortest_way
from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.checkers.heap.effect_arcs import Arc, Arcs, Row, is_accepting
from knaster.evidence.proofs.heap.effect_table import EffectTable
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.heap_recorder import HeapRecorder
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.interpreter import Machine

LONGEST = 200_000  # steps of a run that is written down
ROUNDS = 6  # of a cycle before it comes back: what a pattern does not read may be something else after the first ones
Way = list[tuple[Row, Arc]]
Accepts = Callable[[Row], bool] | None


class Piece(NamedTuple):
    """Some steps of a run, and the alternatives that are taken where there are several."""

    steps: int
    alternatives: tuple[int, ...]


def lasso_through(
    program: Program,
    table: EffectTable,
    arcs: Arcs,
    component: set[Row],
    accepts: Accepts,
    question: Temporal | Termination,
) -> Lasso:
    """Return a run that goes around in a component of the graph for ever, with an accepting arc."""
    expansion = _Expansion(arcs)
    stands = sorted(row for row in component if _is_of_model(program, table, row))
    start = stands[0] if stands else min(component)
    begin, stem = (0, arcs.firsts[0]), list[tuple[Row, Arc]]()
    if begin != start:
        stem = _way(expansion, begin, None, lambda row, arc: arc.target == start)
    first = _way(expansion, start, component, lambda row, arc: is_accepting(arc, accepts))
    last = first[-1][1].target
    around = first if last == start else first + _way(expansion, last, component, lambda row, arc: arc.target == start)
    formula, deeper = str(question) if isinstance(question, Temporal) else "", any(arc.enters for _, arc in around)
    run = _Run(program, table.program)
    run.take(expansion.pieces(stem))
    for _ in range(ROUNDS):
        seen, follows = run.sight(deeper), run.go_on()
        follows.take(expansion.pieces(around))
        if not follows.moved:
            return Lasso(run.trace(), run.recorder.stand_still(), stays=True, formula=formula)
        if follows.sight(deeper) == seen:
            return Lasso(run.trace(), follows.trace(), deeper=deeper, formula=formula)
        run = _Run(program, table.program)
        stem = stem + around
        run.take(expansion.pieces(stem))
    raise OutOfBudget("a run never ends, and no cycle was found that comes back to what the run saw")


def _is_of_model(program: Program, table: EffectTable, row: Row) -> bool:
    """Tell whether a row stands before a statement of the model."""
    root = table.roots[row[0]]
    return root.paths[row[1]].location < program.procedure(root.procedure).size


def _way(expansion: _Expansion, start: Row, among: set[Row] | None, is_wanted: Callable[[Row, Arc], bool]) -> Way:
    """Return a shortest way whose last arc is wanted."""

    def leave(here: Row) -> Iterator[tuple[Row, Arc]]:
        return ((arc.target, arc) for arc in expansion.after(here) if among is None or arc.target in among)

    if way := shortest_way(start, leave, is_wanted):
        return way
    raise InternalError("there is no way through the table where there should be one")


class _Expansion:
    """Shortest ways through calls that return."""

    def __init__(self, arcs: Arcs) -> None:
        self.arcs = arcs
        self.known: dict[Row, tuple[Row, Arc] | None] = {}  # how each row is reached from the first one of its root
        self.effects: dict[Row, tuple[Row, Arc]] = {}  # the same of effects: a root and a number
        self._reach()

    def _reach(self) -> None:
        """Find ways to all rows and effects, those through known effects alone first."""
        for root, first in self.arcs.firsts.items():
            self.known[root, first] = None
        changed = True
        while changed:
            changed = False
            for row in list(self.known):
                for arc in self.arcs.leaving.get(row, ()):
                    if arc.target not in self.known and self._is_passable(row, arc):
                        self.known[arc.target] = row, arc
                        changed = True
                for arc in self.arcs.ends.get(row, ()):
                    if arc.target not in self.effects and self._is_passable(row, arc):
                        self.effects[arc.target] = row, arc
                        changed = True

    def after(self, row: Row) -> Iterator[Arc]:
        """Yield the arcs that leave a row; of effects that look alike to the checker one has a way to it."""
        return (arc for arc in self.arcs.after(row) if self._is_passable(row, arc))

    def _is_passable(self, row: Row, arc: Arc) -> bool:
        """Tell whether a way to the effect of an arc is known."""
        return arc.effect is None or (self.arcs.calls[row], arc.effect) in self.effects

    def pieces(self, way: Way) -> Iterator[Piece]:
        """Yield the pieces of a run along a way, calls expanded."""
        stack: list[Iterator[tuple[Row, Arc] | int]] = [iter(way)]
        while stack:
            item = next(stack[-1], None)
            if item is None:
                stack.pop()
            elif isinstance(item, int):
                yield Piece(item, ())
            elif item[1].effect is None:
                alternative = item[1].alternative
                yield Piece(item[1].steps, () if alternative is None else (alternative,))
            else:
                row, arc = item
                assert arc.effect is not None
                yield Piece(1, ())
                stack += [iter([arc.steps - 1]), iter(self._inside(self.arcs.calls[row], arc.effect))]

    def _inside(self, root: int, effect: int) -> Way:
        """Return the way of a call from its first row to an effect."""
        row, arc = self.effects[root, effect]
        way = [(row, arc)]
        while (step := self.known[row]) is not None:
            way.append(step)
            row = step[0]
        return way[::-1]


class _Run:
    """A run of the product on the interpreter, and the same run of the model, which is recorded."""

    def __init__(self, program: Program, product: Program) -> None:
        self.same = program is product
        self.pairs = Machine(product)
        self.configuration = self.pairs.start()
        machine = Machine(program)
        self.recorder = HeapRecorder(machine, machine.start())
        self.moved = False

    def take(self, pieces: Iterator[Piece]) -> None:
        """Take some pieces of the run."""
        length = 0
        for piece in pieces:
            length += piece.steps
            if length > LONGEST:
                raise OutOfBudget(f"the run takes more than {LONGEST:,} steps")
            self._piece(piece)

    def _piece(self, piece: Piece) -> None:
        left: Sequence[int] = piece.alternatives
        for _ in range(piece.steps):
            count = len(self.pairs.alternatives(self.configuration, 1))
            chosen = 0
            if count > 1:
                (chosen,), left = left, ()
            event = self.pairs.step(self.configuration, 1, chosen)
            if self.same or event.edge.origin is not None:
                self.recorder.run(1)
                self.recorder.step(chosen)
                self.moved = True

    def go_on(self) -> _Run:
        """Return the run as it goes on from here, to be recorded anew."""
        follows = _Run.__new__(_Run)
        follows.same, follows.pairs, follows.configuration = self.same, self.pairs, self.configuration
        follows.recorder, follows.moved = self.recorder.go_on(), False
        return follows

    def sight(self, deeper: bool) -> Hashable:
        """Return what the run sees, up to the names of cells; where it goes deeper, what its last frame sees."""
        here = self.recorder.configuration
        return canonical(Configuration(here.statics, here.heap, [here.threads[0][-1:]]) if deeper else here)

    def trace(self) -> Trace:
        """Return what was recorded."""
        return self.recorder.trace()
