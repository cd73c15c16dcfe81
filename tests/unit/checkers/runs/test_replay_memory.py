"""The replay of runs with memory: other edges, inputs, states and ends are no run of the program."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from knaster import check
from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.runs.replay_memory import _fits, are_same, replay_memory
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.expression import TRUE
from knaster.program.memory import Floating
from knaster.program.model import Program
from knaster.program.types import BOOL, Int

pytest.importorskip("clang.cindex")
TEXT = """int in(void);
int twice(int *p) { *p = *p + *p; return *p; }
int main(void) {
  int x = in(), *p = &x, y;
  y = twice(p);
  if (x == 6) { if (y == 6) { ERROR: ; } }
  return 0;
}
"""
NULL = """int in(void);
int main(void) {
  int x = in(), *p = &x;
  if (x > 3) p = 0;
  return *p;
}
"""
LEAK = """#include <stdlib.h>
int main(void) { char *p = malloc(3); p = 0; return p != 0; }
"""


@cache
def found(text: str, asked: str) -> tuple[Program, Trace, Target]:
    result = check(text, file="a.c", property=asked)
    for target, answer in result.answers:
        if isinstance(answer, Reachable) and answer.trace is not None:
            return result.program, answer.trace, target
    raise AssertionError(result.answers)


def why_not(text: str, asked: str, trace: Trace, target: Target | None = None) -> str:
    program, _, own = found(text, asked)
    try:
        replay_memory(program, trace, target or own)
    except InternalError as refusal:
        return str(refusal)
    return ""


def variants(trace: Trace, change: Any) -> list[tuple[Step, Trace]]:
    """Return the traces in which one step is changed, also inside calls; `change` gives None to leave it out."""
    (segment,) = trace.segments

    def of(path: Path) -> list[tuple[Step, Path]]:
        changed = []
        for number, step in enumerate(path.steps):
            other = change(step)
            if other is not step:
                steps = (*path.steps[:number], *(() if other is None else (other,)), *path.steps[number + 1 :])
                changed.append((step, replace(path, steps=steps)))
            for inner, inside in of(step.inside) if step.inside is not None else ():
                steps = (*path.steps[:number], replace(step, inside=inside), *path.steps[number + 1 :])
                changed.append((inner, replace(path, steps=steps)))
        return changed

    return [
        (
            step,
            replace(trace, segments=(replace(segment, paths=(*segment.paths[:at], path, *segment.paths[at + 1 :])),)),
        )
        for at, one in enumerate(segment.paths)
        for step, path in of(one)
    ]


CASES = [(TEXT, "reach"), (NULL, "memory"), (LEAK, "leak")]


@pytest.mark.parametrize(("text", "asked"), CASES)
def test_what_was_found_is_a_run(text: str, asked: str) -> None:
    program, trace, target = found(text, asked)
    failure = replay_memory(program, trace, target)
    if asked == "reach":
        assert failure is None
    else:
        assert failure is not None and (failure.procedure, failure.thread) == ("main", 1)
        assert failure.line == (5 if asked == "memory" else 2)


@pytest.mark.parametrize(("text", "asked"), CASES)
def test_no_step_can_be_left_out_or_taken_twice(text: str, asked: str) -> None:
    trace = found(text, asked)[1]
    changed = variants(trace, lambda step: None)
    assert len(changed) > 2
    for step, wrong in changed:
        last = step is trace.segments[0].paths[-1].steps[-1]
        assert why_not(text, asked, wrong) or (last and asked != "reach"), step
    (segment,) = trace.segments
    last_path = segment.paths[-1]
    again = replace(last_path, steps=(*last_path.steps, last_path.steps[-1]))
    assert why_not(text, asked, replace(trace, segments=(replace(segment, paths=(*segment.paths[:-1], again)),)))


@pytest.mark.parametrize(("text", "asked"), CASES)
def test_other_edges(text: str, asked: str) -> None:
    trace = found(text, asked)[1]

    def change(step: Step) -> Step:
        return replace(step, edge=replace(step.edge, target=step.edge.target + 1))

    for _, wrong in variants(trace, change):
        assert "takes another edge" in why_not(text, asked, wrong)


def test_other_inputs() -> None:
    for text, asked in CASES[:2]:
        trace = found(text, asked)[1]
        for value in (0, 1, -1):
            changed = variants(trace, lambda step, value=value: replace(step, inputs=(value,)) if step.inputs else step)
            assert len(changed) == 1
            assert all(why_not(text, asked, wrong) for _, wrong in changed)
        more = variants(trace, lambda step: step if step.inputs else replace(step, inputs=(7,)))
        assert more and all(why_not(text, asked, wrong) for _, wrong in more)


def test_an_input_is_a_value_of_its_type() -> None:
    trace = found(TEXT, "reach")[1]
    ((_, wrong),) = variants(trace, lambda step: replace(step, inputs=((1 << 32) + 3,)) if step.inputs else step)
    assert why_not(TEXT, "reach", wrong)


def test_other_states() -> None:
    trace = found(TEXT, "reach")[1]

    def change(step: Step) -> Step:
        return step if step.inside is not None or not step.after else replace(step, after={})

    changed = variants(trace, change)
    words = [why_not(TEXT, "reach", wrong) for _, wrong in changed]
    assert words.count("") <= 1 and sum("is another one" in word for word in words) > 2  # a call's own step has none


def test_other_targets() -> None:
    program, trace, target = found(TEXT, "reach")
    assert "does not reach" in why_not(TEXT, "reach", trace, replace(target, location=program.procedure("main").entry))
    assert "nobody can tell" in why_not(TEXT, "reach", trace, replace(target, condition=TRUE))
    assert "nobody can tell" in why_not(TEXT, "reach", replace(trace, segments=trace.segments * 2))
    leak = found(LEAK, "leak")[2]
    assert "does not end in" in why_not(NULL, "memory", found(NULL, "memory")[1], leak)
    assert "does not end in" in why_not(TEXT, "reach", trace, leak)


@pytest.mark.parametrize(
    ("value", "type", "fits"),
    [
        (127, Int(8), True),
        (128, Int(8), False),
        (-128, Int(8), True),
        (-1, Int(8, signed=False), False),
        (1.0, Int(8), False),
        (None, Int(8), False),
        (0, BOOL, True),
        (1, BOOL, True),
        (2, BOOL, False),
        (0.0, BOOL, False),
        (0.5, Floating(32), True),
        (0.1, Floating(32), False),
        (0.1, Floating(64), True),
        (1e39, Floating(32), False),
        (float("nan"), Floating(32), True),
        (float("inf"), Floating(32), True),
        (1, Floating(64), False),
        ("text", None, True),
        (1, None, False),
        (0.5, None, False),
    ],
)
def test_values_of_types(value: object, type: object, fits: bool) -> None:
    assert _fits(value, type) is fits


@pytest.mark.parametrize(("text", "asked"), CASES[1:])
def test_a_run_fails_in_its_next_step_and_not_later(text: str, asked: str) -> None:
    trace = found(text, asked)[1]
    (segment,) = trace.segments
    (path,) = segment.paths
    assert len(path.steps) > 3
    for count in range(len(path.steps) - 1):
        cut = replace(trace, segments=(replace(segment, paths=(replace(path, steps=path.steps[:count]),)),))
        assert "does not end in" in why_not(text, asked, cut), count


def test_nothing_follows_the_return_of_main() -> None:
    trace = found(LEAK, "leak")[1]
    (segment,) = trace.segments
    (path,) = segment.paths
    whole = replace(trace, segments=(replace(segment, paths=(path, Path("main", path.end, (), trace.location))),))
    assert "goes on where the run ends" in why_not(LEAK, "leak", whole)


NO_NUMBER = float("nan")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"x": 1}, {"x": 1}, True),
        ({"x": 1}, {"x": 2}, False),
        ({"x": 1}, {"y": 1}, False),
        ({"x": 1}, {"x": 1, "y": 1}, False),
        ({"x": NO_NUMBER}, {"x": float("nan")}, True),
        ({"x": NO_NUMBER}, {"x": 1.0}, False),
        ({"x": 1.0}, {"x": NO_NUMBER}, False),
    ],
)
def test_states_that_are_the_same(one: dict[str, float], other: dict[str, float], same: bool) -> None:
    assert are_same(one, other) is same
