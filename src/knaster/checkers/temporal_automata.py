"""The check of an automaton: it accepts every word on which a formula does not hold.

A tableau of its own, written from the definitions and for signed formulas, with a counter for its promises; the
automaton of a proof must *fairly simulate* it (T. Henzinger, O. Kupferman, S. Rajamani, Fair simulation, CONCUR
1997): whatever accepted run the tableau takes, letter by letter, the automaton answers with an accepted run.  That
is a parity game with three priorities, solved by its fixed point (K. Etessami, T. Wilke, R. Schuller, ICALP 2001).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from knaster.automata.automaton import Automaton
from knaster.automata.ltl import Atom, Binary, Constant, Formula, Operator, Unary, subformulas
from knaster.base.errors import InternalError
from knaster.base.graphs import components
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.named_tuples import NamedTuple

MOST_NODES = 20_000
MOST_POSITIONS = 200_000
MOST_ATOMS = 12  # that one answer may depend on
Signed = tuple[Formula, bool]  # a formula, or with False its negation
Goals = frozenset[Signed]
Node = tuple[Goals, int]  # of the tableau: what is to be satisfied, and which promise is waited for
Literals = frozenset[tuple[str, bool]]
Position = tuple[Node, int]  # a node and a state of the automaton
BEGIN = -1  # where the automaton has not yet chosen its initial state
Options = tuple[tuple[int, Position], ...]  # answers: whose step is accepting, and the position then


class Branch(NamedTuple):
    """One way to satisfy goals: what holds now, what from the next letter on, and what was only promised."""

    literals: Literals
    following: Goals
    promised: Goals


def check_automaton(automaton: Automaton, formula: Formula, budget: Budget) -> None:
    """Raise `InternalError` unless an automaton accepts every word on which the formula does not hold."""
    tableau = _Tableau(formula, budget)
    if tableau.start not in tableau.live:
        return  # there is no such word
    game = _Game(automaton, tableau, budget)
    if (tableau.start, BEGIN) not in game.solve():
        raise InternalError("the automaton misses a word on which the formula does not hold")


class _Tableau:
    """The nodes of the negated formula, and those of them from which some accepted run begins."""

    def __init__(self, formula: Formula, budget: Budget) -> None:
        self.budget = budget
        self.promises = [each for each in dict.fromkeys(_signed(formula)) if _is_promise(each)]
        self.start: Node = frozenset({(formula, False)}), 0
        self.leaving: dict[Node, list[tuple[Literals, bool, Node]]] = {}
        todo = [self.start]
        while todo:
            node = todo.pop()
            if node in self.leaving:
                continue
            budget.check()
            if len(self.leaving) > MOST_NODES:
                raise OutOfBudget("the formula is too large to check its automaton")
            self.leaving[node] = list(dict.fromkeys(self._steps(node)))
            todo += [target for _, _, target in self.leaving[node]]
        self.live = self._live()

    def _steps(self, node: Node) -> Iterator[tuple[Literals, bool, Node]]:
        goals, waiting = node
        for branch in expand(goals):
            after, full = self._count(waiting, branch.promised)
            yield branch.literals, full, (branch.following, after)

    def _live(self) -> set[Node]:
        """Return the nodes from which a cycle with a step that keeps all promises can be reached."""
        live: set[Node] = set()
        for component in components([self.start], lambda node: [target for _, _, target in self.leaving[node]]):
            inside = set(component)  # each after those that it leads to
            steps = [step for node in component for step in self.leaving[node]]
            if any((full and target in inside) or target in live for _, full, target in steps):
                live |= inside
        return live

    def _count(self, waiting: int, promised: Goals) -> tuple[int, bool]:
        """Return which promise is waited for after a step, and whether all were kept since the last time."""
        while waiting < len(self.promises) and self.promises[waiting] not in promised:
            waiting += 1
        return (0, True) if waiting == len(self.promises) else (waiting, False)


class _Game:
    """Who is asked moves in the tableau and chooses a letter; who answers moves in the automaton."""

    def __init__(self, automaton: Automaton, tableau: _Tableau, budget: Budget) -> None:
        self.budget, self.tableau = budget, tableau
        self._leaving = dict(automaton.leaving())
        self._leaving[BEGIN] = tuple(step for state in automaton.initial for step in self._leaving[state])
        self.arena: dict[Position, list[Options]] = {}
        todo: list[Position] = [(tableau.start, BEGIN)]
        while todo:
            position = todo.pop()
            if position in self.arena:
                continue
            budget.check()
            if len(self.arena) > MOST_POSITIONS:
                raise OutOfBudget("the formula is too large to check its automaton")
            self.arena[position] = list(dict.fromkeys(self._moves(position)))
            todo += [target for options in self.arena[position] for _, target in options]

    def _moves(self, position: Position) -> Iterator[Options]:
        """Yield for each step of the tableau and each letter the answers of the automaton."""
        node, state = position
        for literals, full, target in self.tableau.leaving[node]:
            if target not in self.tableau.live:
                continue
            known = dict(literals)
            asked = sorted({atom for step in self._leaving[state] for atom, _ in step.guard if atom not in known})
            if len(asked) > MOST_ATOMS:
                raise OutOfBudget("the formula has too many atoms to check its automaton")
            for values in product((False, True), repeat=len(asked)):
                letter = known | dict(zip(asked, values, strict=True))
                answers = (
                    (2 if step.marks else int(full), (target, step.target))
                    for step in self._leaving[state]
                    if all(letter[atom] == value for atom, value in step.guard)
                )
                yield tuple(dict.fromkeys(answers))

    def solve(self) -> set[Position]:
        """Return where the automaton always has an answer: greatest, least and greatest fixed point, nested."""
        outer = set(self.arena)
        while True:
            middle: set[Position] = set()
            while True:
                inner = set(outer)
                while True:
                    sets = (inner, middle, outer)
                    kept = {at for at in inner if all(any(to in sets[p] for p, to in o) for o in self.arena[at])}
                    self.budget.check()
                    if kept == inner:
                        break
                    inner = kept
                if inner == middle:
                    break
                middle = inner
            if middle == outer:
                return outer
            outer = middle


def _signed(formula: Formula) -> Iterator[Signed]:
    for each in subformulas(formula):
        yield each, False
        yield each, True


def _is_promise(signed: Signed) -> bool:
    """Tell whether a signed formula says that something will happen, which can be put off."""
    formula, sign = signed
    match formula:
        case Unary(Operator.EVENTUALLY, _) | Binary(Operator.UNTIL, _, _):
            return sign
        case Unary(Operator.ALWAYS, _) | Binary(Operator.RELEASE | Operator.WEAK, _, _):
            return not sign
    return False


def expand(goals: Goals) -> Iterator[Branch]:
    """Yield the ways to satisfy goals."""
    start = sorted(goals, key=repr)
    todo: list[tuple[list[Signed], Branch]] = [(start, Branch(frozenset(), frozenset(), frozenset()))]
    while todo:
        left, branch = todo.pop()
        if not left:
            yield branch
            continue
        first, *rest = left
        for now, later in _rules(*first):
            literals = {(one.text, sign) for one, sign in now if isinstance(one, Atom)}
            both = branch.literals | literals
            if any((atom, not value) in both for atom, value in both):
                continue
            if any(isinstance(one, Constant) and one.value != sign for one, sign in now):
                continue
            more = [each for each in now if not isinstance(each[0], Atom | Constant)]
            promised = branch.promised | ({first} if first in later and _is_promise(first) else set())
            todo.append((more + rest, Branch(both, branch.following | set(later), frozenset(promised))))


def _rules(formula: Formula, sign: bool) -> list[tuple[list[Signed], list[Signed]]]:
    """Return the cases of a signed formula."""
    again = [(formula, sign)]
    match formula:
        case Constant() | Atom():
            return [(again, [])]
        case Unary(Operator.NOT, a):
            return [([(a, not sign)], [])]
        case Unary(Operator.NEXT, a):
            return [([], [(a, sign)])]
        case Unary(operator, a):
            if (operator is Operator.EVENTUALLY) == sign:
                return [([(a, sign)], []), ([], again)]
            return [([(a, sign)], again)]
        case Binary(operator, a, b):
            return _binary_rules(operator, a, b, sign, again)


def _binary_rules(
    operator: Operator, a: Formula, b: Formula, sign: bool, again: list[Signed]
) -> list[tuple[list[Signed], list[Signed]]]:
    match operator, sign:
        case (Operator.AND, True) | (Operator.OR, False):
            return [([(a, sign), (b, sign)], [])]
        case (Operator.OR, True) | (Operator.AND, False):
            return [([(a, sign)], []), ([(b, sign)], [])]
        case Operator.IMPLIES, True:
            return [([(a, False)], []), ([(b, True)], [])]
        case Operator.IMPLIES, False:
            return [([(a, True), (b, False)], [])]
        case Operator.IFF, _:
            return [([(a, True), (b, sign)], []), ([(a, False), (b, not sign)], [])]
        case (Operator.UNTIL | Operator.WEAK, True):
            return [([(b, True)], []), ([(a, True)], again)]
        case (Operator.UNTIL | Operator.WEAK, False):
            return [([(b, False), (a, False)], []), ([(b, False)], again)]
        case Operator.RELEASE, True:
            return [([(b, True), (a, True)], []), ([(b, True)], again)]
        case _:
            return [([(b, False)], []), ([(a, False)], again)]
