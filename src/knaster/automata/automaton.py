"""Automata on infinite words: states as numbers, steps with a guard and the acceptance sets that they belong to.

Acceptance is on steps (J.-M. Couvreur, On-the-fly verification of linear temporal logic, FM 1999): a run is accepted
where it takes, for every acceptance set, a step of it infinitely often.  With one set it is a Büchi automaton, with
none every infinite run is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knaster.automata.words import Letter, Word
from knaster.base.graphs import components
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field

Guard = frozenset[tuple[str, bool]]  # literals, all of which have to hold; the empty one always does
Marks = frozenset[int]


class Step(NamedTuple):
    """A step from a state on every letter that satisfies the guard."""

    source: int
    guard: Guard
    target: int
    marks: Marks = frozenset()

    def takes(self, letter: Letter) -> bool:
        """Tell whether the step can be taken on a letter."""
        return all((atom in letter) == value for atom, value in self.guard)


@dataclass(frozen=True, slots=True)
class Automaton:
    """States 0 .. `states` - 1, those in which runs begin, the steps, and the number of acceptance sets."""

    states: int
    initial: tuple[int, ...]
    steps: tuple[Step, ...]
    sets: int = 1
    names: tuple[str, ...] = field(default=(), compare=False)  # what each state stands for, where that is known
    formula: str = field(default="", compare=False)  # which it accepts the words of

    def leaving(self) -> Mapping[int, tuple[Step, ...]]:
        """Return the steps that leave each state."""
        found: dict[int, list[Step]] = {state: [] for state in range(self.states)}
        for step in self.steps:
            found[step.source].append(step)
        return {state: tuple(steps) for state, steps in found.items()}

    def accepting(self, step: Step) -> bool:
        """Tell whether a step belongs to every acceptance set."""
        return len(step.marks) == self.sets

    @property
    def atoms(self) -> tuple[str, ...]:
        """The atoms that guards speak of, sorted."""
        return tuple(sorted({atom for step in self.steps for atom, _ in step.guard}))

    @property
    def every_step_accepts(self) -> bool:
        """Whether every infinite run is accepted."""
        return all(self.accepting(step) for step in self.steps)

    def sinks(self) -> frozenset[int]:
        """Return the states that accept every word: a step to itself on every letter, in every set."""
        return frozenset(
            step.source for step in self.steps if step.source == step.target and not step.guard and self.accepting(step)
        )

    def is_terminal(self) -> bool:
        """Tell whether a word is accepted as soon as a prefix leads into a sink, and in no other way."""
        sinks = self.sinks()
        return not any(
            self.is_accepting_component(component) for component in self.components() if not sinks.issuperset(component)
        )

    def components(self) -> list[list[int]]:
        """Return the strongly connected components, each after those that it leads to."""
        leaving = self.leaving()
        return list(components(self.initial, lambda state: [step.target for step in leaving[state]]))

    def is_accepting_component(self, component: Iterable[int]) -> bool:
        """Tell whether a run that stays in a component can be accepted."""
        inside = set(component)
        within = [step for step in self.steps if step.source in inside and step.target in inside]
        return bool(within) and set[int]().union(*(step.marks for step in within)) == set(range(self.sets))

    def accepts(self, word: Word) -> bool:
        """Tell whether some run on a word is accepted."""
        letters = word.stem + word.cycle
        after = [*range(1, len(letters)), len(word.stem)]
        leaving = self.leaving()

        def steps(vertex: tuple[int, int]) -> list[tuple[Step, tuple[int, int]]]:
            state, at = vertex
            return [(step, (step.target, after[at])) for step in leaving[state] if step.takes(letters[at])]

        roots = [(state, 0) for state in self.initial]
        for component in components(roots, lambda vertex: [target for _, target in steps(vertex)]):
            inside = set(component)
            within = [step for vertex in component for step, target in steps(vertex) if target in inside]
            if within and set[int]().union(*(step.marks for step in within)) == set(range(self.sets)):
                return True
        return False

    def __str__(self) -> str:
        return to_text(self)

    def _repr_svg_(self) -> str:
        from knaster.automata.drawing import draw

        return draw(self)


def guard_text(guard: Guard) -> str:
    """Return a guard as a formula."""
    return " & ".join(atom if value else f"!{atom}" for atom, value in sorted(guard)) or "true"


def to_text(automaton: Automaton) -> str:
    """Return an automaton in words, a line for each step."""
    count, steps = automaton.states, len(automaton.steps)
    plural = "" if count == 1 else "s"
    lines = [f"{count} state{plural}, {steps} steps; accepted: infinitely many steps marked *"]
    if automaton.formula:
        lines.insert(0, f"automaton of {automaton.formula}")
    if automaton.sets > 1:
        lines[-1] = f"{count} state{plural}, {steps} steps; accepted: of each number infinitely many steps"
    for state, leaving in automaton.leaving().items():
        begins = " (initial)" if state in automaton.initial else ""
        name = f": {automaton.names[state]}" if automaton.names else ""
        lines.append(f"  {state}{begins}{name}")
        for step in leaving:
            marks = " *" if step.marks and automaton.sets == 1 else "".join(f" {mark}" for mark in sorted(step.marks))
            marks = " *" if automaton.sets == 0 else marks
            lines.append(f"    {guard_text(step.guard)} -> {step.target}{marks}")
    return "\n".join(lines)
