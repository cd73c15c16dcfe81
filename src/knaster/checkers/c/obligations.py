"""Obligations: what has to be true so that a proof about a program over integers holds, over expressions of the model.

One list of them is made from the text of the program and from the proof (`checkers.c.walk`), whatever the solver and
its arithmetic; each has to be answered by some solver (`checkers.c.solvers`).  Every variable of an obligation is a
name of its own, so that an expression means the same wherever it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from knaster.base.records import dataclass
from knaster.program.expression import TRUE, Expr
from knaster.program.model import Place
from knaster.program.types import Type


class Kind(Enum):
    """What a fact says of its expression."""

    HOLDS = "the run evaluates it, and it is true"
    EVALUATED = "the run evaluates it, and it has a value"
    CLAIMED = "the proof says it: it is true, where operators without a value have the value 0"


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """A name for the value of an expression, converted to a type; any value where the expression has none."""

    name: str
    type: Type
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """Something that is so where `when` is true."""

    when: Expr
    what: Expr
    kind: Kind


Step = Let | Fact


@dataclass(frozen=True, slots=True)
class Goal:
    """For some values of `inputs` all facts are so."""

    steps: tuple[Step, ...]
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Obligation:
    """From the hypothesis follows that one of the goals of the conclusion is reached; without goals: it is false."""

    place: Place
    why: str
    hypothesis: tuple[Step, ...]
    conclusion: tuple[Goal, ...]
    types: Mapping[str, Type]  # of all variables that no `Let` names


def claim(expr: Expr, when: Expr = TRUE) -> Fact:
    """Return a formula of a proof as a fact."""
    return Fact(when, expr, Kind.CLAIMED)
