"""Random formulas of linear temporal logic and random words that repeat themselves."""

from __future__ import annotations

from random import Random

from knaster.automata.ltl import TRUE, UNARY, Atom, Binary, Formula, Operator, Unary
from knaster.automata.words import Word

ATOMS = ("p", "q")
LETTERS = tuple(map(frozenset, ((), ("p",), ("q",), ("p", "q"))))
_OPERATORS = tuple(Operator)


def random_formula(random: Random, operators: int, atoms: tuple[str, ...] = ATOMS) -> Formula:
    """Return a formula with so many operators."""
    if not operators:
        return TRUE if random.random() < 0.05 else Atom(random.choice(atoms))
    operator = random.choice(_OPERATORS)
    if operator in UNARY:
        return Unary(operator, random_formula(random, operators - 1, atoms))
    left = random.randrange(operators)
    sides = (random_formula(random, size, atoms) for size in (left, operators - 1 - left))
    return Binary(operator, *sides)


def random_word(random: Random, atoms: str = "pq") -> Word:
    """Return a word with a stem of up to 4 letters and a cycle of 1 to 4."""

    def letters(count: int) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(atom for atom in atoms if random.random() < 0.5) for _ in range(count))

    return Word(letters(random.randrange(5)), letters(random.randrange(1, 5)))
