"""One thread as a sequential program in which the others do what they guarantee, whenever it may be interrupted.

C. Flanagan, S. N. Freund and S. Qadeer, Thread-Modular Verification for Shared-Memory Programs (ESOP 2002). A guarantee
of a thread is a formula over the shared variables before (`before(x)`) and after one of its steps. At a point the
shared variables may change, any number of times, as a guarantee of another thread says; where a step of its own ends,
it must lie in the guarantee of the thread, else control comes to `broken`. Where in no thread `broken` or a target is
reached, no target is reached by all of them together, whatever the number of switches: by induction over the steps of a
run each thread stands at a point, in a state, that its own program can be in, and each step lies in the guarantee of
who takes it.

Threads may show where they stand (`shows`): each has a shared variable with the number of the point that it has come to
last, 0 where it has not begun.  Nobody reads it; guarantees may speak of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from knaster.base.records import dataclass, replace
from knaster.evidence.questions.question import Target
from knaster.program.algebra import conjunction, disjunction, negation
from knaster.program.expression import (
    FALSE,
    TRUE,
    Choice,
    Compare,
    Comparison,
    Const,
    Expr,
    Var,
    has_choice,
    may_be_undefined,
    primed_variables,
    variables,
)
from knaster.program.model import Action, Assign, Assume, Edge, Location, Place, Procedure, Program, Return
from knaster.program.typecheck import mismatches
from knaster.program.types import BOOL, Bool, Int, Type
from knaster.transform.memory_threads.flat_threads import FlatThread, Node
from knaster.transform.memory_threads.shared_edges import reads, writes
from knaster.transform.memory_threads.shared_program import SharedProgram, share
from knaster.transform.regions.refusal import Refused

LARGEST = 4_000  # edges of one thread
PLACE = Int(16, False)


def before(name: str) -> str:
    """Return the name of what a shared variable was before a step."""
    return f"before({name})"


def place_of(number: int) -> str:
    """Return the variable that shows where a thread stands."""
    return f"#at.{number}"


def broken_target(thread: str) -> str:
    """Return the name of the target that a thread comes to where it breaks its guarantee."""
    return f"guarantee of {thread}"


@dataclass(frozen=True, slots=True)
class Guarantees:
    """What each thread guarantees, main first, and whether threads show where they stand."""

    steps: tuple[Expr, ...]
    shows: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class GuaranteedThread:
    """The sequential program of one thread; its targets with what they stand for (None: unclear).

    A step of the thread is over at places of `ended`; at those that are `idle` the others may take steps.  At `broken`
    the thread has not kept its guarantee.
    """

    number: int
    program: Program
    targets: tuple[tuple[Target, Target | None], ...]
    broken: Target
    shared: tuple[str, ...]
    written: tuple[str, ...]  # what steps of the thread change of it
    ended: frozenset[Location]
    idle: frozenset[Location]

    def own_targets(self, asked: Collection[Target]) -> list[Target]:
        """Return the targets that stand for some that are asked, and the places where nobody knows what happens."""
        return [target for target, original in self.targets if original is None or original in asked]

    def excluded(self, asked: Collection[Target]) -> list[Target]:
        """Return what must be excluded where targets are: the guarantee is kept, too."""
        return [*self.own_targets(asked), self.broken]


def known_to_several(shared: SharedProgram) -> tuple[str, ...]:
    """Return the variables that several threads use and one changes, at whatever time: guarantees speak of them."""
    users: dict[str, set[int]] = {name: set() for name in shared.program.globals}
    changed: set[str] = set()
    for procedure in shared.program.procedures:
        for edge in procedure.edges:
            changed.update(writes(edge.action))
            for name in {*writes(edge.action), *reads(edge.action)} & users.keys():
                users[name].add(shared.copied.owners[procedure.name])
    return tuple(name for name in shared.program.globals if len(users[name]) > 1 and name in changed)


def reduce_guaranteed(
    program: Program, asked: Sequence[Target], guarantees: Guarantees
) -> tuple[GuaranteedThread, ...]:
    """Return the programs of all threads; raise `Refused` where there are none."""
    return with_guarantees(share(program, asked), guarantees)


def with_guarantees(shared: SharedProgram, guarantees: Guarantees) -> tuple[GuaranteedThread, ...]:
    """Return the programs of all threads among others that guarantee something."""
    threads = len(shared.program.threads)
    if len(guarantees.steps) != threads:
        raise Refused("not every thread guarantees something")
    made = [_Thread(shared, number, guarantees) for number in range(1, threads + 1)]
    for step in guarantees.steps:
        _check_meaning(step, made[0].types)
    return tuple(thread.make() for thread in made)


def _check_meaning(guarantee: Expr, types: Mapping[str, Type]) -> None:
    """Refuse what has not one truth value for all values of the shared variables: it would hide steps."""
    known = {**types, **{before(name): type for name, type in types.items()}}
    plain = not has_choice(guarantee) and not may_be_undefined(guarantee) and variables(guarantee) <= known.keys()
    if not plain or primed_variables(guarantee) or any(mismatches(guarantee, BOOL, known)):
        raise Refused("a guarantee is no formula about the shared variables")


class _Thread:
    """The program of one thread while it is made: every call is copied to where it is made."""

    def __init__(self, shared: SharedProgram, number: int, guarantees: Guarantees) -> None:
        self.whole = shared
        self.number = number
        self.guarantees = guarantees
        self.root = shared.program.threads[number - 1]
        self.flat = FlatThread(shared, number, frozenset(each.name for each in shared.program.procedures))
        types: dict[str, Type] = {name: BOOL for name in shared.program.globals} | dict(shared.program.types)
        own = known_to_several(shared)
        self.types = {name: types[name] for name in own}
        if guarantees.shows:
            self.types |= {place_of(at): PLACE for at in range(1, len(shared.program.threads) + 1)}
        self.others = [each for at, each in enumerate(guarantees.steps, 1) if at != number]
        self.places: dict[Place, list[tuple[Target, Target | None]]] = {}
        for target, original in shared.targets:
            if shared.copied.owners[target.procedure] == number:
                self.places.setdefault(target.place, []).append((target, original))
        self.numbers: dict[Node, Location] = {}
        self.ended: list[Location] = []
        self.idle: list[Location] = []
        self.failures: dict[Place, Location] = {}
        self.todo: list[Node] = []
        self.edges: list[Edge] = []
        self.written = {place_of(number)}
        self.size = 2
        self.exit, self.broken = 0, 1

    def make(self) -> GuaranteedThread:
        """Return the program; a thread that has not begun yet has taken no step."""
        entry, first = self._new(), self.flat.entry
        here = self._add(entry, Assign(self._before, self._now), self._new())
        self._leave(first, self._wait(here) if self.flat.is_point(first) else here)
        while self.todo:
            node = self.todo.pop()
            self._arrive(node)
            if len(self.edges) > LARGEST:
                raise Refused(f"a thread with what it calls has more than {LARGEST:,} edges")
        return self._finish(entry)

    @property
    def _before(self) -> tuple[str, ...]:
        return tuple(before(name) for name in self.types)

    @property
    def _now(self) -> tuple[Expr, ...]:
        return tuple(Var(name) for name in self.types)

    def _new(self) -> Location:
        self.size += 1
        return self.size - 1

    def _add(self, source: Location, action: Action, target: Location, edge: Edge | None = None) -> Location:
        span = edge.span if edge is not None else self.whole.program.procedure(self.root).span
        self.edges.append(Edge(source, action, target, span, edge.origin if edge is not None else None))
        return target

    def _node(self, node: Node) -> Location:
        """Return where the thread stands when it has come to a node."""
        if node not in self.numbers:
            self.numbers[node] = self._new()
            self.todo.append(node)
        return self.numbers[node]

    def _arrive(self, node: Node) -> None:
        """Add what may happen where the thread comes to a node."""
        here = self.numbers[node]
        if self.flat.is_over(node):
            if self.number > 1:
                here = self._end_step(here)
            self._add(here, Return(()), self.exit)
        elif self.flat.is_point(node):
            self._leave(node, self._wait(self._end_step(here)))
        else:
            self._leave(node, here)

    def _leave(self, node: Node, here: Location) -> None:
        """Add the steps of the thread from a node."""
        if node.place in self.places:
            if node.place not in self.failures:
                self.failures[node.place] = self._new()
            self._add(here, Assume(TRUE), self.failures[node.place])
        for step in self.flat.steps(node):
            self.written.update(writes(step.action))
            self._add(here, step.action, self._node(step.target), step.edge)

    def _end_step(self, here: Location) -> Location:
        """Let a step of the thread be over: it lies in the guarantee."""
        if self.guarantees.shows:
            number = len(self.ended) + 1
            here = self._add(here, Assign((place_of(self.number),), (Const(number),)), self._new())
        own = self.guarantees.steps[self.number - 1]
        self._add(here, Assume(negation(own)), self.broken)
        self.ended.append(self._new())
        return self._add(here, Assume(TRUE), self.ended[-1])

    def _wait(self, here: Location) -> Location:
        """Let the others take steps; return where the thread goes on."""
        self.idle.append(here)
        remembered = self._add(here, Assign(self._before, self._now), self._new())
        changing = remembered
        for name, type in self.types.items():
            if not (self.guarantees.shows and name == place_of(self.number)):
                changing = self._add(changing, Assign((name,), (Choice(type),)), self._new())
        self._add(changing, Assume(disjunction(self.others) if self.others else FALSE), here)
        return self._add(here, Assign(self._before, self._now), self._new())

    def _finish(self, entry: Location) -> GuaranteedThread:
        program = self.whole.program
        for place in self.places:
            if place not in self.failures:
                self.failures[place] = self._new()
        local: dict[str, Type] = dict(self.flat.variables) | {before(name): type for name, type in self.types.items()}
        name = f"#thread {self.number}"
        failures = (self.broken, *self.failures.values())
        made = Procedure(
            name,
            (),
            (),
            tuple(local),
            entry,
            self.exit,
            tuple(sorted(self.edges, key=lambda edge: edge.source)),
            failures=failures,
            types=tuple((each, type) for each, type in local.items() if not isinstance(type, Bool)),
        )
        shown = {each: type for each, type in self.types.items() if each not in program.globals}
        init = [Compare(Comparison.EQUAL, Var(each), Const(0)) for each in shown]
        sequential = replace(
            program,
            globals=(*program.globals, *shown),
            procedures=(made,),
            threads=(name,),
            init=conjunction([program.init, *init]),
            types=(*program.types, *shown.items()),
        )
        targets: list[tuple[Target, Target | None]] = [
            (replace(target, procedure=name, location=self.failures[target.place]), original)
            for pairs in self.places.values()
            for target, original in pairs
        ]
        broken = Target(broken_target(self.root), name, self.broken, 0)
        written = tuple(each for each in self.types if each in self.written)
        places = frozenset(self.ended), frozenset(self.idle)
        return GuaranteedThread(self.number, sequential, tuple(targets), broken, tuple(self.types), written, *places)
