"""Functional automata: all paths from a source through a configuration to a target, with the configuration left open.

Lal (PhD thesis, University of Wisconsin, 2009), section 5.2: the product of the answers of post* and pre*.  A step of
the product reads one symbol in both and carries a function of the weight z of everything that happens above it on the
stack, z ↦ w1 · z · w2; with merge functions (section 5.2.1) z ↦ g(l, z) · w2 for a call with the caller's weight l that
has to return, which it has iff the step starts in p'_g' of post* and in a control state of pre* (specification E1).

Notation: (q, s) a pair of a state of post* and a state of pre*; f a functional weight, f(z) for a weight z.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.graphs import depth_first
from knaster.base.records import dataclass
from knaster.pushdown.automaton import Automaton
from knaster.pushdown.numbering import NONE
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.derivations import AllDerivations
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import Rule, merge_weights
from knaster.pushdown.tick import with_ticks

W = TypeVar("W")

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Step(Generic[W]):
    """(q, s) → target, reading a symbol: the transitions of both answers and, for a call that returns, the calls."""

    target: Pair
    before: int
    after: int
    calls: tuple[tuple[int, Rule[W]], ...] = ()


class FunctionalAutomaton(Generic[W]):
    """The product of an answer of post* and an answer of pre* of the same system."""

    def __init__(self, post: Answer[W], pre: Answer[W]) -> None:
        if post.forward or not pre.forward:
            raise UsageError("a functional automaton needs an answer of post* and one of pre*, in this order")
        self.post = post
        self.pre = pre
        self.system = post.system
        self.domain: Semiring[W] = post.system.domain
        self._plain = post.system.is_plain()

    @cached_property
    def tops(self) -> dict[int, list[Step[W]]]:
        """For every symbol the steps that read it on top of the stack and lead to an accepting pair."""
        found: dict[int, list[Step[W]]] = {}
        post, pre = self.post, self.pre
        for t in with_ticks(range(len(post)), post.tick):
            if post.source[t] >= post.controls or post.symbol[t] == post.empty:
                continue
            symbol, state = self._in_pre(post.symbol[t]), self._control_in_pre(post.source[t])
            for u in pre.leaving.get((state, symbol), ()):
                pair = post.target[t], pre.target[u]
                if pair in self.live:
                    found.setdefault(post.symbol[t], []).append(Step(pair, t, u))
        return found

    @cached_property
    def steps(self) -> dict[Pair, list[Step[W]]]:
        """The steps below the top, by the pair that they leave, as far as tops lead."""
        post, pre = self.post, self.pre
        found: dict[Pair, list[Step[W]]] = {}
        tick, todo = post.tick, self._first_pairs()
        while todo:
            pair = todo.pop()
            if pair in found:
                continue
            if tick is not None:
                tick()
            found[pair] = []
            q, s = pair
            for t in post.leaving_state.get(q, ()):
                for u in pre.leaving.get((s, self._in_pre(post.symbol[t])), ()):
                    target = post.target[t], pre.target[u]
                    found[pair].append(Step(target, t, u, self._matched_calls(t, s)))
                    todo.append(target)
        return found

    @cached_property
    def live(self) -> set[Pair]:
        """The pairs from which an accepting pair can be reached."""
        into: defaultdict[Pair, list[Pair]] = defaultdict(list)
        for pair, steps in self.steps.items():
            for step in steps:
                into[step.target].append(pair)
        return set(depth_first(filter(self.accepts, self.steps), into.__getitem__)[0])

    def accepts(self, pair: Pair) -> bool:
        """Tell whether both answers accept in a pair."""
        return pair[0] in self.post.final and pair[1] in self.pre.final

    def apply(self, step: Step[W], weight: W) -> W:
        """Return f(weight) for the functional weight f of a step."""
        domain, after = self.domain, self.pre.weight[step.after]
        if not step.calls:
            return domain.extend(domain.extend(self.post.weight[step.before], weight), after)
        total = domain.zero
        for caller, rule in step.calls:
            total = domain.combine(total, merge_weights(domain, rule, self.post.weight[caller], weight))
        return domain.extend(total, after)

    def bottleneck(self, symbol: int, middle: W | None = None) -> W:
        """Return Σ v(σ1) · middle · v(σ2) over all runs σ1 σ2 that pass a configuration with `symbol` on top."""
        domain = self.domain
        seeds: dict[Pair, W] = {}
        for step in self.tops.get(symbol, ()):
            weight = self.apply(step, domain.one if middle is None else middle)
            seeds[step.target] = domain.combine(seeds.get(step.target, domain.zero), weight)
        total = domain.zero
        for pair, weight in self.propagate(seeds).items():
            if self.accepts(pair):
                total = domain.combine(total, weight)
        return total

    def propagate(self, seeds: dict[Pair, W]) -> dict[Pair, W]:
        """Return the weight that arrives at every pair from the seeds."""
        solution: LeastSolution[Pair, W] = LeastSolution(self.domain, tick=self.post.tick)
        for pair, weight in seeds.items():
            solution.add(pair, weight)
        for v in solution.changes():
            for step in self.steps[solution.name[v]]:
                if step.target in self.live:
                    solution.add(step.target, self.apply(step, solution.value[v]))
        return dict(zip(solution.name, solution.value, strict=True))

    def path(self, symbol: int, middle: W | None = None) -> list[Step[W]]:
        """Return steps, top of the stack first, along which a bottleneck weight other than 0 arrives; [] if none."""
        log: AllDerivations[W] = AllDerivations()
        solution: LeastSolution[Pair, W] = LeastSolution(self.domain, log=log, tick=self.post.tick)
        taken: list[Step[W]] = []  # the rule of a derivation is a place in this list

        def take(step: Step[W], weight: W, before: int) -> None:
            taken.append(step)
            solution.add(step.target, self.apply(step, weight), len(taken) - 1, before)

        for step in self.tops.get(symbol, ()):
            take(step, self.domain.one if middle is None else middle, NONE)
        for v in solution.changes():
            if self.accepts(solution.name[v]):
                return self._way_back(log, taken, v)
            for step in self.steps[solution.name[v]]:
                if step.target in self.live:
                    take(step, solution.value[v], v)
        return []

    def _way_back(self, log: AllDerivations[W], taken: Sequence[Step[W]], pair: int) -> list[Step[W]]:
        """Return the steps to a pair, chosen backwards so that what goes through all of them is not 0."""
        onward: list[Step[W]] = []
        version = log.version(pair)
        while pair != NONE:
            share = next(n for n in range(version + 1) if self._passes(onward, log.shares[pair][n]))
            arrival = log.derivations[pair][share]
            onward.insert(0, taken[arrival.rule])
            pair, version = arrival.first, arrival.first_version
        return onward

    def _passes(self, steps: Sequence[Step[W]], weight: W) -> bool:
        for step in steps:
            weight = self.apply(step, weight)
        return bool(weight != self.domain.zero)

    def _first_pairs(self) -> list[Pair]:
        post, pre = self.post, self.pre
        return [
            (post.target[t], pre.target[u])
            for t in with_ticks(range(len(post)), post.tick)
            if post.source[t] < post.controls and post.symbol[t] != post.empty
            for u in pre.leaving.get((self._control_in_pre(post.source[t]), self._in_pre(post.symbol[t])), ())
        ]

    def _in_pre(self, symbol: int) -> int | None:
        """Return the number that the answer of pre* has for a symbol of the answer of post*."""
        return self.pre.letter(self.post.symbols.names[symbol])

    def _control_in_pre(self, state: int) -> int:
        control = self.pre.control(self.post.states.names[state])
        return NONE if control is None else control

    def _matched_calls(self, t: int, state: int) -> tuple[tuple[int, Rule[W]], ...]:
        """Return the calls behind a transition of post* that leaves p'_g', if they have to return; () if f is plain."""
        own = len(self.post.states.names)
        if self._plain or self.post.source[t] < own or state >= self.pre.controls:
            return ()
        entry = self.post.middle[self.post.source[t] - own]
        found = []
        for rule, key in self._calls.get((entry, self.post.symbol[t]), ()):
            for caller in self.post.leaving.get(key, ()):
                if self.post.target[caller] == self.post.target[t]:
                    found.append((caller, rule))
        return tuple(found)

    @cached_property
    def _calls(self) -> dict[tuple[int, int], list[tuple[Rule[W], tuple[int, int]]]]:
        """The push rules by callee (p' << 32 | g') and return site, each with its left side, by number."""
        found: dict[tuple[int, int], list[tuple[Rule[W], tuple[int, int]]]] = {}
        table = self.system.table
        for r, rule in enumerate(self.system.rules):
            if table.second[r] != NONE and rule.weight != self.domain.zero:
                entry = table.target[r] << 32 | table.first[r]
                found.setdefault((entry, table.second[r]), []).append((rule, (table.source[r], table.symbol[r])))
        return found


def require_single_source(automaton: Automaton[W]) -> None:
    """Raise `UsageError` where an automaton is not one configuration with one symbol on its stack."""
    edges = automaton.edges
    if len(edges) != 1 or edges[0].source not in automaton.initial or edges[0].target not in automaton.final:
        raise UsageError("with merge functions the source must be one configuration with one symbol on its stack")
