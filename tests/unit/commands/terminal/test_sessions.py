"""`--since` and `check --watch` on good and bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.cli import main
from knaster.commands.terminal import watch_file

TEXT = "decl g;\nvoid main() begin\n  g := F;\n  f();\n  assert(!g);\nend\nvoid f() begin\n  g := F;\nend\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.bp").write_text(TEXT)


def test_an_edit(capsys: Capture) -> None:
    assert main(["check", "a.bp", "--since", "s"]) == 0
    said = capsys.readouterr().out
    assert "a.bp: TRUE. Assert at line 5 cannot fail (proof checked)." in said
    assert said.endswith("Session: solved from scratch: a new session.\n")
    Path("a.bp").write_text(TEXT.replace("f() begin\n  g := F", "f() begin\n  g := g & *"))
    assert main(["check", "a.bp", "--since", "s"]) == 0
    assert "solved" in capsys.readouterr().out
    Path("a.bp").write_text(TEXT.replace("f() begin\n  g := F", "f() begin\n  g := T"))
    assert main(["check", "a.bp", "--since", "s"]) == 10
    assert "(trace replayed)" in capsys.readouterr().out
    assert main(["project", "a.bp", "--since", "s"]) == 0
    assert ">     8" in capsys.readouterr().out
    assert main(["facts", "a.bp", "--since", "s"]) == 0
    assert "Note: affine: solved from scratch" in capsys.readouterr().out


def test_watch(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    edits = iter([TEXT.replace("!g", "!h"), TEXT.replace("g := F;\nend", "g := T;\nend")])

    def versions(file: str, wait: object) -> object:
        yield 0
        for text in edits:
            Path(file).write_text(text)
            yield 1
        raise KeyboardInterrupt

    monkeypatch.setattr(watch_file, "versions", versions)
    assert main(["check", "a.bp", "--watch"]) == 10
    shown = capsys.readouterr()
    assert "TRUE" in shown.out and "FALSE" in shown.out and "'h'" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "a.bp", "--since", "a.bp"], "is the file that is read"),
        (["check", "a.bp", "--since", "s", "--property", "termination"], "leave out --property termination"),
        (["check", "a.bp", "--since", "s", "--engine", "summaries"], "does not go with --engine"),
        (["check", "a.bp", "--since", "s", "--format", "json"], "prints text"),
        (["check", "a.bp", "a.bp", "--since", "s"], "follows one file"),
        (["project", "a.bp", "--since", "s", "--causes"], "leave out --annotate, --causes"),
        (["facts", "a.bp", "--since", "s", "--domain", "intervals"], "leave it out for intervals"),
    ],
)
def test_refusals(arguments: list[str], said: str, capsys: Capture) -> None:
    assert main(arguments) == 1
    assert said in capsys.readouterr().err
