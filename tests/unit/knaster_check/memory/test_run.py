"""Runs with memory by the kernel: what Knaster finds is replayed, and what was changed is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster_check import Refused
from knaster_check.refused import Unsupported
from support.attacks.on_memory import WRONG, text_of
from support.attacks.on_memory_run import CHANGES, OF_TURNS, THREADED, right_run
from support.kernel import document, kernel


@pytest.mark.parametrize("name", [*WRONG, *THREADED])
def test_a_run_is_replayed(name: str) -> None:
    verdict = kernel(*right_run(name))
    assert verdict.claim == "reachable"
    assert verdict.answered["replayed"] > 0


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_run_is_refused(change: str) -> None:
    program, proof = right_run("a lost step" if change in OF_TURNS else "an input in the middle")
    made = json.loads(proof)
    CHANGES[change](made)
    with pytest.raises(Refused) as refused:
        kernel(program, made)
    assert not isinstance(refused.value, Unsupported)


def forged(body: str, lines: list[Any], inputs: list[Any], target: str = "") -> tuple[Program, dict[str, Any]]:
    program = load(text_of(body), file="a.c", objects="always")
    made = document(program, {"run": {"inputs": inputs, "turns": [[1, lines]]}}, excludes=not target)
    if target:
        made["targets"] = [{"name": target, "procedure": "", "location": 0}]
    return program, made


@pytest.mark.parametrize(
    ("target", "lines"),
    [("leak", [[7, 2]]), ("lost", [[7, 2]]), ("leak", [[7, 1]]), ("dead", [[7, 1]]), ("overflow", [])],
)
def test_what_does_not_happen_is_refused(target: str, lines: list[Any]) -> None:
    with pytest.raises(Refused, match="does not reach"):
        kernel(*forged("static int *p; free(p);", lines, [], target))


@pytest.mark.parametrize("lines", [[[7, 1]], [[7, 2]]])  # main can go on, and main has ended
def test_who_can_go_on_or_has_ended_is_not_stuck(lines: list[Any]) -> None:
    with pytest.raises(Refused, match="does not reach"):
        kernel(*forged("static int *p; free(p);", lines, [], "deadlock"))


def test_an_undefined_step_before_the_end_is_not_the_end() -> None:
    body = "int n = 2147483647, *p = &n; n = *p + 1; n = 1;"
    program, made = forged(body, [], [], "overflow")
    for steps in range(8):
        made["run"]["turns"] = [[1, [[7, steps]]]]
        try:
            found = kernel(program, made).claim
        except Refused:
            found = ""
        assert (found == "reachable") is (steps == 3), steps


@pytest.mark.parametrize("value", [True, None, ["bytes", 4], ["pointer", 0], "0x1p+2"])
def test_an_input_of_another_type_is_refused(value: Any) -> None:
    with pytest.raises(Refused, match="no value of the type"):
        kernel(*forged("int n = input, *p = &n; if (*p == 4) ERROR: ;", [[7, 4]], [value]))


def test_inputs_of_other_types_are_read() -> None:
    body = "double d, *p = &d; int *q[2]; struct pair s[1]; if (*p > 2.5 && q[1] == 0 && s->c[1] == 9) ERROR: ;"
    result = knaster.check(text_of(body), file="a.c", property="reach")
    ((_, answer),) = result.answers
    assert isinstance(answer, Reachable)
    assert answer.kernel


def test_what_the_kernel_does_not_know_is_not_judged() -> None:
    program, made = forged('int n = 1, *p = &n; getenv("x"); ERROR: ;', [[7, 9]], [])
    with pytest.raises(Unsupported, match="getenv"):
        kernel(program, made)
    with pytest.raises(Unsupported, match="races"):
        kernel(*forged("int n = 1, *p = &n;", [[7, 1]], [], "a race"))


def test_a_section_is_not_interrupted() -> None:
    text = "#include <pthread.h>\nint x; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
    text += "void *f(void *a) {\n__VERIFIER_atomic_begin();\nx = 1;\nx = 0;\n__VERIFIER_atomic_end();\nreturn 0; }\n"
    text += "int main(void) { pthread_t p;\npthread_create(&p, 0, f, 0);\nif (x) {\nERROR: ; }\nreturn 0; }\n"
    turns = [[1, [[9, 1], [10, 1]]], [2, [[4, 1], [5, 1]]], [1, [[11, 2]]]]
    with pytest.raises(Refused, match="thread 1 cannot run"):
        kernel(*with_turns(text, turns))
    assert kernel(*with_turns(text.replace("__VERIFIER_atomic_begin();\n", "x = 0;\n"), turns)).claim == "reachable"


def with_turns(text: str, turns: list[Any]) -> tuple[Program, dict[str, Any]]:
    program = load(text, file="a.c")
    made = document(program, {"run": {"inputs": [], "turns": turns}})
    made["targets"] = [target for target in made["targets"] if target["name"] == "ERROR"]
    return program, made


def test_functions_of_streams_read_what_the_file_says() -> None:
    body = 'FILE *f = fopen("a", "r"); if (!f) return 0; char c[4]; fgets(c, 4, f); if (fseek(f, 0, 0)) ERROR: ;'
    result = knaster.check(text_of(body), "ERROR", file="a.c")
    ((_, answer),) = result.answers
    assert isinstance(answer, Reachable)
    assert answer.kernel
