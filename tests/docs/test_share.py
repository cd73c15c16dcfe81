"""Completions and the man page: there, whole, and with every command; `make share` writes them anew."""

from __future__ import annotations

import runpy

import pytest

from knaster.commands.table import COMMANDS
from support import ROOT

SHARE = ROOT / "share"


@pytest.mark.parametrize("name", ["knaster.bash", "_knaster", "knaster.1"])
def test_every_command_is_there(name: str) -> None:
    text = (SHARE / name).read_text("utf-8")
    missing = [command for command in COMMANDS if command not in text]
    assert not missing, f"{name} lacks {missing}: run `make share`"
    assert name in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_man_page_has_every_flag() -> None:
    made = runpy.run_path(str(SHARE / "generate.py"))
    page, parser = made["manual"](), made["parsers"]()
    commands = next(action.choices for action in parser._actions if action.dest == "command")
    flags = {flag for command in commands.values() for action in command._actions for flag in action.option_strings}
    assert len(flags) > 60 and all(flag.replace("-", r"\-") in page for flag in flags if flag not in ("-h", "--help"))
