"""Relevance: from a trace, the values that matter to it and those that follow from them.

Ball and Rajamani, Bebop (SPIN 2000), section 1, footnote 2: what a trace leaves unconstrained is not printed.
The free bits of a run are the globals at its start, the locals of each activation at its start, and the choices.  A
backward pass marks the free bits that some guard, constraint or enforcement on the trace needs (`justify`); the others
could have any value, and the run would pass through the same edges.  Then a value is *known* at a step where the needed
bits alone fix it, which a forward pass tells.

Both passes go over the hierarchical trace: the callee's run is analysed once for each set of values wanted at its end
(backward) or known at its start (forward), so a trace of 2^800 steps is no harder than its DAG.  Beyond `VARIANTS` sets
for one run the next one is widened, which is sound: backward to need more, forward to know less.  Where the runs of
calls are not shown they may stay closed (`closed_runs`): the same questions are answered without a look at values.

Notation: a *demand* is a set of variables whose values at a point matter; K the variables known there, demand within K.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping

from knaster.base.records import dataclass
from knaster.base.trampoline import answer
from knaster.evidence.traces.closed_runs import Closed, ClosedRuns
from knaster.evidence.traces.justification import is_definite, justify
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.expression import TRUE, Expr
from knaster.program.model import Assign, Assume, Call, Procedure, Program, Return
from knaster.program.state import State

VARIANTS = 8
Names = frozenset[str]
_NONE: Names = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Demand:
    """What one run needs, given a demand at its end.

    `written[i]` are the variables that step i assigns and that matter after it; `inside[i]` is the demand of the
    callee's run where step i is a call that returns; `start` is what the run needs at its start.  Of a run that stays
    closed only that is here, and the rest is in `closed`.
    """

    written: tuple[Names, ...]
    inside: Mapping[int, Demand]
    start: Names
    closed: Closed | None = None


_BackwardQuestion = tuple[Path, Names]  # a run and the demand at its end
_ForwardQuestion = tuple[Path, Demand, Names]  # a run, what it needs, and K at its start


class Relevance:
    """The demands of one trace.  `demands` has one for each path; `start` is K at the start of the first.

    Calls that return stay closed where `is_closed`.
    """

    demands: tuple[Demand, ...]
    start: Names

    def __init__(self, program: Program, trace: Trace, is_closed: bool = False) -> None:
        self._procedures: dict[str, Procedure] = {procedure.name: procedure for procedure in program.procedures}
        self._globals = frozenset(program.globals)
        self._runs = ClosedRuns(program) if is_closed else None
        self._demands: dict[_BackwardQuestion, Demand] = {}
        self._ends: dict[_ForwardQuestion, Names] = {}
        self._variants: Counter[Path | Demand] = Counter()
        demands: list[Demand] = []
        callee: tuple[Path, Demand] | None = None
        for path in reversed(trace.paths):
            needs = self._needs(path, _NONE, callee)  # its last step enters `callee`; nothing matters at its end
            demands.append(answer(needs, lambda run: self._needs(*run, None), self._demands))
            callee = path, demands[-1]
        self.demands = tuple(reversed(demands))
        needed = self.demands[0].start
        self.start = needed | justify(program.init, True, trace.paths[0].start, None, needed).old

    def step(self, path: Path, index: int, demand: Demand, known: set[str]) -> None:
        """Update K for step `index` of `path`; a call changes nothing here."""
        targets, values = self._writes(path, index)
        if targets:
            before, written = state_before(path, index), demand.written[index]
            is_known = [
                name in written or is_definite(value, before, known)
                for name, value in zip(targets, values, strict=True)
            ]
            known.difference_update(targets)
            known.update(name for name, yes in zip(targets, is_known, strict=True) if yes)

    def enter(self, before: State, call: Call, inner: Demand, known: set[str]) -> set[str]:
        """Return K at the start of the callee's run."""
        procedure = self._procedures[call.procedure]
        inside = (known & self._globals) | inner.start
        inside.update(name for name, argument in call.bindings(procedure) if is_definite(argument, before, known))
        return inside

    def leave(self, call: Call, inside: set[str] | Names, known: set[str]) -> None:
        """Update the caller's K, where `inside` is K at the end of the callee's run."""
        known -= self._globals
        known |= inside & self._globals
        for target, result in call.results(self._procedures[call.procedure]):
            (known.add if result in inside else known.discard)(target)

    def known_at_end(self, path: Path, demand: Demand, known: Names) -> Names:
        """Return K at the end of a whole run, without walking it twice for the same K."""
        if demand.closed is not None and self._runs is not None:
            return self._runs.known_at_end(path, demand.closed, known)
        first = self._ask_forward(path, demand, known)
        if first not in self._ends:
            self._ends[first] = answer(self._forward(*first), lambda given: self._forward(*given), self._ends)
        return self._ends[first]

    def _ask_forward(self, path: Path, demand: Demand, known: Names) -> _ForwardQuestion:
        """Return the question what is known at the end of a run; beyond `VARIANTS` of them with less at its start."""
        if (path, demand, known) in self._ends:
            return path, demand, known
        self._variants[demand] += 1
        return path, demand, known if self._variants[demand] <= VARIANTS else demand.start

    def _forward(self, path: Path, demand: Demand, start: Names) -> Generator[_ForwardQuestion, Names, Names]:
        known = set(start)
        for index, step in enumerate(path.steps):
            call = step.edge.action
            if isinstance(call, Call) and step.inside is not None:
                inner = demand.inside[index]
                inside = self.enter(state_before(path, index), call, inner, known)
                end = yield self._ask_forward(step.inside, inner, frozenset(inside))
                self.leave(call, end, known)
            else:
                self.step(path, index, demand, known)
        return frozenset(known)

    def _ask_backward(self, path: Path, demand: Names) -> _BackwardQuestion:
        """Return the question what a run needs; beyond `VARIANTS` of them for everything that matters at its end."""
        if (path, demand) in self._demands:
            return path, demand
        self._variants[path] += 1
        everything = self._globals.union(self._procedures[path.procedure].results)
        return path, demand if self._variants[path] <= VARIANTS else everything

    def _needs(
        self, path: Path, end: Names, callee: tuple[Path, Demand] | None
    ) -> Generator[_BackwardQuestion, Demand, Demand]:
        """Walk one run backwards, asking for the demands of the runs inside it."""
        procedure = self._procedures[path.procedure]
        needed = set(end)
        written: list[Names] = [_NONE] * len(path.steps)
        inside: dict[int, Demand] = {}
        for index in range(len(path.steps) - 1, -1, -1):
            step, before = path.steps[index], state_before(path, index)
            self._enforce(procedure, step.after, needed)
            match step.edge.action:
                case Assume(condition):
                    needed |= justify(condition, True, before, None, needed).old
                case Call() as call if step.inside is not None:
                    wanted = self._demand_at_exit(call, needed)
                    if self._runs is None:
                        inner = yield self._ask_backward(step.inside, wanted)
                    else:
                        closed, start = self._runs.close(step.inside, wanted)
                        inner = Demand((), {}, start, closed)
                    inside[index] = inner
                    self._pass_arguments(call, step.inside, inner, before, needed)
                case Call() as call if callee is not None:
                    self._pass_arguments(call, *callee, before, needed)
                case _:
                    written[index] = self._step_back(path, index, needed)
        self._enforce(procedure, path.start, needed)
        return Demand(tuple(written), inside, frozenset(needed))

    def _enforce(self, procedure: Procedure, state: State, needed: set[str]) -> None:
        if procedure.enforce != TRUE:
            needed |= justify(procedure.enforce, True, state, None, needed).old

    def _demand_at_exit(self, call: Call, needed: set[str]) -> Names:
        """Turn what matters after a call into what matters at the end of the callee; only locals stay in `needed`."""
        taken = call.results(self._procedures[call.procedure])
        wanted = {result for name, result in taken if name in needed}
        needed.difference_update(name for name, _ in taken)
        wanted |= needed & self._globals
        needed -= self._globals
        return frozenset(wanted)

    def _pass_arguments(self, call: Call, run: Path, inner: Demand, before: State, needed: set[str]) -> None:
        """Add what the caller must provide at the start of the callee's run."""
        needed |= inner.start & self._globals
        for name, argument in call.bindings(self._procedures[call.procedure]):
            if name in inner.start:
                needed |= justify(argument, run.start[name], before, None, needed).old

    def _step_back(self, path: Path, index: int, needed: set[str]) -> Names:
        """Step back over an assignment or a return; return those of its targets that matter after it."""
        targets, values = self._writes(path, index)
        action, before, after = path.steps[index].edge.action, state_before(path, index), path.steps[index].after
        old = _NONE
        if isinstance(action, Assign) and action.constraint != TRUE:
            needs = justify(action.constraint, True, before, after, needed)
            needed |= needs.new
            old = needs.old
        written = frozenset(name for name in targets if name in needed)
        needed.difference_update(targets)
        needed |= old
        for name, value in zip(targets, values, strict=True):
            if name in written:
                needed |= justify(value, after[name], before, None, needed).old
        return written

    def _writes(self, path: Path, index: int) -> tuple[tuple[str, ...], tuple[Expr, ...]]:
        match path.steps[index].edge.action:
            case Assign(targets, values):
                return targets, values
            case Return(values):
                return self._procedures[path.procedure].results, values
            case _:
                return (), ()


def state_before(path: Path, index: int) -> State:
    """Return the state just before step `index` of a run."""
    return path.steps[index - 1].after if index else path.start
