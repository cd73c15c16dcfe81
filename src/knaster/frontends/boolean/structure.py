"""Finds `if` and `while` in a control-flow graph, for the printer.

Locations are numbered in the order of the text, so a block is an interval [low, high) of locations together with the
location `after`, where control goes on behind it.  The intervals of an `if` or `while` at location k follow from where
its two edges lead and from where its first part leaves to.  That is found from the edges that only the structure of the
text explains: those that are no `goto` to a label.

A graph that no text gives has no shape at some location; `shape` returns None there.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.frontends.boolean.notation import expression_to_text
from knaster.program.expression import TRUE, Expr, Not
from knaster.program.model import Action, Assume, Concurrent, Edge, Location, Procedure, Return, ThreadOperation


@dataclass(frozen=True, slots=True)
class Step:
    """A statement with one successor.  A `return` or `end_thread` leads to the exit by itself."""

    action: Action
    target: Location

    @property
    def is_jump(self) -> bool:
        """Whether a `goto` could stand here."""
        return isinstance(self.action, Assume) and self.action.condition == TRUE

    @property
    def leaves(self) -> bool:
        """Whether the statement never goes on to the next one."""
        action = self.action
        return isinstance(action, Return) or (
            isinstance(action, Concurrent) and action.operation is ThreadOperation.END
        )


@dataclass(frozen=True, slots=True)
class Jump:
    """A `goto` to several labels."""

    targets: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """An assertion."""

    condition: Expr
    target: Location


@dataclass(frozen=True, slots=True)
class Branch:
    """The head of an `if` or `while`."""

    condition: Expr
    yes: Location
    no: Location


Statement = Step | Jump | Check | Branch


class Block(NamedTuple):
    """The locations low .. high - 1; behind them control goes on at `after`."""

    low: Location
    high: Location
    after: Location


class Shape(NamedTuple):
    """An `if` (with an `otherwise` that may be empty) or a `while`; the statement behind it is at `end`."""

    keyword: str
    first: Block
    otherwise: Block
    end: Location


def statement_at(edges: Sequence[Edge], exit: Location) -> Statement | None:
    """Return the statement whose edges these are, None where no single statement has them."""
    actions = [edge.action for edge in edges]
    if len(edges) == 1:
        return Step(edges[0].action, edges[0].target)
    if edges and all(isinstance(action, Assume) and action.condition == TRUE for action in actions):
        return Jump(tuple(edge.target for edge in edges))
    if len(edges) == 2:
        match actions:
            case [Assume(condition), Assume(Not(negated))] if _same(condition, negated):
                yes, no = edges[0].target, edges[1].target
                return Check(condition, yes) if no > exit else Branch(condition, yes, no)
    return None


def _same(left: Expr, right: Expr) -> bool:
    """Compare without recursion: an expression may be thousands of levels deep."""
    return left is right or expression_to_text(left) == expression_to_text(right)


class Structure:
    """The statements of a procedure and the shapes of its blocks; `jumpable` are the locations that `goto` can name."""

    def __init__(self, procedure: Procedure, jumpable: set[Location]) -> None:
        grouped: list[list[Edge]] = [[] for _ in range(procedure.size)]
        for edge in procedure.edges:
            grouped[edge.source].append(edge)
        self.statements = [statement_at(edges, procedure.exit) for edges in grouped[: procedure.exit]]
        self._ranges = _Ranges([self._structural_targets(statement, jumpable) for statement in self.statements])

    @staticmethod
    def _structural_targets(statement: Statement | None, jumpable: set[Location]) -> list[Location]:
        """Return the targets that only the structure of the text can explain."""
        match statement:
            case Step(_, target) if not statement.leaves and not (statement.is_jump and target in jumpable):
                return [target]
            case Check(_, target):
                return [target]
            case Branch(_, yes, no):
                return [yes, no]
        return []

    def shape(self, at: Location, block: Block) -> Shape | None:
        """Return the shape of the `if` or `while` at location `at` of `block`."""
        branch = self.statements[at]
        if not isinstance(branch, Branch):
            return None
        yes, no, body = branch.yes, branch.no, at + 1
        behind = body if body < block.high else block.after  # where control goes on if no statement belongs to it
        nothing = Block(body, body, behind)
        if yes == at:
            return Shape("while", nothing, nothing, body) if no == behind else None
        if yes == no:
            return Shape("if", nothing, nothing, body) if yes == behind else None
        if body < block.high and yes == body:
            return self._shape_of_two(at, no, block)
        if body < block.high and no == body:
            end = yes if body < yes < block.high else block.high if yes == block.after else None
            return None if end is None else Shape("if", nothing, Block(body, end, yes), end)
        return None

    def _shape_of_two(self, at: Location, no: Location, block: Block) -> Shape | None:
        """Return the shape where the first part starts behind `at` and a false condition leads to `no`."""
        body = at + 1
        middle = no if body < no < block.high else block.high if no == block.after else None
        if middle is None:
            return None
        left_to = self._ranges.outside(body, middle)
        nothing = Block(middle, middle, no)
        if left_to is None or left_to == no:
            return Shape("if", Block(body, middle, no), nothing, middle)
        if left_to == at:
            return Shape("while", Block(body, middle, at), nothing, middle)
        end = left_to if middle < left_to < block.high else block.high if left_to == block.after else None
        if end is None or middle == block.high:
            return None
        return Shape("if", Block(body, middle, left_to), Block(middle, end, left_to), end)


class _Ranges:
    """The smallest and the largest target in any interval of locations, by a tree over the locations."""

    def __init__(self, targets: Sequence[Sequence[Location]]) -> None:
        self._size = size = len(targets)
        self._smallest = [size + 1] * size + [min(some, default=size + 1) for some in targets]
        self._largest = [-1] * size + [max(some, default=-1) for some in targets]
        for node in range(size - 1, 0, -1):
            self._smallest[node] = min(self._smallest[2 * node], self._smallest[2 * node + 1])
            self._largest[node] = max(self._largest[2 * node], self._largest[2 * node + 1])

    def outside(self, low: Location, high: Location) -> Location | None:
        """Return a location outside that the interval leads to, None if it leads nowhere else."""
        smallest, largest = self._size + 1, -1
        left, right = low + self._size, high + self._size
        while left < right:
            if left & 1:
                smallest, largest = min(smallest, self._smallest[left]), max(largest, self._largest[left])
                left += 1
            if right & 1:
                right -= 1
                smallest, largest = min(smallest, self._smallest[right]), max(largest, self._largest[right])
            left, right = left >> 1, right >> 1
        if smallest < low:
            return smallest
        return largest if largest >= high else None
