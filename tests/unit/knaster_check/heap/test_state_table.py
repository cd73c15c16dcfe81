"""The kernel's check of tables of states: what Knaster lists is accepted, also within a bound; changes are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.frontends.zing import parse
from knaster_check import Refused
from knaster_check.heap.state_table import _PRICES, States
from support import ROOT
from support.kernel import kernel
from support.kernel_heap import explore_by_kernel, table_document
from support.small_models import ONE_THREAD, THREADS

NAMES = ["alternating-bit", "bakery", "peterson", "philosophers", "producer-consumer"]


@pytest.mark.parametrize("name", NAMES)
def test_examples(name: str) -> None:
    result = knaster.check(ROOT / "examples" / "zing" / f"{name}.zing")
    verdict = kernel(result.program, proof_to_text(result))
    assert verdict.claim == "unreachable" and verdict.bound is None and verdict.answered["states expanded"] > 20


PROGRAM = parse((ROOT / "examples" / "zing" / "peterson.zing").read_text())
TABLE = table_document(PROGRAM, "explicit")
BOUNDED = table_document(PROGRAM, "explicit", switches=1)


def test_within_a_bound() -> None:
    assert BOUNDED is not None
    assert kernel(PROGRAM, BOUNDED).bound == ("switches", 1)


@pytest.mark.parametrize("text", [*(text for text, _ in ONE_THREAD.values()), *THREADS.values()])
def test_small_models(text: str) -> None:
    program = parse(text)
    document, found = table_document(program, "explicit"), explore_by_kernel(program, 400)
    assert document is not None and found is not None and kernel(program, document).claim == "unreachable"
    kinds, _ = found
    assert not kinds & {target["name"] for target in document["targets"]}
    for kind in (*kinds, *(["any failure"] if kinds else [])):
        with pytest.raises(Refused, match="does not exclude that something fails"):
            kernel(program, {**document, "targets": [{"name": kind, "procedure": "", "location": 0}]})


def frame(data: Any) -> Any:
    return data["states"][1][2][0][0]


CHANGES: dict[str, Callable[[Any], object]] = {
    "no start": lambda data: data["states"].pop(0),
    "no last row": lambda data: data["states"].pop(),
    "another field": lambda data: data.update(more=1),
    "reduced is a number": lambda data: data.update(reduced=1),
    "a row is short": lambda data: data["states"][-1].pop(),
    "a thread chooses that is none": lambda data: data["states"][-1].__setitem__(0, 9),
    "a thread chooses": lambda data: data["states"][0].__setitem__(0, 1),
    "a static of another type": lambda data: data["states"][-1][1].__setitem__(0, "C#1"),
    "a static more": lambda data: data["states"][-1][1].append(0),
    "a row more with an unread static": lambda data: data["states"].append(
        [data["states"][0][0], ["?", *data["states"][0][1][1:]], *data["states"][0][2:]]
    ),
    "a cell of no class": lambda data: data["states"][-1][3].update({"Nothing#1": []}),
    "a cell without a name": lambda data: data["states"][-1][3].update({"Nothing": []}),
    "an unknown procedure": lambda data: frame(data).__setitem__(0, "nobody"),
    "an unknown location": lambda data: frame(data).__setitem__(1, 10_000),
    "a frame at the exit": lambda data: frame(data).__setitem__(1, -1),
    "base is a number": lambda data: frame(data).__setitem__(2, 0),
    "a variable more": lambda data: frame(data)[3].append(0),
    "a frame that waits for no call": lambda data: data["states"][1][2][0].append(frame(data)),
    "states are an object": lambda data: data.update(states={}),
    "who ran is missing": lambda data: data.update(switches=3),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_changed_is_refused(name: str) -> None:
    document = json.loads(json.dumps(TABLE))
    CHANGES[name](document["table"])
    with pytest.raises(Refused):
        kernel(PROGRAM, document)


def test_switches_are_counted() -> None:
    assert BOUNDED is not None
    for change in ({"switches": 2}, {"ran": BOUNDED["table"]["ran"][1:]}, {"ran": [[0, 3]] * 99}):
        with pytest.raises(Refused):
            kernel(PROGRAM, {**BOUNDED, "table": {**BOUNDED["table"], **change}})


@pytest.mark.parametrize("kind", ["switches", "delays", "preemptions"])
def test_what_is_counted(kind: str) -> None:
    document = table_document(PROGRAM, "explicit", **{kind: 0})
    assert document is not None and kernel(PROGRAM, document).bound == (kind, 0)
    table = document["table"]
    with pytest.raises(Refused):
        kernel(PROGRAM, {**document, "table": {**table, kind: 1}})
    for other in {"switches", "delays", "preemptions"} - {kind}:
        changed = {**table, other: 1}
        changed.pop(kind)
        with pytest.raises(Refused):
            kernel(PROGRAM, {**document, "table": changed})


@pytest.mark.parametrize(
    ("last", "thread", "ready", "prices"),
    [
        *[(0, 1, [1, 2], (0, 0, 0)), (1, 1, [1, 2], (0, 0, 0)), (1, 2, [1, 2], (1, 1, 1)), (1, 2, [2], (1, 0, 0))],
        *[(2, 1, [1, 2, 3], (1, 2, 1)), (1, 3, [1, 2, 3], (1, 2, 1)), (2, 2, [2], (0, 0, 0)), (0, 2, [2], (0, 0, 0))],
    ],
)
def test_prices(last: int, thread: int, ready: list[int], prices: tuple[int, ...]) -> None:
    assert tuple(_PRICES[kind](last, thread, ready) for kind in ("switches", "delays", "preemptions")) == prices


def test_threads_that_a_step_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "class M { static int x; activate static void main() { x = 1; async f(); x = 2; } static void f() { x = 3; } };"
    )
    program = parse(text, "a.zing")
    document, started, right = table_document(program, "explicit"), [], States._arrive
    assert document is not None

    def arrive(self: States, memory: Any, thread: int, new: range, switches: int) -> None:
        started.append((len(memory.threads), list(new)))
        right(self, memory, thread, new, switches)

    monkeypatch.setattr(States, "_arrive", arrive)
    assert kernel(program, document).claim == "unreachable"
    assert {(1, ()), (2, (2,)), (2, ())} == {(count, tuple(new)) for count, new in started}
