"""`check --trace none` of a Zing model says what fails, although it shows no trace."""

from __future__ import annotations

import json

import pytest

from knaster.cli import main
from support import ROOT

ZING = ROOT / "examples" / "zing"


@pytest.mark.parametrize(
    "name, kind, category, line, words",
    [
        ("figure-2", "assertion", "assertion-failure", 19, "Assertion at line 19 can fail (trace replayed)."),
        ("philosophers-deadlock", "deadlock", "deadlock", 16, "Deadlock at line 16: no thread can move"),
    ],
)
def test_what_fails_is_said(
    name: str, kind: str, category: str, line: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(ZING / f"{name}.zing")
    assert main(["check", file, "--trace", "none"]) == 10
    output = capsys.readouterr().out
    assert output.startswith(f"{file}: FALSE. {words}")
    assert output.count("\n") == 1
    assert main(["check", file, "--trace", "none", "--format", "json"]) == 10
    [target] = json.loads(capsys.readouterr().out)["targets"]
    assert target["trace"] is None
    failure = target["failure"]
    assert (failure["kind"], failure["category"], failure["line"]) == (kind, category, line)


def test_of_several_targets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(ZING / "philosophers-deadlock.zing"), "--trace", "none", "--target", "failures"]) == 10
    assert "reachable:   deadlock (line 16)\n" in capsys.readouterr().out
