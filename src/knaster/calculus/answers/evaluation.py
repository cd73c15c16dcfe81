"""Sessions: answer each request of a system in order, and give the value of any of its predicates.

A BDD store has a fixed capacity; where one that was made here is too small, everything starts again with a larger one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from knaster.base.errors import Problem, SourceError, UsageError
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.bdd.store import Bdd, OutOfNodes, Store
from knaster.calculus.answers.describe import describe_symbol, dump
from knaster.calculus.answers.outcomes import Count, Outcome, Size, Text, Truth, Unanswered, Undefined, WitnessTree
from knaster.calculus.answers.tuples import Relation
from knaster.calculus.answers.witness import explain
from knaster.calculus.fixpoints.allocate import Allocation, Rank, allocate
from knaster.calculus.fixpoints.compile import Compiler
from knaster.calculus.fixpoints.external_relations import Given, Place, build, make_rereadable
from knaster.calculus.fixpoints.fixpoint import STRATEGIES, Diverged, Observer, Solver
from knaster.calculus.fixpoints.plan import Tick
from knaster.calculus.language.dependency import graph, reachable
from knaster.calculus.language.formula import Formula, Predicate, callees
from knaster.calculus.language.stopwatch import StopWatch
from knaster.calculus.language.system import Request, System

T = TypeVar("T")
_NODES = 1 << 20  # the first store; the next has 8 times as many, up to _MAX_NODES
_MAX_NODES = 1 << 29


@dataclass(slots=True)
class Session:
    """A system under evaluation.

    `tick` is called between BDD operations and may raise to stop; what was found until then stays.  `tell` hears of
    every round.
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
    tell: Callable[[str], None] | None = None
    ranks: Mapping[str, Sequence[Rank]] = field(default_factory=dict)  # of the bits of types; see `allocate`
    _allocation: Allocation = field(init=False)
    _solver: Solver | None = field(init=False, default=None)
    _timer: StopWatch = field(init=False, default_factory=StopWatch)

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
        self.relations = {name: make_rereadable(given) for name, given in self.relations.items()}
        closed = [request.formula for request in self.system.requests if request.formula is not None]
        self._allocation = allocate(self.system.variables, self.system.predicates.values(), closed, self.ranks)
        if self.store is not None:
            self._allocation = self._allocation.below(self.store.variables)
            self.store.extend(self._allocation.count)

    def _open(self) -> Solver:
        """Return a solver that knows the given relations, with a new store unless it is the caller's."""
        predicates = self.system.predicates
        store = self.store or Store(self._allocation.count, self.nodes)
        compiler = Compiler(store, self._allocation, predicates, self.tick)
        self.sizes.clear()
        solver = Solver(predicates, compiler, self.strategy, self.tick, self._observer(store))
        for name, given in self.relations.items():
            valid = solver.machine(compiler.valid(predicates[name].parameters)).run({})
            solver.values[name] = build(store, name, self._places(predicates[name]), given, self.tick) & valid
        return solver

    def _places(self, predicate: Predicate) -> tuple[Place, ...]:
        """Return the places of a predicate's parameters."""
        return tuple(Place(each.type, self._allocation.levels[each.number]) for each in predicate.parameters)

    def _observer(self, store: Store) -> Observer:
        """Return what to do after each round; it knows nothing of this session, which so dies without the collector."""
        sizes, record, tell = self.sizes, self.record, self.tell

        def observe(name: str, count: int, value: Bdd) -> None:
            if record:
                sizes.setdefault(name, []).append(int(value.node_count()))
            if tell is not None:
                tell(f"round {count} of '{name}', {store.nodes} BDD nodes")

        return observe

    def _with_solver(self, action: Callable[[Solver], T]) -> T:
        """Return what `action` returns, with a larger store where this one is too small."""
        while True:
            try:
                if self._solver is None:
                    self._solver = self._open()
                return action(self._solver)
            except OutOfNodes:
                if self.store is not None or self.nodes >= _MAX_NODES:
                    raise
                self.nodes *= 8
                self._solver = None

    @property
    def rounds(self) -> Mapping[str, int]:
        """How many rounds each recursive predicate took."""
        return {} if self._solver is None else self._solver.rounds

    @property
    def statistics(self) -> dict[str, int]:
        """Counters of the work done so far."""
        return {
            "bdd_variables": self._allocation.count,
            "bdd_nodes": 0 if self._solver is None else self._solver.store.nodes,
            "rounds": sum(self.rounds.values()),
        }

    def relation(self, name: str) -> Relation:
        """Return the value of a predicate."""
        predicate = self.system.predicates.get(name)
        if predicate is None:
            raise UsageError(f"there is no predicate '{name}'")
        self._require([name])
        return self._with_solver(
            lambda solver: Relation(name, self._places(predicate), solver.store, solver.value(name))
        )

    def truth(self, formula: Formula) -> bool:
        """Return the truth of a closed formula of the system."""
        self._require(callees(formula))
        return self._with_solver(lambda solver: solver.truth(formula))

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

    def answers(self) -> Iterator[Outcome]:
        """Yield what each request gives, in order; where a limit is reached, that the rest is not answered."""
        reason = ""
        for request in self.system.requests:
            answer: Outcome | None = None
            if not reason:
                try:
                    answer = self._outcome(request)
                except OutOfBudget as spent:
                    reason = str(spent) or "a limit was reached"
                except OutOfNodes:
                    if self.store is not None:
                        raise
                    reason = "a BDD became too large"
            if reason and request.wants_answer:
                answer = Unanswered(request.asked, request.line, reason)
            if answer is not None:
                yield answer

    def _outcome(self, request: Request) -> Outcome | None:
        if self.tell is not None and request.wants_answer:
            self.tell(f"line {request.line}: {request.asked}")
        try:
            return self.answer(request)
        except Diverged as repeated:
            return _undefined_answer(request, repeated)

    def answer(self, request: Request) -> Outcome | None:
        """Return the answer to one request; None for one that wants none."""
        line = request.line
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
                return Text(dump(relation, self.system.predicates[relation.name].parameters, self.tick), line)
            case "#print":
                return Text(self._print(request), line)
            case "#timer":
                if request.wants_answer:
                    return Text(f": timer at {self._timer.seconds:.2f} seconds", line)
                self._timer.command(request.arguments[0])
                return None
            case "#wit" | "#witness" | "#cex" | "#counterexample":
                return self._witness(request, line)
            case _:
                return None

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

    def _witness(self, request: Request, line: int) -> Outcome:
        formula = request.formula
        assert formula is not None
        wanted = request.directive in ("#wit", "#witness")
        if self.truth(formula) != wanted:
            name = "witness" if wanted else "counterexample"
            return Text(f"*** there is no {name}: the formula is {'false' if wanted else 'true'}", line)
        variables = self.system.variables
        root = self._with_solver(lambda solver: explain(solver, variables, formula, wanted))
        return WitnessTree(request.text, line, wanted, root)


def _undefined_answer(request: Request, repeated: Diverged) -> Undefined:
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
    return Undefined(request.text, request.line, text)
