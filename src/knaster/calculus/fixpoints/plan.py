"""Plans: formulas as shared graphs of BDD operations.

A `Node` is one operation.  Equal operations are one node, so common subformulas are computed once.  `calls` tells
which predicates a node reads, `support` (a bit set) which BDD variables its value may depend on.

Predicates in `volatile` change while a fixed point is computed; operands that read none of them are grouped, so that
they are combined once and not in every round.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import Enum, auto

from knaster.base.records import dataclass
from knaster.bdd.store import Bdd, Store

Value = int  # a BDD variable, or one of the three below
FALSE, TRUE, GONE = -1, -2, -3  # constants; quantified away


class Op(Enum):
    """What a node does with its operands."""

    LEAF = auto()  # a given function
    CALL = auto()  # a predicate's value on arguments
    NOT = auto()
    AND = auto()
    OR = auto()
    EQUIVALENT = auto()
    CHOOSE = auto()
    EXISTS = auto()
    PRODUCT = auto()  # exists cube. left and right
    ASSUME = auto()
    COFACTOR = auto()


@dataclass(frozen=True, slots=True)
class Reading:
    """How a call reads a predicate's value: a `Value` for each BDD variable of its parameters."""

    name: str
    formals: tuple[int, ...]
    actuals: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One operation of a plan."""

    number: int
    op: Op
    operands: tuple[Node, ...]
    support: int
    calls: frozenset[str]
    function: Bdd | None = None  # of a LEAF
    link: tuple[int, Value] | None = None  # of a LEAF: it says that a variable equals another or a constant
    reading: Reading | None = None  # of a CALL
    cube: int = 0  # of EXISTS and PRODUCT


Link = Mapping[int, Value]
Tick = Callable[[], None]  # called between the steps of a long computation; may raise to stop it


def members(mask: int) -> list[int]:
    """Return the elements of a bit set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def mask_of(variables: Iterable[int]) -> int:
    """Return a bit set."""
    mask = 0
    for variable in variables:
        mask |= 1 << variable
    return mask


class Planner:
    """Makes nodes; the same node for the same operation."""

    def __init__(self, store: Store, tick: Tick = lambda: None) -> None:
        self.store = store
        self._tick = tick  # called for every operation that is planned
        self.volatile: frozenset[str] = frozenset()
        self._nodes: dict[Hashable, Node] = {}
        self.true = self.leaf(store.true, 0)
        self.false = self.leaf(store.false, 0)

    def _make(
        self,
        op: Op,
        operands: tuple[Node, ...],
        support: int,
        function: Bdd | None = None,
        link: tuple[int, Value] | None = None,
        reading: Reading | None = None,
        cube: int = 0,
    ) -> Node:
        key = (op, tuple(each.number for each in operands), function, link, reading, cube)
        node = self._nodes.get(key)
        self._tick()
        if node is None:
            calls = frozenset((reading.name,)) if reading else frozenset().union(*(each.calls for each in operands))
            node = Node(len(self._nodes), op, operands, support, calls, function, link, reading, cube)
            self._nodes[key] = node
        return node

    def leaf(self, function: Bdd, support: int) -> Node:
        """Return a given function of the variables `support`."""
        return self._make(Op.LEAF, (), support, function)

    def equal(self, one: Value, two: Value) -> Node:
        """Return that two BDD variables or constants are equal."""
        if one < 0:
            one, two = two, one
        if one < 0:
            return self.true if one == two else self.false
        var = self.store.var
        if two < 0:
            return self._make(Op.LEAF, (), 1 << one, var(one) if two == TRUE else ~var(one), (one, two))
        if one == two:
            return self.true
        one, two = min(one, two), max(one, two)
        return self._make(Op.LEAF, (), 1 << one | 1 << two, ~(var(one) ^ var(two)), (one, two))

    def call(self, reading: Reading) -> Node:
        """Return a predicate's value on arguments."""
        support = mask_of(actual for actual in reading.actuals if actual >= 0)
        return self._make(Op.CALL, (), support, reading=reading)

    def negate(self, node: Node) -> Node:
        """Return the complement."""
        if node.op is Op.NOT:
            return node.operands[0]
        if node.function is not None:
            return self._make(Op.LEAF, (), node.support, ~node.function, self._opposite(node))
        return self._make(Op.NOT, (node,), node.support)

    def _opposite(self, node: Node) -> tuple[int, Value] | None:
        if node.link is not None and node.link[1] < 0:
            return node.link[0], FALSE if node.link[1] == TRUE else TRUE
        return None

    def conjoin(self, nodes: Iterable[Node]) -> Node:
        """Return the conjunction."""
        return self._combine(Op.AND, (part for node in nodes for part in self.conjuncts(node)))

    def disjoin(self, nodes: Iterable[Node]) -> Node:
        """Return the disjunction."""
        return self._combine(Op.OR, (part for node in nodes for part in self.disjuncts(node)))

    def conjuncts(self, node: Node) -> list[Node]:
        """Return nodes whose conjunction is `node`."""
        return self._parts(node, Op.AND, Op.OR)

    def disjuncts(self, node: Node) -> list[Node]:
        """Return nodes whose disjunction is `node`."""
        return self._parts(node, Op.OR, Op.AND)

    def _parts(self, node: Node, op: Op, dual: Op) -> list[Node]:
        found: list[Node] = []
        todo = [node]
        while todo:
            current = todo.pop()
            if current.op is op:
                todo.extend(reversed(current.operands))
            elif current.op is Op.NOT and current.operands[0].op is dual:
                todo.extend(self.negate(part) for part in reversed(current.operands[0].operands))
            else:
                found.append(current)
        return found

    def _combine(self, op: Op, parts: Iterable[Node]) -> Node:
        neutral, absorbing = (self.true, self.false) if op is Op.AND else (self.false, self.true)
        distinct = {part.number: part for part in parts if part is not neutral}
        if absorbing.number in distinct:
            return absorbing
        still, moving = self._split(distinct.values())
        if moving and len(still) > 1:
            moving.insert(0, self._flat(op, still, neutral))
            return self._flat(op, moving, neutral)
        return self._flat(op, [*still, *moving], neutral)

    def _flat(self, op: Op, nodes: Sequence[Node], neutral: Node) -> Node:
        if len(nodes) < 2:
            return nodes[0] if nodes else neutral
        support = 0
        for node in nodes:
            support |= node.support
        return self._make(op, tuple(nodes), support)

    def _split(self, nodes: Iterable[Node]) -> tuple[list[Node], list[Node]]:
        still: list[Node] = []
        moving: list[Node] = []
        for node in nodes:
            (still if node.calls.isdisjoint(self.volatile) else moving).append(node)
        return still, moving

    def equivalent(self, left: Node, right: Node) -> Node:
        """Return that both sides agree."""
        return self._make(Op.EQUIVALENT, (left, right), left.support | right.support)

    def choose(self, condition: Node, then: Node, otherwise: Node) -> Node:
        """Return `then` where the condition holds, else `otherwise`."""
        if then is otherwise:
            return then
        if otherwise is self.false:
            return self.conjoin((condition, then))
        if otherwise is self.true:
            return self.disjoin((self.negate(condition), then))
        support = condition.support | then.support | otherwise.support
        return self._make(Op.CHOOSE, (condition, then, otherwise), support)

    def simplify(self, op: Op, body: Node, care: Node) -> Node:
        """Return `body assume care` or `body cofactor care`."""
        if op is Op.ASSUME:
            care = self.quantify(care.support & ~body.support, care)  # what `assume` does with these variables anyway
        return self._make(op, (body, care), body.support | care.support)

    def quantify(self, cube: int, node: Node) -> Node:
        """Return exists cube. node, as one operation."""
        cube &= node.support
        return self._make(Op.EXISTS, (node,), node.support & ~cube, cube=cube) if cube else node

    def product(self, left: Node, right: Node, cube: int) -> Node:
        """Return exists cube. left and right, as one operation."""
        support = left.support | right.support
        cube &= support
        if not cube or left is self.true or right is self.true:
            return self.quantify(cube, self.conjoin((left, right)))
        return self._make(Op.PRODUCT, (left, right), support & ~cube, cube=cube)
