"""All runs of programs with memory by the kernel: right proofs are accepted, wrong ones refused, others not judged."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, check, read_program
from knaster_check.memory import paths, runs, states
from knaster_check.program import Target
from knaster_check.refused import Unsupported
from support.attacks.on_memory import right_document, text_of
from support.kernel import document, kernel, kernel_of

RIGHT = [
    ("ERROR", "int n = input, *p = &n; if (*p > 5) if (*p < 6) ERROR: ;"),
    ("ERROR", "unsigned char v[4] = {1, 2, 3}; v[2] = byte; if (v[2] == 300) ERROR: ;"),
    ("ERROR", "int x = 1, *p = &x; if (__VERIFIER_nondet_bool()) *p = 3; if (x == 2) ERROR: ;"),
    ("bounds", "int v[4] = {0}; unsigned char i = byte; if (i < 4) v[i] = 1;"),
    ("dead", "int *p = malloc(4); *p = 1; free(p);"),
    ("overflow", "int n = input, *p = &n; if (n < 2147483647) n = *p + 1;"),
    ("leak", "int *p = malloc(4); *p = 1; free(p);"),
    ("lost", "static int *p; p = malloc(4);"),
    ("overlap", 'char v[8] = "abcdef"; memmove(v + 1, v, 3);'),
    ("call", "int (*f)(int) = twice; f(1);"),
    ("an undefined step", "struct pair x = {1}, y = {2, &x}, *p = &y; p->next->a = p->c[2];"),
]


@pytest.mark.parametrize(("target", "body"), RIGHT)
def test_a_right_proof_is_accepted(target: str, body: str) -> None:
    verdict = kernel(*right_document(target, body))
    assert verdict.claim == "unreachable"
    assert verdict.bound is None
    assert min(verdict.answered["runs"], verdict.answered["steps"]) > 0


def test_runs_that_end_are_known_to() -> None:
    result = knaster.check(text_of("int n = 3, *p = &n; while (*p) *p -= 1;"), file="a.c", property="termination")
    assert kernel_of(result).claim == "ends"


def test_check_says_that_the_kernel_looked() -> None:
    result = knaster.check(text_of("int n = 3, *p = &n; if (*p == 4) ERROR: ;"), file="a.c", property="reach")
    ((_, answer),) = result.answers
    assert isinstance(answer, Unreachable)
    assert answer.kernel


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("int n = input, *p = &n; if (*p * *p == 7) ERROR: ;", "1,000 values"),
        ('int n = 1, *p = &n; getenv("x"); if (*p == 7) ERROR: ;', "'getenv'"),
        ("char *p = malloc(4); if ((unsigned char)(unsigned long)p == 7) ERROR: ;", "part of a pointer"),
    ],
)
def test_what_is_not_known_is_not_judged(body: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        kernel(*right_document("ERROR", body))


def test_work_is_counted() -> None:
    program, proof = right_document("ERROR", "int n = 0, *p = &n; while (*p < 100000) *p += 1; if (*p == 1) ERROR: ;")
    with pytest.raises(Unsupported, match="more work"):
        check(read_program(program_to_kernel(program)), json.dumps(proof), most=60_000)


@pytest.mark.parametrize("name", ["bound", "bounds:0", "bounds:x", "bounds:1:2:3", "bounds:-1", ""])
def test_a_target_that_is_none_is_refused(name: str) -> None:
    program, proof = right_document("bounds", "int x = 1, *p = &x;")
    proof["targets"][0]["name"] = name
    with pytest.raises(Refused):
        kernel(program, proof)


def test_a_place_of_the_text_is_one_target() -> None:
    program = load(
        "int main(void) { int v[2] = {0}, i = 5;\nv[1] = 1;\nv[i] = 2; return 0; }\n", file="a.c", objects="always"
    )

    def believed(name: str) -> bool:
        made: Any = document(program, {"runs_of_memory": {"runs": 1, "strict": []}}, excludes=False)
        made["targets"] = [{"name": name, "procedure": "", "location": 0}]
        try:
            kernel(program, made)
        except Refused:
            return False
        return True

    assert believed("bounds:2")
    assert not believed("bounds:3")
    assert not believed("bounds")
    assert believed("null:3")


@pytest.mark.parametrize("module", [paths, runs, states])
def test_there_is_memory_and_one_thread_at_the_start(module: Any) -> None:
    program = read_program(program_to_kernel(load(text_of("int n = 3, *p = &n;"), file="a.c", objects="always")))
    flat = read_program(program_to_kernel(load("int main(void) { return 0; }", file="a.c", objects="never")))
    data = {
        "runs_of_memory": {"runs": 1, "strict": []},
        "states_of_memory": {"states": 1, "strict": [], "vague": False},
    }
    assert program.kind == "memory" != flat.kind
    for wrong in (flat, program._replace(threads=("main", "main"))):
        with pytest.raises(Refused, match="has no memory"):
            module.check(wrong, data, (Target("bounds", "", 0),), lambda units: None)
