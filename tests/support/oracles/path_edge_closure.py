"""Whether path edges are a proof, by trying every state: the interpreter takes each step from each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from knaster.program.model import Call, Procedure, Program
from knaster.semantics.sequential import entry_states, initial_states, state_after_return, successors

State = Mapping[str, Any]


def is_proof(program: Program, document: Mapping[str, Any]) -> bool:
    """Tell whether the sets of a document contain all runs and nothing at its targets."""
    closure = _Closure(program, document)
    if any(True for target in document["targets"] for _ in closure.states(target["procedure"], target["location"])):
        return False
    return closure.has_start() and all(closure.is_closed(procedure) for procedure in program.procedures)


class _Closure:
    def __init__(self, program: Program, document: Mapping[str, Any]) -> None:
        self.program, self.rows, self.nodes = program, document["procedures"], document["nodes"]

    def contains(self, name: str, location: int, entry: State, now: State) -> bool:
        """Tell whether values at the entry and now are in a set."""
        row = self.rows[name]
        bits = {3 * slot + 1: now[variable] for variable, slot in row["slots"].items()}
        bits |= {3 * row["slots"][variable]: entry[variable] for variable in row["echoed"]}
        function = row["sets"][location]
        while function > 1:
            variable, then, otherwise = self.nodes[function - 2]
            if max(then, otherwise) >= function:
                raise ValueError("a node that uses later ones")
            function = then if bits[variable] else otherwise
        return bool(function)

    def states(self, name: str, location: int) -> Iterator[tuple[dict[str, bool], dict[str, bool]]]:
        """Yield every member of a set: echoed values at the entry, and values now."""
        if self.rows[name]["sets"][location] == 0:
            return
        scope, echoed = self.program.scope(self.program.procedure(name)), self.rows[name]["echoed"]
        for now in _valuations(scope):
            for entry in _valuations(echoed):
                if self.contains(name, location, entry, now):
                    yield entry, now

    def has_start(self) -> bool:
        main = self.program.procedure(self.program.threads[0])
        states = initial_states(self.program, main)
        return all(self.contains(main.name, main.entry, state, state) for state in states)

    def is_closed(self, procedure: Procedure) -> bool:
        name = procedure.name
        for edge in procedure.edges:
            for entry, now in self.states(name, edge.source):
                if isinstance(edge.action, Call):
                    if not self._is_closed_call(procedure, edge.action, edge.target, entry, now):
                        return False
                elif not all(self.contains(name, edge.target, entry, s) for s in successors(procedure, edge, now)):
                    return False
        return True

    def _is_closed_call(self, caller: Procedure, call: Call, target: int, entry: State, now: State) -> bool:
        callee = self.program.procedure(call.procedure)
        fixed = {*self.program.globals, *callee.parameters} - _written(self.program, callee.name)
        passed = {
            tuple(s[x] for x in (*self.program.globals, *callee.parameters)) for s in _all_entries(self, call, now)
        }
        for start in entry_states(self.program, callee, call, now):
            if not self.contains(callee.name, callee.entry, start, start):
                return False
        for values in passed:
            begin = dict(zip((*self.program.globals, *callee.parameters), values, strict=True))
            for end in _valuations(self.program.scope(callee)):
                if any(end[x] != begin[x] for x in fixed) or not self.contains(callee.name, callee.exit, begin, end):
                    continue
                after = state_after_return(self.program, caller, callee, call, now, end)
                if after is not None and not self.contains(caller.name, target, entry, after):
                    return False
        return True


def _all_entries(closure: _Closure, call: Call, now: State) -> Iterator[State]:
    """Yield what a call may pass, whether or not the callee enforces something."""
    from dataclasses import replace

    from knaster.program.expression import TRUE

    callee = replace(closure.program.procedure(call.procedure), enforce=TRUE, locals=(), results=(), edges=())
    return entry_states(closure.program, callee, call, now)


def _valuations(names: Any) -> Iterator[dict[str, bool]]:
    for bits in product((False, True), repeat=len(names)):
        yield dict(zip(names, bits, strict=True))


def _written(program: Program, name: str) -> set[str]:
    """Return what a procedure or one below it writes."""
    from knaster.program.model import Assign

    seen, todo, found = {name}, [name], set()
    while todo:
        here = todo.pop()
        for edge in program.procedure(here).edges:
            own: set[str] = set()
            if isinstance(edge.action, Assign):
                own = set(edge.action.targets)
            if isinstance(edge.action, Call):
                own = {target for target in edge.action.targets if target is not None}
                if edge.action.procedure not in seen:
                    seen.add(edge.action.procedure)
                    todo.append(edge.action.procedure)
            found |= own if here == name else own.intersection(program.globals)
    return found
