"""Properties of SV-COMP: what is asked for each, and what is refused."""

from __future__ import annotations

import pytest

from knaster.base.errors import KnasterError, UsageError
from knaster.competition.properties import formula_of_kind, read_specification


@pytest.mark.parametrize(
    ("text", "asks", "target", "word"),
    [
        ("CHECK( init(main()), LTL(G ! call(reach_error())) )", "reach", "reach_error", "false(unreach-call)"),
        (
            "#\n\nCHECK(init( main ( ) ),LTL( G!call(reach_error()) ))\n",
            "reach",
            "reach_error",
            "false(unreach-call)",
        ),
        ("G ! call(__VERIFIER_error())", "reach", "__VERIFIER_error", "false(unreach-call)"),
        ("CHECK( init(main()), LTL(F end) )", "termination", None, "false(termination)"),
        ("CHECK( init(main()), LTL(G ! label(ERROR)) )", "reach", "ERROR", "false(unreach-label)"),
        ("G ! call(__assert_fail())", "reach", "__assert_fail", "false(unreach-call)"),
        ("G ! overflow", "overflow", None, "false(no-overflow)"),
        ("CHECK( init(main()), LTL(G ! data-race) )", "race", None, "false(no-data-race)"),
        ("G valid-memcleanup", "leak", None, "false(valid-memcleanup)"),
        ("G valid-free\nG valid-memtrack\nG valid-deref", "reach", None, "false(valid-memsafety)"),
    ],
)
def test_what_is_asked(text: str, asks: str, target: str | None, word: str) -> None:
    found = read_specification(text, "p.prp")
    assert (found.entry, found.asks, found.target) == ("main", asks, target)
    assert (found.word("FALSE"), found.word("TRUE"), found.word("UNKNOWN")) == (word, "true", "unknown")
    assert read_specification(found.text, "p.prp") == found


def test_wrong_uses_of_memory_are_one_question_and_the_word_says_which() -> None:
    found = read_specification("G valid-free\nG valid-memtrack\nG valid-deref", "p.prp")
    assert found.targets == ["null", "dead", "bounds", "invalid-pointer", "invalid-free", "lost"]
    words = [found.word("FALSE", (kind,)) for kind in ("bounds", "invalid-free", "lost")]
    assert words == ["false(valid-deref)", "false(valid-free)", "false(valid-memtrack)"]
    assert (
        read_specification("G valid-memcleanup", "p.prp").word("FALSE", ("lost", "leak")) == "false(valid-memcleanup)"
    )


@pytest.mark.parametrize("formula", ["G ! call(other())", "G def-behavior"])
def test_what_is_not_decided_is_wrong_usage(formula: str) -> None:
    with pytest.raises(UsageError, match="not decided by Knaster"):
        read_specification(f"CHECK( init(main()), LTL({formula}) )", "p.prp")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no property"),
        ("CHECK( init(main()), LTL(G x) )", "this is no property"),
        ("CHECK( init(f()), LTL(F end) )\nCHECK( init(g()), LTL(F end) )", "different entries: f, g"),
        ("CHECK( init(f()), LTL(F end) )\nCHECK( init(f()), LTL(G ! call(reach_error())) )", "2 properties"),
        ("COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )", "not decided"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(KnasterError, match=said):
        read_specification(text, "p.prp")


def test_what_the_format_has_no_property_for_is_named() -> None:
    assert formula_of_kind("overflow") == "G ! overflow"
    for kind, said in (("shift", "forbids 'shift'"), ("", "forbids what was reached")):
        with pytest.raises(UsageError, match=said):
            formula_of_kind(kind)
