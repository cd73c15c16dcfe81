"""A proof about the sequential program of threads is checked on the program that is made again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError, ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers import checked
from knaster.checkers.memory import reduced_threads
from knaster.checkers.memory.reduced_threads import check_reduced_threads
from knaster.evidence.proofs.memory import memory_states
from knaster.evidence.proofs.memory.reduced_threads import (
    MOST,
    ReducedThreads,
    from_fields,
    read_bound,
    reduce_threads,
    to_fields,
)
from knaster.evidence.questions.question import Bound, Target
from knaster.frontends.languages import load
from support.c_thread_texts import two_threads

pytest.importorskip("clang.cindex")
TEXT = two_threads("x = any(); y = 1;", "", "if (y) assert(x >= 0 || x < 0);")


def _proof(**how: object) -> tuple[ReducedThreads, Target]:
    ((target, answer),) = knaster.check(TEXT, file="a.c", property="reach", **how).answers  # type: ignore[arg-type]
    assert isinstance(answer, knaster.Unreachable) and isinstance(answer.proof, ReducedThreads)
    return answer.proof, target


@pytest.mark.parametrize("how", [{"engine": "interleaved"}, {"engine": "rounds", "rounds": 2}])
def test_a_proof_is_checked_and_another_is_refused(how: dict[str, object]) -> None:
    proof, target = _proof(**how)
    check_reduced_threads(proof, proof.program, [target], Budget())
    with pytest.raises(InternalError, match="other targets"):
        check_reduced_threads(replace(proof, asked=()), proof.program, [target], Budget())
    other = load(TEXT.replace("y = 1", "y = 2"), file="a.c")
    with pytest.raises(InternalError, match="another program"):
        check_reduced_threads(proof, other, [target], Budget())
    with pytest.raises(InternalError, match="another sequential program"):
        check_reduced_threads(replace(proof, program=other), other, [target], Budget())


def test_a_proof_within_a_bound_is_none_for_more() -> None:
    proof, target = _proof(engine="rounds", rounds=2)
    for bound in (None, Bound("rounds", 3), Bound("switches", 2)):
        with pytest.raises(InternalError, match="another sequential program"):
            check_reduced_threads(replace(proof, bound=bound), proof.program, [target], Budget())
    check_reduced_threads(replace(proof, bound=Bound("switches", 1)), proof.program, [target], Budget())


def test_a_file_has_a_proof_of_the_sequential_program() -> None:
    proof, _ = _proof(engine="rounds", rounds=2)
    assert repr(proof) == "<ReducedThreads of a.c: at most 2 rounds>"
    assert repr(replace(proof, bound=None)) == "<ReducedThreads of a.c: all interleavings>"
    fields = to_fields(proof, proof.program)
    assert from_fields(fields, proof.program, 1 << 10, Budget()).bound == Bound("rounds", 2)
    wrongs: list[object] = [{}, {"nothing": 1}, fields, {"regions": {}}, 7]
    for wrong in wrongs:
        with pytest.raises(ProofError, match="its proof is none"):
            from_fields({"reduced_threads": {**fields["reduced_threads"], "proof": wrong}}, proof.program, 0, Budget())
    alone = load("int main(void) { int x = 1, *p = &x; return *p; }", file="a.c", objects="always")
    with pytest.raises(ProofError, match="about threads with memory"):
        from_fields(fields, alone, 0, Budget())
    data = {"states_of_memory": {"states": 1, "strict": [], "vague": False}}
    assert memory_states.from_fields(data, proof.program, 0, Budget()).states == 1
    with pytest.raises(ProofError, match="states of threads with memory"):
        memory_states.from_fields(data, alone, 0, Budget())


def test_so_many_switches_are_one_round_more() -> None:
    proof, _ = _proof(engine="rounds", rounds=2)

    def made(kind: str, number: int) -> object:
        return reduce_threads(proof.program, proof.asked, Bound(kind, number)).program

    assert made("switches", 1) == made("rounds", 2) != made("rounds", 1)


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        (["switches", 0], ""),
        (["switches", -1], "too small or too large"),
        (["rounds", 0], "too small or too large"),
        (["rounds", 1], ""),
        (["rounds", MOST - 1], ""),
        (["rounds", MOST], "too small or too large"),
        (["delays", 1], "a bound is none"),
        (["rounds", True], "a bound is none"),
        (["rounds"], "a bound is none"),
        (["rounds", 1, 1], "a bound is none"),
        ("rounds", "no list"),
    ],
)
def test_bounds(bound: object, message: str) -> None:
    if message:
        with pytest.raises(ProofError, match=message):
            read_bound(bound)
    else:
        found = read_bound(bound)
        assert found is not None and [found.kind, found.number] == bound


def test_what_the_sequential_program_does_not_know_is_excluded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Target("first", "main", 1, 1), Target("second", "main", 2, 2)
    originals = {"of the first": first, "of the second": second, "of nobody": None}
    ones = [(Target(name, "main", 0, 0), original) for name, original in originals.items()]
    inner: Any = SimpleNamespace(program="reduced")
    proof = ReducedThreads("program", None, (first, second), inner)  # type: ignore[arg-type]
    made = SimpleNamespace(program="reduced", targets=ones)
    monkeypatch.setattr(reduced_threads, "reduce_threads", lambda *_: made)
    asked: list[Any] = []

    def believe(given: object, program: object, targets: Any, budget: Budget) -> Any:
        asked.append([target.name for target in targets])
        return SimpleNamespace(how="checked")

    monkeypatch.setattr(checked, "check_excludes", believe)
    for targets in ([first], [first, second], []):
        assert check_reduced_threads(proof, "program", targets, Budget()) == "checked"  # type: ignore[arg-type]
    assert asked == [["of the first", "of nobody"], [*originals], ["of nobody"]]
