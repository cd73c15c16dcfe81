"""Sets of stacks against contexts that are run one by one; every closed table is checked again.

`KNASTER_EXAMPLES=20 pytest tests/differential/test_all_contexts.py` checks 2,000 groups of systems of each kind.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from knaster.pushdown.switching.all_contexts import has_finite_contexts, reach_all_contexts
from knaster.pushdown.switching.recheck import why_not_closed
from support.generators.joint_systems import JOINT_FAMILIES, after_context, random_systems

GROUPS = 100 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
BOOLEAN = JOINT_FAMILIES[0]
HEIGHT = 5


@pytest.mark.parametrize("recursive", [False, True])
def test_any_number_of_contexts(recursive: bool) -> None:
    closed = later = unbounded = 0
    for seed in range(GROUPS):
        rng = random.Random(f"all contexts {recursive} {seed}")
        states = "pqrs"[: rng.randint(2, 4)]
        systems, start = random_systems(rng, BOOLEAN, states, rng.choice((2, 2, 3)), recursive=recursive, most=10)
        inside = rng.choice(["", "q"])

        def is_open(state: object, inside: str = inside) -> bool:
            return state != inside

        found = reach_all_contexts(systems, start, is_open=is_open, most=12)
        closed += found.closed
        finite = all(map(has_finite_contexts, systems))
        unbounded += not finite
        later += any(contexts > 2 for contexts in found.least.values())
        assert not found.closed or why_not_closed(found) == "", seed
        now: set[tuple[Any, Any]] = {(start, True)}
        least: dict[Any, int] = {}
        for contexts in range(1, 5):
            after: set[tuple[Any, Any]] = set()
            for number in range(len(systems)):
                reached = after_context(systems, number, now, BOOLEAN, height=HEIGHT)
                for joint, _ in reached:
                    stack = joint.stacks[number]
                    least.setdefault((number, joint.state, stack[0] if stack else None), contexts)
                after |= {pair for pair in reached if is_open(pair[0].state)}
            now = after
        cut = any(len(stack) >= HEIGHT for joint, _ in now for stack in joint.stacks)
        ours = {key: contexts for key, contexts in found.least.items() if contexts <= 4}
        if cut:
            assert all(ours[key] <= contexts for key, contexts in least.items()), seed
        else:
            assert ours == least, seed
    assert closed > GROUPS * 0.9 and later > GROUPS / 20
    assert (unbounded > GROUPS / 5) is recursive
