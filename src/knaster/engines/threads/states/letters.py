"""Letters of threads as sets: where each atom of a formula holds, and on which letters an automaton takes its steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knaster.automata.acceptance import acceptance_of
from knaster.automata.automaton import Automaton, Guard, Step
from knaster.automata.ltl import Atom, Binary, Constant, Formula, Operator, Unary
from knaster.bdd.store import Bdd, minus
from knaster.engines.threads.states.steps import Moves
from knaster.evidence.questions.letters import Meaning, Meanings
from knaster.program.layout.lanes import UNBEGUN, Point
from knaster.program.model import Place
from knaster.views.symbolic.formula_sets import possible


class Letters:
    """What holds in sets of configurations."""

    def __init__(self, moves: Moves, meanings: Meanings) -> None:
        self.moves, self.store = moves, moves.store
        self.failed = self._where(lambda _, point: self.is_failing(point))
        ended = self.store.true
        for lane in range(len(moves.lanes.lanes)):
            ended &= self._union(lane, filter(moves.has_ended, moves.lanes.lanes[lane].points))
        self.over = ended | self.failed
        self.atoms = {text: self._atom(meaning) for text, meaning in meanings.items()}

    def is_failing(self, point: Point) -> bool:
        """Tell whether an assertion has failed at a point."""
        return bool(point.procedure) and point.location in self.moves.procedures[point.procedure].failures

    def place_of(self, point: Point) -> Place | None:
        """Return the place of the statement before which a thread at a point stands; None where there is none."""
        if not point.procedure:
            return None
        here = self.moves.procedures[point.procedure]
        location = here.entry if point.location == UNBEGUN else point.location
        return None if location == here.exit else (here.name, location)

    def holding(self, guard: Guard) -> Bdd:
        """Return where all literals of a guard hold."""
        states = self.store.true
        for atom, value in sorted(guard):
            states &= self.atoms[atom] if value else ~self.atoms[atom]
        return states

    def meaning(self, formula: Formula) -> Bdd:
        """Return where a formula about one moment holds."""
        match formula:
            case Constant(value):
                return self.store.const(value)
            case Atom(text):
                return self.atoms[text]
            case Unary(_, operand):
                return ~self.meaning(operand)
            case Binary(Operator.AND, left, right):
                return self.meaning(left) & self.meaning(right)
            case Binary(Operator.OR, left, right):
                return self.meaning(left) | self.meaning(right)
            case Binary(Operator.IMPLIES, left, right):
                return ~self.meaning(left) | self.meaning(right)
            case Binary(_, left, right):
                return ~(self.meaning(left) ^ self.meaning(right))

    def _atom(self, meaning: Meaning) -> Bdd:
        if meaning.condition is not None:
            shared = self.moves.lanes.shared
            return possible(self.store, meaning.condition, lambda each: self.store.var(shared[each.name]))
        if meaning.ended:
            return self.over
        wanted = None if meaning.thread is None else meaning.thread - 1
        found = self._where(lambda lane, point: wanted in (None, lane) and self.place_of(point) in meaning.places)
        return minus(found, self.over)

    def _where(self, holds: object) -> Bdd:
        assert callable(holds)
        found = self.store.false
        for number, lane in enumerate(self.moves.lanes.lanes):
            found |= self._union(number, (point for point in lane.points if holds(number, point)))
        return found

    def _union(self, lane: int, points: Iterable[Point]) -> Bdd:
        found = self.store.false
        for point in points:
            found |= self.moves.code(lane, point)
        return found


class Guards:
    """The steps of an automaton between two of its states: on which letters, and on which they count."""

    def __init__(self, automaton: Automaton, letters: Letters) -> None:
        self.acceptance = acceptance_of(automaton)
        self.every = _by_ends(automaton.steps, letters)
        counting = [step for step in automaton.steps if step in self.acceptance.counting]
        self.counting = _by_ends(counting, letters)
        self.after: dict[int, list[int]] = {}
        self.before: dict[int, list[int]] = {}
        for source, target in self.every:
            self.after.setdefault(source, []).append(target)
            self.before.setdefault(target, []).append(source)


def _by_ends(steps: Iterable[Step], letters: Letters) -> Mapping[tuple[int, int], Bdd]:
    found: dict[tuple[int, int], Bdd] = {}
    for step in steps:
        ends, states = (step.source, step.target), letters.holding(step.guard)
        found[ends] = found[ends] | states if ends in found else states
    return found
