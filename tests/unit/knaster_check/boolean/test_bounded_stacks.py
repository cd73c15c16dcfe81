"""Threads within a bound: the kernel's own walk reaches what single configurations reach, and no bound is stretched."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.checkers.files import proof_to_text
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from knaster_check import Refused
from knaster_check.boolean import bounded_stacks
from knaster_check.boolean.bounded_stacks import Contexts, Moment, _Context
from knaster_check.boolean.thread_steps import Step
from knaster_check.refused import Unsupported
from support.generators.threaded_programs import Crowd, threaded_text
from support.kernel import document, kernel

CROWDS = {
    "plain": Crowd(threads=(2, 3), statements=(1, 3), sections=0.2),
    "locked": Crowd(threads=(2, 2), statements=(1, 3), lock=1.0, calls=0.2, enforces=0.2),
    "starting": Crowd(threads=(1, 2), statements=(1, 3), starts=0.3, copies=True),
}
TURNS = """decl turn, a; init(!turn & !a);
void main_1() begin assume(!turn); down(); turn := T; assume(!turn); a := T; end
void main_2() begin assume(turn); turn := F; assume(a); R: skip; end
void down() begin if (*) then down(); fi end
"""
STARTS = """decl a; init(!a);
void main() begin start_thread late(T); assume(a); R: skip; end
void late(p) begin a := p; end
"""
ENDS = """decl a; init(!a);
void main_1() begin atomic_begin; a := T; end_thread; end
void main_2() begin assume(a); R: skip; end
"""


def claim(program: Program, kind: Any, number: Any, label: str = "R") -> dict[str, Any]:
    """Return a proof that a label is not reached within a bound."""
    places = [(each.name, at) for each in program.procedures for name, at in each.labels if name == label]
    targets = [{"name": label, "procedure": name, "location": at} for name, at in places]
    own = {"bound": [kind, number], "asked": [], "procedures": [], "nodes": []}
    return {**document(program, {"sequential": own}), "targets": targets}


def is_believed(program: Program, proof: dict[str, Any]) -> bool:
    try:
        kernel(program, proof)
    except Refused:
        return False
    return True


def questions(rng: Random, crowd: Crowd) -> Iterator[tuple[Program, str, int, str, bool]]:
    """Yield programs, bounds and labels, and whether single configurations reach them."""
    while True:
        program = parse(threaded_text(rng, crowd), "a.bp")
        kind = "switches" if crowd.starts else rng.choice(("switches", "rounds"))
        number = rng.randrange(3) if kind == "switches" else rng.choice((1, 2))
        keep = number if kind == "switches" else None
        try:
            runs = explore_threads(program, kind, number, keep=keep, depth=6, limit=1_500)
        except (TooManyStates, KnasterError):
            continue
        places = {place for place, level in runs.least.items() if level <= number}
        for procedure in program.procedures:
            for label, at in procedure.labels:
                yield program, kind, number, label, (procedure.name, at) in places


@pytest.mark.parametrize("crowd", CROWDS)
def test_random_threads(crowd: str) -> None:
    source, reached = questions(Random(f"bounded {crowd}"), CROWDS[crowd]), 0
    for _ in range(60):
        program, kind, number, label, true = next(source)
        assert is_believed(program, claim(program, kind, number, label)) is not true, (program.source, label)
        reached += true
    assert 5 < reached < 55


@pytest.mark.parametrize(
    ("text", "kind", "most"),
    [(TURNS, "switches", 2), (TURNS, "rounds", 1), (STARTS, "switches", 1), (ENDS, "switches", 0)],
)
def test_the_bound_is_what_holds(text: str, kind: str, most: int) -> None:
    program = parse(text, "a.bp")
    verdict = kernel(program, claim(program, kind, most))
    assert verdict.claim == "unreachable" and verdict.bound == (kind, most)
    assert is_believed(program, claim(program, kind, most - 1)) is (kind == "switches" and most > 0)
    for more in (1, 2):
        assert not is_believed(program, claim(program, kind, most + more))


@pytest.mark.parametrize("engine", ["lazy", "eager"])
def test_proofs_of_the_engines(engine: str) -> None:
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(TURNS, "R", file="a.bp", engine=engine, switches=2, evidence=evidence)
    proof = json.loads(proof_to_text(result))
    assert "sequential" in proof and kernel(result.program, proof).bound == ("switches", 2)
    proof["sequential"]["bound"][1] = 3
    assert not is_believed(result.program, proof)


def test_malformed_files() -> None:
    program = parse(TURNS, "a.bp")
    for kind, number in (("delays", 1), ("switches", -1), ("switches", True), ("rounds", 0), ("switches", "2")):
        assert not is_believed(program, claim(program, kind, number))
    proof = claim(program, "switches", 1)
    for targets in ([], [{"name": "deadlock", "procedure": "", "location": 0}]):
        assert not is_believed(program, {**proof, "targets": targets})
    started = parse(STARTS, "a.bp")
    with pytest.raises(Refused, match="start_thread"):
        kernel(started, claim(started, "rounds", 1))


def test_what_is_too_large_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse(TURNS, "a.bp")
    monkeypatch.setattr(bounded_stacks, "MOST_MOVES", 5)
    with pytest.raises(Unsupported):
        kernel(program, claim(program, "switches", 2))


def returns_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_Context, "enter", lambda *_: None)


def started_threads_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: _Context, moment: Moment, step: Step) -> Iterator[Moment]:
        yield Moment(step.shared, step.section, ())

    patch.setattr(_Context, "moments", wrong)


def everything_fails(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Contexts, "has_failed", lambda *_: True)


MISTAKES = [returns_are_forgotten, started_threads_are_forgotten, everything_fails]


@pytest.mark.parametrize("plant", MISTAKES)
def test_a_planted_mistake_is_noticed(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    wrong = [claim(parse(text, "a.bp"), "switches", number) for text, number in ((TURNS, 3), (STARTS, 2))]
    assert any(is_believed(parse(text, "a.bp"), proof) for text, proof in zip((TURNS, STARTS), wrong, strict=True))
