"""Every number, list and name of a proof file, just outside of what it may be: refused by name, never stumbled over."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.bdd.nodes import MalformedNodes
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.table import PROOFS, ProofKind
from support.kinds_of_proofs import ASKED, result_with

KINDS = {kind.name: kind for kind in PROOFS}
MOST = {"sequential_program": 10, "reduced_threads": 20}  # places of one document; it is read slowly
Way = tuple[str | int, ...]


def places(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Yield every value inside a document, and how to get there."""
    if way:
        yield way, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*way, key))


def others(value: Any) -> Iterator[Any]:
    """Yield what may stand in the place of a value: numbers next to every limit, other lengths, other types."""
    if type(value) is int:
        yield from (-1, *range(0, 26), 10**12, True, None, "1")
    elif isinstance(value, list):
        yield from (value[:-1], [*value, 0], [*value, *value[:1]], [], None, {}, 3)
    elif isinstance(value, dict):
        yield from ({}, [], None, {**value, "more": 1})
    elif isinstance(value, bool):
        yield from (not value, 2, None)
    else:
        yield from ("nowhere", "", 7, [value], None)


def with_other(document: dict[str, Any], way: Way, new: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    inner: Any = changed
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = new
    return changed


def reads(kind: ProofKind, document: dict[str, Any]) -> bool:
    try:
        kind.from_fields(document, result_with(kind.name).program, 1 << 12, Budget())
    except (ProofError, MalformedNodes):
        return False
    return True


@pytest.mark.parametrize("name", sorted(set(ASKED) & set(KINDS)))
def test_what_is_next_to_a_limit_is_read_or_refused(name: str) -> None:
    kind = KINDS[name]
    document = json.loads(proof_to_text(result_with(name)))
    own = {field: value for field, value in document.items() if field in kind.fields}
    assert reads(kind, document)
    every = [(way, value) for field, inner in own.items() for way, value in places(inner, (field,))]
    most = MOST.get(name, 40)
    chosen = every if len(every) <= most else [every[number * len(every) // most] for number in range(most)]
    refused = 0
    for way, value in chosen:
        for new in others(value):
            refused += not reads(kind, with_other(document, way, new))
    assert refused > len(chosen) // 2
