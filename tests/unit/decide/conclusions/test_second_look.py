"""The second look: the kernel is asked about small proofs, the answer says so, and its refusal is our mistake."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

import knaster
from knaster.base.errors import InternalError, KernelRefusal, ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers import kernel
from knaster.checkers.kernel import Word
from knaster.decide.conclusions import second_look
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.evidence.proofs.files import write_document
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.question import Bound
from support.kinds_of_proofs import result_with

TEXT = "decl g; init(!g); void main() begin g := g; if (g) then R: skip; fi S: skip; end\n"


def ask(**options: object) -> knaster.Result:
    return knaster.check(TEXT, ["R", "S"], file="a.bp", **options)  # type: ignore[arg-type]


def test_a_small_proof_is_checked_by_the_kernel() -> None:
    result = ask()
    kernel_says = {target.name: getattr(answer, "kernel", None) for target, answer in result.answers}
    assert kernel_says == {"R": True, "S": False}
    assert "proof checked by the kernel" in result.to_text()
    assert [target["kernel"] for target in json.loads(result.to_json())["targets"]] == [True, False]


@pytest.mark.parametrize("limit", ["EDGES", "NODES", "CHARACTERS", "WORK"])
def test_a_large_one_is_not(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(second_look, limit, 0)
    result = ask()
    assert "proof checked)" in result.to_text()
    assert not any(isinstance(answer, Unreachable) and answer.kernel for _, answer in result.answers)


def test_the_largest_that_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_look, "EDGES", ask().program.size)
    assert "proof checked by the kernel" in ask().to_text()


def test_any_number_of_threads_is_a_question_for_proofs_about_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "decl g; init(!g); void f() begin g := F; if (g) then R: skip; fi end\n"
    result = knaster.check(text, "R", file="a.bp", threads=["f*"])
    ((target, answer),) = result.answers
    assert isinstance(answer, Unreachable) and answer.kernel and answer.checked
    alone = ask()
    asked: list[object] = []

    def be_silent(*given: object) -> Word:
        asked.append(given[3])
        return Word(False, "nothing is known of it")

    monkeypatch.setattr(kernel, "ask_kernel", be_silent)
    second_look.look_again(replace(result, answers=((target, replace(answer, kernel=False)),)), ("f",), Budget())
    assert asked == [("f",)]
    second_look.look_again(alone, ("f",), Budget())
    assert asked == [("f",)]  # a proof about one thread says nothing of others


def test_what_was_not_checked_is_not_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "ask_kernel", None)
    assert "not checked" in ask(evidence=knaster.Evidence(proofs=False)).to_text()


def test_a_refusal_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Word:
        raise ProofError("a state is missing")

    monkeypatch.setattr(kernel, "ask_kernel", refuse)
    monkeypatch.setenv("KNASTER_STRICT", "1")
    with pytest.raises(InternalError, match="a state is missing"):
        ask()


def test_silence_is_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "ask_kernel", lambda *_: Word(False, "nothing is known of it"))
    assert "proof checked)" in ask().to_text()


POINTER = "int main(void) { int x = 1, y = 2, *p = &x; *p = 3; if (x == 3) A: y = *p; if (y == 3) B: ; return 0; }\n"


def test_runs_with_memory_are_replayed_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    result = knaster.check(POINTER, ["A", "B"], file="a.c", objects="always")
    assert [answer.kernel for _, answer in result.answers if isinstance(answer, Reachable)] == [True, True]
    assert "2 traces replayed by the kernel" in result.to_text()
    size = result.program.size
    for limit, value, asked in (
        ("RUNS", 2, True), ("RUNS", 1, False), ("MEMORY_EDGES", size, True), ("MEMORY_EDGES", size - 1, False),
    ):  # fmt: skip
        with monkeypatch.context() as patched:
            patched.setattr(second_look, limit, value)
            again = knaster.check(POINTER, ["A", "B"], file="a.c", objects="always")
        assert [answer.kernel for _, answer in again.answers if isinstance(answer, Reachable)] == [asked, asked]


def test_a_run_that_was_not_replayed_is_not_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    result = knaster.check(POINTER, ["A", "B"], file="a.c", objects="always")
    found = [(target, answer) for target, answer in result.answers if isinstance(answer, Reachable)]
    unchecked = tuple((target, replace(answer, checked=False, kernel=False)) for target, answer in found)
    monkeypatch.setattr(kernel, "ask_kernel", None)
    again = second_look.look_again(replace(result, answers=unchecked), (), Budget())
    assert [answer.kernel for _, answer in again.answers if isinstance(answer, Reachable)] == [False, False]


def test_a_run_with_memory_that_the_kernel_refuses_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from knaster.evidence.proofs.memory import memory_run

    monkeypatch.setattr(memory_run, "lines_of", lambda trace: [(1, [(2, 1)])])
    monkeypatch.setenv("KNASTER_STRICT", "1")
    with pytest.raises(InternalError, match="the run takes line"):
        knaster.check(POINTER, ["A", "B"], file="a.c", objects="always", engine="search")


def test_evidence_is_about_the_program_that_was_asked_about() -> None:
    result = ask()
    ((_, answer),) = [(target, answer) for target, answer in result.answers if isinstance(answer, Unreachable)]
    assert second_look._may_be_asked(result, answer)
    assert not second_look._may_be_asked(replace(result, program=ask().program), answer)
    assert not second_look._may_be_asked(result, replace(answer, proof=None))
    assert not second_look._may_be_asked(result, replace(answer, checked=False))


def test_the_longest_proof_that_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    result = ask()
    ((target, answer),) = [(target, answer) for target, answer in result.answers if isinstance(answer, Unreachable)]
    kind = kind_of(answer.proof)
    assert kind is not None
    size = len(write_document(result.program, [target], kind, answer.proof))
    for most, holds in ((size, True), (size - 1, False)):
        monkeypatch.setattr(second_look, "CHARACTERS", most)
        assert second_look._ask(result, kind, answer.proof, [target], (), Budget()).holds is holds


@pytest.mark.parametrize("word", [Word(True), Word(False, "it is silent", of_reduced=True)])
def test_the_kernel_says_within_which_bound(monkeypatch: pytest.MonkeyPatch, word: Word) -> None:
    alone = ask()
    monkeypatch.setattr(kernel, "ask_kernel", lambda *_: word)
    second_look.look_again(alone, (), Budget())
    monkeypatch.setattr(kernel, "ask_kernel", lambda *_: word._replace(bound=Bound("rounds", 2)))
    with pytest.raises(KernelRefusal, match="within"):
        second_look.look_again(alone, (), Budget())


class Diagram:
    """Stands for a decision diagram of so many nodes."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes

    def node_count(self) -> int:
        return self.nodes


def test_small_proofs_have_few_rows_and_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_look, "ROWS", 3)
    monkeypatch.setattr(second_look, "NODES", 10)
    one, two = Diagram(4), Diagram(6)
    for rows in ({"size": 3}, {"rows": (1, 2, 3)}):
        assert second_look._is_small(SimpleNamespace(**rows))
    for more in ({"size": 4}, {"rows": (1, 2, 3, 4)}):
        assert not second_look._is_small(SimpleNamespace(**more))
    assert second_look._is_small(SimpleNamespace(path_edges={"f": (one, two, one)}))
    assert not second_look._is_small(SimpleNamespace(path_edges={"f": (one, two, Diagram(1))}))


def test_every_diagram_of_a_proof_is_counted() -> None:
    a, b, c, d = (Diagram(number) for number in range(4))
    removal = SimpleNamespace(kept={"x": c})
    proofs = [
        SimpleNamespace(layers=[[{"x": a}, {"y": b}], [{"z": c, "w": d}]]),
        SimpleNamespace(certificate=SimpleNamespace(path_edges={"f": (a, b)}), sets={"p": (c, d)}),
        SimpleNamespace(reached={"x": a}, removals=(removal,), inside=(SimpleNamespace(kept={"y": b, "z": d}),)),
        SimpleNamespace(conducts={"r": SimpleNamespace(path_edges={"f": (a, b)}, guarantee={"g": c, "h": d})}),
    ]
    for proof in proofs:
        assert {diagram.nodes for diagram in second_look._diagrams(proof)} == {0, 1, 2, 3}


def test_a_large_reduced_program_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    result = result_with("regions")
    assert "the reduction is trusted" in result.to_text()
    _, answer = result.answers[0]
    assert isinstance(answer, Unreachable) and second_look._is_small(answer.proof)
    size = answer.proof.inner.program.size  # type: ignore[union-attr]
    monkeypatch.setattr(second_look, "MEMORY_EDGES", size)
    assert second_look._is_small(answer.proof)
    monkeypatch.setattr(second_look, "MEMORY_EDGES", size - 1)
    assert not second_look._is_small(answer.proof)
