"""The check of path edges: by implications, without the engine that made them and without its relations.

The engine computes *images* with relations in which choices are already resolved.  Here each edge is one implication:
what is known before it implies, for every value of every choice, that the state after it belongs to the set of its
target. The state after the edge is substituted into that set.

    form       every variable in scope has a slot of its own that the store has room for; every location has a set that
               lives in the store and mentions nothing but the values now and those values at the entry that are said
               to be echoed: what else it mentioned would be mixed up with the variables of a caller
    rigid      a variable that is said to keep its entry value is written nowhere in the procedure or below it
    start      every initial state is at the entry of the entry procedure
    edges      closed under assignments, guards, and returns to the exit
    calls      what a call passes is at the callee's entry; what the callee's exit holds is at the return point
    targets    hold no state at all
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, Store, exists, minus, rename
from knaster.checkers.boolean_meaning import meaning
from knaster.evidence.proofs.path_edges import Certificate, Vocabulary
from knaster.evidence.questions.question import Target
from knaster.program.expression import Expr
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Assign, Assume, Call, Edge, Kind, Location, Procedure, Program, Return
from knaster.program.validate import why_unfit

NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY
Valuation = Mapping[str, Bdd]  # the function that each variable in scope stands for


def check_path_edges(certificate: Certificate, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` unless the certificate proves that no target of the program is reachable."""
    check_form(certificate, program)
    checker = PathEdgeChecker(certificate, budget)
    for target in targets:
        sets = certificate.path_edges.get(target.procedure, ())
        if not 0 <= target.location < len(sets):
            raise InternalError(f"the program has no place for '{target.name}'")
        if sets[target.location] != checker.store.false:
            raise InternalError(f"the certificate does not exclude '{target.name}'")
    checker.check_start()
    for procedure in program.procedures:
        checker.check_rigid(procedure)
        for edge in procedure.edges:
            checker.check_edge(procedure, edge)


class PathEdgeChecker:
    """A certificate under examination."""

    def __init__(self, certificate: Certificate, budget: Budget) -> None:
        self.program = certificate.program
        self.procedures = {procedure.name: procedure for procedure in self.program.procedures}
        self.vocabulary = certificate.vocabulary
        self.entry = certificate.program.threads[0]
        self.store = certificate.store
        self.sets = certificate.path_edges
        self.budget = budget
        self.written = _written_variables(self.program)
        self._choices: list[int] = []
        self._constants = (self.store.false, self.store.true)
        self._valuations: dict[tuple[str, Copy], dict[str, Bdd]] = {}

    def check_start(self) -> None:
        """Every initial state, entered, is at the entry of the entry procedure."""
        procedure = self.procedures[self.entry]
        start = self._valuation(self.entry, NOW)
        choices = iter(self._fresh())
        premise = self._value(self.program.init, start, start, choices)
        premise &= self._value(procedure.enforce, start, start, choices)
        entered = self._at(self.entry, procedure.entry, start, start)
        self._require(premise, entered, f"the entry of '{self.entry}' misses an initial state")

    def check_rigid(self, procedure: Procedure) -> None:
        """A rigid variable is not written."""
        wrong = sorted(self.vocabulary[procedure.name].rigid & self.written[procedure.name])
        if wrong:
            raise InternalError(f"'{wrong[0]}' is said to be rigid in '{procedure.name}' but may be written there")

    def check_edge(self, procedure: Procedure, edge: Edge) -> None:
        """The set at the source, pushed along the edge, is inside the set at the target."""
        self.budget.check()
        if self.sets[procedure.name][edge.source] == self.store.false:
            return
        message = f"the set after line {edge.span.line} of '{procedure.name}' misses a state"
        premise, after = self.follow(procedure, edge)
        entry = self._valuation(procedure.name, ENTRY)
        self._require(premise, self._at(procedure.name, edge.target, entry, after), message)

    def follow(self, procedure: Procedure, edge: Edge) -> tuple[Bdd, Valuation]:
        """Return what is known where an edge is taken, and the valuation after it; what a call passes is checked."""
        known = self.sets[procedure.name][edge.source]
        now = self._valuation(procedure.name, NOW)
        choices = iter(self._fresh())
        match edge.action:
            case Assume(condition):
                premise = known & self._value(condition, now, now, choices)
                after: Valuation = now
            case Assign(targets, values, constraint):
                changes = {x: self._value(e, now, now, choices) for x, e in zip(targets, values, strict=True)}
                after = ChainMap(changes, now)
                premise = known & self._value(constraint, now, after, choices)
            case Return(values):
                results = procedure.results
                changes = {x: self._value(e, now, now, choices) for x, e in zip(results, values, strict=True)}
                after = ChainMap(changes, now)
                premise = known
            case Call() as call:
                arguments = [self._value(argument, now, now, choices) for argument in call.arguments]
                premise, after = self._check_call(known, call, now, arguments, choices)
            case action:
                raise InternalError(f"no certificate covers {action}")
        return premise & self._value(procedure.enforce, after, after, choices), after

    def enter(
        self, known: Bdd, call: Call, now: Valuation, arguments: list[Bdd], choices: Iterable[Bdd]
    ) -> tuple[Bdd, Valuation]:
        """Return what is known where a callee is entered, and the valuation with which it begins."""
        procedure = self.procedures[call.procedure]
        start = dict(self._valuation(procedure.name, NEXT))  # locals start with any value
        start |= {name: now[name] for name in self.program.globals}
        start |= dict(zip(procedure.parameters, arguments, strict=True))
        return known & self._value(procedure.enforce, start, start, iter(choices)), start

    def _check_call(
        self, known: Bdd, call: Call, now: Valuation, arguments: list[Bdd], choices: Iterable[Bdd]
    ) -> tuple[Bdd, Valuation]:
        """Check what enters the callee; return what is known after its return, and the caller's valuation then."""
        callee, procedure = self.vocabulary[call.procedure], self.procedures[call.procedure]
        premise, start = self.enter(known, call, now, arguments, choices)
        entered = self._at(procedure.name, procedure.entry, start, start)
        self._require(premise, entered, f"the entry of '{procedure.name}' misses what a call passes to it")
        following = self._valuation(procedure.name, NEXT)
        inputs = {name: start[name] for name in (*self.program.globals, *procedure.parameters)}
        touched = self.written[procedure.name]
        end = {x: inputs[x] if x in inputs and x not in touched else following[x] for x in callee.slots}
        own = [x for x in procedure.parameters + procedure.locals if x not in callee.rigid]
        hidden = self.store.cube(variable(callee.slots[name], NOW) for name in own)
        exits = exists(self.sets[procedure.name][procedure.exit], hidden)
        after = {**now, **{name: end[name] for name in self.program.globals}}
        after |= {target: end[result] for target, result in call.results(procedure)}
        return known & self._substitute(procedure.name, exits, inputs, end), after

    def _at(self, name: str, location: Location, entry: Valuation, now: Valuation) -> Bdd:
        """Return where these valuations, at the procedure's entry and now, are in the set of a location."""
        return self._substitute(name, self.sets[name][location], entry, now)

    def _substitute(self, name: str, states: Bdd, entry: Valuation, now: Valuation) -> Bdd:
        """Return where a set of a procedure holds of these valuations, at the procedure's entry and now."""
        spoken = self.vocabulary[name]
        pairs: dict[int, Bdd] = {}
        for x in self._changed_names(name, entry, now):
            place = variable(spoken.slots[x], NOW)
            if now[x] != self.store.var(place):
                pairs[place] = now[x]
            place = variable(spoken.slots[x], ENTRY)
            if x in spoken.echoed and entry[x] != self.store.var(place):
                pairs[place] = entry[x]
        fixed = {place: value == self.store.true for place, value in pairs.items() if value in self._constants}
        if fixed:  # first: a substitution looks at every variable of the store
            states = exists(states & self.store.assignment(fixed), self.store.cube(fixed))
        rest = {place: value for place, value in pairs.items() if place not in fixed}
        return rename(states, self.store.substitution(rest)) if rest else states

    def _changed_names(self, name: str, entry: Valuation, now: Valuation) -> Iterable[str]:
        """Return the variables that may stand for something else than themselves.

        After a step inside a procedure these are the variables that it writes: the others are as they were, and so are
        the values at the entry.
        """
        if entry is self._valuation(name, ENTRY):
            if now is self._valuation(name, NOW):
                return ()
            # mutant(is): every such map is one of the values now; else all variables are looked at, to the same end
            if isinstance(now, ChainMap) and now.maps[-1] is self._valuation(name, NOW):
                return {x: None for each in now.maps[:-1] for x in each}
        return self.vocabulary[name].slots

    def _require(self, premise: Bdd, conclusion: Bdd, message: str) -> None:
        if minus(premise, conclusion) != self.store.false:
            raise InternalError(f"the certificate does not hold: {message}")

    def _valuation(self, procedure: str, copy: Copy) -> dict[str, Bdd]:
        """Return the valuation in which every variable stands for itself in a copy; always the same one."""
        if (procedure, copy) not in self._valuations:
            slots = self.vocabulary[procedure].slots
            self._valuations[procedure, copy] = {x: self.store.var(variable(slot, copy)) for x, slot in slots.items()}
        return self._valuations[procedure, copy]

    def _fresh(self) -> Iterable[Bdd]:
        """Yield a new function for each choice of one edge; other edges may use the same."""
        used = 0
        while True:
            if used == len(self._choices):
                self._choices += self.store.extend(1)
            yield self.store.var(self._choices[used])
            used += 1

    def _value(self, expr: Expr, before: Valuation, after: Valuation, choices: Iterable[Bdd]) -> Bdd:
        return meaning(self.store, expr, before, after, choices)


def _written_variables(program: Program) -> dict[str, set[str]]:
    """Return for each procedure the variables that it or a procedure below it may write, by the text alone."""
    written: dict[str, set[str]] = {}
    callers: dict[str, set[str]] = {procedure.name: set() for procedure in program.procedures}
    for procedure in program.procedures:
        own = written[procedure.name] = set()
        for edge in procedure.edges:
            match edge.action:
                case Assign(targets):
                    own.update(targets)
                case Call(callee, _, targets):
                    own.update(target for target in targets if target is not None)
                    callers[callee].add(procedure.name)
    shared = set(program.globals)
    todo = sorted(written)
    while todo:
        callee = todo.pop()
        for caller in sorted(callers[callee]):
            if not written[callee] & shared <= written[caller]:
                written[caller] |= written[callee] & shared
                todo.append(caller)
    return written


def check_form(certificate: Certificate, program: Program) -> None:
    """Raise `InternalError` unless the certificate has the form of one for a sequential Boolean program."""
    if certificate.program is not program:
        raise InternalError("the certificate is one of another program")
    if len(program.threads) != 1 or program.kind is not Kind.BOOLEAN or why_unfit(program) is not None:
        raise InternalError("no certificate covers threads, or variables that are not Boolean")
    names = {procedure.name for procedure in program.procedures}
    if certificate.vocabulary.keys() != names or certificate.path_edges.keys() != names:
        raise InternalError("the certificate misses or invents a procedure")
    store = certificate.store
    if not isinstance(store, Store) or not store.owns(store.true) or not store.owns(store.false):
        raise InternalError("the sets of the certificate have no store")
    everything = store.cube(range(store.variables))
    for procedure in program.procedures:
        vocabulary = certificate.vocabulary[procedure.name]
        _check_vocabulary(vocabulary, program, procedure, store)
        spoken_of = [variable(slot, Copy.NOW) for slot in vocabulary.slots.values()]
        spoken_of += [variable(vocabulary.slots[name], Copy.ENTRY) for name in vocabulary.echoed]
        _check_sets(certificate.path_edges[procedure.name], procedure, store, exists(everything, store.cube(spoken_of)))


def _check_vocabulary(vocabulary: Vocabulary, program: Program, procedure: Procedure, store: Store) -> None:
    slots, name = vocabulary.slots, procedure.name
    if slots.keys() != set(program.scope(procedure)):
        raise InternalError(f"the certificate misses or invents a variable of '{name}'")
    if not all(type(slot) is int and slot >= 0 for slot in slots.values()):
        raise InternalError(f"a slot of '{name}' is no number from 0 on")
    if any(variable(slot, Copy.NEXT) >= store.variables for slot in slots.values()):
        raise InternalError(f"a slot of '{name}' is beyond the store")
    if len(set(slots.values())) != len(slots):
        raise InternalError(f"two variables of '{name}' share a slot")
    if not vocabulary.rigid <= slots.keys() or not vocabulary.echoed <= {*program.globals, *procedure.parameters}:
        raise InternalError(f"what is rigid or echoed in '{name}' has no value at its entry")


def _check_sets(sets: tuple[Bdd, ...], procedure: Procedure, store: Store, foreign: Bdd) -> None:
    if len(sets) != procedure.size:
        raise InternalError(
            f"the certificate has {len(sets)} sets for {procedure.size} locations of '{procedure.name}'"
        )
    for states in sets:
        if not store.owns(states):
            raise InternalError(f"a set of '{procedure.name}' is not in the certificate's store")
        if exists(states, foreign) != states:
            raise InternalError(f"a set of '{procedure.name}' mentions what is no variable of it")
