"""The kernel checks proofs of reduced programs, and the answer says so; no file says which they are."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers import kernel
from knaster.checkers.files import proof_to_text
from knaster.checkers.kernel import ask_kernel
from knaster.checkers.memory import reduced_texts as texts
from knaster.checkers.memory.reduced_texts import reduced_texts
from knaster.cli import main
from knaster.decide.mistakes import _doubt
from knaster.evidence.answers.answer import Result, Terminates, Unknown, Unreachable
from knaster.evidence.proofs.files import fingerprint
from knaster.evidence.proofs.memory.regions import reduce_memory
from knaster.evidence.questions.question import Bound, Target
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.report.stepper.panels import _trust
from knaster_check.memory import paths
from support.c_thread_texts import two_threads
from support.kinds_of_proofs import result_with

pytest.importorskip("clang.cindex")
SOME = 60_000  # units of work, as `check` allows
LOOP = """int any(void);
void add(int *p) { *p += 1; }
int main(void) { int x = 0, n = any(); if (n < 0) return 0; for (int i = 0; i < n; i++) add(&x);
if (x != n) { ERROR: ; } return 0; }
"""
WRONG = LOOP.replace("i < n", "i <= n")
THREADS = two_threads("x = any(); y = 1;", "", "if (y) assert(x >= 0 || x < 0);")
WORDS = "proof of the program over integers checked by the kernel; the reduction is trusted"
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "regions": (LOOP, {"engine": "regions"}),
    "rounds": (THREADS, {"engine": "rounds", "rounds": 2}),
}


@cache
def found(name: str = "regions") -> Result:
    """Return a result with a proof."""
    text, how = ASKED[name]
    return knaster.check(text, file="a.c", property="reach", **how)


def saved(name: str = "regions") -> tuple[Program, dict[str, Any]]:
    """Return a program and the document of a proof of it."""
    result = found(name)
    return result.program, json.loads(proof_to_text(result))


def ask(program: Program, proof: dict[str, Any]) -> kernel.Word:
    return ask_kernel(program, json.dumps(proof), Budget(), most=SOME)


@pytest.mark.parametrize(("name", "bound"), [("regions", None), ("rounds", Bound("rounds", 2))])
def test_what_the_kernel_says_of_a_reduced_program_is_not_said_of_the_program(name: str, bound: Bound | None) -> None:
    word = ask(*saved(name))
    assert word.of_reduced and not word.holds and word.silence and word.answered and word.bound == bound


def test_the_answer_says_what_was_checked_and_what_is_trusted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "STEPS", 2_000)
    file, proof = tmp_path / "a.c", tmp_path / "a.proof"
    file.write_text(LOOP)
    result = found()
    assert WORDS in result.to_text()
    assert "checked by the kernel)" not in result.to_text()
    ((_, answer),) = result.answers
    assert isinstance(answer, Unreachable) and answer.checked and answer.kernel_reduced and not answer.kernel
    (target,) = json.loads(result.to_json())["targets"]
    assert target["kernel"] is False and target["kernel_reduced"] is True
    assert isinstance(_doubt(answer), Unknown)  # once the kernel has refused a proof, this is not enough
    assert "the reduction is trusted" in _trust(answer)
    proof.write_text(proof_to_text(result))
    assert main(["certify", str(file), str(proof)]) == 0
    assert "the kernel has checked the proof of the program over integers; the reduction is trusted)" in (
        capsys.readouterr().out
    )
    assert main(["certify", str(file), str(proof), "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)["kernel"]
    assert said["holds"] is False and said["reduced"] is True and said["silence"] and said["answered"]


def test_that_every_run_ends_is_said_the_same_way() -> None:
    text = "int f(void);\nint main(void) { int n = f(), x = 0, *p = &x; while (*p < n) *p += 1; return 0; }\n"
    result = knaster.check(text, file="a.c", property="termination", engine="regions")
    ((_, answer),) = result.answers
    assert isinstance(answer, Terminates) and answer.kernel_reduced and not answer.kernel
    said = json.loads(result.to_json())
    assert WORDS in result.to_text() and said["kernel"] is False and said["kernel_reduced"] is True


def test_what_the_kernel_can_go_through_itself_comes_first() -> None:
    text = LOOP.replace("n < 0", "n < 0 || n > 3")
    result = knaster.check(text, file="a.c", property="reach", engine="regions")
    ((_, answer),) = result.answers
    assert isinstance(answer, Unreachable) and answer.kernel and not answer.kernel_reduced
    result = result_with("reduced_threads")
    ((_, answer),) = result.answers
    assert isinstance(answer, Unreachable) and answer.kernel and not answer.kernel_reduced


def test_a_proof_of_another_program_is_none_of_this_one() -> None:
    program, proof = saved()
    other = load(WRONG, file="a.c")
    with pytest.raises(ProofError, match="another program"):
        reduced_texts(other, json.dumps(proof))
    with pytest.raises(ProofError, match="another program"):
        ask(other, proof)
    forged = {**proof, "program": fingerprint(other)}
    with pytest.raises(ProofError, match="says the kernel"):
        ask(other, forged)
    assert ask(program, proof).of_reduced


def _inner(proof: dict[str, Any], kind: str, **changes: Any) -> dict[str, Any]:
    return {**proof, kind: {**proof[kind], "proof": {**proof[kind]["proof"], **changes}}}


def _other(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**document, "regions": {**document["regions"], **changes}}


ATTACKS: dict[str, Any] = {
    "targets in the inner proof": lambda p: _inner(p, "regions", targets=[]),
    "a program in the inner proof": lambda p: _inner(p, "regions", program=p["program"]),
    "an entry in the inner proof": lambda p: _inner(p, "regions", entry="add"),
    "a second kind in the inner proof": lambda p: _inner(p, "regions", unrolling={"depth": 1}),
    "nobody was asked about": lambda p: _other(p, asked=[]),
    "no targets": lambda p: {**p, "targets": []},
    "a bound of regions": lambda p: _other(p, bound=["rounds", 1]),
    "its own program text": lambda p: _other(p, program="{}"),
    "no proof": lambda p: _other(p, proof=[]),
    "an empty proof": lambda p: _other(p, proof={}),
    "regions of regions": lambda p: _other(p, proof={"regions": p["regions"]}),
    "a run": lambda p: _other(p, proof={"run": {"paths": [], "segments": []}}),
    "a lasso": lambda p: _other(p, proof={"lasso": {}}),
    "a depth": lambda p: _other(p, proof={"unrolling": {"depth": 1}}),
    "true everywhere": lambda p: _inner(
        p,
        "regions",
        invariants={
            **p["regions"]["proof"]["invariants"],
            "at": [[name, at, [["truth", True]]] for name, at, _ in p["regions"]["proof"]["invariants"]["at"]],
        },
    ),
    "false everywhere": lambda p: _inner(
        p,
        "regions",
        invariants={
            "requires": [[name, [["truth", False]]] for name, _ in p["regions"]["proof"]["invariants"]["requires"]],
            "at": [[name, at, [["truth", False]]] for name, at, _ in p["regions"]["proof"]["invariants"]["at"]],
        },
    ),
    "false but at the entry": lambda p: _inner(
        p,
        "regions",
        invariants={
            **p["regions"]["proof"]["invariants"],
            "at": [
                [name, at, formula if name != "main" or at == 0 else [["truth", False]]]
                for name, at, formula in p["regions"]["proof"]["invariants"]["at"]
            ],
        },
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_refused(attack: str) -> None:
    program, proof = saved()
    try:
        word = ask(program, ATTACKS[attack](proof))
    except ProofError:
        return
    assert not word.of_reduced and not word.holds


@cache
def _one_round(text: str) -> Result:
    return knaster.check(text, file="a.c", property="reach", engine="rounds", rounds=1)


@pytest.mark.parametrize("bound", [None, ["rounds", 3], ["switches", 5], ["rounds", 0], "rounds", ["delays", 2]])
def test_a_bound_is_that_of_the_reduction(bound: Any) -> None:
    """A proof for two rounds is none for more: the program for these is made, and the proof checked of it."""
    text = two_threads("x = 1; y = any(); x = 2;", "if (x == 1) { if (x == 2) assert(0); }")
    result = _one_round(text)
    proof = json.loads(proof_to_text(result))
    assert ask(result.program, proof).bound == Bound("rounds", 1)
    forged = {**proof, "reduced_threads": {**proof["reduced_threads"], "bound": bound}}
    try:
        word = ask(result.program, forged)
    except ProofError:
        return
    assert not word.of_reduced and not word.holds


def test_places_where_the_reduced_program_knows_nothing_are_targets_too(monkeypatch: pytest.MonkeyPatch) -> None:
    program, proof = saved()
    reduce = reduce_memory
    unclear = Target("unclear", "main", 0, 1)

    def with_unclear(*given: Any) -> Any:
        return replace(reduce(*given), targets=(*reduce(*given).targets, (unclear, None)))

    monkeypatch.setattr(texts, "reduce_memory", with_unclear)
    with pytest.raises(ProofError, match="says the kernel"):
        ask(program, proof)
    with pytest.raises(ProofError, match="knows nothing"):
        reduced_texts(program, json.dumps({**proof, "targets": []}))
    monkeypatch.setattr(texts, "reduce_memory", lambda *given: replace(reduce(*given), targets=((unclear, None),)))
    with pytest.raises(ProofError, match="other targets"):
        reduced_texts(program, json.dumps(proof))


def test_a_proof_of_another_kind_is_about_no_reduced_program() -> None:
    result: Result = knaster.check("decl g; void main() begin R: skip; end", "R", file="a.bp")
    assert reduced_texts(result.program, proof_to_text(result)) is None
