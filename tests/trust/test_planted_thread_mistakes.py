"""Mistakes that are easy to make about infinite runs of threads and models, planted one by one: some question tells.

With a mistake in the graph of pairs the answer is wrong, or its evidence is refused; with one in a checker a wrong
proof or run passes.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.fair_table import Cycles, check_fair_table
from knaster.checkers.runs.run_letters import is_fair
from knaster.checkers.runs.thread_lasso import check_thread_lasso
from knaster.engines.explicit.thread_product import ThreadProduct
from knaster.engines.threads.states import endless
from knaster.engines.threads.states.abilities import Abilities
from knaster.engines.threads.states.product import ThreadSets
from knaster.engines.threads.states.removals import reasons_of
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.proofs.fair_table import FairTable
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.question import Termination
from knaster.semantics.heap.run_graph import HeapGraph
from knaster.semantics.thread_graph import ThreadGraph

Plant = Callable[[pytest.MonkeyPatch], None]
BUSY = "decl x := 0; void main_1() begin while (!x) do skip; od end void main_2() begin x := 1; end\n"
TAKES = (
    "decl lock := 0; void main_1() begin while (1) do atomic_begin; assume(!lock); lock := 1; atomic_end; "
    "lock := 0; od end void main_2() begin atomic_begin; assume(!lock); lock := 1; atomic_end; R: lock := 0; "
    "while (1) do skip; od end\n"
)
WAITS = "decl x := 0; void main_1() begin assume(x); end void main_2() begin skip; end\n"
MODEL = """class Main {
  static bool lock;
  static bool x;
  activate static void one() { while (true) { atomic { select { wait(!lock) -> lock = true; } } lock = false; } }
  activate static void two() { atomic { select { wait(!lock) -> lock = true; } } R: lock = false; assume(x); }
};
"""
QUESTIONS = (
    (BUSY, "a.bp", "termination", "none", False),
    (BUSY, "a.bp", "termination", "weak", True),
    (TAKES, "a.bp", "F R", "weak", False),
    (TAKES, "a.bp", "F R", "strong", True),
    (WAITS, "a.bp", "termination", "none", True),
    (WAITS, "a.bp", "F ended", "none", False),
    (MODEL, "a.zing", "F R", "weak", False),
    (MODEL, "a.zing", "F R", "strong", True),
    (MODEL, "a.zing", "G !R", "none", False),
)


def weak_is_read_as_strong(patch: pytest.MonkeyPatch) -> None:
    unfair = ThreadProduct._unfair
    patch.setattr(ThreadProduct, "_unfair", lambda self, part, fair: unfair(self, part, _swap(fair, "weak", "strong")))


def strong_is_read_as_weak(patch: pytest.MonkeyPatch) -> None:
    unfair = ThreadProduct._unfair
    patch.setattr(ThreadProduct, "_unfair", lambda self, part, fair: unfair(self, part, _swap(fair, "strong", "weak")))


def fairness_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ThreadProduct, "_unfair", lambda *_: set())


def every_thread_can_always_move(patch: pytest.MonkeyPatch) -> None:
    for graph in (ThreadGraph, HeapGraph):
        patch.setattr(graph, "can_move", lambda *_: True)


def nobody_rests(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ThreadGraph, "rests", lambda *_: False)


def waiting_is_an_end(patch: pytest.MonkeyPatch) -> None:
    over = ThreadGraph.is_over
    patch.setattr(ThreadGraph, "is_over", lambda self, here: over(self, here) or not list(self.moves(here)))


PLANTS: tuple[Plant, ...] = (
    weak_is_read_as_strong,
    strong_is_read_as_weak,
    fairness_is_forgotten,
    every_thread_can_always_move,
    nobody_rests,
    waiting_is_an_end,
)


def _read_as(patch: pytest.MonkeyPatch, this: str, other: str) -> None:
    patch.setattr(endless, "reasons_of", lambda fair, threads: reasons_of(_swap(fair, this, other), threads))


def sets_for_weak_are_those_for_strong(patch: pytest.MonkeyPatch) -> None:
    _read_as(patch, "weak", "strong")


def sets_for_strong_are_those_for_weak(patch: pytest.MonkeyPatch) -> None:
    _read_as(patch, "strong", "weak")


def sets_forget_fairness(patch: pytest.MonkeyPatch) -> None:
    _read_as(patch, "weak", "none")


def sets_never_rest(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ThreadSets, "before_rest", lambda *_: {})


def every_set_of_steps_counts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(endless, "automaton_against", lambda *_: EVERYTHING)


def a_thread_on_sets_can_always_move(patch: pytest.MonkeyPatch) -> None:
    able = Abilities._able
    patch.setattr(Abilities, "_able", lambda self, lane: able(self, lane) | ~able(self, lane))


def sets_are_not_closed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ThreadSets, "reach", lambda self, start: dict(start))


SET_PLANTS: tuple[Plant, ...] = (
    sets_for_weak_are_those_for_strong,
    sets_for_strong_are_those_for_weak,
    sets_forget_fairness,
    sets_never_rest,
    every_set_of_steps_counts,
    a_thread_on_sets_can_always_move,
    sets_are_not_closed,
)


def _swap(fair: str, this: str, other: str) -> str:
    return other if fair == this else fair


def wrong_cases(engine: str = "explicit") -> int:
    """Return how many questions are answered wrongly, or with evidence that is refused."""
    wrong = 0
    for text, file, asked, fair, true in QUESTIONS:
        if file == "a.zing" and engine == "states":
            continue
        try:
            result = knaster.check(text, file=file, property=asked, fair=fair, engine=engine)
            wrong += result.verdict.value != ("TRUE" if true else "FALSE")
        except InternalError:
            wrong += 1
    return wrong


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: str(plant.__name__))
def test_a_mistake_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert wrong_cases() > 0


@pytest.mark.parametrize("plant", SET_PLANTS, ids=lambda plant: str(plant.__name__))
def test_a_mistake_on_sets_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert wrong_cases("states") > 0


@pytest.mark.parametrize("engine", ["explicit", "states"])
def test_without_a_mistake_nothing_is_wrong(engine: str) -> None:
    assert wrong_cases(engine) == 0


def test_a_checker_that_reads_weak_as_strong_refuses_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(graph: object, fair: str, nodes: object, moved: object) -> bool:
        return is_fair(graph, _swap(fair, "weak", "strong"), nodes, moved)  # type: ignore[arg-type]

    monkeypatch.setattr("knaster.checkers.runs.thread_lasso.is_fair", wrong)
    with pytest.raises(InternalError):
        knaster.check(TAKES, property="F R", fair="weak", engine="explicit")


def test_a_table_for_strongly_fair_runs_says_nothing_about_weakly_fair_ones() -> None:
    ((_, answer),) = knaster.check(TAKES, property="F R", fair="strong", engine="explicit").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairTable)
    weaker = replace(answer.proof, question=replace(answer.proof.question, fair="weak"))
    with pytest.raises(InternalError, match="goes around"):
        check_fair_table(weaker, weaker.program, Budget())


def test_a_checker_of_tables_that_reads_weak_as_strong_accepts_a_wrong_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, answer),) = knaster.check(TAKES, property="F R", fair="strong", engine="explicit").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairTable)
    weaker = replace(answer.proof, question=replace(answer.proof.question, fair="weak"))
    left = Cycles._left
    monkeypatch.setattr(Cycles, "_left", lambda self, part, fair: left(self, part, _swap(fair, "weak", "strong")))
    check_fair_table(weaker, weaker.program, Budget())  # so the test above would notice it


def test_a_run_that_is_unfair_to_a_thread_is_refused() -> None:
    result = knaster.check(BUSY, property="termination")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    for fair in ("weak", "strong"):
        with pytest.raises(InternalError):
            check_thread_lasso(answer.lasso, result.program, Termination(fair=fair))
