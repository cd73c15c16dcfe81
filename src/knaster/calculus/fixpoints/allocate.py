"""Gives every bit of every declared variable its BDD variable, after the constraints of the file.

Variables of one type share a *lane*: a sequence of *rows*, one for each bit of the type in its order.  A row holds the
same bit of several *copies*, so copies are interleaved.  Two variables need different copies only where one can see
the other, so the number of BDD variables is that of the largest scope, and a relation whose arguments stand in the
copies of its parameters needs no renaming.

A variable that is passed for, or compared with, a component of a larger one lies in the rows of that component.
`a ~- b` keeps two variables of one type in different lanes, `a ~+ b` interleaves even different types, `a < b` orders
lanes, or copies in one lane.  What contradicts earlier choices is dropped: constraints first, then calls and equalities
between whole variables, equal classes, calls and equalities with components, neighbours of one type, and types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from knaster.base.records import dataclass
from knaster.calculus.language import formula as core
from knaster.calculus.language.constraints import put_before, topological
from knaster.calculus.language.formula import Bit, Formula, Predicate, Variable
from knaster.calculus.language.syntax import Constraint

Rank = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Allocation:
    """The BDD variables: how many, and for each declared variable those of its bits."""

    count: int
    levels: tuple[tuple[int, ...], ...]

    def level(self, bit: Bit) -> int:
        """Return the BDD variable of a bit."""
        return self.levels[bit.variable][bit.position]

    def below(self, variables: int) -> Allocation:
        """Return the same below so many other variables."""
        return Allocation(self.count, tuple(tuple(level + variables for level in each) for each in self.levels))


class _Lanes:
    """A partition of the declared variables into lanes."""

    def __init__(self, variables: Sequence[Variable]) -> None:
        self.lane = list(range(len(variables)))
        self.rows: list[list[int]] = []  # of each variable, by bit
        for variable in variables:
            rows = [0] * variable.type.width
            for row, bit in enumerate(variable.type.order):
                rows[bit] = row
            self.rows.append(rows)
        self.members = [[number] for number in range(len(variables))]
        self.length = [variable.type.width for variable in variables]
        self.apart: list[tuple[int, int]] = []  # pairs of variables under `~-`
        self.order: list[tuple[int, int]] = []  # pairs of variables under `<`

    def align(self, left: Sequence[Bit], right: Sequence[Bit]) -> None:
        """Put the bits of both sides in the same rows, pairwise, where one side fills its lane."""
        if not left or not right:
            return
        one, two = self.lane[left[0].variable], self.lane[right[0].variable]
        if one == two:
            return
        rows_one = [self.rows[bit.variable][bit.position] for bit in left]
        rows_two = [self.rows[bit.variable][bit.position] for bit in right]
        fills_one, fills_two = self._fills(one, rows_one), self._fills(two, rows_two)
        if fills_two and not (fills_one and len(self.members[two]) > len(self.members[one])):
            self._merge(two, dict(zip(rows_two, rows_one, strict=True)), one)
        elif fills_one:
            self._merge(one, dict(zip(rows_one, rows_two, strict=True)), two)

    def must_be_apart(self, one: int, two: int) -> bool:
        """Tell whether some other lane must stand between those of two variables."""
        ends = {self.lane[one], self.lane[two]}
        after: dict[int, set[int]] = {}
        for first, second in self.order:
            after.setdefault(self.lane[first], set()).add(self.lane[second])
        for start in ends:
            todo = list(after.get(start, set()) - ends)
            seen = set(todo)
            while todo:
                reached = after.get(todo.pop(), set())
                if reached & (ends - {start}):
                    return True
                todo.extend(reached - seen)
                seen |= reached
        return False

    def _fills(self, lane: int, rows: list[int]) -> bool:
        return len(rows) == self.length[lane] and len(set(rows)) == len(rows)

    def _merge(self, lane: int, mapping: Mapping[int, int], into: int) -> None:
        if len(set(mapping.values())) < len(mapping):
            return
        for one, two in self.apart:
            for mine, other in ((one, two), (two, one)):
                concerned = self.lane[mine] == lane and self.lane[other] == into
                if concerned and {mapping[row] for row in self.rows[mine]} & set(self.rows[other]):
                    return
        for member in self.members[lane]:
            self.lane[member] = into
            self.rows[member] = [mapping[row] for row in self.rows[member]]
        self.members[into] += self.members[lane]
        self.members[lane] = []


def allocate(
    variables: Sequence[Variable],
    predicates: Iterable[Predicate],
    closed: Iterable[Formula],
    ranks: Mapping[str, Sequence[Rank]] = MappingProxyType({}),
) -> Allocation:
    """Return an allocation for all predicates and for closed formulas.

    `ranks` may say of a type where each of its bits is to stand: rows are in the order of their ranks then, and bits of
    one rank, whichever type and copy they belong to, are neighbours.
    """
    definitions = list(predicates)
    formulas = [definition.body for definition in definitions if definition.body is not None] + list(closed)
    lanes = _Lanes(variables)
    for definition in definitions:
        _constrain(lanes, definition.parameters, definition.constraints)
    by_name = {definition.name: definition for definition in definitions}
    whole: list[tuple[Sequence[Bit], Sequence[Bit]]] = []
    partial: list[tuple[Sequence[Bit], Sequence[Bit]]] = []
    neighbours = [definition.parameters for definition in definitions]
    for formula in formulas:
        for part in core.subformulas(formula):
            pairs: list[tuple[Sequence[Bit], Sequence[Bit]]] = []
            match part:
                case core.Call(name, arguments):
                    for parameter, argument in zip(by_name[name].parameters, arguments, strict=True):
                        bits = [bit for bit in argument if isinstance(bit, Bit)]
                        if bits:
                            pairs.append((bits, parameter.bits()))
                case core.Same(left, right):
                    pairs.append((left, right))
                case core.Exists(quantified):
                    neighbours.append(quantified)
            for one, two in pairs:
                if one and two:
                    is_whole = all(len(side) == variables[side[0].variable].type.width for side in (one, two))
                    (whole if is_whole else partial).append((one, two))
    for one, two in whole:
        lanes.align(one, two)
    _share(lanes, [variable for variable in variables if not variable.type.is_basic])
    for one, two in partial:
        lanes.align(one, two)
    for group in neighbours:
        for first, second in pairwise(group):
            if first.type.name == second.type.name and not lanes.must_be_apart(first.number, second.number):
                lanes.align(first.bits(), second.bits())
    _share(lanes, variables)
    copies = _copies(lanes, definitions, formulas)
    return _levels(variables, lanes, copies, ranks)


def _share(lanes: _Lanes, variables: Iterable[Variable]) -> None:
    """Put variables of one type in one lane."""
    first: dict[str, Variable] = {}
    for variable in variables:
        other = first.setdefault(variable.type.name, variable)
        if not lanes.must_be_apart(other.number, variable.number):
            lanes.align(other.bits(), variable.bits())


def _constrain(lanes: _Lanes, parameters: Sequence[Variable], hints: Iterable[Constraint]) -> None:
    named = {parameter.name: parameter for parameter in parameters}
    joined: list[tuple[Variable, Variable]] = []
    for hint in hints:
        one, two = named[hint.left], named[hint.right]
        if hint.operator == "<":
            lanes.order.append((one.number, two.number))
        elif hint.operator == "~-":
            lanes.apart.append((one.number, two.number))
        else:
            joined.append((one, two))
    for one, two in joined:
        shared = min(one.type.width, two.type.width)
        lanes.align(
            [Bit(one.number, bit) for bit in one.type.order[:shared]],
            [Bit(two.number, bit) for bit in two.type.order[:shared]],
        )


def _copies(lanes: _Lanes, definitions: Sequence[Predicate], formulas: Iterable[Formula]) -> dict[int, int]:
    """Return a copy for each variable, the smallest that no visible variable in the same rows has."""
    copies: dict[int, int] = {}
    before: dict[int, set[int]] = {number: set() for number in range(len(lanes.lane))}
    for one, two in lanes.order:
        if lanes.lane[one] == lanes.lane[two]:
            put_before(before, one, two)
    bodies: list[tuple[tuple[Variable, ...], Formula | None]] = [(d.parameters, d.body) for d in definitions]
    with_body = {id(definition.body) for definition in definitions}
    bodies += [((), formula) for formula in formulas if id(formula) not in with_body]
    for parameters, body in bodies:
        taken: dict[tuple[int, int], set[int]] = {}
        sorted_parameters = topological([parameter.number for parameter in parameters], before)
        for number in sorted_parameters:
            _choose(lanes, number, taken, copies)
        todo: list[tuple[Formula, bool]] = [(body, False)] if body is not None else []
        while todo:
            formula, leaving = todo.pop()
            if isinstance(formula, core.Exists):
                for variable in formula.variables:
                    if leaving:
                        _release(lanes, variable.number, taken, copies)
                    else:
                        _choose(lanes, variable.number, taken, copies)
                if leaving:
                    continue
                todo.append((formula, True))
            todo.extend((part, False) for part in reversed(core.operands(formula)))
    return copies


def _choose(lanes: _Lanes, number: int, taken: dict[tuple[int, int], set[int]], copies: dict[int, int]) -> None:
    sets = [taken.setdefault((lanes.lane[number], row), set()) for row in lanes.rows[number]]
    copy = 0
    while any(copy in used for used in sets):
        copy += 1
    for used in sets:
        used.add(copy)
    copies[number] = copy


def _release(lanes: _Lanes, number: int, taken: dict[tuple[int, int], set[int]], copies: dict[int, int]) -> None:
    for row in lanes.rows[number]:
        taken[lanes.lane[number], row].discard(copies[number])


def _levels(
    variables: Sequence[Variable], lanes: _Lanes, copies: Mapping[int, int], ranks: Mapping[str, Sequence[Rank]]
) -> Allocation:
    """Number the slots (lane, row, copy) in use: by rank, else lanes by their constraints, else by first appearance."""
    appearing = list(dict.fromkeys(lanes.lane))
    before: dict[int, set[int]] = {lane: set() for lane in appearing}
    for one, two in lanes.order:
        if lanes.lane[one] != lanes.lane[two]:
            put_before(before, lanes.lane[one], lanes.lane[two])
    place = {lane: position for position, lane in enumerate(topological(appearing, before))}
    slots = {
        (place[lanes.lane[variable.number]], row, copies.get(variable.number, 0))
        for variable in variables
        for row in lanes.rows[variable.number]
    }
    ranked: dict[tuple[int, int], Rank] = {}
    for variable in variables:
        for row, rank in zip(lanes.rows[variable.number], ranks.get(variable.type.name, ()), strict=False):
            ranked.setdefault((place[lanes.lane[variable.number]], row), rank)
    ordered = sorted(slots, key=lambda slot: (ranked.get(slot[:2], ()), slot))
    level = {slot: index for index, slot in enumerate(ordered)}
    levels = tuple(
        tuple(level[place[lanes.lane[v.number]], row, copies.get(v.number, 0)] for row in lanes.rows[v.number])
        for v in variables
    )
    return Allocation(len(slots), levels)
