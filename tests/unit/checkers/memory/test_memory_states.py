"""The check of all states of threads with memory: it refuses what a run contradicts."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.memory import memory_states
from knaster.checkers.memory.memory_states import StateWalk, check_memory_states
from knaster.evidence.proofs.memory.memory_states import MemoryStates
from knaster.evidence.questions.memory_targets import (
    deadlock_targets,
    leak_targets,
    overflow_targets,
    race_targets,
)
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.memory.sites import Sites

pytest.importorskip("clang.cindex")
TEXT = """#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m;
void *f(void *a) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);
  pthread_join(t, 0); assert(x == 2); return 0; }
"""


def ask(text: str, targets: object, strict: tuple[str, ...] = ()) -> None:
    program = load(text, file="p.c")
    assert isinstance(program, Program)
    check_memory_states(MemoryStates(program, 1, strict), program, targets(program), Budget())  # type: ignore[operator]


def test_a_proof_that_holds() -> None:
    ask(TEXT, default_targets)
    ask(TEXT, deadlock_targets)
    ask(TEXT, race_targets, ("race",))


@pytest.mark.parametrize(
    ("text", "targets", "strict", "said"),
    [
        (TEXT.replace("x == 2", "x != 2"), default_targets, (), "reaches a target"),
        (TEXT.replace("{ pthread_mutex_lock", "{ ERROR: pthread_mutex_lock"), default_targets, (), "reaches a target"),
        (TEXT.replace("{\n", "{ ERROR: ;\n"), default_targets, (), "reaches a target"),
        (TEXT.replace("pthread_mutex_unlock(&m); return", "return"), deadlock_targets, (), "no thread can move"),
        (TEXT.replace("x == 2", "x").replace("pthread_join(t, 0);", ""), race_targets, ("race",), "at once"),
        (TEXT, race_targets, (), "pass over"),
        (TEXT.replace("int x;", "int x = 2147483647;"), overflow_targets, ("overflow",), "undefined step at line"),
    ],
)
def test_a_proof_that_does_not(text: str, targets: object, strict: tuple[str, ...], said: str) -> None:
    with pytest.raises(InternalError, match=said):
        ask(text, targets, strict)


def test_more_states_than_the_search_saw() -> None:
    result = check(TEXT, file="p.c", property="reach")
    assert result.verdict.name == "TRUE"
    assert [answer.checked for _, answer in result.answers] == [True]


def test_a_step_that_was_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on after an overflow that nobody asks for; where no target could stand for it, nothing is shown."""
    text = TEXT.replace("int x;", "int x = 2147483647;")

    def elsewhere(program: Program) -> tuple[Target, ...]:
        return (Target("overflow:99", "", 0, 99, "overflow", column=1),)

    ask(text, elsewhere)
    monkeypatch.setattr(Sites, "is_listed", lambda self, kind, span: False)
    with pytest.raises(InternalError, match="no target stands for it"):
        ask(text, elsewhere)


def test_where_values_are_vague_nobody_sees_an_overflow() -> None:
    program = load(TEXT, file="p.c")
    assert isinstance(program, Program)
    vague = MemoryStates(program, 1, ("overflow",), vague=True)
    check_memory_states(vague, program, deadlock_targets(program), Budget())
    with pytest.raises(InternalError, match="nobody sees an overflow"):
        check_memory_states(vague, program, overflow_targets(program), Budget())


SECTION = """#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int x, y;
void *f(void *a) { __VERIFIER_atomic_begin(); y = 1; x = 1; __VERIFIER_atomic_end(); return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0);
  int r = x; pthread_join(t, 0); assert(r < 2); return 0; }
"""


def test_a_race_in_the_middle_of_a_section() -> None:
    with pytest.raises(InternalError, match="at once"):
        ask(SECTION, race_targets, ("race",))
    ask(SECTION, default_targets)
    ask(
        SECTION.replace("int r = x;", "__VERIFIER_atomic_begin(); int r = x; __VERIFIER_atomic_end();"),
        race_targets,
        ("race",),
    )


def walk_of(text: str, budget: Budget | None = None) -> StateWalk:
    """Return a walk through all states of a program that has come to its end."""
    program = load(text, file="p.c")
    assert isinstance(program, Program)
    walk = StateWalk(program, default_targets(program), frozenset(), budget or Budget(), False)
    walk.walk()
    return walk


def test_nobody_is_let_into_a_section() -> None:
    """A turn goes on inside a section, and where a thread is alone, so there are few states."""
    assert len(walk_of(SECTION).seen) == 5
    assert (
        len(walk_of(SECTION.replace("int r = x; pthread_join(t, 0);", "pthread_join(t, 0); int r = x; x = r;")).seen)
        == 3
    )


LEAKS = ("lost", "leak")


def test_memory_that_nobody_frees() -> None:
    text = """#include <stdlib.h>
#include <pthread.h>
void *f(void *a) { return 0; }
int main(void) { pthread_t t; EARLY pthread_create(&t, 0, f, 0); pthread_join(t, 0); LATE return 0; }
"""
    early = text.replace("EARLY", "void *p = malloc(4);")
    ask(early.replace("LATE", "free(p);"), leak_targets, LEAKS)  # a thread ends before
    for wrong in (early.replace("LATE", ""), text.replace("EARLY", "").replace("LATE", "malloc(4);")):
        with pytest.raises(InternalError, match="undefined step"):
            ask(wrong, leak_targets, LEAKS)


LOOP = """#include <pthread.h>
int x;
void *f(void *a) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  for (int i = 0; i < 1000; i++) ; pthread_join(t, 0); return 0; }
"""


def test_steps_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counted(Budget):
        checks = 0

        def check(self) -> None:
            self.checks += 1

    budget = Counted()
    walk = walk_of(LOOP, budget)
    assert walk.steps == 2518 and budget.checks == len(walk.seen) + walk.steps // 1024
    monkeypatch.setattr(memory_states, "STEPS", walk.steps)
    walk_of(LOOP)
    monkeypatch.setattr(memory_states, "STEPS", walk.steps - 1)
    with pytest.raises(OutOfBudget, match="steps"):
        walk_of(LOOP)
