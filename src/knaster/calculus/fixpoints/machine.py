"""Runs a plan, again and again, computing only what changed since the last time.

Everything that does not depend on values (cubes, renamings, literals) is made once, when the machine is built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import and_, or_

from knaster.bdd.store import Bdd, Store, and_exists, exists, rename
from knaster.calculus.fixpoints.plan import GONE, TRUE, Node, Op, Reading, Tick, members
from knaster.calculus.fixpoints.simplify import Simplifier

Environment = Mapping[str, Bdd]
Action = Callable[[Environment], Bdd]


class Machine:
    """One plan with the values of its nodes for the last environment it saw.

    An environment gives each predicate its value.
    """

    def __init__(self, store: Store, root: Node, simplifier: Simplifier, tick: Tick) -> None:
        self.store = store
        self.tick = tick
        self.calls = sorted(root.calls)
        self._simplifier = simplifier
        self._values: list[Bdd] = []
        order = _postorder(root)
        self._index = {node.number: index for index, node in enumerate(order)}
        self._steps = [(node.calls, self._prepare(node)) for node in order]
        self._seen: dict[str, Bdd] = {}

    def run(self, environment: Environment) -> Bdd:
        """Return the value of the plan."""
        values, store, tick = self._values, self.store, self.tick
        changed = {name for name in self.calls if self._seen.get(name) != environment[name]}
        done = len(values)
        try:
            for index, (calls, action) in enumerate(self._steps):
                if index >= done:
                    values.append(action(environment))
                elif calls.isdisjoint(changed):
                    continue
                else:
                    values[index] = action(environment)
                store.collect()
                tick()
        except BaseException:  # some values are new, others old: none of them counts
            values.clear()
            self._seen.clear()
            raise
        for name in changed:
            self._seen[name] = environment[name]
        return values[-1]

    def _prepare(self, node: Node) -> Action:
        """Return the operation of a node, on the values of its operands; it does not refer to the machine."""
        self.tick()
        values, simplifier = self._values, self._simplifier
        places = [self._index[operand.number] for operand in node.operands]
        match node.op:
            case Op.LEAF:
                function = node.function
                assert function is not None
                return lambda environment: function
            case Op.CALL:
                assert node.reading is not None
                return reader(self.store, node.reading)
            case Op.AND | Op.OR:
                operator: Callable[[Bdd, Bdd], Bdd] = and_ if node.op is Op.AND else or_
                if len(places) == 2:
                    one, two = places
                    return lambda environment: operator(values[one], values[two])
                return lambda environment: join([values[place] for place in places], operator)
            case Op.PRODUCT:
                one, two = places
                cube = self.store.cube(members(node.cube))
                return lambda environment: and_exists(values[one], values[two], cube)
            case Op.EXISTS:
                cube = self.store.cube(members(node.cube))
                return lambda environment: exists(values[places[0]], cube)
            case Op.NOT:
                return lambda environment: ~values[places[0]]
            case Op.EQUIVALENT:
                return lambda environment: ~(values[places[0]] ^ values[places[1]])
            case Op.CHOOSE:
                return lambda environment: values[places[0]].ite(values[places[1]], values[places[2]])
            case Op.ASSUME:
                return lambda environment: simplifier.assume(values[places[0]], values[places[1]])
            case Op.COFACTOR:
                return lambda environment: simplifier.cofactor(values[places[0]], values[places[1]])


def reader(store: Store, reading: Reading) -> Action:
    """Return the operation that reads a predicate on arguments."""
    name = reading.name
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
    cube = store.cube([*fixed, *gone])
    literals = store.assignment(fixed)
    renaming = store.renaming(pairs) if pairs else None

    def read(environment: Environment) -> Bdd:
        value = environment[name]
        if fixed:
            value = and_exists(value, literals, cube)
        elif gone:
            value = exists(value, cube)
        return value if renaming is None else rename(value, renaming)

    return read


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
