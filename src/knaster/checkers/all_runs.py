"""The check of all runs: from each state of the proof every step leads to another one, and to no target.

Where no way along the steps leads back to where it was, every run ends.  Dead variables tell no two states apart
(`program.liveness`).  The check walks by the interpreter alone, not by the code of the search that found the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from knaster.base.errors import InternalError
from knaster.base.graphs import components
from knaster.base.limits import Budget
from knaster.evidence.proofs.all_runs import AllRuns, Values
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.undefined_steps import Lapse, Lapses
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    Binary,
    Choice,
    Compare,
    Comparison,
    Const,
    Expr,
    Operator,
    Var,
    postorder,
    variables,
)
from knaster.program.liveness import live_variables
from knaster.program.model import Assign, Call, Edge, Location, Place, Procedure, Program, expressions
from knaster.program.state import NoInput, State, Undefined
from knaster.program.types import Bool, Int, Value
from knaster.semantics.sequential import state_after_return, successor

Key = tuple[str, Values, Location, Values]  # procedure, globals and arguments, location, what is live
MOST = 300  # values of an input


def check_all_runs(proof: AllRuns, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Return where no target is among the runs of a program; else raise `InternalError`."""
    _walk_runs(proof, program, targets, budget)


def check_ending(proof: AllRuns, program: Program, budget: Budget) -> None:
    """Return where every run of a program ends by this proof; else raise `InternalError`."""
    ways = _walk_runs(proof, program, (), budget).ways
    if any(len(part) > 1 or part[0] in ways[part[0]] for part in components(ways, ways.__getitem__)):
        raise InternalError("a run comes back to where it was, so not every run ends")


def visited_places(proof: AllRuns) -> set[Place]:
    """Return every place that a run comes to."""
    return _walk_runs(proof, proof.program, (), Budget()).visited


def lapses_among(proof: AllRuns, lapses: Lapses, budget: Budget) -> tuple[set[Lapse], set[Lapse]]:
    """Return which lapses happen in a run, and which may, because they are about values that nobody needs."""
    walk = _Walk(proof, (), budget, lapses)
    walk.run()
    unsure = {lapse for place in walk.visited for lapse in lapses.at(place) if not walk.tells(lapse)}
    return walk.seen, unsure


def _walk_runs(proof: AllRuns, program: Program, targets: Iterable[Target], budget: Budget) -> _Walk:
    if proof.program != program:
        raise InternalError("the proof is of another program")
    walk = _Walk(proof, targets, budget)
    walk.run()
    return walk


class _Walk:
    """A proof under examination: from each state to the next ones."""

    def __init__(
        self,
        proof: AllRuns,
        targets: Iterable[Target],
        budget: Budget,
        watched: Lapses | None = None,
    ) -> None:
        self.program = proof.program
        self.watched = watched
        self.seen: set[Lapse] = set()
        self.procedures = {procedure.name: procedure for procedure in self.program.procedures}
        self.scopes = {name: self.program.scope(procedure) for name, procedure in self.procedures.items()}
        self.live = live_variables(self.program)
        self.targets = {target.place for target in targets}
        self.budget = budget
        self.visited: set[Place] = set()
        self.ways: dict[Key, list[Key]] = {}
        self.full: dict[Key, State] = {}
        self.exits: dict[tuple[str, Values], list[State]] = {}
        for name, arguments, location, values in proof.states:
            state = dict(zip(self.scopes[name], values, strict=True))
            self.full[self.key(name, arguments, location, state)] = state
            if location == self.procedures[name].exit:
                self.exits.setdefault((name, arguments), []).append(state)

    def key(self, name: str, arguments: Values, location: Location, state: State) -> Key:
        mask, scope = self.live[name][location], self.scopes[name]
        return name, arguments, location, tuple(state[v] for bit, v in enumerate(scope) if mask >> bit & 1)

    def run(self) -> None:
        """Check the start and every state; note what follows what."""
        main = self.procedures[self.program.threads[0]]
        given = dict(_equalities(self.program.init))
        if len(self.program.threads) != 1 or main.parameters or set(given) != set(self.program.globals):
            raise InternalError("the program can start in several ways")
        shared = tuple(given[name] for name in self.program.globals)
        self.enter(main, shared, given)
        todo = list(self.full.items())
        while todo:
            key, state = todo.pop()
            self.budget.check()
            if key not in self.ways:
                following = dict(self.next_states(key, state))
                self.ways[key] = list(following)
                todo += [(found, after) for found, after in following.items() if found not in self.full]

    def enter(self, procedure: Procedure, arguments: Values, state: State) -> Key:
        """Return the state in which a call begins, which must be one of the proof's; locals must be dead there."""
        scope, mask = self.scopes[procedure.name], self.live[procedure.name][procedure.entry]
        known = {*self.program.globals, *procedure.parameters}
        if any(mask >> bit & 1 and name not in known for bit, name in enumerate(scope)):
            raise InternalError(f"'{procedure.name}' reads a variable that has no value yet")
        key = self.key(procedure.name, arguments, procedure.entry, {**dict.fromkeys(scope), **state})
        if key not in self.full:
            raise InternalError(f"the proof does not have a call of '{procedure.name}'")
        return key

    def next_states(self, key: Key, state: State) -> Iterator[tuple[Key, State]]:
        """Yield the states after one step; those at calls and exits must be the proof's."""
        name, arguments, location, _ = key
        self.visit(name, location)
        for lapse in self.watched.at((name, location)) if self.watched is not None else ():
            if lapse not in self.seen and lapse.happens(state):
                self.seen.add(lapse)
        for edge in self.procedures[name].leaving.get(location, ()):
            if isinstance(edge.action, Call):
                inner, passed, entry = self.call(edge.action, state)
                if inner is not None:
                    yield self.enter(self.procedures[inner], passed, entry), entry
        for target, after in self.steps(name, location, state):
            found = self.key(name, arguments, target, after)
            calls = any(isinstance(edge.action, Call) for edge in self.procedures[name].leaving.get(target, ()))
            if found not in self.full and (calls or target == self.procedures[name].exit):
                raise InternalError(f"the proof leaves out a state at location {target} of '{name}'")
            yield found, after

    def tells(self, lapse: Lapse) -> bool:
        """Tell whether the states of a place say everything about a lapse there: what is dead is not kept."""
        (name, location), scope = lapse.place, self.scopes[lapse.place[0]]
        mask = self.live[name][location]
        live = {variable for bit, variable in enumerate(scope) if mask >> bit & 1}
        return lapse.condition is not None and variables(lapse.condition) <= live

    def visit(self, name: str, location: Location) -> None:
        self.visited.add((name, location))
        if (name, location) in self.targets:
            raise InternalError(f"a run reaches location {location} of '{name}', which is a target")

    def steps(self, name: str, location: Location, state: State) -> Iterator[tuple[Location, State]]:
        """Yield every state after one step, calls that return included."""
        procedure = self.procedures[name]
        for edge in self.procedures[name].leaving.get(location, ()):
            if isinstance(edge.action, Call):
                inner, passed, _ = self.call(edge.action, state)
                for end in self.exits.get((inner, passed), ()) if inner is not None else ():
                    after = state_after_return(
                        self.program, procedure, self.procedures[inner or ""], edge.action, state, end
                    )
                    if after is not None:
                        yield edge.target, after
                continue
            for inputs in self.inputs(name, edge):
                after = successor(procedure, edge, state, inputs)
                if after is not None:
                    yield edge.target, after

    def call(self, call: Call, state: State) -> tuple[str | None, Values, State]:
        """Return the callee, its globals and arguments, and its state at the beginning; None where there is no call."""
        callee = self.procedures[call.procedure]
        try:
            passed = tuple(evaluate(argument, state, iter(())) for argument in call.arguments)
        except (Undefined, NoInput):
            return None, (), {}
        shared = tuple(state[name] for name in self.program.globals)
        entry = dict(zip((*self.program.globals, *callee.parameters), (*shared, *passed), strict=True))
        return call.procedure, shared + passed, entry

    def inputs(self, name: str, edge: Edge) -> Iterator[Values]:
        """Yield every list of inputs of an edge; one is enough for a variable that is dead afterwards."""
        choices = [node for expr in expressions(edge.action) for node in postorder(expr) if isinstance(node, Choice)]
        if not choices:
            yield ()
            return
        action = edge.action
        if isinstance(action, Assign) and len(action.targets) == 1 and isinstance(action.values[0], Choice):
            bit = self.scopes[name].index(action.targets[0])
            if not self.live[name][edge.target] >> bit & 1:
                yield (_first(choices[0]),)
                return
        yield from product(*(_values(choice) for choice in choices))


def _values(choice: Choice) -> Sequence[Value]:
    match choice.type:
        case Bool():
            return (False, True)
        case Int(int(width)) if 1 << width <= MOST:  # mutant(<=): MOST is no power of two
            low = choice.type.low or 0
            return range(low, low + (1 << width))
        case _:
            raise InternalError("an input has too many values for all runs to be tried")


def _first(choice: Choice) -> Value:
    from knaster.semantics.python_code import default

    return default(choice.type)


def _equalities(init: Expr) -> Iterator[tuple[str, Value]]:
    todo = [init]
    while todo:
        match todo.pop():
            case Binary(Operator.AND, left, right):
                todo += (left, right)
            case Compare(Comparison.EQUAL, Var(name), Const(value)):
                yield name, value
