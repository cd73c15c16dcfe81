"""Threads of C as Horn clauses, each by itself under what the others guarantee, for Spacer.

    t@k (values)              thread t can stand at k of its program (`transform.memory_threads.guaranteed_threads`)
    t steps (before, after)   a step of thread t can lead from these values of the shared variables to those; what t
                              never writes has no column after it

    t@k(x), a chain from k to l            ->  t@l(x'), and where a step is over there  t steps(s, s')
    t@k(x, s), k is idle, u steps(s, s')   ->  t@k(x, s')
    t@k(x), a chain from k to a target     ->  goal

Each relation is over what the thread itself knows, so what is found contains all that can happen, and perhaps more.
Spacer looks for all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.records import dataclass, replace
from knaster.evidence.proofs.invariants import Invariants, of_entry
from knaster.evidence.questions.question import Target
from knaster.program.algebra import conjunction
from knaster.program.effects import variables_in
from knaster.program.expression import TRUE, Compare, Comparison, Expr, Var
from knaster.program.liveness import live_variables
from knaster.program.model import Assume, Edge, Location, Place, old
from knaster.program.types import Type
from knaster.semantics.python_code import loop_heads
from knaster.smt.horn import Clauses, Meaning
from knaster.smt.read_back import read
from knaster.smt.terms import Formula, Term
from knaster.smt.translate import Translation
from knaster.transform.memory_threads.guaranteed_threads import GuaranteedThread, Guarantees, before
from knaster.transform.memory_threads.shared_edges import reads, writes
from knaster.views.steps.chains import Chain, Chains, compose_chains
from knaster.views.steps.cut import cut_program

GOAL = "goal"


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One thread: its chains between kept places, and which values its relations speak of at each of them."""

    thread: GuaranteedThread
    chains: Chains
    columns: Mapping[Location, tuple[str, ...]]
    at: Mapping[Location, Any]
    steps: Any

    @property
    def name(self) -> str:
        """The procedure of the thread."""
        return self.thread.program.threads[0]

    @property
    def variables(self) -> Mapping[str, Term]:
        """The variables before a chain."""
        return self.chains.formulas.variables[self.name]

    def fact(self, location: Location, state: Mapping[str, Term]) -> Formula:
        """Return that the thread stands somewhere in a state."""
        return self.at[location](*(state[column].value for column in self.columns[location]))

    def step(self, earlier: Mapping[str, Term], now: Mapping[str, Term]) -> Formula:
        """Return that a step from one state to another is one of the thread."""
        begun = [earlier[name].value for name in self.thread.shared]
        return self.steps(*begun, *(now[name].value for name in self.thread.written))

    def own_step(self, state: Mapping[str, Term]) -> Formula:
        """Return that the step that is over in a state is one of the thread."""
        return self.step({name: state[before(name)] for name in self.thread.shared}, state)


class ThreadClauses:
    """The clauses of all threads; `threads` are programs in which others do nothing."""

    def __init__(
        self,
        threads: Sequence[GuaranteedThread],
        targets: Sequence[Target],
        translation: Translation,
        clauses: Clauses,
        bounded: bool,
    ) -> None:
        self.targets = targets
        self.bounded = bounded  # say in every clause what the types say
        self.clauses = clauses
        self.translation = translation
        self.parts = [self._part(thread) for thread in threads]
        self.goal = clauses.relation(GOAL, ())
        for part in self.parts:
            self._add_thread(part)
            for other in self.parts:
                if other is not part:
                    self._add_interference(part, other)

    def _part(self, thread: GuaranteedThread) -> _Part:
        program, name = thread.program, thread.program.threads[0]
        procedure = program.procedure(name)
        places = {target.place for target in thread.own_targets(self.targets)}
        kept = frozenset({procedure.entry, procedure.exit, *_loop_heads(thread), *thread.ended, *thread.idle})
        cut = cut_program(program, {*places, *((name, location) for location in kept)})
        chains = compose_chains(cut.formulas(self.translation), {name: kept}, (), places)
        live, scope = live_variables(program)[name], program.scope(procedure)
        touched = {*thread.shared, *procedure.frame, *_globals_of(thread)}
        columns: dict[Location, tuple[str, ...]] = {}
        for location in sorted(kept - {procedure.entry, procedure.exit}):
            own = [*thread.shared, *(v for v in variables_in(live[location], scope) if v in touched)]
            if location not in thread.ended | thread.idle:  # in the midst of a step
                own += [before(each) for each in thread.shared]
            columns[location] = tuple(dict.fromkeys(own))
        variables = chains.formulas.variables[name]
        at = {
            location: self.clauses.relation(f"{name}@{location}", [variables[each].value.sort() for each in own])
            for location, own in columns.items()
        }
        sorts = [variables[each].value.sort() for each in (*thread.shared, *thread.written)]
        return _Part(thread, chains, columns, at, self.clauses.relation(f"{name} steps", sorts))

    def _add_thread(self, part: _Part) -> None:
        for chain in part.chains.staying:
            if chain.target in part.at:
                self._add_chain(part, chain, part.fact(chain.target, chain.state))
            if chain.target in part.thread.ended:
                self._add_chain(part, chain, part.own_step(chain.state))
        for chain in part.chains.failing:
            self._add_chain(part, chain, self.goal())

    def _add_chain(self, part: _Part, chain: Chain, head: Formula) -> None:
        formulas, variables = part.chains.formulas, part.variables
        if chain.source in part.at:
            body = [part.fact(chain.source, variables)]
        else:
            body = formulas.start()
            body += [] if self.bounded else formulas.ranges(variables)
        body += [*(formulas.ranges(variables) if self.bounded else ()), *chain.guard]
        self.clauses.rule([*(term.value for term in variables.values()), *chain.free], head, body)

    def _add_interference(self, part: _Part, other: _Part) -> None:
        """Let another thread take a step while a thread waits."""
        variables = part.variables
        after = {
            name: variables[before(name)] for name in other.thread.written
        }  # any names for the values after that step
        step = other.step(variables, {**variables, **after})
        ranges = part.chains.formulas.ranges(variables) if self.bounded else []
        for location in sorted(part.thread.idle):
            body = [part.fact(location, variables), step, *ranges]
            bound = [term.value for term in variables.values()]
            self.clauses.rule(bound, part.fact(location, {**variables, **after}), body)

    # What a model of the clauses says

    def is_whole(self, model: Mapping[str, Meaning]) -> bool:
        """Tell whether a model leaves no relation out."""
        return len(model) > sum(1 + len(part.at) for part in self.parts)

    def guarantees(self, model: Mapping[str, Meaning], missing: Expr, shows: bool) -> Guarantees:
        """Return what threads guarantee; `missing` stands for relations that the model leaves out."""
        found: list[Expr] = []
        for part in self.parts:
            meaning = model.get(f"{part.name} steps")
            told = [*(part.variables[before(name)] for name in part.thread.shared)]
            told += [part.variables[name] for name in part.thread.written]
            known = missing if meaning is None else read(meaning.of([t.value for t in told]), self._names(part))
            kept = [name for name in part.thread.shared if name not in part.thread.written]
            same = [Compare(Comparison.EQUAL, Var(name), Var(before(name))) for name in kept]
            found.append(conjunction([*same, known]))
        return Guarantees(tuple(found), shows)

    def invariants(
        self, model: Mapping[str, Meaning], missing: Expr, threads: Sequence[GuaranteedThread]
    ) -> list[Invariants]:
        """Return invariants for the programs of threads with the guarantees of the model."""
        found = []
        for part, thread in zip(self.parts, threads, strict=True):
            procedure = thread.program.procedure(part.name)
            begun = [Compare(Comparison.EQUAL, Var(name), Var(old(name))) for name in thread.program.globals]
            at: dict[Place, Expr] = {
                (part.name, procedure.entry): conjunction(begun),
                (part.name, procedure.exit): TRUE,
            }
            for location, columns in part.columns.items():
                meaning = model.get(f"{part.name}@{location}")
                told = [part.variables[column].value for column in columns]
                formula = missing if meaning is None else read(meaning.of(told), self._names(part))
                at[part.name, location] = formula
            found.append(Invariants(thread.program, {part.name: of_entry(thread.program.init)}, at))
        return found

    @staticmethod
    def _names(part: _Part) -> dict[int, tuple[Expr, Type]]:
        return {term.value.get_id(): (Var(name), term.type) for name, term in part.variables.items()}


def _loop_heads(thread: GuaranteedThread) -> set[Location]:
    """Return the heads of loops in which the thread takes no step that others could see."""
    (procedure,) = thread.program.procedures
    apart = thread.idle
    begins = [Edge(procedure.entry, Assume(TRUE), location) for location in sorted(apart)]
    inside = [edge for edge in procedure.edges if edge.target not in apart]
    return set(loop_heads(replace(procedure, edges=tuple(sorted([*begins, *inside], key=lambda edge: edge.source)))))


def _globals_of(thread: GuaranteedThread) -> set[str]:
    """Return the variables that the program of a thread uses."""
    (procedure,) = thread.program.procedures
    return {name for edge in procedure.edges for name in (*writes(edge.action), *reads(edge.action))}
