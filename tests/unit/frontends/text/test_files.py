from __future__ import annotations

import os
from pathlib import Path

import pytest

from knaster.base.errors import KnasterError, SourceError
from knaster.frontends.boolean import parse
from knaster.frontends.languages import load
from knaster.frontends.text.files import decode, read_text

TEXT = "decl g;\nvoid main() begin\n  g := 1; // done\nend\n"


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "some.bp"
    path.write_text(TEXT)
    program = load(path)
    assert program == parse(TEXT)
    assert (program.file, program.source) == (str(path), TEXT)
    assert load(str(path), dialect="boppo") == program


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.encode("utf-16"),
    ],
)
def test_marks_and_line_ends(data: bytes) -> None:
    assert decode(data) == TEXT


def test_other_letters_in_comments() -> None:
    assert parse(decode(TEXT.replace("done", "schön").encode("latin-1"))) == parse(TEXT)
    assert parse(decode(TEXT.replace("done", "schön ∧").encode())) == parse(TEXT)
    assert decode("// schön".encode("latin-1")) == "// schön"


def test_other_letters_elsewhere_are_refused_where_they_stand() -> None:
    with pytest.raises(SourceError, match=r"1:6: error: unknown character '\\xe4'"):
        parse(decode("decl ä;".encode("latin-1")))


def test_an_empty_file_is_an_empty_program(tmp_path: Path) -> None:
    path = tmp_path / "empty.bp"
    path.write_bytes(b"")
    assert load(path).procedures == ()


@pytest.mark.parametrize(
    "data", [b"\x7fELF\x02\x01\x00\x00", b"\x00", b"PK\x03\x04\x14\x00\x08", TEXT.encode("utf-16-le")]
)
def test_a_binary_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "some.bp"
    path.write_bytes(data)
    with pytest.raises(KnasterError, match=r"some\.bp: is a binary file, expected the text of a program"):
        load(path)


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnasterError, match="is a directory, expected a file"):
        load(tmp_path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnasterError, match=r"none\.bp: there is no such file"):
        load(tmp_path / "none.bp")


@pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.bp"
    path.write_text(TEXT)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(KnasterError, match=r"secret\.bp: cannot be read: Permission denied"):
        load(path)


def test_a_failing_read_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(KnasterError, match=r"secret\.bp: cannot be read: Permission denied"):
        load(tmp_path / "secret.bp")


def test_an_impossible_path_is_refused() -> None:
    with pytest.raises(KnasterError, match="cannot be read"):
        read_text("some\0.bp")
