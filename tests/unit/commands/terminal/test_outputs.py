"""`--output FORMAT=PATH`, `--baseline` and settings: several formats at once, and what counts in the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from knaster.cli import main
from support.pages import Page

SAFE = "void main() begin\n  assert(T);\nend\n"
WRONG = "void main() begin\n  assert(F);\nend\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"safe.bp": SAFE, "wrong.bp": WRONG, "bad.bp": "x"}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def outputs(*pairs: str) -> list[str]:
    return [part for pair in pairs for part in ("--output", pair)]


@pytest.mark.parametrize("limit", [[], ["--timeout", "60"]])
def test_all_formats_at_once(limit: list[str], capsys: Capture) -> None:
    pairs = outputs("sarif=a.sarif", "junit=a.xml", "json=a.json", "html=pages", "github=a.txt", "text=b.txt")
    assert main(["check", "safe.bp", "wrong.bp", "bad.bp", *pairs, *limit]) == 2
    assert capsys.readouterr().out.splitlines()[-1] == "3 files: 1 TRUE, 1 FALSE, 1 refused."
    assert len(json.loads(Path("a.sarif").read_text())["runs"][0]["results"]) == 1
    assert ElementTree.fromstring(Path("a.xml").read_text()).attrib["tests"] == "3"
    assert [each["verdict"] for each in json.loads(Path("a.json").read_text())] == ["TRUE", "FALSE", "UNKNOWN"]
    assert "::error file=wrong.bp,line=2" in Path("a.txt").read_text()
    assert "wrong.bp: FALSE." in Path("b.txt").read_text()
    pages = sorted(path.name for path in Path("pages").iterdir())
    assert pages == ["1-safe.bp.html", "2-wrong.bp.html", "index.html"]
    index = Page(Path("pages", "index.html").read_text())
    assert [each["href"] for each in index.having("href")] == pages[:2]


def test_one_page_is_a_file(capsys: Capture) -> None:
    assert main(["check", "wrong.bp", "--format", "json", *outputs("html=a.html", "svg=a.svg")]) == 10
    assert json.loads(capsys.readouterr().out)["verdict"] == "FALSE"
    Page(Path("a.html").read_text())
    ElementTree.parse("a.svg")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (outputs("sarf=a"), "did you mean 'sarif'?"),
        (outputs("sarif"), "--output takes FORMAT=PATH"),
        (outputs("dot=a"), "there is no format 'dot'"),
        (outputs("json=wrong.bp"), "is the file that is read"),
        (outputs("json=a", "text=a"), "names one file twice"),
        (["safe.bp", *outputs("svg=a")], "--output svg shows one file"),
    ],
)
def test_what_makes_no_sense(arguments: list[str], said: str, capsys: Capture) -> None:
    assert main(["check", "wrong.bp", *arguments]) == 1
    assert said in capsys.readouterr().err


def test_a_file_that_cannot_be_written_costs_no_answer(capsys: Capture) -> None:
    assert main(["check", "wrong.bp", *outputs("json=none/a.json", "sarif=a.sarif")]) == 10
    out, err = capsys.readouterr()
    assert "FALSE" in out and "none/a.json: cannot be written" in err and Path("a.sarif").exists()


def test_only_new_findings_count(capsys: Capture) -> None:
    assert main(["check", "wrong.bp", "safe.bp", *outputs("sarif=base.sarif")]) == 10
    assert main(["check", "wrong.bp", "safe.bp", "--baseline", "base.sarif"]) == 0
    assert "its findings are known and do not count" in capsys.readouterr().err
    Path("wrong.bp").write_text("// a line above\n" + WRONG)
    assert main(["check", "wrong.bp", "--baseline", "base.sarif"]) == 0
    Path("wrong.bp").write_text(WRONG.replace("assert(F)", "assert(F); assert(F & T)"))
    assert main(["check", "wrong.bp", "--baseline", "base.sarif"]) == 10
    assert main(["check", "wrong.bp", "bad.bp", "--baseline", "base.sarif"]) == 2
    assert main(["check", "wrong.bp", "--baseline", "safe.bp"]) == 2
    assert "this is no SARIF log" in capsys.readouterr().err


def test_settings(capsys: Capture) -> None:
    assert main(["check"]) == 1
    assert "write 'files' into knaster.toml" in capsys.readouterr().err
    Path("knaster.toml").write_text('files = ["[sw]*.bp"]\ntimeout = 60\nexpected = ["wrong.bp:assert at line 2"]\n')
    assert main(["check"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 files: 1 TRUE, 1 FALSE."
    Path("knaster.toml").unlink()
    Path("pyproject.toml").write_text('[tool.knaster]\nfiles = ["safe.bp"]\nexpected = ["safe.bp:assert at line 2"]\n')
    assert main(["check", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["verdict"] == "TRUE" and "is expected to fail, and does not" in err


@pytest.mark.parametrize(
    ("expected", "code", "said"),
    [
        ("wrong.bp:2", 0, "wrong.bp: its findings are known"),
        ("safe.bp:2", 10, "safe.bp:2 is expected to fail, and does not"),
        ("wrong.bp:3", 10, "wrong.bp:3 is expected to fail, and there is no such target"),
        ("weird.bp:2", 10, "weird.bp:2 is expected to fail, and there is no such target"),
    ],
)
def test_targets_that_are_expected_to_fail(expected: str, code: int, said: str, capsys: Capture) -> None:
    Path("knaster.toml").write_text(f'files = ["[sw]*.bp"]\nexpected = ["{expected}"]\n')
    assert main(["check"]) == code
    assert said in capsys.readouterr().err


def test_of_a_file_that_was_refused_no_target_is_missed(capsys: Capture) -> None:
    Path("knaster.toml").write_text('files = ["bad.bp"]\nexpected = ["bad.bp:1"]\n')
    assert main(["check"]) == 2
    assert "no such target" not in capsys.readouterr().err


def test_the_command_line_wins_over_settings(capsys: Capture) -> None:
    Path("knaster.toml").write_text('files = ["wrong.bp"]\nformat = "json"\njobs = 0\n')
    assert main(["check"]) == 10
    assert json.loads(capsys.readouterr().out)["verdict"] == "FALSE"
    assert main(["check", "--format", "text"]) == 10
    assert capsys.readouterr().out.startswith("wrong.bp: FALSE.")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("file = 1", 1, "did you mean 'files'?"),
        ("files = 1", 1, "'files' must be a list of texts"),
        ("timeout = true", 1, "'timeout' must be a number"),
        ("timeout = -1", 1, "'-1' is no positive number"),
        ("jobs = 2.5", 1, "'2.5' is no whole number"),
        ("format = 'htm'", 1, "knaster.toml: argument --format: invalid choice: 'htm'"),
        ("files = ['safe.bp']\nexpected = ['ERROR']", 1, "'expected' takes FILE:TARGET"),
        ("files = ['q.bp']", 2, "there is no file q.bp"),
        ("files = []", 1, "it names no files"),
        ("files = [", 2, "this is no TOML"),
    ],
)
def test_bad_settings(text: str, code: int, said: str, capsys: Capture) -> None:
    Path("knaster.toml").write_text(text)
    assert main(["check"]) == code
    assert said in capsys.readouterr().err


def test_a_project_file_whose_tools_are_none(capsys: Capture) -> None:
    for text, said in (("tool = 3\n", "name a file to check"), ("[tool]\nknaster = 5\n", "must be a table")):
        Path("pyproject.toml").write_text(text)
        assert main(["check"]) == 1
        assert said in capsys.readouterr().err
