"""The check of all states of threads with memory: it refuses what a run contradicts."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.memory.memory_states import check_memory_states
from knaster.evidence.proofs.memory.memory_states import MemoryStates
from knaster.evidence.questions.memory_targets import deadlock_targets, overflow_targets, race_targets
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
