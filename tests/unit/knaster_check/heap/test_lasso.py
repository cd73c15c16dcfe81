"""Infinite runs with references: what Knaster finds is believed, and every part that is changed is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.frontends.zing import parse
from knaster_check import Refused
from knaster_check.refused import Unsupported
from support.kernel import kernel

ROOM = "class Main {{ static int x; static bool stop; static Main m; int y; {} }};"
MAIN = "activate static void main() {{ {} }}"
DEEP = "static void again(int n) { again(n); }"


def model(main: str, more: str = "") -> str:
    return ROOM.format(MAIN.format(main) + more)


MODELS = {  # a model, a question, and which runs count
    "a loop": (model("x = 1; while (!stop) { x = 3 - x; }"), "F {Main.stop}", "none"),
    "no end": (model("x = 1; while (!stop) { x = 3 - x; }"), "termination", "none"),
    "deeper": (model("x = 1; again(2);", DEEP), "F {Main.x == 2}", "none"),
    "a deadlock": (
        model("x = 2; async other(); select { wait(stop) -> x = 1; }", "static void other() { x = 3; }"),
        "F {Main.x == 1}",
        "none",
    ),
    "an assertion": (model("x = 1; assert(x == 2); x = 3;"), "F {Main.x == 3}", "none"),
    "a null": (model("x = 1; m.y = 2; x = 3;"), "F {Main.x == 3}", "none"),
    "a null of the second": (
        model("x = 1; async other(); x = 2;", "static void other() { m.y = 2; x = 3; }"),
        "F {Main.x == 3}",
        "none",
    ),
    "the end": (model("x = 1; x = 2;"), "F {Main.x == 3}", "none"),
    "the second goes on": (
        model("async other(); x = 2;", "static void other() { while (!stop) { x = 3; } }"),
        "termination",
        "weak",
    ),
}


@cache
def found(name: str) -> tuple[Any, str]:
    text, question, fair = MODELS[name]
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(text, file="a.zing", property=question, fair=fair, evidence=evidence)
    return result.program, proof_to_text(result)


def lasso(name: str) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    program, text = found(name)
    proof = json.loads(text)
    return program, proof, proof["run_of_threads"]


@pytest.mark.parametrize("name", MODELS)
def test_what_is_found_is_believed(name: str) -> None:
    program, proof, run = lasso(name)
    verdict = kernel(program, proof)
    assert verdict.claim == ("endless" if run["formula"] is None else "violated")
    assert verdict.answered == {"replayed": len(run["stem"]) + len(run["cycle"])}


CHANGES: dict[str, tuple[str, Callable[[dict[str, Any]], object], str]] = {
    "nobody is last": ("a loop", lambda run: run.update(last=0), "no thread is the last"),
    "a thread that is not there is last": ("a loop", lambda run: run.update(last=2), "last thread"),
    "half a cycle": ("a loop", lambda run: run["cycle"].pop(), "ends in another state"),
    "no cycle": ("a loop", lambda run: run.update(cycle=[]), "has no step"),
    "it stays and goes on": ("a loop", lambda run: run.update(stays=True), "the run stays and goes on"),
    "it stays where it can go on": ("a loop", lambda run: run.update(stays=True, cycle=[]), "can go on"),
    "it is said to go deeper": ("a loop", lambda run: run.update(deeper=True), "ends in another state"),
    "a step of nobody": ("a loop", lambda run: run["stem"][0].__setitem__(0, 2), "thread 2 cannot take a step"),
    "a choice that is not there": ("a loop", lambda run: run["stem"][0].__setitem__(1, 7), "cannot take a step"),
    "another formula": ("a loop", lambda run: run.update(formula="F {Main.x == 1}"), "the formula holds"),
    "it is said not to go deeper": ("deeper", lambda run: run.update(deeper=False), "ends in another state"),
    "a deadlock is no end": ("a deadlock", lambda run: run.update(waits=False), "wrong about its end"),
    "an end is no deadlock": ("the end", lambda run: run.update(waits=True), "wrong about its end"),
    "before the end": ("the end", lambda run: run["stem"].pop(), "can go on"),
    "a failure is no deadlock": ("a null", lambda run: run.update(waits=True), "can go on"),
    "a step that fails is not taken": ("a null", lambda run: run["stem"].append([1, 0]), "cannot take a step"),
    "somebody else fails": ("a null of the second", lambda run: run.update(last=1), "can go on"),
    "before it fails": ("a null", lambda run: run["stem"].pop(), "can go on"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_changed_is_refused(change: str) -> None:
    name, alter, reason = CHANGES[change]
    program, proof, run = lasso(name)
    alter(run)
    with pytest.raises(Refused, match=reason) as refused:
        kernel(program, proof)
    assert not isinstance(refused.value, Unsupported)


def test_deeper_is_the_same_again() -> None:
    _, proof, _ = lasso("deeper")
    for main, more in (
        ("x = 1; again(2);", DEEP.replace("again(n);", "again(n + 1);")),
        ("async other(); again(2);", DEEP + "static void other() { x = 1; }"),
    ):
        other = parse(model(main, more), "a.zing")
        with pytest.raises(Refused, match="ends in another state"):
            kernel(other, {**proof, "program": fingerprint(other)})
