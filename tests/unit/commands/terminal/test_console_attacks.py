"""No name speaks to the terminal; no stream that is closed or full changes the exit code of a verdict."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT

FIGURE_1 = str(ROOT / "examples" / "figure1.bp")
ERASE = "\x1b[2K\x1b[1A"
ATTACK = f"""decl {{{ERASE}}};
void main() begin
  {{{ERASE}}} := *;
  if ({{{ERASE}}}) then
    R: skip;
  fi
end
"""


def run(*arguments: str, shell: str = "", environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Return the exit code, the output and the errors of a command; `shell` redirects streams."""
    command = [sys.executable, "-m", "knaster", *arguments]
    if shell:
        command = ["sh", "-c", f'"$@" {shell}', "sh", *command]
    done = subprocess.run(
        command, capture_output=True, env=dict(os.environ) | (environment or {}), timeout=120, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def attack(tmp_path: Path) -> Path:
    """Return a program whose verdict is FALSE and whose names erase lines."""
    file = tmp_path / "attack.bp"
    file.write_text(ATTACK)
    return file


@pytest.mark.parametrize(
    "words",
    [
        "check {} --target R",
        "check {} --target R --trace full --verbose",
        "check {} --target R --format html",
        "check {} --target R --format svg",
        "check {} --target R --format json",
        "check {} {} --target R",
        "check {} --target R\x1b[2K",
        "check {} --engine \x1b[2K",
        "check {} --\x1b[2K",
        "\x1b[2K",
        "project {} --target R",
        "compare {} --target R",
    ],
)
def test_no_name_speaks_to_the_terminal(words: str, attack: Path) -> None:
    _, output, errors = run(*words.format(attack, attack).split(" "))
    assert "\x1b" not in output + errors
    if "svg" not in words and not words.startswith(("compare", "check {} {}")):  # which show no name
        assert r"\x1b[2K" in output + errors or r"\u001b[2K" in output + errors


def test_colour_is_ours_alone(attack: Path) -> None:
    code, output, _ = run("check", str(attack), "--target", "R", environment={"FORCE_COLOR": "1", "NO_COLOR": ""})
    assert code == 10
    assert "\x1b[1;31mFALSE\x1b[0m" in output
    assert ERASE not in output and r"\x1b[2K\x1b[1A" in output
    _, output, _ = run("project", str(attack), "--target", "R", environment={"FORCE_COLOR": "1", "NO_COLOR": ""})
    assert ERASE not in output and r"\x1b[2K\x1b[1A" in output


def test_errors_in_such_a_program(tmp_path: Path) -> None:
    file = tmp_path / "wrong.bp"
    file.write_text(f"void main() begin\n  {{{ERASE}}} := 1;\nend\n")
    code, output, errors = run("check", str(file))
    assert (code, output) == (2, "")
    assert "\x1b" not in errors and r"\x1b[2K" in errors


def test_names_of_files(attack: Path) -> None:
    strange = attack.with_name("x\x1b[2K\ny.bp: TRUE.bp")
    attack.rename(strange)
    code, output, errors = run("check", str(strange), "--target", "R")
    assert code == 10 and not errors
    assert output.partition("\n")[0].startswith(str(attack.with_name(r"x\x1b[2K\ny.bp: TRUE.bp: FALSE.")))
    code, output, errors = run("check", str(strange) + "\x1b", "--target", "R")
    assert code == 2 and errors.count("\n") == 1 and "\x1b" not in errors
    _, output, _ = run("check", str(strange), "--target", "R", "--format", "json")
    assert json.loads(output)["file"] == str(strange)


def test_json_has_no_control_character(tmp_path: Path) -> None:
    file = tmp_path / "delete.bp"
    file.write_text(ATTACK.replace("\x1b", "\x7f\x9b"))
    code, output, _ = run("check", str(file), "--target", "R", "--format", "json")
    assert code == 10
    assert not {"\x7f", "\x9b"} & set(output)
    assert "{\x7f\x9b[2K\x7f\x9b[1A}" in json.dumps(json.loads(output), ensure_ascii=False)


def test_what_is_shown_is_read_again(attack: Path) -> None:
    code, output, _ = run("show", str(attack))
    assert code == 0 and f"{{{ERASE}}}" in output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("format", ["text", "json", "html", "svg"])
def test_a_full_disk_is_one_line(format: str) -> None:
    code, _, errors = run("check", FIGURE_1, "--target", "R", "--format", format, shell="> /dev/full")
    assert code == 10
    assert errors == "knaster: standard output: cannot be written: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["--help", "--version", "check --help", "check --help-all", "show {}", "schema"])
def test_what_is_no_verdict_and_cannot_be_written_is_a_failure(words: str) -> None:
    code, _, errors = run(*words.format(FIGURE_1).split(), shell="> /dev/full")
    assert code == 2
    assert errors == "knaster: standard output: cannot be written: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_full_standard_error() -> None:
    code, output, _ = run("check", FIGURE_1, "--target", "Nowhere", shell="2> /dev/full")
    assert (code, output) == (1, "")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "words, expected",
    [("check {} --target R", 10), ("check {} --target Nowhere", 1), ("check {} {} --timeout 60 --target R", 10)],
)
def test_closed_streams(words: str, expected: int, closed: str) -> None:
    code, _, errors = run(*words.format(FIGURE_1, FIGURE_1).split(), shell=closed)
    assert code == expected
    assert "Traceback" not in errors and "fault" not in errors


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_closed_standard_input_is_no_program() -> None:
    assert run("check", "-", shell="<&-") == (2, "", "knaster: <stdin>: is closed\n")
