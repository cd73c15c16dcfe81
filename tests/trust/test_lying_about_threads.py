"""Engines for threads that lie: a proof that lacks a state, one for fewer switches, a standstill that is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from knaster import Bound, Evidence, Result, Verdict, check
from knaster.base.errors import InternalError
from knaster.base.options import Options
from knaster.engines import table
from knaster.engines.card import Card
from knaster.engines.contract import Findings, Task
from knaster.engines.threads.modular import ModularOptions
from knaster.engines.threads.modular.engine import modular
from knaster.engines.threads.stacks import StacksOptions
from knaster.engines.threads.stacks.engine import stacks
from knaster.engines.threads.states.engine import states
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.threads.configurations import Configurations
from knaster.evidence.proofs.threads.interference import Interference

SAFE = """decl g, h; init (!g & !h);
void main_1() begin A: g := T; g := F; end
void main_2() begin assume(g); B: assume(!g); assume(h); ERROR: skip; end
"""
RECURSIVE = SAFE.replace("g := T; g := F;", "r();") + "void r() begin if (*) then r(); fi g := T; g := F; end\n"
Lie = Callable[[Task], Findings]
Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that puts a lie into the table of engines, as 'liar'."""

    def put(lie: Lie, options: type[Options] = Options) -> None:
        engine = Card("liar", "lies", (), lie, options, grows=True)
        monkeypatch.setitem(table.ENGINES, "liar", engine)

    return put


def ask(text: str, *targets: str, **more: object) -> Result:
    return check(text, list(targets), engine="liar", **more)  # type: ignore[arg-type]


def test_honest_engines_are_believed(install: Install) -> None:
    for engine, options in ((states, Options), (modular, ModularOptions)):
        install(engine, options)
        assert ask(SAFE, "ERROR").verdict is Verdict.TRUE


def test_a_target_that_runs_reach_is_not_proved_away(install: Install) -> None:
    """Whoever says that B is unreachable has a set in which it is."""
    for engine, options in ((states, Options), (modular, ModularOptions), (stacks, StacksOptions)):

        def lie(task: Task, engine: Lie = engine) -> Findings:
            found = engine(task)
            nothing: dict[object, object] = {}
            return replace(found, reached=frozenset(), doubtful=nothing, least=nothing, unknown=None, bound=None)  # type: ignore[arg-type]

        install(lie, options)
        with pytest.raises(InternalError, match=r"does not exclude 'B'|does not hold"):
            ask(SAFE, "B", "ERROR")


def test_a_proof_of_one_thread_at_a_time_that_lacks_the_others(install: Install) -> None:
    """Without the guarantee of main_1 nobody ever sets g, and B looks unreachable."""

    def lie(task: Task) -> Findings:
        found = modular(task)
        assert found.proof is not None
        proof = found.proof()
        assert isinstance(proof, Interference)
        silent = {role: replace(conduct, guarantee={}) for role, conduct in proof.conducts.items()}
        none = proof.store.false
        deaf = {
            role: replace(conduct, path_edges={**conduct.path_edges, "main_2": (none,) * len(sets)})
            for role, conduct in silent.items()
            for sets in (conduct.path_edges["main_2"],)
        }
        return Findings(frozenset(), None, {}, proof=lambda: replace(proof, conducts=deaf))

    install(lie, ModularOptions)
    for text in (SAFE, RECURSIVE):
        with pytest.raises(InternalError, match="does not hold"):
            ask(text, "B", "ERROR")


def test_a_proof_of_other_threads(install: Install) -> None:
    other = check(SAFE, "ERROR", engine="modular").proof

    def lie(task: Task) -> Findings:
        assert isinstance(other, Interference)
        return Findings(frozenset(), None, {}, proof=lambda: other)

    install(lie, ModularOptions)
    with pytest.raises(InternalError, match="another program"):
        ask(SAFE, "ERROR")


def test_two_threads_are_more_than_one(install: Install) -> None:
    """A proof in which a role does not heed its own guarantee holds for one thread and not for two of them."""
    text = "decl g, h; init (!g & !h);\nvoid f() begin if (!g) then if (g) then ERROR: skip; fi fi g := T; end\n"
    text += "void idle() begin skip; end\n"
    one = check(text, "ERROR", threads=["f", "idle"], engine="modular").proof
    assert isinstance(one, Interference)

    def lie(task: Task) -> Findings:
        return Findings(frozenset(), None, {}, proof=lambda: replace(one, program=task.program))

    install(lie, ModularOptions)
    assert ask(text, "ERROR", threads=["f", "idle"]).verdict is Verdict.TRUE
    with pytest.raises(InternalError, match="what others do leads out"):
        ask(text, "ERROR", threads=["f*2", "idle"])
    assert check(text, "ERROR", threads=["f*2", "idle"]).verdict is Verdict.FALSE


def test_a_standstill_that_is_none(install: Install) -> None:
    """A trace that ends where somebody can move is no deadlock; sets that hold one prove nothing."""
    text = "decl g; init(!g);\nvoid main_1() begin L: g := T; end\nvoid main_2() begin assume(g); end\n"
    target, _ = check(text, "deadlock").answers[0]
    elsewhere = check(text, "L").trace
    assert elsewhere is not None

    def reached(task: Task) -> Findings:
        assert elsewhere is not None
        return Findings(frozenset([target]), None, {}, traces=lambda targets: dict.fromkeys(targets, elsewhere))

    install(reached)
    with pytest.raises(InternalError, match="can still move"):
        ask(text, "deadlock")
    stuck = text.replace("g := T;", "skip;")

    def never(task: Task) -> Findings:
        found = states(replace(task, question=replace(task.question, targets=())))  # type: ignore[arg-type]
        return replace(found, reached=frozenset(), unknown=None, bound=None)

    install(never)
    with pytest.raises(InternalError, match="does not exclude 'deadlock'"):
        ask(stuck, "deadlock")


def test_a_bounded_answer_is_checked_by_the_sequential_program(install: Install) -> None:
    """Whoever gives no proof within a bound is refuted where the sequential program reaches the target."""

    def lie(task: Task) -> Findings:
        return Findings(frozenset(), None, {}, bound=Bound("switches", 1), covered=1)

    install(lie)
    with pytest.raises(
        InternalError, match="'B' is unreachable with at most 1 switch; a sequential program reaches it"
    ):
        ask(SAFE, "B", switches=1, evidence=Evidence(proofs=True))
    believed = ask(SAFE, "ERROR", switches=1, evidence=Evidence(proofs=True)).answers[0][1]
    assert isinstance(believed, Unreachable) and believed.checked and believed.bound == Bound("switches", 1)
    unchecked = ask(SAFE, "ERROR", switches=1).answers[0][1]
    assert isinstance(unchecked, Unreachable) and not unchecked.checked
    assert unchecked.unchecked == "this method gives none within a bound; --certify looks for one"


def test_a_proof_within_a_bound_is_none_beyond_it(install: Install) -> None:
    def lie(task: Task) -> Findings:
        found = states(replace(task, question=replace(task.question, bound=Bound("switches", 0))))
        return replace(found, bound=None, unknown=None, covered=9)

    install(lie)
    with pytest.raises(InternalError, match="the proof holds with at most 0 switches only"):
        ask(SAFE, "B", switches=9)
    proof = check(SAFE, "B", engine="states", switches=0).proof
    assert isinstance(proof, Configurations) and proof.bound == Bound("switches", 0)
