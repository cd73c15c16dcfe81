# ruff: noqa: E501  # tables of programs, one a line
"""Deadlocks of random programs, by sets of configurations and by single ones; what one is, case by case."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest

import knaster
from knaster.base.errors import InternalError, UsageError
from knaster.base.limits import Budget
from knaster.checkers.runs.replay import replay
from knaster.checkers.runs.replay_deadlock import reasons_to_stand
from knaster.checkers.threads.configurations import check_configurations
from knaster.evidence.answers.answer import Reachable, Unreachable, Verdict
from knaster.evidence.proofs.threads.configurations import Configurations
from knaster.frontends.languages import load
from knaster.program.threads import most_started, why_no_standstill
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from support.generators.threaded_programs import Crowd, threaded_text

PROGRAMS = 3 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
CROWDS = {
    "plain": Crowd(sections=0.0, calls=0.2),
    "sections": Crowd(sections=0.3, calls=0.2),
    "locked": Crowd(lock=1.0, sections=0.0, calls=0.2),
    "starting": Crowd(threads=(1, 2), starts=0.3, calls=0.2),
}


@pytest.mark.parametrize("crowd", CROWDS)
def test_random_programs(crowd: str) -> None:
    seed = done = stuck = never = 0
    while done < (6 if crowd == "starting" else 3) * PROGRAMS:
        kind = ("switches", "rounds", "any number")[done % 3 if crowd != "starting" else 2 * (done % 2)]
        seed += 1
        program = load(threaded_text(Random(f"deadlock {crowd} {kind} {seed}"), CROWDS[crowd]))
        if why_no_standstill(program) is not None or (most_started(program) or 0) > 3:
            continue
        number = None if kind == "any number" else 1 + seed % 3
        counted = "rounds" if kind == "rounds" else "switches"
        try:
            oracle = explore_threads(program, counted, number, deadlocks=True, limit=6_000)
        except TooManyStates:
            continue
        done += 1
        asked = {} if number is None else {counted: number}
        for engine in ("states", "explicit"):
            answer = knaster.check(program, "deadlock", engine=engine, **asked).answers[0][1]  # type: ignore[arg-type]
            if oracle.stuck is None:
                assert isinstance(answer, Unreachable), seed
                if answer.bound is None and not oracle.closed:  # sets without dead variables close sooner
                    assert engine == "states" and explore_threads(program, deadlocks=True).stuck is None, seed
                else:
                    assert (answer.bound is None) == oracle.closed
                assert answer.checked is (engine == "states")
                never += 1
            else:
                assert isinstance(answer, Reachable) and answer.checked, seed
                assert answer.least == oracle.stuck[0]
                stuck += 1
    assert stuck > 0 and never > 0


@pytest.mark.parametrize("engine", ["states", "explicit"])
def test_a_thread_that_has_only_begun_waits_with_its_locals(engine: str) -> None:
    """A trace without its turn would let it begin with other values, and move."""
    program = load(threaded_text(Random("deadlock plain any number 28"), CROWDS["plain"]))
    answer = knaster.check(program, "deadlock", engine=engine).answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked and answer.least == 1


def two(first: str, second: str, more: str = "") -> str:
    return f"decl g, h; init (!g & !h);\nvoid main_1() begin {first} end\nvoid main_2() begin {second} end\n{more}"


CASES = [
    ("all have ended", two("skip;", "skip;"), None),
    ("one waits for ever", two("skip;", "assume(g);"), 0),
    ("it waits for another that helps", two("g := T;", "assume(g);"), None),
    ("each waits for the other", two("assume(g); h := T;", "assume(h); g := T;"), 0),
    ("a circle of two locks", two("assume(!g); g := T; assume(!h); h := T; g, h := F, F;", "assume(!h); h := T; assume(!g); g := T; g, h := F, F;"), 1),
    ("no way through a section", two("atomic_begin; assume(g); atomic_end;", "skip;"), 0),
    ("a way through a section", two("atomic_begin; assume(!g); g := T; atomic_end;", "assume(g);"), None),
    ("no way through the branches of a section", two("atomic_begin; if (*) then assume(g); else assume(h); fi atomic_end;", "skip;"), 0),
    ("a section with a loop", two("atomic_begin; while (!g) do skip; od atomic_end;", "skip;"), 0),
    ("a section in a callee", two("f();", "skip;", "void f() begin atomic_begin; assume(g); atomic_end; end\n"), 1),
    ("a section that the end of the thread ends", two("atomic_begin; skip;", "skip;"), None),
    ("blocked inside a section is no deadlock", two("atomic_begin; g := T; if (*) then assume(h); fi atomic_end;", "skip;"), None),
    ("a failed assertion is no deadlock", two("assert(F);", "assume(F);"), None),
    ("a loop is no deadlock", two("while (T) do skip; od", "assume(F);"), None),
    ("a started thread waits", "decl g; init(!g); void main() begin start_thread f(*); end\nvoid f(a) begin assume(a); end\n", 0),
    ("a started thread helps", "decl g; init(!g); void main() begin start_thread f(); assume(g); end\nvoid f() begin g := T; end\n", None),
    ("a copy waits", "decl g; init(!g); void main() begin decl x; x := F; start_thread goto L; end_thread; L: assume(x); end\n", 0),
    ("end_thread", two("f(); assume(F);", "skip;", "void f() begin end_thread; end\n"), None),
    ("what a procedure enforces", two("enforce(!g); skip; skip;", "g := T;"), 0),
    ("a thread that cannot begin waits", two("enforce(g); skip;", "skip;"), 0),
    ("no switch while atomic is 1",
     "decl atomic, g; void init() begin atomic, g := F, F; end\nvoid thread1() begin atomic := T; assume(g); end\nvoid thread2() begin skip; end\n", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "least"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
@pytest.mark.parametrize("engine", ["states", "explicit"])
def test_what_a_deadlock_is(text: str, least: int | None, engine: str) -> None:
    result = knaster.check(text, "deadlock", engine=engine)
    answer = result.answers[0][1]
    if least is None:
        assert result.verdict is Verdict.TRUE
        assert result.to_text().startswith("<text>: TRUE. No run ends in deadlock")
        return
    assert isinstance(answer, Reachable) and answer.checked and answer.least == least
    assert answer.failure is not None and answer.failure.kind == "deadlock"
    assert answer.trace is not None
    said = reasons_to_stand(result.program, answer.trace)
    assert any("waits in" in line for line in said)
    assert "\n".join(f"  {line}" for line in said) in result.to_text()


def test_why_each_thread_cannot_move() -> None:
    result = knaster.check(two("skip;", "atomic_begin; assume(g); atomic_end;"), "deadlock")
    assert "line 3: no thread can move" in result.to_text()
    lines = result.to_text().splitlines()[-2:]
    assert lines == [
        "  thread 1 has ended",
        "  thread 2 waits in main_2 at line 3: there is no way through the section",
    ]
    bounded = knaster.check(two("assume(g); assume(F);", "g := T; "), "deadlock", switches=0)
    assert bounded.verdict is Verdict.UNKNOWN
    assert bounded.reason == "deadlock is unreachable with at most 0 switches; more were not tried"


def test_with_other_targets() -> None:
    result = knaster.check(two("L: skip;", "assume(g); M: skip;"), ["L", "M", "deadlock"])
    assert [type(answer) for _, answer in result.answers] == [Reachable, Unreachable, Reachable]


def test_a_label_called_deadlock() -> None:
    result = knaster.check(two("assume(g); deadlock: skip;", "skip;"), "deadlock")
    assert result.verdict is Verdict.TRUE and result.answers[0][0].line == 2


REFUSED = [
    (two("f();", "skip;", "void f() begin if (*) then f(); fi end\n"), {}, "threads do not recurse, and 'f' calls itself"),
    ("decl g; void main() begin while (*) do start_thread f(); od end\nvoid f() begin skip; end\n", {}, "a loop starts some"),
    (two("skip;", "skip;"), {"threads": ["main_1", "main_2*"]}, "not for 'main_2\\*'"),
    (two("skip;", "skip;"), {"engine": "lazy"}, "not whether there is a deadlock; use states or explicit"),
    (two("skip;", "skip;"), {"engine": "eager"}, "use states or explicit"),
    (two("skip;", "skip;"), {"engine": "stacks"}, "use states or explicit"),
    (two("skip;", "skip;"), {"engine": "summaries"}, "use states or explicit"),
    ("decl g; void main() begin skip; end\n", {}, "there is no target 'deadlock'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "asked", "message"), REFUSED)
def test_where_it_cannot_be_decided(text: str, asked: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        knaster.check(text, "deadlock", **asked)  # type: ignore[arg-type]


def test_traces_that_end_elsewhere_are_refused() -> None:
    result = knaster.check(two("skip; skip;", "assume(g);"), "deadlock")
    target, answer = result.answers[0]
    assert isinstance(answer, Reachable) and answer.trace is not None
    segment = answer.trace.segments[-1]
    path = segment.paths[-1]
    shorter = replace(segment, paths=(*segment.paths[:-1], replace(path, steps=path.steps[:-1])))
    trace = replace(answer.trace, segments=(*answer.trace.segments[:-1], shorter), location=path.steps[-1].edge.source)
    with pytest.raises(InternalError, match="thread 1 can still move"):
        replay(result.program, trace, target)
    safe = load(two("skip; skip;", "skip;"))
    finished = knaster.check(two("skip;", "L: assume(T);"), "L")
    reached = finished.answers[0][1]
    assert isinstance(reached, Reachable) and reached.trace is not None
    with pytest.raises(InternalError, match="can still move"):
        replay(finished.program, reached.trace, target)
    with pytest.raises(InternalError, match="ends in 'overflow'"):
        replay(safe, reached.trace, replace(target, kind="overflow"))
    inside = knaster.check(two("atomic_begin; L: assume(g); atomic_end;", "assume(F);"), "L")
    stuck = inside.answers[0][1]
    assert isinstance(stuck, Reachable) and stuck.trace is not None
    with pytest.raises(InternalError, match="no other thread may run"):
        replay(inside.program, stuck.trace, target)


def test_proofs_that_hold_a_deadlock_are_refused() -> None:
    result = knaster.check(two("L: assume(F);", "M: skip;"), ["L", "M", "deadlock"])
    closed = knaster.check(two("while (T) do skip; od L: skip;", "assume(g);"), ["L", "deadlock"])
    proof, target = closed.proof, closed.answers[1][0]
    assert isinstance(proof, Configurations)
    check_configurations(proof, closed.program, [target], Budget())
    with pytest.raises(InternalError, match="says nothing of"):
        check_configurations(proof, closed.program, [replace(target, kind="overflow")], Budget())
    one = knaster.check(result.program, "main_1.L", engine="states", switches=0)
    assert one.verdict is Verdict.FALSE
    blocked = knaster.check(two("assume(F); L: skip;", "assume(g);"), ["L"], engine="states")
    assert isinstance(blocked.proof, Configurations)
    with pytest.raises(InternalError, match="does not exclude 'deadlock'"):
        check_configurations(blocked.proof, blocked.program, [target], Budget())


def test_threads_that_nobody_starts_may_recurse() -> None:
    """What no thread can be in is no reason to follow its calls for ever."""
    idle = "void f() begin start_thread h(); end\nvoid h() begin start_thread f(); h(); end\n"
    assert knaster.check(two("skip;", "skip;", idle), "deadlock").verdict is Verdict.TRUE
