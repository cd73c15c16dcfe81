"""Infinite runs of models with references found by chance: walk at random until a state comes again, or the run rests.

No automaton, no components, no graph: the interpreter takes the steps, the formula is evaluated on the word of the
walk, and fairness is counted on the cycle.  What such a walk violates, no engine may call true.
"""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import NamedTuple

from knaster.automata.words import Word, holds
from knaster.evidence.questions.letters import Meanings, meanings_of
from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.evaluate import evaluate
from knaster.program.model import Program
from knaster.program.objects import Join
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.failure import Fails
from knaster.semantics.heap.interpreter import FailedAssume, Machine


class Passed(NamedTuple):
    """A configuration on the way, whose region it is in, and who moves next."""

    here: Configuration
    inside: int
    thread: int


def find_violation(
    program: Program, question: Temporal | Termination, random: Random, walks: int, most: int = 60
) -> bool:
    """Tell whether one of some random walks is a run that counts and is not as the question asks."""
    return any(_Walk(program, question, random, most).violates() for _ in range(walks))


class _Walk:
    def __init__(self, program: Program, question: Temporal | Termination, random: Random, most: int) -> None:
        self.machine, self.question, self.random, self.most = Machine(program), question, random, most
        self.meanings: Meanings = meanings_of(program, question) if isinstance(question, Temporal) else {}
        self.way: list[Passed] = []

    def violates(self) -> bool:
        here, inside, at = self.machine.start(), 0, dict[Hashable, int]()
        while len(self.way) < self.most:
            key = canonical(here, inside)
            if key in at and self.random.random() < 0.7:
                return self._judge(self.way[: at[key]], self.way[at[key] :])
            at.setdefault(key, len(self.way))
            count = len(here.threads)
            threads = [inside] if inside else [t for t in range(1, count + 1) if self.machine.runnable(here, t)]
            if not threads:
                return self._ends(here, over=self._may_end(here))
            thread = self.random.choice(threads)
            self.way.append(Passed(here.copy(), inside, thread))
            try:
                number = self.random.randrange(len(self.machine.alternatives(here, thread)))
                event = self.machine.step(here, thread, number)
            except FailedAssume:
                return False
            except Fails:
                return self._ends(self.way[-1].here, over=True)
            if self.machine.failure_of(here, thread) is not None:
                return self._ends(here, over=True)
            inside = thread if event.keeps else 0
        return False

    def _may_end(self, here: Configuration) -> bool:
        tops = (self.machine.edges_from(frames[-1])[0].action for frames in here.threads if frames)
        return all(isinstance(action, Join) and action.may_end for action in tops)

    def _ends(self, here: Configuration, over: bool) -> bool:
        if isinstance(self.question, Termination):
            return False
        stem = tuple(self._letter(step.here, False) for step in self.way)
        return not holds(self.question.formula, Word(stem, (self._letter(here, over),)))

    def _judge(self, stem: list[Passed], cycle: list[Passed]) -> bool:
        outside = [step.here for step in cycle if not step.inside]
        if self.question.fair != "none" and outside:
            for thread in range(1, max(len(here.threads) for here in outside) + 1):
                able = [thread <= len(here.threads) and self._can_move(here, thread) for here in outside]
                moved = any(step.thread == thread for step in cycle)
                if not moved and (all(able) if self.question.fair == "weak" else any(able)):
                    return False
        if isinstance(self.question, Termination):
            return True
        words = [tuple(self._letter(step.here, False) for step in part) for part in (stem, cycle)]
        return not holds(self.question.formula, Word(words[0], words[1]))

    def _can_move(self, here: Configuration, thread: int) -> bool:
        """Tell whether a thread can step, not only into assumes that fail: every way to the end of its region."""
        if not self.machine.runnable(here, thread):
            return False
        todo, seen = [here.copy()], set[Hashable]()
        cyclic = False
        while todo:
            each = todo.pop()
            try:
                count = len(self.machine.alternatives(each, thread))
            except Fails:
                return True
            for number in range(count):
                after = each.copy()
                try:
                    keeps = self.machine.step(after, thread, number).keeps
                except FailedAssume:
                    continue
                except Fails:
                    return True
                if not keeps or self.machine.failure_of(after, thread) is not None:
                    return True
                cyclic = cyclic or canonical(after) in seen
                if canonical(after) not in seen:
                    seen.add(canonical(after))
                    todo.append(after)
        return cyclic  # wherever it comes together it is taken for a cycle, so the walk may miss a run, not invent one

    def _letter(self, here: Configuration, over: bool) -> frozenset[str]:
        frames = [] if over else [(t, stack[-1]) for t, stack in enumerate(here.threads) if stack]
        places = [(thread, (frame.procedure, frame.location)) for thread, frame in frames]
        letter = set()
        for atom, meaning in self.meanings.items():
            if meaning.condition is not None:
                true = bool(evaluate(meaning.condition, here.statics, iter(())))
            elif meaning.ended:
                true = over
            else:
                wanted = None if meaning.thread is None else meaning.thread - 1
                true = any(place in meaning.places and wanted in (None, thread) for thread, place in places)
            if true:
                letter.add(atom)
        return frozenset(letter)
