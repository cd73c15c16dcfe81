"""Sets of stacks of random programs with recursive threads, against the exploration of single configurations.

`KNASTER_EXAMPLES=350 pytest tests/differential/test_stacks.py` checks 1,000 programs of every kind.
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest

import knaster
from knaster.base.errors import InternalError, UsageError
from knaster.base.limits import Budget, Limits
from knaster.checkers.threads.stack_table import check_stack_table
from knaster.engines.threads.transducers import CARD as TRANSDUCERS
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.evidence.proofs.threads.stack_table import StackSet, StackTable
from knaster.evidence.questions.question import Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import load
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from support.generators.threaded_programs import Crowd, threaded_text
from support.machines import count_looks

PROGRAMS = 3 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
CROWDS = {
    "plain": Crowd(sections=0.0, statements=(1, 3)),
    "sections": Crowd(statements=(1, 3)),
    "locked": Crowd(lock=1.0, sections=0.0, statements=(1, 3)),
}
MOST = 4


@pytest.mark.parametrize("engine", ["stacks", "transducers"])
@pytest.mark.parametrize("crowd", CROWDS)
def test_every_target_of_random_programs(crowd: str, engine: str) -> None:
    """Every target and every number of switches: reachable with the least number and a trace, or never, or not yet."""
    seed = done = reached = never = 0
    while done < PROGRAMS:
        seed += 1
        program = load(threaded_text(Random(f"{engine} {crowd} {seed}"), CROWDS[crowd]))
        if engine == "transducers" and TRANSDUCERS.why_not(program, Reach(())) is not None:
            continue
        try:
            oracle = explore_threads(program, "switches", MOST, depth=4, limit=20_000)
        except TooManyStates:
            continue
        done += 1
        result = knaster.check(program, "all-labels", engine=engine, switches=MOST)
        for target, answer in result.answers:
            least = oracle.least.get(target.place)
            if isinstance(answer, Reachable):
                reached += 1
                assert answer.checked and answer.trace is not None
                assert answer.least == answer.trace.switches
                assert answer.least == least or (oracle.cut and (least is None or answer.least < least)), (seed, target)
            else:
                assert isinstance(answer, Unreachable) and least is None, (seed, target)
                never += answer.bound is None
                assert answer.checked is (answer.bound is None and engine == "stacks"), (seed, target)
                if answer.bound is None and not oracle.closed:
                    _is_never_reached(program, target.name, seed)
    assert reached > PROGRAMS and never > PROGRAMS / 4


def _is_never_reached(program: object, target: str, seed: int) -> None:
    """Look for a run with more switches to what is said to be never reached."""
    assert isinstance(program, knaster.Program)
    again = knaster.check(program, target, engine="explicit", switches=7, states=4_000)
    assert not isinstance(again.answers[0][1], Reachable), (seed, target)


RECURSIVE = """decl g, h; init(!g & !h);
void main_1() begin rec(); assume(h{}); ERROR: skip; end
void main_2() begin assume(g); h := T; end
void rec() begin if (*) then rec(); fi g := T; g := F; end
"""


def test_recursive_threads_are_decided() -> None:
    unsafe = knaster.check(RECURSIVE.format(""))
    assert (unsafe.engine, unsafe.verdict.value) == ("stacks", "FALSE")
    answer = unsafe.answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked and answer.least == 2
    assert knaster.check(RECURSIVE.format(" & !h")).engine == "modular"
    safe = knaster.check(RECURSIVE.format(" & !h"), engine="stacks")
    assert (safe.engine, safe.verdict.value) == ("stacks", "TRUE")
    proved = safe.answers[0][1]
    assert isinstance(proved, Unreachable) and proved.checked and isinstance(proved.proof, StackTable)
    assert proved.proof.unreached_places() == safe.unreached == (("main_1", 2),)
    bounded = knaster.check(RECURSIVE.format(" & !h"), engine="stacks", switches=0)
    assert bounded.verdict.value == "UNKNOWN" and "with at most 0 switches" in bounded.reason


def test_stacks_that_never_stop_growing_end_with_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    count_looks(monkeypatch)
    growing = """decl g; init(!g);
void main_1() begin up(); ERROR: skip; end
void main_2() begin down(); end
void up() begin assume(!g); g := T; up(); end
void down() begin assume(g); g := F; down(); end
"""
    result = knaster.check(growing, engine="stacks", limits=Limits(seconds=300))
    assert result.verdict.value == "UNKNOWN"
    assert result.bound is not None and result.bound.covered is not None and result.bound.covered > 5
    bounded = knaster.check(growing, engine="stacks", switches=3)
    assert bounded.verdict.value == "UNKNOWN" and "at most 3 switches" in bounded.reason


def test_what_is_too_large_is_refused() -> None:
    names = ", ".join(f"g{number}" for number in range(18))
    text = f"decl {names};\nvoid main_1() begin ERROR: skip; end\nvoid main_2() begin skip; end\n"
    with pytest.raises(UsageError, match=r"it enumerates values, and there are [0-9]+"):
        knaster.check(text, engine="stacks")
    small = knaster.check(RECURSIVE.format(" & !h"), engine="stacks", rules=10)
    assert small.verdict.value == "UNKNOWN" and "more than 10 rules" in small.reason


def test_a_proof_that_lacks_something_is_refused() -> None:
    """Whatever is left out of the table, the check misses it, unless another row has it."""
    safe = knaster.check(RECURSIVE.format(" & !h"), engine="stacks")
    proof = safe.proof
    assert isinstance(proof, StackTable)
    check_stack_table(proof, safe.program, [safe.answers[0][0]], Budget())
    smaller = [replace(proof, rows=proof.rows[:n] + proof.rows[n + 1 :]) for n in range(len(proof.rows))]
    nothing = StackSet(({},), (False,))
    for number, row in enumerate(proof.rows):
        for moment, stacks in row.reached.items():
            first = stacks.moves[0]
            without = [{letter: s for letter, s in first.items() if letter != gone} for gone in first]
            fewer = [StackSet((kept, *stacks.moves[1:]), stacks.accepting) for kept in without]
            for less in (nothing, *fewer):
                changed = replace(row, reached={**row.reached, moment: less})
                smaller.append(replace(proof, rows=(*proof.rows[:number], changed, *proof.rows[number + 1 :])))
    refused = 0
    for table in smaller:
        try:
            check_stack_table(table, safe.program, [], Budget())
        except InternalError:
            refused += 1
        else:
            assert table.places() == proof.places()
    assert refused > len(smaller) * 0.8
    with pytest.raises(InternalError, match="the table of contexts does not hold"):
        check_stack_table(replace(proof, rows=()), safe.program, [], Budget())
    reached = [target for target in resolve_targets(safe.program, "all-labels") if target.place in proof.places()]
    every = resolve_targets(safe.program, [f"{safe.program.file}:3"])
    with pytest.raises(InternalError, match="is in it"):
        check_stack_table(proof, safe.program, [*reached, *every], Budget())


def test_a_thread_that_ends_deep_in_its_stack_leaves_nothing_behind() -> None:
    """What lay below is not resumed; and a table in which the ended thread has a stack left is no proof."""
    text = """decl g; init(!g);
void main_1() begin f(); g := T; ERROR: skip; end
void main_2() begin assume(g); ERROR2: skip; end
void f() begin h(); f(); end
void h() begin end_thread; end
"""
    result = knaster.check(text, engine="stacks")
    proof = result.proof
    assert result.verdict.value == "TRUE" and isinstance(proof, StackTable)
    ended = [row for row in proof.rows if any(stacks.accepting[0] for stacks in row.reached.values())]
    assert ended
    rows = tuple(
        replace(row, reached={m: replace(s, accepting=(False, *s.accepting[1:])) for m, s in row.reached.items()})
        for row in proof.rows
    )
    with pytest.raises(InternalError, match="leads out of it"):
        check_stack_table(replace(proof, rows=rows), result.program, [], Budget())
