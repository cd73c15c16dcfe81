"""Proves one thread at a time, each under all that the others can do to the shared variables, for every number.

Flanagan, Freund and Qadeer, Thread-Modular Verification for Shared-Memory Programs (ESOP 2002), and Flanagan and
Qadeer, Thread-Modular Model Checking (SPIN 2003), with summaries of procedures (Bebop) in the place of stacks: a thread
alone is a sequential program whose shared variables may change between any two of its steps as the *guarantees* of the
others say.  A guarantee is the set of pairs of shared states, before and after, of all steps of a thread, its locals
forgotten; so what is found contains all that can happen, and perhaps more.  Where it holds no target, none is
reachable, whatever the number of switches; also where any number of threads run the same procedure, or are started.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.bdd.relation import Relation
from knaster.bdd.store import Bdd, minus
from knaster.engines.contract import Findings, Task, Undecided
from knaster.engines.threads.modular import ModularOptions
from knaster.engines.threads.modular.ghosts import add_ghosts, ghosts_of
from knaster.engines.threads.modular.guarantee import Guarantees, Written
from knaster.evidence.proofs.path_edges import Vocabulary
from knaster.evidence.proofs.threads.interference import Conduct, Interference, Role
from knaster.program.model import Kind, Place
from knaster.program.threads import most_started
from knaster.views.summaries.path_edges import Summaries
from knaster.views.symbolic.encoding import encode

OPEN = "each thread by itself, under all that the others may do, could reach it"


def modular(task: Task) -> Findings:
    """Prove what targets are unreachable for every number of switches; of the others nothing is said."""
    if task.program.kind is Kind.MEMORY:
        from knaster.engines.threads.modular.threads_of_c import modular_threads_of_c

        return modular_threads_of_c(task)
    started = time.perf_counter()
    assert isinstance(task.options, ModularOptions)
    search = _Search(task, task.options.visits)
    unknown: Undecided | None = None
    try:
        search.run()
    except OutOfBudget as spent:
        unknown = Undecided.because(spent)
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        "roles": len(search.roles),
        "visits": search.visits,
        "bdd_nodes": search.store.nodes,
    }
    places = search.places() if unknown is None else set()
    doubtful = {target: OPEN for target in task.targets if target.place in places}
    proof = search.proof if unknown is None else None
    covered = task.bound.number if task.bound is not None and unknown is None and not doubtful else None
    return Findings(frozenset(), unknown, statistics, proof=proof, doubtful=doubtful, covered=covered)


@dataclass(slots=True)
class _Part:
    """A role on its way: who waits to begin, path edges, and what has been made of them."""

    summaries: Summaries
    waiting: Bdd
    several: bool
    guarantee: dict[Written, Bdd] = field(default_factory=dict)
    closed: dict[Place, Bdd] = field(default_factory=dict)  # path edges that the others have been let change
    under: dict[Written, Bdd] = field(default_factory=dict)  # the guarantees of the others until now
    used: dict[Place, Bdd] = field(default_factory=dict)  # path edges whose steps are in the guarantee


class _Search:
    """The roles of a program and the steps of each."""

    def __init__(self, task: Task, most_visits: int) -> None:
        self.task = task
        self.most_visits = most_visits
        self.program = task.program
        self.ghosts = ghosts_of(task.program)
        self.symbolic = encode(
            add_ghosts(task.program, self.ghosts), nodes=task.nodes, liveness=False, effect_sets=False
        )
        self.store = self.symbolic.store
        self.guarantees = Guarantees(self.program, self.symbolic, self.ghosts)
        self.started = 1 if most_started(self.program) == 1 else 2  # how many threads a role of started ones may have
        self.roles: dict[Role, _Part] = {}
        for name in self.program.threads:
            role = Role(name)
            if role in self.roles:
                self.roles[role].several = True
            else:
                self.roles[role] = self._part(self.guarantees.initial(), False)

    def _part(self, waiting: Bdd, several: bool) -> _Part:
        return _Part(Summaries(self.symbolic, self.task.budget), waiting, several)

    @property
    def visits(self) -> int:
        """How much was done."""
        return sum(part.summaries.visits for part in self.roles.values())

    def run(self) -> None:
        """Work until nothing is new."""
        changed = True
        while changed:
            changed = False
            for role in list(self.roles):
                changed |= self._advance(role)
            self.task.budget.tell(f"{self.visits:,} steps of {len(self.roles)} roles, {self.store.nodes} BDD nodes")

    def _advance(self, role: Role) -> bool:
        """Let a role do all that it can under what the others do; tell whether it can do more than before."""
        part = self.roles[role]
        rely = self._rely(role)
        if rely != part.under:
            part.under = rely
            part.closed.clear()
        relations = [self.guarantees.relation(written, pairs) for written, pairs in rely.items()]
        self._wait(role, part, relations)
        while True:
            self._check()
            part.summaries.run()
            if not self._interfere(part, relations):
                break
        return self._publish(role, part)

    def _rely(self, role: Role) -> dict[Written, Bdd]:
        """Return what all others can do, and those of the same role."""
        found: dict[Written, Bdd] = {}
        for other, part in self.roles.items():
            if other != role or part.several:
                for written, pairs in part.guarantee.items():
                    found[written] = found[written] | pairs if written in found else pairs
        return found

    def _wait(self, role: Role, part: _Part, relations: list[Relation]) -> None:
        """Let threads of a role begin, whatever others have done before."""
        part.waiting = self._closure(part.waiting, self.store.false, relations)
        frame = self.symbolic.frames[role.procedure]
        if role.location is None:
            part.summaries.demand(role.procedure, part.waiting & self.symbolic.allowed_states(frame))
        else:
            part.summaries.inject(role.procedure, role.location, part.waiting)

    def _closure(self, new: Bdd, known: Bdd, relations: list[Relation]) -> Bdd:
        """Return a set with all that the others can make of what is new in it."""
        found = known | new
        while not self.store.is_false(new):
            self.task.budget.check()
            after = self.store.false
            for relation in relations:
                after |= relation.image(new)
            new = minus(after, found)
            found |= new
        return found

    def _interfere(self, part: _Part, relations: list[Relation]) -> bool:
        """Let the others run wherever that is allowed; tell whether anything is new."""
        changed = False
        for place in self.guarantees.interruptible:
            known = part.summaries.path_edges(*place) & self.guarantees.open
            before = part.closed.get(place, self.store.false)
            if known == before:
                continue
            closed = self._closure(minus(known, before), known, relations)
            part.closed[place] = closed
            if closed != known:
                part.summaries.inject(*place, closed)
                changed = True
        return changed

    def _publish(self, role: Role, part: _Part) -> bool:
        """Add to the guarantee, and to who is started, what new path edges do; tell whether there was anything."""
        changed = False
        for place in self.guarantees.visible_places(role):
            known = part.summaries.path_edges(*place)
            if known == part.used.get(place, self.store.false):
                continue
            part.used[place] = known
            for written, pairs in self.guarantees.pairs(role, place, known):
                before = part.guarantee.get(written, self.store.false)
                if not self.store.is_false(minus(pairs, before)):
                    part.guarantee[written] = before | pairs
                    changed = True
            for started, waiting in self.guarantees.starts(place, known):
                changed |= self._start(started, waiting)
        return changed

    def _start(self, role: Role, waiting: Bdd) -> bool:
        part = self.roles.get(role)
        if part is None:
            part = self.roles[role] = self._part(self.store.false, self.started > 1)
        elif role in {Role(name) for name in self.program.threads} and not part.several:
            part.several = True
        new = minus(waiting, part.waiting)
        part.waiting |= new
        return not self.store.is_false(new)

    def _check(self) -> None:
        self.task.budget.check()
        if self.visits > self.most_visits:
            raise OutOfBudget(f"the proof of one thread at a time was given up after {self.most_visits:,} steps")

    def places(self) -> set[Place]:
        """Return where threads may stand."""
        return {place for part in self.roles.values() for place in part.summaries.visited_places()}

    def proof(self) -> Interference:
        """Return what every role does."""
        frames = self.symbolic.frames
        vocabulary = {name: Vocabulary(frame.slots, frame.rigid, frame.echoed) for name, frame in frames.items()}
        return Interference(
            self.program,
            self.store,
            vocabulary,
            self.ghosts,
            {role: self._conduct(part) for role, part in self.roles.items()},
        )

    def _conduct(self, part: _Part) -> Conduct:
        def sets(name: str) -> Iterator[Bdd]:
            for location in range(self.symbolic.frames[name].procedure.size):
                yield part.summaries.path_edges(name, location)

        return Conduct(part.waiting, {name: tuple(sets(name)) for name in self.symbolic.frames}, dict(part.guarantee))
