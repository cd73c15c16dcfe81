"""Replay: every step of a trace is checked on the concrete semantics before anybody sees it.

A shared path is checked once, whatever the number of calls that use it: its own steps depend on its start only, and
each call checks how it enters the path and what it gets back.  So a trace of 2^800 steps takes the time of its DAG.
"""

from __future__ import annotations

from knaster.errors import InternalError
from knaster.program.interpreter import State, allows, allows_entry, is_initial, state_after_return
from knaster.program.model import Call, Edge, Location, Procedure, Program
from knaster.results.trace import Path, Step, Trace
from knaster.results.verdict import Target


def replay(program: Program, entry: str, trace: Trace, target: Target) -> None:
    """Return where `trace` is a run of `program` from the entry of `entry` to `target`; else raise `InternalError`."""
    _Replay(program).run(entry, trace, target)


class _Replay:
    """One program, prepared for looking up edges, and the paths that are still to be checked."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.edges: dict[str, dict[Location, list[Edge]]] = {}
        self.scopes: dict[str, frozenset[str]] = {}
        self.todo: list[Path] = []
        self.seen: set[int] = set()

    def run(self, entry: str, trace: Trace, target: Target) -> None:
        if not trace.paths:
            raise InternalError("the trace has no path")
        first, last = trace.paths[0], trace.paths[-1]
        if first.procedure != entry:
            raise InternalError(f"the trace starts in '{first.procedure}', not in '{entry}'")
        self.start_of(first)
        if not is_initial(self.program, self.procedures[entry], first.start):
            raise InternalError(f"the trace starts in no initial state: {_show(first.start)}")
        for path, following in zip(trace.paths, trace.paths[1:], strict=False):
            self.check_suspended(path, following)
        location = self.check_steps(last, last.steps)
        if (last.procedure, location) != (target.procedure, target.location) or location != trace.location:
            raise InternalError(
                f"the trace ends at location {location} of '{last.procedure}' and says {trace.location}; "
                f"the target '{target.name}' is location {target.location} of '{target.procedure}'"
            )
        while self.todo:
            path = self.todo.pop()
            location = self.check_steps(path, path.steps)
            if location != self.procedures[path.procedure].exit:
                raise InternalError(f"a call of '{path.procedure}' returns from location {location}, not from its exit")

    def check_suspended(self, path: Path, following: Path) -> None:
        """Check a path that ends with the call that enters `following`."""
        if not path.steps:
            raise InternalError(f"the path in '{path.procedure}' ends without a call, but another follows")
        before = path.steps[-2].after if len(path.steps) > 1 else path.start
        location = self.check_steps(path, path.steps[:-1])
        step = path.steps[-1]
        where = _where(path.procedure, len(path.steps) - 1)
        self.check_edge(path.procedure, location, step, where)
        if not isinstance(step.edge.action, Call) or step.inside is not None:
            raise InternalError(f"{where}: the last step is no call that enters '{following.procedure}'")
        if dict(step.after) != dict(before):
            raise InternalError(f"{where}: the call that is entered changes its caller's state")
        self.check_entry(step.edge.action, before, following, where)

    def check_steps(self, path: Path, steps: tuple[Step, ...]) -> Location:
        """Check these first steps of `path`, every call among them returning; return the location they lead to."""
        procedure = self.start_of(path)
        location, before = procedure.entry, path.start
        for index, step in enumerate(steps):
            where = _where(path.procedure, index)
            self.check_edge(path.procedure, location, step, where)
            if isinstance(step.edge.action, Call):
                self.check_call(procedure, step.edge.action, before, step, where)
            elif step.inside is not None:
                raise InternalError(f"{where}: a step that is no call has a path inside")
            elif not allows(procedure, step.edge, before, step.after):
                raise InternalError(f"{where}: {_show(before)} does not lead to {_show(step.after)}")
            location, before = step.edge.target, step.after
        return location

    def check_edge(self, name: str, location: Location, step: Step, where: str) -> None:
        """Check that the step takes an edge that leaves `location` and ends in a state of the right scope."""
        edge = step.edge
        if name not in self.edges:
            self.edges[name] = {}
            for own in self.procedures[name].edges:
                self.edges[name].setdefault(own.source, []).append(own)
        if edge.source != location:
            raise InternalError(f"{where}: the edge starts at location {edge.source}, control stands at {location}")
        leaving = self.edges[name].get(location, [])
        if not any(own is edge for own in leaving) and edge not in leaving:
            raise InternalError(f"{where}: no such edge leaves location {location}")
        self.check_scope(name, step.after, where)

    def check_call(self, caller: Procedure, call: Call, before: State, step: Step, where: str) -> None:
        """Check a call that returns, except for the steps inside, which are checked once for all their callers."""
        inside = step.inside
        if inside is None:
            raise InternalError(f"{where}: the call of '{call.procedure}' has no path inside")
        self.check_entry(call, before, inside, where)
        if id(inside) not in self.seen:
            self.seen.add(id(inside))
            self.todo.append(inside)
        callee = self.procedures[call.procedure]
        self.check_scope(callee.name, inside.end, where)
        after = state_after_return(self.program, caller, callee, call, before, inside.end)
        if after is None or dict(after) != dict(step.after):
            shown = "no state" if after is None else _show(after)
            raise InternalError(f"{where}: '{call.procedure}' returns into {shown}, the trace says {_show(step.after)}")

    def check_entry(self, call: Call, before: State, inside: Path, where: str) -> None:
        """Check that the call, made in the state `before`, can begin `inside`."""
        if inside.procedure != call.procedure:
            raise InternalError(f"{where}: '{call.procedure}' is called, '{inside.procedure}' is entered")
        callee = self.start_of(inside)
        if not allows_entry(self.program, callee, call, before, inside.start):
            raise InternalError(f"{where}: {_show(before)} does not call '{callee.name}' in {_show(inside.start)}")

    def start_of(self, path: Path) -> Procedure:
        """Return the procedure of `path`, which exists and whose scope the start covers."""
        procedure = self.procedures.get(path.procedure)
        if procedure is None:
            raise InternalError(f"there is no procedure '{path.procedure}'")
        self.check_scope(path.procedure, path.start, f"start of '{path.procedure}'")
        return procedure

    def check_scope(self, name: str, state: State, where: str) -> None:
        """Check that `state` gives a value to exactly the variables in scope."""
        scope = self.scopes.get(name)
        if scope is None:
            scope = self.scopes[name] = frozenset(self.program.scope(self.procedures[name]))
        if state.keys() != scope:
            wrong = ", ".join(sorted(state.keys() ^ scope))
            raise InternalError(f"{where}: the state misses or invents {wrong}")


def _where(procedure: str, index: int) -> str:
    return f"step {index + 1} in '{procedure}'"


def _show(state: State) -> str:
    return " ".join(f"{name}={int(value)}" for name, value in state.items()) or "the empty state"
