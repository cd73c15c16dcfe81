"""Random pushdown systems with weights, and an oracle that enumerates their runs one step at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from knaster.pushdown.automaton import Automaton, Edge, Inner
from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.genkill import GenKill
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.merge import Merge, projecting_merge
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import Configuration, PushdownSystem, Rule, merge_weights

W = TypeVar("W")


@dataclass(frozen=True)
class Family(Generic[W]):
    """A domain with random weights; `ceiling` tells which weights the oracle gives up on."""

    name: str
    domain: Semiring[W]
    weight: Callable[[random.Random], W]
    merge: Callable[[random.Random, W], Merge[W] | None]
    is_beyond: Callable[[W], bool] = lambda weight: False


def _relation(rng: random.Random) -> BitRelation[int]:
    return RELATIONS.relation([(a, b) for a in range(4) for b in range(4) if rng.random() < 0.35])


def _projecting(rng: random.Random, call: BitRelation[int]) -> Merge[BitRelation[int]] | None:
    return projecting_merge(RELATIONS, call, PROJECT) if rng.random() < 0.6 else None


def _remembering(rng: random.Random, call: BitRelation[int]) -> Merge[BitRelation[int]] | None:
    """Return a merge without path extension: of the caller's effect only its domain is kept."""

    def merge(caller: BitRelation[int], callee: BitRelation[int]) -> BitRelation[int]:
        domain = RELATIONS.relation({(source, source) for source, _ in caller})
        return RELATIONS.extend(domain, PROJECT(RELATIONS.extend(call, callee)))

    return Merge(merge, path_extension=False) if rng.random() < 0.6 else _projecting(rng, call)


RELATIONS = BitRelations(range(4))
PROJECT = RELATIONS.projection(lambda state: (state // 2, state % 2))
FACTS = GenKill(["x", "y", "z"])


def _transformer(rng: random.Random) -> Any:
    kinds = {fact: rng.randrange(3) for fact in ("x", "y", "z")}
    return FACTS.transformer(
        gen=[fact for fact, kind in kinds.items() if kind == 0],
        kill=[fact for fact, kind in kinds.items() if kind == 1],
    )


FAMILIES: list[Family[Any]] = [
    Family("boolean", Boolean(), lambda rng: True, lambda rng, call: None),
    Family("minpath", MinPath(), lambda rng: rng.randrange(4), lambda rng, call: None, lambda weight: weight > 60),
    Family("relations", RELATIONS, _relation, _projecting),
    Family("genkill", FACTS, _transformer, lambda rng, call: None),
]


RELAXED: Family[Any] = Family("relaxed", RELATIONS, _relation, _remembering)


def random_system(
    rng: random.Random, family: Family[W], *, recursive: bool = True, merges: bool = True
) -> PushdownSystem[W]:
    """Return a small system; where it is not `recursive`, a callee only pushes symbols of a later level."""
    states = [f"p{i}" for i in range(rng.randint(1, 3))]
    levels = [[f"{letter}{i}" for i in range(rng.randint(1, 3))] for letter in "abc"]
    symbols = [symbol for level in levels for symbol in level]
    rules: list[Rule[W]] = []
    for _ in range(rng.randint(3, 10)):
        depth = rng.randrange(3)
        same, later = (
            (symbols, symbols) if recursive else (levels[depth], [s for lv in levels[depth + 1 :] for s in lv])
        )
        push: tuple[str, ...] = ()
        kind = rng.random()
        if kind < 0.3 and later:
            push = (rng.choice(later), rng.choice(same))
            if kind < 0.04 and recursive:
                push = (rng.choice(later), *push)
        elif kind < 0.75:
            push = (rng.choice(same),)
        weight = family.weight(rng)
        merge = family.merge(rng, weight) if merges and len(push) == 2 else None
        rules.append(Rule(rng.choice(states), rng.choice(levels[depth]), rng.choice(states), push, weight, merge))
    return PushdownSystem.of(family.domain, rules)


def random_configuration(rng: random.Random, system: PushdownSystem[W], height: int = 2) -> Configuration:
    """Return a configuration in the names of the system."""
    states = sorted({state for rule in system.given for state in (rule.source, rule.target)}, key=str)
    symbols = sorted({symbol for rule in system.given for symbol in (rule.symbol, *rule.push)}, key=str)
    return Configuration(rng.choice(states), tuple(rng.choice(symbols) for _ in range(rng.randint(0, height))))


def weighted_set(configurations: Sequence[tuple[Configuration, W]]) -> Automaton[W]:
    """Return the automaton that accepts the configurations with their weights; an empty stack must have weight 1."""
    edges: list[Edge[W]] = []
    final: set[Any] = set()
    for number, (configuration, weight) in enumerate(configurations):
        source: Any = configuration.state
        for depth, symbol in enumerate(configuration.stack):
            target = Inner(number, depth)
            edges.append(Edge(source, symbol, target, weight if depth == 0 else None))
            source = target
        final.add(source)
    return Automaton(tuple(edges), frozenset(final), frozenset(each.state for each, _ in configurations))


@dataclass(frozen=True)
class Point(Generic[W]):
    """A configuration and the stack of weights of section 3.2.2 with which a run reached it."""

    state: Any
    stack: tuple[Any, ...]
    top: W
    frames: tuple[tuple[W, int], ...]


def enumerate_runs(
    system: PushdownSystem[W], starts: Sequence[tuple[Configuration, W]], family: Family[W], *, height: int, points: int
) -> tuple[dict[Configuration, W], bool]:
    """Return the combined value of the runs to every configuration, and whether all runs were followed to the end.

    Runs that leave `height` or whose weight is beyond the family's ceiling are not followed; only the former counts as
    giving up, and so does running out of `points`.
    """
    domain = system.domain
    found: dict[Configuration, W] = {}
    todo = [Point(c.state, c.stack, weight, ()) for c, weight in starts]
    seen = set(todo)
    complete = True
    while todo:
        point = todo.pop()
        value = point.top
        for caller, number in reversed(point.frames):
            value = domain.extend(domain.extend(caller, system.rules[number].weight), value)
        configuration = Configuration(point.state, point.stack)
        found[configuration] = domain.combine(found.get(configuration, domain.zero), value)  # 0 may end in a return
        for number, rule in enumerate(system.rules):
            if not point.stack or rule.source != point.state or rule.symbol != point.stack[0]:
                continue
            after = _fire(system, point, number)
            if len(after.stack) > height or len(seen) > points:
                complete = False
            elif after not in seen and after.top != domain.zero and not family.is_beyond(after.top):
                seen.add(after)
                todo.append(after)
    return found, complete


def _fire(system: PushdownSystem[W], point: Point[W], number: int) -> Point[W]:
    domain, rule = system.domain, system.rules[number]
    stack = rule.push + point.stack[1:]
    if len(rule.push) == 2:
        return Point(rule.target, stack, domain.one, (*point.frames, (point.top, number)))
    top = domain.extend(point.top, rule.weight)
    if not rule.push and point.frames:
        caller, call = point.frames[-1]
        return Point(rule.target, stack, merge_weights(domain, system.rules[call], caller, top), point.frames[:-1])
    return Point(rule.target, stack, top, point.frames)
