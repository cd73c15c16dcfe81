"""Engines that lie: whatever an engine says, `check` refuses what is not so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from knaster import Bound, Evidence, Limits, Reach, Result, Termination, Verdict, check
from knaster.base.errors import InternalError
from knaster.engines import table
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import Card, SymbolicOptions
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.answers.answer import Answer, Diverges, Reachable, Terminates, Unknown, Unreachable
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.questions.question import Question, Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.expression import TRUE
from knaster.program.model import Assume, Edge, Program
from knaster.transform.reduction import Effect, Reduction

SOURCE = """decl g;
void main()
begin
  g := F;
  f(g);
  if (g) then
    R: skip;
  fi
  Q: skip;
end
void f(p)
begin
  decl x;
  x := p;
  g := x;
end
"""
PROGRAM = parse(SOURCE, "honest.bp")
OTHER = parse(SOURCE.replace("g := F", "g := T"), "other.bp")
Q, R = resolve_targets(PROGRAM, ["Q", "R"])
Lie = Callable[[Task], Findings]
Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that puts a lie into the table of engines, as 'liar'."""

    def put(lie: Lie, reduce: Callable[[Program, Question], Reduction] | None = None) -> None:
        engine = Card("liar", "lies", (), lie, SymbolicOptions, reduce=reduce)
        monkeypatch.setitem(table.ENGINES, "liar", engine)

    return put


def ask(question: Question | Sequence[str] = ("Q", "R"), evidence: Evidence | None = None, **more: object) -> Result:
    return check(PROGRAM, question, engine="liar", evidence=evidence or Evidence(), **more)  # type: ignore[arg-type]


def answers(result: Result) -> dict[str, Answer]:
    return {target.name: answer for target, answer in result.answers}


def honest(task: Task) -> Findings:
    return summaries(replace(task, question=Reach(task.targets)))


def traces_of(program: Program, name: str) -> Trace:
    """Return an honest trace of a program to a label."""
    trace = check(program, name, engine="summaries").trace
    assert trace is not None
    return trace


def saying(*reached: Target, **more: object) -> Lie:
    """Return an engine that says this, whatever the truth."""
    return lambda task: Findings(frozenset(reached), None, {}, **more)  # type: ignore[arg-type]


def with_traces(traces: Mapping[Target, object]) -> Lie:
    return lambda task: replace(honest(task), reached=frozenset({Q, R}), traces=lambda targets: traces, visited=None)  # type: ignore[arg-type,return-value]


def changed_state(trace: Trace) -> Trace:
    """Return a trace in which g becomes true by itself in its first step."""
    path = trace.paths[0]
    step = path.steps[0]
    wrong = replace(step, after={**step.after, "g": True})
    return Trace.sequential((replace(path, steps=(wrong, *path.steps[1:])),), trace.location)


def truncated(trace: Trace) -> Trace:
    return Trace.sequential((replace(trace.paths[0], steps=trace.paths[0].steps[:-1]),), trace.location)


def test_an_honest_engine_is_believed(install: Install) -> None:
    install(honest)
    found = answers(ask())
    assert isinstance(found["Q"], Reachable) and isinstance(found["R"], Unreachable)
    assert found["Q"].checked and found["R"].checked


def test_a_reachable_target_that_is_not_and_no_trace(install: Install) -> None:
    install(saying(Q, R))
    with pytest.raises(InternalError, match="'R' is reachable; a proof that it is not was checked"):
        ask()


WRONG_TRACES: Mapping[str, Callable[[], Mapping[Target, object]]] = {
    "none at all": dict,
    "nothing": lambda: {Q: traces_of(PROGRAM, "Q"), R: None},
    "only to the other target": lambda: {Q: traces_of(PROGRAM, "Q")},
    "to the other target": lambda: {Q: traces_of(PROGRAM, "Q"), R: traces_of(PROGRAM, "Q")},
    "of another program": lambda: {Q: traces_of(PROGRAM, "Q"), R: traces_of(OTHER, "R")},
    "of another program to a reachable target": lambda: {Q: traces_of(OTHER, "Q"), R: traces_of(OTHER, "R")},
    "with a wrong state": lambda: {Q: changed_state(traces_of(PROGRAM, "Q"))},
    "that stops before": lambda: {Q: truncated(traces_of(PROGRAM, "Q"))},
    "that has no path": lambda: {Q: Trace.sequential((), Q.location)},
}


@pytest.mark.parametrize("wrong", WRONG_TRACES)
def test_a_wrong_trace(install: Install, wrong: str) -> None:
    install(with_traces(WRONG_TRACES[wrong]()))
    with pytest.raises(InternalError):
        ask()


def test_a_run_inside_itself(install: Install) -> None:
    """A procedure that only calls itself never returns, though each call returns because the one inside it does."""
    program = parse("void main() begin f(); L: skip; end\nvoid f() begin f(); end\n", "endless.bp")
    main, f = (program.procedure(name) for name in ("main", "f"))
    inside = Path("f", {}, ())
    object.__setattr__(inside, "steps", (Step(f.edges[0], {}, inside),))
    trace = Trace.sequential((Path("main", {}, (Step(main.edges[0], {}, inside),)),), 1)
    (target,) = resolve_targets(program, "L")
    assert isinstance(check(program, "L", engine="summaries").answers[0][1], Unreachable)
    install(lambda task: Findings(frozenset({target}), None, {}, lambda targets: {target: trace}))
    with pytest.raises(InternalError, match="inside itself"):
        check(program, "L", engine="liar")


def proving(change: Callable[[Certificate], Certificate], program: Program = PROGRAM) -> Lie:
    """Return an engine that says Q and R are unreachable, by a certificate that was changed."""

    def lie(task: Task) -> Findings:
        found = honest(replace(task, program=program))
        assert found.proof is not None
        proof = found.proof()
        assert isinstance(proof, Certificate)
        wrong = change(proof)
        return Findings(frozenset(), None, {}, proof=lambda: wrong)

    return lie


def emptied(certificate: Certificate) -> Certificate:
    """Return a certificate that excludes Q and R by taking their sets away."""
    sets = list(certificate.path_edges["main"])
    sets[Q.location] = sets[R.location] = certificate.store.false
    return replace(certificate, path_edges={**certificate.path_edges, "main": tuple(sets)})


def all_empty(certificate: Certificate) -> Certificate:
    none = certificate.store.false
    return replace(certificate, path_edges={name: (none,) * len(s) for name, s in certificate.path_edges.items()})


def spoken(certificate: Certificate, **changes: object) -> Certificate:
    lie = replace(certificate.vocabulary["f"], **changes)  # type: ignore[arg-type]
    return emptied(replace(certificate, vocabulary={**certificate.vocabulary, "f": lie}))


def slotted(certificate: Certificate, **changes: int) -> Certificate:
    return spoken(certificate, slots={**certificate.vocabulary["f"].slots, **changes})


WRONG_PROOFS: Mapping[str, Lie] = {
    "that excludes nothing": proving(lambda proof: proof),
    "that does not hold": proving(emptied),
    "that holds nothing": proving(all_empty),
    "of another program": proving(emptied, OTHER),
    "of a copy of the program": proving(lambda proof: replace(proof, program=replace(proof.program))),
    "without sets": proving(lambda proof: replace(emptied(proof), path_edges={})),
    "without vocabulary": proving(lambda proof: replace(emptied(proof), vocabulary={})),
    "with a slot of two variables": proving(lambda proof: slotted(proof, p=0, x=0)),
    "with a negative slot": proving(lambda proof: slotted(proof, p=-1)),
    "with a slot too large": proving(lambda proof: slotted(proof, p=1 << 40)),
    "with an unknown variable": proving(lambda proof: slotted(proof, y=1)),
    "with an echoed local": proving(lambda proof: spoken(proof, echoed=frozenset({"x"}))),
    "with a rigid variable that is written": proving(lambda proof: spoken(proof, rigid=frozenset({"g"}))),
}


@pytest.mark.parametrize("wrong", WRONG_PROOFS)
def test_a_wrong_proof(install: Install, wrong: str) -> None:
    install(WRONG_PROOFS[wrong])
    with pytest.raises(InternalError):
        ask()


def test_an_unreachable_target_that_is_reachable(install: Install) -> None:
    install(saying())
    with pytest.raises(InternalError, match="'Q' is unreachable; a trace that reaches it was replayed"):
        ask()


def test_a_target_that_nobody_asked_for(install: Install) -> None:
    install(saying(Q, Target("X", "main", 0, 4)))
    with pytest.raises(InternalError, match="nobody asked for"):
        ask()


@pytest.mark.parametrize("visited", [frozenset(), frozenset({Q.place, R.place})])
def test_places_that_contradict_the_targets(install: Install, visited: frozenset[tuple[str, int]]) -> None:
    install(lambda task: replace(honest(task), visited=visited))
    with pytest.raises(InternalError, match="contradicts itself"):
        ask()


def test_statements_that_are_said_not_to_be_reached(install: Install) -> None:
    """What no run reaches is taken from the proof that was checked, not from the engine's word."""
    install(lambda task: replace(honest(task), visited=frozenset({Q.place})))
    assert ask().unreached == (("main", R.location),)
    install(honest)
    assert ask(evidence=Evidence(proofs=False)).unreached == (("main", R.location),)


LATE = Limits(seconds=10)


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Callable[[Lie], Lie]:
    """Make an engine that comes back when the time is over, by a clock that only it moves."""
    now = [100.0]
    monkeypatch.setattr("knaster.base.limits.clock", lambda: now[0])

    def delay(findings: Lie) -> Lie:
        def lie(task: Task) -> Findings:
            now[0] += 11.0
            return findings(task)

        return lie

    return delay


@pytest.mark.parametrize("evidence", [Evidence(), Evidence(proofs=True), Evidence(False, False)])
@pytest.mark.parametrize("said", [(), (Q,), (Q, R)])
def test_a_time_limit_that_is_ignored(
    install: Install, late: Callable[[Lie], Lie], said: tuple[Target, ...], evidence: Evidence
) -> None:
    install(late(saying(*said)))
    result = ask(limits=LATE, evidence=evidence)
    assert result.verdict is Verdict.UNKNOWN and "time limit" in result.reason
    assert all(isinstance(answer, Unknown) for _, answer in result.answers)


def test_a_memory_limit_that_is_ignored(install: Install) -> None:
    install(saying())
    result = ask(limits=Limits(megabytes=1), evidence=Evidence(False, False))
    assert result.verdict is Verdict.UNKNOWN and "memory limit" in result.reason


def test_a_late_trace_that_replays_is_a_fact(install: Install, late: Callable[[Lie], Lie]) -> None:
    trace = traces_of(PROGRAM, "Q")
    install(late(lambda task: Findings(frozenset({Q}), None, {}, lambda targets: {Q: trace})))
    result = ask(limits=LATE)
    assert isinstance(answers(result)["Q"], Reachable) and isinstance(answers(result)["R"], Unknown)


THREE = Bound("switches", 3)


def test_a_bound_is_never_lost(install: Install) -> None:
    install(lambda task: replace(honest(task), bound=THREE))
    result = ask(["R"])
    assert answers(result)["R"] == Unreachable(result.proof, THREE, checked=True, kernel=True)
    assert result.verdict is Verdict.UNKNOWN


def test_a_bounded_question_gets_no_unconditional_answer_that_was_not_checked(install: Install) -> None:
    install(saying())
    result = ask(Reach((R,), THREE), Evidence(proofs=False))
    assert answers(result)["R"] == Unreachable(None, THREE, unchecked="its check was switched off")
    assert result.verdict is Verdict.UNKNOWN
    assert ask(Reach((R,), THREE)).verdict is Verdict.TRUE  # the proof is one for all runs


def test_a_question_of_termination_is_not_answered_by_silence(install: Install) -> None:
    install(saying())
    with pytest.raises(InternalError, match="termination"):
        ask(Termination())
    install(saying(ends=Diverges(None)))
    with pytest.raises(InternalError, match="evidence for the opposite was checked"):
        ask(Termination())
    install(saying(ends=Terminates(None)))
    assert answers(ask(Termination()))["the program"].checked  # by the proof of another engine
    with pytest.raises(InternalError, match="another question"):
        ask()
    install(lambda task: Findings(frozenset(), Undecided("no time"), {}))
    assert ask(Termination()).verdict is Verdict.UNKNOWN


def test_no_answers_are_no_verdict(install: Install) -> None:
    install(honest)
    assert replace(ask(), answers=()).verdict is Verdict.UNKNOWN


def with_edges(change: Callable[[tuple[Edge, ...]], tuple[Edge, ...]]) -> Program:
    """Return the program with other edges in main."""
    main = replace(PROGRAM.procedure("main"), edges=change(PROGRAM.procedure("main").edges))
    return replace(PROGRAM, procedures=(main, PROGRAM.procedure("f")))


def unguarded(edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
    return tuple(
        replace(edge, action=Assume(TRUE), origin=edge) if edge.target == R.location else edge for edge in edges
    )


def reducing(program: Program, effect: Effect, **changes: object) -> Callable[[Program, Question], Reduction]:
    """Return a reduction to another program with the same targets."""

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return target, trace

    def reduce(original: Program, question: Question) -> Reduction:
        reduction = Reduction(original, program, question, effect, back, {Q: Q, R: R})
        return replace(reduction, **changes)  # type: ignore[arg-type]

    return reduce


def test_an_under_approximation_that_says_it_is_exact(install: Install) -> None:
    less = with_edges(lambda edges: tuple(edge for edge in edges if edge.target != Q.location))
    install(honest, reducing(less, Effect.UNDER))
    assert all(isinstance(answer, Unknown) for _, answer in ask().answers)
    install(honest, reducing(less, Effect.EXACT))
    with pytest.raises(InternalError, match="an exact reduction leaves out line"):
        ask()


def test_an_over_approximation_that_says_it_is_exact(install: Install) -> None:
    more = with_edges(unguarded)
    install(honest, reducing(more, Effect.OVER))
    assert isinstance(answers(ask())["R"], Unknown)
    install(honest, reducing(more, Effect.EXACT))
    with pytest.raises(InternalError):
        ask()


def other_target(target: Target, trace: Trace) -> tuple[Target, Trace]:
    return (Q if target == R else R), trace


def no_steps(target: Target, trace: Trace) -> tuple[Target, Trace]:
    return target, truncated(trace)


@pytest.mark.parametrize("back", [other_target, no_steps])
def test_a_wrong_way_back(install: Install, back: object) -> None:
    install(honest, reducing(with_edges(lambda edges: edges), Effect.EXACT, back=back))
    with pytest.raises(InternalError):
        ask()


def test_a_reduction_that_answers_for_other_targets(install: Install) -> None:
    install(honest, reducing(with_edges(lambda edges: edges), Effect.EXACT, targets={Q: Q, R: Q}))
    with pytest.raises(InternalError, match="other targets"):
        ask()
    install(honest, reducing(with_edges(lambda edges: edges), Effect.EXACT, targets={R: R}))
    with pytest.raises(InternalError, match="another target"):
        ask()


def test_a_number_of_switches_that_the_trace_does_not_need(install: Install) -> None:
    install(lambda task: replace(honest(task), least={Q: 5}))
    with pytest.raises(InternalError, match="said to need 5, but its trace needs 0"):
        ask()


def test_what_refutes_an_engine_is_checked_too(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the method that traces and proofs are derived by lies as well, it is not believed either."""
    wrong = traces_of(OTHER, "R")

    def says_reachable(task: Task) -> Findings:
        return replace(honest(task), reached=frozenset({R}), traces=lambda _: {R: wrong})

    def says_unreachable(task: Task) -> Findings:
        offered = honest(task).proof
        assert offered is not None
        proof = offered()
        assert isinstance(proof, Certificate)
        return Findings(frozenset(), None, {}, proof=lambda: emptied(proof))

    for said, asked, derived in (((), "R", says_reachable), ((Q,), "Q", says_unreachable)):
        install(saying(*said))
        with monkeypatch.context() as patch:
            patch.setattr("knaster.engines.boolean.summaries.engine.summaries", derived)
            with pytest.raises(InternalError) as caught:
                ask([asked], Evidence(proofs=True))
        assert "was replayed" not in str(caught.value) and "was checked" not in str(caught.value)
