"""The native library is there where there is a compiler, and is not used where it does not fit its sources."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from knaster.native import library

SOURCES = sorted(source.stem for source in library.FOLDER.glob("*.c"))


def test_the_library_is_compiled_where_there_is_a_compiler() -> None:
    if shutil.which("cc") or shutil.which("gcc") or shutil.which("clang"):
        assert SOURCES
        for source in SOURCES:
            assert library.open_library(source), "install the package again: the library is missing or older than it"


def test_a_missing_library_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library, "LIBRARY", tmp_path / "nothing.so")
    assert [library.open_library(source) for source in SOURCES] == [None] * len(SOURCES)


def test_a_library_older_than_its_source_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for source in SOURCES:
        (tmp_path / f"{source}.c").write_text("another source")
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    assert [library.open_library(source) for source in SOURCES] == [None] * len(SOURCES)
