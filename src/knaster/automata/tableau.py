"""From a formula, a generalised Büchi automaton, by a tableau whose nodes are made when they are needed.

R. Gerth, D. Peled, M. Vardi, P. Wolper, Simple on-the-fly automatic verification of linear temporal logic (PSTV 1995),
with acceptance on steps after J.-M. Couvreur (FM 1999).  A node is a set of formulas that the word has to satisfy from
here on.  A *cover* of it says which literals hold now, what holds from the next letter on, and which untils are
postponed; each is a step.  A step belongs to the acceptance set of an until that it does not postpone.

Difference: a cover that asks for more than another one, in all three parts, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.automata.automaton import Automaton, Guard, Marks, Step
from knaster.automata.core import AND, OR, UNTIL
from knaster.automata.ltl import FALSE, TRUE, Atom, Binary, Formula, Operator, Unary, subformulas, to_text
from knaster.base.errors import UsageError
from knaster.base.named_tuples import NamedTuple

MOST_NODES = 500
MOST_COVERS = 2_000  # of one node
Node = frozenset[Formula]


class Cover(NamedTuple):
    """One way to satisfy a node."""

    literals: Guard
    following: Node
    postponed: Node  # untils

    def asks_less(self, other: Cover) -> bool:
        """Tell whether every word that fits the other cover fits this one."""
        return (
            self.literals <= other.literals and self.following <= other.following and self.postponed <= other.postponed
        )


def make_tableau(core: Formula, splits: bool = False) -> Automaton:
    """Return a generalised automaton that accepts the words of a formula in core form.

    One that `splits` begins in a state for each side of a disjunction.
    """
    untils = list(dict.fromkeys(one for one in subformulas(core) if isinstance(one, Binary) and one.operator is UNTIL))
    roots = _operands(core, OR) if splits else [core]
    first = dict.fromkeys(_node(root) for root in roots)
    numbers: dict[Node, int] = {node: at for at, node in enumerate(first)}
    steps: list[Step] = []
    todo = [*first]
    while todo:
        node = todo.pop()
        for cover in find_covers(node):
            if cover.following not in numbers:
                if len(numbers) >= MOST_NODES:
                    raise UsageError(f"the formula is too large: its automaton has more than {MOST_NODES:,} states")
                numbers[cover.following] = len(numbers)
                todo.append(cover.following)
            marks: Marks = frozenset(at for at, until in enumerate(untils) if until not in cover.postponed)
            steps.append(Step(numbers[node], cover.literals, numbers[cover.following], marks))
    names = tuple(", ".join(sorted(map(to_text, node))) or "true" for node in numbers)
    return Automaton(len(numbers), tuple(range(len(first))), tuple(steps), len(untils), names)


def _node(formula: Formula) -> Node:
    """Return a formula as the set of its conjuncts."""
    return frozenset(_operands(formula, AND)) - {TRUE}


def _operands(formula: Formula, operator: Operator) -> Iterator[Formula]:
    if isinstance(formula, Binary) and formula.operator is operator:
        yield from _operands(formula.left, operator)
        yield from _operands(formula.right, operator)
    else:
        yield formula


def find_covers(node: Node) -> list[Cover]:
    """Return the ways to satisfy a node of which none asks for more than another one."""
    found: list[Cover] = []
    start = sorted(node, key=to_text)
    todo: list[tuple[list[Formula], Cover]] = [(start, Cover(frozenset(), frozenset(), frozenset()))]
    while todo:
        left, cover = todo.pop()
        if len(todo) + len(found) > MOST_COVERS:
            raise UsageError("the formula is too large: one state of its automaton has too many steps")
        if any(each.asks_less(cover) for each in found):
            continue
        if not left:
            found = [each for each in found if not cover.asks_less(each)]
            found.append(cover)
            continue
        todo += _expand(left[0], left[1:], cover)
    return found


def _expand(formula: Formula, rest: list[Formula], cover: Cover) -> list[tuple[list[Formula], Cover]]:
    """Return what is left to satisfy after one rule of the tableau, in each of its branches."""
    literals, following, postponed = cover
    match formula:
        case Atom(text) | Unary(Operator.NOT, Atom(text)):
            value = isinstance(formula, Atom)
            return (
                [] if (text, not value) in literals else [(rest, cover._replace(literals=literals | {(text, value)}))]
            )
        case Unary(Operator.NEXT, inner):
            return [(rest, cover._replace(following=following | _node(inner)))]
        case Binary(Operator.AND, a, b):
            return [([a, b, *rest], cover)]
        case Binary(Operator.OR, a, b):
            return [([a, *rest], cover), ([b, *rest], cover)]
        case Binary(Operator.UNTIL, a, b):
            later = Cover(literals, following | {formula}, postponed | {formula})
            return [([a, *rest], later), ([b, *rest], cover)]
        case Binary(Operator.RELEASE, a, b):
            return [([b, *rest], cover._replace(following=following | {formula})), ([a, b, *rest], cover)]
    return [] if formula == FALSE else [(rest, cover)]
