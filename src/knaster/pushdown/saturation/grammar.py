"""Grammars behind saturation: joins over all derivations, and the words of rules that lead from here to there.

Lal (PhD thesis, University of Wisconsin, 2009): an abstract grammar and its join over all derivations are Definition
2.4.8; the grammar of the rule sequences that pop one symbol is Figure 2.6.  Saturation computes such joins; this module
computes them, and the words themselves up to a length, straight from the definition, to be compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import product
from typing import Generic, TypeVar

from knaster.base.records import dataclass
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import PushdownSystem, State, Symbol

W = TypeVar("W")

Word = tuple[int, ...]  # rules, by number


@dataclass(frozen=True, slots=True)
class Production(Generic[W]):
    """head -> function(arguments), the function distributive in each argument and 0 where one of them is 0."""

    head: Hashable
    arguments: tuple[Hashable, ...]
    function: Callable[..., W]


def join_over_derivations(domain: Semiring[W], productions: Iterable[Production[W]]) -> dict[Hashable, W]:
    """Return JOD(X), the combined value of all terms that X derives, for every X where it is not 0."""
    using: dict[Hashable, list[Production[W]]] = {}
    solution: LeastSolution[Hashable, W] = LeastSolution(domain)
    for production in productions:
        for argument in dict.fromkeys(production.arguments):
            using.setdefault(argument, []).append(production)
        if not production.arguments:
            solution.add(production.head, production.function())
    for v in solution.changes():
        for production in using.get(solution.name[v], ()):
            values = [solution.at(argument) for argument in production.arguments]
            if domain.zero not in values:
                solution.add(production.head, production.function(*values))
    return dict(zip(solution.name, solution.value, strict=True))


@dataclass(frozen=True, slots=True)
class PopSequences:
    """The non-terminal of the rule sequences from <source, symbol> to <target, ε>."""

    source: State
    symbol: Symbol
    target: State


WordProduction = tuple[PopSequences, tuple["int | PopSequences", ...]]


def pop_grammar(system: PushdownSystem[W]) -> list[WordProduction]:
    """Return the productions of Figure 2.6; terminals are rules, by number."""
    states = [name for name in system.table.states.names if isinstance(name, Hashable)]
    productions: list[WordProduction] = []
    for number, rule in enumerate(system.rules):
        match rule.push:
            case ():
                productions.append((PopSequences(rule.source, rule.symbol, rule.target), (number,)))  # (1)
            case (top,):
                for q in states:  # (2)
                    rest = PopSequences(rule.target, top, q)
                    productions.append((PopSequences(rule.source, rule.symbol, q), (number, rest)))
            case (top, below):
                for q, middle in product(states, repeat=2):  # (3)
                    parts = PopSequences(rule.target, top, middle), PopSequences(middle, below, q)
                    productions.append((PopSequences(rule.source, rule.symbol, q), (number, *parts)))
    return productions


def words(productions: Iterable[WordProduction], start: PopSequences, length: int) -> list[Word]:
    """Return the words of at most `length` rules that `start` derives, shorter ones first."""
    rules = list(productions)
    language: dict[PopSequences, set[Word]] = {head: set() for head, _ in rules}
    changed = True
    while changed:
        changed = False
        for head, parts in rules:
            derived: set[Word] = {()}
            for part in parts:
                options = {(part,)} if isinstance(part, int) else language.get(part, set())
                derived = {left + right for left in derived for right in options if len(left) + len(right) <= length}
            if not derived <= language[head]:
                language[head] |= derived
                changed = True
    return sorted(language.get(start, ()), key=lambda word: (len(word), word))
