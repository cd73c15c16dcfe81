"""Steps read as paths: what each straight line between cut points does, as guard and update over expressions.

A path passes where its `guard` holds, and then gives the variables of `update` their values; its inputs are variables
of their own, `?1`, `?2`, ...  So the weakest precondition of a path is a substitution (Gurfinkel, Wei and Chechik
compose statements in the same manner).  Where a procedure has too many paths, locations at which they meet are cut
points too.

The values that parameters and globals had at the entry of the procedure have names of their own (`old`); the paths that
leave the entry give them those values, and what the procedure never changes has its value at the entry everywhere.
Where a loop comes back to the entry, a location of its own, with a path that does nothing else, stands before it.

Calls of inlined procedures are parts of paths: their edges stand between the call and what follows it.  An input of
which a guard says all that matters is no variable any more; the path knows its value.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.records import dataclass, field
from knaster.program.algebra import substitute
from knaster.program.expression import Compare, Comparison, Expr
from knaster.program.model import Edge, Location, Place, Program
from knaster.program.types import Type, Value


class TooLarge(Exception):
    """There are too many paths, or what they do is too long to be written down."""


def definedness(expr: Expr) -> Expr:
    """Return a condition that holds where an expression has a value: whoever translates it says where that is."""
    return Compare(Comparison.EQUAL, expr, expr)


@dataclass(frozen=True, slots=True)
class Input:
    """A value that a path reads: its variable, its type, the position of its edge; its value where it is fixed."""

    name: str
    type: Type
    edge: int
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class StepPath:
    """One straight line from a cut point to the next one."""

    procedure: str
    source: Location
    target: Location
    guard: tuple[Expr, ...]
    update: Mapping[str, Expr] = field(hash=False)
    inputs: tuple[Input, ...] = ()
    edges: tuple[Edge, ...] = field(default=(), compare=False)
    shape: int = 0  # the same for paths that do the same to variables of the same names and types

    @property
    def ends(self) -> tuple[Place, Place]:
        """Where it begins, and where it ends."""
        return (self.procedure, self.source), (self.procedure, self.target)

    def before(self, expr: Expr) -> Expr:
        """Return the weakest precondition of an expression, as far as its value goes."""
        return substitute(expr, self.update)


@dataclass(frozen=True, slots=True)
class CallPath:
    """A call: where it stands, whom it calls, with what, and what it changes."""

    procedure: str
    source: Location
    target: Location
    callee: str
    arguments: Mapping[str, Expr] = field(hash=False)  # the callee's parameters, over the caller's state
    results: Mapping[str, str] = field(hash=False)  # what the caller's variables get: names of the callee
    guard: tuple[Expr, ...] = ()
    edge: Edge = field(default=None, compare=False)  # type: ignore[assignment]
    shape: int = 0


@dataclass(frozen=True, slots=True)
class Paths:
    """A cut program as paths: paths and calls by their sources, and the types of all that expressions speak of."""

    program: Program
    points: Mapping[str, tuple[Location, ...]]
    leaving: Mapping[Place, tuple[StepPath, ...]]
    calls: Mapping[Place, CallPath]
    types: Mapping[str, Mapping[str, Type]]  # by procedure, values at the entry included
    entries: Mapping[str, Place]
    exits: Mapping[str, Place]
    callers: Mapping[str, tuple[CallPath, ...]]
    rigid: Mapping[str, frozenset[str]]  # by procedure: the globals and parameters that it never changes
    scopes: Mapping[str, int]  # the same number for procedures whose variables have the same names and types

    @property
    def main(self) -> str:
        """The procedure in which the program starts."""
        return self.program.threads[0]

    def places(self) -> list[Place]:
        """Return every cut point."""
        return [(name, location) for name, own in self.points.items() for location in own]
