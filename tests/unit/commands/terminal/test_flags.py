"""Options cannot get lost: every flag of `check` has its effect in every way in which a file is checked."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knaster.cli import main
from knaster.commands import check
from knaster.commands.terminal.flags import engine_options
from knaster.commands.terminal.parser import Parser
from knaster.engines.requirements import BOOLEAN, REACH, SEQUENTIAL
from knaster.engines.table import ENGINES

TEXT = "void main() begin\n  decl x;\n  x := *;\n  assert(x);\nend\nvoid other() begin\n  skip;\n  assert(F);\nend\n"
VALUES = {  # for flags whose values are no choices and no numbers
    "target": "8 4",  # two, or one would be the first
    "entry": "other",
    "dialect": "boppo",
    "algorithm": "summary",
    "predicate": "main:x>0 main:x>1",
}
SHOWN = (
    "format",
    "engine",
    "help",
    "help_all",
    "proof",
    "output",
    "baseline",
    "cache",
    "jobs",
    "cluster",
    "since",
    "together",
    "watch",
)  # chosen by the test; a proof is of one file only
OF_C = (
    "property",
    "fair",
    "spec",
    "witness",
    "harness",
    "integers",
    "data_model",
    "objects",
    "checks",
    "include",
    "define",
    "undefine",
    "std",
    "keep_call",
    "argc",
    "malloc",
    "volatile",
)  # no question to Boolean programs
OF_REFERENCES = ("draw", "edges", "calls", "changes", "search", "random", "seed", "fingerprints")  # nor these
THREADED = (
    "switches",
    "rounds",
    "delays",
    "preemptions",
    "thread",
)  # they exclude each other or an entry, and have a test of their own
PATHS = ("one file", "several files", "several files with a limit", "standard input")
Capture = pytest.CaptureFixture[str]


def actions() -> Iterator[argparse.Action]:
    """Yield every flag of `check`."""
    parser = Parser()
    check.configure(parser)
    parser.declare_rest()
    aside = SHOWN + OF_C + OF_REFERENCES + THREADED
    yield from (action for action in parser._actions if action.option_strings and action.dest not in aside)


def value_of(action: argparse.Action) -> tuple[list[str], object]:
    """Return arguments that give a flag another value than its default, and that value."""
    flag = action.option_strings[0]
    if isinstance(action, argparse.BooleanOptionalAction):
        return [flag], True
    if action.nargs == 0:
        return [flag], action.const
    if action.choices:
        fields = engine_options()
        default = fields[action.dest][0].default if action.dest in fields else action.default
        chosen = [choice for choice in action.choices if choice != default][-1]
        return [flag, chosen], chosen
    if action.dest in VALUES:
        values = VALUES[action.dest].split()
        given = [part for value in values for part in (flag, value)]
        return given, values if isinstance(action, argparse._AppendAction) else values[0]
    kind: Any = action.type
    assert kind is not None and kind is not str, f"say in VALUES what {flag} can be given"
    return [flag, "54321"], kind("54321")


def answers(path: str, folder: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Any:
    """Return the exit code and the documents of a check that goes a certain way."""
    files = [str(folder / "first.bp"), str(folder / "second.bp")]
    for file in files:
        Path(file).write_text(TEXT)
    if path == "standard input":
        files = ["-"]
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    elif path == "one file":
        files = files[:1]
    if path == "several files with a limit" and "--timeout" not in arguments:
        arguments = [*arguments, "--timeout", "999"]
    code = main(["check", *files, "--format", "json", *arguments])
    found = json.loads(capsys.readouterr().out)
    return code, found if isinstance(found, list) else [found]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_flag_is_in_force(
    engine: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    options = engine_options()
    mine = [a for a in actions() if a.dest not in options or engine in options[a.dest][1]]
    arguments, expected = ["--engine", engine], {"engine": engine}
    for action in mine:
        if path == "several files with a limit" and action.dest == "memory":
            continue  # a worker for each file; once is enough
        given, value = value_of(action)
        arguments += given
        expected[action.dest] = value  # type: ignore[assignment]
    if {SEQUENTIAL, BOOLEAN, REACH} <= set(ENGINES[engine].requires):
        code, documents = answers(path, tmp_path, arguments, monkeypatch, capsys)
        assert code == 10, documents
        for document in documents:
            assert document["options"] | expected == document["options"]
            target, _ = document["targets"]
            assert (target["line"], target["trace"]) == (8, None)  # --target, --entry and --trace none


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("bound", ["switches", "rounds"])
def test_threads_and_bounds_are_in_force(
    bound: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    arguments = [f"--{bound}", "3", "--thread", "main*2", "--thread", "other"]
    code, documents = answers(path, tmp_path, arguments, monkeypatch, capsys)
    assert code == 10
    for document in documents:
        assert document["threads"] == ["main", "main", "other"]
        assert document["options"][bound] == 3 and document["options"]["thread"] == ["main*2", "other"]
        assert document["bound"]["kind"] == bound and document["bound"]["asked"] == 3
        assert [target["least"] for target in document["targets"]] == [1 if bound == "rounds" else 0] * 2


def test_together_the_engines_have_all_flags() -> None:
    assert set(engine_options()) <= {action.dest for action in actions()} | set(OF_REFERENCES)


@pytest.mark.parametrize("path", PATHS)
def test_a_flag_of_another_engine_is_refused(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for arguments in (["--fast"], ["--engine", "calculus", "--fast"]):
        code, documents = answers(path, tmp_path, arguments, monkeypatch, capsys)
        assert code == 1
        for document in documents:
            assert document["status"] == "usage" and document["verdict"] == "UNKNOWN"
            assert "has no option 'fast'" in document["reason"] and "pushdown has it" in document["reason"]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_flag_of_another_engine_is_refused(engine: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "file.bp"
    file.write_text(TEXT)
    for action in actions():
        _, owners = engine_options().get(action.dest, (None, (engine,)))
        if engine not in owners:
            assert main(["check", str(file), "--engine", engine, *value_of(action)[0]]) == 1
            error = capsys.readouterr().err
            assert all(owner in error for owner in owners) and f"'{action.dest}'" in error


def test_the_same_without_naming_an_engine(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "file.bp"
    file.write_text(TEXT)
    assert main(["check", str(file), "--states", "7"]) == 1
    error = capsys.readouterr().err
    assert "the engine 'summaries' has no option 'states'; " in error and "explicit" in error


def test_flags_are_grouped_by_engine(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help-all"])
    text = capsys.readouterr().out
    assert "options of pushdown:\n  --direction {post,pre}" in text
    assert "(default: post)" in text
    for name, engine in ENGINES.items():
        assert f"  {name} " in text and engine.about in " ".join(text.split())
