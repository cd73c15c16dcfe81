"""Weighted post* and pre* over any bounded idempotent semiring, with merge functions: the readable reference.

Lal (PhD thesis, University of Wisconsin, 2009): pre* is Figure 2.13 with the merge of Figure 3.3; post* is Figure
2.14 with the merge of Figure 3.4, argument order as there.  (n) is production n of Figure 2.13 or 2.14.  Differences:
weights ascend in a least solution (`least.py`); a return is computed from the caller's own transition and the call
rule, so the weight pairs of Figure 3.4 and its assumption of one push rule per (p', g', g'') are not needed, and (6) is
done once at the end.

Notation: t = (p, g, q) a transition, l(t) its weight, r a rule <p, g> -> <p', u>, f(r) its weight, g_r its merge
function, mid = p'_g' the state that post* adds for the entry g' of a callee, `empty` the empty word.
A rule of weight 0 never fires.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

from knaster.base.errors import UsageError
from knaster.pushdown.numbering import NONE, NumberedAutomaton, RuleTable
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.system import PushdownSystem, merge_weights
from knaster.pushdown.tick import Tick, with_ticks

W = TypeVar("W")

Pair = tuple[int, int]
Triple = tuple[int, int, int]  # the transition (p, g, q)


def saturate_post(
    system: PushdownSystem[W], automaton: NumberedAutomaton[W], relation: LeastSolution[Triple, W]
) -> Sequence[int]:
    """Let `relation` grow to the transitions of post*(L(automaton)), read backward.

    Return the states that it added, numbered after those of the automaton: p' << 32 | g' for every callee entry.
    """
    domain, table, rules, empty = system.domain, system.table, system.rules, automaton.empty
    add, extend, weight, name = relation.add, domain.extend, relation.value, relation.name
    firing = _by_left_side(table, system, relation.tick)
    middle = middle_states(table, len(automaton.states.names))
    calls: defaultdict[int, dict[Pair, None]] = defaultdict(dict)  # mid -> (caller's transition, call rule)
    returns: defaultdict[int, dict[int, None]] = defaultdict(dict)  # q -> empty transitions into q
    reading: defaultdict[int, list[int]] = defaultdict(list)  # q -> transitions of the automaton that leave q

    for edge in _edges(automaton):  # (1)
        add(edge[:3], edge[3])
    for t, (q, _, _) in enumerate(name):
        reading[q].append(t)
    for t in relation.changes():
        p, g, q = name[t]
        if g == empty:
            returns[q][t] = None
            for caller, r in calls[q]:  # (3), q = mid
                below = merge_weights(domain, rules[r], weight[caller], weight[t])
                add((p, table.second[r], name[caller][2]), below, r, caller, t)
            for read in reading[q]:  # (3), q a state of the automaton
                _, symbol, end = name[read]
                add((p, symbol, end), extend(weight[read], weight[t]), NONE, read, t)
            continue
        if p >= automaton.controls:
            continue
        for r in firing.get((p, g), ()):
            to, first = table.target[r], table.first[r]
            if first == NONE:  # (2)
                add((to, empty, q), extend(weight[t], rules[r].weight), r, t)
            elif table.second[r] == NONE:  # (4)
                add((to, first, q), extend(weight[t], rules[r].weight), r, t)
            else:
                mid = middle[to, first]
                add((to, first, mid), domain.one)  # (5)
                calls[mid][t, r] = None
                for returned in returns[mid]:  # (3)
                    below = merge_weights(domain, rules[r], weight[t], weight[returned])
                    add((name[returned][0], table.second[r], q), below, r, t, returned)
    relation.close()
    for mid in middle.values():  # (6)
        for caller, r in calls[mid]:
            waiting = extend(weight[caller], rules[r].weight)
            add((mid, table.second[r], name[caller][2]), waiting, r, caller)
    return [state << 32 | symbol for state, symbol in middle]


def saturate_pre(
    system: PushdownSystem[W], automaton: NumberedAutomaton[W], relation: LeastSolution[Triple, W]
) -> Sequence[int]:
    """Let `relation` grow to the transitions of pre*(L(automaton)), read forward.  It adds no state.

    Raises `UsageError` for a merge function without path extension, for which pre* means something else (section
    3.2.3).
    """
    if not system.has_path_extension():
        raise UsageError("pre* needs merge functions with path extension; use post*")
    domain, table, rules = system.domain, system.table, system.rules
    add, extend, weight, name = relation.add, domain.extend, relation.value, relation.name
    steps, pushes = _by_right_side(table, system, relation.tick)
    leaving: defaultdict[Pair, dict[int, None]] = defaultdict(dict)  # (q, g) -> transitions (q, g, ·)
    pending: defaultdict[Pair, dict[Pair, W]] = defaultdict(dict)  # (q1, g'') -> what waits for (q1, g'', ·)

    for edge in _edges(automaton):  # (1)
        add(edge[:3], edge[3])
    for r in _usable(system, relation.tick):
        if table.first[r] == NONE:  # (2)
            add((table.source[r], table.symbol[r], table.target[r]), rules[r].weight, r)
    for t in relation.changes():
        q, g, q1 = name[t]
        leaving[q, g][t] = None
        for r in steps.get((q, g), ()):  # (3)
            add((table.source[r], table.symbol[r], q1), extend(rules[r].weight, weight[t]), r, t)
        for r in pushes.get((q, g), ()):  # (4), t is the callee
            if q1 < automaton.controls:
                callee = merge_weights(domain, rules[r], domain.one, weight[t])
            else:
                callee = extend(rules[r].weight, weight[t])
            pending[q1, table.second[r]][r, t] = callee
            for t2 in leaving[q1, table.second[r]]:
                add((table.source[r], table.symbol[r], name[t2][2]), extend(callee, weight[t2]), r, t, t2)
        for (r, t1), callee in pending[q, g].items():  # (4), t is what follows the callee
            add((table.source[r], table.symbol[r], q1), extend(callee, weight[t]), r, t1, t)
    return ()


def middle_states(table: RuleTable, count: int) -> dict[Pair, int]:
    """Return the state p'_g' of every callee entry (p', g'), numbered from `count` in the order of the rules."""
    middle: dict[Pair, int] = {}
    for target, first, second in zip(table.target, table.first, table.second, strict=True):
        if second != NONE:
            middle.setdefault((target, first), count + len(middle))
    return middle


def _usable(system: PushdownSystem[W], tick: Tick | None) -> Iterator[int]:
    zero = system.domain.zero
    return (number for number, rule in enumerate(with_ticks(system.rules, tick)) if rule.weight != zero)


def _by_left_side(table: RuleTable, system: PushdownSystem[W], tick: Tick | None) -> dict[Pair, list[int]]:
    firing: dict[Pair, list[int]] = {}
    for r in _usable(system, tick):
        firing.setdefault((table.source[r], table.symbol[r]), []).append(r)
    return firing


def _by_right_side(
    table: RuleTable, system: PushdownSystem[W], tick: Tick | None
) -> tuple[dict[Pair, list[int]], dict[Pair, list[int]]]:
    steps: dict[Pair, list[int]] = {}
    pushes: dict[Pair, list[int]] = {}
    for r in _usable(system, tick):
        if table.first[r] != NONE:
            index = steps if table.second[r] == NONE else pushes
            index.setdefault((table.target[r], table.first[r]), []).append(r)
    return steps, pushes


def _edges(automaton: NumberedAutomaton[W]) -> Iterator[tuple[int, int, int, W]]:
    return zip(automaton.source, automaton.symbol, automaton.target, automaton.weight, strict=True)
