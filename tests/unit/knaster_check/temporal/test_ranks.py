"""Ranks of sequential programs: what is found is believed, as a proof of its own text alone."""

from __future__ import annotations

import json
from random import Random

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.frontends.languages import load
from knaster_check import Refused
from support.changed_proofs import changed_proof
from support.kernel import kernel

DOWN = """decl a, b; init(a & b);
void main() begin while (a | b) do if (b) then b := F; else a, b := F, a; f(b); fi od L: skip; end
void f(n) begin if (n) then f(F); fi end
"""
AGAIN = "decl a;\nvoid main() begin M: a := !a; f(); goto M; end\n"
AGAIN += "void f() begin if (a) then L: skip; else skip; fi end\n"
ASKED = [(DOWN, "termination", "ends"), (DOWN, "F at(L)", "holds"), (AGAIN, "G F at(L)", "holds")]


@pytest.mark.parametrize(("text", "asked", "claim"), ASKED)
def test_what_is_found_and_changed(text: str, asked: str, claim: str) -> None:
    result = knaster.check(text, file="p.bp", property=asked)
    document = json.loads(proof_to_text(result))
    assert "ranking_of_heads" in document
    verdict = kernel(result.program, document)
    assert verdict.claim == claim and verdict.formula == (asked if claim == "holds" else "")
    rng, refused = Random(asked), 0
    for _ in range(40):
        changed = changed_proof(rng, document)
        try:
            kernel(result.program, changed)
        except Refused:
            refused += 1
    assert refused > 15


@pytest.mark.parametrize(
    ("text", "asked", "old", "new"),
    [
        (DOWN, "termination", "b := F; else", "b := b; else"),
        (DOWN, "termination", "a, b := F, a", "a, b := a, a"),
        (DOWN, "termination", "f(F)", "f(n)"),
        (DOWN, "F at(L)", "b := F; else", "b := b; else"),
        (DOWN, "F at(L)", "f(F)", "f(n)"),
        (AGAIN, "G F at(L)", "a := !a", "a := F"),
        (AGAIN, "G F at(L)", "goto M", "skip"),
        (AGAIN, "G F at(L)", "if (a)", "if (F)"),
    ],
)
def test_a_proof_of_another_text(text: str, asked: str, old: str, new: str) -> None:
    """What was proved does not hold of the other."""
    assert old in text
    document = json.loads(proof_to_text(knaster.check(text, file="p.bp", property=asked)))
    other = load(text.replace(old, new), file="p.bp")
    with pytest.raises(Refused):
        kernel(other, {**document, "program": fingerprint(other)})


def test_every_rank_is_needed() -> None:
    result = knaster.check(DOWN, file="p.bp", property="termination")
    document = json.loads(proof_to_text(result))
    data = document["ranking_of_heads"]
    ranks = data["ranks"]
    assert ranks
    for at, (name, location, numbers) in enumerate(ranks):
        others = [*ranks[:at], *ranks[at + 1 :]]
        if numbers:
            with pytest.raises(Refused, match="rank"):
                kernel(result.program, {**document, "ranking_of_heads": {**data, "ranks": others}})
        for wrong, reason in (
            ([*ranks, ranks[at]], "twice"),
            ([*others, ["nobody", location, numbers]], "no procedure 'nobody'"),
            ([*others, [name, 1_000, numbers]], "a rank"),
        ):
            with pytest.raises(Refused, match=reason):
                kernel(result.program, {**document, "ranking_of_heads": {**data, "ranks": wrong}})


def test_of_threads_and_targets_ranks_say_nothing() -> None:
    result = knaster.check(DOWN, file="p.bp", property="termination")
    document = json.loads(proof_to_text(result))
    place = next(at for label, at in result.program.procedure("main").labels if label == "L")
    with pytest.raises(Refused, match="no target"):
        kernel(result.program, {**document, "targets": [{"name": "L", "procedure": "main", "location": place}]})
    threads = DOWN.replace("main", "main_1") + "void main_2() begin skip; end\n"
    other = knaster.check(threads, file="p.bp", property="termination").program
    forged = {**document, "program": fingerprint(other), "entry": "main_1, main_2"}
    with pytest.raises(Refused, match="sequential Boolean programs"):
        kernel(other, forged)
