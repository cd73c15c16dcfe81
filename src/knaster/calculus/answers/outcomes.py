"""Records of what a request gives: a truth value, a count, a size, a text, a witness, or why there is no answer."""

from __future__ import annotations

from knaster.base.records import dataclass
from knaster.calculus.language.values import Value


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of a query."""

    text: str
    line: int
    value: bool


@dataclass(frozen=True, slots=True)
class Size:
    """The number of BDD nodes of a predicate's value."""

    name: str
    line: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Count:
    """The number of tuples in a predicate's value, out of all there are."""

    name: str
    line: int
    count: int
    out_of: int


@dataclass(frozen=True, slots=True)
class Text:
    """What `#print`, `#dump` and `#timer` print."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a formula is true (or false): its kind, its text, the values of its variables, and the reasons below."""

    kind: str
    text: str
    values: tuple[tuple[str, Value], ...]
    children: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class WitnessTree:
    """Why a query is true (a witness) or false (a counterexample)."""

    text: str
    line: int
    value: bool
    root: Reason


@dataclass(frozen=True, slots=True)
class Undefined:
    """A request without an answer, because rounds repeat without becoming stable."""

    text: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A request that was not answered, because a limit was reached."""

    text: str
    line: int
    reason: str


Outcome = Truth | Size | Count | Text | WitnessTree | Undefined | Unanswered
