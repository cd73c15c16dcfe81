"""The check of interference: why threads reach no target, one thread at a time under all that the others can do.

A *role* is what a thread runs: a procedure from its entry, or from a location where `start_thread` lets it begin.  Each
role has a set of states in which such a thread is `waiting` to begin, sets of pairs as path edges are (values at the
entry of the procedure and now), and a `guarantee`: what its steps do to the globals, as pairs of values.

Others may run at *open* moments: outside sections and while the global `atomic` is false.  Where there are either, the
sets speak of two more things: `inside`, whether a section is open, and `seen`, the globals at the last open moment; at
open moments it does not matter what was seen.  What a thread does between two open moments is one pair.

    start      threads of the program wait in every initial state; what waits is, when it begins, at the entry
    steps      what is at the source of an edge is, after it, at its target; calls and returns as in `path_edges`
    others     what is in a set at an open moment is still in it after a pair of the guarantee of another role, and of
               its own where there may be two threads of it
    seen       what leads from one open moment to the next is in the guarantee of the role, or changes nothing
    starting   a thread that is started waits, with the globals of the last open moment
    targets    no role has a state there
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.boolean.circuit import FALSE, TRUE, Circuit, Literal, Valuation, View
from knaster_check.boolean.circuit_steps import entry_values, result_values, step
from knaster_check.boolean.interference_file import Proof, Role, may_be_several
from knaster_check.boolean.obligations import Obligations
from knaster_check.boolean.path_edges import NOW
from knaster_check.program import Assign, Assume, Call, Edge, Procedure, Program, Return, Target, Thread
from knaster_check.refused import Refused, expect
from knaster_check.table import Tick, Verdict

NEXT = 2


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target, whatever the number of switches."""
    expect(program.kind == "boolean", "it is a proof about Boolean programs")
    expect(bool(targets), "the proof excludes no target")
    proof, obligations = Proof(program, document["interference"]), Obligations(tick)
    for role in proof.conducts:
        checker = _Checker(proof, role, obligations)
        for target in targets:
            checker.check_excluded(target)
        checker.check()
    return Verdict("unreachable", targets, None, obligations.answered)


class _Checker:
    """The conduct of one role under examination."""

    def __init__(self, proof: Proof, role: Role, obligations: Obligations) -> None:
        self.proof, self.role, self.obligations = proof, role, obligations
        self.program, self.conduct, self.circuit = proof.program, proof.conducts[role], Circuit()
        self.procedure = self.program.procedures[role[0]]
        several = may_be_several(self.program, role)
        others = [conduct for other, conduct in proof.conducts.items() if other != role or several]
        self.rely = [pair for conduct in others for pair in conduct.guarantee]

    def check_excluded(self, target: Target) -> None:
        """Refuse where a state of the role is at a target."""
        expect(bool(target.procedure), "the proof says nothing of it", target.name)
        now, entry = self.fresh(target.procedure), self.fresh(target.procedure)
        states = self.at(target.procedure, target.location, entry, now)
        self._require([states], FALSE, "it is not excluded", target.name)

    def check(self) -> None:
        """Refuse where something about the role does not hold."""
        self._check_start()
        self._check_others(self.procedure.name, self.conduct.waiting, -1, f"'{self.procedure.name}', waiting")
        for procedure in self.program.procedures.values():
            for location, function in enumerate(self.conduct.sets[procedure.name]):
                if function != 0 and location not in procedure.failures:
                    place = f"'{procedure.name}', location {location}"
                    self._check_others(procedure.name, function, location, place)
            now, entry = self.fresh(procedure.name), self.fresh(procedure.name)
            if procedure is self.procedure:
                self._check_end(procedure, now, self.at(procedure.name, procedure.exit, entry, now))
            for edge in procedure.edges:
                known = self.at(procedure.name, edge.source, entry, now)
                if known != FALSE:
                    self._check_edge(procedure, edge, known, entry, now)

    def _check_start(self) -> None:
        name, location = self.role
        now, entry = self.fresh(name), self.fresh(name)
        if location is not None:
            waiting = self.of(name, self.conduct.waiting, entry, now)
            reached = self.at(name, location, entry, now)
            self._require([waiting], reached, "a thread that is started is missing", f"'{name}'")
            return
        if name in self.program.threads:
            start = {**now, **dict.fromkeys(self.proof.ghosts, FALSE)}
            waiting = self.of(name, self.conduct.waiting, start, start)
            self._require([self.circuit.value(self.program.init, start)], waiting, "an initial state is missing")
        premises = [self.of(name, self.conduct.waiting, now, now), self.circuit.value(self.procedure.enforce, now)]
        entered = self.at(name, self.procedure.entry, now, now)
        self._require(premises, entered, "a state in which a thread begins is missing", f"'{name}'")

    def _check_others(self, name: str, function: int, location: int, place: str) -> None:
        """Refuse where what others do leads out of a set."""
        now, entry = self.fresh(name), self.fresh(name)
        premises = [self.of(name, function, entry, now)]
        if location >= 0:
            premises.append(self.open(now))
        for written, pairs in self.rely:
            after = {**now, **{x: self.circuit.variable() for x in written}}
            known = [*premises, self.pairs(written, pairs, now, after)]
            self._require(known, self.of(name, function, entry, after), "what others do leads out of the set", place)

    def _check_edge(self, procedure: Procedure, edge: Edge, known: Literal, entry: Valuation, now: Valuation) -> None:
        circuit, place, name = self.circuit, f"'{procedure.name}', line {edge.line}", procedure.name
        premises, after, before = [known], now, now
        match edge.action:
            case Assume() | Assign() | Return() as action:
                condition, changes = step(circuit, procedure, action, now)
                premises.append(condition)
                after = {**now, **changes, **self._ghosts_after(action, now, changes)}
            case Call():
                exits, before, after = self._check_call(edge.action, known, now, place)
                premises.append(exits)
            case Thread("end_thread"):
                return self._check_end(procedure, now, known)
            case Thread(operation):
                expect(operation not in ("wait", "broadcast"), f"nothing is known of '{operation}'", place)
                after = {**now, **self._section(operation, now)}
            case action:
                raise Refused(f"nothing is known of '{type(action).__name__.lower()}'", place)
        premises.append(circuit.value(procedure.enforce, after))
        reached = self.at(name, edge.target, entry, after)
        self._require(premises, reached, "the set after it misses a state", place)
        if edge.target not in procedure.failures:
            self._check_seen(premises, before, after, place)
        if isinstance(edge.action, Thread) and edge.action.operation == "start_thread":
            self._check_started(procedure, edge.action, premises, entry, now, place)
        return None

    def _check_call(
        self, call: Call, known: Literal, now: Valuation, place: str
    ) -> tuple[Literal, Valuation, Valuation]:
        """Check what a call passes; return what is known at its end, and the caller's values just before and after."""
        lock = self.program.atomic
        expect(lock is None or lock not in call.targets, f"a result goes to '{lock}'", place)
        callee = self.program.procedures[call.procedure]
        shared = (*self.program.globals, *self.proof.ghosts)
        given = entry_values(self.circuit, callee, call, now, shared)
        start = {**self.fresh(callee.name), **given}
        entered = self.at(callee.name, callee.entry, start, start)
        premises = [known, self.circuit.value(callee.enforce, start)]
        self._require(premises, entered, f"the entry of '{callee.name}' misses what is passed", place)
        end = self.fresh(callee.name)
        left = {**now, **{name: end[name] for name in shared}}
        after = {**left, **result_values(call, callee, end)}
        return self.at(callee.name, callee.exit, given, end), left, after

    def _section(self, operation: str, now: Valuation) -> dict[str, Literal]:
        """Return what a thread statement does to the ghosts."""
        if self.proof.inside is None or operation not in ("atomic_begin", "atomic_end"):
            return {}
        if operation == "atomic_begin":
            return {self.proof.inside: TRUE, **self._notice(now)}
        kept = self._lock(now)
        return {self.proof.inside: FALSE, **{x: self.circuit.both(now[x], kept) for x in self.proof.seen.values()}}

    def _ghosts_after(self, action: Assume | Assign | Return, now: Valuation, changes: Valuation) -> dict[str, Literal]:
        """Return what a change of the global that keeps others from running does to the ghosts."""
        lock = self.program.atomic
        if self.proof.inside is None or lock is None or lock not in changes or not isinstance(action, Assign):
            return {}
        noticed = self._notice(now)
        if any(node[0] == "choice" for node in action.values[action.targets.index(lock)]):
            return noticed
        kept = self.circuit.choose(changes[lock], TRUE, now[self.proof.inside])
        return {name: self.circuit.both(value, kept) for name, value in noticed.items()}

    def _notice(self, now: Valuation) -> dict[str, Literal]:
        """Return what was seen last once a step is taken: the globals now, if this is an open moment."""
        free = self.open(now)
        return {seen: self.circuit.choose(free, now[x], now[seen]) for x, seen in self.proof.seen.items()}

    def _check_seen(self, premises: list[Literal], now: Valuation, after: Valuation, place: str) -> None:
        """Refuse where what leads from one open moment to the next is not in the guarantee."""
        before, later = self.open(now), self.open(after)
        known, reason = [*premises, later], "a step is not in the guarantee"
        if any(now[x] != after[x] for x in self.program.globals):
            self._require([*known, before], self._guarantee(now, after), reason, place)
        if self.proof.inside is not None:
            seen = {x: now[ghost] for x, ghost in self.proof.seen.items()}
            self._require([*known, -before], self._guarantee(seen, after), "a section is not in the guarantee", place)

    def _check_end(self, procedure: Procedure, now: Valuation, known: Literal) -> None:
        """Refuse where the end of a thread, which ends its section, is not in the guarantee."""
        if self.proof.inside is not None:
            ended = {**now, self.proof.inside: FALSE}
            seen = {x: now[ghost] for x, ghost in self.proof.seen.items()}
            premises = [known, now[self.proof.inside], self.open(ended)]
            reason, place = "a section is not in the guarantee", f"'{procedure.name}'"
            self._require(premises, self._guarantee(seen, ended), reason, place)

    def _guarantee(self, before: Valuation, after: Valuation) -> Literal:
        """Return where the globals before and after are a pair of the guarantee, or the same."""
        kept = {x: self.circuit.equal(before[x], after[x]) for x in self.program.globals}
        found = self.circuit.every(kept.values())
        for written, pairs in self.conduct.guarantee:
            same = self.circuit.every(equal for x, equal in kept.items() if x not in written)
            found = self.circuit.choose(self.circuit.both(same, self.pairs(written, pairs, before, after)), TRUE, found)
        return found

    def _check_started(
        self, here: Procedure, action: Thread, premises: list[Literal], entry: Valuation, now: Valuation, place: str
    ) -> None:
        """Refuse where a thread that is started does not wait in its role."""
        role: Role = (here.name, action.location) if action.procedure is None else (action.procedure, None)
        expect(role in self.proof.conducts, "there is no role for the thread that is started", place)
        shared = {x: now[x] for x in self.program.globals}
        if self.proof.inside is not None:
            noticed = self._notice(now)
            shared = {x: noticed[seen] for x, seen in self.proof.seen.items()}
        waits = {**now, **shared, **dict.fromkeys(self.proof.ghosts, FALSE)}
        if action.procedure is not None:
            callee = self.program.procedures[action.procedure]
            passed = [self.circuit.value(argument, now) for argument in action.arguments]
            waits = {**self.fresh(callee.name), **waits, **dict(zip(callee.parameters, passed, strict=True))}
            entry = waits
        waiting = self.of(role[0], self.proof.conducts[role].waiting, entry, waits)
        self._require(premises, waiting, "a thread that is started does not wait", place)

    def _lock(self, now: Valuation) -> Literal:
        return FALSE if self.program.atomic is None else now[self.program.atomic]

    def open(self, now: Valuation) -> Literal:
        """Return where another thread may run."""
        inside = FALSE if self.proof.inside is None else now[self.proof.inside]
        return self.circuit.both(-inside, -self._lock(now))

    def pairs(self, written: list[str], function: int, before: Valuation, after: Valuation) -> Literal:
        """Return where the globals before and after are a pair of a function."""
        places = {3 * self.proof.slots[x] + NOW: before[x] for x in self.program.globals}
        places |= {3 * self.proof.slots[x] + NEXT: after[x] for x in written}
        return View(self.circuit, self.proof.functions, places).of(function)

    def at(self, name: str, location: int, entry: Valuation, now: Valuation) -> Literal:
        """Return whether these values, at the entry and now, are in the set of a location."""
        return self.of(name, self.conduct.sets[name][location], entry, now)

    def of(self, name: str, function: int, entry: Valuation, now: Valuation) -> Literal:
        """Return whether these values are in a set that speaks of the variables of a procedure."""
        return View(self.circuit, self.proof.functions, self.proof.vocabulary[name].places(entry, now)).of(function)

    def fresh(self, name: str) -> dict[str, Literal]:
        """Return a new variable for each variable and ghost in scope."""
        return {variable: self.circuit.variable() for variable in self.proof.vocabulary[name].slots}

    def _require(self, premises: list[Literal], conclusion: Literal, reason: str, place: str = "") -> None:
        self.obligations.require(self.circuit, premises, conclusion, reason, place)
