"""What no run reaches is said, and only where it is known: against the oracle, and in words."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from knaster import Evidence, Limits, Reach, Result, check
from knaster.base.errors import UsageError
from knaster.cli import main
from knaster.engines.explicit import ExplicitOptions
from knaster.evidence.questions.question import Target
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.report.text import result_to_text
from knaster.semantics.explore import explore
from support.generators.boolean_programs import random_program
from support.trusting import SEQUENTIAL

VACUOUS = """decl g;
void main()
begin
  g := F;
  if (g) then
    assert(!g);
    f();
    g := T;

    skip;
  fi
  assert(!g);
end
void f()
begin
  R: skip;
end
"""


def said(result: Result, verbose: bool = False) -> list[str]:
    return [line for line in result_to_text(result, verbose=verbose) if "never reached" in line]


def test_a_file_without_a_target_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="no assert and no error label"):
        check("void main() begin\n skip;\nend\n")


@pytest.mark.parametrize("place", [("nowhere", 0), ("main", 99), ("main", -1)])
def test_a_target_that_is_no_place_is_wrong_usage(place: tuple[str, int]) -> None:
    with pytest.raises(UsageError, match="there is no location"):
        check("void main() begin\n skip;\nend\n", Reach((Target("T", *place, 1),)))


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_what_is_never_reached_is_what_the_oracle_never_reaches(engine: str) -> None:
    known = 0
    for seed in range(12):
        program = random_program(Random(seed))
        result = check(program, ("all-labels", "asserts"), engine=engine)
        visited = {(edge.procedure, edge.location) for edge in explore(program).path_edges}
        statements = {(p.name, edge.source) for p in program.procedures for edge in p.edges}
        assert result.unreached is not None
        assert set(result.unreached) == statements - visited
        known += bool(result.unreached)
    assert known > 5


def test_an_assertion_that_is_never_reached_is_said() -> None:
    program = parse(VACUOUS, "vacuous.bp")
    assert said(check(program)) == [
        "The assertion at line 6 is never reached.",
        "4 statements are never reached: lines 7-8, 10, 16.",
    ]
    assert said(check(program, "R")) == ["4 statements are never reached: lines 6-8, 10."]
    twice = parse(VACUOUS.replace("g := T;", "assert(g);"), "vacuous.bp")
    assert said(check(twice))[0] == "2 assertions are never reached: lines 6, 8."


def test_one_dead_statement_and_none() -> None:
    dead = "void main()\nbegin\n  goto L;\n  skip;\n  L: assert(T);\nend\n"
    assert said(check(dead)) == ["1 statement is never reached: line 4."]
    assert said(check(dead.replace("  skip;\n", ""))) == []


def scattered(count: int) -> Program:
    """Return a program in which every other line is dead."""
    lines = "".join(f"  goto L{index};\n  skip;\n  L{index}: skip;\n" for index in range(count))
    return parse(f"void main()\nbegin\n{lines}  assert(T);\nend\n", "scattered.bp")


def test_many_stretches_are_named_only_when_all_are_wanted() -> None:
    result = check(scattered(20))
    assert said(result) == ["20 statements are never reached: lines 4, 7, 10, 13, 16, 19 and others."]
    assert "61" in "\n".join(result_to_text(result, verbose=True))


def test_nothing_is_said_of_what_was_not_explored() -> None:
    program = parse(VACUOUS, "vacuous.bp")
    stopped = check(program, ["4", "12"], first=True)
    assert stopped.unreached is None and not said(stopped)
    assert check(program, "4").unreached is None
    spent = check(program, limits=Limits(seconds=1e-9))
    assert spent.unreached is None and not said(spent)


def test_it_is_said_after_the_trace_and_without_proofs_too() -> None:
    result = check(parse(VACUOUS, "vacuous.bp"), ["4", "12"])
    lines = list(result_to_text(result))
    assert "FALSE" in lines[0] and lines[-1] == "5 statements are never reached: lines 6-8, 10, 16."
    quick = check(parse(VACUOUS, "vacuous.bp"), evidence=Evidence(proofs=False))
    assert said(quick) == said(check(parse(VACUOUS, "vacuous.bp")))


def test_json_has_each_statement_or_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "vacuous.bp"
    file.write_text(VACUOUS)
    assert main(["check", str(file), "--format", "json"]) == 0
    never = json.loads(capsys.readouterr().out)["unreached"]
    assert never == [*({"line": line, "procedure": "main"} for line in (6, 7, 8, 10)), {"line": 16, "procedure": "f"}]
    assert main(["check", str(file), "--format", "json", "--target", "4"]) == 10
    assert json.loads(capsys.readouterr().out)["unreached"] is None


def test_explicit_states_are_enough_where_nothing_is_proved() -> None:
    """The engine's own word is taken where no proof is wanted and none was derived."""
    evidence = Evidence(traces=False, proofs=False)
    result = check(parse(VACUOUS, "vacuous.bp"), engine="explicit", evidence=evidence, states=ExplicitOptions().states)
    assert said(result)[0] == "The assertion at line 6 is never reached."


GIVEN = """decl g;
void init() begin g := F; end
void thread1() begin assume(g); ERROR: skip; end
void thread2() begin {} end
"""


def test_what_gives_the_initial_state_is_not_called_unreached() -> None:
    """A procedure `init` runs in no thread, and happens all the same."""
    for engine in ("states", "modular", "stacks"):
        result = check(GIVEN.format("skip;"), engine=engine)
        assert (result.verdict.value, result.unreached) == ("TRUE", (("thread1", 1),)), engine
    found = check(GIVEN.format("skip;"), threads=["init", "thread1"]).unreached
    assert found is not None and ("init", 0) not in found and ("thread2", 0) in found
    called = check(GIVEN.format("return; init();").replace("g;", "g; init(!g);", 1), engine="states").unreached
    assert called is not None and ("init", 0) in called
