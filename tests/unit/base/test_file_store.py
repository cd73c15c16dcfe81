"""A folder of texts: what was put is there, nothing torn, nothing too much."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knaster.base.file_store import LARGEST_TEXT, FileStore, default_folder


def test_texts_come_back(tmp_path: Path) -> None:
    store = FileStore(str(tmp_path / "new" / "folder"))
    assert store.get("a") is None and store.put("a", "x") and store.put("b", "yy") and store.put("a", "z")
    assert (store.get("a"), store.get("b")) == ("z", "yy") and store.size() == (2, 3)
    store.drop("a")
    store.drop("a")
    assert store.get("a") is None and store.clear() == 1 and store.size() == (0, 0)


def test_what_was_read_longest_ago_is_deleted_first(tmp_path: Path) -> None:
    store = FileStore(str(tmp_path), largest=25)
    for number in range(4):
        store.put(str(number), "0123456789")
        os.utime(store._path(str(number)), (1000 + number, 1000 + number))
    assert store.get("0") is not None  # now it was read last
    store.shrink()
    assert [store.get(str(number)) is not None for number in range(4)] == [True, False, False, True]


def test_what_cannot_be_read_or_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = FileStore(str(tmp_path / "file"))
    assert not store.put("a", "x") and store.get("a") is None
    assert not FileStore(str(tmp_path)).put("a", "x" * (LARGEST_TEXT + 1))
    good = FileStore(str(tmp_path))
    good.put("a", "x")
    Path(good._path("a")).write_bytes(b"\xff\xfe\xff")
    assert good.get("a") is None


def test_the_folder_of_this_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNASTER_CACHE", "there")
    assert default_folder() == "there"
    monkeypatch.delenv("KNASTER_CACHE")
    assert "knaster" in default_folder()
