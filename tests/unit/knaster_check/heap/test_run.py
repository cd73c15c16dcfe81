"""The kernel's replay of runs with references: those that Knaster finds are believed, changed ones are not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.base.limits import Budget
from knaster.checkers.files import examine, proof_to_text
from knaster_check import Refused
from support.kernel import kernel
from support.small_models import ONE_THREAD, THREADS, model

MAIN = (
    "class C {{ int v; C next; }};\n"
    "class Main {{ static int x; static C c; static activate void main() {{ {0} }} {1} }};\n"
)
MODELS = {  # how it fails, and a model that does
    "assertion": MAIN.format("bool b; b = choose(bool); x = 1; if (b) { x = 2; } assert(x == 1);", ""),
    "null-dereference": MAIN.format("bool b; b = choose(bool); if (!b) { c = new C; } c.v = 3;", ""),
    "division-by-zero": MAIN.format("x = 2; while (x > 0) { x = x - 1; } x = 7 / x;", ""),
    "deadlock": MAIN.format("async work(); select { wait(x == 3) -> ; }", "static void work() { x = 1; x = 2; }"),
    "endless-atomic": MAIN.format("bool b; b = choose(bool); atomic { while (b) { x = 1 - x; } }", ""),
    "threads": MAIN.format("async work(); x = 5; assert(x == 5);", "static void work() { int y; y = x; x = y + 1; }"),
}


def run_of(name: str) -> tuple[knaster.Result, dict[str, Any]]:
    result = knaster.check(MODELS[name], "any failure", file="m.zing")
    assert result.verdict.value == "FALSE", result.to_text()
    return result, json.loads(proof_to_text(result))


def changes(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    decisions = document["run"]["decisions"]

    def forged(rows: list[Any]) -> dict[str, Any]:
        return {**document, "run": {"decisions": rows}}

    for at, (thread, taken) in enumerate(decisions):
        yield forged(decisions[:at] + decisions[at + 1 :])
        yield from (
            forged([*decisions[:at], [other, taken], *decisions[at + 1 :]]) for other in (0, thread + 1, -1, True)
        )
        yield forged([*decisions[:at], [thread, taken[:-1]], *decisions[at + 1 :]])
        yield forged([*decisions[:at], [thread, [*taken, 0]], *decisions[at + 1 :]])
        for step, chosen in enumerate(taken):
            for other in (chosen + 1, 1 - chosen, -1, "0", None):
                row = [*taken[:step], other, *taken[step + 1 :]]
                yield forged([*decisions[:at], [thread, row], *decisions[at + 1 :]])
    yield {**document, "run": {"decisions": decisions, "more": 1}}
    yield {**document, "run": {"paths": [], "segments": []}}


@pytest.mark.parametrize("name", MODELS)
def test_runs(name: str) -> None:
    result, document = run_of(name)
    verdict = kernel(result.program, document)
    assert verdict.claim == "reachable" and verdict.answered["replayed"] > 0
    kind = "assertion" if name == "threads" else name
    assert examine(json.dumps(document), result.program, 1 << 10, Budget()).reached
    named = {**document, "targets": [{"name": kind, "procedure": "", "location": 0}]}
    assert kernel(result.program, named).claim == "reachable"
    for other in ("assertion", "deadlock", "overflow", "nothing"):
        if other != kind:
            with pytest.raises(Refused):
                kernel(result.program, {**document, "targets": [{"name": other, "procedure": "", "location": 0}]})


FAILING = [text for text, kinds in ONE_THREAD.values() if kinds] + [
    THREADS[name] for name in ("the second waits", "the third fails", "raised outside of a region", "nobody ends")
]


@pytest.mark.parametrize("text", FAILING)
def test_small_runs(text: str) -> None:
    result = knaster.check(text, "any failure", file="m.zing")
    document = json.loads(proof_to_text(result))
    assert kernel(result.program, document).claim == "reachable"
    decisions = document["run"]["decisions"]
    if decisions:
        with pytest.raises(Refused):
            kernel(result.program, {**document, "run": {"decisions": decisions[:-1]}})


@pytest.mark.parametrize("name", MODELS)
def test_changed_runs(name: str) -> None:
    result, document = run_of(name)
    refused = harmless = 0
    for forged in changes(deepcopy(document)):
        try:
            kernel(result.program, forged)
        except Refused:
            refused += 1
            continue
        harmless += 1
        try:
            examine(json.dumps(forged), result.program, 1 << 10, Budget())
        except KnasterError:
            raise AssertionError(forged["run"]) from None
    assert refused > 8 and harmless < refused


def test_a_place_is_reached_where_somebody_stands_there() -> None:
    model = MAIN.format("x = 1; assert(x == 2);", "")
    result = knaster.check(model, file="m.zing")
    document = json.loads(proof_to_text(result))
    assert kernel(result.program, document).claim == "reachable"
    shorter = {**document, "run": {"decisions": [[1, document["run"]["decisions"][0][1][:1]]]}}
    with pytest.raises(Refused, match="does not reach"):
        kernel(result.program, shorter)


def forged(text: str, kind: str, decisions: list[Any], place: tuple[str, int] = ("", 0)) -> str:
    """Return what the kernel says of a run that is written by hand, of a model that fails."""
    result = knaster.check(text, "any failure", file="m.zing")
    document = json.loads(proof_to_text(result))
    targets = [{"name": kind, "procedure": place[0], "location": place[1]}]
    try:
        return kernel(result.program, {**document, "targets": targets, "run": {"decisions": decisions}}).claim
    except Refused as refused:
        return str(refused)


REGION = model("async look(); atomic { x = 1; x = 0; } assert(x == 2);", "static void look() { assert(x == 0); }")


def test_nobody_runs_where_another_keeps_on() -> None:
    """In the region x is 1; whoever looked there would see a failure that no run has."""
    assert "keeps on" in forged(REGION, "assertion", [[1, [0, 0]], [2, [0]]])
    whole = [[1, [0]], [1, [0, 0, 0, 0]]]
    assert forged(REGION, "assertion", whole) == "reachable"
    split = [[1, [0]]] * 5
    assert forged(REGION, "assertion", split) == "reachable"  # the same thread may go on in another turn


def test_nobody_runs_after_a_failure() -> None:
    text = model("assert(x == 1); x = 1; c.v = 2;")
    assert forged(text, "assertion", [[1, [0]]]) == "reachable"
    assert forged(text, "assertion", [[1, [0, 0]]]) == "thread 1 cannot run"
    assert "cannot run" in forged(text, "null-dereference", [[1, [0, 0, 0]]])


def test_nobody_runs_who_waits() -> None:
    text = model("select { wait(x == 3) -> x = 4; }")
    assert forged(text, "deadlock", []) == "reachable"
    assert forged(text, "deadlock", [[1, [0]]]) == "thread 1 cannot run"


def test_who_fails_next_is_who_ran_last() -> None:
    text = model("async a(); async b();", "static void a() { y = 1; c.v = 1; } static void b() { x = 1; }")
    ended = [[1, [0, 0, 0]], [3, [0, 0]]]
    assert forged(text, "null-dereference", [*ended, [2, [0]]]) == "reachable"
    assert "does not reach" in forged(text, "null-dereference", ended)
    assert "does not reach" in forged(text, "null-dereference", [*ended, [2, []], [1, []]])


def test_a_failure_behind_a_choice_is_not_next() -> None:
    text = model("bool b; x = 5; atomic { x = 6; b = choose(bool); if (!b) { c.v = 1; } }")
    assert "does not reach" in forged(text, "null-dereference", [[1, [0]]])
    assert forged(text, "null-dereference", [[1, [0, 0, 0]]]) == "reachable"


def test_places_are_those_of_running_frames() -> None:
    text = model("async f(); x = 1; assert(x == 2);", "static void f() { y = 1; }")
    assert forged(text, "at(5)", [[1, [0]]], ("main", 1)) == "reachable"
    assert forged(text, "at(6)", [[1, [0]]], ("f", 0)) == "reachable"
    assert forged(text, "at(6)", [[1, [0]], [2, [0]]], ("f", 1)) == "reachable"
    assert forged(text, "at(5)", [[1, [0]], [2, [0, 0]]], ("main", 1)) == "reachable"  # f has ended
    for procedure, location in (("main", 0), ("main", 2), ("f", 1)):
        name = "at(6)" if procedure == "f" else "at(5)"
        assert "does not reach" in forged(text, name, [[1, [0]]], (procedure, location))
