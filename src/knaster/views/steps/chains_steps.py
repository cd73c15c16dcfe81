"""Steps between chosen cut points: the blocks on a way from one to the next, with calls stepped over or entered.

A run that never ends passes chosen points again and again, where every cycle of cut points has a chosen one: it stays
in an activation and steps over calls that return, or enters calls that never do (A. Gurfinkel, O. Wei and M. Chechik,
Model Checking Recursive Programs with Exact Predicate Abstraction, ATVA 2008, section 3: the mixed semantics).  What is
known at each point, and of a callee that returns, is for somebody else to say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from knaster.base.graphs import components
from knaster.program.model import Place
from knaster.smt.library import z3
from knaster.smt.linear import Work, free
from knaster.smt.solver import substitute
from knaster.smt.terms import Formula, State, Term
from knaster.views.steps.formula import Block, Blocks, Calling

MOST_WAYS = 400
_TERM = 10  # resource units for a term that is looked at or replaced
_Whole = tuple[Formula, list[Formula]]  # all formulas of a stage as one, and its variables
Known = Callable[[Place, State, State], list[Formula]]  # of a place: what holds there of the entry values and those now

Part = tuple[Place, dict[str, Term], list[Formula], Block | Calling, bool]  # target, state, formulas, what, enters


class TooManyWays(Exception):
    """There are more ways between the points than anybody wants to look at."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A way from one point to another: where it can be taken, and the target's variables afterwards."""

    source: Place
    target: Place
    formulas: tuple[Formula, ...]
    after: Mapping[str, Term]
    way: tuple[Block | Calling, ...]
    enters: bool  # the last part of the way is a call that is entered
    guards: tuple[Formula, ...] = ()  # those of the formulas that the program's own conditions are

    @property
    def key(self) -> tuple[Place, Place]:
        """From where to where."""
        return self.source, self.target


def cut_graph(blocks: Blocks) -> dict[Place, list[Place]]:
    """Return which cut points follow which: over blocks, over calls, and into callees."""
    found: dict[Place, list[Place]] = {(name, cut): [] for name, cuts in blocks.cuts.items() for cut in cuts}
    for block in blocks.blocks:
        found[block.procedure, block.source].append((block.procedure, block.target))
    for call in blocks.calls:
        inner = blocks.program.procedure(call.callee)
        found[call.procedure, call.source] += [(call.procedure, call.target), (call.callee, inner.entry)]
    return found


def cycles(graph: Mapping[Place, list[Place]], without: Collection[Place] = ()) -> list[list[Place]]:
    """Return the components of a graph that have a cycle, where some places are left out."""

    def following(place: Place) -> list[Place]:
        return [other for other in graph[place] if other not in without]

    left = [place for place in graph if place not in without]
    return [part for part in components(left, following) if len(part) > 1 or part[0] in following(part[0])]


class Stages:
    """The steps of one program between some points; every cycle of cut points has to pass one of them."""

    def __init__(
        self, blocks: Blocks, points: Collection[Place], known: Known, most: int = MOST_WAYS, work: Work = free
    ) -> None:
        self.blocks = blocks
        self.work = work  # is told how much there is to do, in resource units, and may end it
        self.points = frozenset(points)
        self.known = known
        self.most = most
        self.entry = {name: blocks.copy(name, f"{name}~") for name in blocks.variables}
        self._blocks: dict[Place, list[Block]] = {}
        self._calls: dict[Place, list[Calling]] = {}
        for block in blocks.blocks:
            self._blocks.setdefault((block.procedure, block.source), []).append(block)
        for call in blocks.calls:
            self._calls.setdefault((call.procedure, call.source), []).append(call)
        graph = cut_graph(blocks)
        self._part = {place: number for number, part in enumerate(cycles(graph)) for place in part}

    def all(self) -> list[Stage]:
        """Return all steps that stay in a cycle; raise `TooManyWays` where there are too many."""
        found: list[Stage] = []
        for point in sorted(self.points):
            for stage in self._from(point):
                found.append(stage)
                if len(found) > self.most:
                    raise TooManyWays
        return found

    def followed(self, stages: Sequence[Stage]) -> list[Stage]:
        """Return the steps that another one can follow: of a run that never ends, all of them from some time on."""
        context = self.blocks.translation.context
        leaving: dict[Place, list[_Whole]] = {}
        for stage in stages:
            whole = z3.And(z3.BoolVal(True, context), *stage.formulas)
            leaving.setdefault(stage.source, []).append((whole, constants(whole, self.work)))
        found = []
        for stage in stages:
            ways = [self._again(stage, other) for other in leaving.get(stage.target, ())]
            again = z3.Or(*ways) if ways else z3.BoolVal(False, context)
            found.append(replace(stage, formulas=(*stage.formulas, again)))
        return found

    def _again(self, stage: Stage, other: _Whole) -> Formula:
        """Return that a step can be taken after a stage, with inputs and calls of its own."""
        name = stage.target[0]
        known = {
            term.value.get_id(): stage.after[n].value
            for n, term in self.blocks.variables[name].items()
            if n in stage.after
        }
        if not stage.enters:
            known |= {term.value.get_id(): term.value for term in self.entry[name].values()}
        whole, spoken = other
        self.work(_TERM * len(spoken))
        pairs = []
        for constant in spoken:
            after = known.get(constant.get_id())
            if after is None:
                after = z3.Const(f"{constant.decl().name()}+", constant.sort())
            pairs.append((constant, after))
        return substitute(whole, pairs)

    def _from(self, point: Place) -> Iterator[Stage]:
        name = point[0]
        now, entry = self.blocks.variables[name], self.entry[name]
        formulas = [*self.blocks.ranges(now), *self.blocks.ranges(entry), *self.known(point, entry, now)]
        todo: list[tuple[Place, dict[str, Term], list[Formula], tuple[Block | Calling, ...], tuple[Formula, ...]]]
        todo = [(point, dict(now), formulas, (), ())]
        while todo:
            place, state, formulas, way, guards = todo.pop()
            if len(way) > self.most:
                raise TooManyWays
            passed = {(part.procedure, part.source) for part in way}  # of cycles without a point, once around
            for target, after, more, part, enters in self._parts(place, state, len(way)):
                if self._part.get(target) != self._part.get(point):
                    continue
                here = [*formulas, *more]
                if not enters:
                    here += self.known(target, entry, after)
                if target in self.points:
                    yield Stage(point, target, tuple(here), after, (*way, part), enters, (*guards, more[0]))
                elif not enters and target not in passed:
                    todo.append((target, after, here, (*way, part), (*guards, more[0])))

    def _parts(self, place: Place, state: State, depth: int) -> Iterator[Part]:
        """Yield what can happen next in a state at a place."""
        name, before = place[0], self.blocks.variables[place[0]]
        pairs = [(term.value, state[n].value) for n, term in before.items() if not term.value.eq(state[n].value)]
        parts = len(self._blocks.get(place, ())) + 2 * len(self._calls.get(place, ()))
        self.work(_TERM * (1 + parts) * (1 + len(pairs)))

        def moved(term: Term) -> Term:
            return Term(substitute(term.value, pairs), term.type, term.low, term.high) if pairs else term

        for block in self._blocks.get(place, ()):
            after = {n: moved(term) for n, term in block.update.items()}
            yield (name, block.target), after, [substitute(block.guard, pairs)], block, False
        for call in self._calls.get(place, ()):
            inner = self.blocks.program.procedure(call.callee)
            guard = substitute(call.guard, pairs)
            passed = dict(zip(inner.parameters, map(moved, call.arguments), strict=True))
            passed |= {n: state[n] for n in self.blocks.program.globals}
            yield (call.callee, inner.entry), passed, [guard], call, True
            leave = self.blocks.copy(call.callee, f"{call.callee}'{depth}.{call.source}'")
            after = {**state, **{n: leave[n] for n in self.blocks.program.globals}}
            for target, result in zip(call.results, inner.results, strict=False):
                if target is not None:
                    after[target] = leave[result]
            ended = self.known((call.callee, inner.exit), passed, leave)
            yield (name, call.target), after, [guard, *self.blocks.ranges(leave), *ended], call, False


def constants(formula: Formula, work: Work = free) -> list[Formula]:
    """Return the variables of a formula, each once; `work` is told how much there is to do."""
    found: dict[int, Formula] = {}
    seen: set[int] = set()
    todo = [formula]
    while todo:
        node = todo.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        work(_TERM)
        if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[node.get_id()] = node
        todo += node.children()
    return list(found.values())
