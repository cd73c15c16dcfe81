"""Random C programs of a few threads over a few shared integers, each with the instructions that it stands for.

The instructions are those of `oracles.c_interleavings`.  Some globals are written through a pointer, one is a local of
main; that is the same to the instructions.
"""

from __future__ import annotations

from random import Random

from support.oracles.c_interleavings import Crew, Instruction

REGISTERS, SHARED, MUTEXES = 2, 3, 2
LOCAL = 2  # the shared integer that is a local of main
HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
int g0, g1, *p0 = &g0, *p2;
pthread_mutex_t m0, m1;
pthread_cond_t c0;
sem_t s0;
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
"""


class _Writer:
    """The statements of one thread, as text and as instructions."""

    def __init__(self, random: Random, number: int, divides: float, spins: float) -> None:
        self.random = random
        self.number, self.main = number, number == 0
        self.divides, self.spins = divides, spins  # how often a statement divides, or waits in a loop
        self.lines: list[str] = []
        self.code: list[Instruction] = []
        self.held: list[int] = []
        self.inside = False  # of a section

    def name(self, shared: int) -> str:
        """Return how a shared integer is written."""
        if shared == LOCAL:
            return "g2" if self.main else "*p2"
        return "*p0" if shared == 0 and self.random.random() < 0.3 else f"g{shared}"

    def say(self, text: str, *code: Instruction) -> None:
        """Add a statement."""
        self.lines.append(text)
        self.code += code

    def condition(self) -> tuple[int, str, int]:
        """Return a comparison of a register with a number."""
        return self.random.randrange(REGISTERS), self.random.choice(["==", "!=", "<", ">"]), self.random.randrange(3)

    def statement(self, depth: int) -> None:
        """Add one statement at random."""
        random = self.random
        register, shared = random.randrange(REGISTERS), random.randrange(SHARED)
        kind = random.choices(
            ["load", "store", "add", "set", "input", "if", "spin", "assert", "lock", "section", "signal", "post",
             "try", "exit", "assume", "wait", "down", "divide"],
            [6, 6, 4, 2, 2, 3, self.spins, 1, 4, 2, 1, 1, 1, 0.2, 0.4, 0.7, 0.7, self.divides],
        )[0]  # fmt: skip
        if kind == "load":
            self.say(f"r{register} = {self.name(shared)};", ("load", register, shared))
        elif kind == "store":
            number = random.randrange(3)
            self.say(f"{self.name(shared)} = {number};", ("store", shared, -1, number))
        elif kind == "add":
            name = self.name(shared)
            self.say(f"{name} = {name} + 1;", ("load", REGISTERS, shared), ("store", shared, REGISTERS, 1))
        elif kind == "set":
            self.say(f"r{register} = 1;", ("set", register, 1))
        elif kind == "input":
            text = f"r{register} = __VERIFIER_nondet_int(); "
            if random.random() < 0.5:
                self.say(f"{text}if (r{register} != 0) r{register} = 1;", ("input", register, 2))
            else:
                self.say(f"{text}__VERIFIER_assume(r{register} >= 0 && r{register} < 3);", ("input", register, 3))
        elif kind == "if" and depth:
            self.branch(depth)
        elif kind == "spin" and not self.inside:
            again = len(self.code)
            number = random.randrange(3)
            self.code += [("load", REGISTERS, shared), ("test", REGISTERS, "!=", number, again + 3), ("jump", again)]
            self.lines.append(f"while ({self.name(shared)} != {number});")
        elif kind in ("assert", "assume"):
            at, sign, number = self.condition()
            word = "assert" if kind == "assert" else "__VERIFIER_assume"
            self.say(f"{word}(r{at} {sign} {number});", (kind, at, sign, number))
        elif kind == "divide":
            by, number, name = random.randrange(REGISTERS), random.randrange(3), f"d{self.number}_{len(self.code)}"
            text = f"r{register} = 6 / (r{by} - {number}); /* {name} */"
            self.say(text, ("divide", register, by, number, name))
        elif kind == "exit":
            self.say("exit(0);", ("exit",))
        elif not self.inside:
            self.meeting(kind, depth)

    def branch(self, depth: int) -> None:
        """Add an `if`."""
        at, sign, number = self.condition()
        self.lines.append(f"if (r{at} {sign} {number}) {{")
        place = len(self.code)
        self.code.append(("jump", 0))
        self.body(depth - 1, 2)
        self.code[place] = "test", at, sign, number, len(self.code)
        self.lines.append("}")

    def body(self, depth: int, most: int) -> None:
        """Add some statements."""
        for _ in range(self.random.randrange(1, most + 1)):
            self.statement(depth)

    def meeting(self, kind: str, depth: int) -> None:
        """Add a statement that concerns other threads."""
        mutex = self.random.randrange(MUTEXES)
        if kind == "lock" and mutex not in self.held:
            self.say(f"pthread_mutex_lock(&m{mutex});", ("lock", mutex))
            self.held.append(mutex)
            self.body(depth, 3)
            self.held.remove(mutex)
            self.say(f"pthread_mutex_unlock(&m{mutex});", ("unlock", mutex))
        elif kind == "section":
            self.inside = True
            self.say("__VERIFIER_atomic_begin();", ("begin",))
            self.body(depth, 3)
            self.say("__VERIFIER_atomic_end();", ("end",))
            self.inside = False
        elif kind == "signal":
            word = self.random.choice(["signal", "broadcast"])
            self.say(f"pthread_cond_{word}(&c0);", (word, 0))
        elif kind == "post":
            self.say("sem_post(&s0);", ("post", 0))
        elif kind == "down":
            self.say("sem_wait(&s0);", ("down", 0))
        elif kind == "wait" and self.held:
            held = self.random.choice(self.held)
            self.say(f"pthread_cond_wait(&c0, &m{held});", ("wait", 0, held), ("woken", held))
        elif kind == "try" and mutex not in self.held:
            place = len(self.code)
            self.code += [("try", REGISTERS, mutex), ("jump", 0)]
            self.lines.append(f"if (pthread_mutex_trylock(&m{mutex}) == 0) {{")
            self.held.append(mutex)
            self.body(depth - 1, 2)
            self.held.remove(mutex)
            self.say(f"pthread_mutex_unlock(&m{mutex}); }}", ("unlock", mutex))
            self.code[place + 1] = "test", REGISTERS, "==", 0, len(self.code)


def threads_program(
    random: Random, threads: int = 2, size: int = 3, divides: float = 0, spins: float = 1
) -> tuple[str, Crew]:
    """Return the text of a program and the instructions of its threads; they may divide by zero."""
    texts, programs = [], []
    for number in range(1, threads + 1):
        writer = _Writer(random, number, divides, spins)
        writer.body(2, size)
        texts.append(_function(number, writer.lines))
        programs.append((*writer.code, ("halt",)))
    main = _Writer(random, 0, divides, spins)
    for number in range(1, threads + 1):
        main.say(f"pthread_create(&t{number}, 0, f{number}, 0);", ("start", number))
        if random.random() < 0.3:
            main.statement(1)
    for number in range(1, threads + 1):
        if random.random() < 0.8:
            main.say(f"pthread_join(t{number}, 0);", ("join", number))
    for register in range(REGISTERS):
        shared = random.randrange(SHARED)
        main.say(f"r{register} = {main.name(shared)};", ("load", register, shared))
    at, sign, number = main.condition()
    main.say(f"assert(r{at} {sign} {number});", ("assert", at, sign, number))
    declared = ", ".join(f"t{number}" for number in range(1, threads + 1))
    lines = [f"pthread_t {declared}; int r0 = 0, r1 = 0, g2 = 0; p2 = &g2;", *main.lines, "return 0;"]
    text = HEAD + "\n".join(texts) + "\nint main(void) {\n  " + "\n  ".join(lines) + "\n}\n"
    return text, Crew(((*main.code, ("halt",)), *programs), REGISTERS + 1, SHARED, MUTEXES, 1)


def _function(number: int, lines: list[str]) -> str:
    body = "\n  ".join(["int r0 = 0, r1 = 0;", *lines, "return 0;"])
    return f"void *f{number}(void *a) {{\n  {body}\n}}"
