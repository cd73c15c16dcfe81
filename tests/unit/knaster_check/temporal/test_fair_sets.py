"""Fair sets: every part is needed, wrong ones are refused, and each obligation is one that some wrong proof fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster_check import Refused
from knaster_check.temporal.automaton import Cycles
from knaster_check.temporal.fair_sets import FairSets
from knaster_check.temporal.lane_letters import LaneLetters
from support.kernel import kernel
from support.thread_questions import BUSY, DEADLOCK, FAILS, QUESTIONS, SECTION, STARTED, TAKES

TRUE = [(text, asked, fair) for text, asked, fair, true in QUESTIONS if true]
FALSE = [(text, asked, fair) for text, asked, fair, true in QUESTIONS if not true]
GUARD = (
    "decl atomic, x; void init() begin atomic, x := F, F; end "
    "void thread1() begin while (!x) do atomic := T; x := T; x := F; x := T; atomic := F; od end "
    "void thread2() begin while (!x) do skip; od atomic := T; x := !x; x := T; atomic := F; end\n"
)
TRUE += [(STARTED, "F {x}", "weak"), (GUARD, "F ended", "weak"), (GUARD, "G F ({x} | !ended)", "none")]


@cache
def proof_of(text: str, asked: str, fair: str) -> tuple[Program, str]:
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(text, property=asked, fair=fair, engine="states", file="a.bp", evidence=evidence)
    return result.program, proof_to_text(result)


def proof(text: str, asked: str, fair: str) -> tuple[Program, dict[str, Any]]:
    program, written = proof_of(text, asked, fair)
    return program, json.loads(written)


def with_data(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**document, "fair_sets": {**document["fair_sets"], **changes}}


def is_believed(program: Program, document: dict[str, Any]) -> bool:
    try:
        kernel(program, document)
    except Refused:
        return False
    return True


def refuse(program: Program, document: dict[str, Any], match: str | None = None) -> None:
    with pytest.raises(Refused, match=match):
        kernel(program, document)


@pytest.mark.parametrize(("text", "asked", "fair"), TRUE)
def test_every_part_is_needed(text: str, asked: str, fair: str) -> None:
    program, document = proof(text, asked, fair)
    verdict = kernel(program, document)
    assert verdict.fair == fair and verdict.formula == ("" if asked == "termination" else asked)
    assert verdict.claim == ("ends" if asked == "termination" else "holds")
    data = document["fair_sets"]
    for at in range(len(data["reached"])):
        refuse(program, with_data(document, reached=data["reached"][:at] + data["reached"][at + 1 :]))
    for number, (reason, thread, kept) in enumerate(data["removals"]):
        rest = data["removals"][number + 1 :]
        for at in range(len(kept)):
            less = [*data["removals"][:number], [reason, thread, kept[:at] + kept[at + 1 :]], *rest]
            refuse(program, with_data(document, removals=less))
    refuse(program, with_data(document, removals=data["removals"][:-1]))
    if fair != "none" and any(row[1] != -1 for row in data["reached"]):
        refuse(program, with_data(document, inside=[]))


def wrong_proofs() -> Iterator[tuple[Program, dict[str, Any]]]:
    """Yield proofs that claim what is not so: of other programs, other fairness, other questions."""
    changes = [
        (BUSY, "x := 1", "x := 0", "termination", "weak"),
        (BUSY, "x := 1", "assume(x)", "F ended", "strong"),
        (TAKES, "lock := 0; od", "od", "F R", "strong"),
        (DEADLOCK, "begin skip", "begin while (1) do skip; od", "termination", "none"),
        (DEADLOCK.replace("x := 0", "x := 1"), "assume(x)", "assume(!x)", "F ended", "none"),
        (FAILS, "assert(F)", "assert(T)", "F ended", "weak"),
        (STARTED, "x := 1", "x := x", "F {x}", "weak"),
        (GUARD, "x := T; atomic := F; od", "x := F; atomic := F; od", "F ended", "weak"),
        (GUARD, "x := !x; x := T;", "while (T) do skip; od", "F ended", "weak"),
        (STARTED, "main() begin", "main() begin assume(x);", "F {x}", "weak"),
        (SECTION.replace("!x", "x & !x"), "x & !x", "!x", "termination", "strong"),
    ]
    for text, old, new, asked, fair in changes:
        _, document = proof(text, asked, fair)
        other = parse(text.replace(old, new), "a.bp")
        yield other, {**document, "program": fingerprint(other)}
    for text, asked, fair in TRUE:
        program, document = proof(text, asked, fair)
        for other_fair in ("none", "weak", "strong"):
            if (text, asked, other_fair) in FALSE:
                yield program, with_data(document, fair=other_fair)
    program, document = proof(BUSY, "termination", "weak")
    for nothing in ([], [["accepts", 0, []]], [["moves", 1, []]], [["answers", 1, []]]):
        yield program, with_data(document, removals=nothing, fair="none")
        yield program, with_data(document, removals=nothing, fair="strong")
    backwards = [[-one + 100 for one in order] for order in document["fair_sets"]["order"]]
    for order in (backwards, [[0 for _ in each] for each in backwards]):
        yield program, with_data(document, fair="none", removals=[["accepts", 0, []]], order=order)


def test_what_is_not_so_is_refused() -> None:
    for program, document in wrong_proofs():
        refuse(program, document)


def test_malformed_files() -> None:
    program, document = proof(BUSY, "F ended", "weak")
    data = document["fair_sets"]
    row = data["reached"][0]
    order = deepcopy(data["order"])
    wrongs: list[dict[str, Any]] = [
        {"order": order[:1]},
        {"order": [order[0][:-1], order[1]]},
        {"order": [["a" for _ in order[0]], order[1]]},
        {"reached": [*data["reached"], row]},
        {"reached": [[row[0], 7, 0, row[3]]]},
        {"reached": [[9, *row[1:]]]},
        {"removals": [["hopes", 0, []]]},
        {"removals": [["accepts", 9, []]]},
        {"fair": "very"},
        {"formula": None},
        {"formula": "F {x}"},
        {"started": 1},
        {"lanes": data["lanes"][:1]},
    ]
    for wrong in wrongs:
        refuse(program, with_data(document, **wrong))
    refuse(program, {**document, "targets": [{"name": "deadlock", "procedure": "", "location": 0}]}, "no target")


def nothing_counts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cycles, "counts", lambda *_: False)


def everybody_can_always_move(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LaneLetters, "can_move", property(lambda self: [1 for _ in self.threads]))


def nobody_rests(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LaneLetters, "resting", -1)


def steps_are_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FairSets, "check_closed", lambda self: None)


def starts_are_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FairSets, "check_start", lambda self: None)


def removals_are_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FairSets, "_check_removal", lambda *_: None)


MISTAKES = [
    nothing_counts,
    everybody_can_always_move,
    nobody_rests,
    steps_are_not_looked_at,
    starts_are_not_looked_at,
    removals_are_not_looked_at,
]


@pytest.mark.parametrize("plant", MISTAKES)
def test_a_planted_mistake_is_noticed(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = list(wrong_proofs())
    empty = [(program, with_data(document, reached=[], removals=[], inside=[])) for program, document in wrong]
    plant(monkeypatch)
    assert any(is_believed(program, document) for program, document in (*wrong, *empty))
