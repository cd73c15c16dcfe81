"""A monitor for a safety formula: from its automaton, sets of states that follow the letters of a run one by one.

A formula is violated by a prefix where its automaton comes to a state that accepts everything, and accepts nothing else
(A. P. Sistla, Safety, liveness and fairness in temporal logic, 1994).  Which atoms hold is known from the place, but
for expressions; where no run blocks, every prefix goes on.  After the end one letter is repeated for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from knaster.automata.automaton import Automaton
from knaster.automata.translate import translate
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.question import Temporal
from knaster.evidence.questions.safety import can_block
from knaster.program.model import Location, Program
from knaster.transform.formula_letters import Letter, beginnings, calls_main, conditions_of, letter_at

MOST = 64  # states of a monitor
MOST_CONDITIONS = 4  # whose values are told apart: 16 letters at each place
States = frozenset[int]  # of the automaton


def why_no_monitor(program: Program, question: Temporal) -> str:
    """Return why a formula cannot be watched for along the runs of a C program; empty where it can."""
    automaton = translate(question.formula, positive=False)
    if not automaton.is_terminal():
        return "no prefix of a run violates it, or not every violation is one"
    if len(conditions_of(meanings_of(program, question))) > MOST_CONDITIONS:
        return f"more than {MOST_CONDITIONS} expressions are too many"
    watch = Watch(program, question, automaton)
    if len(watch.states) > MOST:
        return "its monitor has too many states"
    if watch.is_violated(watch.states[0]):
        return "no run can satisfy it"
    if calls_main(program) and watch.minds_ends():
        return "its end matters, and 'main' calls itself"
    return "a run may block, and then its prefix is no run" if can_block(program) else ""


class Watch:
    """The monitor: sets of states of the automaton, the first one in which it begins; `conditions` depend on values."""

    def __init__(self, program: Program, question: Temporal, automaton: Automaton | None = None) -> None:
        self.automaton = automaton or translate(question.formula, positive=False)
        self.sinks = self.automaton.sinks()
        self.meanings = meanings_of(program, question)
        self.conditions = conditions_of(self.meanings)
        self.letters: dict[tuple[str, Location], Letter] = {
            (own.name, place): letter_at(self.meanings, (own.name, place))
            for own in program.procedures
            for place in beginnings(own)
        }
        self.last = letter_at(self.meanings, None)
        self.states = [frozenset(self.automaton.initial)]
        for states in self.states:  # grows
            for letter in sorted(set(self.letters.values()), key=sorted):
                for _, full in self.with_values(letter):
                    after = self.after(states, full)
                    if after not in self.states and len(self.states) <= MOST:
                        self.states.append(after)

    def with_values(self, letter: Letter) -> Iterator[tuple[tuple[bool, ...], Letter]]:
        """Yield what expressions may say, and a letter with that."""
        for values in product((False, True), repeat=len(self.conditions)):
            yield values, letter | {atom for atom, value in zip(self.conditions, values, strict=True) if value}

    def after(self, states: States, letter: Letter) -> States:
        """Return the states of the automaton after a letter; those that accept everything stay."""
        if self.is_violated(states):
            return states
        steps = (step for step in self.automaton.steps if step.source in states and step.takes(letter))
        return frozenset(step.target for step in steps)

    def is_violated(self, states: States) -> bool:
        """Tell whether the formula is violated, whatever follows."""
        return not self.sinks.isdisjoint(states)

    def ends_badly(self, states: States, letter: Letter) -> bool:
        """Tell whether the formula is violated where this letter follows for ever."""
        seen: list[States] = []
        while states not in seen:
            seen.append(states)
            states = self.after(states, letter)
        return any(map(self.is_violated, seen))

    def minds_ends(self) -> bool:
        """Tell whether the end of a run may be what violates the formula."""
        open = [states for states in self.states if not self.is_violated(states)]
        return any(self.ends_badly(states, full) for states in open for _, full in self.with_values(self.last))
