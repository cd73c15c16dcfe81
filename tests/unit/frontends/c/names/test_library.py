"""Functions that nobody defines: which mean something, which are refused, which are inputs."""

from __future__ import annotations

import pytest

from knaster.frontends.c.names.library import KNOWN, RANGES, Meaning, is_input, refusal, standard_functions


def test_refusals() -> None:
    refused = [refusal(name) for name in ("pthread_create", "malloc", "longjmp", "scanf")]
    assert len({found.what for found in refused if found is not None}) == 4
    assert refusal("printf") is None and KNOWN["printf"] is Meaning.NOTHING


@pytest.mark.parametrize("name", ["strlen", "isalpha", "atoi", "strtol", "__builtin_clz", "__builtin_ffs", "qsort"])
def test_a_function_of_the_library_is_refused_by_name(name: str) -> None:
    found = refusal(name)
    assert found is not None and name in found.what


def test_what_a_user_declares_is_an_input() -> None:
    assert refusal("read") is None and refusal("my_function") is None
    assert refusal("read", ours=True) is not None


def test_inputs() -> None:
    assert is_input("__VERIFIER_nondet_int") and not is_input("read")
    assert RANGES["rand"] == (0, 2**31 - 1) and refusal("rand") is None


def test_the_standard_functions_are_those_of_our_headers() -> None:
    assert {"printf", "strlen", "qsort", "bsearch", "signal", "div", "sqrtf"} <= standard_functions()
    assert not {"read", "pthread_create", "main"} & standard_functions()
