"""The check of interference: one thread at a time, by implications, without the engine and without its relations.

    form       the sets speak of the variables of the program and of the ghosts, each in a slot of its own
    start      threads of the program wait in every initial state; a thread that waits is at its entry when it begins
    steps      every role is closed under each step of its own: edges, calls, returns
    others     every role, waiting or running, is closed under the guarantees of the other roles; where there may be
               several threads of a role, also under its own
    seen       a guarantee has every step that leads from where another thread may run to where one may run again
    starting   a thread that is started waits in its role
    targets    hold no state in any role

Each step is one implication; the state after it is substituted, as in `path_edges`.  Inside a section `seen` is what
the others saw last; a role is closed under others only where a section is not open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, exists, minus, rename
from knaster.checkers.boolean_meaning import meaning
from knaster.checkers.threads.interference_form import check_form, starts_of
from knaster.evidence.proofs.threads.interference import Conduct, Interference, Role
from knaster.evidence.questions.question import Target
from knaster.program.expression import Choice, Expr, postorder
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Procedure, Program, Return, ThreadOperation
from knaster.program.threads import most_started

NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY
Valuation = Mapping[str, Bdd]


def check_interference(proof: Interference, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` unless the proof shows that no target is reachable, whatever the number of switches."""
    check_form(proof, program)
    reached = proof.places()
    for target in targets:
        if not target.has_place or target.place in reached:
            raise InternalError(f"the certificate does not exclude '{target.name}'")
    for role in proof.conducts:
        _Checker(proof, role, budget).check()


class _Checker:
    """The conduct of one role under examination."""

    def __init__(self, proof: Interference, role: Role, budget: Budget) -> None:
        self.proof, self.role, self.budget = proof, role, budget
        self.conduct = proof.conducts[role]
        self.program, self.store, self.ghosts = proof.program, proof.store, proof.ghosts
        self.procedures = {procedure.name: procedure for procedure in self.program.procedures}
        self.slots = proof.vocabulary[role.procedure].slots  # those of globals are the same everywhere
        self.rely = list(self._others())
        self._choices: list[int] = []

    def check(self) -> None:
        """Check everything about the role."""
        self._check_start()
        self._check_others(self.conduct.waiting, f"a thread of '{self.role.procedure}' that waits")
        for procedure in self.program.procedures:
            for location, known in enumerate(self.conduct.path_edges[procedure.name]):
                if known == self.store.false:
                    continue  # mutant: of an empty set nothing is asked
                self.budget.check()
                if location not in procedure.failures:
                    self._check_others(known & self._open(self._valuation(procedure.name, NOW)), procedure.name)
                if location == procedure.exit and procedure.name == self.role.procedure:
                    self._check_end(procedure.name, known)
                for edge in procedure.leaving.get(location, ()):
                    self._check_edge(procedure, edge, known)

    def _others(self) -> Iterator[tuple[frozenset[str], Bdd]]:
        """Yield what others can do to the shared variables."""
        count = self.program.threads.count(self.role.procedure) if self.role.location is None else 0
        if any(role == self.role for role, _, _ in starts_of(self.program)):
            count += 1 if most_started(self.program) == 1 else 2
        for role, conduct in self.proof.conducts.items():
            if role != self.role or count > 1:
                yield from conduct.guarantee.items()

    def _check_start(self) -> None:
        """Threads of the program wait from the start; a thread that waits may begin."""
        procedure = self.procedures[self.role.procedure]
        now = self._valuation(procedure.name, NOW)
        if self.role.location is not None:
            known = self.conduct.path_edges[procedure.name][self.role.location]
            self._require(self.conduct.waiting, known, f"a thread that is started in '{procedure.name}' is missing")
            return
        choices = self._fresh()
        if procedure.name in self.program.threads:
            init = self._value(self.program.init, now, now, choices)
            waiting = self._substitute(procedure.name, self.conduct.waiting, now, {**now, **self._no_ghosts()})
            self._require(init, waiting, "an initial state is missing")
        premise = self.conduct.waiting & self._value(procedure.enforce, now, now, choices)
        entered = self._at(procedure.name, procedure.entry, now, now)
        self._require(premise, entered, f"the entry of '{procedure.name}' misses a state in which a thread begins")

    def _check_others(self, states: Bdd, where: str) -> None:
        """What others do leads from these states into them."""
        for written, pairs in self.rely if states != self.store.false else ():
            change = {self._global(name, NOW): self.store.var(self._global(name, NEXT)) for name in sorted(written)}
            after = rename(states, self.store.substitution(change))
            self._require(states & pairs, after, f"what others do leads out of '{where}'")

    def _check_edge(self, procedure: Procedure, edge: Edge, known: Bdd) -> None:
        """The set at the source, pushed along the edge, is inside the set at the target."""
        name = procedure.name
        now, choices = self._valuation(name, NOW), self._fresh()
        after: Valuation = now
        premise = known
        match edge.action:
            case Assume(condition):
                premise &= self._value(condition, now, now, choices)
            case Assign(targets, values, constraint):
                changes = {x: self._value(e, now, now, choices) for x, e in zip(targets, values, strict=True)}
                after = {**now, **changes, **self._lock_ghosts(edge.action, now, changes)}
                premise &= self._value(constraint, now, after, choices)
            case Return(values):
                after = {**now, **self._results(procedure, values, now, choices)}
            case Call() as call:
                arguments = [self._value(argument, now, now, choices) for argument in call.arguments]
                premise, left, after = self._check_call(known, call, now, arguments, choices)
                premise &= self._value(procedure.enforce, after, after, choices)
                self._check_seen(premise, left, after)
            case Concurrent(ThreadOperation.END):
                self._check_end(name, known)
                return
            case Concurrent(operation):
                after = {**now, **self._section(operation, now)}
            case action:
                raise InternalError(f"no certificate covers {action}")
        premise &= self._value(procedure.enforce, after, after, choices)
        reached = self._at(name, edge.target, self._valuation(name, ENTRY), after)
        self._require(premise, reached, f"the set after line {edge.span.line} of '{name}' misses a state")
        if not isinstance(edge.action, Call) and edge.target not in procedure.failures:
            self._check_seen(premise, now, after)
        if isinstance(edge.action, Concurrent):
            self._check_started(name, edge.action, premise, now, choices)

    def _results(
        self, procedure: Procedure, values: tuple[Expr, ...], now: Valuation, choices: Iterator[Bdd]
    ) -> dict[str, Bdd]:
        return {x: self._value(e, now, now, choices) for x, e in zip(procedure.results, values, strict=True)}

    def _section(self, operation: ThreadOperation, now: Valuation) -> dict[str, Bdd]:
        """Return what a thread statement does to the ghosts."""
        if self.ghosts is None:
            return {}
        if operation is ThreadOperation.ATOMIC_BEGIN:
            return {self.ghosts.inside: self.store.true, **self._notice(now)}
        if operation is ThreadOperation.ATOMIC_END:
            lock = self.store.false if self.program.atomic is None else now[self.program.atomic]
            return {self.ghosts.inside: self.store.false, **{x: now[x] & lock for x in self.ghosts.seen.values()}}
        return {}

    def _lock_ghosts(self, action: Assign, now: Valuation, changes: Valuation) -> dict[str, Bdd]:
        """Return what an assignment to the variable that keeps others from running does to the ghosts."""
        lock = self.program.atomic
        if self.ghosts is None or lock is None or lock not in changes:
            return {}
        noticed = self._notice(now)
        if any(isinstance(node, Choice) for node in postorder(action.values[action.targets.index(lock)])):
            return noticed
        kept = changes[lock] | now[self.ghosts.inside]
        return {name: value & kept for name, value in noticed.items()}

    def _notice(self, now: Valuation) -> dict[str, Bdd]:
        """Return what is seen last once a step is taken: the shared variables now, where others may run now."""
        assert self.ghosts is not None
        free = self._open(now)
        return {seen: free.ite(now[x], now[seen]) for x, seen in self.ghosts.seen.items()}

    def _check_call(
        self, known: Bdd, call: Call, now: Valuation, arguments: list[Bdd], choices: Iterator[Bdd]
    ) -> tuple[Bdd, Valuation, Valuation]:
        """Check what enters the callee; return what is known after its return, and the caller before and after it."""
        if self.program.atomic is not None and self.program.atomic in call.targets:
            raise InternalError(f"no certificate covers a call with a result for '{self.program.atomic}'")
        callee = self.procedures[call.procedure]
        following = self._valuation(callee.name, NEXT)
        inputs = {name: now[name] for name in self._globals()}
        inputs |= dict(zip(callee.parameters, arguments, strict=True))
        start = {**following, **inputs}  # locals start with any value
        premise = known & self._value(callee.enforce, start, start, choices)
        entered = self._at(callee.name, callee.entry, start, start)
        self._require(premise, entered, f"the entry of '{callee.name}' misses what a call passes to it")
        slots = self.proof.vocabulary[callee.name].slots
        own = self.store.cube(variable(slots[name], NOW) for name in callee.parameters + callee.locals)
        exits = exists(self.conduct.path_edges[callee.name][callee.exit], own)
        left = {**now, **{name: following[name] for name in self._globals()}}
        after = dict(left)
        after |= {target: following[result] for target, result in call.results(callee)}
        return known & self._substitute(callee.name, exits, inputs, following), left, after

    def _check_seen(self, premise: Bdd, now: Valuation, after: Valuation) -> None:
        """A step that others can see is in the guarantee."""
        names = self.program.globals
        if self.ghosts is None:
            self._require(premise, self._guarantee(now, after), "a step is not in the guarantee")
            return
        before, later = self._open(now), self._open(after)
        if any(now[x] != after[x] for x in names):
            self._require(premise & before & later, self._guarantee(now, after), "a step is not in the guarantee")
        seen = {x: now[ghost] for x, ghost in self.ghosts.seen.items()}
        hidden = minus(premise & later, before)
        if hidden != self.store.false:
            self._require(hidden, self._guarantee(seen, after), "a section is not in the guarantee")

    def _check_end(self, name: str, known: Bdd) -> None:
        """The end of its thread ends a section; others see what it did."""
        if self.ghosts is not None:
            now = self._valuation(name, NOW)
            ended = {**now, self.ghosts.inside: self.store.false}
            seen = {x: now[ghost] for x, ghost in self.ghosts.seen.items()}
            premise = known & now[self.ghosts.inside] & self._open(ended)
            self._require(premise, self._guarantee(seen, ended), "a section is not in the guarantee")

    def _guarantee(self, before: Valuation, after: Valuation) -> Bdd:
        """Return where these shared states are a pair of the guarantee, or the same."""
        kept = {x: before[x].equiv(after[x]) for x in self.program.globals}
        found = self._all(kept.values())
        for written, pairs in self.conduct.guarantee.items():
            change = {self._global(x, NOW): before[x] for x in self.program.globals}
            change |= {self._global(x, NEXT): after[x] for x in sorted(written)}
            same = self._all(equal for x, equal in kept.items() if x not in written)
            found |= rename(pairs, self.store.substitution(change)) & same
        return found

    def _check_started(
        self, name: str, action: Concurrent, premise: Bdd, now: Valuation, choices: Iterator[Bdd]
    ) -> None:
        """A thread that is started waits in its role."""
        if action.operation is not ThreadOperation.START:
            return
        role = Role(name, action.location) if action.procedure is None else Role(action.procedure)
        there: Conduct | None = self.proof.conducts.get(role)
        if there is None:
            raise InternalError(f"the certificate has no role for threads started in '{role.procedure}'")
        noticed = {} if self.ghosts is None else self._notice(now)
        shared = {x: noticed[self.ghosts.seen[x]] for x in self.program.globals} if self.ghosts is not None else {}
        waits = {**now, **shared, **self._no_ghosts()}
        if action.procedure is not None:
            values = [self._value(argument, now, now, choices) for argument in action.arguments]
            waits |= dict(zip(self.procedures[action.procedure].parameters, values, strict=True))
        entry = self._valuation(role.procedure, ENTRY)
        known = self._substitute(role.procedure, there.waiting, entry, waits)
        self._require(premise, known, f"a thread that is started in '{role.procedure}' does not wait")

    def _globals(self) -> tuple[str, ...]:
        return (*self.program.globals, *self._no_ghosts())

    def _no_ghosts(self) -> dict[str, Bdd]:
        """Return the ghosts of a thread that has not begun."""
        names = () if self.ghosts is None else (self.ghosts.inside, *self.ghosts.seen.values())
        return dict.fromkeys(names, self.store.false)

    def _open(self, now: Valuation) -> Bdd:
        """Return where another thread may run."""
        found = self.store.true if self.ghosts is None else ~now[self.ghosts.inside]
        return found if self.program.atomic is None else minus(found, now[self.program.atomic])

    def _all(self, functions: Iterable[Bdd]) -> Bdd:
        found = self.store.true
        for function in functions:
            found &= function
        return found

    def _at(self, name: str, location: int, entry: Valuation, now: Valuation) -> Bdd:
        """Return where these valuations, at the procedure's entry and now, are in the set of a location."""
        return self._substitute(name, self.conduct.path_edges[name][location], entry, now)

    def _substitute(self, name: str, states: Bdd, entry: Valuation, now: Valuation) -> Bdd:
        spoken = self.proof.vocabulary[name]
        pairs = {variable(slot, NOW): now[x] for x, slot in spoken.slots.items() if x in now}
        pairs |= {variable(spoken.slots[x], ENTRY): entry[x] for x in sorted(spoken.echoed)}
        changed = {place: value for place, value in pairs.items() if value != self.store.var(place)}
        return rename(states, self.store.substitution(changed)) if changed else states

    def _require(self, premise: Bdd, conclusion: Bdd, message: str) -> None:
        if minus(premise, conclusion) != self.store.false:
            raise InternalError(f"the certificate does not hold: {message}")

    def _valuation(self, procedure: str, copy: Copy) -> dict[str, Bdd]:
        slots = self.proof.vocabulary[procedure].slots
        return {name: self.store.var(variable(slot, copy)) for name, slot in slots.items()}

    def _global(self, name: str, copy: Copy) -> int:
        return variable(self.slots[name], copy)

    def _fresh(self) -> Iterator[Bdd]:
        """Yield a new function for each choice of one step; other steps may use the same."""
        used = 0
        while True:
            if used == len(self._choices):
                self._choices += self.store.extend(1)
            yield self.store.var(self._choices[used])
            used += 1

    def _value(self, expr: Expr, before: Valuation, after: Valuation, choices: Iterable[Bdd]) -> Bdd:
        return meaning(self.store, expr, before, after, choices)
