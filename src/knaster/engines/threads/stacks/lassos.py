"""Decides termination and formulas of threads within a number of switches: after the last one, one thread runs alone.

So a run that never ends comes to a repeating head of the thread that runs last (`pushdown.repeating_heads`), or to a
configuration in which nobody can move.  What is found is a fact; that nothing is holds within the bound alone, because
a run may switch for ever.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from knaster.automata.automaton import Automaton
from knaster.automata.words import Letter
from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.checkers.runs.thread_lasso import check_thread_lasso
from knaster.engines.contract import Findings, Task, Undecided
from knaster.engines.threads.pushdown_systems import Frame, Shared, state_of, systems_of
from knaster.engines.threads.pushdown_traces import record_rule
from knaster.engines.threads.stacks import StacksOptions
from knaster.engines.threads.stacks.paired_systems import Control, PairedSystems
from knaster.engines.violations import automaton_against
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.question import Bound, Temporal, Termination, runs_asked
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.recorder import Recorder
from knaster.program.model import Program
from knaster.pushdown.repeating_heads import RepeatingHeads
from knaster.pushdown.switching.all_contexts import Reached, Row, Search
from knaster.pushdown.switching.history import Context, history, history_to_tops
from knaster.pushdown.system import Rule
from knaster.semantics.open_ways import open_ways

USUAL = 3  # switches, where nobody says how many


def find_stack_lasso(task: Task) -> Findings:
    """Decide whether every run of threads with few switches is as the question asks."""
    started, question = time.perf_counter(), task.question
    assert isinstance(question, Temporal | Termination) and isinstance(task.options, StacksOptions)
    most = USUAL if question.bound is None else question.bound.number
    search: _Search | None = None
    unknown: Undecided | None = None
    lasso: Lasso | None = None
    try:
        search = _Search(task, question)
        lasso = search.run(most)
        if lasso is not None and question.fair != "none" and not _is_fair(lasso, task.program, question):
            why = f"a run is not as asked, and it is not a {runs_asked(question)}"
            lasso, unknown = None, Undecided(f"{why}; whether another one is was not looked for")
    except OutOfBudget as spent:
        lasso, unknown = None, Undecided.because(spent, search.known() if search is not None else "")
    statistics: dict[str, int | float | str] = {"fixpoint_seconds": time.perf_counter() - started}
    if search is not None:
        statistics |= {"automaton_states": search.automaton.states, "contexts": search.search.found.contexts}
    if lasso is not None:
        return Findings(frozenset(), None, statistics, ends=Diverges(lasso))
    assert search is not None or unknown is not None
    if unknown is None and search is not None:
        unknown = Undecided(f"{search.known()}; runs with more were not looked at")
    covered = search.covered if search is not None else None
    return Findings(frozenset(), unknown, statistics, covered=covered)


def _is_fair(lasso: Lasso, program: Program, question: Temporal | Termination) -> bool:
    """Tell whether a run that is not as asked counts among the fair ones."""
    check_thread_lasso(lasso, program, replace(question, fair="none"))
    try:
        check_thread_lasso(lasso, program, question)
    except InternalError:
        return False
    return True


class _Search:
    """The contexts, one after the other, with what is asked of each."""

    def __init__(self, task: Task, question: Temporal | Termination) -> None:
        assert isinstance(task.options, StacksOptions)
        self.task, self.question, self.program = task, question, task.program
        self.automaton = EVERYTHING
        meanings = {}
        if isinstance(question, Temporal):
            self.automaton = automaton_against(question.formula, task.budget)
            meanings = meanings_of(task.program, question)
        tick, most = task.budget.check, task.options.rules
        self.base = systems_of(task.program, most, tick)
        self.paired = PairedSystems(task.program, self.base, self.automaton, meanings, most, tick)
        self.search = Search(self.paired.systems, self.paired.starts, self.paired.is_open, tick)
        self.covered: int | None = None

    def known(self) -> str:
        """Say how far all runs are as asked."""
        if self.covered is None:
            return ""
        within, run = Bound("switches", self.covered), runs_asked(self.question)
        if isinstance(self.question, Termination):
            return f"every {run} with {within} ends"
        return f"the formula holds on every {run} with {within}"

    def run(self, most: int) -> Lasso | None:
        """Return a run with so many switches that is not as asked; None where there is none."""
        found, done = self.search.found, 0
        while found.contexts <= most:
            if not found.closed:
                self.search.next_context()
            else:
                found.contexts += 1
            lasso = self._repeating() or self._resting(found.rows[done:])
            if lasso is not None:
                return lasso
            done = len(found.rows)
            self.covered = found.contexts - 1
        return None

    def _repeating(self) -> Lasso | None:
        found = self.search.found
        for thread, system in enumerate(self.paired.systems):
            reached = {top[1:]: None for top in found.least if top[0] == thread and top[2] is not None}
            self.task.budget.check()
            heads = RepeatingHeads(system.given, self.paired.marked.__contains__, reached)
            for part in heads.repeating():
                for head in reached:
                    if head in part and _is_statement(head):
                        rules, deeper = heads.cycle(head, part)
                        stem = history(found, (thread, *head), self.task.budget.check)
                        return self._lasso(stem, rules, deeper)
        return None

    def _resting(self, rows: Sequence[Row]) -> Lasso | None:
        if not isinstance(self.question, Temporal):
            return None
        found = self.search.found
        for row in rows:
            for control in row.reached:
                assert isinstance(control, Control)
                for tops, over in self._ends(found, row, control):
                    letter = self.paired.letter(control, over)
                    if accepts_for_ever(self.automaton, control.state, letter):
                        stem = history_to_tops(found, row, control, tops, self.task.budget.check)
                        return self._lasso(stem, [], False, waits=not over)
        return None

    def _ends(self, found: Reached, row: Row, control: Control) -> Iterator[tuple[list[Frame], bool]]:
        """Yield the tops of all threads where a run rests, and whether it is over."""
        languages = (*row.stacks[: row.running], row.reached[control], *row.stacks[row.running + 1 :])
        tops = [
            [found.symbols[j].names[top] for top in each.tops() if top is not None] for j, each in enumerate(languages)
        ]
        firsts: list[Frame] = [each[0] for each in tops]  # type: ignore[misc]
        if control.shared.failed:
            yield firsts, True
            return
        if not self.paired.is_open(control):
            return
        ended = [[f for f in each if self.paired.has_ended(f)] for each in tops]
        waiting = [
            [f for f in each if not self.paired.has_ended(f) and not self._can_move(control.shared, f)] for each in tops
        ]
        if all(ended):
            yield [each[0] for each in ended], True  # type: ignore[misc]
        for thread, own in enumerate(waiting):
            others = [(*ended[j], *waiting[j]) for j in range(len(tops))]
            if own and all(others):
                yield [own[0] if j == thread else each[0] for j, each in enumerate(others)], False  # type: ignore[misc]

    def _can_move(self, shared: Shared, frame: object) -> bool:
        """Tell whether some way of a thread through its next step or section does not block."""
        assert isinstance(frame, Frame)
        moves = self.paired.moves[frame.thread]
        is_open = self.base.is_open
        Inside = tuple[Shared, tuple[Frame, ...]]

        def after(here: Inside) -> list[Inside]:
            state, stack = here
            if not stack:
                raise OutOfBudget("a section goes on after a return, and it is not known who can move")
            targets = [rule for rule in moves.get(state, ()) if rule.symbol == stack[0]]
            return [(rule.target, (*rule.push, *stack[1:])) for rule in targets]  # type: ignore[misc, arg-type]

        def is_inside(here: Inside) -> bool:
            return not is_open(here[0]._replace(results=None)) and not here[0].failed

        ways = after((shared, (frame,)))
        return any(
            not is_inside(way) or open_ways(way, after, is_inside, lambda here: len(here[1]))[way] for way in ways
        )

    def _lasso(self, stem: Sequence[Context], rules: Sequence[Rule[bool]], deeper: bool, waits: bool = False) -> Lasso:
        recorder = Recorder(self.program)
        for context in stem:
            self._run_on(recorder, context.start.state, context.start.stack[0], context.running)
            self._record(recorder, context.run)
        before = recorder.trace()
        follows = recorder.go_on()
        formula = str(self.question) if isinstance(self.question, Temporal) else ""
        if not rules:
            follows.run(recorder.running, before.segments[-1].paths[-1].end)
            around = follows.trace()
            return Lasso(before, around, stays=True, waits=waits, formula=formula, fair=self.question.fair)
        assert isinstance(rules[0].symbol, Frame)
        self._run_on(follows, rules[0].source, rules[0].symbol, rules[0].symbol.thread)
        self._record(follows, rules)
        return Lasso(before, follows.trace(), deeper, formula=formula, fair=self.question.fair)

    def _run_on(self, recorder: Recorder, control: object, top: object, thread: int) -> None:
        assert isinstance(control, Control) and isinstance(top, Frame)
        if top.location >= 0:
            recorder.run(thread + 1, state_of(self.program, control.shared, top))

    def _record(self, recorder: Recorder, rules: Sequence[Rule[bool]]) -> None:
        for rule in rules:
            record_rule(self.program, recorder, self.paired.origins[rule])


def _is_statement(head: tuple[object, object]) -> bool:
    control, frame = head
    assert isinstance(control, Control) and isinstance(frame, Frame)
    return control.shared.results is None and frame.location >= 0 and frame.calling is None


def accepts_for_ever(automaton: Automaton, state: int, letter: Letter) -> bool:
    """Tell whether an automaton accepts the word of one letter for ever from a state."""
    steps = [step for step in automaton.steps if step.takes(letter)]
    alive = set(range(automaton.states))
    while True:  # those from which an accepting step leads again and again
        before = {step.source for step in steps if automaton.accepting(step) and step.target in alive}
        while more := {step.source for step in steps if step.target in before} - before:
            before |= more
        if before == alive:
            return state in alive
        alive = before
