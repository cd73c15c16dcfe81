"""An automaton on infinite words, and the check that it accepts every word on which a formula does not hold.

An automaton takes a step at each letter; a word is accepted where some run takes accepting steps for ever.  The negated
formula becomes a tableau (R. Gerth, D. Peled, M. Vardi, P. Wolper, Simple on-the-fly automatic verification of linear
temporal logic, PSTV 1995) with a counter for its promises, `f U g` that are put off.  The automaton has to *fairly
simulate* it (T. Henzinger, O. Kupferman, S. Rajamani, Fair simulation, CONCUR 1997): whatever accepted run the tableau
takes, letter by letter, the automaton answers with an accepted one.  That is a game with three priorities: 2 where the
automaton accepts, 1 where only the tableau does, 0 elsewhere; who answers has to see to it that the largest that comes
again and again is even.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from knaster_check.graphs import components, finish
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, text_of, truth_of
from knaster_check.table import Tick
from knaster_check.temporal.formula import Tree
from knaster_check.work import STEP

Guard = tuple[tuple[str, bool], ...]
Goals = frozenset[Tree]
Node = tuple[Goals, int]  # what is to be satisfied, and which promise is waited for
Position = tuple[Node, int]
Answers = tuple[tuple[int, Position], ...]
BEGIN = -1  # before the automaton has chosen its initial state
MOST_NODES, MOST_POSITIONS, MOST_ATOMS, MOST_STATES = 5_000, 50_000, 10, 10_000


class Step(NamedTuple):
    """A step on every letter that satisfies the guard."""

    source: int
    guard: Guard
    target: int
    accepts: bool

    def takes(self, letter: Mapping[str, bool]) -> bool:
        """Tell whether it can be taken where these atoms are as they are; others may be either."""
        return all(letter.get(atom, value) == value for atom, value in self.guard)


class Automaton(NamedTuple):
    """States 0 to `states` - 1, those in which runs begin, and the steps."""

    states: int
    initial: tuple[int, ...]
    steps: tuple[Step, ...]

    def leaving(self) -> dict[int, list[Step]]:
        """Return the steps that leave each state."""
        found: dict[int, list[Step]] = {state: [] for state in range(self.states)}
        for step in self.steps:
            found[step.source].append(step)
        return found

    def cycles(self) -> list[list[int]]:
        """Return the cycles among the states that can be reached."""
        graph = {state: [step.target for step in steps] for state, steps in self.leaving().items()}
        seen: set[int] = set()
        for state in self.initial:
            finish(state, graph.__getitem__, seen)
        return components({state: after for state, after in graph.items() if state in seen})


class Cycles:
    """The cycles of an automaton; it is `weak` where in each all steps are accepting, or none.

    A run of a weak automaton is accepted iff it stays in a *good* cycle, one with accepting steps, from some time on.
    """

    def __init__(self, automaton: Automaton) -> None:
        self.part = {state: number for number, part in enumerate(automaton.cycles()) for state in part}
        inside = [step for step in automaton.steps if self.holds(step)]
        self.good = {self.part[step.source] for step in inside if step.accepts}
        self.weak = all(step.accepts == self.is_good(step.source) for step in inside)

    def holds(self, step: Step) -> bool:
        """Tell whether a step stays in a cycle."""
        return step.source in self.part and self.part[step.source] == self.part.get(step.target)

    def is_good(self, state: int) -> bool:
        """Tell whether a state is in a good cycle."""
        return self.part.get(state) in self.good

    def counts(self, step: Step) -> bool:
        """Tell whether accepted runs take such steps again and again."""
        return self.holds(step) and self.is_good(step.source) if self.weak else step.accepts


EVERYTHING = Automaton(1, (0,), (Step(0, (), 0, True),))


def read_automaton(data: Mapping[str, Any]) -> Automaton:
    """Return the automaton of a proof."""
    states = number_of(data["states"], "states", MOST_STATES)
    initial = tuple(number_of(state, "initial", states) for state in list_of(data["initial"], "initial"))
    steps = []
    for row in list_of(data["steps"], "steps"):
        source, guard, target, marks = list_of(row, "a step", 4)
        literals = [list_of(literal, "a literal", 2) for literal in list_of(guard, "a guard")]
        said = tuple((text_of(atom, "an atom"), truth_of(value, "a literal")) for atom, value in literals)
        expect(marks in ([], [0]), "a step has other marks than one")
        steps.append(Step(number_of(source, "a step", states), said, number_of(target, "a step", states), bool(marks)))
    return Automaton(states, initial, tuple(steps))


def check_automaton(automaton: Automaton, negated: Tree, tick: Tick) -> None:
    """Refuse an automaton that misses a word of which the negated formula, in normal form, is true."""
    tableau = _Tableau(negated, tick)
    if tableau.start not in tableau.live:
        return  # there is no such word
    expect((tableau.start, BEGIN) in _Game(automaton, tableau, tick).solve(), "the automaton misses a word")


class _Tableau:
    """The nodes of a formula, and those from which some accepted run begins."""

    def __init__(self, formula: Tree, tick: Tick) -> None:
        self.promises = sorted(set(_untils(formula)))
        self.start: Node = frozenset({formula}), 0
        self.leaving: dict[Node, list[tuple[Guard, bool, Node]]] = {}
        todo = [self.start]
        while todo:
            node = todo.pop()
            if node in self.leaving:
                continue
            tick()
            if len(self.leaving) >= MOST_NODES:
                raise Unsupported("the formula is too large")
            self.leaving[node] = list(dict.fromkeys(self._steps(*node)))
            tick(STEP * len(self.leaving[node]))
            todo += [target for _, _, target in self.leaving[node]]
        self.live = self._live()

    def _steps(self, goals: Goals, waiting: int) -> Iterator[tuple[Guard, bool, Node]]:
        for literals, following, promised in expand(goals):
            after = waiting
            while after < len(self.promises) and self.promises[after] not in promised:
                after += 1
            full = after == len(self.promises)
            yield literals, full, (following, 0 if full else after)

    def _live(self) -> set[Node]:
        """Return the nodes that lead to a cycle in which all promises are kept again and again."""
        graph = {node: [target for _, _, target in steps] for node, steps in self.leaving.items()}
        before: dict[Node, list[Node]] = {node: [] for node in graph}
        for node, after in graph.items():
            for other in after:
                before[other].append(node)
        live: set[Node] = set()
        for part in components(graph):
            inside = set(part)
            if any(full and target in inside for node in part for _, full, target in self.leaving[node]):
                for node in part:
                    finish(node, before.__getitem__, live)
        return live


def _untils(formula: Tree) -> Iterator[Tree]:
    if formula[0] != "atom":
        for part in formula[1:]:
            yield from _untils(part)
    if formula[0] == "U":
        yield formula


def expand(goals: Goals) -> Iterator[tuple[Guard, Goals, Goals]]:
    """Yield the ways to satisfy goals: literals that hold now, goals from the next letter on, and what is put off."""
    todo: list[tuple[tuple[Tree, ...], dict[str, bool], Goals, Goals]] = []
    todo.append((tuple(sorted(goals)), {}, frozenset(), frozenset()))
    while todo:
        left, literals, following, promised = todo.pop()
        if not left:
            yield tuple(sorted(literals.items())), following, promised
            continue
        first, rest = left[0], left[1:]
        match first:
            case ("true",):
                todo.append((rest, literals, following, promised))
            case ("atom", text, value) if literals.get(text, value) == value:
                todo.append((rest, {**literals, text: value}, following, promised))
            case ("&", a, b):
                todo.append(((a, b, *rest), literals, following, promised))
            case ("|", a, b):
                todo += [((part, *rest), literals, following, promised) for part in (a, b)]
            case ("X", a):
                todo.append((rest, literals, following | {a}, promised))
            case ("U", a, b):
                todo.append(((b, *rest), literals, following, promised))
                todo.append(((a, *rest), literals, following | {first}, promised | {first}))
            case ("R", a, b):
                todo.append(((a, b, *rest), literals, following, promised))
                todo.append(((b, *rest), literals, following | {first}, promised))
            case ("false",) | ("atom", _, _):
                pass
            case _:
                raise Refused(f"'{first[0]}' is no operator in normal form")


class _Game:
    """Who asks moves in the tableau and chooses a letter; who answers moves in the automaton."""

    def __init__(self, automaton: Automaton, tableau: _Tableau, tick: Tick) -> None:
        self.tableau, self.tick = tableau, tick
        self.steps = automaton.leaving()
        self.steps[BEGIN] = [step for state in dict.fromkeys(automaton.initial) for step in self.steps[state]]
        self.arena: dict[Position, list[Answers]] = {}
        todo: list[Position] = [(tableau.start, BEGIN)]
        while todo:
            position = todo.pop()
            if position in self.arena:
                continue
            tick()
            if len(self.arena) >= MOST_POSITIONS:
                raise Unsupported("the formula is too large")
            self.arena[position] = list(dict.fromkeys(self._moves(*position)))
            tick(STEP * len(self.arena[position]))
            todo += [target for answers in self.arena[position] for _, target in answers]

    def _moves(self, node: Node, state: int) -> Iterator[Answers]:
        """Yield the answers of the automaton to each step of the tableau and each letter."""
        for literals, full, target in self.tableau.leaving[node]:
            if target not in self.tableau.live:
                continue
            known = dict(literals)
            asked = sorted({atom for step in self.steps[state] for atom, _ in step.guard}.difference(known))
            if len(asked) > MOST_ATOMS:  # mutant(>): one atom more or less
                raise Unsupported("the formula has too many atoms")
            for values in product((False, True), repeat=len(asked)):
                letter = known | dict(zip(asked, values, strict=True))
                taken = [step for step in self.steps[state] if step.takes(letter)]
                yield tuple(dict.fromkeys((2 if step.accepts else int(full), (target, step.target)) for step in taken))

    def solve(self) -> set[Position]:
        """Return where the automaton always has an answer: greatest, least and greatest fixed point, nested."""
        outer = set(self.arena)
        while True:
            middle: set[Position] = set()
            while (inner := self._greatest(middle, outer)) != middle:
                middle = inner
            if middle == outer:
                return outer
            outer = middle

    def _greatest(self, middle: set[Position], outer: set[Position]) -> set[Position]:
        inner = set(outer)
        while True:
            self.tick(len(inner))
            sets = (inner, middle, outer)
            kept = {at for at in inner if all(any(to in sets[p] for p, to in one) for one in self.arena[at])}
            if kept == inner:
                return inner
            inner = kept
