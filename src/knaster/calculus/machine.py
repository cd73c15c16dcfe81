"""Runs a plan, again and again, computing only what changed since the last time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import and_, or_

from knaster.calculus.plan import GONE, TRUE, Node, Op, Reading, members
from knaster.calculus.simplify import Simplifier
from knaster.symbolic.bdd import Bdd, Store, and_exists, exists, rename

Tick = Callable[[], None]


class Machine:
    """One plan with the values of its nodes for the last environment it saw.

    An environment gives each predicate its value.
    """

    def __init__(self, store: Store, root: Node, simplifier: Simplifier, tick: Tick) -> None:
        self.store = store
        self.root = root
        self.tick = tick
        self.calls = sorted(root.calls)
        self._order = _postorder(root)
        self._simplifier = simplifier
        self._values: dict[int, Bdd] = {}
        self._seen: dict[str, Bdd] = {}

    def run(self, environment: Mapping[str, Bdd]) -> Bdd:
        """Return the value of the plan."""
        values = self._values
        changed = {name for name in self.calls if self._seen.get(name) != environment[name]}
        for node in self._order:
            if node.number not in values or not node.calls.isdisjoint(changed):
                values[node.number] = self._compute(node, environment)
                self.store.collect()
                self.tick()
        for name in changed:
            self._seen[name] = environment[name]
        return values[self.root.number]

    def _compute(self, node: Node, environment: Mapping[str, Bdd]) -> Bdd:
        values = self._values
        operands = node.operands
        match node.op:
            case Op.LEAF:
                assert node.function is not None
                return node.function
            case Op.CALL:
                assert node.reading is not None
                return read(self.store, environment[node.reading.name], node.reading)
            case Op.AND:
                return join([values[operand.number] for operand in operands], and_)
            case Op.OR:
                return join([values[operand.number] for operand in operands], or_)
            case Op.PRODUCT:
                left, right = values[operands[0].number], values[operands[1].number]
                return and_exists(left, right, self.store.cube(members(node.cube)))
            case Op.EXISTS:
                return exists(values[operands[0].number], self.store.cube(members(node.cube)))
            case Op.NOT:
                return ~values[operands[0].number]
            case Op.EQUIVALENT:
                return ~(values[operands[0].number] ^ values[operands[1].number])
            case Op.CHOOSE:
                condition, then, otherwise = (values[operand.number] for operand in operands)
                return condition.ite(then, otherwise)
            case Op.ASSUME:
                return self._simplifier.assume(values[operands[0].number], values[operands[1].number])
            case Op.COFACTOR:
                return self._simplifier.cofactor(values[operands[0].number], values[operands[1].number])


def read(store: Store, value: Bdd, reading: Reading) -> Bdd:
    """Return the value of a predicate on arguments."""
    fixed: dict[int, bool] = {}
    gone: list[int] = []
    pairs: dict[int, int] = {}
    for formal, actual in zip(reading.formals, reading.actuals, strict=True):
        if actual == GONE:
            gone.append(formal)
        elif actual < 0:
            fixed[formal] = actual == TRUE
        elif formal != actual:
            pairs[formal] = actual
    if fixed:
        value = and_exists(value, store.assignment(fixed), store.cube([*fixed, *gone]))
    elif gone:
        value = exists(value, store.cube(gone))
    return rename(value, store.renaming(pairs)) if pairs else value


def join(functions: list[Bdd], operator: Callable[[Bdd, Bdd], Bdd]) -> Bdd:
    """Combine functions, neighbours first: with many of them, operands of equal size cost least.  Requires: some."""
    while len(functions) > 1:
        last = functions[-1:] if len(functions) % 2 else []
        functions = [*map(operator, functions[::2], functions[1::2]), *last]
    return functions[0]


def _postorder(root: Node) -> list[Node]:
    """Return the nodes below `root`, operands first, each once."""
    order: list[Node] = []
    done: set[int] = set()
    todo: list[tuple[Node, bool]] = [(root, False)]
    while todo:
        node, ready = todo.pop()
        if node.number in done:
            continue
        if ready:
            done.add(node.number)
            order.append(node)
        else:
            todo.append((node, True))
            todo.extend((operand, False) for operand in reversed(node.operands))
    return order
