"""Decides questions by predicates, from above and below, and refines them until one of the two sides decides (YASM).

A. Gurfinkel, O. Wei and M. Chechik, Model Checking Recursive Programs with Exact Predicate Abstraction (ATVA 2008);
A. Gurfinkel and M. Chechik, Why Waste a Perfectly Good Abstraction? (TACAS 2006).  Round by round:

    may excludes it        then it does not happen, and what the Boolean program can reach are invariants that prove it
    must has it            then it happens, and a run that follows the must sets shows it
    neither                then new predicates come from where may and must differ

The may side says whether to go on; where it excludes a target, `path_edges` solves the Boolean program once more,
forwards, and its path edges become the proof.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.checkers.checked import Checked, check_ends
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.integers.yasm import YasmOptions
from knaster.engines.integers.yasm.abstract_path import abstract_path
from knaster.engines.integers.yasm.concrete_path import concrete_path
from knaster.engines.integers.yasm.equations import Mixed, Solution
from knaster.engines.integers.yasm.lasso_path import guess_lasso
from knaster.engines.integers.yasm.lassos import find_lasso
from knaster.engines.integers.yasm.may_runs import find_may_run
from knaster.engines.integers.yasm.must_runs import MustRuns
from knaster.engines.integers.yasm.partial_answers import decided_conditions, termination_measure
from knaster.engines.integers.yasm.predicates_from_runs import suggest_predicates
from knaster.engines.integers.yasm.proof_backwards import invariants_outside
from knaster.engines.integers.yasm.proof_forwards import invariants_of_path_edges
from knaster.engines.integers.yasm.user_predicates import place_predicates
from knaster.evidence.answers.answer import Diverges, Statistics, Terminates
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.frontends.languages import predicate_of, spelling_of
from knaster.program.model import Place
from knaster.smt.signs import Oracle
from knaster.smt.solver import Session
from knaster.views.abstraction.boolean_program import boolean_program
from knaster.views.abstraction.discovery import Discovery
from knaster.views.abstraction.interpolants import Interpolation, Tree, everything
from knaster.views.abstraction.predicates import Placement
from knaster.views.abstraction.preimage import Over, Under
from knaster.views.abstraction.relations import Abstraction, Memory
from knaster.views.steps.cut import inlined_paths
from knaster.views.steps.paths import Paths, TooLarge
from knaster.views.summaries.path_edges import Summaries
from knaster.views.symbolic.encoding import encode

MOST_EDGES = 3_000  # of a program whose measures are checked here; of larger ones when that is asked for
MANY = 20  # predicates of a procedure
EARLY = 3  # the round from which on paths are looked at
UNITS = 1_000_000  # of z3 for the predicates of one path
UNDECIDED = "the predicates do not decide it"
NO_PROOF = "every run ends, but this method has no proof of it"
NOT_SHOWN = "a run never ends, but it could be shown neither by a state that comes again nor by a recurrent set"


def yasm(task: Task) -> Findings:
    """Decide every target, or look for a run that never ends."""
    started = time.perf_counter()
    options = task.options
    assert isinstance(options, YasmOptions)
    try:
        loop = _Loop(task, options)
    except TooLarge as error:
        return Findings(frozenset(), Undecided.because(error), {})
    try:
        findings = loop.reach() if isinstance(task.question, Reach) else loop.endless()
    except OutOfBudget as spent:
        findings = Findings(frozenset(loop.traces), Undecided.because(spent), {}, loop.traces_to)
    unknown = findings.unknown
    if (
        unknown is not None
        and not unknown.enough
        and loop.last is not None
        and (also := decided_conditions(*loop.last))
    ):
        unknown = unknown._replace(also_known=(also,))
    statistics: Statistics = {
        "yasm_seconds": time.perf_counter() - started,
        "rounds": loop.rounds,
        "predicates": sum(map(len, loop.placement.at.values())),
        "questions": loop.oracle.questions,
    }
    return Findings(findings.reached, unknown, statistics, findings.traces, findings.proof, ends=findings.ends)


@dataclass(slots=True)
class _Round:
    """One abstraction with its may and must sides."""

    abstraction: Abstraction
    over: Mixed
    under: Mixed

    def excludes(self, may: Solution) -> bool:
        """Tell whether no run of the program starts in a may set."""
        entry = self.abstraction.paths.entries[self.abstraction.paths.main]
        return not may.sets[entry] & self.abstraction.initial()

    def has(self, must: Solution) -> bool:
        """Tell whether some run of the program starts in a must set."""
        return not self.excludes(must)


@dataclass(slots=True)
class _Loop:
    """Abstraction, refinement, and what is decided so far."""

    task: Task
    options: YasmOptions
    paths: Paths = field(init=False)
    inlined: frozenset[str] = field(init=False)
    oracle: Oracle = field(init=False)
    placement: Placement = field(init=False)
    discovery: Discovery = field(init=False)
    traces: dict[Target, Trace] = field(default_factory=dict)
    rounds: int = 0
    memory: Memory = field(default_factory=dict)
    last: tuple[Mixed, Solution, Solution, str] | None = None  # both sides of the last round, and what they are about

    def __post_init__(self) -> None:
        program = self.task.program
        apart = {predicate_of(program, text).procedure for text in self.options.predicate}
        apart |= {target.procedure for target in self.task.targets}
        self.oracle = Oracle(Session(self.task.budget, self.options.units))
        self._begin(inlined_paths(program, apart) if self.task.targets or self._is_small() else frozenset())

    def _begin(self, inlined: frozenset[str]) -> None:
        """Cut the program, with some procedures inlined, and begin with the given predicates."""
        self.inlined = inlined
        self.paths = self.task.cut(inlined).paths
        self.placement = place_predicates(self.paths, self.options.predicate)
        self.discovery = Discovery(self.paths, self.placement, not self.task.targets)

    def _is_small(self) -> bool:
        """Tell whether measures are checked here, and runs guessed."""
        return self.task.program.size <= MOST_EDGES

    def traces_to(self, targets: Sequence[Target]) -> Mapping[Target, Trace]:
        """Return the runs to some targets."""
        return {target: self.traces[target] for target in targets}

    def reach(self) -> Findings:
        """Decide the targets: RS, over and under."""
        left = list(self.task.targets)
        while True:
            now = self._round()
            places = [target.place for target in left]
            may = now.over.reach(places)
            if now.excludes(may):
                return self._prove_excluded(now, may, places)
            must = now.under.reach(places)
            what = f"{left[0].name if len(left) == 1 else 'a target'} is reached"
            self.last = (now.over, may, must, what)
            if now.has(must):
                said: Trace | str = self._must_runs(now).trace(must, frozenset(places))
            else:
                said = self._refine(now, may, must, frozenset(places))
            if isinstance(said, Trace):
                hit = next(target for target in left if target.place == (said.procedure, said.location))
                self.traces[hit] = said
                left.remove(hit)
                if self.task.first or not left:
                    return Findings(frozenset(self.traces), STOPPED if left else None, {}, self.traces_to)
            elif said:
                return Findings(frozenset(self.traces), Undecided(said), {}, self.traces_to)

    def endless(self) -> Findings:
        """Look for a run that never ends: NT, over and under."""
        while True:
            now = self._round()
            may = now.over.endless()
            if now.excludes(may):
                if (ending := self._prove_ending(now, may)) is not None:
                    return ending
                self._begin(frozenset())
                continue
            must = now.under.endless()
            self.last = (now.over, may, must, "a run never ends")
            if now.has(must):
                lasso = find_lasso(self._must_runs(now), must, now.under.recurrent_sets(), self.task.budget)
                if lasso is None:
                    return Findings(frozenset(), Undecided(NOT_SHOWN), {})
                return Findings(frozenset(), None, {}, ends=Diverges(lasso))
            guess = guess_lasso(now.over, may, self.oracle.session) if self._may_guess() else None
            if guess is not None:
                return Findings(frozenset(), None, {}, ends=Diverges(guess))
            reason = self._refine(now, may, must, frozenset())
            if isinstance(reason, str) and reason:
                return Findings(frozenset(), Undecided(reason), {})

    def _prove_ending(self, now: _Round, may: Solution) -> Findings | None:
        """Return that every run ends, by the times at which minterms were taken out of NT.

        None where that is no proof because procedures are inlined: it may be one without that.
        """
        proof = termination_measure(now.over, may)
        if not self._is_small():
            return Findings(frozenset(), None, {}, ends=Terminates(proof))
        try:
            checked: Checked = check_ends(proof, self.task.program, self.task.budget)
        except (InternalError, OutOfBudget):
            self.task.budget.check()
            return None if self.inlined else Findings(frozenset(), Undecided(NO_PROOF), {})
        return Findings(frozenset(), None, {}, proof=lambda: checked, ends=Terminates(proof))

    def _round(self) -> _Round:
        self.rounds += 1
        budget = self.task.budget
        budget.tell(f"round {self.rounds}: {sum(map(len, self.placement.at.values()))} predicates")
        abstraction = Abstraction(self.paths, self.oracle, dict(self.placement.at), self.memory)
        over = Mixed(Over(abstraction), tick=budget.check)
        return _Round(abstraction, over, Mixed(Under(abstraction), tick=budget.check))

    def _may_guess(self) -> bool:
        """Tell whether runs are guessed from the may side."""
        return self.options.refine and self._is_small()

    def _must_runs(self, now: _Round) -> MustRuns:
        return MustRuns(now.abstraction, lambda f, q: now.under.tables[f, q], self.task.budget.check)

    def _refine(self, now: _Round, may: Solution, must: Solution, targets: frozenset[Place]) -> Trace | str:
        """Add predicates where may and must differ, and others that exclude a path of may alone.

        Returns a run where the path turns out to be one, and why there are no more predicates where there are none.
        """
        if not self.options.refine:
            return UNDECIDED
        if self.rounds >= self.options.refinements:
            return f"{UNDECIDED} within {self.rounds} rounds"
        new = 0
        if targets and self._may_guess() and (trace := find_may_run(now.over, may, targets, self.task.budget.check)):
            return trace
        if targets and self.rounds == 1:
            new = sum(self.placement.add(*each) for each in suggest_predicates(self.paths, self.task.budget.check))
        if targets and self.rounds >= EARLY:
            path = abstract_path(now.over, may, targets)
            if trace := concrete_path(self.paths, path, self.oracle.session, UNITS):
                return trace
            new = self._add_interpolants(path)
        if self.rounds <= EARLY or not new:
            new += self.discovery.refine(self._gaps(now, may, must))
        if targets and (not new or self.rounds == EARLY + 1):
            new += self._add_interpolants(everything(self.paths, targets), UNITS // 2)
        return "" if new else f"{UNDECIDED}, and there are no others to try"

    def _gaps(self, now: _Round, may: Solution, must: Solution) -> frozenset[Place]:
        """Return the places where may and must differ, inside callees too."""
        gaps = set(self.discovery.gaps(may.sets, must.sets))
        for question, table in list(now.over.tables.items()):
            now.under.answer(*question)
            gaps |= self.discovery.gaps(table.sets, now.under.tables[question].sets)
        return frozenset(gaps)

    def _add_interpolants(self, tree: Tree, units: int = UNITS) -> int:
        """Add predicates that exclude a path, or all of them; return how many are new."""
        interpolation = Interpolation(self.paths, self.oracle.session)
        for wraps in (False, True):
            for down in (False, True):
                found = interpolation.predicates(tree, units, wraps, down)
                if found is None:
                    break
                if new := sum(self.placement.add(place, predicate) for place, predicate in found):
                    return new
        return 0

    def _prove_excluded(self, now: _Round, may: Solution, places: Sequence[Place]) -> Findings:
        """Return that the places that are left are unreachable, by the path edges of the Boolean program.

        Where that has many variables, the may sets themselves are the proof.
        """
        abstraction = now.abstraction
        counts = (len({p for k in cuts for p in abstraction.at((f, k))}) for f, cuts in self.paths.points.items())
        if max(counts) > MANY:
            proof = invariants_outside(now.over, may)
            return Findings(frozenset(self.traces), None, {}, self.traces_to, lambda: proof)
        boolean = boolean_program(abstraction, places, spelling_of(self.task.program).expression)
        symbolic = encode(boolean.program, nodes=self.task.nodes)
        summaries = Summaries(symbolic, self.task.budget)
        summaries.demand(symbolic.entry, symbolic.initial())
        summaries.run()
        certificate = summaries.certificate()
        for name, location in places:
            if certificate.path_edges[name][boolean.locations[name, location]] != symbolic.store.false:
                raise InternalError("may excludes a target, and the Boolean program reaches it")
        proof = invariants_of_path_edges(abstraction, boolean, certificate)
        return Findings(frozenset(self.traces), None, {}, self.traces_to, lambda: proof)
