"""What surrounds every proof, changed by hand: another program, entry, version or format, other targets and fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from knaster.checkers.files import proof_to_text
from knaster.program.model import Program
from support.attacks.attack import Attack
from support.kinds_of_proofs import result_with

KINDS = ("path_edges", "configurations", "interference", "stack_table", "state_table", "effect_table", "invariants")
Document = dict[str, Any]
CHANGES: dict[str, Callable[[Document], Document]] = {
    "no targets": lambda proof: {**proof, "targets": []},
    "another program": lambda proof: {**proof, "program": "0" * 64},
    "another entry": lambda proof: {**proof, "entry": "nobody"},
    "another version": lambda proof: {**proof, "version": proof["version"] + 1},
    "another format": lambda proof: {**proof, "format": "knaster program"},
    "one more field": lambda proof: {**proof, "more": 1},
    "no tool": lambda proof: {name: value for name, value in proof.items() if name != "tool"},
    "other options": lambda proof: {**proof, "reading": {"integers": "none"}},
    "a target nowhere": lambda proof: {**proof, "targets": [{**proof["targets"][0], "procedure": "nobody"}]},
    "a target at no place": lambda proof: {**proof, "targets": [{**proof["targets"][0], "location": 10_000}]},
    "a target by another name": lambda proof: {
        **proof,
        "targets": [{**proof["targets"][0], "name": "assert at line 1"}],
    },
    "a target without a place": lambda proof: {**proof, "targets": [{"name": proof["targets"][0]["name"]}]},
}


def attacks() -> Iterator[Attack]:
    """Yield all of them."""
    for kind in KINDS:
        for name in CHANGES:
            yield Attack("envelopes", f"{kind}, {name}", partial(forge, kind, name))


def forge(kind: str, name: str) -> tuple[Program, Document]:
    """Return a program and the changed file of its proof."""
    result = result_with(kind)
    return result.program, CHANGES[name](json.loads(proof_to_text(result)))
