"""Early quantification: exists x, y, ... of a conjunction, as products of few factors at a time.

1. A conjunct x = y or x = constant for a quantified x is used up: the others read y for x (one-point rule); in a call
   that only changes the arguments.
2. A quantifier moves into a disjunction and into a call (which then never carries the variable along).
3. Variables are eliminated in an order that keeps the supports small: greedily, the elimination whose product has the
   smallest support comes first.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.bdd.store import rename
from knaster.calculus.fixpoints.plan import GONE, TRUE, Link, Node, Op, Planner, Reading, Value, mask_of, members


def exists(planner: Planner, cube: int, node: Node) -> Node:
    """Return a plan for exists cube. node."""
    done: list[Node] = []
    todo = [(cube, part) for part in reversed(planner.disjuncts(node))]
    while todo:
        mask, part = todo.pop()
        mask &= part.support
        if not mask:
            done.append(part)
        elif part.op is Op.EXISTS or part.op is Op.PRODUCT:
            done.append(_eliminate(planner, mask | part.cube, list(part.operands)))
        elif part.op is Op.CALL:
            done.append(_project(planner, mask, part))
        else:
            conjuncts, mask = _use_links(planner, mask, planner.conjuncts(part))
            if len(conjuncts) == 1 and len(planner.disjuncts(conjuncts[0])) > 1:
                todo.extend((mask, each) for each in reversed(planner.disjuncts(conjuncts[0])))
            else:
                done.append(_eliminate(planner, mask, conjuncts))
    return planner.disjoin(done)


def _project(planner: Planner, mask: int, call: Node) -> Node:
    """Quantify the arguments of a call away: inside where a variable occurs once, outside where it occurs twice."""
    reading = call.reading
    assert reading is not None
    inside = {actual for actual in members(mask) if reading.actuals.count(actual) == 1}
    changed = tuple(GONE if actual in inside else actual for actual in reading.actuals)
    inner = planner.call(Reading(reading.name, reading.formals, changed))
    return planner.quantify(mask & ~mask_of(inside), inner)


def _use_links(planner: Planner, mask: int, conjuncts: list[Node]) -> tuple[list[Node], int]:
    """Apply the one-point rule as long as it applies; return what remains to be quantified in what."""
    while True:
        for index, node in enumerate(conjuncts):
            link = _usable(node, mask)
            if link is None:
                continue
            variable, value = link
            rest = conjuncts[:index] + conjuncts[index + 1 :]
            renamed = [substitute(planner, each, {variable: value}) for each in rest]
            conjuncts = [part for each in renamed for part in planner.conjuncts(each)]
            mask &= ~(1 << variable)
            break
        else:
            return list(dict.fromkeys(conjuncts)), mask


def _usable(node: Node, mask: int) -> tuple[int, Value] | None:
    """Return the quantified variable of a link and what it equals."""
    if node.link is None:
        return None
    one, two = node.link
    if mask >> one & 1:
        return one, two
    if two >= 0 and mask >> two & 1:
        return two, one
    return None


def substitute(planner: Planner, node: Node, link: Link) -> Node:
    """Return the node with variables read as others or as constants."""
    concerned = mask_of(link)
    done: dict[int, Node] = {}
    todo = [node]
    while todo:
        current = todo[-1]
        if current.number in done:
            todo.pop()
            continue
        if not current.support & concerned:
            done[current.number] = current
            todo.pop()
            continue
        missing = [each for each in current.operands if each.number not in done]
        if missing:
            todo.extend(missing)
            continue
        todo.pop()
        done[current.number] = _rebuild(planner, current, [done[each.number] for each in current.operands], link)
    return done[node.number]


def _rebuild(planner: Planner, node: Node, operands: list[Node], link: Link) -> Node:
    match node.op:
        case Op.LEAF:
            return _substitute_leaf(planner, node, link)
        case Op.CALL:
            reading = node.reading
            assert reading is not None
            actuals = tuple(link.get(actual, actual) for actual in reading.actuals)
            return planner.call(Reading(reading.name, reading.formals, actuals))
        case Op.NOT:
            return planner.negate(operands[0])
        case Op.AND:
            return planner.conjoin(operands)
        case Op.OR:
            return planner.disjoin(operands)
        case Op.EQUIVALENT:
            return planner.equivalent(*operands)
        case Op.CHOOSE:
            return planner.choose(*operands)
        case Op.EXISTS:
            return planner.quantify(node.cube, operands[0])
        case Op.PRODUCT:
            return planner.product(operands[0], operands[1], node.cube)
        case _:
            return planner.simplify(node.op, *operands)


def _substitute_leaf(planner: Planner, node: Node, link: Link) -> Node:
    if node.link is not None:
        one, two = node.link
        return planner.equal(link.get(one, one), link.get(two, two))
    store = planner.store
    assert node.function is not None
    concerned = {v: target for v, target in link.items() if node.support >> v & 1}
    functions = {v: store.const(t == TRUE) if t < 0 else store.var(t) for v, t in concerned.items()}
    support = node.support & ~mask_of(concerned) | mask_of(t for t in concerned.values() if t >= 0)
    return planner.leaf(rename(node.function, store.substitution(functions)), support)


def _eliminate(planner: Planner, mask: int, conjuncts: Sequence[Node]) -> Node:
    """Eliminate the variables of `mask` from the conjunction, smallest product first."""
    factors = _absorb(planner, list(dict.fromkeys(conjuncts)))
    for index, factor in enumerate(factors):
        others = _support(factors[:index] + factors[index + 1 :])
        alone = mask & factor.support & ~others
        if alone and others:
            is_call = factor.op is Op.CALL
            factors[index] = _project(planner, alone, factor) if is_call else planner.quantify(alone, factor)
    mask &= _support(factors)
    while mask:
        _, cluster, gone = min((_cost(variable, mask, factors) for variable in members(mask)), key=lambda each: each[0])
        factors = [factor for factor in factors if factor not in cluster]
        factors.append(_multiply(planner, cluster, gone))
        mask &= ~gone
    return planner.conjoin(factors)


def _absorb(planner: Planner, factors: list[Node]) -> list[Node]:
    """Join each given function with the smallest factor that has all its variables, so that it delays nothing."""
    for leaf in [factor for factor in factors if factor.op is Op.LEAF]:
        hosts = [f for f in factors if f is not leaf and f.support | leaf.support == f.support]
        if hosts:
            host = min(hosts, key=lambda f: (not f.calls.isdisjoint(planner.volatile), f.support.bit_count()))
            factors = [f for f in factors if f is not leaf and f is not host]
            factors.append(planner.conjoin((host, leaf)))
    return factors


def _cost(variable: int, mask: int, factors: Sequence[Node]) -> tuple[tuple[int, int], list[Node], int]:
    """Return what it costs to eliminate a variable, the factors to multiply, and all variables gone thereby."""
    cluster = [factor for factor in factors if factor.support >> variable & 1]
    inside = _support(cluster)
    gone = mask & inside & ~_support([factor for factor in factors if factor not in cluster])
    return ((inside & ~gone).bit_count(), len(cluster)), cluster, gone


def _support(factors: Sequence[Node]) -> int:
    mask = 0
    for factor in factors:
        mask |= factor.support
    return mask


def _multiply(planner: Planner, cluster: list[Node], gone: int) -> Node:
    """Multiply a cluster; the changing factor with the largest support comes last, so that the others come first."""
    if len(cluster) == 1:
        return planner.quantify(gone, cluster[0])
    ordered = sorted(cluster, key=lambda node: (not node.calls.isdisjoint(planner.volatile), node.support.bit_count()))
    return planner.product(planner.conjoin(ordered[:-1]), ordered[-1], gone)
