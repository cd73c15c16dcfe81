"""Infinite runs of threads of C: one that comes back elsewhere, has no step or is not fair is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from knaster import check
from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.memory import memory_lasso
from knaster.checkers.memory.memory_lasso import check_memory_lasso
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.questions.question import Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.memory_runs import inputs_of
from knaster.evidence.traces.memory_threads import record_two
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.state import State

pytest.importorskip("clang.cindex")

TEXT = """#include <pthread.h>
#include <stdatomic.h>
atomic_int g; unsigned char k;
void *f(void *a) { g = 1; return 0; }
int main() { pthread_t a; pthread_create(&a, 0, f, 0); while (!g) k += 128; return 0; }
"""


def found(fair: str = "none") -> tuple[Any, Lasso]:
    result = check(TEXT, file="p.c", property="termination", fair=fair)
    (_, answer), *_ = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return result.program, answer.lasso


def test_a_run_that_comes_back_is_one() -> None:
    program, lasso = found()
    check_memory_lasso(lasso, program, Termination())


ALONE = """struct l { struct l *n; int v; }; int __VERIFIER_nondet_int(void);
int main(void) { struct l a = {0, 1}, b = {&a, 2}, *p = &b; if (__VERIFIER_nondet_int() == 5) a.n = &b;
  while (p) { p->v = 3; p = p->n; } return 0; }
"""


def test_a_run_of_one_thread_comes_back() -> None:
    """It had no answer: runs without an end were none of what is found about programs with memory."""
    result = check(ALONE, file="p.c", property="termination")
    (_, answer), *_ = result.answers
    assert isinstance(answer, Diverges) and answer.checked and answer.lasso is not None
    assert [(one.name, one.value) for one in result.inputs] == [("__VERIFIER_nondet_int()", 5)]
    stem = [(1, sum(len(path.steps) for segment in answer.lasso.stem.segments for path in segment.paths))]
    before, around = record_two(result.program, (5,), stem, [(1, 1)])
    with pytest.raises(InternalError, match="another state"):
        check_memory_lasso(Lasso(before, around), result.program, Termination())
    assert check(ALONE.replace("a.n = &b;", "a.v = 4;"), file="p.c", property="termination").verdict.value == "TRUE"


def test_a_run_that_is_not_fair_is_none_where_that_counts() -> None:
    program, lasso = found()
    for fair in ("weak", "strong"):
        with pytest.raises(InternalError, match="not fair"):
            check_memory_lasso(lasso, program, Termination(fair=fair))


def test_a_cycle_comes_back_and_has_a_step() -> None:
    program, lasso = found()
    counts = {segment.thread: 0 for segment in lasso.cycle.segments}
    assert set(counts) == {1}
    steps = sum(len(path.steps) for segment in lasso.cycle.segments for path in segment.paths)
    stem = [(1, sum(len(path.steps) for segment in lasso.stem.segments for path in segment.paths))]
    for taken, why in ((steps // 2, "another state"), (steps - 1, "another state"), (0, "no step")):
        before, around = record_two(program, (), stem, [(1, taken)])
        with pytest.raises(InternalError, match=why):
            check_memory_lasso(Lasso(before, around), program, Termination())


def test_what_only_other_runs_have_is_refused() -> None:
    program, lasso = found()
    for more in ({"deeper": True}, {"stays": True}, {"waits": True}, {"formula": "F ended"}):
        with pytest.raises(InternalError, match="comes back"):
            check_memory_lasso(replace(lasso, **more), program, Termination())


def test_an_input_is_a_value_of_its_type() -> None:
    text = "#include <pthread.h>\nint in(void);\nvoid *f(void *a) { return 0; }\n"
    text += "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); "
    text += "int y = in(); while ((long)y > 5L) { } return 0; }\n"
    result = check(text, file="p.c", property="termination")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    (value,) = inputs_of(answer.lasso.stem)

    def with_input(trace: Trace, other: int) -> Trace:
        """Return the run with another input."""

        def state(known: State) -> State:
            return {name: other if held == value else held for name, held in known.items()}

        def path(one: Path) -> Path:
            steps = [replace(s, after=state(s.after), inputs=tuple(other for _ in s.inputs)) for s in one.steps]
            return replace(one, start=state(one.start), steps=tuple(steps))

        segments = (replace(segment, paths=tuple(map(path, segment.paths))) for segment in trace.segments)
        return replace(trace, segments=tuple(segments))

    def run(other: int) -> Lasso:
        assert isinstance(answer, Diverges) and answer.lasso is not None
        stem, cycle = (with_input(trace, other) for trace in (answer.lasso.stem, answer.lasso.cycle))
        return replace(answer.lasso, stem=stem, cycle=cycle)

    check_memory_lasso(run((1 << 31) - 1), result.program, Termination())
    with pytest.raises(InternalError, match="reads what is no value of its type"):
        check_memory_lasso(run(1 << 31), result.program, Termination())


@pytest.mark.parametrize(
    ("looks", "moved", "weak", "strong"),
    [
        # each look: which threads run, which of them wait, who is inside a section
        ([({1, 2}, set(), 0)], {1}, False, False),  # the second thread could always move
        ([({1, 2}, set(), 0), ({1, 2}, {2}, 0)], {1}, True, False),  # it could move now and then
        ([({1, 2}, {2}, 0)], {1}, True, True),
        ([({1}, set(), 0)], {1}, True, True),  # it has ended
        ([({1}, set(), 0), ({1, 2}, set(), 0)], {1}, True, False),
        ([({1, 2}, set(), 0)], {1, 2}, True, True),
        ([({1, 2}, set(), 1)], {1}, True, True),  # inside a section nobody is asked
        ([({1, 2}, set(), 1), ({1, 2}, {2}, 0)], {1}, True, True),
        ([({1, 2}, {2}, 1), ({1, 2}, set(), 0)], {1}, False, False),
        ([({1, 2}, {1}, 0)], {2}, True, True),
        ([({1, 2}, {1}, 0)], {1}, False, False),
    ],
)
def test_fairness(looks: Any, moved: set[int], weak: bool, strong: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_lasso, "waits", lambda machine, thread: thread in machine.waiting)
    for fair, is_fair in (("none", True), ("weak", weak), ("strong", strong)):
        judge = memory_lasso._Fairness(fair, moved)
        for running, waiting, section in looks:
            threads = [SimpleNamespace(number=1), SimpleNamespace(number=2)]
            machine: Any = SimpleNamespace(threads=threads, running=sorted(running), waiting=waiting, section=section)
            judge.look(machine)
        if is_fair:
            judge.ensure()
        else:
            with pytest.raises(InternalError, match="not fair"):
                judge.ensure()
