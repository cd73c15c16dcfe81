"""The tool-info module: command lines and results, with BenchExec's own records where it is installed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("benchexec", reason="needs the package benchexec")


def tool() -> Any:
    from knaster.integrations.benchexec import Tool

    return Tool()


def test_the_command_of_a_task() -> None:
    task = SimpleNamespace(property_file="p.prp", options={"data_model": "ILP32"}, single_input_file="a.c")
    limits = SimpleNamespace(cputime=100, memory=2_000_000_000)
    assert tool().cmdline("knaster", ["--first"], task, limits) == [
        *["knaster", "check", "--first", "--trace", "calls", "--no-progress", "--spec", "p.prp"],
        *["--data-model", "ILP32", "--timeout", "95", "--memory", "1900", "a.c"],
    ]


@pytest.mark.parametrize(
    ("output", "code", "word"),
    [
        (["a.c: FALSE.", "false(unreach-call)", ""], 10, "false(unreach-call)"),
        (["true"], 0, "true"),
        (["unknown"], 5, "unknown"),
        ([], 2, "ERROR (refused)"),
        (["false(termination)", "something else"], 6, "ERROR (fault)"),
    ],
)
def test_results(output: list[str], code: int, word: str) -> None:
    run = SimpleNamespace(output=output, exit_code=SimpleNamespace(value=code), was_timeout=False)
    assert tool().determine_result(run) == word
