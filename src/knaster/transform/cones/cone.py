"""The cone of some targets: the variables, branches and procedures that decide whether a run gets there.

Variables are taken or left for a whole procedure, whatever the place.  A condition matters where it decides what that
matters comes next, and where it lets only some runs pass and speaks of a variable that matters.  A condition that lets
only some runs pass and speaks of others alone is left out: if the answer depends on it all the same, a run that the
part has and the program has not shows it, and the branch is given as one of the `forced` next time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from knaster.base.records import dataclass
from knaster.program.effects import Effects, effects
from knaster.program.expression import TRUE, Expr, variables
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return
from knaster.transform.cones.observables import NONE, close_observables, find_first_observed


@dataclass(frozen=True, slots=True)
class Cone:
    """What matters: globals, the locals of each procedure that is called for it, and branches."""

    globals: frozenset[str]
    locals: Mapping[str, frozenset[str]]
    branches: frozenset[Place]  # their conditions matter

    def keeps(self, procedure: str, name: str) -> bool:
        """Tell whether a variable matters in a procedure."""
        return name in self.globals or name in self.locals[procedure]

    @property
    def names(self) -> frozenset[tuple[str, str]]:
        """Every variable that matters, with its procedure; a global with none."""
        own = {(procedure, name) for procedure, names in self.locals.items() for name in names}
        return frozenset(own | {("", name) for name in self.globals})


def can_be_cut(program: Program) -> bool:
    """Tell whether cones are found of a program: sequential, without constraints and what states must satisfy."""
    if program.is_threaded:
        return False
    return all(
        procedure.enforce == TRUE and not procedure.handlers and all(_is_plain(edge) for edge in procedure.edges)
        for procedure in program.procedures
    )


def _is_plain(edge: Edge) -> bool:
    match edge.action:
        case Assign(_, _, constraint):
            return constraint == TRUE
        case Call(_, _, _, places, dispatch):
            return not places and not dispatch
        case Assume() | Return():
            return True
    return False


def procedures_called(program: Program) -> frozenset[str]:
    """Return the procedures that may run: those that calls lead to from the start."""
    found, todo = set(program.threads), list(program.threads)
    while todo:
        for edge in program.procedure(todo.pop()).edges:
            if isinstance(edge.action, Call) and edge.action.procedure not in found:
                found.add(edge.action.procedure)
                todo.append(edge.action.procedure)
    return frozenset(found)


def find_cone(program: Program, targets: Iterable[Place], forced: Collection[Place] = ()) -> Cone:
    """Return the cone of some places; the branches that are `forced` matter in any case."""
    growth = _Growth(program, frozenset(targets), frozenset(forced))
    growth.grow()
    return growth.cone()


def _find_callers(program: Program) -> dict[str, dict[str, None]]:
    """Return for each procedure those that call it, in the order of the text."""
    callers: dict[str, dict[str, None]] = {}
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                callers.setdefault(edge.action.procedure, {})[procedure.name] = None
    return callers


class _Growth:
    """A cone that grows until nothing is missing."""

    def __init__(self, program: Program, targets: frozenset[Place], forced: frozenset[Place]) -> None:
        self.program = program
        self.targets = targets
        self.forced = forced
        self.effects: Mapping[str, Effects] = effects(program)
        self.callers = _find_callers(program)
        self.shared: set[str] = set()
        self.spine = self._callers({name for name, _ in (*targets, *forced)} | {program.threads[0]})
        self.own: dict[str, set[str]] = {name: set() for name in self.spine}
        self.branches: set[Place] = set()
        self.todo = dict.fromkeys(self.own)  # procedures in which something may be missing, in order

    def _callers(self, names: set[str]) -> frozenset[str]:
        """Return the procedures from which some of these may be called, and these."""
        found, todo = set(names), list(names)
        while todo:
            for caller in self.callers.get(todo.pop(), ()):
                if caller not in found:
                    found.add(caller)
                    todo.append(caller)
        return frozenset(found)

    def cone(self) -> Cone:
        """Return what has grown."""
        return Cone(
            frozenset(self.shared),
            {name: frozenset(names) for name, names in self.own.items()},
            frozenset(self.branches),
        )

    def grow(self) -> None:
        """Add what is missing, until nothing is."""
        while self.todo:
            name = next(iter(self.todo))
            del self.todo[name]
            self._grow(self.program.procedure(name))

    def _look_again(self, name: str) -> None:
        """Look again at a procedure of which more matters, and at those that call it."""
        self.todo[name] = None
        self.todo.update(dict.fromkeys(caller for caller in self.callers.get(name, ()) if caller in self.own))

    def _grow(self, procedure: Procedure) -> None:
        observed = {procedure.exit} | {at for name, at in self.targets if name == procedure.name}
        observed |= {at for name, at in self.forced if name == procedure.name}
        for edge in procedure.edges:
            if self._matters(procedure, edge):
                observed.add(edge.source)
                self._take_sources(procedure, edge)
        closed = close_observables(procedure, observed)
        seen = find_first_observed(procedure, closed)
        for at, edges in procedure.leaving.items():
            tests = [edge.action.condition for edge in edges if isinstance(edge.action, Assume)]
            if tests and (self._is_branch(procedure, at, closed) or self._is_filter(procedure, edges, tests, seen)):
                self.branches.add((procedure.name, at))
                for test in tests:
                    self._take(procedure, test)

    def _is_branch(self, procedure: Procedure, at: Location, closed: Collection[Location]) -> bool:
        """Tell whether a location decides what is observed next."""
        place = procedure.name, at
        return place in self.forced or place in self.branches or (at in closed and len(procedure.leaving[at]) > 1)

    def _is_filter(
        self, procedure: Procedure, edges: Collection[Edge], tests: list[Expr], seen: Mapping[Location, int]
    ) -> bool:
        """Tell whether conditions let only some runs pass, and speak of what matters."""
        ends = len(edges) == 1 or any(seen[edge.target] == NONE for edge in edges)
        return ends and any(self._keeps(procedure, name) for test in tests for name in variables(test))

    def _keeps(self, procedure: Procedure, name: str) -> bool:
        return name in self.own[procedure.name] or name in self.shared

    def _matters(self, procedure: Procedure, edge: Edge) -> bool:
        match edge.action:
            case Assign(targets):
                return any(self._keeps(procedure, target) for target in targets)
            case Return():
                return bool(self.own[procedure.name] & set(procedure.results))
            case Call(name):
                callee = self.program.procedure(name)
                results = edge.action.results(callee)
                wanted = any(self._keeps(procedure, target) for target, _ in results)
                return wanted or name in self.own or bool(self.effects[name].mod & self.shared)
        return False

    def _take_sources(self, procedure: Procedure, edge: Edge) -> None:
        """Take what flows into the variables that matter."""
        match edge.action:
            case Assign(targets, values):
                for target, value in zip(targets, values, strict=True):
                    if self._keeps(procedure, target):
                        self._take(procedure, value)
            case Return(values):
                for result, value in zip(procedure.results, values, strict=False):
                    if result in self.own[procedure.name]:
                        self._take(procedure, value)
            case Call(name):
                callee = self.program.procedure(name)
                if name not in self.own:
                    self.own[name] = set()
                    self._look_again(name)
                for target, result in edge.action.results(callee):
                    if self._keeps(procedure, target):
                        self._add(callee, result)
                for parameter, argument in edge.action.bindings(callee):
                    if parameter in self.own[name]:
                        self._take(procedure, argument)

    def _take(self, procedure: Procedure, expr: Expr) -> None:
        for name in variables(expr):
            self._add(procedure, name)

    def _add(self, procedure: Procedure, name: str) -> None:
        if name not in procedure.frame:
            if name not in self.shared:
                self.shared.add(name)
                self.todo.update(dict.fromkeys(self.own))
        elif name not in self.own[procedure.name]:
            self.own[procedure.name].add(name)
            self._look_again(procedure.name)
