"""Decides targets of threads within a number of switches by evaluating `reach.mu` on the relations of the program.

La Torre, Madhusudan, Parlato, Analyzing Recursive Programs using a Fixed-point Calculus, PLDI 2009, section 5.  A run
is found again as one of the sequential program of `transform/threads/sequentialize`, with what the formula knows of its
schedule.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass
from knaster.bdd.store import Bdd, exists
from knaster.calculus.answers.evaluation import Session
from knaster.calculus.answers.tuples import Relation
from knaster.calculus.fixpoints.external_relations import Place
from knaster.calculus.language.lexer import Source
from knaster.calculus.language.system import System, parse
from knaster.engines.calculus.thread_relations import ThreadRelations
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.questions.question import Bound, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import Expr, Not
from knaster.transform.formulae import any_of
from knaster.transform.threads.contexts import Contexts, make_contexts
from knaster.transform.threads.schedules import Switches
from knaster.transform.threads.thread_view import NoSchedule
from knaster.transform.threads.waiting_threads import add_waiting_threads
from knaster.views.summaries.scheduled_trace import begins_with, find_scheduled_trace
from knaster.views.symbolic.encoding import encode

FORMULA = "reach.mu"
_RELATIONS = "the relations of the program"


def reach(task: Task, strategy: str) -> Findings:
    """Decide every target within a number of switches.  Requires: the question has one."""
    started = time.perf_counter()
    assert task.bound is not None
    number = task.bound.number
    waits = add_waiting_threads(task.program, number)
    parts = make_contexts(waits, task.targets, lambda program, _: NoSchedule(program))
    symbolic = encode(parts.program, effect_sets=False, nodes=task.nodes)
    relations = ThreadRelations(parts, symbolic, number)
    tick, ranks = task.budget.check, relations.ranks()
    session = Session(
        _read(relations), relations.bodies(), strategy, tick, store=symbolic.store, tell=task.budget.tell, ranks=ranks
    )
    answers: _Answers | None = None
    unknown: Undecided | None = None
    try:
        answers = _Answers(task, parts, relations, session.relation("Reach"))
    except OutOfBudget as spent:
        unknown = Undecided.because(spent)
    least = answers.least() if answers is not None else {}
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        **session.statistics,
        **{f"rounds_{name}": count for name, count in sorted(session.rounds.items())},
        **(answers.sizes() if answers is not None else {}),
    }
    return Findings(
        frozenset(least),
        unknown,
        statistics,
        answers.traces if answers is not None else None,
        bound=Bound("switches", number) if unknown is None else None,
        least=least,
        covered=number if unknown is None else None,
    )


def _read(relations: ThreadRelations) -> System:
    text = (files("knaster.engines.calculus") / FORMULA).read_text(encoding="utf-8")
    declarations = Source(_RELATIONS, relations.declarations())
    return parse(f'#load "{_RELATIONS}"; {text}', file=FORMULA, load=lambda wanted, asking: declarations)


@dataclass(frozen=True, slots=True)
class _Answers:
    """What Reach says of the targets."""

    task: Task
    parts: Contexts
    relations: ThreadRelations
    reached: Relation

    def least(self) -> dict[Target, int]:
        """Return the least number of switches with which each target is reached."""
        found: dict[Target, int] = {}
        for target in self.task.targets:
            for number in range(self.relations.number + 1):
                if self._facts(target, number) != self.reached.store.false:
                    found[target] = number
                    break
        return found

    def sizes(self) -> dict[str, int]:
        """Return how large the final set is, and how many shared states there are where others may run."""
        store, state = self.reached.store, self.reached.places[5]
        shared = state.member("G")
        others = [variable for place in self.reached.places for variable in place if variable not in set(shared)]
        left = exists(self.reached.bdd & self.relations.free(state), store.cube(others))
        states = left | self.relations.start(shared)
        return {"reach_nodes": self.reached.size, "shared_states": store.count(states, list(shared))}

    def traces(self, targets: Sequence[Target]) -> Mapping[Target, Trace]:
        """Return a run to each target."""
        least = self.least()
        return {target: self._trace(target, least[target]) for target in targets}

    def _facts(self, target: Target, number: int) -> Bdd:
        """Return what Reach says of a target with so many switches."""
        store, relations = self.reached.store, self.relations
        _, switches, _, _, _, state = self.reached.places
        here = store.false
        for name, location in self.parts.places[self.task.targets.index(target)]:
            module = state.member("mod").equals(store, relations.modules[name])
            here |= module & state.member("pc").equals(store, location)
        return self.reached.bdd & switches.equals(store, number) & here

    def _trace(self, target: Target, number: int) -> Trace:
        """Return a run: it agrees with what Reach says of it as far as the thread at its end can tell."""
        fact = self.reached.store.pick(self._facts(target, number))
        assert fact is not None
        owners, vector = (self.reached.places[index] for index in (2, 3))
        owner = [_code(fact, owners.member("of").element(i)) for i in range(number + 1)]
        mine = [other == owner[-1] for other in owner]

        def schedule_facts(names: Switches) -> Iterator[Expr]:
            last, first = names.owners[-1], range(1, names.first + 1)
            started = Not(any_of(last.equals(j) for j in first))
            yield last.equals(owner[-1] + 1) if owner[-1] + 1 in first else started
            for i in range(number):
                yield names.owners[i].same_as(last) if mine[i] else Not(names.owners[i].same_as(last))
            for i in range(1, number + 1):
                if mine[i - 1] or (mine[i] and i < self.relations.number):
                    place = vector.member("at").element(i - 1)
                    yield from begins_with(names, i, self.relations.values(fact, place))

        task = self.task
        return find_scheduled_trace(task.program, target, number, schedule_facts, task.budget, task.nodes)


def _code(fact: Mapping[int, bool], place: Place) -> int:
    return sum(fact.get(variable, False) << bit for bit, variable in enumerate(reversed(place.variables)))
