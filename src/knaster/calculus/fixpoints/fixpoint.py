"""Computes fixed points of equation systems (La Torre, Madhusudan and Parlato, PLDI 2009, section 3).

`nested` is the paper's Evaluate, word for word: to compute R, start from the empty set; in each round freeze R at its
current value S, evaluate every other relation that R's equation needs *in the system where R is S*, then R's equation.
It gives every system a meaning, positive or not; of `nu`, the start is the full set.

Where a set of mutually recursive equations is positive and all are `mu` (or all `nu`), Evaluate computes the least
(greatest) solution, and so does every fair order of rounds (Knaster and Tarski; Bekić for the nesting).  `together`
then solves all of them at once, by rounds, and `frontier` by what is new in each round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from knaster.base.records import dataclass, field
from knaster.bdd.store import Bdd, Store, minus
from knaster.calculus.fixpoints.compile import Compiler
from knaster.calculus.fixpoints.frontier import delta, derive
from knaster.calculus.fixpoints.machine import Machine
from knaster.calculus.fixpoints.plan import Node, Tick
from knaster.calculus.fixpoints.simplify import Simplifier, make_simplifier
from knaster.calculus.language.dependency import components, graph, is_recursive, occurrences, reachable
from knaster.calculus.language.formula import Formula, Predicate, callees

Observer = Callable[[str, int, Bdd], None]  # (predicate, round counted from 1, its value)
STRATEGIES = ("frontier", "together", "plain")
SMALL = 2000  # nodes; of smaller values, the whole is as fast as what is new


class Diverged(Exception):
    """The rounds for a predicate repeat without becoming stable."""

    def __init__(self, predicate: Predicate, first: int, again: int) -> None:
        self.predicate = predicate
        self.first = first
        self.again = again
        super().__init__(predicate.name)


@dataclass(slots=True)
class Solver:
    """Values of the predicates of one system, computed on demand and kept."""

    predicates: Mapping[str, Predicate]
    compiler: Compiler
    strategy: str
    tick: Tick
    observe: Observer
    values: dict[str, Bdd] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    _graph: dict[str, list[str]] = field(default_factory=dict)
    _component: dict[str, frozenset[str]] = field(default_factory=dict)
    _machines: dict[tuple[str, frozenset[str]], Machine] = field(default_factory=dict)
    _inner: dict[tuple[frozenset[str], str], tuple[dict[str, Bdd], dict[str, Bdd]]] = field(default_factory=dict)
    _monotone: dict[frozenset[str], bool] = field(default_factory=dict)
    _simplifier: Simplifier = field(init=False)

    def __post_init__(self) -> None:
        self._simplifier = make_simplifier(self.store, self.tick)
        self._graph = graph(self.predicates)
        for component in components(self.predicates, self._graph):
            self._component.update(dict.fromkeys(component, frozenset(component)))

    @property
    def store(self) -> Store:
        """The store of all values."""
        return self.compiler.planner.store

    def value(self, name: str) -> Bdd:
        """Return the value of a predicate; with mutual recursion of mixed kinds, as the outermost one."""
        needed = reachable([name], self._graph)
        entered = {q for p in needed for q in self._graph[p] if q not in self._component[p]}  # from another component
        for component in components(needed, self._graph):
            if name in component:
                if name not in self.values:
                    self.values.update(self._solve(component, [name], self.values))
            else:
                missing = [p for p in component if p in entered and p not in self.values]
                if missing:
                    self.values.update(self._solve(component, missing, self.values))
        return self.values[name]

    def truth(self, formula: Formula) -> bool:
        """Return the truth of a closed formula."""
        for name in callees(formula):
            self.value(name)
        return self.machine(self.compiler.compile_closed(formula)).run(self.values) != self.store.false

    def machine(self, root: Node) -> Machine:
        """Return a machine for a plan."""
        return Machine(self.store, root, self._simplifier, self.tick)

    def component(self, name: str) -> frozenset[str]:
        """Return the predicates that are mutually recursive with this one, itself included."""
        return self._component[name]

    def calls_within(self, names: Collection[str]) -> dict[str, list[str]]:
        """Return who calls whom among `names`."""
        return {name: [other for other in self._graph[name] if other in names] for name in names}

    def all_rounds(self, component: Collection[str], name: str, outside: Mapping[str, Bdd]) -> tuple[Bdd, ...]:
        """Return the value of a predicate before the first round and after each, as Evaluate computes them."""
        found = [self.start(name)]
        self._evaluate_nested(component, name, outside, found)
        return tuple(found)

    def _machine(self, name: str, growing: frozenset[str] = frozenset()) -> Machine:
        """Return the machine for a predicate's body, or for what is new in it when other predicates grow."""
        machine = self._machines.get((name, growing))
        if machine is None:
            volatile = self._component[name] if is_recursive(self._component[name], self._graph) else frozenset()
            root = self.compiler.body(self.predicates[name], volatile)
            if growing:
                root = derive(self.compiler.planner, root, growing)
            machine = self._machines[name, growing] = self.machine(root)
        return machine

    def start(self, name: str) -> Bdd:
        """Return the value before the first round: empty for mu, everything for nu."""
        predicate = self.predicates[name]
        if predicate.kind != "nu":
            return self.store.false
        return self.machine(self.compiler.valid(predicate.parameters)).run({})

    def _solve(self, component: Collection[str], entries: Iterable[str], outside: Mapping[str, Bdd]) -> dict[str, Bdd]:
        """Return the values of `entries` in a component, given everything outside it."""
        wanted = list(entries)
        if not is_recursive(component, self.calls_within(component)):
            return {name: self._machine(name).run(outside) for name in wanted}
        if self.strategy != "plain" and self._is_monotone(frozenset(component)):
            kinds = {self.predicates[name].kind for name in component}
            if kinds == {"mu"} and self.strategy == "frontier":
                return self._frontier(component, outside)
            return self._together(component, outside)
        return {name: self._evaluate_nested(component, name, outside) for name in wanted}

    def _around(self, component: Collection[str], outside: Mapping[str, Bdd]) -> dict[str, Bdd]:
        """Return the values outside a component that its equations speak of."""
        return {other: outside[other] for name in component for other in self._graph[name] if other in outside}

    def _is_monotone(self, component: frozenset[str]) -> bool:
        """Tell whether all kinds are the same and all calls inside are positive."""
        known = self._monotone.get(component)
        if known is None:
            known = len({self.predicates[name].kind for name in component}) == 1 and not any(
                occurrence.negative and occurrence.call.name in component
                for name in component
                for occurrence in occurrences(self.predicates[name].body)  # type: ignore[arg-type]
            )
            self._monotone[component] = known
        return known

    def _evaluate_nested(
        self, component: Collection[str], name: str, outside: Mapping[str, Bdd], kept: list[Bdd] | None = None
    ) -> Bdd:
        """Evaluate(name) in the system `component`: section 3.  Values that change are added to `kept`."""
        current = self.start(name)
        rest = [other for other in component if other != name]
        machine = self._machine(name)
        seen = {current: 0}
        for count in range(1, 1 << 62):
            environment = {**outside, name: current}
            self.evaluate_callees(self._graph[name], rest, environment)
            following = machine.run(environment)
            self._record(name, count, following)
            if following == current:
                break
            if following in seen:
                raise Diverged(self.predicates[name], seen[following], count)
            seen[following] = count
            current = following
            if kept is not None:
                kept.append(current)
        return current

    def evaluate_callees(self, calls: Iterable[str], rest: Collection[str], environment: dict[str, Bdd]) -> None:
        """Add to the environment the values of those of `rest` that are called, directly or not."""
        inner = self.calls_within(rest)
        needed = reachable([name for name in calls if name in inner], inner)
        for component in components(needed, inner):
            callers = [p for p in needed if p not in component]
            called = {q for p in callers for q in inner[p]} | set(calls)
            entries = [name for name in component if name in called]
            reads = {q for p in component for q in self._graph[p] if q not in component}
            context = {name: environment[name] for name in reads}
            key = (frozenset(component), ",".join(entries))
            known = self._inner.get(key)
            if known is None or known[0] != context:
                known = (context, self._solve(component, entries, environment))
                self._inner[key] = known
            environment.update(known[1])

    def _together(self, component: Collection[str], outside: Mapping[str, Bdd]) -> dict[str, Bdd]:
        """Solve a monotone component of one kind by rounds over all its equations."""
        values = {**outside, **{name: self.start(name) for name in component}}
        stable = False
        count = 0
        while not stable:
            stable = True
            count += 1
            for name in component:
                following = self._machine(name).run(values)
                if following != values[name]:
                    stable = False
                    values[name] = following
                    self._record(name, count, following)
        return {name: values[name] for name in component}

    def _frontier(self, component: Collection[str], outside: Mapping[str, Bdd]) -> dict[str, Bdd]:
        """Solve a monotone `mu` component by what is new since each equation was last evaluated."""
        values = {**self._around(component, outside), **{name: self.store.false for name in component}}
        inside = self.calls_within(component)
        seen: dict[str, dict[str, Bdd]] = {}
        waiting = dict.fromkeys(component)
        count = 0
        while waiting:
            count += 1
            for name in list(waiting):
                waiting.pop(name, None)
                if name not in seen or sum(values[other].node_count() for other in inside[name]) < SMALL:
                    fresh = self._machine(name).run(values)
                else:
                    for other in inside[name]:
                        values[delta(other)] = minus(values[other], seen[name][other])
                    fresh = self._machine(name, frozenset(inside[name])).run(values)
                seen[name] = {other: values[other] for other in inside[name]}
                following = values[name] | fresh
                if following != values[name]:
                    values[name] = following
                    self._record(name, count, following)
                    waiting.update(dict.fromkeys(p for p in component if name in inside[p]))
        return {name: values[name] for name in component}

    def _record(self, name: str, count: int, value: Bdd) -> None:
        self.rounds[name] = self.rounds.get(name, 0) + 1
        self.observe(name, count, value)
