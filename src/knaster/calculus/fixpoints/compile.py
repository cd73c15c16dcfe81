"""Compiles formulas to plans: graphs of BDD operations.

Quantifiers run over values, and the value of a predicate holds for values only: codes that denote nothing are excluded,
unless the formula does so already (`validity`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.base.trampoline import Steps, run
from knaster.bdd.store import Bdd, Store
from knaster.calculus.fixpoints.allocate import Allocation
from knaster.calculus.fixpoints.plan import FALSE, TRUE, Node, Op, Planner, Reading, Tick, Value, mask_of
from knaster.calculus.fixpoints.quantify import exists
from knaster.calculus.fixpoints.validity import Implications
from knaster.calculus.language import formula as core
from knaster.calculus.language.formula import Bit, Formula, Predicate, Variable


class Compiler:
    """Turns the formulas of one system into plans."""

    def __init__(
        self, store: Store, allocation: Allocation, predicates: Mapping[str, Predicate], tick: Tick = lambda: None
    ) -> None:
        self.planner = Planner(store, tick)
        self.allocation = allocation
        self.predicates = predicates
        self._implications = Implications(predicates)
        self._valid: dict[tuple[tuple[int, ...], int], Node] = {}

    def formals(self, predicate: Predicate) -> tuple[int, ...]:
        """Return the BDD variables of all bits of the parameters, in order."""
        return tuple(level for each in predicate.parameters for level in self.allocation.levels[each.number])

    def valid(self, variables: Iterable[Variable], given: Node | None = None) -> Node:
        """Return that the variables hold codes of values; what `given` implies is left out."""
        parts: list[Node] = []
        for variable in variables:
            for leaf in variable.type.leaves():
                size, width = leaf.type.size, leaf.type.width
                levels = self.allocation.levels[variable.number][leaf.offset : leaf.offset + width]
                if size < 1 << width and (given is None or not self._implications.implies(given, levels, size)):
                    parts.append(self._in_range(levels, size))
        return self.planner.conjoin(parts)

    def _in_range(self, levels: tuple[int, ...], size: int) -> Node:
        node = self._valid.get((levels, size))
        if node is None:
            function = at_most(self.planner.store, levels, size - 1)
            node = self._valid[levels, size] = self.planner.leaf(function, mask_of(levels))
        return node

    def body(self, predicate: Predicate, volatile: frozenset[str]) -> Node:
        """Return a plan for the value of a predicate, restricted to valid arguments."""
        assert predicate.body is not None
        self.planner.volatile = volatile
        body = run(self._plan(predicate.body))
        return self.planner.conjoin((self.valid(predicate.parameters, body), body))

    def compile_closed(self, formula: Formula) -> Node:
        """Return a plan for a formula outside every recursion."""
        self.planner.volatile = frozenset()
        return run(self._plan(formula))

    def _plan(self, formula: Formula) -> Steps[Node]:
        planner = self.planner
        match formula:
            case core.Truth(value):
                return planner.true if value else planner.false
            case core.Fixed(bits, values):
                return planner.conjoin(
                    planner.equal(self._level(bit), TRUE if v else FALSE) for bit, v in zip(bits, values, strict=True)
                )
            case core.Same(left, right):
                return planner.conjoin(
                    planner.equal(self._level(one), self._level(two)) for one, two in zip(left, right, strict=True)
                )
            case core.Order():
                return self._order(formula)
            case core.Call(name, arguments):
                actuals = tuple(self._actual(entry) for argument in arguments for entry in argument)
                return planner.call(Reading(name, self.formals(self.predicates[name]), actuals))
            case core.Exists(variables, body):
                inner: Node = yield self._plan(body)
                return self._exists(variables, inner)
        nodes: list[Node] = []
        for operand in core.operands(formula):
            node: Node = yield self._plan(operand)
            nodes.append(node)
        match formula:
            case core.Not():
                return planner.negate(nodes[0])
            case core.And():
                return planner.conjoin(nodes)
            case core.Or():
                return planner.disjoin(nodes)
            case core.Equivalent():
                return planner.equivalent(*nodes)
            case core.Choose():
                return planner.choose(*nodes)
            case core.Simplify(kind):
                return planner.simplify(Op.ASSUME if kind == "assume" else Op.COFACTOR, *nodes)
        raise AssertionError(formula)

    def _level(self, bit: Bit) -> int:
        return self.allocation.levels[bit.variable][bit.position]

    def _actual(self, entry: Bit | bool) -> Value:
        if isinstance(entry, bool):
            return TRUE if entry else FALSE
        return self._level(entry)

    def _exists(self, variables: Sequence[Variable], inner: Node) -> Node:
        cube = mask_of(level for variable in variables for level in self.allocation.levels[variable.number])
        return exists(self.planner, cube, self.planner.conjoin((self.valid(variables, inner), inner)))

    def _order(self, formula: core.Order) -> Node:
        store = self.planner.store
        left = [self._level(bit) for bit in formula.left]
        right = [self._level(bit) for bit in formula.right]
        function = compare(store, formula.operator, left, right, formula.shift)
        return self.planner.leaf(function, mask_of([*left, *right]))


def at_most(store: Store, levels: Sequence[int], bound: int) -> Bdd:
    """Return that the number in the variables, most significant first, is at most `bound`."""
    result = store.true
    for index, level in enumerate(reversed(levels)):
        variable = store.var(level)
        result = ~variable | result if bound >> index & 1 else ~variable & result
    return result


def compare(store: Store, operator: str, left: Sequence[int], right: Sequence[int], shift: int) -> Bdd:
    """Return left operator right + shift for the numbers in the variables; operator is =, < or <=.

    The sum is formed bit by bit in two's complement, wide enough not to overflow.
    """
    width = max(len(left), len(right), shift.bit_length()) + 2
    wide_left = _extend(store, left, width)
    total: list[Bdd] = []
    carry = store.false
    for index, bit in enumerate(_extend(store, right, width)):
        other = store.const(bool(shift >> index & 1))
        total.append(bit ^ other ^ carry)
        carry = bit & other | carry & (bit ^ other)
    total[-1], wide_left[-1] = ~total[-1], ~wide_left[-1]  # so that signed order is order of the codes
    result = store.const(operator != "<")
    for mine, other in zip(wide_left, total, strict=True):
        equal = ~(mine ^ other)
        result = equal & result if operator == "=" else ~mine & other | equal & result
    return result


def _extend(store: Store, levels: Sequence[int], width: int) -> list[Bdd]:
    """Return the bits of a number, least significant first, filled up with zeros."""
    bits = [store.var(level) for level in reversed(levels)]
    return bits + [store.false] * (width - len(bits))
