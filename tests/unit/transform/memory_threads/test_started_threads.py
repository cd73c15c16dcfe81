"""Which threads a program starts."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.transform.memory_threads.started_threads import find_threads
from knaster.transform.regions.refusal import Refused
from support.c_thread_texts import HEAD, two_threads

pytest.importorskip("clang.cindex")


def _program(main: str, more: str = "") -> str:
    return (
        f"{HEAD}void *one(void *p) {{ x = 1; return 0; }}\n{more}\nint main(void) {{ pthread_t a; {main} return 0; }}"
    )


def test_threads_have_the_numbers_of_the_machine() -> None:
    threads, counts = find_threads(load(two_threads("", ""), file="a.c"))
    assert [(thread.number, thread.function) for thread in threads] == [(1, "main"), (2, "one"), (3, "two")]
    assert all(thread.takes_argument and thread.gives_result for thread in threads[1:])
    assert max(max(count) for count in counts.values()) == 3


@pytest.mark.parametrize(
    ("main", "more", "why"),
    [
        ("while (any()) pthread_create(&a, 0, one, 0);", "", "line 12: a loop starts threads"),
        ("if (any()) pthread_create(&a, 0, one, 0); pthread_create(&a, 0, one, 0);", "", "how many threads"),
        ("if (any()) pthread_create(&a, 0, one, 0); else pthread_create(&a, 0, one, 0);", "", "the same number"),
        ("pthread_create(&a, 0, two, 0);", "void *two(void *p) { pthread_create(p, 0, one, 0); return 0; }",
         "a thread other than main starts one"),
        ("void *(*f)(void *) = any() ? one : 0; pthread_create(&a, 0, f, 0);", "", "not plain which function"),
    ],
)  # fmt: skip
def test_what_depends_on_the_run_is_refused(main: str, more: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        find_threads(load(_program(main, more), file="a.c"))


def test_a_function_that_starts_threads_is_followed() -> None:
    more = "void begin(void) { pthread_t a; pthread_create(&a, 0, one, 0); }"
    threads, _ = find_threads(load(_program("begin(); pthread_create(&a, 0, one, 0);", more), file="a.c"))
    assert [thread.site[0] for thread in threads if thread.site is not None] == ["begin", "main"]
