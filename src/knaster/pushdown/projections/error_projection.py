"""Error projections: the nodes that lie on some path from a source to a target, with witnesses and data values.

Lal (PhD thesis, University of Wisconsin, 2009), sections 5.2 and 5.3.  A node is a stack symbol; it is in the
projection iff some run from a source to a target whose weight is not 0 passes a configuration with the node on top.

For domains of relations one pass backwards over the functional automaton (`functional.py`) answers for all nodes at
once: Live(q, s) are the pairs of valuations, before and after what happens above on the stack, that lie on some such
run.  The pass needs the transpose of each functional weight, w1ᵗ · Live · w2ᵗ, and for merge functions their table
(`tabulate`).  This replaces the copies y_v of section 5.3.2.2.  For other domains every node is followed on its own, as
in section 5.2; weights that are known to arrive or not to arrive are not followed again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from sys import maxsize
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from knaster.base.errors import UnsupportedError
from knaster.pushdown.automaton import Automaton
from knaster.pushdown.fast.expression_log import solve_fast
from knaster.pushdown.projections.functional import FunctionalAutomaton, Pair, Step, require_single_source
from knaster.pushdown.projections.run_through import run_through
from knaster.pushdown.runs.witness import Witness
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.semiring import is_below
from knaster.pushdown.system import PushdownSystem, Rule, Symbol
from knaster.pushdown.tick import Tick

W = TypeVar("W")
K = TypeVar("K", bound=Hashable)

KNOWN = 16  # weights that are remembered as arriving, for each pair


@runtime_checkable
class OffersTranspose(Protocol[W]):
    """A domain of relations, in which a run's effect can be followed backwards."""

    def everything(self) -> W:
        """Return the relation that holds between any two valuations."""
        ...

    def transpose(self, weight: W, /) -> W:
        """Return the relation with its sides exchanged."""
        ...

    def diagonal(self, weight: W, /) -> W:
        """Return the part of the relation that is in the identity."""
        ...

    def tabulate(self, function: Callable[[W], W], /) -> Any:
        """Return what a function that distributes over combine does to every single pair."""
        ...

    def pull(self, table: Any, after: W, /) -> W:
        """Return the pairs that a tabulated function maps to some pair of `after`."""
        ...


def project(
    system: PushdownSystem[W],
    sources: Automaton[W],
    targets: Automaton[W],
    *,
    witnesses: bool = False,
    tick: Tick | None = None,
) -> Projection[W]:
    """Return the error projection; with `witnesses` it can also be asked for runs.

    `tick` is called often, here and while the projection is asked, and stops the work by raising (`tick.py`).

    With merge functions the source must be a single configuration with one symbol on its stack.
    """
    if not system.is_plain():
        require_single_source(sources)
    post = solve_fast(system, sources, forward=False, witnesses=witnesses, tick=tick)
    pre = solve_fast(system, targets, forward=True, witnesses=witnesses, tick=tick)
    return Projection(FunctionalAutomaton(post, pre))


class Projection(Generic[W]):
    """The nodes on paths from a source to a target."""

    def __init__(self, automaton: FunctionalAutomaton[W]) -> None:
        self.automaton = automaton
        self._domain = automaton.domain
        self._arriving: dict[Pair, list[W]] = {}
        self._lost: dict[Pair, W] = {}
        self._tables: dict[int, tuple[Rule[W], Any]] = {}

    def __repr__(self) -> str:
        return f"<Projection of {self.automaton.system!r}: {len(self.nodes)} nodes>"

    @cached_property
    def nodes(self) -> tuple[Symbol, ...]:
        """The nodes in the projection, in the order in which the rules name them."""
        names = self.automaton.post.symbols.names
        return tuple(names[symbol] for symbol in sorted(self.automaton.tops) if self._is_inside(symbol))

    def __contains__(self, node: Symbol) -> bool:
        """Tell whether some run from a source to a target passes `node`."""
        symbol = self._symbol(node)
        return symbol in self.automaton.tops and self._is_inside(symbol)

    def weight(self, node: Symbol, middle: W | None = None) -> W:
        """Return the combined weight of all runs through `node`, with the weight `middle` put in while they are there.

        This is BW(middle, node) of section 5.5; without `middle`, the weighted chopping query of Definition 5.2.2.
        """
        return self.automaton.bottleneck(self._symbol(node), middle)

    def values(self, node: Symbol) -> W:
        """Return the valuations with which runs from a source to a target pass `node`, as a part of the identity.

        Raises `UnsupportedError` for a domain that is not made of relations.
        """
        domain = self._relational()
        total = self._domain.zero
        for step in self.automaton.tops.get(self._symbol(node), ()):
            total = self._domain.combine(total, domain.diagonal(self._around(step)))
        return total

    def values_among(self, node: Symbol, candidates: Mapping[K, W]) -> list[K]:
        """Return the candidates whose weight, put in at `node`, some run from a source to a target passes.

        With {(v, v)} as the weight of v, this is the explicit algorithm of section 5.3.2.1.
        """
        symbol = self._symbol(node)
        return [key for key, middle in candidates.items() if self._arrives(symbol, middle)]

    def witness(self, node: Symbol) -> Witness[W] | None:
        """Return a run from a source through `node` to a target; None where `node` is not in the projection.

        Requires: the projection was made with witnesses.
        """
        path = self.automaton.path(self._symbol(node))
        return run_through(self.automaton, path) if path else None

    def _symbol(self, node: Symbol) -> int:
        symbol = self.automaton.post.letter(node)
        return -1 if symbol is None else symbol

    def _is_inside(self, symbol: int) -> bool:
        if not isinstance(self._domain, OffersTranspose) or not self._can_tabulate:
            return self._arrives(symbol, self._domain.one)
        zero = self._domain.zero
        return any(self._domain.diagonal(self._around(step)) != zero for step in self.automaton.tops[symbol])

    @property
    def _can_tabulate(self) -> bool:
        return self.automaton.system.is_plain() or bool(getattr(self._domain, "tagged", True))

    # every node on its own

    def _arrives(self, symbol: int, middle: W) -> bool:
        """Tell whether a weight put in at a node arrives at a target."""
        return any(
            self._leads_on(step.target, self.automaton.apply(step, middle))
            for step in self.automaton.tops.get(symbol, ())
        )

    def _leads_on(self, pair: Pair, weight: W) -> bool:
        domain = self._domain
        if is_below(domain, weight, self._lost.get(pair, domain.zero)):
            return False
        known = self._arriving.setdefault(pair, [])
        if any(is_below(domain, each, weight) for each in known):
            return True
        arrived = self.automaton.propagate({pair: weight})
        if any(self.automaton.accepts(each) for each in arrived):
            if len(known) < KNOWN:
                known.append(weight)
            return True
        for each, lost in arrived.items():
            self._lost[each] = domain.combine(self._lost.get(each, domain.zero), lost)
        return False

    # all nodes at once

    def _relational(self) -> OffersTranspose[W]:
        if not isinstance(self._domain, OffersTranspose):
            raise UnsupportedError(f"{type(self._domain).__name__} has no data values; relations have")
        return self._domain

    @cached_property
    def _live(self) -> LeastSolution[Pair, W]:
        """The relation Live of every pair: least solution of Live(q, s) = ∪ fᵗ(Live of the target) over its steps."""
        automaton, everything = self.automaton, self._relational().everything()
        into: dict[Pair, list[tuple[Pair, Step[W]]]] = {}
        for pair in automaton.live:
            for step in automaton.steps[pair]:
                if step.target in automaton.live:
                    into.setdefault(step.target, []).append((pair, step))
        live: LeastSolution[Pair, W] = LeastSolution(
            self._domain,
            limit=maxsize,  # relations have no infinite chains, only long ones
            tick=automaton.post.tick,
        )
        for pair in sorted(automaton.live):
            if automaton.accepts(pair):
                live.add(pair, everything)
        for v in live.changes():
            for pair, step in into.get(live.name[v], ()):
                live.add(pair, self._backward(step, live.value[v]))
        return live

    def _around(self, step: Step[W]) -> W:
        """Return the pairs of valuations at the top of the stack around which a run goes on to a target."""
        return self._sides(self.automaton.post.weight[step.before], self._live.at(step.target), step)

    def _backward(self, step: Step[W], after: W) -> W:
        """Return the pairs that the functional weight of a step maps to some pair of `after`."""
        if not step.calls:
            return self._sides(self.automaton.post.weight[step.before], after, step)
        total = self._domain.zero
        for caller, rule in step.calls:
            pairs = self._sides(self.automaton.post.weight[caller], after, step)
            total = self._domain.combine(total, self._relational().pull(self._table(rule), pairs))
        return total

    def _sides(self, before: W, after: W, step: Step[W]) -> W:
        extend, transpose = self._domain.extend, self._relational().transpose
        return extend(extend(transpose(before), after), transpose(self.automaton.pre.weight[step.after]))

    def _table(self, rule: Rule[W]) -> Any:
        """Return the table of z ↦ g(1, z) for the merge function of a rule; of z ↦ f · z where it has none."""
        found = self._tables.get(id(rule))
        if found is None:
            one, extend = self._domain.one, self._domain.extend
            merge = rule.merge
            table = self._relational().tabulate(
                (lambda z: extend(rule.weight, z)) if merge is None else (lambda z: merge(one, z))
            )
            found = self._tables[id(rule)] = (rule, table)
        return found[1]
