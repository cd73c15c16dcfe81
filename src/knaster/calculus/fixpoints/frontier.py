"""Frontier evaluation: what is new in a formula's value when its predicates grow.

Let D grow some predicates X to X ∪ ΔX.  The conjunction, the disjunction and ∃ distribute over union in each operand
separately, so the new part of f is the union, over the occurrences of the predicates in f, of f with this occurrence
read as Δ and the others as the new value:

    new(a ∧ b) = new(a) ∧ b  ∪  a ∧ new(b)        new(a ∨ b) = new(a) ∪ new(b)        new(∃x. a) = ∃x. new(a)

A relation that occurs twice thus gives two terms.  (One Δ for all occurrences at once, as in muCKE, misses the pairs of
an old and a new element.)  Below a negation or an `assume` nothing distributes; there the formula itself stands for
its new part, which is always sound: f(X) ∪ new(f) = f(X ∪ ΔX) needs only f(new) ⊇ new(f) ⊇ f(new) \\ f(old).
"""

from __future__ import annotations

from knaster.calculus.fixpoints.plan import Node, Op, Planner, Reading

DELTA = "Δ"  # no identifier of the language starts with it


def delta(name: str) -> str:
    """Return the name under which a plan reads what is new in a predicate."""
    return DELTA + name


def derive(planner: Planner, root: Node, names: frozenset[str]) -> Node:
    """Return a plan for what is new in `root` when the predicates `names` grow."""
    if root.calls.isdisjoint(names):  # a call that the formula mentions may be gone from the plan
        return planner.false
    done: dict[int, Node] = {}
    todo = [root]
    while todo:
        node = todo[-1]
        if node.number in done:
            todo.pop()
            continue
        moving = [operand for operand in node.operands if not operand.calls.isdisjoint(names)]
        distributes = node.op in (Op.AND, Op.OR, Op.EXISTS, Op.PRODUCT)
        missing = [operand for operand in moving if operand.number not in done] if distributes else []
        if missing:
            todo.extend(missing)
            continue
        todo.pop()
        done[node.number] = _new_part(planner, node, moving, done)
    return done[root.number]


def _new_part(planner: Planner, node: Node, moving: list[Node], done: dict[int, Node]) -> Node:
    match node.op:
        case Op.CALL:
            reading = node.reading
            assert reading is not None
            return planner.call(Reading(delta(reading.name), reading.formals, reading.actuals))
        case Op.OR:
            return planner.disjoin(done[operand.number] for operand in moving)
        case Op.EXISTS:
            return planner.quantify(node.cube, done[node.operands[0].number])
        case Op.AND:
            return planner.disjoin(
                planner.conjoin(done[each.number] if each is one else each for each in node.operands) for one in moving
            )
        case Op.PRODUCT:
            left, right = node.operands
            terms = []
            if left in moving:
                terms.append(planner.product(done[left.number], right, node.cube))
            if right in moving:
                terms.append(planner.product(left, done[right.number], node.cube))
            return planner.disjoin(terms)
        case _:
            return node
