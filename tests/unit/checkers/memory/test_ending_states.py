"""That every run of threads of C ends: proofs about threads that go around are refused."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.memory.ending_states import check_ending
from knaster.evidence.proofs.memory.memory_states import MemoryStates
from knaster.frontends.languages import load

pytest.importorskip("clang.cindex")

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int g; int x; pthread_mutex_t m;\n"
MAIN = "int main() { pthread_t a; pthread_create(&a, 0, f, 0); REST }\n"
SPINS = HEAD + "void *f(void *b) { g = 1; return 0; }\n" + MAIN.replace("REST", "while (!g); return 0;")
POLLS = HEAD + (
    "void *f(void *b) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }\n"
    + MAIN.replace(
        "REST", "int d = 0; while (!d) { pthread_mutex_lock(&m); d = x; pthread_mutex_unlock(&m); } return 0;"
    )
)
ALONE = HEAD + "void *f(void *b) { while (1); return 0; }\n" + MAIN.replace("REST", "pthread_join(a, 0); return 0;")
ENDS = HEAD + "void *f(void *b) { g = 1; return 0; }\n" + MAIN.replace("REST", "x = g; return 0;")


def accepted(text: str, fair: str = "none", **more: object) -> bool:
    program = load(text, file="p.c")
    try:
        check_ending(MemoryStates(program, 1, fair=fair, **more), program, Budget())  # type: ignore[arg-type]
    except InternalError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "fair", "holds"),
    [
        (SPINS, "none", False),
        (SPINS, "weak", True),
        (POLLS, "weak", False),
        (POLLS, "strong", True),
        (ALONE, "none", False),
        (ALONE, "strong", False),
        (ENDS, "none", True),
        (ENDS, "strong", True),
    ],
)
def test_cycles_that_count_are_refused(text: str, fair: str, holds: bool) -> None:
    assert accepted(text, fair) is holds


def test_states_of_other_runs_prove_nothing() -> None:
    assert not accepted(ENDS, vague=True)
    assert not accepted(ENDS, strict=("overflow",))
    program = load(ENDS, file="p.c")
    with pytest.raises(InternalError, match="another program"):
        check_ending(MemoryStates(load(ENDS, file="p.c"), 1), program, Budget())
