"""All runs of Boolean programs: the kernel's own walk reaches what explorations reach, of recursion and threads."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from knaster.base.errors import KnasterError
from knaster.checkers.files import proof_to_text
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from knaster_check import Refused
from knaster_check.boolean import all_runs
from knaster_check.boolean.all_runs import Configurations
from knaster_check.boolean.bounded_stacks import _Context
from knaster_check.refused import Unsupported
from support.generators.threaded_programs import Crowd, threaded_text
from support.kernel import document, kernel
from support.kinds_of_proofs import result_with

RECURSIVE = """decl g; init(!g);
void main() begin decl x; x := f(T); if (x & {}) then R: skip; fi end
bool f(p) begin decl y; if (*) then y := f(!p); return !y; fi return p; end
"""
STARTS = """decl a; init(!a);
void main() begin start_thread late({}); assume(a); R: skip; end
void late(p) begin a := p; end
"""
TURNS = "decl a := 0;\nvoid main_1() begin {} a := 1; end\nvoid main_2() begin assume(a); R: skip; end\n"


def claim(program: Program, label: str = "R") -> dict[str, Any]:
    """Return a proof that a label is never reached."""
    places = [(each.name, at) for each in program.procedures for name, at in each.labels if name == label]
    targets = [{"name": label, "procedure": name, "location": at} for name, at in places]
    return {**document(program, {"referred": {"asked": [], "table": {}}}), "targets": targets}


def is_believed(program: Program, proof: dict[str, Any]) -> bool:
    try:
        return kernel(program, proof).bound is None
    except Refused:
        return False


def test_proofs_of_reference_models() -> None:
    result = result_with("referred_table")
    proof = json.loads(proof_to_text(result))
    assert "referred" in proof and is_believed(result.program, proof)
    assert not is_believed(result.program, {**proof, "targets": []})
    assert not is_believed(result.program, {**proof, "referred": {}})


SECTION = """decl a; init(!a);
void main_1() begin {} a := T; a := F; atomic_end; end
void main_2() begin assume(a); R: skip; end
"""
LOCK = """decl atomic, a; void init() begin atomic, a := F, F; end
void thread1() begin atomic := {}; a := T; a := F; atomic := F; end
void thread2() begin assume(a); R: skip; end
"""
WRONG = [(RECURSIVE, "T", "g"), (STARTS, "T", "F"), (TURNS, "skip;", "assume(a);")]
TWICE = "decl a := 0; void main() begin f(); {} f(); R: skip; end void f() begin skip; end\n"
WRONG += [(TWICE, "skip;", "assume(a);")]
WRONG += [(SECTION, "skip;", "atomic_begin;"), (LOCK, "F", "T")]


@pytest.mark.parametrize(("text", "wrong", "right"), WRONG)
def test_by_hand(text: str, wrong: str, right: str) -> None:
    assert is_believed(parse(text.format(right), "a.bp"), claim(parse(text.format(right), "a.bp")))
    assert not is_believed(parse(text.format(wrong), "a.bp"), claim(parse(text.format(wrong), "a.bp")))


@pytest.mark.parametrize("threads", [(1, 1), (2, 2)])
def test_random_programs(threads: tuple[int, int]) -> None:
    rng, reached, done = Random(f"all runs {threads}"), 0, 0
    crowd = Crowd(threads=threads, statements=(1, 3), sections=0.2, lock=0.2, enforces=0.2, starts=0.1)
    while done < 60:
        program = parse(threaded_text(rng, crowd), "a.bp")
        try:
            runs = explore_threads(program, depth=6, limit=400)
        except (TooManyStates, KnasterError):
            continue
        for procedure in program.procedures:
            for label, at in procedure.labels:
                true = (procedure.name, at) in runs.least
                try:
                    kernel(program, claim(program, label))
                    assert not true, (program.source, label)
                except Unsupported:
                    continue
                except Refused:
                    assert true, (program.source, label)
                reached, done = reached + true, done + 1
    assert 5 < reached < done - 5


def test_what_is_too_large_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse(TURNS.format("assume(a);"), "a.bp")
    monkeypatch.setattr(all_runs, "MOST", 2)
    with pytest.raises(Unsupported):
        kernel(program, claim(program))


@pytest.mark.parametrize("plant", [(Configurations, "switches"), (Configurations, "steps"), (_Context, "enter")])
def test_a_planted_mistake_is_noticed(plant: tuple[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*plant, lambda *_: ())
    programs = [parse(text.format(wrong), "a.bp") for text, wrong, _ in WRONG]
    assert any(is_believed(program, claim(program)) for program in programs)
