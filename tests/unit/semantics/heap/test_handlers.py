"""Handlers: the first that fits an exception at a location counts."""

from __future__ import annotations

from dataclasses import replace

from knaster.program.objects import Handler
from knaster.semantics.heap.handlers import handler
from support.building import SKIP, procedure

OWN = replace(procedure("main", [SKIP]), handlers=(Handler(3, "A", 5), Handler(3, None, 6), Handler(4, "B", 7)))


def test_who_handles_it() -> None:
    assert handler(OWN, 3, "A") == 5 and handler(OWN, 3, "B") == 6 and handler(OWN, 4, "B") == 7
    assert handler(OWN, 4, "A") is None and handler(OWN, 2, "A") is None
