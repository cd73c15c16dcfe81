"""`knaster compare`: engines side by side, and a small program where one of them is wrong."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from knaster.base.exits import ExitCode
from knaster.cli import main
from knaster.commands.compare import PATIENCE, _time_limit
from knaster.commands.comparison import OPEN, Claim, Comparison, Outcome, disagreements
from knaster.commands.comparison_table import ComparisonTable
from knaster.engines import table
from knaster.engines.boolean.summaries import CARD as SUMMARIES
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import Card, SymbolicOptions
from knaster.engines.contract import Findings, Task
from knaster.evidence.questions.question import Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse
from knaster.program.model import Call
from knaster.report.envelope import schema

SOURCE = """decl g, h;
void main()
begin
  decl x, y;
  x := *;
  y := x & h;
  if (y) then
    g := F;
  fi
  f(x, y);
  if (g) then
    R: skip;
  fi
  h := g | y;
  Q: skip;
end
void f(p, q)
begin
  if (p) then
    g := T;
  else
    g := q;
  fi
end
"""
PROGRAM = parse(SOURCE, "a.bp")
QUESTION = Reach(resolve_targets(PROGRAM, ("R", "Q")))
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path("a.bp").write_text(SOURCE)
    Path("wrong.bp").write_text("void main() begin")
    Path("threads.bp").write_text("decl g;\nvoid main() begin\n  start_thread goto L;\n  L: skip;\nend\n")


def without_calls(task: Task) -> Findings:
    """An engine that takes whatever is reached only through a call for unreachable."""
    found = summaries(task)
    calls = any(isinstance(edge.action, Call) for p in task.program.procedures for edge in p.edges)
    return replace(found, reached=frozenset(), unknown=None, visited=None) if calls else found


def install(monkeypatch: pytest.MonkeyPatch, run: object) -> None:
    engine = Card("liar", "lies", SUMMARIES.requires, run, SymbolicOptions)  # type: ignore[arg-type]
    monkeypatch.setitem(table.ENGINES, "liar", engine)


def documents(capsys: Capture) -> object:
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, schema())
    return found


def test_engines_that_agree(capsys: Capture) -> None:
    assert main(["compare", "a.bp", "--target", "R", "--target", "Q"]) == 0
    said = capsys.readouterr().out
    can = [name for name, engine in table.ENGINES.items() if engine.why_not(PROGRAM, QUESTION) is None]
    assert said.count("FALSE") == said.count(" s\n") + said.count(" s  ") == len(can) >= 4
    assert all(name in said for name in can) and " - " not in said
    assert said.endswith("\nThe engines agree on the file.\n")


def test_engines_that_are_named(capsys: Capture) -> None:
    assert main(["compare", "a.bp", "a.bp", "--target", "R", "--engines", "explicit,summaries"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["file", "explicit", "summaries"] and len(lines) == 5
    for wrong in ("magic,summaries", "summaries", "summaries,summaries"):
        assert main(["compare", "a.bp", "--engines", wrong]) == 1
    assert "name two engines at least" in capsys.readouterr().err


def test_a_disagreement_is_shrunk(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    install(monkeypatch, without_calls)
    assert main(["compare", "a.bp", "--target", "R", "--engines", "summaries,liar,explicit"]) == 6
    said = capsys.readouterr().out
    assert "\na.bp: R (line 12): summaries and explicit say reachable, liar says unreachable.\n" in said
    text = said.partition("please report it:\n\n")[2]
    small = parse(text, "small.bp")
    assert len(text.splitlines()) < 20 and small.globals == ()  # a call, and R
    assert sum(len(procedure.edges) for procedure in small.procedures) <= 4
    Path("small.bp").write_text(text)
    assert main(["compare", "small.bp", "--target", "R", "--engines", "summaries,liar"]) == 6


def test_a_disagreement_in_json(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    install(monkeypatch, without_calls)
    arguments = ["--target", "R", "--target", "Q", "--engines", "summaries,liar", "--format", "json"]
    assert main(["compare", "a.bp", *arguments]) == 6
    found = documents(capsys)
    assert isinstance(found, dict)
    assert (found["status"], found["verdict"], found["reason"]) == ("answered", "FALSE", "the engines disagree")
    assert [(d["name"], d["reachable"], d["unreachable"]) for d in found["disagreements"]] == [
        ("R", ["summaries"], ["liar"]),
        ("Q", ["summaries"], ["liar"]),
    ]
    assert parse(found["smallest"], "small.bp").procedures


def test_an_engine_that_changes_its_mind(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    asked: list[Task] = []

    def fickle(task: Task) -> Findings:
        asked.append(task)
        return without_calls(task) if len(asked) == 1 else summaries(task)

    install(monkeypatch, fickle)
    assert main(["compare", "a.bp", "--target", "R", "--engines", "summaries,liar"]) == 6
    assert "They agree when they are asked again." in capsys.readouterr().out


def test_an_engine_that_fails(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def broken(task: Task) -> Findings:
        raise ZeroDivisionError

    install(monkeypatch, broken)
    assert main(["compare", "a.bp", "--target", "R", "--engines", "summaries,liar"]) == 6
    said = capsys.readouterr()
    assert "FAULT" in said.out and "liar: internal error" in said.err


def test_not_knowing_is_no_disagreement(capsys: Capture) -> None:
    assert main(["compare", "a.bp", "--target", "R", "--timeout", "1e-9", "--engines", "summaries,explicit"]) == 5
    assert capsys.readouterr().out.count("UNKNOWN") >= 1
    assert (
        main(["compare", "a.bp", "--target=R", "--timeout=1e-9", "--engines=summaries,explicit", "--format=json"]) == 5
    )
    found = documents(capsys)
    assert isinstance(found, dict) and (found["status"], found["verdict"]) == ("undecided", "UNKNOWN")


def test_files_that_are_refused(capsys: Capture) -> None:
    assert main(["compare", "a.bp", "wrong.bp", "missing.bp", "--target", "R"]) == 2
    said = capsys.readouterr()
    assert said.out.count("REFUSED") == 2 and "wrong.bp:1:" in said.err and "missing.bp" in said.err
    assert main(["compare", "a.bp", "wrong.bp", "--target", "R", "--format", "json"]) == 2
    found = documents(capsys)
    assert isinstance(found, list) and [document["status"] for document in found] == ["answered", "refused"]
    assert main(["compare", "a.bp"]) == 1
    assert "there is no assert" in capsys.readouterr().err


def test_engines_that_cannot_be_used(capsys: Capture) -> None:
    assert main(["compare", "threads.bp", "--target", "L", "--engines", "summaries,explicit"]) == 2
    said = capsys.readouterr()
    assert "the engine 'summaries' cannot be used: " in said.err
    assert "there are not two engines that can be compared" in said.err
    assert said.out.splitlines()[1].split()[:2] == ["threads.bp", "-"]


def outcome(engine: str, verdict: str, reachable: bool | None, status: str = "answered") -> Outcome:
    return Outcome(engine, status, verdict, "", 1.0, {("R", 3): Claim.of(reachable, None, None)}, status == "answered")


def test_what_counts_as_a_disagreement() -> None:
    yes, no, open_ = (
        outcome("a", "FALSE", True),
        outcome("b", "TRUE", False),
        outcome("c", "UNKNOWN", None, "undecided"),
    )
    assert not disagreements([yes, open_]) and not disagreements([no, open_])
    (found,) = disagreements([open_, no, yes])
    assert str(found) == "R (line 3): a says reachable, b says unreachable"
    assert Comparison("f", (yes, no, open_), {}).code == ExitCode.FAULT
    assert Comparison("f", (yes, open_), {}).code == ExitCode.UNDECIDED
    assert Comparison("f", (yes, replace(yes, engine="d")), {"x": "why"}).code == ExitCode.DONE
    assert Comparison("f", (yes, replace(yes, engine="d")), {"x": "why"}, named=True).code == ExitCode.REFUSED
    assert Comparison("f", (yes,), {}).code == ExitCode.UNDECIDED


def test_the_table_uses_the_width_that_there_is() -> None:
    engines, names = ["summaries", "pushdown", "calculus", "explicit"], ["a/very/long/name/of/a/file/in/a/folder.bp"]
    row = [outcome(engine, "UNKNOWN", None, "undecided") for engine in engines]
    for width in (80, 90, 120, 300):
        table = ComparisonTable(names, engines, width)
        lines = [*table.header(), *table.row(names[0], row, None)]
        assert len(lines) == 2 and max(map(len, lines)) <= width
    assert names[0] in ComparisonTable(names, engines, 120).row(names[0], row, None)[0]
    assert ComparisonTable(names, engines, 80).row(names[0], row, None)[0].startswith("...")
    narrow = ComparisonTable(names, engines, 60)
    assert narrow.header() == [] and len(narrow.row(names[0], row, None)) == 5


def test_colour_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    main(["compare", "a.bp", "--target", "R", "--engines", "summaries,explicit"])
    assert capsys.readouterr().out.count("\x1b[1;31mFALSE\x1b[0m") == 2
    monkeypatch.setenv("NO_COLOR", "1")
    main(["compare", "a.bp", "--target", "R", "--engines", "summaries,explicit"])
    assert "\x1b" not in capsys.readouterr().out


BACK = """decl g, h;
init (!g & !h);
void main_1() begin
  g := T;
  if (h) then ERROR: skip; fi
end
void main_2() begin
  assume(g);
  h := T;
end
"""


def test_threads_within_a_bound(capsys: Capture) -> None:
    Path("back.bp").write_text(BACK)
    for bound in (["--switches", "1"], ["--switches", "2"], ["--rounds", "1"], ["--rounds", "2"]):
        assert main(["compare", "back.bp", *bound, "--engines", "states,lazy,eager", "--format", "json"]) == 0
        found = documents(capsys)
        assert isinstance(found, dict) and found["verdict"] == "TRUE" and found["reason"] == "the engines agree"
        assert {one["verdict"] for one in found["engines"]} == {"UNKNOWN" if bound[1] == "1" else "FALSE"}
        assert found["options"][bound[0][2:]] == int(bound[1])


def test_threads_that_are_named(capsys: Capture) -> None:
    Path("back.bp").write_text(BACK)
    assert main(["compare", "back.bp", "--thread", "main_1*2", "--switches", "4", "--engines", "states,lazy"]) == 0
    assert capsys.readouterr().out.count("UNKNOWN") <= 2
    assert main(["compare", "back.bp", "--thread", "nobody", "--engines", "states,lazy"]) == 1
    assert "there is no procedure 'nobody'" in capsys.readouterr().err
    assert main(["compare", "back.bp", "--switches", "2", "--rounds", "2"]) == 1
    assert "not both" in capsys.readouterr().err


def test_least_numbers_are_compared(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """An engine that finds a target one switch too late says that the fewer switches miss it."""
    from knaster.engines.threads.states import CARD as STATES
    from knaster.engines.threads.states.engine import states

    def late(task: Task) -> Findings:
        found = states(task)
        return replace(found, least={target: number + 1 for target, number in found.least.items()})

    Path("back.bp").write_text(BACK)
    engine = Card("liar", "late", STATES.requires, late)
    monkeypatch.setitem(table.ENGINES, "liar", engine)
    monkeypatch.setattr("knaster.commands.compare.PATIENCE", None)  # in this process, which knows the liar
    arguments = ["compare", "back.bp", "--engines", "states,liar"]
    assert main(arguments) == 6
    said = capsys.readouterr().out
    assert "ERROR (line 5): states says reachable with 2 switches, liar says unreachable." in said
    assert main([*arguments, "--format", "json"]) == 6
    found = documents(capsys)
    assert isinstance(found, dict)
    assert [(d["name"], d["least"]) for d in found["disagreements"]] == [("ERROR", 2)]


def threaded(engine: str, claim: Claim) -> Outcome:
    return Outcome(engine, "answered", "", "", 1.0, {("R", 3): claim}, True, "switches")


@pytest.mark.parametrize(
    ("one", "other", "number"),
    [
        (Claim.of(True, 3, 3), Claim.of(None, None, 2), None),
        (Claim.of(True, 3, 3), Claim.of(None, None, 3), 3),
        (Claim.of(True, 3, 3), Claim.of(None, None, None), None),
        (Claim.of(True, 3, 3), Claim.of(True, 3, 5), None),
        (Claim.of(True, 3, 3), Claim.of(True, 2, 2), 2),
        (Claim.of(True, 1, 1), Claim.of(False, None, 4), 1),
        (Claim.of(False, None, 4), Claim.of(None, None, 9), None),
        (OPEN, OPEN, None),
    ],
)
def test_what_counts_as_a_disagreement_about_threads(one: Claim, other: Claim, number: int | None) -> None:
    found = disagreements([threaded("a", one), threaded("b", other)])
    assert [each.number for each in found] == ([] if number is None else [number])
    if number is not None:
        assert f"reachable with {number} switch{'' if number == 1 else 'es'}, " in str(found[0])


def test_threads_without_a_bound_have_a_limit_of_time() -> None:
    threads, alone = parse(BACK), parse("void main() begin skip; end")
    given = argparse.Namespace(timeout=None, thread=None, switches=None, rounds=None, preemptions=None, delays=None)
    assert _time_limit(given, threads) == PATIENCE and _time_limit(given, alone) is None
    for name, value, limit in (("switches", 0, None), ("timeout", 5.0, 5.0)):
        assert _time_limit(argparse.Namespace(**{**vars(given), name: value}), threads) == limit
