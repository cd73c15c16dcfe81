"""Wrong runs of C with memory to a target: right ones in which an input, a line, a turn or the target was changed.

Each is made of a run that Knaster finds.  Of one thread: other inputs, runs that are cut, too long or take other lines,
undefined steps of another kind.  Of several: another order of turns, turns left out, a switch inside a section.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache, partial
from typing import Any

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.proofs.files import write_document
from knaster.evidence.proofs.table import PROOFS
from knaster.program.model import Program
from support.attacks.attack import Attack, Forged
from support.attacks.on_memory import WRONG, text_of

Document = dict[str, Any]
PROPERTIES = {"leak": "leak", "lost": "leak", "overflow": "overflow", "deadlock": "deadlock"}
THREADS = "#include <pthread.h>\nint x, y; pthread_mutex_t m, n;\nvoid __VERIFIER_atomic_begin(void);"
THREADS += " void __VERIFIER_atomic_end(void);\n"
LOCK, UNLOCK = "pthread_mutex_lock", "pthread_mutex_unlock"
BOTH = "pthread_create(&p, 0, f, 0);\npthread_create(&q, 0, f, 0);\npthread_join(p, 0);\npthread_join(q, 0);\n"
THREADED = {  # what is asked, a thread, and main
    "a lost step": ("reach", "int t = x;\nt++;\nx = t;", f"{BOTH}if (x != 2) ERROR: ;"),
    "seen too early": (
        "reach",
        "x = 1;\ny = 1;",
        "pthread_create(&p, 0, f, 0);\nint a = x;\nint b = y;\nif (b > a) ERROR: ;",
    ),
    "a deadlock": (
        "deadlock",
        f"{LOCK}(&m);\n{LOCK}(&n);\nx = 1;",
        f"pthread_create(&p, 0, f, 0);\n{LOCK}(&n);\n{LOCK}(&m);\n{UNLOCK}(&m);\n{UNLOCK}(&n);",
    ),
    "a division": ("safety", "y = 1 / x;", "x = 1;\npthread_create(&p, 0, f, 0);\nx = 0;\npthread_join(p, 0);"),
}


@cache
def right_run(name: str) -> tuple[Program, str]:
    """Return a program with memory and a run of it to a target."""
    if name in THREADED:
        property, thread, main = THREADED[name]
        text = f"{THREADS}void *f(void *a) {{\n{thread}\nreturn 0; }}\n"
        text += f"int main(void) {{ pthread_t p, q;\n{main}\nreturn 0; }}\n"
        result = knaster.check(text, file="a.c", property=property)
    else:
        kind, body = WRONG[name]
        asked = ("ERROR", "reach") if kind == "ERROR" else (None, PROPERTIES.get(kind, "safety"))
        result = knaster.check(text_of(body), asked[0], property=asked[1], file="a.c", objects="always")
    form = next(kind for kind in PROOFS if kind.name == "run")
    target, trace = next((target, each.trace) for target, each in result.answers if isinstance(each, Reachable))
    return result.program, write_document(result.program, [target], form, trace)


def _another_input(made: Document) -> None:
    first = made["run"]["inputs"][0]
    if isinstance(first, bool):
        made["run"]["inputs"][0] = not first
    elif isinstance(first, int):
        made["run"]["inputs"][0] = first ^ 1
    else:
        made["run"]["inputs"][0] = ["pointer", 0]


def _no_number(made: Document) -> None:
    made["run"]["inputs"][0] = "0x1p+0"


def _too_large(made: Document) -> None:
    made["run"]["inputs"][0] = 1 << 80


def _no_input(made: Document) -> None:
    made["run"]["inputs"].pop()


def _cut(made: Document) -> None:
    lines = made["run"]["turns"][-1][1]
    lines[-1][1] -= 1


def _cut_first(made: Document) -> None:
    made["run"]["turns"][0][1][0][1] -= 1


def _longer(made: Document) -> None:
    made["run"]["turns"][-1][1].append([1, 1])


def _return_too_early(made: Document) -> None:
    made["run"]["turns"][-1][1].append([0, 1])


def _another_line(made: Document) -> None:
    made["run"]["turns"][0][1][0][0] += 1


def _another_thread(made: Document) -> None:
    made["run"]["turns"][-1][0] += 1


def _nobody(made: Document) -> None:
    made["run"]["turns"] = []


def _another_kind(made: Document) -> None:
    kind, *place = made["targets"][0]["name"].split(":")
    kind = "bounds" if kind != "bounds" else "null"
    made["targets"] = [{"name": ":".join([kind, *place]) if place[:1] else kind, "procedure": "", "location": 0}]


def _another_column(made: Document) -> None:
    kind, *place = made["targets"][0]["name"].split(":")
    made["targets"][0]["name"] = f"{kind}:{place[0] if place else 9}:99"


def _another_place(made: Document) -> None:
    (target,) = made["targets"]
    target["location"] = max(0, target["location"] - 1)


def _turns_exchanged(made: Document) -> None:
    turns = made["run"]["turns"]
    turns[-2:] = [turns[-1], turns[-2]] if len(turns) > 1 else [*turns, *turns]


def _one_thread_alone(made: Document) -> None:
    made["run"]["turns"] = [turn for turn in made["run"]["turns"] if turn[0] == 1]


def _without_a_turn(made: Document) -> None:
    del made["run"]["turns"][len(made["run"]["turns"]) // 2]


SIMPLE: dict[str, Callable[[Document], None]] = {
    "the run is cut": _cut,
    "the first step is missing": _cut_first,
    "the run goes on": _longer,
    "the run goes back": _return_too_early,
    "another line": _another_line,
    "another thread": _another_thread,
    "nobody runs": _nobody,
    "another kind": _another_kind,
    "another place": _another_place,
}
OF_INPUTS: dict[str, Callable[[Document], None]] = {
    "another input": _another_input,
    "an input that is no number": _no_number,
    "an input that is too large": _too_large,
    "an input less": _no_input,
}
OF_TURNS: dict[str, Callable[[Document], None]] = {
    "turns are exchanged": _turns_exchanged,
    "main alone": _one_thread_alone,
    "a turn is missing": _without_a_turn,
}
CHANGES = SIMPLE | OF_INPUTS | OF_TURNS
READING = [name for name, (_, body) in WRONG.items() if "input" in body or "byte" in body or "nondet" in body]
READING += ["what nobody wrote", "a pointer that nobody wrote"]
SILENT = {("another place", kind) for kind, (target, _) in WRONG.items() if target != "ERROR"}  # of undefined steps
SILENT |= {("another place", name) for name in ("a deadlock", "a division")}


def attacks() -> Iterator[Attack]:
    """Yield them all."""
    for name in (*WRONG, *THREADED):
        changes = SIMPLE | (OF_INPUTS if name in READING else {}) | (OF_TURNS if name in THREADED else {})
        for change in changes:
            if (change, name) not in SILENT:
                yield Attack("a run of memory", f"{name}, {change}", partial(_forge, name, changes[change]))


def _forge(name: str, change: Callable[[Document], None]) -> Forged:
    program, proof = right_run(name)
    made: Document = deepcopy(json.loads(proof))
    change(made)
    assert made != json.loads(proof)
    return program, made
