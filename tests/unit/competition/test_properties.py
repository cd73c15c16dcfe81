"""Properties of SV-COMP: what is asked for each, and what is refused."""

from __future__ import annotations

import pytest

from knaster.base.errors import KnasterError, UsageError
from knaster.competition.properties import read_specification


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
    ],
)
def test_what_is_asked(text: str, asks: str, target: str | None, word: str) -> None:
    found = read_specification(text, "p.prp")
    assert (found.entry, found.asks, found.target) == ("main", asks, target)
    assert (found.word("FALSE"), found.word("TRUE"), found.word("UNKNOWN")) == (word, "true", "unknown")
    assert read_specification(found.text, "p.prp") == found


@pytest.mark.parametrize(
    "formula", ["G ! overflow", "G valid-free", "G ! data-race", "G ! call(other())", "G valid-memcleanup"]
)
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
