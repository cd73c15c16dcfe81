"""Proof files with one thing changed: a row dropped, doubled or swapped, a number or a truth value replaced."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

ENVELOPE = ("format", "version", "tool", "file", "program", "entry", "targets", "reading")
Document = dict[str, Any]


def changed_proof(rng: Random, document: Document, times: int = 1) -> Document:
    """Return a copy of a document whose proof has so many changes; what all files have is left alone."""
    changed = copy.deepcopy(document)
    for _ in range(times):
        lists = list(_lists({name: part for name, part in changed.items() if name not in ENVELOPE}))
        if not lists:
            break
        _change(rng, rng.choice(lists))
    return changed


def _lists(data: Any) -> Iterator[Any]:
    """Yield each list and object in it that is not empty."""
    todo = [data]
    while todo:
        here = todo.pop()
        inner = here if isinstance(here, list) else list(here.values()) if isinstance(here, dict) else []
        if inner and here is not data:
            yield here
        todo += [part for part in inner if isinstance(part, list | dict)]


def _change(rng: Random, here: Any) -> None:
    keys = list(range(len(here))) if isinstance(here, list) else list(here)
    key = rng.choice(keys)
    match rng.randrange(6):
        case 0 if isinstance(here, list):
            del here[key]
        case 1 if isinstance(here, list):
            here.insert(key, copy.deepcopy(here[key]))
        case 2:
            other = rng.choice(keys)
            here[key], here[other] = here[other], here[key]
        case 3:
            here[key] = copy.deepcopy(here[rng.choice(keys)])
        case _:
            here[key] = _other_value(rng, here[key])


def _other_value(rng: Random, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((0, 1, value + 1, value - 1, value + 2, rng.randrange(20)))
    if isinstance(value, str):
        return rng.choice(("", value + "x", "main", "+", "-", "<", "<=", "&"))
    if value is None:
        return rng.choice((0, 1, "main"))
    if isinstance(value, list) and value:
        return value[: rng.randrange(len(value))] if rng.random() < 0.5 else rng.sample(value, len(value))
    return rng.choice((None, 0, [], {}))
