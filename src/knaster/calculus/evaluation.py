"""Answering a system: what each of its requests gives, and the value of any predicate.

A BDD store has a fixed capacity; where one that was made here is too small, everything starts again with a larger one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from knaster.calculus.allocate import Allocation, allocate
from knaster.calculus.compile import Compiler
from knaster.calculus.dependency import graph, reachable
from knaster.calculus.describe import describe_symbol, dump
from knaster.calculus.fixpoint import STRATEGIES, Diverged, Observer, Solver
from knaster.calculus.formula import Formula, Predicate, callees
from knaster.calculus.given import Given, Place, build
from knaster.calculus.machine import Tick
from knaster.calculus.outcomes import Answer, Count, Size, Text, Truth, Undefined, WitnessTree
from knaster.calculus.stopwatch import StopWatch
from knaster.calculus.system import Request, System
from knaster.calculus.tuples import Relation
from knaster.calculus.witness import explain
from knaster.errors import Problem, SourceError, UsageError
from knaster.symbolic.bdd import OutOfNodes, Store

T = TypeVar("T")
_NODES = 1 << 20  # the first store; the next has 8 times as many, up to _MAX_NODES
_MAX_NODES = 1 << 29
_SILENT = ("#vis", "#reset", "#frontier", "#verbose", "#undump")


@dataclass(slots=True)
class Session:
    """A system under evaluation.  `tick` is called between BDD operations and may raise to stop.

    With a `store` of the caller's, the variables of the system are added below those that it has, so that relations can
    be given that are made of its BDDs; where it is too small, `OutOfNodes` is raised.
    """

    system: System
    relations: Mapping[str, Given] = field(default_factory=dict)
    strategy: str = "frontier"
    tick: Tick = lambda: None
    record: bool = False  # the size of every value in every round
    sizes: dict[str, list[int]] = field(default_factory=dict)
    nodes: int = _NODES  # of a store that is made here
    store: Store | None = None
    _allocation: Allocation = field(init=False)
    _solver: Solver = field(init=False)
    _store: Store = field(init=False)
    _timer: StopWatch = field(init=False)

    def __repr__(self) -> str:
        return f"<Session {self.system!r}>"

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise UsageError(f"unknown strategy '{self.strategy}'; choose one of {', '.join(STRATEGIES)}")
        for name in self.relations:
            predicate = self.system.predicates.get(name)
            if predicate is None:
                raise UsageError(f"a relation is given for '{name}', which is not declared")
            if predicate.body is not None:
                raise UsageError(f"a relation is given for '{name}', which has a definition")
        closed = [request.formula for request in self.system.requests if request.formula is not None]
        self._allocation = allocate(self.system.variables, self.system.predicates.values(), closed)
        if self.store is not None:
            self._allocation = self._allocation.below(self.store.variables)
            self.store.extend(self._allocation.count)
        self._timer = StopWatch()
        self._open()

    def _open(self) -> None:
        """Start with an empty store, unless it is the caller's."""
        predicates = self.system.predicates
        self._store = self.store or Store(
            self._allocation.count, self.nodes, max(1 << 16, min(1 << 22, self.nodes >> 2))
        )
        compiler = Compiler(self._store, self._allocation, predicates)
        self.sizes.clear()
        self._solver = Solver(predicates, compiler, self.strategy, self.tick, self._observer())
        for name, given in self.relations.items():
            valid = self._solver.machine(compiler.valid(predicates[name].parameters)).run({})
            self._solver.values[name] = build(self._store, name, self._places(predicates[name]), given) & valid

    def _places(self, predicate: Predicate) -> tuple[Place, ...]:
        """Return the places of a predicate's parameters."""
        return tuple(Place(each.type, self._allocation.levels[each.number]) for each in predicate.parameters)

    def _observer(self) -> Observer:
        """Return what to do after each round; it knows nothing of this session, which so dies without the collector."""
        if not self.record:
            return lambda name, count, value: None
        sizes = self.sizes
        return lambda name, count, value: sizes.setdefault(name, []).append(int(value.node_count()))

    def _retry(self, action: Callable[[], T]) -> T:
        """Return what `action` returns, with a larger store where this one is too small."""
        while True:
            try:
                return action()
            except OutOfNodes:
                if self.store is not None or self.nodes >= _MAX_NODES:
                    raise
                self.nodes *= 8
                self._open()

    @property
    def rounds(self) -> Mapping[str, int]:
        """How many rounds each recursive predicate took."""
        return self._solver.rounds

    @property
    def statistics(self) -> dict[str, int]:
        """Counters of the work done so far."""
        return {
            "bdd_variables": self._allocation.count,
            "bdd_nodes": self._store.nodes,
            "rounds": sum(self._solver.rounds.values()),
        }

    def relation(self, name: str) -> Relation:
        """Return the value of a predicate."""
        predicate = self.system.predicates.get(name)
        if predicate is None:
            raise UsageError(f"there is no predicate '{name}'")
        self._require([name])
        value = self._retry(lambda: self._solver.value(name))
        return Relation(name, self._places(predicate), self._store, value)

    def truth(self, formula: Formula) -> bool:
        """Return the truth of a closed formula of the system."""
        self._require(callees(formula))
        return self._retry(lambda: self._truth(formula))

    def _truth(self, formula: Formula) -> bool:
        for name in callees(formula):
            self._solver.value(name)
        root = self._solver.compiler.closed(formula)
        return self._solver.machine(root).run(self._solver.values) != self._store.false

    def _require(self, names: list[str]) -> None:
        """Refuse a predicate that is used but neither defined nor given."""
        predicates = self.system.predicates
        for name in reachable(names, graph(predicates)):
            predicate = predicates[name]
            if predicate.body is None and name not in self.relations:
                problem = Problem(
                    f"'{name}' is used but has only a prototype",
                    predicate.source.span(predicate.start, predicate.end),
                    "define it, or give its value from Python: evaluate(system, relations={...})",
                )
                raise SourceError(predicate.source.name, predicate.source.text, [problem])

    def answers(self) -> Iterator[Answer]:
        """Yield the answer to each request that has one, in order."""
        for request in self.system.requests:
            if request.directive not in _SILENT:
                try:
                    answer = self.answer(request)
                except Diverged as repeated:
                    answer = _undefined(request, repeated)
                if answer is not None:
                    yield answer

    def answer(self, request: Request) -> Answer | None:
        """Return the answer to one request; None for a stop watch that was set, not read."""
        line = request.source.span(request.start).line
        match request.directive:
            case "":
                assert request.formula is not None
                return Truth(request.text, line, self.truth(request.formula))
            case "#size":
                return Size(request.arguments[0], line, self.relation(request.arguments[0]).size)
            case "#ons" | "#onsetsize":
                relation = self.relation(request.arguments[0])
                return Count(relation.name, line, relation.count, relation.out_of)
            case "#dump":
                relation = self.relation(request.arguments[0])
                return Text(dump(relation, self.system.predicates[relation.name].parameters), line)
            case "#print":
                return Text(self._print(request), line)
            case "#timer":
                word = request.arguments[0] if request.arguments else ""
                return (
                    None if self._timer.command(word) else Text(f": timer at {self._timer.seconds:.2f} seconds", line)
                )
            case _:
                return self._witness(request, line)

    def _print(self, request: Request) -> str:
        pieces: list[str] = []
        for argument in request.arguments:
            if argument.startswith('"'):
                pieces.append(argument[1:-1])
            elif argument == "statistics":
                pieces += [f": {name.replace('_', ' ')}: {value}" for name, value in self.statistics.items()]
            else:
                pieces.append(describe_symbol(self.system, argument))
        return "\n".join(pieces)

    def _witness(self, request: Request, line: int) -> Answer:
        formula = request.formula
        assert formula is not None
        wanted = request.directive in ("#wit", "#witness")
        if self.truth(formula) != wanted:
            name = "witness" if wanted else "counterexample"
            return Text(f"*** there is no {name}: the formula is {'false' if wanted else 'true'}", line)
        variables = self.system.variables
        root = self._retry(lambda: explain(self._solver, variables, formula, wanted))
        return WitnessTree(request.text, line, wanted, root)


def _undefined(request: Request, repeated: Diverged) -> Undefined:
    predicate = repeated.predicate
    message = (
        f"the rounds for '{predicate.name}' never become stable: round {repeated.again} gives the value of round "
        f"{repeated.first} again"
    )
    problem = Problem(
        message,
        predicate.source.span(predicate.start, predicate.end),
        "it depends negatively on itself; see the warning about this predicate",
    )
    text = SourceError(predicate.source.name, predicate.source.text, [problem]).render()
    return Undefined(request.text, request.source.span(request.start).line, text)
