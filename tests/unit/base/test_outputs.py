"""A file is written whole or not at all, and nothing else is touched."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from knaster.base.errors import KnasterError, UsageError
from knaster.base.outputs import refuse_inputs, write_file


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_text("a long text that was there before")
    file.chmod(0o640)
    write_file(file, "ü\n")
    assert file.read_text("utf-8") == "ü\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_was_there_stays_where_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out"
    file.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(KnasterError, match="out: cannot be written: No space left on device"):
        write_file(file, "after")
    assert file.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_link_of_the_user_is_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    write_file(link, "text")
    assert link.is_symlink() and real.read_text() == "text"


@pytest.mark.parametrize("file", ["nowhere/out", ".", "bad\0name"])
def test_the_message_names_the_file(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KnasterError, match="^" + file.replace(".", r"\.") + ": cannot be written: "):
        write_file(file, "text")


def test_what_is_read_is_not_written(tmp_path: Path) -> None:
    file, link = tmp_path / "in", tmp_path / "link"
    file.write_text("text")
    link.symlink_to(file)
    for output in (file, link):
        with pytest.raises(UsageError, match="is the file that is read"):
            refuse_inputs("--proof", str(output), ["-", str(file)])
    refuse_inputs("--proof", str(tmp_path / "out"), [str(file)])
    refuse_inputs("--proof", None, [str(file)])
