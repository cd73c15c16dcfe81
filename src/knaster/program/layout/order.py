"""Variable orders: from how often variables meet in statements, a line in which those that meet are near.

`affinity` is FORCE (Aloul, Markov, Sakallah: FORCE: a fast and easy-to-implement variable-ordering heuristic, GLSVLSI
2003): every statement pulls its variables towards their centre of gravity, until the total span stops shrinking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from knaster.program.expression import Binary, Choice, Conditional, Const, Expr, Var, postorder
from knaster.program.model import Assign, Assume, Call, Procedure, Program, Return

Meetings = Mapping[frozenset[str], int]  # variables that meet in a statement, and how often
Order = Callable[[Sequence[str], Meetings], list[str]]

_ROUNDS = 30
_SMALL = 6
_LARGE = 200  # a statement of more variables says nothing of who should stand next to whom


def declaration(names: Sequence[str], meetings: Meetings) -> list[str]:
    """Return the names as they were declared."""
    return list(names)


def affinity(names: Sequence[str], meetings: Meetings) -> list[str]:
    """Return the names so that those that meet often are near each other."""
    chosen = set(names)
    edges = [(sorted(edge & chosen), weight) for edge, weight in meetings.items()]
    edges = [(edge, weight) for edge, weight in edges if len(edge) > 1]
    orders = [list(names), _neighbours_first(names, edges)]
    orders += [_settle(order, edges) for order in orders]
    return min(orders, key=lambda order: _span(order, edges))


def with_groups_together(order: Order, groups: Sequence[Sequence[str]]) -> Order:
    """Return an order that keeps each group of names together as it is, and puts the first group on top.

    The first name of a group is a variable, the others are copies of it.
    """
    if not groups:
        return order
    head = frozenset(groups[0])
    whole = {group[0]: group for group in groups[1:]}
    leader = {name: group[0] for group in groups[1:] for name in group}

    def arrange(names: Sequence[str], meetings: Meetings) -> list[str]:
        units = list(dict.fromkeys(leader.get(name, name) for name in names if name not in head))
        met: Counter[frozenset[str]] = Counter()
        for edge, weight in meetings.items():
            if all(leader.get(name, name) == name for name in edge):  # copies meet wherever threads are interrupted
                met[edge - head] += weight
        present = set(names)
        ordered = [name for unit in order(units, met) for name in whole.get(unit, (unit,)) if name in present]
        return [*(name for name in groups[0] if name in present), *ordered]

    return arrange


def _neighbours_first(names: Sequence[str], edges: Sequence[tuple[list[str], int]]) -> list[str]:
    """Return the names in an order that follows each by those that it meets most often, depth first."""
    links: dict[str, Counter[str]] = {name: Counter() for name in names}
    for edge, weight in edges:
        if len(edge) > _LARGE:
            continue
        for name in edge:
            for other in edge:
                if other != name:
                    links[name][other] += weight
    order: dict[str, None] = {}
    for name in names:
        stack = [name]
        while stack:
            name = stack.pop()
            if name not in order:
                order[name] = None
                stack += [other for other, _ in sorted(links[name].items(), key=lambda link: (link[1], link[0]))]
    return list(order)


def _settle(order: list[str], edges: Sequence[tuple[list[str], int]]) -> list[str]:
    """Return the order after every statement has pulled its variables together, as long as that helps."""
    best, best_span = order, _span(order, edges)
    for _ in range(_ROUNDS):
        position = {name: index for index, name in enumerate(order)}
        pull = dict.fromkeys(order, 0.0)
        total = dict.fromkeys(order, 0)
        for edge, weight in edges:
            centre = sum(position[name] for name in edge) / len(edge)
            for name in edge:
                pull[name] += weight * centre
                total[name] += weight
        places = {name: pull[name] / total[name] if total[name] else float(position[name]) for name in order}
        order = sorted(order, key=places.__getitem__)
        span = _span(order, edges)
        if span >= best_span:
            break
        best, best_span = order, span
    return best


ORDERS: Mapping[str, Order] = {"auto": affinity, "declaration": declaration}


def count_meetings(program: Program, procedure: Procedure) -> Meetings:
    """Return which variables of `procedure` meet in its statements."""
    found: Counter[frozenset[str]] = Counter()
    for edge in procedure.edges:
        match edge.action:
            case Assume(condition):
                found.update(_groups(condition))
            case Assign(targets, values, constraint):
                found.update(_groups(constraint))
                for target, value in zip(targets, values, strict=True):
                    found.update(_groups(value, target))
            case Return(values):
                for name, value in zip(procedure.results, values, strict=False):
                    found.update(_groups(value, name))
            case Call(_, arguments, _):
                for argument in arguments:
                    found.update(_groups(argument))
    found.update(_groups(procedure.enforce))
    found.update(_groups(program.init))
    return found


def _groups(expr: Expr, target: str = "") -> Iterator[frozenset[str]]:
    """Yield the variables that meet in each small part of an expression, and those of the whole with the target.

    In `(a = b) & (c = d)` a should stand by b rather than by c.
    """
    whole = {target} if target else set()
    stack: list[frozenset[str] | None] = []  # None: more than a few
    for node in postorder(expr):
        kind = type(node)
        if isinstance(node, Var):
            whole.add(node.name)
            stack.append(frozenset((node.name,)))
        elif kind is Binary or kind is Conditional:
            parts = [stack.pop() for _ in range(2 if kind is Binary else 3)]
            known = [part for part in parts if part is not None]
            together = known[0].union(*known[1:]) if known else frozenset()
            small = len(together) <= _SMALL and len(known) == len(parts)
            if small and len(together) > 1:
                yield together
            stack.append(together if small else None)
        elif kind is Const or kind is Choice:
            stack.append(frozenset())
    yield frozenset(whole)


def _span(order: Sequence[str], edges: Sequence[tuple[list[str], int]]) -> int:
    position = {name: index for index, name in enumerate(order)}
    span = 0
    for edge, weight in edges:
        places = [position[name] for name in edge]
        span += weight * (max(places) - min(places))
    return span
