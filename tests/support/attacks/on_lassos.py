"""Wrong lassos of a C program: they leave their cycle, begin elsewhere, or say something else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import knaster
from knaster.checkers.files import proof_to_text
from knaster.program.model import Program
from support.attacks.attack import Attack
from support.c_attacks import INPUTS
from support.kernel import formula

LASSO = "int main(void) { int i = 5, j = 0; while (i > 0) { j = i; i = i == 3 ? 5 : i - 1; } }"


def lasso_changes(data: Any) -> dict[str, dict[str, Any]]:
    """Return lassos that leave the cycle, begin elsewhere, or say something else."""
    (stem, cycle), paths = (data["stem"], data["cycle"]), data["paths"]
    last = paths[cycle[-1]]

    def with_path(number: int, row: Any) -> dict[str, Any]:
        return {"paths": [*paths[:number], row, *paths[number + 1 :]]}

    name, begin, start, steps = last
    return {
        "one step less": with_path(cycle[-1], [name, begin, start, steps[:-1]]),
        "one round less": with_path(cycle[-1], [name, begin, start, steps[: len(steps) // 3]]),
        "no steps": with_path(cycle[-1], [name, begin, start, []]),
        "a step twice": with_path(cycle[-1], [name, begin, start, [*steps, steps[-1]]]),
        "steps backwards": with_path(cycle[-1], [name, begin, start, steps[::-1]]),
        "from the entry": with_path(cycle[-1], [name, None, start, steps]),
        "other values": with_path(cycle[-1], [name, begin, [value + 1 for value in start], steps]),
        "a value more": with_path(cycle[-1], [name, begin, [*start, 0], steps]),
        "a huge value": with_path(cycle[-1], [name, begin, [1 << 40, *start[1:]], steps]),
        "a truth value": with_path(cycle[-1], [name, begin, [True, *start[1:]], steps]),
        "another procedure": with_path(cycle[-1], ["nobody", begin, start, steps]),
        "an input too many": with_path(cycle[-1], [name, begin, start, [[steps[0][0], [1], None], *steps[1:]]]),
        "a path inside": with_path(cycle[-1], [name, begin, start, [[steps[0][0], [], 0], *steps[1:]]]),
        "an edge that is none": with_path(cycle[-1], [name, begin, start, [[999, [], None], *steps[1:]]]),
        "the stem is the cycle": {"stem": cycle},
        "the cycle is the stem": {"cycle": stem},
        "no cycle": {"cycle": []},
        "two cycles": {"cycle": [*cycle, *cycle]},
        "a path that is none": {"cycle": [99]},
        "deeper": {"deeper": True},
        "a set that it leaves": {"set": formula("i > 4")},
        "a set that is not recurrent": {"set": formula("i > 0 and j >= 0 and j < 9")},
        "everything": {"set": formula("True")},
        "inputs of no set": {"inputs": [[0, 1]]},
        "a set that is a number": {"set": formula("i")},
    }


@lru_cache
def prove_endless() -> knaster.Result:
    """Return a run that never ends."""
    return knaster.check(INPUTS + LASSO, file="p.c", property="termination", engine="search")


NAMES = tuple(lasso_changes({"stem": [0], "cycle": [0], "paths": [["", 0, [0], [[0, [], None]]]]}))


def attacks() -> Iterator[Attack]:
    """Yield all of them."""
    for name in NAMES:
        yield Attack("lassos", name, partial(changed_lasso, name))


def changed_lasso(name: str) -> tuple[Program, dict[str, Any]]:
    """Return the program and the changed file."""
    result = prove_endless()
    proof = json.loads(proof_to_text(result))
    return result.program, {**proof, "lasso": {**proof["lasso"], **lasso_changes(proof["lasso"])[name]}}
