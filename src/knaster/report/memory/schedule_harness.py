"""A harness that forces a schedule: from a run of threads of C, C that lets a compiled program take its turns.

The program is compiled with gcc's instrumentation for threads, which calls `__tsan_read4` and its like before each use
of memory; the harness defines these functions and wraps the words of pthreads.  A thread goes on where the next event
of the run is its own and whoever had the turn has come to its next event.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import PurePath

from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.harness import harness
from knaster.report.memory.thread_events import INPUT, WORDS, Event, thread_events

_PARAMETERS = {
    "pthread_join": ("pthread_t a, void **b", "a, b"),
    "pthread_detach": ("pthread_t a", "a"),
    "pthread_mutex_init": ("pthread_mutex_t *a, const pthread_mutexattr_t *b", "a, b"),
    "pthread_cond_init": ("pthread_cond_t *a, const pthread_condattr_t *b", "a, b"),
    "pthread_rwlock_init": ("pthread_rwlock_t *a, const pthread_rwlockattr_t *b", "a, b"),
    "sem_init": ("sem_t *a, int b, unsigned c", "a, b, c"),
}
_OTHERS = ("pthread_create", "pthread_cond_wait", "pthread_exit", "exit", "__assert_fail")  # written by hand
_TURNS = """
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_broadcast(pthread_cond_t *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
void __real_pthread_exit(void *) __attribute__((noreturn));
void __real_exit(int) __attribute__((noreturn));
void __real___assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

static pthread_mutex_t knaster_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t knaster_changed = PTHREAD_COND_INITIALIZER;
static int knaster_next, knaster_runs, knaster_threads = 1;
static __thread int knaster_me = 1, knaster_depth;

static void knaster_lose(const char *what) {
  fprintf(stderr, "the schedule is lost: thread %d at event %d comes to %s\\n", knaster_me, knaster_next, what);
  _exit(99);
}

static void knaster_leave(void) {  /* whoever runs lets others run */
  if (knaster_runs == knaster_me) knaster_runs = 0;
  __real_pthread_cond_broadcast(&knaster_changed);
}

static void knaster_wait(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 20;
  if (pthread_cond_timedwait(&knaster_changed, &knaster_mutex, &until)) knaster_lose("nothing that others let it do");
}

static void knaster_stop(void) {  /* the error is that of another thread */
  __real_pthread_mutex_lock(&knaster_mutex);
  knaster_leave();
  for (;;) knaster_wait();
}

static void knaster_turn(const char *what) {
  __real_pthread_mutex_lock(&knaster_mutex);
  knaster_leave();
  while (knaster_next < knaster_events ? knaster_schedule[knaster_next].thread != knaster_me || knaster_runs
                                       : knaster_me != knaster_last)
    knaster_wait();
  if (knaster_next < knaster_events) {
    if (strcmp(knaster_schedule[knaster_next].what, what)) knaster_lose(what);
    knaster_next++;
    knaster_runs = knaster_me;
  }
  __real_pthread_mutex_unlock(&knaster_mutex);
}

extern char __data_start[], _end[];
static void knaster_use(const void *place, const char *what) {
  if ((const char *)place >= __data_start && (const char *)place < _end) knaster_turn(what);
}

#define KNASTER_USES(size) \\
  void __tsan_read##size(void *place) { knaster_use(place, "use"); } \\
  void __tsan_write##size(void *place) { knaster_use(place, "use"); } \\
  void __tsan_unaligned_read##size(void *place) { knaster_use(place, "use"); } \\
  void __tsan_unaligned_write##size(void *place) { knaster_use(place, "use"); } \\
  void __tsan_volatile_read##size(void *place) { knaster_use(place, "use"); } \\
  void __tsan_volatile_write##size(void *place) { knaster_use(place, "use"); }
KNASTER_USES(1)
KNASTER_USES(2)
KNASTER_USES(4)
KNASTER_USES(8)
KNASTER_USES(16)
void __tsan_read_range(void *place, unsigned long size) { (void)size; knaster_use(place, "several bytes"); }
void __tsan_write_range(void *place, unsigned long size) { (void)size; knaster_use(place, "several bytes"); }
void __tsan_init(void) {}
void __tsan_func_entry(void *from) { (void)from; knaster_depth++; }
void __tsan_func_exit(void) {
  if (!--knaster_depth && knaster_me == 1 && knaster_last != 1) knaster_stop();  /* main would end all */
}
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}

struct knaster_start { void *(*function)(void *); void *argument; int number; };
static void *knaster_begin(void *given) {
  struct knaster_start start = *(struct knaster_start *)given;
  free(given);
  knaster_me = start.number;
  pthread_exit(start.function(start.argument));
}
int __wrap_pthread_create(pthread_t *a, const pthread_attr_t *b, void *(*c)(void *), void *d) {
  struct knaster_start *start = malloc(sizeof *start);
  knaster_turn("pthread_create");
  *start = (struct knaster_start){c, d, ++knaster_threads};
  return __real_pthread_create(a, b, knaster_begin, start);
}
void __wrap_pthread_exit(void *result) {
  __real_pthread_mutex_lock(&knaster_mutex);
  knaster_leave();
  __real_pthread_mutex_unlock(&knaster_mutex);
  __real_pthread_exit(result);
}
int __wrap_pthread_cond_wait(pthread_cond_t *a, pthread_mutex_t *b) {
  (void)a;  /* the schedule says when it is woken */
  knaster_turn("wait_begin");
  __real_pthread_mutex_unlock(b);
  knaster_turn("wait_end");
  return __real_pthread_mutex_lock(b);
}
void __wrap_exit(int code) {
  if (knaster_me != knaster_last) knaster_stop();
  __real_exit(code);
}
void __wrap___assert_fail(const char *a, const char *b, unsigned c, const char *d) {
  if (knaster_me != knaster_last) knaster_stop();
  __real___assert_fail(a, b, c, d);
}
"""


def schedule_harness(program: Program, trace: Trace, target: Target) -> str:
    """Return C that forces the schedule of a run of threads and gives it its inputs; refuse what cannot be forced."""
    events = thread_events(program, trace, target)
    return "\n".join(
        [
            _commands(program.file),
            harness(program, trace, f'knaster_turn("{INPUT}");').replace("#include <stdio.h>", _head(events, trace), 1),
        ]
    )


def wrapped_words() -> tuple[str, ...]:
    """Return the functions that the linker has to replace."""
    return (*WORDS, *(name for name in _OTHERS if name not in WORDS))


def _commands(file: str) -> str:
    parts = file.split(" ")
    files = [PurePath(part) for part in (parts if all(part.endswith((".c", ".i")) for part in parts) else [file])]
    texts, objects = (" ".join(shlex.quote(name) for name in names) for names in _names(files))
    wraps = ",".join(f"--wrap={word}" for word in wrapped_words())
    commands = (
        f"   gcc -O0 -g -fsanitize=thread -c {texts}\n"
        f"   gcc {objects} OUT.c -pthread -Wl,{wraps} -o knaster_run && ./knaster_run\n"
    )
    return "/* Forces the turns of threads.  With this file as OUT.c:\n" + commands.replace("*/", "* /") + "*/"


def _names(files: list[PurePath]) -> tuple[list[str], list[str]]:
    """Return the names of texts, and of what a compiler makes of them."""
    return [path.name for path in files], [path.with_suffix(".o").name for path in files]


def _head(events: list[Event], trace: Trace) -> str:
    rows = [f'  {{{event.thread}, "{event.what}"}},' for event in events]
    return "\n".join(
        [
            "#include <stdio.h>",
            "#include <stdlib.h>",
            "static const struct { int thread; const char *what; } knaster_schedule[] = {",
            *rows,
            '  {0, ""}',
            "};",
            f"static const int knaster_events = {len(events)}, knaster_last = {trace.segments[-1].thread};",
            _TURNS,
            *_wrappers(),
        ]
    )


def _wrappers() -> Iterator[str]:
    """Yield the words that take one turn and do what they do."""
    for word in WORDS:
        if word not in _OTHERS:
            kind = next((kind for kind in ("mutex", "cond", "rwlock") if f"_{kind}_" in word), "")
            declared, given = _PARAMETERS.get(word, (f"pthread_{kind}_t *a" if kind else "sem_t *a", "a"))
            yield f"int __real_{word}({declared});"
            yield f'int __wrap_{word}({declared}) {{ knaster_turn("{word}"); return __real_{word}({given}); }}'
