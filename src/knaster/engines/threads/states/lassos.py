"""Runs inside sets: from what is left of fair configurations, a stem and a fair cycle, configuration by configuration.

A walk goes, along rings around each goal, to everything that a run that counts has to pass, and then back to where it
began; where there is no way back it begins anew where it is, which is further on in the graph of the components
(E. Clarke, O. Grumberg, K. McMillan and X. Zhao, Efficient generation of counterexamples and witnesses, DAC 1995).
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.automata.automaton import Automaton, Step
from knaster.base.errors import InternalError
from knaster.base.named_tuples import NamedTuple
from knaster.bdd.store import Bdd, Store
from knaster.engines.thread_runs import lasso_of_moves
from knaster.engines.threads.states.product import Sets, ThreadSets
from knaster.engines.threads.states.removals import Reason, goals_of
from knaster.evidence.proofs.threads.fair_sets import ACCEPTS, MOVES, OUTSIDE, Site
from knaster.evidence.questions.letters import Meanings
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.program.layout.lanes import ENDED, UNUSED, Lanes, Point
from knaster.semantics.thread_graph import Move, Node, ThreadGraph
from knaster.semantics.threads import UNBEGUN, Stack


class Pair(NamedTuple):
    """A configuration and a state of the automaton."""

    node: Node
    state: int


class Passage(NamedTuple):
    """A step of a walk: by a move, or none where the run rests; with the step of the automaton, or none."""

    source: Pair
    move: Move | None
    step: Step | None
    target: Pair


class Walks:
    """Ways from configuration to configuration inside sets."""

    def __init__(self, product: ThreadSets, automaton: Automaton, meanings: Meanings, rests: bool) -> None:
        self.product, self.automaton, self.meanings, self._rests = product, automaton, meanings, rests
        self.graph = ThreadGraph(product.moves.program)
        self.leaving = automaton.leaving()

    def find(self, reached: Sets, left: Sets, reasons: list[Reason], question: Termination | Temporal) -> Lasso:
        """Return a run of pairs that are reached with a cycle inside what is left."""
        goals = left
        if self.automaton.is_terminal():  # a bad prefix is enough: a shortest one first
            sinks = self.automaton.sinks()
            goals = {site: states for site, states in left.items() if site[0] in sinks}
        stem = self._way(self.starts(), goals or left, reached)
        cycle: list[Passage] = []
        while not cycle:
            here = (
                stem[-1].target
                if stem
                else next(start for start in self.starts() if self.contains(goals or left, start))
            )
            way = self._round(here, left, reasons)
            around = self._return(way[-1].target, here, left)
            if around is None:
                stem += way
            else:
                cycle = way + around
        if all(passage.move is None for passage in cycle):
            return lasso_of_moves(self.graph, _moves(stem), [], cycle[0].source.node, question)
        return lasso_of_moves(self.graph, _moves(stem), _moves(cycle), cycle[0].source.node, question)

    def starts(self) -> Iterator[Pair]:
        """Yield the pairs in which runs begin."""
        for node in self.graph.starts():
            yield from (Pair(node, state) for state in self.automaton.initial)

    def _round(self, here: Pair, left: Sets, reasons: list[Reason]) -> list[Passage]:
        """Return a way that passes everything that a run that counts has to."""
        way: list[Passage] = []
        for reason in reasons:
            now = way[-1].target if way else here
            goals = goals_of(self.product, left, reason)
            if reason[0] not in (ACCEPTS, MOVES) and not self.contains(self.product.go_back(goals, left), now):
                continue  # the thread cannot move from here on
            way += self._way(iter([now]), goals, left)
            way.append(self._mark(way[-1].target if way else here, reason, left))
        return way

    def _mark(self, here: Pair, reason: Reason, left: Sets) -> Passage:
        """Return the step for which the walk came here."""
        name, thread = reason
        counting, good = self.product.guards.acceptance.counting, self.product.guards.acceptance.good
        inside = [each for each in self.steps(here) if self.contains(left, each.target)]
        for each in inside:
            if name == ACCEPTS:
                counts = each.step in counting if each.step is not None else here.state in good
            else:
                counts = each.move is not None and each.move.thread == thread
            if counts:
                return each
        if name == MOVES and inside and not self.graph.can_move(here.node, thread):
            return inside[0]
        raise InternalError("a walk has lost its way")

    def _return(self, here: Pair, goal: Pair, left: Sets) -> list[Passage] | None:
        """Return a way back; None where there is none."""
        goals = {self.site(goal): self._only(goal)}
        return self._way(iter([here]), goals, left) if self.contains(self.product.go_back(goals, left), here) else None

    def _way(self, starts: Iterator[Pair], goals: Sets, within: Sets) -> list[Passage]:
        """Return a shortest way from one of some pairs to goals: ring by ring."""
        rings, seen, begin = [goals], dict(goals), list(starts)
        while (here := next((each for each in begin if self.contains(rings[-1], each)), None)) is None:
            self.product.check()
            rings.append(self.product.add(seen, self.product.step_back(rings[-1], within)))
            if not rings[-1]:
                raise InternalError("a walk has lost its goal")
        way: list[Passage] = []
        for ring in reversed(rings[:-1]):
            way.append(next(each for each in self.steps(here) if self.contains(ring, each.target)))
            here = way[-1].target
        return way

    def steps(self, here: Pair) -> Iterator[Passage]:
        """Yield the steps from a pair; threads begin by a step of their own."""
        node, state = here
        taken = [step for step in self.leaving[state] if step.takes(self._letter(node))]
        for move in self._moves(node):
            after = self.graph.node(move.after)
            if move.is_silent:
                yield Passage(here, move, None, Pair(after, state))
            else:
                yield from (Passage(here, move, step, Pair(after, step.target)) for step in taken)
        if self._rests and self.graph.rests(node):
            yield from (Passage(here, None, step, Pair(node, step.target)) for step in taken)

    def _moves(self, node: Node) -> Iterator[Move]:
        unbegun = [number for number, stack in enumerate(node.stacks) if stack and stack[-1].location == UNBEGUN]
        yield from (move for move in self.graph.moves(node) if move.thread not in unbegun)
        for thread in unbegun if not (self.graph.is_inside(node) or self.graph.has_failed(node)) else ():
            before = node._replace(running=thread)
            yield from (Move(thread, before, None, begun) for begun in self.graph.threads.begin(before))

    def _letter(self, node: Node) -> frozenset[str]:
        places, shared, over = list(self.graph.places(node)), self.graph.shared(node), self.graph.is_over(node)
        return frozenset(atom for atom, meaning in self.meanings.items() if meaning.holds_of(places, shared, over))

    def site(self, pair: Pair) -> Site:
        """Return the site of a pair."""
        node, state = pair
        alone = self.graph.is_inside(node) and not self.graph.is_over(node)
        return state, (node.running, node.section) if alone else OUTSIDE

    def contains(self, sets: Sets, pair: Pair) -> bool:
        """Tell whether a pair is in sets."""
        states = sets.get(self.site(pair))
        return states is not None and not self.product.store.is_false(states & self._only(pair))

    def _only(self, pair: Pair) -> Bdd:
        return configuration_set(self.product.store, self.product.moves.lanes, self.graph, pair.node)


def configuration_set(store: Store, lanes: Lanes, graph: ThreadGraph, node: Node) -> Bdd:
    """Return the set of one configuration."""
    values = {lanes.shared[name]: bool(value) for name, value in graph.shared(node).items()}
    for number, lane in enumerate(lanes.lanes):
        stack = node.stacks[number] if number < len(node.stacks) else None
        code = lane.codes[UNUSED if stack is None else _point(stack)]
        values |= {bit: bool(code >> index & 1) for index, bit in enumerate(lane.bits)}
        for depth, each in enumerate(stack or ()):
            values |= dict(zip(lane.depths[depth], map(bool, each.frame), strict=False))
    return store.assignment(values)


def _point(stack: Stack) -> Point:
    if not stack:
        return ENDED
    calls = tuple((each.procedure, each.calling) for each in stack[:-1] if each.calling is not None)
    return Point(calls, stack[-1].procedure, stack[-1].location)


def _moves(way: list[Passage]) -> list[Move]:
    return [passage.move for passage in way if passage.move is not None]
