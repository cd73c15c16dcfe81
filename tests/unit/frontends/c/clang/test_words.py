"""Declarations of what verifiers call."""

from __future__ import annotations

from knaster.frontends.c.clang.words import declarations_of


def test_only_words_that_mean_something_are_declared() -> None:
    found = declarations_of(["assert", "mine", "__VERIFIER_nondet_uint", "__VERIFIER_nondet_whatever"])
    assert found == "void assert(_Bool);\nunsigned __VERIFIER_nondet_uint();"
