"""Parts of a proof file, read without trust."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from knaster.base.errors import ProofError
from knaster.evidence.proofs.reading import has_keys, list_of, names, node, numbers, truths, values


def test_what_is_right() -> None:
    assert node([1, 2, 3]) == (1, 2, 3) and numbers([]) == () and names(["a", "a"]) == frozenset("a")
    assert truths([True]) == (True,) and values([1, True, [2, [3]]]) == (1, True, (2, (3,)))
    has_keys({"a": 1, "b": 2}, {"a", "b"}, "it")


def _list(found: object) -> object:
    return list_of(found, "it")


def _keys(found: object) -> object:
    return has_keys(found, {"a"}, "it")  # type: ignore[func-returns-value]


WRONG: dict[Callable[[object], object], list[object]] = {
    node: [[1, 2], [1, 2, 3, 4], [1, 2, True], [1, 2, 3.0], None],
    numbers: [[True], ["1"], [None], (1,)],
    names: [[1], "ab", {"a": 1}],
    truths: [[1], [0], "x"],
    values: [["1"], [1.5], [None], [[{}]]],
    _list: [{}, "ab", None],
    _keys: [{}, {"a": 1, "b": 2}, [], None],
}


@pytest.mark.parametrize(("read", "entry"), [(read, entry) for read, entries in WRONG.items() for entry in entries])
def test_what_is_wrong(read: Callable[[object], object], entry: object) -> None:
    with pytest.raises(ProofError, match="this is no proof"):
        read(entry)
