"""The check of path edges: why a sequential Boolean program reaches no target.

For each location of each procedure the proof has a set of pairs: values at the entry of the procedure (of the globals
and parameters that are `echoed`) and values now, of all variables in scope.  It says that every run that stands
there is in it.  Variable 3 * slot is a value at the entry, 3 * slot + 1 a value now.

    start      every initial state is at the entry of the first procedure
    edges      what is at the source of an edge is, after it, at its target
    calls      what a call passes is at the entry of the callee; what is at the callee's exit for what was passed is,
               after the return, at the target of the call
    targets    no state is there

A variable that no statement of a procedure, nor of those below it, writes has at its exit the value of the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from knaster_check.boolean.circuit import FALSE, Circuit, Functions, Literal, Valuation, View
from knaster_check.boolean.circuit_steps import entry_values, result_values, step
from knaster_check.boolean.obligations import Obligations
from knaster_check.program import Assign, Assume, Call, Edge, Procedure, Program, Return, Target, Thread
from knaster_check.refused import Refused, expect, list_of, number_of, object_with, text_of
from knaster_check.table import Tick, Verdict

ENTRY, NOW = 0, 1


class Vocabulary:
    """Which variable of the sets of one procedure is which variable of the program."""

    def __init__(self, names: tuple[str, ...], given: set[str], slots: object, echoed: object, place: str) -> None:
        own = object_with(slots, names, place)
        numbers = [number_of(slot, place) for slot in own.values()]
        expect(len(set(numbers)) == len(numbers), "two variables share a slot", place)
        self.slots: dict[str, int] = own
        self.echoed = [text_of(name, place) for name in list_of(echoed, place)]
        expect(set(self.echoed) <= given, "something is echoed that has no value at the entry", place)

    def places(self, entry: Valuation, now: Valuation) -> dict[int, Literal]:
        """Return what stands for the variables of the sets."""
        found = {3 * slot + NOW: now[name] for name, slot in self.slots.items()}
        # mutant(+): ENTRY is 0
        return found | {3 * self.slots[name] + ENTRY: entry[name] for name in self.echoed}


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target."""
    expect(program.kind == "boolean" and not program.is_threaded, "path edges are of sequential Boolean programs")
    expect(bool(targets), "the proof excludes no target")
    obligations = Obligations(tick)
    proof = PathEdges(program, document, obligations)
    for target in targets:
        expect(bool(target.procedure), "path edges say nothing of it", target.name)
        proof.check_excluded(target)
    proof.check_start()
    for procedure in program.procedures.values():
        proof.check_procedure(procedure)
    return Verdict("unreachable", targets, None, obligations.answered)


class Here(NamedTuple):
    """A procedure whose edges are looked at: its sets over values at the entry and now."""

    circuit: Circuit
    view: View
    procedure: Procedure
    entry: Valuation
    now: Valuation


class PathEdges:
    """The sets of a proof, for a program."""

    def __init__(self, program: Program, document: Mapping[str, Any], obligations: Obligations) -> None:
        self.program, self.obligations = program, obligations
        self.functions = Functions(document["nodes"])
        self.written = written_variables(program)
        self.vocabulary: dict[str, Vocabulary] = {}
        self.sets: dict[str, list[int]] = {}
        rows = object_with(document["procedures"], program.procedures, "'procedures'")
        for name, procedure in program.procedures.items():
            row = object_with(rows[name], ("slots", "rigid", "echoed", "sets"), f"'{name}'")
            given = {*program.globals, *procedure.parameters}
            names = program.scope(procedure)
            self.vocabulary[name] = Vocabulary(names, given, row["slots"], row["echoed"], f"'{name}'")
            self.sets[name] = self.functions.numbers(row["sets"])
            expect(len(self.sets[name]) == procedure.size, "there is not a set for each location", f"'{name}'")

    def check_excluded(self, target: Target) -> None:
        """Refuse where something is at a target."""
        circuit = Circuit()
        view, _, _ = self.view(circuit, self.program.procedures[target.procedure])
        states = view.of(self.sets[target.procedure][target.location])
        self.obligations.require(circuit, [states], FALSE, "the proof does not exclude it", target.name)

    def check_start(self) -> None:
        """Refuse where an initial state is missing."""
        circuit, procedure = Circuit(), self.program.procedures[self.program.threads[0]]
        start = self.fresh(circuit, procedure)
        premises = [circuit.value(self.program.init, start), circuit.value(procedure.enforce, start)]
        entered = self.at(circuit, procedure, procedure.entry, start, start)
        self.obligations.require(circuit, premises, entered, "an initial state is missing", f"'{procedure.name}'")

    def check_procedure(self, procedure: Procedure) -> None:
        """Refuse where a step of a procedure leads out of the sets."""
        circuit = Circuit()
        view, entry, now = self.view(circuit, procedure)
        here = Here(circuit, view, procedure, entry, now)
        for number, edge in enumerate(procedure.edges):
            known = view.of(self.sets[procedure.name][edge.source])
            if known != FALSE:
                self._check_edge(here, number, edge, known)

    def _check_edge(self, here: Here, number: int, edge: Edge, known: Literal) -> None:
        circuit, _, procedure, entry, now = here
        place, premises, after = f"'{procedure.name}', line {edge.line}", [known], now
        match edge.action:
            case Assume() | Assign() | Return() as action:
                condition, changes = step(circuit, procedure, action, now)
                premises.append(condition)
                after = {**now, **changes} if changes else now
            case Call():
                exits, after = self._check_call(here, number, edge.action, known, place)
                premises.append(exits)
            case action:
                raise Refused(f"path edges say nothing of '{type(action).__name__.lower()}'", place)
        premises.append(circuit.value(procedure.enforce, after))
        function = self.sets[procedure.name][edge.target]
        reached = here.view.of(function) if after is now else self.at(circuit, procedure, edge.target, entry, after)
        self.obligations.require(circuit, premises, reached, "the set after it misses a state", place)
        self.look_at_step(here, number, (procedure.name, edge.target), premises, after)

    def _check_call(self, here: Here, number: int, call: Call, known: Literal, place: str) -> tuple[Literal, Valuation]:
        """Check what a call passes; return what is known after it, and the caller's values then."""
        circuit, _, _, _, now = here
        callee = self.program.procedures[call.procedure]
        given = entry_values(circuit, callee, call, now, self.program.globals)
        start = {**self.fresh(circuit, callee), **given}
        entered = self.at(circuit, callee, callee.entry, start, start)
        premises = [known, circuit.value(callee.enforce, start)]
        reason = f"the entry of '{callee.name}' misses what is passed"
        self.obligations.require(circuit, premises, entered, reason, place)
        self.look_at_step(here, number, (callee.name, callee.entry), premises, start)
        kept = {name: value for name, value in given.items() if name not in self.written[callee.name]}
        end = {**self.fresh(circuit, callee), **kept}
        after = {**now, **{name: end[name] for name in self.program.globals}, **result_values(call, callee, end)}
        return self.at(circuit, callee, callee.exit, given, end), after

    def look_at_step(
        self, here: Here, number: int, target: tuple[str, int], premises: list[Literal], after: Valuation
    ) -> None:
        """Ask more of a step along an edge, or into a call, to a place with these values; path edges do not."""

    def at(self, circuit: Circuit, procedure: Procedure, location: int, entry: Valuation, now: Valuation) -> Literal:
        """Return whether these values, at the entry and now, are in the set of a location."""
        places = self.vocabulary[procedure.name].places(entry, now)
        return View(circuit, self.functions, places).of(self.sets[procedure.name][location])

    def view(self, circuit: Circuit, procedure: Procedure) -> tuple[View, Valuation, Valuation]:
        """Return the sets of a procedure over new variables, for the values at the entry and now."""
        entry, now = self.fresh(circuit, procedure), self.fresh(circuit, procedure)
        places = self.vocabulary[procedure.name].places(entry, now)
        return View(circuit, self.functions, places), entry, now

    def fresh(self, circuit: Circuit, procedure: Procedure) -> dict[str, Literal]:
        """Return a new variable for each variable in scope."""
        return {name: circuit.variable() for name in self.program.scope(procedure)}


def written_variables(program: Program) -> dict[str, set[str]]:
    """Return for each procedure what its statements, or those of procedures below it, may write."""
    written: dict[str, set[str]] = {name: set(own.results) for name, own in program.procedures.items()}
    changed = True
    while changed:
        changed = False
        for name, procedure in program.procedures.items():
            before = len(written[name])
            for edge in procedure.edges:
                match edge.action:
                    case Assign(targets, _, _):
                        written[name].update(targets)
                    case Call(callee, _, targets, _, _):
                        written[name].update(target for target in targets if target is not None)
                        written[name] |= written[callee].intersection(program.globals)
                    case Thread():
                        written[name].update(program.globals)
            changed |= len(written[name]) > before
    return written
