"""Macros of the system headers under both data models."""

from __future__ import annotations

import pytest

from knaster.frontends.c.text.headers import macros_of


@pytest.mark.parametrize(("model", "long", "word"), [("LP64", 64, "unsigned long"), ("ILP32", 32, "unsigned int")])
def test_what_depends_on_the_data_model(model: str, long: int, word: str) -> None:
    assert macros_of("limits.h", model)["LONG_MAX"] == f"{2 ** (long - 1) - 1}L"
    assert macros_of("stddef.h", model)["size_t"] == word
    assert macros_of("stdint.h", model)["int64_t"] == f"signed {'long' if long == 64 else 'long long'}"


def test_limits() -> None:
    found = macros_of("limits.h", "LP64")
    assert (found["INT_MAX"], found["INT_MIN"], found["UINT_MAX"]) == ("2147483647", "(-2147483647-1)", "4294967295U")
    assert (found["SCHAR_MIN"], found["UCHAR_MAX"], found["USHRT_MAX"]) == ("(-127-1)", "255", "65535")


def test_a_header_without_macros() -> None:
    assert macros_of("assert.h", "LP64") == {}
