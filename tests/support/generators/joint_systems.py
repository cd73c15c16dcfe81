"""Random pushdown systems that share their control states, and an oracle that runs their contexts one by one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.pushdown.transducers.contexts import Joint
from support.generators.pushdown_systems import FAMILIES, Family

W = TypeVar("W")

Weighed = tuple[Joint, Any]

BIT = BitRelations((0, 1))


def _relation(rng: random.Random) -> BitRelation[int]:
    return BIT.relation([(a, b) for a in (0, 1) for b in (0, 1) if rng.random() < 0.5])


JOINT_FAMILIES: list[Family[Any]] = [*FAMILIES[:2], Family("relations", BIT, _relation, lambda rng, call: None)]


def random_systems(
    rng: random.Random,
    family: Family[W],
    states: Sequence[str],
    number: int,
    *,
    recursive: bool = False,
    most: int = 6,
) -> tuple[list[PushdownSystem[W]], Joint]:
    """Return systems of at most `most` rules with disjoint symbols and a start; not `recursive`: stacks stay low."""
    made = [_random_system(rng, family, name, states, recursive, most) for name in "xyz"[:number]]
    return made, Joint(states[0], tuple((f"{name}a0",) for name in "xyz"[:number]))


def _random_system(
    rng: random.Random, family: Family[W], name: str, states: Sequence[str], recursive: bool, most: int
) -> PushdownSystem[W]:
    levels = [[f"{name}{letter}{i}" for i in range(rng.randint(1, 2))] for letter in "abc"]
    symbols = [symbol for level in levels for symbol in level]
    rules = []
    for _ in range(rng.randint(2, most)):
        depth = rng.randrange(3)
        later = symbols if recursive else [symbol for level in levels[depth + 1 :] for symbol in level]
        kind = rng.random()
        push: tuple[str, ...] = ()
        if kind < 0.35 and later:
            push = (rng.choice(later), rng.choice(levels[depth]))
        elif kind < 0.75:
            push = (rng.choice(levels[depth]),)
        weight = family.weight(rng)
        rules.append(Rule(rng.choice(states), rng.choice(levels[depth]), rng.choice(states), push, weight))
    return PushdownSystem.of(family.domain, rules)


def after_context(
    systems: Sequence[PushdownSystem[W]], number: int, before: Iterable[Weighed], family: Family[W], height: int = 99
) -> set[Weighed]:
    """Return the configurations and weights after a context of one system, those before it included."""
    seen = set(before)
    todo = list(seen)
    while todo:
        joint, weight = todo.pop()
        stack = joint.stacks[number]
        for rule in systems[number].given:
            if stack and (rule.source, rule.symbol) == (joint.state, stack[0]):
                value, grown = family.domain.extend(weight, rule.weight), rule.push + stack[1:]
                if value == family.domain.zero or family.is_beyond(value) or len(grown) > height:
                    continue
                stacks = (*joint.stacks[:number], grown, *joint.stacks[number + 1 :])
                after = Joint(rule.target, stacks), value
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
    return seen


def combined(pairs: Iterable[Weighed], family: Family[W]) -> dict[Joint, W]:
    """Return the combined weight of each configuration."""
    found: dict[Joint, W] = {}
    for joint, weight in pairs:
        found[joint] = family.domain.combine(found.get(joint, family.domain.zero), weight)
    return found


def by_switches(systems: Sequence[PushdownSystem[W]], start: Joint, family: Family[W], switches: int) -> dict[Joint, W]:
    """Return what is reached with at most so many switches."""
    now: set[Weighed] = {(start, family.domain.one)}
    for _ in range(switches + 1):
        now = {pair for number in range(len(systems)) for pair in after_context(systems, number, now, family)}
    return combined(now, family)


def by_rounds(systems: Sequence[PushdownSystem[W]], start: Joint, family: Family[W], rounds: int) -> dict[Joint, W]:
    """Return what is reached in so many rounds."""
    now: set[Weighed] = {(start, family.domain.one)}
    for _ in range(rounds):
        for number in range(len(systems)):
            now = after_context(systems, number, now, family)
    return combined(now, family)


def some_joints(rng: random.Random, systems: Sequence[PushdownSystem[Any]], found: Iterable[Joint]) -> list[Joint]:
    """Return a few of the configurations found, and one at random."""
    known = sorted(found, key=str)
    rng.shuffle(known)
    stacks = []
    for system in systems:
        symbols = [rule.symbol for rule in system.given]
        stacks.append(tuple(rng.choice(symbols) for _ in range(rng.randrange(3))))
    return [*known[:4], Joint(known[0].state, tuple(stacks))]
