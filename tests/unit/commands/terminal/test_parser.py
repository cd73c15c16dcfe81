"""`--help` fits on a screen and a half; `--help-all` leaves nothing out."""

from __future__ import annotations

import pytest

from knaster.cli import main
from knaster.commands.terminal.flags import engine_options
from knaster.commands.terminal.parser import Parser
from knaster.engines.table import ENGINES


def help_text(capsys: pytest.CaptureFixture[str], flag: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["check", flag])
    assert not ended.value.code
    return capsys.readouterr().out


def test_help_of_check_fits_on_a_screen_and_a_half(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = help_text(capsys, "--help").splitlines()
    assert len(lines) <= 84 and all(len(line) <= 80 for line in lines)
    assert not any("options of" in line or "--harness" in line for line in lines)


def test_help_all_has_every_engine_and_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_text(capsys, "--help-all")
    assert all(f"\n  {name} " in text for name in ENGINES)
    for name in engine_options():
        assert f"--{name.replace('_', '-')}" in text or f"--no-{name.replace('_', '-')}" in text
    for flag in ("--harness", "--draw", "--dialect", "--integers"):
        assert flag in text


def test_what_is_further_comes_back_after_the_short_help() -> None:
    parser = Parser(prog="x")
    parser.declare_further(lambda: parser.add_argument_group("rare").add_argument("--odd", help="something rare"))
    assert "--odd" not in parser.format_help()
    assert "something rare" in parser.format_help_all() and "rare:" in parser.format_help_all()
    assert parser.parse_args(["--odd", "1"]).odd == "1"
