"""Proof files of every kind that are changed at random and claim what is not so: none is believed."""

from __future__ import annotations

import pytest

from support.fuzz.proofs import is_believed, run, sources


def test_none_is_believed() -> None:
    done = run(0, 75)
    assert done.total() == 75 and len(done) == 23


@pytest.mark.slow
def test_none_of_thousands_is_believed() -> None:
    assert run(1_000, 4_000).total() == 4_000


def test_the_file_itself_is_not_believed() -> None:
    """The proof of another text, as it is."""
    for source in sources():
        assert not is_believed(source, source.document)
