"""Functions that nobody defines: which are refused, and the type of an input."""

from __future__ import annotations

import pytest

from knaster.frontends.c.names.library import KNOWN, Meaning, nondeterministic, refusal
from knaster.frontends.c.names.types import FLOAT, INT, POINTER, Boolean, CType, Integer


@pytest.mark.parametrize(
    ("kind", "type"),
    [
        ("int", INT),
        ("uint", Integer(32, False)),
        ("long", Integer(64)),
        ("ulong", Integer(64, False)),
        ("uchar", Integer(8, False)),
        ("size_t", Integer(64, False)),
        ("loff_t", Integer(64, True)),
        ("U16", Integer(16, False)),
        ("bool", Boolean()),
        ("double", FLOAT),
        ("charp", POINTER),
        ("whatever", INT),
    ],
)
def test_inputs(kind: str, type: CType) -> None:
    assert nondeterministic(f"__VERIFIER_nondet_{kind}", 64) == type


def test_other_names_are_no_inputs() -> None:
    assert nondeterministic("read", 64) is None and nondeterministic("__VERIFIER_nondet_long", 32) == INT


def test_refusals() -> None:
    refused = [refusal(name) for name in ("pthread_create", "malloc", "longjmp", "scanf")]
    assert len({found.what for found in refused if found is not None}) == 4
    assert refusal("printf") is None and KNOWN["printf"] is Meaning.NOTHING
