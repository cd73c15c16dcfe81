"""The check of a run that never ends: the cycle begins where the stem stops, and comes back to the same state."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.runs.lasso import check_lasso
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.traces.lasso import Lasso, Recurrence
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.expression import TRUE, Compare, Comparison, Const, Var
from knaster.program.model import Assign, Call, Program
from support.kinds_of_proofs import result_with

PROGRAM = result_with("lasso").program


def lasso() -> Lasso:
    ((_, answer),) = result_with("lasso").answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return answer.lasso


def refused(given: Lasso, problem: str) -> None:
    with pytest.raises(InternalError, match=problem):
        check_lasso(given, PROGRAM, Budget())


def test_what_was_found_is_a_run() -> None:
    check_lasso(lasso(), PROGRAM, Budget())


def test_a_cycle_that_is_none() -> None:
    (path,) = lasso().cycle.paths
    refused(replace(lasso(), cycle=Trace.sequential((), 1)), "one thread")
    refused(replace(lasso(), cycle=Trace.sequential((replace(path, steps=()),), 1)), "no step")
    refused(replace(lasso(), cycle=Trace.sequential((replace(path, steps=path.steps[:1]),), 1)), "end where it began")
    refused(replace(lasso(), cycle=Trace.sequential((replace(path, begin=2),), 1)), "where the stem stops")
    refused(replace(lasso(), deeper=True), "wrong about the stack")


def test_a_stem_that_stops_elsewhere() -> None:
    (path,) = lasso().stem.paths
    shorter = Path(path.procedure, path.start, path.steps[:1], path.begin)
    refused(replace(lasso(), stem=Trace.sequential((shorter,), 1)), "the cycle does not begin")


def test_the_cycle_stays_in_its_set() -> None:
    positive = Compare(Comparison.AT_LEAST, Var("x"), Const(1))
    outside = Compare(Comparison.AT_LEAST, Var("x"), Const(2))
    refused(replace(lasso(), recurs=Recurrence(outside)), "leaves the set")
    pytest.importorskip("z3")
    refused(replace(lasso(), recurs=Recurrence(positive)), "not recurrent")  # 2 & 1 is 0
    one = Compare(Comparison.EQUAL, Var("x"), Const(1))
    check_lasso(replace(lasso(), recurs=Recurrence(one)), PROGRAM, Budget())


def test_the_cycle_says_where_it_ends() -> None:
    cycle = lasso().cycle
    refused(replace(lasso(), cycle=Trace.sequential(cycle.paths, cycle.location + 1)), "end where it began")


TWICE = """decl g; init(!g);
void main() begin decl x, y; x := F; while (T) do if (x) then g := T; else g := F; fi x := !x; od end
"""
ENDS = "decl g; init(!g);\nvoid main() begin skip; if (*) then assert(F); fi skip; end\n"


def violating(text: str, asked: str) -> tuple[Program, Lasso]:
    result = knaster.check(text, property=asked, file="a.bp")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return result.program, answer.lasso


def is_accepted(program: Program, given: Lasso) -> str:
    try:
        check_lasso(given, program, Budget())
    except InternalError as refusal:
        return str(refusal)
    return ""


def test_a_cycle_that_changes_what_is_read_at_its_begin() -> None:
    """At the entry of the procedure nobody reads it: the procedure writes it first."""
    program, found = violating(TWICE, "termination")
    assert not is_accepted(program, found)
    (path,) = found.cycle.paths
    half = next(n for n, step in enumerate(path.steps, 1) if step.edge.target == found.cycle.location)
    once = Trace.sequential((replace(path, steps=path.steps[:half]),), found.cycle.location)
    assert half < len(path.steps)
    assert "ends in another state" in is_accepted(program, replace(found, cycle=once))


def test_a_formula_that_holds_on_the_run() -> None:
    program, found = violating(TWICE, "F G {g}")
    assert not is_accepted(program, found)
    assert "the formula holds on the run" in is_accepted(program, replace(found, formula="G F {g}"))
    assert "the formula holds on the run" in is_accepted(program, replace(found, formula="!(F ended)"))
    assert not is_accepted(program, replace(found, formula="F ended"))
    pytest.importorskip("z3")
    known = replace(found, recurs=Recurrence(TRUE))
    assert "says nothing about a formula" in is_accepted(program, known)


def test_what_a_formula_speaks_of_comes_back_too() -> None:
    """Nobody in the program reads `g`, but the formula does."""
    text = "decl g, h; init(!g & !h);\nvoid main() begin while (T) do g := !g; od end\n".replace("g := !g", "g := *")
    program, found = violating(text, "G F {g}")
    (path,) = found.cycle.paths
    assert not is_accepted(program, found) and path.steps
    steps = list(path.steps)
    last = next(n for n in range(len(steps) - 1, -1, -1) if isinstance(steps[n].edge.action, Assign))
    for n in range(last, len(steps)):
        steps[n] = replace(steps[n], after={**steps[n].after, "g": True})
    other = replace(found, cycle=Trace.sequential((replace(path, steps=tuple(steps)),), found.cycle.location))
    assert "ends in another state" in is_accepted(program, other)
    assert not is_accepted(program, replace(other, formula="F ended"))  # which does not speak of it


@pytest.mark.parametrize("asked", ["F {g}", "G !failed"])
def test_a_run_that_has_come_to_its_end(asked: str) -> None:
    text = ENDS if asked == "G !failed" else ENDS.replace("if (*) then assert(F); fi", "skip;")
    asked = "F (ended & {g})" if asked == "G !failed" else asked
    program, found = violating(text, asked)
    assert found.stays and not is_accepted(program, found)
    assert "does not refute" in is_accepted(program, replace(found, formula=""))
    assert "the formula holds" in is_accepted(program, replace(found, formula="F ended"))
    assert "goes on" in is_accepted(program, replace(found, deeper=True))
    assert "goes on" in is_accepted(program, replace(found, recurs=Recurrence(TRUE)))
    (stem,) = found.stem.paths
    (rest,) = found.cycle.paths
    begin = stem.steps[0].edge.source
    going = Trace.sequential((Path(rest.procedure, rest.start, stem.steps[:1], begin),), found.cycle.location)
    assert "goes on" in is_accepted(program, replace(found, cycle=going))
    other = Trace.sequential((replace(rest, start={**rest.start, "g": True}),), found.cycle.location)
    assert "does not stay in its last state" in is_accepted(program, replace(found, cycle=other))
    early = Path(stem.procedure, stem.start, stem.steps[:1])
    stopped = Trace.sequential((early,), stem.steps[0].edge.target)
    assert "has not come to its end" in is_accepted(program, replace(found, stem=stopped))


def test_a_run_stays_behind_a_failed_assertion_also_inside_a_call() -> None:
    text = "decl g; init(!g);\nvoid main() begin f(); end\nvoid f() begin assert(g); end\n"
    program, found = violating(text, "F {g}")
    assert found.stays and len(found.stem.paths) == 2 and not is_accepted(program, found)


def test_a_run_has_not_ended_where_a_call_returns() -> None:
    text = "decl g; init(!g);\nvoid main() begin f(); g := T; end\nvoid f() begin skip; end\n"
    program = parse(text, "a.bp")
    outer, inner = program.procedure("main"), program.procedure("f")
    state = {"g": False}
    steps = tuple(Step(edge, state) for edge in inner.edges)
    call = outer.leaving[outer.entry][0]
    assert isinstance(call.action, Call)
    stem = Trace.sequential((Path("main", state, (Step(call, state),)), Path("f", state, steps)), inner.exit)
    cycle = Trace.sequential((Path("f", state, (), inner.exit),), inner.exit)
    given = Lasso(stem, cycle, formula="F {g}", stays=True)
    assert "has not come to its end" in is_accepted(program, given)
