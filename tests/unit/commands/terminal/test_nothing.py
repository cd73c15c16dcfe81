"""Nothing is known: one sentence on standard error, a document where JSON was asked for."""

from __future__ import annotations

import argparse
import json

import pytest

from knaster.base.exits import ExitCode
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.nothing import say_unknown


@pytest.mark.parametrize("format", ["text", "json"])
def test_nothing(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = argparse.Namespace(command="facts", file="a.c", format=format)
    assert say_unknown("the time is spent", options, Console()) is ExitCode.UNDECIDED
    out, err = capsys.readouterr()
    assert err.strip() == "a.c: UNKNOWN. The time is spent."
    assert (json.loads(out)["verdict"] == "UNKNOWN") if format == "json" else not out
