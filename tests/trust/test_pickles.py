"""Results, answers, traces and certificates pickle, however deep, and are a line each when they are shown."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from knaster import Bound, Evidence, Result, Verdict, check
from knaster.base.limits import Budget
from knaster.checkers.path_edges import check_path_edges
from knaster.checkers.runs.replay import replay
from knaster.checkers.threads.configurations import check_configurations
from knaster.engines.table import ENGINES
from knaster.evidence.answers.answer import Diverges, Reachable, Terminates, Unknown, Unreachable
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.proofs.threads.configurations import Configurations
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import (
    CHOICE,
    Apply,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    Field,
    Index,
    IntegerOperator,
    Member,
    New,
    Not,
    Operator,
    Part,
    Self,
    SizeOf,
    Updated,
    Var,
)
from knaster.program.model import Assume, Call, Program
from knaster.program.types import Int
from support.building import SKIP, Labelled, procedure, program
from support.generators.boolean_programs import random_program
from support.trusting import SEQUENTIAL, THREADED


def again(result: Result) -> Result:
    copy = pickle.loads(pickle.dumps(result))
    assert isinstance(copy, Result)
    return copy


def agrees(result: Result) -> None:
    """Check a copy of a result: the same answers, traces that replay, proofs that hold."""
    copy = again(result)
    assert (copy.program, copy.question, copy.engine, copy.options) == (
        result.program,
        result.question,
        result.engine,
        result.options,
    )
    assert (copy.notes, copy.stats, copy.unreached) == (result.notes, result.stats, result.unreached)
    assert repr(copy) == repr(result) and copy.to_text() == result.to_text() and copy.to_json() == result.to_json()
    for (target, answer), (other, same) in zip(copy.answers, result.answers, strict=True):
        assert target == other and type(answer) is type(same) and answer.checked == same.checked
        if isinstance(answer, Reachable) and answer.trace is not None:
            replay(copy.program, answer.trace, target)
        if isinstance(answer, Unreachable) and answer.proof is not None and answer.bound is None:
            assert answer.proof.program is copy.program
            if isinstance(answer.proof, Configurations):
                check_configurations(answer.proof, copy.program, [target], Budget())
            elif isinstance(answer.proof, Certificate):
                check_path_edges(answer.proof, copy.program, [target], Budget())


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_the_results_of_every_engine(engine: str) -> None:
    kinds = set()
    for seed in range(6):
        result = check(random_program(Random(seed)), ("all-labels", "asserts"), engine=engine)
        agrees(result)
        kinds |= {type(answer) for _, answer in result.answers}
    assert kinds == {Reachable, Unreachable}


def doubling(depth: int) -> Program:
    """Return a program whose only run to L has more than 2^depth steps."""
    leaf = procedure("f0", [SKIP])
    levels = [procedure(f"f{index + 1}", [Call(f"f{index}", ()), Call(f"f{index}", ())]) for index in range(depth)]
    return program("", procedure("main", [Call(f"f{depth}", ()), Labelled("L", SKIP)]), *levels, leaf)


def test_a_trace_of_astronomical_length() -> None:
    result = check(doubling(800), "L")
    assert result.trace is not None and result.trace.expanded_length > 2**800
    copy = again(result)
    assert copy.trace is not None and copy.trace.expanded_length == result.trace.expanded_length
    assert len(pickle.dumps(result)) < 3_000_000
    replay(copy.program, copy.trace, copy.answers[0][0])
    path = pickle.loads(pickle.dumps(result.trace.paths[0]))
    assert Trace.sequential((path,), result.trace.location).expanded_length == result.trace.expanded_length


def test_what_is_shared_stays_shared() -> None:
    trace = check(doubling(3), "L").trace
    assert trace is not None
    for copy in (pickle.loads(pickle.dumps(trace)), trace):
        called = copy.paths[0].steps[0].inside
        assert called is not None
        first, second = called.steps
        assert first.inside is second.inside


def test_an_expression_of_any_depth() -> None:
    deep: Expr = Var("x")
    for _ in range(20_000):
        deep = Not(deep)
    sample = program("x", procedure("main", [Assume(deep), Labelled("L", SKIP)]))
    copy = again(check(sample, "L"))
    assert copy.verdict is Verdict.FALSE and copy.trace is not None
    replay(copy.program, copy.trace, copy.answers[0][0])


def test_every_operator_comes_back_as_it_was() -> None:
    byte = Int(8, False)
    number = Arithmetic(IntegerOperator.SUBTRACT, Var("a"), Const(3), byte)
    array = Updated(Var("r"), number, Convert(CHOICE, byte))
    expr = Conditional(
        Compare(Comparison.LESS, Element(array, Const(1)), number),
        Binary(Operator.IMPLIES, Var("x", primed=True), CHOICE),
        Not(Const(False)),
    )
    assert pickle.loads(pickle.dumps(expr)) == expr
    cells = Index(SizeOf(New("Cell")), New("Cell", Const(2)))
    heap = Apply("f", (Field(Part(Var("o"), 1), 2), Member(Self(), cells), Apply("g", ()), expr))
    assert pickle.loads(pickle.dumps(heap)) == heap


def test_each_is_shown_in_one_line() -> None:
    result = check(doubling(800), "L")
    unreachable = check("void main() begin\n assert(T);\nend\n", evidence=Evidence(proofs=True))
    proof = unreachable.proof
    assert isinstance(proof, Certificate) and result.trace is not None
    shown: list[object] = [result, unreachable, proof, proof.portable(), result.trace, result.trace.paths[0]]
    shown += [result.trace.segments[0], Lasso(result.trace, result.trace), Unknown("a\nreason"), result.question]
    shown += [answer for _, answer in (*result.answers, *unreachable.answers)]
    shown += [Terminates(proof, Bound("rounds", 2)), Diverges(Lasso(result.trace, result.trace)), result.program]
    for thing in shown:
        assert "\n" not in repr(thing) and len(repr(thing)) < 400


def test_choices_are_no_part_of_a_certificate() -> None:
    """A check adds variables to the store for choices; a copy does not have them and is checked again."""
    result = check("void main() begin\n decl x;\n x := *;\n assert((x | !x) & (* | T));\nend\n")
    assert isinstance(result.proof, Certificate)
    program, proof = pickle.loads(pickle.dumps((result.program, result.proof)))
    assert proof.store.variables < result.proof.store.variables
    check_path_edges(proof, program, [target for target, _ in result.answers], Budget())


@pytest.mark.parametrize("engine", THREADED)
def test_runs_of_threads(engine: str) -> None:
    text = "decl g;\nvoid main_1() begin\n  g := F;\n  f();\nend\nvoid main_2() begin\n  g := T;\nend\n"
    text += "void f() begin\n  if (g) then\n    ERROR: skip;\n  fi\n  NEVER: assume(F);\n  LAST: skip;\nend\n"
    result = check(text, ["ERROR", "LAST"], engine=engine, switches=3)
    agrees(result)
    if not ENGINES[engine].decides:
        assert isinstance(result.answers[0][1], Unknown) and isinstance(result.answers[1][1], Unreachable)
        return
    assert isinstance(result.answers[0][1], Reachable) and result.trace is not None
    assert result.trace.switches == again(result).trace.switches  # type: ignore[union-attr]
