"""All attacks that are made by hand, in one list."""

from __future__ import annotations

from collections.abc import Iterator

from support.attacks import (
    on_envelopes,
    on_invariants,
    on_lassos,
    on_measures,
    on_memory,
    on_memory_run,
    other_memory_texts,
    other_texts,
)
from support.attacks.attack import Attack

GROUPS = (
    other_texts,
    other_memory_texts,
    on_envelopes,
    on_invariants,
    on_measures,
    on_lassos,
    on_memory,
    on_memory_run,
)


def all_attacks() -> Iterator[Attack]:
    """Yield every attack."""
    for group in GROUPS:
        yield from group.attacks()
