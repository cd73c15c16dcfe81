"""The documents tell the truth: every program in them is read, and what they show as output is what comes out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from knaster.base.exits import STATUS
from knaster.cli import main
from knaster.commands.table import COMMANDS, MEANINGS, exit_codes
from knaster.frontends.boolean import parse
from knaster.report.envelope import schema
from support import ROOT

PAGES = [*sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md"))]
PROGRAM = re.compile(r"```bp\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


def programs() -> list[tuple[str, str]]:
    return [(page.name, text) for page in PAGES for text in PROGRAM.findall(page.read_text("utf-8"))]


def sessions() -> list[tuple[str, str, str]]:
    """Return the page, the command and the output of every `$ knaster ...` in a console block."""
    found = []
    for page in PAGES:
        for block in SESSION.findall(page.read_text("utf-8")):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found += [(page.name, command, output)] if "knaster " in command else []
    return found


def commands() -> list[tuple[str, str]]:
    """Return the page and the text of every command that somebody may paste: in blocks, indented, between backticks."""
    line = re.compile(r"^(?:\$ | {4})((?:knaster|pip|python|make) .*)$|`((?:knaster|pip install) [^`]*)`", re.MULTILINE)
    return [(page.name, one or other) for page in PAGES for one, other in line.findall(page.read_text("utf-8"))]


def test_no_command_has_a_wildcard_that_a_shell_takes_for_files_and_finds_none() -> None:
    """Bash hands such a word on as it is, zsh refuses the whole line."""
    quoted = re.compile(r"'[^']*'|\"[^\"]*\"")
    words = [(page, word) for page, text in commands() for word in quoted.sub("Q", text).split("#")[0].split()]
    wild = [(page, word) for page, word in words if re.search(r"[*?]|\[[^-A-Z].*\]", word)]  # `[OPTION]` is no command
    files = re.compile(r"[\w./]*\*\.(bp|c|zing|mu)")  # of the user
    assert [(page, word) for page, word in wild if not files.fullmatch(word) and not any(ROOT.glob(word))] == []


@pytest.mark.parametrize(("page", "text"), programs())
def test_programs_in_documents_are_read(page: str, text: str) -> None:
    parse(text, page)


@pytest.mark.parametrize(("page", "command", "output"), sessions())
def test_sessions_in_documents_are_true(
    page: str, command: str, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    main(shlex.split(command)[1:])
    assert capsys.readouterr().out.rstrip() == output.rstrip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_readme_is_one_screen_and_shows_figure_1() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert any(page == "README.md" and "figure1.bp" in command for page, command, _ in sessions())
    assert len(text.splitlines()) <= 80


def test_files_named_in_the_table_of_papers_exist() -> None:
    text = (ROOT / "docs" / "papers.md").read_text("utf-8")
    for name in re.findall(r"`((?:src|tests|examples|benchmarks)/[^`]+)`", text):
        assert (ROOT / name).exists(), f"docs/papers.md names {name}"


def test_the_table_of_exit_codes_is_that_of_the_commands() -> None:
    text = (ROOT / "docs" / "output.md").read_text("utf-8")
    general = [f"| {int(code)} | `{STATUS[code]}` | {meaning} |" for code, meaning in MEANINGS.items()]
    assert re.findall(r"^\| \d+ \| `\w+` \| .* \|$", text, re.MULTILINE) == general
    rows = [(name, code, text) for name, command in COMMANDS.items() for code, text in command.codes.items()]
    own = [f"| `{name}` | {int(code)} | {meaning} |" for name, code, meaning in rows]
    assert re.findall(r"^\| `\w+` \| \d+ \| .* \|$", text, re.MULTILINE) == own


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_its_exit_codes(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert exit_codes(command) in capsys.readouterr().out


def test_fields_of_the_schema_are_explained() -> None:
    text = (ROOT / "docs" / "output.md").read_text("utf-8")
    document: Any = schema()
    for name in ("envelope", *document["$defs"]["document"]["oneOf"]):
        part = document["$defs"][name if isinstance(name, str) else name["$ref"].rpartition("/")[2]]
        for field in part["properties"]:
            assert f"`{field}`" in text, f"docs/output.md does not explain {field}"


def test_the_picture_of_the_readme_is_what_is_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    main(["show", "examples/figure1.bp", "--as", "svg"])
    assert (ROOT / "docs" / "figure1.svg").read_text("utf-8") == capsys.readouterr().out
    assert "(docs/figure1.svg)" in (ROOT / "README.md").read_text("utf-8")
