"""`check --cache` says where an answer is from, and that an entry was broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.cli import main

SAFE = "void main() begin\n  decl x;\n  x := T;\n  assert(x);\nend\n"


def test_a_broken_entry_is_said_to_everybody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "a.bp", tmp_path / "cache"
    file.write_text(SAFE)
    command = ["check", str(file), "--cache", str(folder)]
    assert main(command) == 0 and "cache" not in capsys.readouterr().out.removeprefix(str(file))
    assert main(command) == 0 and "(from the cache, proof checked" in capsys.readouterr().out
    (entry,) = folder.rglob("*.json")
    entry.write_text("broken")
    assert main(command) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "from the cache" not in said
    assert "Note: an entry of the cache was deleted, because it does not hold: Expecting value" in said
    assert main(command) == 0 and "(from the cache, proof checked" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "a.bp", tmp_path / "b.bp" / "cache"
    file.write_text(SAFE)
    folder.parent.write_text(SAFE)
    assert main(["check", str(file), "--cache", str(folder)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"Note: the answer was not kept: {folder}: cannot be written: Not a directory" in said
