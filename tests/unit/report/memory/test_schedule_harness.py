"""The harness that forces a schedule: compiled by gcc, the threads run into the error that Knaster has found."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from knaster import Reachable, check
from knaster.base.errors import UnsupportedError
from knaster.evidence.answers.answer import Result
from knaster.report.memory.schedule_harness import schedule_harness, wrapped_words
from support.generators.c_threads import threads_program

pytest.importorskip("clang.cindex")
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
LOST_UPDATE = """#include <pthread.h>
#include <assert.h>
int x;
void *f(void *a) { x = x + 1; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  assert(x == 2);
}
"""
MEETING = """#include <pthread.h>
#include <assert.h>
#include <semaphore.h>
static int x; int y, ready; pthread_mutex_t m; pthread_cond_t c; sem_t s;
int __VERIFIER_nondet_int(void);
void *produce(void *a) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m); x++; ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
    y = __VERIFIER_nondet_int();
  }
  sem_post(&s);
  return 0;
}
void *consume(void *a) {
  static int seen;
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  seen = x;
  pthread_mutex_unlock(&m);
  sem_wait(&s);
  y = y + seen;
  return 0;
}
int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 0);
  pthread_create(&u, 0, consume, 0); pthread_create(&t, 0, produce, 0);
  int own = __VERIFIER_nondet_int();
  pthread_join(u, 0);
  assert(y != 10 || x != 2 || own != 3);
}
"""


def _harness(result: Result) -> tuple[str, int]:
    """Return the harness for the first trace of a result, and the line of the error."""
    target = next(target for target, answer in result.answers if isinstance(answer, Reachable) and answer.trace)
    assert result.trace is not None
    return schedule_harness(result.program, result.trace, target), target.line


def _run(folder: Path, text: str, harness: str) -> subprocess.CompletedProcess[str]:
    (folder / "p.c").write_text(text)
    (folder / "h.c").write_text(harness)
    wraps = ",".join(f"--wrap={word}" for word in wrapped_words())
    commands = [
        ["gcc", "-w", "-O0", "-g", "-fsanitize=thread", "-c", "p.c", "-o", "p.o"],
        ["gcc", "-w", "p.o", "h.c", "-pthread", f"-Wl,{wraps}", "-o", "run"],
    ]
    for command in commands:
        subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([folder / "run"], cwd=folder, capture_output=True, text=True, check=False)


@needs_gcc
@pytest.mark.parametrize("text", [LOST_UPDATE, MEETING])
def test_the_assertion_fails_in_the_compiled_program(text: str, tmp_path: Path) -> None:
    harness, line = _harness(check(text, file="p.c"))
    for _ in range(3):
        done = _run(tmp_path, text, harness)
        assert done.returncode == -6, done.stderr
        assert f"p.c:{line}:" in done.stderr


@needs_gcc
@pytest.mark.parametrize("number", [16, 29, 32])
def test_random_programs(number: int, tmp_path: Path) -> None:
    text, _ = threads_program(Random(f"harness {number}"), 2, 3)
    text = text.replace(", g2 = 0; p2", "; p2").replace("int g0, g1,", "int g0, g1, g2,")
    result = check(text, file="p.c", property="reach")
    assert result.verdict.name == "FALSE"
    harness, line = _harness(result)
    done = _run(tmp_path, text, harness)
    assert done.returncode == -6 and f"p.c:{line}:" in done.stderr, done.stderr


@needs_gcc
def test_another_order_is_noticed(tmp_path: Path) -> None:
    harness, _ = _harness(check(LOST_UPDATE, file="p.c"))
    changed = harness.replace('{2, "use"}', '{2, "sem_post"}', 1)
    assert changed != harness
    done = _run(tmp_path, LOST_UPDATE, changed)
    assert done.returncode == 99 and "the schedule is lost: thread 2" in done.stderr


def test_commands_are_written_down() -> None:
    harness, _ = _harness(check(LOST_UPDATE, file="src/p.c"))
    assert "gcc -O0 -g -fsanitize=thread -c p.c\n   gcc p.o OUT.c" in harness
    assert "--wrap=pthread_mutex_lock" in harness
    harness, _ = _harness(check(LOST_UPDATE, file="a/p.c b/q.c"))
    assert "-c p.c q.c\n   gcc p.o q.o OUT.c" in harness
    harness, _ = _harness(check(LOST_UPDATE, file="my program.c"))
    assert "-c 'my program.c'\n   gcc 'my program.o' OUT.c" in harness


@pytest.mark.parametrize(
    ("old", "new", "property", "said"),
    [
        ("int x;", "_Atomic int x, y; void g(void) { y++; }", "reach", "the order of '_Atomic' among threads"),
        ("assert(x == 2);", "", "race", "does not stop at"),
        (
            "void *f(void *a) { x = x + 1;",
            "int *p; void *f(void *a) { x = x + 1; *p = *p + 1;",
            "reach",
            "'z' is no global",
        ),
    ],
)
def test_what_cannot_be_forced_is_refused(old: str, new: str, property: str, said: str) -> None:
    text = LOST_UPDATE.replace(old, new)
    if "int *p" in text:
        text = text.replace("pthread_t t, u;", "pthread_t t, u; int z = 0; p = &z;")
    result = check(text, file="p.c", property=property)
    with pytest.raises(UnsupportedError, match=said):
        _harness(result)
